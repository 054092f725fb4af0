"""Exporting: task families as folders of Harbor tasks, as Inspect tasks, and as data sets of JSON lines."""
