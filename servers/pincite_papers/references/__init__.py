"""Reference lists: the lines of a reference section split into entries, their identifiers, and where they are cited."""

from pincite_papers.references.citations import find_citations
from pincite_papers.references.draft import ReferenceDraft
from pincite_papers.references.identifiers import find_arxiv, find_doi, find_pmid
from pincite_papers.references.split import split_references

__all__ = ["ReferenceDraft", "find_arxiv", "find_citations", "find_doi", "find_pmid", "split_references"]
