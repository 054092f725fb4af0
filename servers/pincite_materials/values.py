"""Numbers out of value strings: ``93(1) K``, ``1.2 × 10^-3``, ``< 5 %``, ``1.2–1.5 GPa``, ``(0, 0, 3/7)``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pincite_materials.text import plain

Bound = Literal["", "<", "≤", ">", "≥"]
Shape = Literal["number", "range", "tuple"]

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_SUPERSCRIPT_RUN = re.compile(f"(?<=[^\\s^{_SUPERSCRIPTS}])[{_SUPERSCRIPTS}]+")
_LATEX = (
    (re.compile(r"\\times|\\cdot"), "×"),
    (re.compile(r"\\pm"), "±"),
    (re.compile(r"\\(?:sim|approx|simeq)"), "~"),
    (re.compile(r"\\(?:leq?|leqslant)(?![a-z])"), "≤"),
    (re.compile(r"\\(?:geq?|geqslant)(?![a-z])"), "≥"),
    (re.compile(r"\\[,;! ]|[$]"), " "),
    (re.compile(r"\^\s*[{(]\s*([+-]?\d+)\s*[})]"), r"^\1"),
)
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?!\d)|\d+)"
_NUMBER = re.compile(
    rf"(?P<mantissa>(?:[+-] ?)?(?:0,\d+(?![,\d])|{_DIGITS}(?:\.\d+|\.(?![\d.]))?|\.\d+))"
    r"(?:\s?\((?P<digits>\d+(?:\.\d+)?)\))?"
    r"(?:[eE](?P<e>[+-]?\d{1,3})(?!\d)"
    r"|\s*[×x*·]\s*10(?:\s*\^\s*(?P<p>[+-]? ?\d{1,3})|(?P<q> ?[+-]\d{1,3}|\d{1,2}))(?!\d|\.\d))?"
)
_POWER = re.compile(r"(?P<sign>[+-]?)10\s*\^\s*(?P<p>[+-]? ?\d{1,3})(?!\d)")
_PLUS_MINUS = re.compile(r"\s*(?:±|\+/-|\+-)\s*")
_FRACTION = re.compile(r"\s*/\s*(\d+(?:\.\d+)?)(?![\d.]*\s*[A-Za-zµΩÅ°])")
_VULGAR = re.compile(r"(?P<sign>[+-]?)(?P<top>\d{1,2})/(?P<bottom>\d{1,2})(?=\s+[A-Za-zμΩÅ°%])")
"""A fraction with a unit behind it; ``5 /3 K`` and longer numbers are none."""
_BETWEEN_NUMBERS = re.compile(
    r"\s*((?!to\b|and\b|…|\.\.)[^\s\d,;()-][^\d,;()-]{0,12}?)?(?=\s*(?:-|to\b|and\b|…|\.\.))", re.IGNORECASE
)
_RANGE_SIGN = re.compile(r"\s*(?:-|to|and|…|\.\.\.?|~)\s*~?\s*(?=[+-]?\s?[\d.])", re.IGNORECASE)
_ASSIGNED = re.compile(r"^[^=<>≤≥~]{1,40}=\s*(?=[^=])")
_BETWEEN = re.compile(r"^(?:in the range(?: of)?|ranging from|ranges from|between|from)\s+", re.IGNORECASE)
_QUALIFIERS: tuple[tuple[re.Pattern[str], Bound], ...] = (
    (re.compile(r"(?:<=|=<|≤|at most|no more than|not more than|up to|as high as)\s*", re.IGNORECASE), "≤"),
    (re.compile(r"(?:>=|=>|≥|at least|no less than|not less than)\s*", re.IGNORECASE), "≥"),
    (
        re.compile(
            r"(?:<|less than|lower than|smaller than|below|under|upper (?:limit|bound)(?: of)?)\s*", re.IGNORECASE
        ),
        "<",
    ),
    (
        re.compile(
            r"(?:>|(?:greater|higher|larger|more) than|above|over|exceed(?:s|ing)|lower (?:limit|bound)(?: of)?)\s*",
            re.IGNORECASE,
        ),
        ">",
    ),
)
_APPROXIMATE = re.compile(
    r"(?:~|≡|about|approximately|approx\.?|around|circa|ca\.?|near(?:ly)?|roughly|close to|of (?:the )?order of)\s*",
    re.IGNORECASE,
)
_SPACED_THOUSANDS = re.compile(r"^[+-]?\d{1,3}(?: \d{3})+(?![\d ]*\d)")
_BEHIND = re.compile(r"^\s*([<>≤≥])")
_FLIPPED: dict[str, Bound] = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}
_START = re.compile(r"(?:[+-] ?)?[\d.]")
_RUN = re.compile(r"[\d.]+")
_LONGEST = 1000
"""Characters of a value; a longer text is prose."""

_SCALED = re.compile(
    r"^\(\s*(?P<number>[+-]?\d+(?:\.\d+)?)\s*(?:±|\+/-|\+-)\s*(?P<spread>\d+(?:\.\d+)?)\s*\)"
    r"\s*[×x*·]\s*10\s*\^?\s*(?P<power>[+-]?\d{1,3})(?!\d)"
)
"""A power of ten behind a number and its uncertainty, ``(2.4 ± 0.1) × 10^4``."""

_REMARK = re.compile(r"\s+[(\[][^()\[\]]*[A-Za-z]{4,}[^()\[\]]*[)\]]\s*$")


@dataclass(frozen=True, slots=True)
class Value:
    """A parsed value: one number, two for a range, n for a tuple; ``unit`` is the text behind, unchecked.

    ``uncertainty`` is absolute, in the value's own unit and scale: 93(1) gives 1, 7.441(5) gives 0.005.
    """

    numbers: tuple[float, ...]
    shape: Shape = "number"
    uncertainty: float | None = None
    bound: Bound = ""
    approximate: bool = False
    unit: str = ""


@lru_cache(maxsize=16384)
def parse_value(text: str) -> Value | None:
    """The value that the whole of ``text`` states, or None where it is not numeric.

    Takes uncertainties in parentheses or after ±, powers of ten in every usual print, thousands separators,
    bounds and "about" in signs and words, ranges, tuples, fractions in tuples, and a leading ``T_c =``.
    """
    if len(text) > _LONGEST:
        return None
    text = _ASSIGNED.sub("", spell(text)).strip()
    bound, approximate, text = _qualifiers(_BETWEEN.sub("", text))
    text = _BETWEEN.sub("", text)
    text = _SPACED_THOUSANDS.sub(lambda run: run[0].replace(" ", ""), text)
    text = _SCALED.sub(r"\g<number>e\g<power> ± \g<spread>e\g<power>", text)
    if text[:1] in "([{":
        return _tuple(text)
    vulgar = _VULGAR.match(text)
    if vulgar is not None and int(vulgar["bottom"]):
        share = float(f"{vulgar['sign']}{vulgar['top']}") / int(vulgar["bottom"])
        return Value((share,), bound=bound, approximate=approximate, unit=_unit(text[vulgar.end() :]))
    first = _scan(text, 0)
    if first is None:
        return _tuple(text) if "," in text else None
    number, uncertainty, end = first
    ranged = _range(text, number, end)
    if ranged is not None:
        low, high, unit = ranged
        if low == high:
            return Value((low,), bound=bound, approximate=approximate, unit=unit)
        return Value((low, high), "range", bound=bound, approximate=approximate, unit=unit)
    rest = text[end:]
    if re.match(r"\s*[,;]\s*[+-]?\s?[\d.]", rest):
        return _tuple(text)
    divided = _FRACTION.match(rest)
    if divided and float(divided[1]) and not rest[divided.end() :].strip():
        return Value((number / float(divided[1]),), uncertainty=uncertainty, bound=bound, approximate=approximate)
    behind = _BEHIND.match(rest)
    if behind is not None:
        return Value((number,), "number", uncertainty, _FLIPPED[behind[1]], approximate)
    return Value((number,), "number", uncertainty, bound, approximate, _unit(rest))


@lru_cache(maxsize=4096)
def parse_bound(text: str) -> tuple[Bound, bool]:
    """The bound and the "about" that a qualifier such as ``upper limit`` or ``~`` states."""
    bound, approximate, _ = _qualifiers(spell(text).strip())
    return bound, approximate


def find_numbers(text: str) -> list[float]:
    """Every number printed in ``text`` in order; digits inside a word or formula (``Cu3``) do not count."""
    return [number.value for number in scan_numbers(spell(text))]


@dataclass(frozen=True, slots=True)
class Printed:
    """A number printed at ``[start:end]`` of a spelled text, its uncertainty and power of ten among it."""

    start: int
    end: int
    value: float
    uncertainty: float | None = None


def scan_numbers(text: str) -> Iterator[Printed]:
    """The numbers of ``text``, which is in the spelling of ``spell``, in order."""
    position = 0
    while (start := _START.search(text, position)) is not None:
        begin = start.start()
        scanned = None
        if not re.search(r"[A-Za-z_\d.]$", text[max(begin - 1, 0) : begin]):
            scanned = _scan(text, begin)
        if scanned is not None:
            value, uncertainty, position = scanned
            yield Printed(begin, position, value, uncertainty)
        elif text[begin] in "+-":
            position = begin + 1
        else:
            run = _RUN.match(text, begin)
            position = run.end() if run else begin + 1


def spell(text: str) -> str:
    """``text`` in one spelling: raised digits as ``^-3``, LaTeX signs resolved, one kind of dash."""
    thin = re.sub(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))", ",", text)
    text = plain(_SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0], thin))
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    return text


def _qualifiers(text: str) -> tuple[Bound, bool, str]:
    bound: Bound = ""
    approximate = False
    changed = True
    while changed:
        changed = False
        if match := _APPROXIMATE.match(text):
            approximate, changed, text = True, True, text[match.end() :]
        for pattern, sign in _QUALIFIERS:
            if match := pattern.match(text):
                bound, changed, text = sign, True, text[match.end() :]
                break
    return bound, approximate, text


def _scan(text: str, start: int) -> tuple[float, float | None, int] | None:
    """The number that starts at ``start``: its value, its uncertainty and where it ends."""
    if (power := _POWER.match(text, start)) is not None:
        return _power(power)
    bare = _bare(text, start)
    return None if bare is None else _with_plus_minus(text, *bare)


def _power(match: re.Match[str]) -> tuple[float, None, int]:
    return float(f"{match['sign']}1e{match['p'].replace(' ', '')}"), None, match.end()


def _bare(text: str, start: int) -> tuple[float, float | None, int] | None:
    """The number that starts at ``start``, without what stands behind a ±."""
    power = _POWER.match(text, start)
    if power is not None:
        return _power(power)
    match = _NUMBER.match(text, start)
    if match is None:
        return None
    mantissa = match["mantissa"].replace(" ", "")
    mantissa = mantissa.replace(",", "." if re.match(r"[+-]?0,\d", mantissa) else "")
    exponent = int((match["e"] or match["p"] or match["q"] or "0").replace(" ", ""))
    number = float(f"{mantissa}e{exponent}")
    uncertainty = None
    if match["digits"]:
        decimals = 0 if "." in match["digits"] else len(mantissa.partition(".")[2])
        uncertainty = float(match["digits"]) * float(f"1e{exponent - decimals}")
    return number, uncertainty, match.end()


def _with_plus_minus(text: str, number: float, uncertainty: float | None, end: int) -> tuple[float, float | None, int]:
    """With what stands behind ±, the first of several: statistical before systematic."""
    spreads: list[float] = []
    while (sign := _PLUS_MINUS.match(text, end)) and _NUMBER.match(text, sign.end()):
        inner = _bare(text, sign.end())
        if inner is None:
            break
        spreads.append(inner[0])
        end = inner[2]
    return number, spreads[0] if spreads else uncertainty, end


def _range(text: str, low: float, end: int) -> tuple[float, float, str] | None:
    between = _BETWEEN_NUMBERS.match(text[end:])
    sign_at = end + (between.end() if between else 0)
    sign = _RANGE_SIGN.match(text, sign_at)
    second = _scan(text, sign.end()) if sign else None
    if sign is None or second is None:
        return None
    high, _, stop = second
    unit = _unit(text[stop:])
    inner = (between[1] or "").strip() if between else ""
    if inner and inner != unit:
        return None
    if low == 10 and high < low and high == int(high) and not inner and text[end : end + 1] == "-":
        return float(f"1e-{high:.0f}"), float(f"1e-{high:.0f}"), unit
    return min(low, high), max(low, high), unit


def _tuple(text: str) -> Value | None:
    match = re.match(r"^([(\[{])(.*)([)\]}])(.*)$", text, re.DOTALL)
    inner, rest = (match[2], match[4]) if match else (text, "")
    parts = [part for part in re.split(r"\s*(?:[,;]|\band\b)\s*", inner.strip()) if part]
    parts = parts if len(parts) > 1 else inner.split()
    numbers: list[float] = []
    for index, part in enumerate(parts):
        scanned = _scan(part, 0)
        if scanned is None:
            return None
        tail = part[scanned[2] :]
        divided = re.fullmatch(r"\s*/\s*(\d+(?:\.\d+)?)\s*", tail)
        if tail.strip() and not divided and index < len(parts) - 1:
            return None
        numbers.append(scanned[0] / float(divided[1]) if divided and float(divided[1]) else scanned[0])
        if index == len(parts) - 1 and not divided:
            rest = rest or tail
    if not numbers:
        return None
    return Value(tuple(numbers), "tuple" if len(numbers) > 1 else "number", unit=_unit(rest))


def _unit(text: str) -> str:
    unit = _REMARK.sub("", text).strip(" \t\n,;")
    unit = unit[1:] if re.match(r"-[A-Za-zμΩÅ°]", unit) else unit
    return unit[:-1].strip() if unit.endswith(")") and unit.count(")") > unit.count("(") else unit
