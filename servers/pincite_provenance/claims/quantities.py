"""Quantities: the numbers of a sentence or cell with unit, bound, "about" and the range or list they stand in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pincite_materials.units import known
from pincite_materials.values import parse_bound, scan_numbers

_TOKEN = re.compile(r"(?:[A-Za-zΩμÅ°%‰Φ/·^]|\((?!\d))[^\s,;:=<>≤≥~±\[\]\"']*")
UNIT_WORDS = {
    "grams": "g", "gram": "g", "milligrams": "mg", "kilograms": "kg", "seconds": "s", "second": "s", "minutes": "min",
    "minute": "min", "mins": "min", "hours": "h", "hour": "h", "hrs": "h", "hr": "h", "days": "day", "weeks": "week",
    "months": "month", "years": "year", "yrs": "year", "percent": "%", "kilometers": "km", "meters": "m", "litres": "L",
    "liters": "L", "Gy": "Gy", "week": "week", "month": "month", "mo": "month", "wk": "week", "wks": "week", "d": "day",
    "yr": "year", "y": "year", "base pairs": "bp", "KDa": "kDa", "kD": "kDa", "KD": "kDa",
}  # fmt: skip
"""Units spelled out, and such as no table of units has, by what they are taken as."""

_MOST_TOKENS = 6
_NO_UNIT = frozenset({
    "a", "an", "and", "are", "as", "at", "by", "for", "from", "has", "i", "in", "is", "of", "on", "or", "the", "to",
    "with",
})  # fmt: skip
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
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {word: float(number) for number, word in enumerate(_SMALL)} | {
    word: 10.0 * number for number, word in enumerate(_TENS, 2)
}
_NUMBER_WORD = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})[- ](?P<ones>{'|'.join(_SMALL[1:10])})|{'|'.join(_WORDS)})\b", re.IGNORECASE
)
_SPREAD = re.compile(r"\s*(?:±|\+/-)\s*(\d+(?:\.\d+)?)(?![\d.])")
_NAMED_SPREAD = re.compile(r"\s*(?:SE|SEM|SD|s\.e\.m?\.?|s\.d\.)\s*(?:±|\+/-|=)\s*(\d+(?:\.\d+)?)(?![\d.])")
"""A spread by its name: ``13.2 SE±0.6 pg/ml``."""
_COUNT_AND_SHARE = re.compile(r"(\d[\d,]*)\s?\((\d+\.\d+)\)")
"""A count with its share, ``147(42.1)``: an uncertainty never has more decimals than its number."""
_CHANGED_FROM = re.compile(
    r"\b(?:increas|decreas|reduc|rise|rising|rose|rais|f[ae]ll|drop|declin|improv|lower|chang|shift|gr[eo]w|enhanc"
    r"|elevat|diminish|extend|prolong|shorten|accelerat|slow|went|goes|go|jump|climb|convert|switch)\w*\b"
    r"(?:[^;.]|\.(?=\d)){0,120}"
    r"\bfrom\s+(?:about |approximately |around |~)?$",
    re.IGNORECASE,
)
"""What makes "from A to B" a change from one value to another, and no range."""
_LEVEL = re.compile(r"\d+(?:\.\d+)?\s?%\s?(?:CI|CrI|HPD|HDI|C\.I\.|confidence|credible)")
"""The level of an interval, whose sign is not the unit of the number before it."""
_PER = re.compile(r"\s+per\s+")
_RUN_TOGETHER = re.compile(r"([A-Za-zμ]{1,2}?)([smhKgLd]\^\{?-\d\}?)")
_IN_YEAR = re.compile(r"\bin\s+$")
_ROUNDED = 1.0
"""Percentage points by which a printed share may differ from part over whole: rounding; set by judgement."""
_JOINED = re.compile(r"[A-Za-z]-$")
_CITED = re.compile(r"(?<![A-Za-z])\[\d+(?:(?:\s?[,;-]\s?|\s+to\s+)\d+)*\]")


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
    begins: bool = False
    """Whether "from" stands before it and no other end behind it."""
    word: bool = False
    """Whether it is printed as a word (``seven``)."""


@lru_cache(maxsize=256)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of ``text``, which is in the spelling of ``reading.clean``, in order; not those of citations."""
    found: list[Quantity] = []
    cited = [match.span() for match in _CITED.finditer(text)]
    for number in scan_numbers(text):
        if found and number.start < found[-1].end:
            continue
        if text[max(number.start - 1, 0) : number.start] == "^" or _JOINED.search(
            text, max(number.start - 5, 0), number.start
        ):
            continue
        if any(start < number.start < end for start, end in cited):
            continue
        pair = _COUNT_AND_SHARE.fullmatch(text[number.start : number.end])
        if pair is not None:
            found += _count_and_share(text, number.start, pair)
            continue
        unit, end = _unit_behind(text, number.end)
        spread = number.uncertainty
        behind = _SPREAD.match(text, end) if spread is None and unit else None
        if behind is not None:
            spread, end = float(behind[1]), behind.end()
        named = _NAMED_SPREAD.match(text, end) if spread is None and not unit else None
        if named is not None:
            spread = float(named[1])
            unit, end = _unit_behind(text, named.end())
        bound, approximate = _qualifier(text[: number.start])
        quantity = Quantity(number.start, end, number.value, spread, unit, bound, approximate)
        printed = " ".join(text[number.start : end].split()).rstrip(".")
        begins = text[: number.start].endswith("from ") and not re.match(r"\s*to\b", text[end:])
        found.append(replace(quantity, printed=printed, begins=begins, behind=text[number.end : number.end + _BEHIND]))
    return tuple(_numbered_words(text, _joined(text, found)))


def _count_and_share(text: str, at: int, pair: re.Match[str]) -> list[Quantity]:
    """The two numbers of ``147(42.1)``."""
    found: list[Quantity] = []
    for group in (1, 2):
        start, end = at + pair.start(group), at + pair.end(group)
        value = float(pair[group].replace(",", ""))
        found.append(Quantity(start, end, value, printed=pair[group], behind=text[end : end + _BEHIND]))
    return found


def _unit_behind(text: str, at: int) -> tuple[str, int]:
    """The longest unit that stands at ``at`` behind at most one space, and where it ends."""
    tokens: list[tuple[int, int]] = []
    position = at
    while len(tokens) < _MOST_TOKENS:
        start = position + (1 if text[position : position + 1] in (" ", "-") else 0)
        token = _TOKEN.match(text, start)
        initial = start > at and re.match(r"[A-Z]\.\s[a-z]", text[start : start + 4])
        if token is None or initial or text[start : token.end()].casefold() in _NO_UNIT:
            break
        tokens.append((start, token.end()))
        position = token.end()
    for _, end in reversed(tokens):
        piece = text[tokens[0][0] : end].rstrip(".")
        piece = re.sub(r"(?<=[a-z])\.\^\{?\d{1,3}\}?$", "", piece)
        for unit in (piece, piece.rstrip(")"), re.sub(r"\^\d{1,3}$", "", piece)):
            if unit and (known(unit) or unit in UNIT_WORDS) and unit.count("(") == unit.count(")"):
                return UNIT_WORDS.get(unit, unit), tokens[0][0] + len(unit)
            symbols = "/".join(UNIT_WORDS.get(part, part) for part in unit.split("/"))
            if symbols != unit and known(symbols):
                return symbols, tokens[0][0] + len(unit)
    return "", at


def plain_unit(unit: str) -> str:
    """A unit with its words as symbols and ``per`` as a slash (``μm per hour`` is ``μm/h``)."""
    parts = [UNIT_WORDS.get(part, part) for part in _PER.split(unit)]
    joined = "/".join(parts)
    return joined if len(parts) == 1 or known(joined) else unit


def parted_unit(unit: str) -> str:
    """``ms^-1`` read as a product (``m s^-1``), "" where it cannot be: printers leave out the space."""
    pair = _RUN_TOGETHER.fullmatch(unit)
    read = f"{pair[1]} {pair[2]}" if pair is not None and known(pair[1]) else ""
    return read if known(read) else ""


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
        dated = this.printed.isdigit() and len(this.printed) == 4 and _IN_YEAR.search(text, 0, this.start)
        if dated or _LEVEL.match(text, following.start):
            continue
        gap = text[this.end : following.start]
        counted = index > 0 and _is_share_of_counts(joined[index - 1 : index + 2])
        between = _BETWEEN.search(text, max(this.start - 12, 0), this.start) and re.fullmatch(r"\s*and\s*", gap)
        changes = gap.strip() == "to" and _CHANGED_FROM.search(text, max(this.start - 160, 0), this.start)
        if changes:
            joined[index] = replace(this, unit=this.unit or following.unit)
        elif _RANGE.fullmatch(gap) or between:
            joined[index] = replace(this, unit=this.unit or following.unit, other_end=following.value)
            joined[index + 1] = replace(following, other_end=this.value)
        elif _LIST.fullmatch(gap) and not _is_share_of_counts(joined[index : index + 3]) and not counted:
            joined[index] = replace(this, unit=this.unit or ("" if "\t" in gap else following.unit), listed=True)
    return joined


def _is_share_of_counts(found: Sequence[Quantity]) -> bool:
    """Whether three numbers are a part, its whole and the share in per cent: ``31/41, 76%``; these are not a list."""
    if len(found) < 3 or found[2].unit != "%" or any(each.unit not in ("", "%") for each in found[:2]):
        return False
    part, whole, share = (each.value for each in found)
    return 0 <= part <= whole and whole > 0 and abs(100 * part / whole - share) <= _ROUNDED


def _numbered_words(text: str, found: list[Quantity]) -> list[Quantity]:
    words: list[Quantity] = []
    for match in _NUMBER_WORD.finditer(text):
        value = _WORDS[(match["tens"] or match[0]).lower()]
        if match["ones"]:
            value += _WORDS[match["ones"].lower()]
        unit, end = _unit_behind(text, match.end())
        words.append(Quantity(match.start(), end, value, unit=unit, printed=text[match.start() : end], word=True))
    return _joined(text, sorted(found + words, key=lambda quantity: quantity.start)) if words else found
