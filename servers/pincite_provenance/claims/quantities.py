"""Quantities: the numbers of a sentence or cell with unit, bound, "about" and the range or list they stand in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_materials.units import known
from pincite_materials.values import parse_bound, scan_numbers

_TOKEN = re.compile(r"(?:[A-Za-zΩμÅ°%‰Φ/·^]|\((?!\d))[^\s,;:=<>≤≥~±\[\]\"']*")
_MOST_TOKENS = 6
_NO_UNIT = frozenset(
    {"a", "an", "and", "are", "as", "at", "by", "for", "from", "i", "in", "is", "of", "on", "or", "the", "to", "with"}
)
_BOUND = re.compile(
    r"(?:[<>≤≥~]|≡|\b(?:less|lower|smaller|greater|higher|larger|more) than|\b(?:no|not) (?:less|more) than|\bbelow"
    r"|\bunder|\babove|\bover|\bexceed(?:s|ing)|\bat (?:least|most)|\bup to|\bas high as|\babout|\bapproximately"
    r"|\bapprox\.?|\baround|\bcirca|\bca\.?|\bnear(?:ly)?|\broughly|\bclose to|\bof (?:the )?order of"
    r"|\b(?:upper|lower) (?:limit|bound)(?: of)?)\s*$",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"\bdown to\s*$", re.IGNORECASE)
_NOTHING = re.compile(r"\b(?:no|not|none|nor|without|never|neither)\b", re.IGNORECASE)
_BEHIND = 40
_RANGE = re.compile(r"\s*(?:-|to|…|\.\.\.?)\s*~?\s*", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:,|;|and|or|,\s*and|,\s*or|/|\t)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+~?\s*$", re.IGNORECASE)
_WORDS = {
    word: float(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at ``[start:end]`` of a spelled text, its unit included in the range.

    ``unit`` may be one that stands behind a later number of the same list or range. ``bound`` is ``<``, ``≤``, ``>``,
    ``≥``, ``limit`` for "down to", "" for none. ``other_end`` is the other number of a range.
    """

    start: int
    end: int
    value: float
    uncertainty: float | None = None
    unit: str = ""
    bound: str = ""
    approximate: bool = False
    other_end: float | None = None
    printed: str = ""
    listed: bool = False
    """Whether the next number goes on with the same list (``93 K and 110 K``)."""
    behind: str = ""
    """The text behind the bare number, some of it, where a unit may stand that nobody knows."""


def find_quantities(text: str) -> list[Quantity]:
    """The quantities of ``text``, which is in the spelling of ``pincite_materials.values.spell``, in order."""
    found: list[Quantity] = []
    for number in scan_numbers(text):
        if found and number.start < found[-1].end:
            continue
        unit, end = _unit_behind(text, number.end)
        bound, approximate = _qualifier(text[: number.start])
        quantity = Quantity(number.start, end, number.value, number.uncertainty, unit, bound, approximate)
        printed = " ".join(text[number.start : end].split()).rstrip(".")
        found.append(replace(quantity, printed=printed, behind=text[number.end : number.end + _BEHIND]))
    return _numbered_words(text, _joined(text, found))


def _unit_behind(text: str, at: int) -> tuple[str, int]:
    """The longest unit that stands at ``at`` behind at most one space, and where it ends."""
    tokens: list[tuple[int, int]] = []
    position = at
    while len(tokens) < _MOST_TOKENS:
        start = position + (1 if text[position : position + 1] in (" ", "-") else 0)
        token = _TOKEN.match(text, start)
        if token is None or text[start : token.end()].casefold() in _NO_UNIT:
            break
        tokens.append((start, token.end()))
        position = token.end()
    for _, end in reversed(tokens):
        piece = text[tokens[0][0] : end].rstrip(".")
        for unit in (piece, piece.rstrip(")"), re.sub(r"\^\d{1,3}$", "", piece)):
            if unit and known(unit) and unit.count("(") == unit.count(")"):
                return unit, tokens[0][0] + len(unit)
    return "", at


def _qualifier(before: str) -> tuple[str, bool]:
    """The bound and the "about" before a number; a bound of what was not found is a limit, whichever way it reads."""
    sentence, before = before, before[-24:]
    if _LIMIT.search(before):
        return "limit", False
    bound, approximate = "", False
    while (match := _BOUND.search(before)) is not None:
        sign, about = parse_bound(match[0].strip())
        worded = sign and match[0].strip()[-1].isalpha() and _NOTHING.search(sentence)
        bound, approximate = bound or ("limit" if worded else sign), approximate or about
        before = before[: match.start()]
    return bound, approximate


def _joined(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """Units handed back along lists and ranges, and the ends of ranges told of each other."""
    joined = list(found)
    for index in range(len(joined) - 2, -1, -1):
        this, following = joined[index], joined[index + 1]
        gap = text[this.end : following.start]
        between = _BETWEEN.search(text, max(this.start - 12, 0), this.start) and re.fullmatch(r"\s*and\s*", gap)
        if _RANGE.fullmatch(gap) or between:
            joined[index] = replace(this, unit=this.unit or following.unit, other_end=following.value)
            joined[index + 1] = replace(following, other_end=this.value)
        elif _LIST.fullmatch(gap):
            joined[index] = replace(this, unit=this.unit or ("" if "\t" in gap else following.unit), listed=True)
    return joined


def _numbered_words(text: str, found: list[Quantity]) -> list[Quantity]:
    words = [
        Quantity(match.start(), match.end(), _WORDS[match[0].lower()], printed=match[0])
        for match in _NUMBER_WORD.finditer(text)
    ]
    return sorted(found + words, key=lambda quantity: quantity.start) if words else found
