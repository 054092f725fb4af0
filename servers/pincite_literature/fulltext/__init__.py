"""Open full texts: found, fetched, checked to be the paper that was asked for, kept and opened."""
