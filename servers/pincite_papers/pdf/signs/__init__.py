"""Signs: what fonts print whose codes say something else, judged by the shapes of their glyphs."""
