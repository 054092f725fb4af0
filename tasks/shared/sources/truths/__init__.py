"""The truth of each long paper: a module a paper, whose ``book`` gives it."""
