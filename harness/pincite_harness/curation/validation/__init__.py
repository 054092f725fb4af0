"""Validation: what ``pincite tasks validate`` proves of a task family before anybody is scored by it."""
