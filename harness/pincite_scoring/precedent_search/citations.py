"""Citations: does an answer cite a source of the gold, by DOI or by title?"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from urllib.parse import unquote

from rapidfuzz.distance import Indel

from pincite_scoring.precedent_search.answer import Answer, Source
from pincite_scoring.result import Compat

TITLE_RATIO = 0.9
"""Strict: how alike titles are, at least."""

PUBLISHED_RATIO = 0.8
"""Reference: titles must be more alike than this."""

PUBLISHED_SOURCES = 3
"""Reference: sources that count of each property."""

_SHORTEST = 10
"""Characters of a title that may be recognised by likeness."""

_ROUNDING = 1e-9
"""The rounding of doubles."""

_SCHEME = re.compile(r"^(?:(?:urn:)?doi\s*[:\s]|info:doi/)\s*", re.IGNORECASE)
_URL = re.compile(
    r"(?:https?://|(?:www\.|dx\.)?doi\.org/)[^?#]*?(?<=[/:])(?P<doi>10\.\d{4,9}(?:/|%2f)[^?#]*)", re.IGNORECASE
)
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_PUBLISHED_PREFIXES = tuple(re.compile(p) for p in (r"^https?://", r"^doi\.org/", r"^dx\.doi\.org/", r"^doi:"))
_TAG = re.compile(r"<[^>]+>")
_MARK = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class Matches:
    """Whether any gold source is cited; None where the gold names no DOI, or no title, to compare with."""

    doi: bool | None
    title: bool | None

    @property
    def any(self) -> bool | None:
        """By either way."""
        return None if self.doi is None and self.title is None else bool(self.doi or self.title)


@lru_cache(maxsize=65536)
def doi_form(text: str) -> str:
    """A DOI bare and in lower case, of itself, with ``doi:`` or in a URL; "" for what is none."""
    text = text.strip()
    text = text[1:-1] if text.startswith("<") and text.endswith(">") else text
    found = _URL.match(text)
    bare = unquote(found["doi"] if found is not None else _SCHEME.sub("", text, count=1))
    bare = bare.strip().rstrip(".,;/").lower()
    return bare if _DOI.fullmatch(bare) else ""


@lru_cache(maxsize=65536)
def title_form(text: str) -> str:
    """A title in lower case without tags and marks, as published."""
    return re.sub(r"\s+", " ", _MARK.sub(" ", _TAG.sub("", text.lower()))).strip()


def match(answer: Answer | None, gold: Iterable[Source], compat: Compat) -> Matches:
    """How the sources of an answer (None: it has none) meet those of the gold."""
    wanted = list(gold)
    if compat == "reference":
        cited = list(answer.first_claims(PUBLISHED_SOURCES)) if answer is not None else []
        return Matches(_published_dois(cited, wanted), _titles(cited, wanted, compat))
    cited = list(answer.claims()) if answer is not None else []
    dois = {doi_form(source.doi) for source in wanted} - {""}
    met = any(doi_form(source.doi) in dois for source in cited)
    return Matches(met if dois else None, _titles(cited, wanted, compat))


def is_match(source: Source, gold: Sequence[Source], compat: Compat) -> str:
    """By what one source is one of the gold: ``doi``, ``title`` or nothing."""
    if compat == "reference":
        return "doi" if _published_dois([source], gold) else "title" if _titles([source], gold, compat) else ""
    doi = doi_form(source.doi)
    if doi and any(doi_form(true.doi) == doi for true in gold):
        return "doi"
    return "title" if _titles([source], gold, compat) else ""


def _published_dois(cited: Iterable[Source], gold: Iterable[Source]) -> bool | None:
    dois = [doi for source in gold if (doi := _published_doi(source.doi))]
    mine = [doi for source in cited if (doi := _published_doi(source.doi))]
    return any(a in b or b in a for a in mine for b in dois) if dois else None


def _published_doi(text: str) -> str:
    text = text.lower().strip()
    for prefix in _PUBLISHED_PREFIXES:
        text = prefix.sub("", text)
    return text


def _titles(cited: Iterable[Source], gold: Iterable[Source], compat: Compat) -> bool | None:
    titles = [title for source in gold if (title := title_form(source.title))]
    mine = [title for source in cited if (title := title_form(source.title))]
    return any(_alike(a, b, compat) for a in titles for b in mine) if titles else None


@lru_cache(maxsize=65536)
def _alike(gold: str, cited: str, compat: Compat) -> bool:
    if min(len(gold), len(cited)) < _SHORTEST:
        return compat == "strict" and gold == cited
    least = TITLE_RATIO if compat == "strict" else PUBLISHED_RATIO
    if Indel.normalized_similarity(gold, cited) < least - _ROUNDING:
        return False  # No matching blocks hold more characters than the longest common subsequence.
    ratio = SequenceMatcher(None, gold, cited).ratio()
    return ratio >= least if compat == "strict" else ratio > least
