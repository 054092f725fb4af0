"""Which sources a claim of a report rests on: its citations, and the sources at hand that they mean."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pincite_core.locator import parse_locator
from pincite_papers.model import Paper, Span
from pincite_papers.passages import sentence_bounds, short_id
from pincite_provenance.audit.claim import Cited
from pincite_provenance.audit.references import ListedReference, find_cited
from pincite_provenance.audit.text import ReportText, TextBlock

_DIGIT = re.compile(r"\d")
_GOES_ON = re.compile(
    r"\W{0,4}(?:In (?:the same|this|that|their) (?:paper|study|trial|article|work|review|report|protocol)|They|Their"
    r"|The (?:authors?|same (?:paper|study|trial|article|authors?|group))|This (?:paper|study|trial|article|group))\b"
)
"""How a sentence begins that goes on about a work that was named before."""
_BEHIND = 40
"""Characters behind the mark that ends a quotation in which its citation may stand."""


@dataclass(frozen=True, slots=True)
class AuditSource:
    """A paper under the name that the report's reader knows it by: its file."""

    name: str
    paper: Paper


@dataclass(frozen=True, slots=True)
class Grounds:
    """The names of the sources at hand that a claim cites, in its sentence (``is_own``) or before it; ``is_missing``
    where it cites what is not at hand."""

    names: tuple[str, ...]
    is_own: bool
    is_missing: bool


class Citing:
    """The citations of a report, read once."""

    def __init__(
        self,
        report: ReportText,
        entries: Sequence[ListedReference],
        meant: Mapping[int, str],
        sources: Sequence[AuditSource],
    ) -> None:
        """``meant`` names the source at hand of an entry, by its place in ``entries``."""
        self._report = report
        self._sources = sources
        self._entries = entries
        self._meant = meant
        self._starts = [block.start for block in report.blocks]
        families = {entry.family for entry in entries if entry.family} | set(self._families())
        self._cited: list[list[Cited]] = []
        spans = [Span(entry.start, entry.end) for entry in entries]
        for block in report.blocks:
            found = find_cited(report.text, block.start, block.end, frozenset(families))
            self._cited.append([one for one in found if not any(span.start <= one.start < span.end for span in spans)])

    @property
    def used(self) -> frozenset[str]:
        """The names of the sources at hand that the report cites anywhere."""
        cited = [name for found in self._cited for one in found for name in self._names_of(one)]
        return frozenset((*cited, *self._meant.values()))

    def _families(self) -> dict[str, list[str]]:
        """Names of sources by the family name of their first author."""
        found: dict[str, list[str]] = {}
        for source in self._sources:
            for author in source.paper.authors[:1]:
                found.setdefault(family_of(author), []).append(source.name)
        return found

    def around(self, start: int, end: int) -> tuple[tuple[Cited, ...], tuple[Cited, ...]]:
        """What the sentence of ``text[start:end]`` cites for it, and what was cited last before."""
        at = max(bisect_right(self._starts, start) - 1, 0)
        block = self._report.blocks[at]
        low, high = self._sentence(block, start, end)
        inside = [one for one in self._cited[at] if low <= one.start < high]
        marks = self._marks(inside)
        if marks:
            places = self._places(marks, start, end)
            return tuple(one for one in marks if one.start in places), ()
        return (), self._before(at, start)

    def _places(self, marks: Sequence[Cited], start: int, end: int) -> set[int]:
        """Where the marks stand that may be meant: the next one behind, else the last before. Both where a number
        stands before the next one, which that may be for; the last before where a semicolon parts the next one."""
        behind = next((one.start for one in marks if one.start >= end), None)
        before = next((one.start for one in reversed(marks) if one.start < end), None)
        if behind is None or before is None:
            return {place for place in (behind, before) if place is not None}
        between = self._report.text[end:behind]
        if ";" in between:
            return {before}
        return {before, behind} if _DIGIT.search(between) else {behind}

    def _sentence(self, block: TextBlock, start: int, end: int) -> tuple[int, int]:
        text = self._report.text
        low, high = sentence_bounds(text, (start, end), (block.start, block.end))
        behind = text[high : min(high + _BEHIND, block.end)].lstrip()
        if behind[:1] in ("[", "("):
            high = min(high + _BEHIND, block.end)
        return low, high

    def _before(self, at: int, start: int) -> tuple[Cited, ...]:
        """The last citation before ``start``: in its block, or in those before it as far as any heading."""
        for number in range(at, -1, -1):
            before = [one for one in self._cited[number] if one.start < start]
            if before:
                low, high = self._sentence(self._report.blocks[number], before[-1].start, before[-1].start)
                last = self._marks([one for one in before if low <= one.start < high]) or before
                return tuple(one for one in last if one.start == last[-1].start)
        return ()

    def _marks(self, cited: Sequence[Cited]) -> list[Cited]:
        """Keys, DOIs and locators, else the names of authors; these too where only they mean a source at hand: the
        work that the DOI names may be another one."""
        marks = [one for one in cited if one.kind != "author"]
        if marks and any(self._names_of(one) for one in marks):
            return marks
        authors = [one for one in cited if one.kind == "author" and self._names_of(one)]
        return authors or marks or list(cited)

    def goes_on(self, start: int, end: int, near: Sequence[Cited]) -> bool:
        """Whether the sentence of ``text[start:end]`` goes on about the work that its paragraph cited last."""
        block = self._report.blocks[max(bisect_right(self._starts, start) - 1, 0)]
        if block.kind == "table" or not near or near[0].start < block.start:
            return False
        low, high = self._sentence(block, start, end)
        return _GOES_ON.match(self._report.text, low, high) is not None

    def grounds(self, cited: Sequence[Cited], near: Sequence[Cited]) -> Grounds:
        """The sources at hand that are cited."""
        own = [self._names_of(one) for one in cited]
        if own:
            names = tuple(dict.fromkeys(name for found in own for name in found))
            return Grounds(names, is_own=True, is_missing=not names)
        names = tuple(dict.fromkeys(name for one in near for name in self._names_of(one)))
        return Grounds(names, is_own=False, is_missing=bool(near) and not names)

    def _names_of(self, cited: Cited) -> list[str]:
        if cited.kind == "locator":
            prefix = parse_locator(cited.name).paper_prefix if "#" in cited.name else ""
            return [source.name for source in self._sources if short_id(source.paper) == prefix]
        if cited.kind == "doi":
            wanted = cited.name.lower()
            return [source.name for source in self._sources if (source.paper.doi or "").lower() == wanted]
        if cited.kind == "author":
            found = list(self._families().get(cited.name, []))
            return list(dict.fromkeys((*found, *self._listed(lambda entry: entry.family == cited.name))))
        return self._listed(lambda entry: entry.key == cited.name)

    def _listed(self, is_meant: Callable[[ListedReference], bool]) -> list[str]:
        """The sources at hand of the entries that are meant."""
        return [self._meant[at] for at, entry in enumerate(self._entries) if at in self._meant and is_meant(entry)]


def family_of(author: str) -> str:
    """The family name of an author, in lower case: before a comma, else the last word."""
    before, comma, _ = author.strip().partition(",")
    name = before if comma else before.rpartition(" ")[2]
    return name.strip().lower()
