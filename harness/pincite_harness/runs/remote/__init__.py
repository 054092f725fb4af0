"""Runs on object storage: a local mirror that trials are run in, and what of it is published."""
