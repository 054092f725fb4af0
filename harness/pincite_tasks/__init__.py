"""Tasks: families, their files and answers, the record of a trial, and the literature that stands in for the web."""
