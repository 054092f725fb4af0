"""Citations by number: in brackets, raised, or in parentheses, as a paper's own use shows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite_papers.model import Citation, Reference

_LIST = r"\d{1,4}(?:\s?[,;–−-]\s?\d{1,4})*"
_PLACE = r"(?:,\s?(?:pp?|[Ss]ec|[Cc]hap|[Ff]ig|[Tt]hm|[Tt]heorem|[Tt]able|Eq|§)[^\]\[\n]{0,24})?"
_BRACKETED = re.compile(rf"\^?\[(?:see |e\.g\.,? |cf\. ?|[Rr]efs?\. ?)?(?P<list>{_LIST}){_PLACE}\]")
_RAISED = re.compile(
    rf"(?:(?<=[^\W\d_][^\W\d_])|(?<=[.,;:)\]”’\"'?!%]))\^(?:\{{(?P<held>{_LIST})\}}|(?P<bare>{_LIST}))(?![\w+−])(?!\.\d)"
)
_PARENTHESISED = re.compile(rf"(?<=\s)\((?P<list>{_LIST})\)")
_NAMED = re.compile(rf"(?<!\w)[Rr]ef(?:erence)?s?\.?\s(?P<list>{_LIST}(?:\s(?:and|or)\s\d{{1,4}})?)(?![\w\]])")
_SPLIT = re.compile(r"\s?[,;]\s?|\s(?:and|or)\s")
_RANGE = re.compile(r"\s?[–−-]\s?")
_INTERVAL = re.compile(r"(?:[∈∉⊂=<>≤≥×]|\b(?:intervals?|ranges?|between|from|domain))\s*$")
_INDEXED = re.compile(r"(?:(?<!\w)\w{1,2}|[\d)\]])$")
_OTHER_PART = re.compile(
    r"(?:\b(?:[Ee]qs?|[Ee]quations?|[Ff]igs?|[Ff]igures?|[Tt]ables?|[Ss]teps?|[Ii]tems?|[Ee]xs?|[Ee]xamples?|[Ss]chemes?|"
    r"[Rr]eactions?|[Cc]ases?|[Cc]onditions?|[Ff]ormulas?|[Mm]odels?)\.?)"
    r"(?:\s?\(\d{1,3}\)\s?(?:,|and|or|to|[-–])?)*\s?$"
)
_POWER = re.compile(
    r"(?:(?<![^\W\d_])[^\W\d_]{1,2}|\b(?:sec|min|mol|rad|[kMG](?:Hz|eV|Pa)|log|sin|cos|tan|exp|chi|[ck]?m|ha))$"
)
_WIDEST_RANGE = 60
"""Entries of a range of citations; a wider one is not one. Set by judgement."""
_SHARE_RAISED, _SHARE_PARENTHESISED = 0.3, 0.5
"""Share of the entries that raised numbers, or those in parentheses, must cite. Set by judgement."""
_IN_ORDER = 0.6
"""Share of first citations that come in the order of the list. Set by judgement."""
_FEWEST = 3
"""Citations of one manner that are needed to know it. Set by judgement."""
_BEFORE = 40
"""Characters before a number that say what it counts."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A part of the canonical text that may cite: its place and its text; ``table`` where it is a table's."""

    start: int
    text: str
    table: bool = False


class Entries:
    """The entries of the reference lists by their printed numbers, list by list where numbers start again."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._places: dict[int, list[tuple[int, int]]] = {}
        for index, reference in enumerate(references):
            if reference.key.isascii() and reference.key.isdigit():
                self._places.setdefault(int(reference.key), []).append((reference.end, index))
        self.count = len(self._places)

    def find(self, number: int, at: int) -> int | None:
        """The entry of this number in the list that follows ``at``, else in the last one."""
        places = self._places.get(number)
        if places is None:
            return None
        return next((index for end, index in places if end > at), places[-1][1])


def numbered_citations(parts: Sequence[Prose], references: Sequence[Reference]) -> list[Citation]:
    """The citations by number in ``parts``, in the style that the paper uses; those to no entry are none."""
    entries = Entries(references)
    if not entries.count:
        return []
    bracketed = list(_find(parts, _BRACKETED, entries))
    named = list(_find(parts, _NAMED, entries))
    if len(bracketed) >= _FEWEST or _share(bracketed, entries) >= _SHARE_RAISED:
        return _apart(bracketed + named)
    prose = [part for part in parts if not part.table]
    for pattern, share in ((_RAISED, _SHARE_RAISED), (_PARENTHESISED, _SHARE_PARENTHESISED)):
        found = list(_find(prose, pattern, entries))
        if len(found) >= _FEWEST and _share(found, entries) >= share and _in_order(found) >= _IN_ORDER:
            return _apart(found + named)
    return _apart(bracketed + named)


def _find(parts: Sequence[Prose], pattern: re.Pattern[str], entries: Entries) -> Iterator[Citation]:
    for part in parts:
        for match in pattern.finditer(part.text):
            printed = next(value for value in match.groups() if value is not None)
            before = part.text[max(match.start() - _BEFORE, 0) : match.start()]
            if _is_other(pattern, before, printed):
                continue
            start = part.start + match.start()
            cited = _entries(printed, entries, start)
            if cited:
                yield Citation(start, part.start + match.end(), cited)


def _is_other(pattern: re.Pattern[str], before: str, printed: str) -> bool:
    """Whether a list of numbers is an interval, an index, a power or the number of another part of the paper."""
    if pattern is _BRACKETED:
        pair = printed.count(",") == 1 and not _RANGE.search(printed)
        return bool((pair and _INTERVAL.search(before)) or _INDEXED.search(before))
    if pattern is _RAISED:
        return len(printed) == 1 and bool(_POWER.search(before))
    return pattern is _PARENTHESISED and bool(_OTHER_PART.search(before))


def _entries(printed: str, entries: Entries, at: int) -> tuple[int, ...]:
    """The entries that a list of numbers and ranges names; none where one of them is missing."""
    found: list[int] = []
    for part in _SPLIT.split(printed):
        ends = [int(number) for number in _RANGE.split(part)]
        if len(ends) > 2 or not 0 <= ends[-1] - ends[0] < _WIDEST_RANGE:
            return ()
        for number in range(ends[0], ends[-1] + 1):
            index = entries.find(number, at)
            if index is None:
                return ()
            found.append(index)
    return tuple(dict.fromkeys(found))


def _share(found: Sequence[Citation], entries: Entries) -> float:
    return len({index for citation in found for index in citation.references}) / entries.count


def _in_order(found: Sequence[Citation]) -> float:
    """The share of entries that are cited for the first time after the entry before them: 1 where all are."""
    firsts = list(dict.fromkeys(index for citation in found for index in citation.references))
    steps = [b > a for a, b in pairwise(firsts)]
    return sum(steps) / len(steps) if steps else 1.0


def _apart(found: list[Citation]) -> list[Citation]:
    """Citations in order, without those that stand inside another."""
    result: list[Citation] = []
    for citation in sorted(found, key=lambda each: (each.start, -each.end)):
        if not result or citation.start >= result[-1].end:
            result.append(citation)
    return result
