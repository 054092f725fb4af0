"""Numbers: what the label of a tick says, and the factor that an axis prints apart from its labels."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite_core.characters import DASHES, FORM_HYPHENS, HYPHENS, MINUS, NUMBER_SPACES

_MINUS = str.maketrans(dict.fromkeys(HYPHENS + DASHES + MINUS + FORM_HYPHENS, "-") | dict.fromkeys(NUMBER_SPACES, " "))
_TIMES = r"(?:×|·|⋅|∙|•|\*|x|X|\u2062|£|´|¢)"
"""Signs of multiplication; the last three are what fonts of mathematical signs without a map to Unicode print as."""
_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_POWER = re.compile(
    rf"(?P<sign>[+-]?)(?:(?P<factor>\d+\.?\d*|\.\d+)?{_TIMES}?)??(?P<base>10|2|e)\^(?P<exponent>[+-]?\d+\.?\d*)"
)
_FRACTION = re.compile(r"([+-]?\d+)[/⁄](\d+)")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:([ ',.])\d{3})(?:\1\d{3})*")
_DECIMAL = re.compile(r"[+-]?(?:0?[.,]\d+|\d+[.,](?:\d{1,2}|\d{4,}))")
_REPEATED = re.compile(r"[+-]?\d{1,3}(?:([,.])\d{3})(?:\1\d{3})+")
_UNIT = re.compile(r"\s*(?:%|°C|°F|°|º)$")
_SUFFIX = {"k": 1e3, "M": 1e6}
_OFFSET = re.compile(
    rf"^(?:{_TIMES}?10\^(?P<power>[+-]?\d+)|{_TIMES}?1[eE](?P<e>[+-]?\d+))?(?P<shift>[+-]\d.*[eE^].*)?$"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a tick label may say: its value with a decimal point, and with a decimal comma (None: no number).

    ``power`` marks a label such as 10^3, which only a logarithmic axis prints at every tick.
    """

    point: float | None
    comma: float | None
    power: bool = False


def read_number(text: str) -> Reading | None:
    """The number that a whole label prints; None for any other text. Superscripts come marked: 10^-3."""
    clean = _clean(text).strip()
    clean = _UNIT.sub("", clean)
    clean = re.sub(r"^([+-]) +", r"\1", clean)
    if not clean or len(clean) > 24 or not any(c.isdigit() for c in clean):
        return None
    power = _read_power(clean)
    if power is not None:
        return power
    fraction = _FRACTION.fullmatch(clean)
    if fraction and int(fraction[2]):
        value = int(fraction[1]) / int(fraction[2])
        return Reading(value, value)
    factor = _SUFFIX.get(clean[-1], 1.0)
    if factor != 1.0:
        clean = clean[:-1].strip()
    point, comma = (
        _read_plain(clean, ","),
        _read_plain(clean.replace(".", "\0").replace(",", ".").replace("\0", ","), ","),
    )
    if point is None and comma is None:
        return None
    return Reading(None if point is None else point * factor, None if comma is None else comma * factor)


def _clean(text: str) -> str:
    """A label with plain signs and blanks, and without the braces of its superscripts."""
    return re.sub(r"\^\{([^{}]*)\}", r"^\1", text.translate(_MINUS))


def _read_power(clean: str) -> Reading | None:
    """A label that is a power of a base, a factor before it allowed: 10^-3, 5×10^2, -10^3."""
    match = _POWER.fullmatch(clean.replace(" ", "").replace(",", "."))
    if match is None:
        return None
    base = {"10": 10.0, "2": 2.0, "e": 2.718281828459045}[match["base"]]
    exponent = float(match["exponent"])
    if abs(exponent) > 300:
        return None
    value = float(match["factor"] or 1.0) * base**exponent
    value = -value if match["sign"] == "-" else value
    return Reading(value, value, power=not match["factor"])


def _read_plain(clean: str, separator: str) -> float | None:
    """A decimal number with a decimal point, thousands parted by ``separator``, blanks or apostrophes."""
    grouped = _GROUPED.fullmatch(clean)
    if grouped and grouped[1] in (separator, " ", "'"):
        clean = clean.replace(grouped[1], "")
    if not _PLAIN.fullmatch(clean):
        return None
    value = float(clean)
    return value if abs(value) < 1e300 else None


@dataclass(frozen=True, slots=True)
class Offset:
    """What an axis prints once for all its labels: true value = label * factor + shift."""

    factor: float
    shift: float
    text: str


def read_offset(text: str) -> Offset | None:
    """An axis' multiplier and shift, such as ``1e6``, ``×10^-3`` or ``1e-5+2.5e3``; None for any other text."""
    clean = _clean(text).replace(" ", "")
    match = _OFFSET.match(clean) if 2 < len(clean) <= 24 else None
    if match is None or not any(match.groups()):
        return None
    exponent = int(match["power"] or match["e"] or 0)
    shift = 0.0
    if match["shift"]:
        reading = read_number(match["shift"])
        if reading is None or reading.point is None:
            return None
        shift = reading.point
    return Offset(10.0**exponent, shift, text) if abs(exponent) < 300 else None


def decimal_comma(texts: Iterable[str]) -> bool | None:
    """Whether numbers print a decimal comma; None where none of them tells, or they contradict each other.

    ``0,5`` and ``12.345.678`` do, ``0.5`` and ``12,345,678`` do not; ``1,000`` may be either.
    """
    signs: set[bool] = set()
    for text in texts:
        clean = _UNIT.sub("", _clean(text).strip())
        if _DECIMAL.fullmatch(clean):
            signs.add("," in clean)
        elif _REPEATED.fullmatch(clean):
            signs.add("." in clean)
    return signs.pop() if len(signs) == 1 else None


def read_all(texts: Sequence[str], *, comma: bool | None = None) -> tuple[list[list[float]], bool]:
    """The values of an axis' labels under each convention that reads them all, and whether all are powers.

    ``comma`` is what the rest of the figure tells of its decimal sign. Nothing where a label is not a number, or where
    nothing tells whether ``1,005`` is a thousand and five.
    """
    readings = [read_number(text) for text in texts]
    known = [reading for reading in readings if reading is not None]
    if not known or len(known) < len(readings):
        return [], False
    powers = all(reading.power for reading in known)
    points = [reading.point for reading in known if reading.point is not None]
    commas = [reading.comma for reading in known if reading.comma is not None]
    if len(points) < len(known) or len(commas) < len(known):
        ways = [way for way in (points, commas) if len(way) == len(known)]
        return ways, powers
    if points == commas:
        return [points], powers
    own = decimal_comma(texts)
    comma = _undecided(texts, known, comma) if own is None else own
    return ([] if comma is None else [commas if comma else points]), powers


def _undecided(texts: Sequence[str], readings: Sequence[Reading], comma: bool | None) -> bool | None:
    """Whether labels such as ``1,000`` print a decimal comma; None where nothing tells.

    A decimal point is the rule; beside labels without any sign (0, 500), superfluous zeros are those of thousands.
    """
    pairs = list(zip(texts, readings, strict=True))
    either = [text.rstrip(" %°") for text, reading in pairs if reading.point != reading.comma]
    mixed = len(either) < len(pairs)
    zeros = all(text.endswith("0") for text in either)
    if "." in either[0]:
        return bool(comma)
    return False if zeros and (comma is None or mixed) else comma
