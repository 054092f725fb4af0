"""Reference lists of PDFs: where they stand, and their lines split into entries."""

from pincite_papers.pdf.references.sections import cut_references
from pincite_papers.pdf.references.split import split_references

__all__ = ["cut_references", "split_references"]
