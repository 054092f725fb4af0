"""The library in Lance tables."""
