"""The audit of a text: the claims found in it, and what its sources say of each."""
