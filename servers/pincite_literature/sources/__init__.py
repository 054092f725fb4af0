"""The sources of works, one module each."""
