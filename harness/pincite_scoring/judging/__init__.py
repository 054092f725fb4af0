"""Judging: decisions on texts that no comparison can make, by rules or by a model, always recorded."""
