"""A calculator with units: expressions are read by a grammar of their own, and nothing in them is ever executed."""
