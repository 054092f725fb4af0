"""Markup: what JATS, LaTeX and HTML share on their way to a Paper: runs, grids of tables, the builder."""

from pincite_papers.markup.builder import CellDraft, PaperBuilder
from pincite_papers.markup.grid import Grid
from pincite_papers.markup.run import Run

__all__ = ["CellDraft", "Grid", "PaperBuilder", "Run"]
