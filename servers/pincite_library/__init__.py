"""A local collection of papers: ingest, hybrid search, exact search, reading in context."""
