"""Model APIs: dialects, endpoints, the choice of a model and its price."""
