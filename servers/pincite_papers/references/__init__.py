"""References: what an entry of a reference list is, the identifiers in it, and where it is cited."""

from pincite_papers.references.citations import find_citations
from pincite_papers.references.draft import ReferenceDraft
from pincite_papers.references.identifiers import find_arxiv, find_doi, find_pmid

__all__ = [
    "ReferenceDraft",
    "find_arxiv",
    "find_citations",
    "find_doi",
    "find_pmid",
]
