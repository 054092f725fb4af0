"""Markup: what JATS, LaTeX and HTML share on their way to a Paper: inline runs and the builder of the text."""

from pincite_papers.markup.builder import CellDraft, PaperBuilder
from pincite_papers.markup.run import Run

__all__ = ["CellDraft", "PaperBuilder", "Run"]
