"""Patents: Europe PMC without a key, EPO's Open Patent Services with one, pages of Google Patents for texts."""
