"""Whether a quote and a claim hold, who claimed what, and what became of a paper since."""
