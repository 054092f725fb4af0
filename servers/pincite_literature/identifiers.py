"""Identifiers of works: told apart and brought to one form."""

import re

from pincite_literature.model import Identifiers

_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv:|https?://arxiv\.org/(?:abs|pdf|html)/)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
)


def doi(text: str) -> str | None:
    """The DOI in its normal form, None when ``text`` is none."""
    match = _DOI.fullmatch(text.strip())
    return match[1].lower() if match else None


def arxiv(text: str) -> str | None:
    """The arXiv id without its version, None when ``text`` is none."""
    match = _ARXIV.fullmatch(text.strip())
    return match[1] if match else None


def identify(text: str) -> Identifiers | None:
    """The identifier that ``text`` is, in any usual spelling (prefix, URL); None when it reads as a title."""
    if found := doi(text):
        return Identifiers(doi=found)
    if found := arxiv(text):
        return Identifiers(arxiv=found)
    return None
