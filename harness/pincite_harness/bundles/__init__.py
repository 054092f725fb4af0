"""Proof bundles: a run as one file that a stranger can check."""
