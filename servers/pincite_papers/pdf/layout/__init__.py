"""Layout: from the characters of a page to lines, blocks and a reading order."""
