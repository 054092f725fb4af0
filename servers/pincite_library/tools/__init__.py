"""The tools of the library server."""
