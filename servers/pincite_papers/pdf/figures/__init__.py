"""Figures of one page: images, drawings and their labels, gathered at each caption."""

from pincite_papers.pdf.figures.draft import FigureDraft
from pincite_papers.pdf.figures.find import find_figures, page_figure

__all__ = ["FigureDraft", "find_figures", "page_figure"]
