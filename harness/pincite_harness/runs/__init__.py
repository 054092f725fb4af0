"""Runs: trials of one specification in one folder, resumable."""
