"""The one way out: every lookup on the web, with its limits, its record and its refusals."""
