"""Identifiers printed in a reference: DOI, arXiv number and PubMed number, also when a line break cuts them in two."""

import re
from collections.abc import Sequence
from urllib.parse import unquote

from pincite_papers.doi import PAGE_CHARS, is_cut, sici_at

_BREAK = "\n"
_DOI = re.compile(r"\b10\.\n?\d{4,9}(?:\.\d+)*\n?/\n?[^\s\"<>\[\]]+", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv[\s:.]*|arxiv\.\n?org/\n?(?:abs|pdf)/\n?)(?:preprint\s+)?(?:arxiv[\s:]*)?(?:abs/)?"
    r"(?P<id>\d{4}\.\n?\d{4,5}(?:v\d+)?|[a-z\-]+(?:\.[A-Z]{2})?/\n?\d{7}(?:v\d+)?)",
    re.IGNORECASE,
)
_PMID = re.compile(
    r"(?:\bPMID\s*:?\s*|pubmed(?:\.ncbi\.nlm\.nih\.gov|/)\n?/?\s*|\bPubMed\s*(?:ID)?\s*:\s*)"
    r"(?P<id>[1-9]\d{3,7})(?!\d)",
    re.IGNORECASE,
)
_SICI_LINES = 4
"""Lines over which a DOI of some 60 characters can be printed in a narrow column."""
_CUT_HERE = tuple("./-_:(;")
_YEAR = re.compile(r"^\(?(?:19|20)\d\d[a-z]?\)?[.,;:]?$")
_TRAILING = ".,;:'’”\"}"


def find_doi(lines: Sequence[str]) -> str | None:
    """The first whole DOI in the print ``lines`` of an entry, joined where it runs over a line end, else None."""
    text = _BREAK.join(line.strip() for line in lines)
    for match in _DOI.finditer(text):
        whole = _old_doi(text[match.start() :])
        if whole is not None:
            return whole
        doi = _doi_from(match, text)
        printed = text[match.start() : match.end() + PAGE_CHARS].replace(_BREAK, "")
        if not is_cut(doi) and not is_cut(printed):
            return doi
    return None


def _old_doi(text: str) -> str | None:
    """The whole SICI with which a text begins, over as few lines as need be; None when it begins with none."""
    lines = text.split(_BREAK)[:_SICI_LINES]
    joined = ("".join(lines[:count]) for count in range(1, len(lines) + 1))
    return next((doi for one in joined if (doi := sici_at(one, 0)) is not None), None)


def _doi_from(match: re.Match[str], text: str) -> str:
    """The DOI that begins with ``match``, with what the next lines hold of it."""
    doi, end = match.group().replace(_BREAK, ""), match.end()
    while end < len(text) and text[end] == _BREAK:
        word = text[end + 1 :].split(None, 1)[0] if text[end + 1 :].split() else ""
        if not _carries_on(doi, word, text[end + 1 + len(word) :]):
            break
        doi += word
        end += 1 + len(word)
    return _trim(doi)


def _carries_on(doi: str, word: str, rest: str) -> bool:
    """Whether ``word``, the first of the next line, is the rest of a DOI; ``rest`` follows it in the entry."""
    if not word or _DOI.match(word) or word.startswith(("http", "[", "(", "doi", "PMID", "PMC", "arXiv")):
        return False
    if doi.endswith(_CUT_HERE):
        lone = not rest.strip()
        plain = word.rstrip(_TRAILING).isalpha() and word[:1].isupper()
        return not _YEAR.match(word) and not (plain and not lone) and (lone or any(char.isdigit() for char in word))
    return any(char.isdigit() for char in word) and not _YEAR.match(word) and not rest.strip()


def _trim(doi: str) -> str:
    """A DOI without the punctuation of the sentence around it and without percent signs of its link."""
    while doi and (doi[-1] in _TRAILING or (doi[-1] == ")" and doi.count(")") > doi.count("("))):
        doi = doi[:-1]
    return unquote(doi)


def find_arxiv(lines: Sequence[str]) -> str | None:
    """The first arXiv identifier in the print ``lines`` of an entry ("2301.01234v2", "cond-mat/0207667")."""
    match = _ARXIV.search(_BREAK.join(line.strip() for line in lines))
    return match["id"].replace(_BREAK, "") if match is not None else None


def find_pmid(lines: Sequence[str]) -> str | None:
    """The first PubMed number in the print ``lines`` of an entry ("PMID: 12345678", an address of PubMed)."""
    match = _PMID.search(_BREAK.join(line.strip() for line in lines))
    return match["id"] if match is not None else None
