"""A reference as someone wrote it: the identifiers in it, its years, and how well a work's record agrees with it."""

import re
from dataclasses import dataclass
from typing import Literal

from pincite_literature import identifiers
from pincite_literature.model import Identifiers, Work
from pincite_literature.titles import fold, normal_title
from pincite_papers.doi import IN_TEXT, dois_in

SAME_TITLE = 0.9
"""Similarity from which two titles count as the same: the published rule for citations."""

Agreement = Literal["agrees", "differs", "not given", "not known"]

_ARXIV = re.compile(
    r"\barxiv(?:\.org/(?:abs|pdf)/|\s*:?\s*)((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?)", re.IGNORECASE
)
_PMID = re.compile(r"\bpmid\s*:?\s*(\d{4,8})\b", re.IGNORECASE)
_PMCID = re.compile(r"\bPMC\d{4,9}\b", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+")
_YEAR = re.compile(r"(?<![\d.:/-])(?:1[6-9]|20)\d\d(?=[a-z]?(?![\d.:/-]\d))")
_NAME = re.compile(r"[^\W\d_][\w'’‐-]+")
_SURE_NAME = 3
"""Letters from which a word is taken for a name; a shorter one is initials, unless an author is called so."""
_NO_NAMES = frozenset(
    {"and", "et", "al", "the", "eds", "und", "with", "others", "author", "authors", "van", "von", "der", "den", "del"}
)
_FEW_WORDS = 3
_SENTENCE_END = re.compile(r"[.?!](?=\s)|(?<=\))(?=\s)")
_TITLE_WORDS = 6
"""Words of a title from which on one that leaves out the rest of the record's is the same: subtitles are often left
out, while titles of another work seldom begin with all of it. Set by judgement."""
_SHORT_TITLE = 20
"""Letters of a title under which only its very words count: short ones resemble too much."""


@dataclass(frozen=True, slots=True)
class Reference:
    """``ids`` is the first identifier of each kind; ``words`` is the rest of the text, "" where that says nothing.

    ``title`` and ``authors`` are given apart from the text, or "".
    """

    ids: Identifiers | None
    words: str
    title: str = ""
    authors: str = ""
    years: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a record agrees with a reference; ``similarity`` of the titles is from 0 to 1, None where none is given."""

    title: Agreement
    similarity: float | None
    authors: Agreement
    strangers: tuple[str, ...]
    """Names in the reference that are not an author's, as they are written."""
    year: Agreement


def read_reference(text: str, *, title: str = "", authors: str = "", year: int | None = None) -> Reference:
    """Read a reference: a DOI alone, in a URL, or a whole entry of a reference list."""
    text = " ".join(text.split())
    ids = _identifiers(text)
    words = text
    for pattern in (IN_TEXT, _ADDRESS, _ARXIV, _PMID, _PMCID):
        words = pattern.sub(" ", words)
    words = re.sub(r"\b(?:doi|pmid|pmcid|arxiv|available (?:at|from))\b\s*:?", " ", words, flags=re.IGNORECASE)
    words = " ".join(words.split()) if len(_NAME.findall(words)) >= _FEW_WORDS else ""
    years = (year,) if year is not None else tuple(dict.fromkeys(int(found) for found in _YEAR.findall(words)))
    return Reference(ids, words, title.strip(), authors.strip(), years)


def compare(reference: Reference, work: Work) -> Comparison:
    """Compare what the reference says with the record of a work."""
    similarity, before = _title(reference, work)
    authors, strangers = _authors(reference, work, before)
    return Comparison(
        title="not given" if similarity is None else "agrees" if similarity >= SAME_TITLE else "differs",
        similarity=similarity,
        authors=authors,
        strangers=strangers,
        year=_year(reference, work),
    )


def _identifiers(text: str) -> Identifiers | None:
    doi = next((found for named in dois_in(text) if (found := identifiers.doi(named))), None)
    arxiv = next((identifiers.arxiv(match[1]) for match in _ARXIV.finditer(text)), None)
    pmid = next((identifiers.pmid(match[1]) for match in _PMID.finditer(text)), None)
    pmcid = next((identifiers.pmcid(match[0]) for match in _PMCID.finditer(text)), None)
    found = Identifiers(doi=doi, arxiv=arxiv, pmid=pmid, pmcid=pmcid)
    return found if found.known() else identifiers.identify(text)


def _title(reference: Reference, work: Work) -> tuple[float | None, str]:
    """The similarity of the titles, and what the reference says before its title."""
    from rapidfuzz import fuzz

    wanted = normal_title(work.title)
    if reference.title:
        return fuzz.ratio(normal_title(reference.title), wanted) / 100, reference.authors
    if not reference.words or not wanted:
        return None, ""
    given = normal_title(reference.words)
    short = _without_subtitle(reference.words, wanted)
    if short is not None:
        return 1.0, short
    if len(wanted) < _SHORT_TITLE or len(given) < len(wanted):
        at = f" {given} ".find(f" {wanted} ")
        best = 1.0 if at >= 0 else fuzz.ratio(given, wanted) / 100
        return best, given[: max(at - 1, 0)] if at >= 0 else given
    found = fuzz.partial_ratio_alignment(wanted, given)
    return (0.0, given) if found is None else (found.score / 100, given[: found.dest_start])


def _without_subtitle(words: str, wanted: str) -> str | None:
    """What a reference says before its title, where that is a sentence of its own with which the title of the record
    begins; None where there is none."""
    start = 0
    for end in [*(match.start() for match in _SENTENCE_END.finditer(words)), len(words)]:
        part = normal_title(words[start:end])
        if len(part.split()) >= _TITLE_WORDS and wanted.startswith(f"{part} "):
            return normal_title(words[:start])
        start = end
    return None


def _authors(reference: Reference, work: Work, before: str) -> tuple[Agreement, tuple[str, ...]]:
    """Names are those given apart, else the words before the title, where styles of citation put them."""
    stated = reference.authors or before
    known = {part for author in work.authors for part in _parts(f"{author.name} {author.family} {author.given}")}
    words = [name for name in _NAME.findall(stated) if fold(name) not in _NO_NAMES]
    names = [name for name in words if len(name) >= _SURE_NAME or fold(name) in known]
    if not names:
        return "not given", ()
    if not known:
        return "not known", ()
    strangers = tuple(dict.fromkeys(name for name in names if not set(_parts(name)) & known))
    first = set(_parts(work.authors[0].family or work.authors[0].name))
    theirs = {part for name in names for part in _parts(name)}
    if not strangers and theirs & known:
        return "agrees", ()
    return ("agrees" if theirs & first and len(strangers) * 3 <= len(names) else "differs"), strangers


def _parts(name: str) -> list[str]:
    return [part for part in re.split(r"[\s.,'’‐-]+", fold(name)) if len(part) > 1]


def _year(reference: Reference, work: Work) -> Agreement:
    """The year of the version cited or of the first one agrees; so does the year beside it: online, then in print."""
    if not reference.years:
        return "not given"
    known = [date.year for date in (work.published, work.first_public) if date is not None]
    if not known:
        return "not known"
    return "agrees" if any(abs(year - other) <= 1 for year in reference.years for other in known) else "differs"
