"""Crystal structures and computed properties: the Materials Project and COD, over OPTIMADE and the former's own API."""
