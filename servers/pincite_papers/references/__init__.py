"""Reference lists: the lines of a reference section split into entries, their identifiers, and where they are cited."""

from pincite_papers.references.citations import find_citations
from pincite_papers.references.draft import ReferenceDraft
from pincite_papers.references.identifiers import find_arxiv, find_doi, find_pmid
from pincite_papers.references.sections import cut_references
from pincite_papers.references.split import split_references

__all__ = [
    "ReferenceDraft",
    "cut_references",
    "find_arxiv",
    "find_citations",
    "find_doi",
    "find_pmid",
    "split_references",
]
