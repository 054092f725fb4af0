"""Importing: published data sets, and a user's own papers and gold, become task families."""
