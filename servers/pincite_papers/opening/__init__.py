"""Opening: from a path or address to a parsed paper, in a process of its own."""
