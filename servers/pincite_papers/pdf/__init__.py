"""PDF: from glyphs to a paper with layout, tables, figures and captions."""
