"""Wikipedia: pages found by words, pinned to the revision that was read."""
