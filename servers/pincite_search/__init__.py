"""Search and fetch: one question to the library and the literature, in the shape that ChatGPT's connectors ask for."""
