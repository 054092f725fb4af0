"""Papers come into a library: found, parsed, cut and written, each once."""
