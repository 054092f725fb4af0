"""What else a material is called: precedent searches that miss no spelling."""
