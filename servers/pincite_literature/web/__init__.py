"""The web at large, by a search engine that the user sets up."""
