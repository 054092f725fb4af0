"""(g) Front matter: title, authors, DOI, journal, year and keywords."""

import re
import unicodedata
from dataclasses import dataclass

from lxml.etree import _Element
from normalise import letters
from truth import TruthFront

from pincite_papers.model import Paper

FIELDS = ("title", "authors", "doi", "journal", "year", "keywords")
# The pairs' XML carries the date of the draft: the years that their pages print, read by eye.
PRINTED_YEARS = {
    **dict.fromkeys(("jose.00184", "jose.00198", "jose.00206"), 2023),
    **dict.fromkeys(("jose.00090", "jose.00173", "jose.00223", "jose.00240", "jose.00243", "jose.00259"), 2024),
    **dict.fromkeys(("jose.00196", "jose.00261", "jose.00267", "jose.00286", "jose.00299", "jose.00309"), 2025),
    **dict.fromkeys(("jose.00302", "jose.00306"), 2026),
}


@dataclass(frozen=True, slots=True)
class FrontScore:
    """(found, expected, reported) of each field; what the print does not show is not expected."""

    counts: dict[str, tuple[int, int, int]]
    misses: tuple[str, ...]


def read_front(root: _Element, name: str) -> TruthFront:
    """The front matter of JATS (or NLM 2) and of the older BMC ``art`` format; ``name`` is that of the paper."""
    return _bmc(root) if root.tag == "art" else _jats(root, name)


def score_front(truth: TruthFront | None, paper: Paper, printed: str) -> FrontScore:
    """Compare the front matter; authors and keywords are counted one by one, ``printed`` is the PDF's plain text."""
    if truth is None:
        return FrontScore(dict.fromkeys(FIELDS, (0, 0, 0)), ())
    shown = letters(printed)
    stated = bool(re.search(r"key\s?words|index terms", printed, re.IGNORECASE))
    keywords = truth.keywords if stated and all(letters(each) in shown for each in truth.keywords) else ()
    parts = {
        "title": _one(truth.title, paper.title),
        "authors": _many(truth.authors, paper.authors),
        "doi": _one(truth.doi, paper.doi or ""),
        "journal": _one(truth.journal, paper.journal or "", abbreviated=True),
        "year": (int(paper.year in truth.years), int(bool(truth.years)), int(paper.year is not None)),
        "keywords": _many(keywords, paper.keywords),
    }
    misses = [
        f"{name}: {found} of {expected} found, {reported} reported: {getattr(paper, name)!r} for {_of(truth, name)!r}"
        for name, (found, expected, reported) in parts.items()
        if not found == expected == reported
    ]
    return FrontScore(parts, tuple(misses))


def front_totals(scores: list[FrontScore]) -> dict[str, tuple[int, int, int]]:
    """Sums over papers."""
    return {
        name: (
            sum(score.counts[name][0] for score in scores),
            sum(score.counts[name][1] for score in scores),
            sum(score.counts[name][2] for score in scores),
        )
        for name in FIELDS
    }


def _of(truth: TruthFront, name: str) -> object:
    return truth.years if name == "year" else getattr(truth, name)


def _one(wanted: str, seen: str, *, abbreviated: bool = False) -> tuple[int, int, int]:
    right = bool(wanted) and (letters(wanted) == letters(seen) or (abbreviated and _abbreviates(seen, wanted)))
    return int(right), int(bool(wanted)), int(bool(seen))


def _abbreviates(short: str, whole: str) -> bool:
    """Whether every word of ``short`` starts a word of ``whole``, in order ("Behav Ecol Sociobiol")."""
    words = iter([letters(word) for word in whole.split()])
    return bool(short) and all(any(word.startswith(letters(part)) for word in words) for part in short.split())


def _many(wanted: tuple[str, ...], seen: tuple[str, ...]) -> tuple[int, int, int]:
    left = [_plain(each) for each in seen]
    found = 0
    for each in wanted:
        if _plain(each) in left:
            left.remove(_plain(each))
            found += 1
    return found, len(wanted), len(seen)


def _plain(text: str) -> str:
    return letters("".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)))


def _text(element: _Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _jats(root: _Element, paper: str) -> TruthFront:
    meta = root.find("front/article-meta")
    assert meta is not None, paper
    authors = [
        f"{_text(name.find('given-names'))} {_text(name.find('surname'))} {_text(name.find('suffix'))}".strip()
        for contrib in meta.findall("contrib-group/contrib")
        if contrib.get("contrib-type", "author") == "author"
        for name in contrib.findall("name")
    ]
    year = PRINTED_YEARS.get(paper)
    years = [int(_text(each)) for each in meta.findall("pub-date/year") if _text(each).isdigit()]
    doi = next((_text(each) for each in meta.findall("article-id") if each.get("pub-id-type") == "doi"), "")
    journal = next((_text(each) for each in root.iter("journal-title")), "")
    keywords = [_text(each) for each in meta.iter("kwd")]
    title = _text(meta.find("title-group/article-title"))
    return TruthFront(title, tuple(authors), doi, journal, (year,) if year else tuple(years), tuple(keywords))


def _bmc(root: _Element) -> TruthFront:
    front = root.find("fm")
    assert front is not None
    names = ("fnm", "mi", "mnm", "snm", "suf")
    authors = [
        " ".join(_text(author.find(name)) for name in names if author.find(name) is not None)
        for author in front.findall(".//au")
    ]
    doi = next((_text(each) for each in front.iter("pubid") if each.get("idtype") == "doi"), "")
    years = [int(_text(each)) for each in front.iter("pubdate") if _text(each).isdigit()]
    keywords = [_text(each) for each in root.iter("kwd")]
    title = _text(front.find("bibl/title"))
    return TruthFront(title, tuple(authors), doi, _text(front.find(".//source")), tuple(years), tuple(keywords))
