"""Analyses: what runs cost, where they fail and why, each as rows, a table and a picture. docs/analyses.md has them."""
