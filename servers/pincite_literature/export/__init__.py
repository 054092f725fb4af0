"""Works as reference managers read them: BibTeX, RIS, CSL-JSON."""
