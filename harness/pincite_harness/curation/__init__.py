"""Curation: importing, building, checking and exporting tasks."""
