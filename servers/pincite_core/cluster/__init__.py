"""A Ray cluster: the connection to it, and how keys reach its workers."""
