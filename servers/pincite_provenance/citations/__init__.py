"""Whether a reference exists, and says what it is said to say."""
