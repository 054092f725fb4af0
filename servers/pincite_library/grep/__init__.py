"""Exact text and patterns over all papers of a library."""
