"""Captions of figures, tables and the like, found on one page by their label and by the way that they are set."""

from pincite_papers.pdf.captions.draft import CaptionDraft, CaptionKind
from pincite_papers.pdf.captions.find import find_captions

__all__ = ["CaptionDraft", "CaptionKind", "find_captions"]
