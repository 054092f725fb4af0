"""ATIF 1.8 trajectories: models, validation and the builder from wire records."""
