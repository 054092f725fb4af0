"""Space groups by symbol and number, and crystal systems."""

import re
import unicodedata
from functools import cache
from importlib import resources

from pincite_materials.text import plain

_NUMBER = re.compile(
    r"^(?:(?:space\s*group|sg|s\.g\.|it|no\.?|number|#)\s*[:=]?\s*)*(?:no\.?\s*|#\s*)?\(?(?P<n>\d{1,3})\)?$",
    re.IGNORECASE,
)
_TRAILING_NUMBER = re.compile(r"[\s,;]*[(\[]?\s*(?:\bno\.?|\bnumber|#)\s*(?P<n>\d{1,3})\s*[)\]]?\s*$", re.IGNORECASE)
_PARENTHESISED = re.compile(r"\s*[(\[]\s*(?P<n>\d{1,3})\s*[)\]]\s*$")
_LEAD = re.compile(r"^\s*(?:the\s+)?(?:space[\s-]*group|s\.?g\.?)\s*(?:symbol\s*)?[:=]?\s*", re.IGNORECASE)
_ORIGIN = re.compile(r"\s*[:(\[]\s*(?:[12]|h|r|hex|rhomb|origin\s*(?:choice\s*)?[12])\s*[)\]]?\s*$", re.IGNORECASE)
_BAR = re.compile(r"\\(?:bar|overline)\s*\{?\s*(\d)\s*\}?")
_OVERLINED = re.compile("(\\d)[\u0304\u0305]")
_CUBIC_WITHOUT_BAR = tuple(range(200, 207)) + tuple(range(221, 231))

_MONOCLINIC = range(3, 16)

_SYSTEMS = ((2, "triclinic"), (15, "monoclinic"), (74, "orthorhombic"), (142, "tetragonal"))
_SYSTEMS_REST = ((167, "trigonal"), (194, "hexagonal"), (230, "cubic"))
_SYSTEM_WORDS = {
    "triclinic": "triclinic",
    "anorthic": "triclinic",
    "monoclinic": "monoclinic",
    "orthorhombic": "orthorhombic",
    "tetragonal": "tetragonal",
    "trigonal": "trigonal",
    "rhombohedral": "trigonal",
    "hexagonal": "hexagonal",
    "cubic": "cubic",
    "isometric": "cubic",
}
_LONGEST = 200
"""Characters that a symbol with its number, setting and markup has at most; patterns need not bear more."""


def space_group_number(text: str) -> int | None:
    """The number, 1 to 230, of a space group given by symbol or number; None for anything else.

    Takes Hermann-Mauguin symbols short, full and of other settings (``Pbnm`` is 62), bars as ``-3``, ``3̅`` or
    ``\\bar{3}``, screw axes as ``6_3``, ``6₃`` or ``63``, Schoenflies symbols, old cubic symbols without a bar
    and e-glide symbols. A symbol followed by a contradicting number is None. Source: International Tables A.
    """
    if len(text) > _LONGEST:
        return None
    text = unicodedata.normalize("NFC", _LEAD.sub("", text)).strip().strip("$").strip()
    number = _NUMBER.match(text)
    if number is not None:
        return _in_range(int(number["n"]))
    stated = _TRAILING_NUMBER.search(text) or _PARENTHESISED.search(text)
    symbol = text[: stated.start()] if stated else text
    found = _symbols().get(symbol_key(_ORIGIN.sub("", symbol))) or _symbols().get(symbol_key(symbol))
    if stated is not None and found != int(stated["n"]):
        return None
    return found


def symbol_key(symbol: str) -> str:
    """The spelling-free form of a symbol: ``P 6₃/m m c`` and ``P6_3/mmc`` both give ``p63/mmc``."""
    symbol = _BAR.sub(r"-\1", symbol)
    symbol = _OVERLINED.sub(r"-\1", unicodedata.normalize("NFD", symbol))
    return re.sub(r"[\s_{}$\\]", "", plain(symbol)).lower()


def crystal_system_of(number: int) -> str:
    """The crystal system of space group ``number`` (1 to 230); rhombohedral groups are trigonal."""
    return next(name for last, name in _SYSTEMS + _SYSTEMS_REST if number <= last)


def crystal_system(text: str) -> str | None:
    """The one crystal system that ``text`` names, or None (no system, or several)."""
    found = {_SYSTEM_WORDS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _SYSTEM_WORDS}
    return found.pop() if len(found) == 1 else None


def symbols_of(number: int) -> tuple[list[str], str]:
    """The Hermann-Mauguin symbols of space group ``number`` (1 to 230), standard one first, and Schoenflies'."""
    _, listed, further = _rows()[number - 1]
    short = [symbol for symbol in further if "^" not in symbol]
    first = short[0] if number in _MONOCLINIC else listed[0]
    schoenflies = next(symbol for symbol in further if "^" in symbol)
    return list(dict.fromkeys((first, *listed, *short))), schoenflies


def published_space_group(text: str) -> int | None:
    """The number by the published rule: letters, digits, ``/`` and ``-`` only, lower case, table of 600 symbols.

    It knows no short monoclinic symbol (``P21/c``), no number and no e-glide symbol.
    """
    return _published_symbols().get(re.sub(r"[^a-zA-Z0-9/\-]", "", text).lower())


@cache
def _rows() -> tuple[tuple[int, tuple[str, ...], tuple[str, ...]], ...]:
    source = resources.files("pincite_materials").joinpath("data/space_groups.tsv").read_text("utf-8")
    rows: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = []
    for line in source.splitlines()[1:]:
        number, listed, further = line.split("\t")
        rows.append((int(number), tuple(listed.split()), tuple(further.split())))
    return tuple(rows)


@cache
def _symbols() -> dict[str, int]:
    table: dict[str, int] = {}
    for number, listed, further in _rows():
        for symbol in listed + further:
            table.setdefault(symbol_key(symbol), number)
    for number, listed, further in _rows():
        if number in _CUBIC_WITHOUT_BAR:
            for symbol in listed + further:
                table.setdefault(symbol_key(symbol).replace("-3", "3"), number)
    return table


@cache
def _published_symbols() -> dict[str, int]:
    return {symbol_key(symbol): number for number, listed, _ in _rows() for symbol in listed}


def _in_range(number: int) -> int | None:
    return number if 1 <= number <= 230 else None
