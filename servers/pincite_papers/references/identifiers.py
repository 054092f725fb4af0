"""Identifiers printed in a reference: DOI, arXiv number and PubMed number, also when a line break cuts them in two."""

import re
from collections.abc import Sequence
from urllib.parse import unquote

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
_CUT_HERE = tuple("./-_:(;")
_YEAR = re.compile(r"^\(?(?:19|20)\d\d[a-z]?\)?[.,;:]?$")
_TRAILING = ".,;:'’”\"}"


def find_doi(lines: Sequence[str]) -> str | None:
    """The first DOI in the print ``lines`` of an entry, joined where it runs over a line end; None if there is none."""
    text = _BREAK.join(line.strip() for line in lines)
    match = _DOI.search(text)
    if match is None:
        return None
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
