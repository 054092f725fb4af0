"""Dialects: the four model APIs that agents speak, read into one shape, and questions written for them."""
