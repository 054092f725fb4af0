"""What became of a paper since it was published."""
