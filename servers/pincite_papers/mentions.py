"""Mentions: where a text names a figure, table, section, equation or reference."""

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pincite_papers.labels import Label, LabelKind, plain_number
from pincite_papers.model import Citation, Paper

_KEYWORDS = {
    LabelKind.FIGURE: r"[Ff]ig(?:ure)?(?P<many>s)?\.?|FIG(?:URE)?(?P<MANY>S)?\.?|Scheme",
    LabelKind.TABLE: r"[Tt]ab(?:le)?(?P<many>s)?\.?|TABLE(?P<MANY>S)?|TAB\.",
    LabelKind.SECTION: r"[Ss]ec(?:tion|t)?(?P<many>s)?\.?|§(?P<MANY>§)?|Appendix",
    LabelKind.EQUATION: r"[Ee]q(?:uation|n)?(?P<many>s)?\.?",
    LabelKind.REFERENCE: r"[Rr]ef(?:erence)?(?P<many>s)?\.?",
}
_NUMBERS = {
    LabelKind.FIGURE: r"S?\d{1,3}|[IVX]{1,5}(?![A-Za-z])",
    LabelKind.TABLE: r"S?\d{1,3}|[IVX]{1,5}(?![A-Za-z])",
    LabelKind.SECTION: r"\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5}(?:\s?[A-Z])?(?![A-Za-z])|[A-Z](?![A-Za-z])",
    LabelKind.EQUATION: r"[A-Z]?\.?\d{1,3}",
    LabelKind.REFERENCE: r"\d{1,3}",
}
_SUPPLEMENT = re.compile(
    r"\b(?:[Ss]uppl(?:\.|ementa(?:ry|l))?|[Ss]upporting|[Aa]dditional)"
    r"(?: (?:[Ii]nformation|[Mm]aterials?|[Dd]ata))?,?\s$"
)
"""What stands before the number of something that is in a supplement: its Fig. 2 is not the paper's."""
_FURTHEST = 40
"""Characters before a keyword in which "Supplementary" is looked for. Set by judgement."""
_PART = re.compile(r"(?:\s?\([a-z](?:\s?[-–,]\s?[a-z])*\)|[a-z](?![a-z]))?(?:\s?[-–,]\s?(?:\([a-z]\)|[a-z](?![a-z])))*")
_BETWEEN = re.compile(r"\s?(?:(?P<range>[-–−]|to\b)|,\s?(?:and|or)\b|[,;&]|and\b|or\b)\s?")
_BRACKETED = re.compile(r"\[(?P<list>\d{1,4}(?:\s?[,;–−-]\s?\d{1,4})*)\]")
_RAISED = re.compile(r"(?:[A-Za-z]{3}|[.,;:)\]”])\^\{?(?P<list>\d{1,3}(?:[,–−-]\s?\d{1,3})*)\}?(?!\w|\.\d)")
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_NAME = r"[A-Z][\w’'-]+"
_FEW_NAMES = 60
"""Unusual names of sections and floats that the pattern spells out. Set by judgement."""
_WIDEST_RANGE = 40
"""Numbers of a range such as "Figs. 2-5"; a wider one does not list figures. Set by judgement."""
_FEW = 3
"""Mentions below which a looser manner of naming is tried too. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Mention:
    """``text[start:end]`` names ``label``."""

    start: int
    end: int
    label: Label


def find_mentions(paper: Paper) -> list[Mention]:
    """The mentions in the paper's text, in order; those inside the reference list are left out.

    References are looked for only in a paper without ``citations``, which say it better, and after their keyword.
    """
    found = [mention for kind in LabelKind for mention in _keyword_mentions(paper.text, kind)]
    found = _beside(found, paper.citations) if paper.citations else found + _guessed(paper)
    starts = [reference.start for reference in paper.references]

    def outside(mention: Mention) -> bool:
        at = bisect_right(starts, mention.start) - 1
        return at < 0 or mention.start >= paper.references[at].end

    return sorted(filter(outside, found), key=lambda mention: (mention.start, mention.end))


def _guessed(paper: Paper) -> list[Mention]:
    """Mentions of references by the form of the text: bracketed or raised numbers, names with years."""
    keys = {reference.key for reference in paper.references if reference.key}
    found = list(_listed(paper.text, _BRACKETED, keys))
    if len(found) < _FEW:
        found += _listed(paper.text, _RAISED, keys)
    return [*found, *_named(paper.text, keys)]


def _beside(found: list[Mention], citations: Sequence[Citation]) -> list[Mention]:
    """The mentions without those of references that a citation (of citations in order) tells of."""
    starts = [citation.start for citation in citations]

    def told(mention: Mention) -> bool:
        at = bisect_left(starts, mention.end) - 1
        return at >= 0 and citations[at].end > mention.start

    return [one for one in found if one.label.kind is not LabelKind.REFERENCE or not told(one)]


@functools.cache
def _keyword(kind: LabelKind) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_KEYWORDS[kind]})\s?(?=[\[(\dA-Z])")


@functools.cache
def _number(kind: LabelKind) -> re.Pattern[str]:
    return re.compile(rf"(?P<open>[\[(])?(?P<number>{_NUMBERS[kind]})")


def _keyword_mentions(text: str, kind: LabelKind) -> Iterator[Mention]:
    for keyword in _keyword(kind).finditer(text):
        before = _SUPPLEMENT.search(text, max(keyword.start() - _FURTHEST, 0), keyword.start())
        apart = "s" if before is not None and kind is not LabelKind.REFERENCE else ""
        many = bool(keyword["many"] or keyword["MANY"]) if "MANY" in keyword.re.groupindex else bool(keyword["many"])
        at, previous, ranged = keyword.end(), "", False
        while True:
            number = _number(kind).match(text, at)
            if number is None:
                break
            plain = plain_number(number["number"])
            part = _PART.match(text, number.end())
            end = part.end() if part is not None else number.end()
            if number["open"] and text[end : end + 1] in ("]", ")"):
                end += 1
            for one in (*(_between(previous, plain) if ranged else ()), plain):
                yield Mention(keyword.start(), end, Label(kind, one if one.startswith("s") else apart + one))
            separator = _BETWEEN.match(text, end) if many else None
            if separator is None:
                break
            at, previous, ranged = separator.end(), plain, separator["range"] is not None


def _between(first: str, last: str) -> Iterable[str]:
    if first.isdigit() and last.isdigit() and int(last) - int(first) < _WIDEST_RANGE:
        return map(str, range(int(first) + 1, int(last)))
    return ()


def _listed(text: str, pattern: re.Pattern[str], keys: set[str]) -> Iterator[Mention]:
    """Citations by number: lists and ranges whose every number is a reference."""
    for match in pattern.finditer(text):
        numbers: list[str] = []
        for part in re.split(r"\s?[,;]\s?", match["list"]):
            ends = re.split(r"\s?[–−-]\s?", part)
            numbers += [ends[0], *_between(ends[0], ends[-1]), *ends[1:]]
        if keys.issuperset(numbers):
            start = match.start("list") - 1
            for number in numbers:
                yield Mention(start, match.end(), Label(LabelKind.REFERENCE, number))


def _named(text: str, keys: set[str]) -> Iterator[Mention]:
    """Citations by author and year, of references whose key is such; a name may be several words."""
    known = {key.casefold(): key for key in keys if not key.isdigit()}
    long = sorted((key.rpartition(" ")[0] for key in known.values() if key.count(" ") > 1), key=len, reverse=True)
    if not known:
        return
    names = "|".join([*map(re.escape, long[:_FEW_NAMES]), _NAME])
    cited = re.compile(
        rf"(?<!\w)(?P<name>{names})(?:,\s{_NAME}){{0,3}}(?:\s+et\s+al\.?|\s+(?:and|&)\s+{_NAME})?,?\s*[(\[]?"
        rf"(?P<years>{_YEAR}(?:,\s*{_YEAR})*)"
    )
    for match in cited.finditer(text):
        for year in re.findall(_YEAR, match["years"]):
            key = f"{match['name']} {year}".casefold()
            if key in known:
                yield Mention(match.start(), match.end(), Label(LabelKind.REFERENCE, known[key]))
