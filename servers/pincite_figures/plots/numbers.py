"""Numbers: what the label of a tick says, and the factor that an axis prints apart from its labels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_MINUS = str.maketrans(dict.fromkeys("−–—‐‑‒﹣－", "-") | dict.fromkeys("\u2009\u202f\xa0\u2007\u2008\u200a", " "))
_TIMES = r"(?:×|·|⋅|∙|•|\*|x|X|\u2062)"
_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_POWER = re.compile(
    rf"(?P<sign>[+-]?)(?:(?P<factor>\d+\.?\d*|\.\d+)?{_TIMES}?)??(?P<base>10|2|e)\^(?P<exponent>[+-]?\d+\.?\d*)"
)
_FRACTION = re.compile(r"([+-]?\d+)[/⁄](\d+)")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([ ',.])\d{3})(?:\1\d{3})*")
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


def read_all(texts: Sequence[str]) -> tuple[list[list[float]], bool]:
    """The values of an axis' labels under each convention that reads them all, and whether all are powers.

    The decimal point comes first, a decimal comma second; nothing where a label is no number.
    """
    readings = [read_number(text) for text in texts]
    known = [reading for reading in readings if reading is not None]
    if not known or len(known) < len(readings):
        return [], False
    points = [reading.point for reading in known if reading.point is not None]
    commas = [reading.comma for reading in known if reading.comma is not None]
    ways = [points] if len(points) == len(known) else []
    if len(commas) == len(known) and commas != points:
        ways.append(commas)
    return ways, all(reading.power for reading in known)
