"""Identity: the DOI that a paper states about itself."""

import re
from collections.abc import Iterable, Mapping

from pincite_papers.doi import dois_in, first_doi, is_cut

_CITED_AS = re.compile(r"\bdoi:\s*(10\.\d{4,9}/\S+?)[.,;]?\s+cite this article", re.IGNORECASE)
_TO_CITE = re.compile(r"\bcite this article\b.{0,900}?\bdoi:\s?(10\.\d{4,9}/[^\s)]+)", re.IGNORECASE | re.DOTALL)
_FIELDS = ("doi", "prism:doi", "dc:identifier", "wps-articledoi", "subject", "title", "keywords")


def find_doi(metadata: Mapping[str, str], first_page: Iterable[str], text: str) -> str | None:
    """The DOI of the metadata, else of the first page's texts (no references among them), else of its citation line.

    A DOI that a line end cuts short gives way to the whole one, one of several to that by which the paper asks to be
    cited.
    """
    for key in _FIELDS:
        if doi := first_doi(metadata.get(key, "")):
            return doi
    found = [doi for each in first_page for doi in dois_in(each)]
    whole = [doi for doi in found if not any(other != doi and other.startswith(doi) for other in found)]
    if len(set(whole)) > 1 and (to_cite := _TO_CITE.search(text)) and to_cite[1] in whole:
        return to_cite[1]
    if whole:
        return whole[0]
    cited = _CITED_AS.search(text)
    return cited[1] if cited and not is_cut(cited[1]) else None
