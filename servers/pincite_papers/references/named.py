"""Citations by author and year, and by a printed key such as ``[BM86]``."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite_papers.model import Citation, Reference
from pincite_papers.references.numbered import Prose

_YEAR = re.compile(r"(?<![\w./-])(?P<year>(?:1[6-9]|20)\d\d|n\.\s?d\.|in press|forthcoming)(?P<letter>[a-z])?(?![\w/])")
_MORE = re.compile(r"(?:,\s?|\s?&\s?|\sand\s)(?P<letter>[a-z])(?!\w)")
_PARTICLES = ("van", "von", "de", "der", "den", "del", "della", "di", "da", "dos", "du", "la", "le", "ter", "ten", "el")
_PARTICLE = rf"(?:(?:{'|'.join(f'[{p[0].upper()}{p[0]}]{p[1:]}' for p in _PARTICLES)}|zur?)\s)*"
_WORD = r"[^\W\d_a-z][^\W\d_]*(?:['’\-‐][^\W\d_]+)*"
_NAME = rf"{_PARTICLE}(?:{_WORD})(?:\s(?:Jr|Sr|III?)\b\.?)?"
_GIVEN = r"(?:(?:[^\W\d_a-z]\.[\s-]?){1,3}|)"
_AUTHORS = re.compile(
    rf"(?<![\w'’])(?P<whole>{_GIVEN}(?P<first>{_NAME})"
    rf"(?:(?:,\s(?:[^\W\d_a-z]\.\s?){{1,3}})?,?\s?(?P<others>(?<=\s)et\s+al\.?|and\s(?:others|colleagues|co-?workers))"
    rf"|(?:,\s{_GIVEN}{_NAME}){{0,8}},?\s(?:and|&|und|et|y)\s{_GIVEN}(?P<last>{_NAME})(?:,?\set\sal\.?)?)?"
    rf"(?:['’]s?)?)[,.]?\s?[(\[]?$"
)
_LIST_MARK = re.compile(r"^(?:\[[^\]]{1,16}\]|\(?\d{1,4}[.)]|\^?\{?\d{1,4}\}?(?=\s))\s*")
_INITIALS = re.compile(r"^(?:[^\W\d_a-z]\.?-?){1,4}$")
_HEAD_END = re.compile(r"[,:;(]|(?<=\w\w)\.\s(?=[^\W\d_a-z][^\W\d_]{2})|\s&\s|\sand\s")
_KEYED = re.compile(r"\[(?P<keys>[^\[\]\n]{2,120})\]")
_LISTED_YEARS = frozenset((", ", ",", " and ", ", and ", " & "))
_NO_LETTER = re.compile(r"[^a-z0-9]+")
_WINDOW = 160
"""Characters before a year in which its authors are looked for. Set by judgement."""
_LONGEST_HEAD = 400
"""Characters of an entry before its year, in which its authors stand. Set by judgement."""


@dataclass(slots=True)
class _Entry:
    """What a citation names of an entry: first author's names, years, all authors and the first of them, folded."""

    index: int
    names: set[str]
    years: list[str]
    head: str
    whole: str


def named_citations(parts: Sequence[Prose], references: Sequence[Reference], text: str) -> list[Citation]:
    """The citations by author and year in ``parts`` that name just one entry, and those by printed keys."""
    entries = [_entry(k, text[reference.start : reference.end]) for k, reference in enumerate(references)]
    by_year: dict[str, list[_Entry]] = {}
    for entry in entries:
        plain = [year[:4] if year[0].isdigit() else year for year in entry.years]
        for year in dict.fromkeys(plain):
            by_year.setdefault(year, []).append(entry)
    keys = {r.key: k for k, r in enumerate(references) if r.key and " " not in r.key and not r.key.isdigit()}
    found: list[Citation] = []
    for part in parts:
        found += _in_part(part, by_year)
        found += _keyed(part, keys)
    return sorted(found, key=lambda citation: citation.start)


def _entry(index: int, printed: str) -> _Entry:
    """The names and years of an entry as it is printed."""
    text = _LIST_MARK.sub("", printed, count=1)
    years = [(match["year"], match["letter"] or "") for match in _YEAR.finditer(text)]
    first_year = _YEAR.search(text)
    head = text[: min(first_year.start() if first_year else _LONGEST_HEAD, _LONGEST_HEAD)]
    end = _HEAD_END.search(text)
    author = text[: end.start()] if end and 0 < end.start() < _LONGEST_HEAD else head
    words = [word for word in author.split() if not _INITIALS.match(word.strip(",."))]
    names = {fold("".join(words)), fold("".join(words[-1:])), fold("".join(words[:1])) if len(words) == 2 else ""}
    organisation = re.split(r"\.?\s*[(\[]?$", head)[0]
    names.add(fold(organisation) if len(organisation) < 90 else "")
    dates = [year.replace(" ", "") + letter for year, letter in years]
    return _Entry(index, names - {""}, dates, fold(head), fold(author))


def fold(text: str) -> str:
    """Only letters and digits, without accents and case."""
    if text.isascii():
        return _NO_LETTER.sub("", text.casefold())
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain.casefold() if c.isalnum())


def _in_part(part: Prose, by_year: dict[str, list[_Entry]]) -> Iterator[Citation]:
    before_end, authors = -1, None
    for match in _YEAR.finditer(part.text):
        year = match["year"].replace(" ", "")
        if year not in by_year:
            before_end, authors = -1, None
            continue
        left_start = max(match.start() - _WINDOW, 0)
        left = part.text[left_start : match.start()]
        named = _AUTHORS.search(left)
        start = match.start()
        if authors is None or not (before_end >= 0 and part.text[before_end : match.start()] in _LISTED_YEARS):
            authors = named
            start = left_start + named.start("whole") if named is not None else start
        letters, end = _letters(part.text, match)
        chosen = [_choose(by_year[year], authors, left, year + letter) for letter in letters]
        cited = tuple(entry.index for entry in chosen if entry is not None)
        before_end = end
        if cited and len(cited) == len(chosen):
            start = min(start, left_start + _organisation_start(left, chosen[0]))
            yield Citation(part.start + start, part.start + end, cited)


def _organisation_start(left: str, entry: _Entry | None) -> int:
    """Where the name of an entry's first author starts that text ends with; the end of the text if it does not."""
    rest = entry.whole if entry is not None and fold(left).endswith(entry.whole) else ""
    place = len(left)
    while rest and place:
        place -= 1
        rest = rest.removesuffix(fold(left[place])) if left[place].isalnum() else rest
    return place


def _letters(text: str, match: re.Match[str]) -> tuple[list[str], int]:
    """The letters after a year ("2019a,b"), and where they end."""
    letters, end = [match["letter"] or ""], match.end()
    while letters[0] and (more := _MORE.match(text, end)):
        letters.append(more["letter"])
        end = more.end()
    return letters, end


def _choose(entries: list[_Entry], authors: re.Match[str] | None, left: str, year: str) -> _Entry | None:
    """The one entry of these authors and this year; None where none or several fit."""
    if authors is None:
        organised = fold(left)
        fitting = [entry for entry in entries if len(entry.whole) > 5 and organised.endswith(entry.whole)]
    else:
        first, last = fold(authors["first"]), fold(authors["last"] or "")
        plain = fold(authors["first"].split()[-1])
        fitting = [entry for entry in entries if first in entry.names] or [e for e in entries if plain in e.names]
        if not fitting:
            organised = fold(left)
            fitting = [entry for entry in entries if len(entry.whole) > 5 and organised.endswith(entry.whole)]
        elif last:
            fitting = [entry for entry in fitting if last in entry.head] or []
    exact = [entry for entry in fitting if year in entry.years[:1]] or [e for e in fitting if year in e.years]
    if len(exact) > 1 and authors is not None and not authors["last"]:
        several = bool(authors["others"])
        exact = [entry for entry in exact if _has_others(entry) == several] or exact
    return exact[0] if len(exact) == 1 else None


def _has_others(entry: _Entry) -> bool:
    """Whether an entry lists more authors than its first."""
    return len(entry.head) > len(entry.whole) + 6


def _keyed(part: Prose, keys: dict[str, int]) -> Iterator[Citation]:
    if not keys:
        return
    for match in _KEYED.finditer(part.text):
        names = re.split(r"\s?[,;]\s?", match["keys"])
        if all(name in keys for name in names):
            cited = tuple(dict.fromkeys(keys[name] for name in names))
            yield Citation(part.start + match.start(), part.start + match.end(), cited)
