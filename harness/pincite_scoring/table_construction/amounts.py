"""Amounts: a cell or a header read as a number with its scale and unit: 3.6亿元, (1,234), 7.65%, RMB 12 million."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from pincite_scoring.table_construction.numerals import arabic
from pincite_scoring.table_construction.numerals import scale as chinese_scale

_SCALES = {
    "thousand": 10**3, "thousands": 10**3, "k": 10**3, "千": 10**3,
    "million": 10**6, "millions": 10**6, "mn": 10**6, "mio": 10**6, "m": 10**6, "百万": 10**6,
    "billion": 10**9, "billions": 10**9, "bn": 10**9, "b": 10**9, "十亿": 10**9,
    "trillion": 10**12, "trillions": 10**12, "tn": 10**12,
    "千万": 10**7, "万": chinese_scale("万"), "亿": chinese_scale("亿"), "万亿": chinese_scale("万亿"), "百亿": 10**10,
}  # fmt: skip
_UNITS = {
    "%": "%", "percent": "%", "per cent": "%", "pct": "%", "percentage": "%", "个百分点": "%",
    "percentage points": "%", "pp": "%",
    "cny": "cny", "rmb": "cny", "yuan": "cny", "renminbi": "cny", "元": "cny",
    "人民币": "cny", "人民币元": "cny", "¥": "cny", "圆": "cny",
    "usd": "usd", "us$": "usd", "$": "usd", "dollar": "usd", "dollars": "usd", "美元": "usd", "us dollars": "usd",
    "eur": "eur", "€": "eur", "euro": "eur", "euros": "eur", "欧元": "eur",
    "hkd": "hkd", "hk$": "hkd", "港元": "hkd", "港币": "hkd",
    "shares": "share", "share": "share", "股": "share",
    "cny/share": "cny/share", "rmb/share": "cny/share", "yuan/share": "cny/share", "元/股": "cny/share",
    "yuan per share": "cny/share", "cny per share": "cny/share", "rmb per share": "cny/share", "per share": "cny/share",
    "times": "", "倍": "", "x": "", "年": "", "年度": "", "fy": "", "fiscal year": "", "year": "", "year ended": "",
    "fraction": "", "as fraction": "", "decimal": "", "as decimal": "", "ratio": "",
}  # fmt: skip
"""Unit words and what they mean; empty ones say nothing of what is counted."""
_WORD = "|".join(re.escape(word) for word in sorted({*_SCALES, *_UNITS}, key=len, reverse=True))
_WORDS = re.compile(rf"\s*(?:(?:in|of)\s+)?({_WORD})\s*(?![a-z])")
_NUMBER = re.compile(r"([+-]?)(\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+)?(\.\d+)?(?:e([+-]?\d{1,3}))?")
_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]\s*$")
_TAIL = re.compile(r"(?:,|\bin)\s+([a-z ]+)$|[,，]\s*单位[:：]?\s*(\S+)$")
_SCALE_WORD = "(?:thousand|million|billion|trillion)s?|mn|bn"
_CURRENCY = "(?:cny|rmb|yuan|usd|eur|hkd)"
_SUFFIX = re.compile(
    rf"[\s_](?:in[\s_])?((?:(?:{_SCALE_WORD})[\s_](?:of[\s_])?)?{_CURRENCY}(?:[\s_]per[\s_]share|[\s_](?:{_SCALE_WORD}))?"
    rf"|{_SCALE_WORD}|pct|percent|per[\s_]cent|percentage)$"
)
"""A unit behind a name, as in ``revenue_cny_million`` and ``margin_pct``."""
_NEGATIVE = re.compile(r"^\(([^()]*)\)([^()]*)$")
_PERCENT = re.compile(r"^百分之(.+)$")
MAX_CHARS = 80
"""A longer cell is a text, whatever it begins with."""
MAX_HEADER = 300
"""A longer header states no unit."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a bare number counts: ``scale`` of ``name`` (%, cny, share …); None: nothing is said."""

    scale: Decimal = Decimal(1)
    name: str | None = None

    @property
    def stated(self) -> bool:
        """Whether the text says anything about the number."""
        return self.name is not None or self.scale != 1


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as written, with the scale and unit that stand beside it."""

    number: Decimal
    unit: Unit


@lru_cache(maxsize=8192)
def read_amount(text: str) -> Amount | None:
    """The amount that the whole of ``text`` is; None where any word is left over."""
    if len(text) > MAX_CHARS:
        return None
    plain = _PERCENT.sub(r"\1%", _folded(text))
    plain = plain if _starts_as_number(plain) else arabic(plain)
    bracketed = _NEGATIVE.match(plain)
    plain = f"{bracketed[1]}{bracketed[2]}" if bracketed is not None else plain
    before, plain = _unit_words(plain)
    found = _NUMBER.match(plain)
    if found is None or not (found[2] or found[3]):
        return None
    after, rest = _unit_words(plain[found.end() :])
    if rest.strip(" .,;"):
        return None
    number = Decimal(f"{found[1]}{(found[2] or '0').replace(',', '').replace(' ', '')}{found[3] or ''}e{found[4] or 0}")
    unit = _combined([*before, *after])
    if unit is None:
        return None
    return Amount(-number if bracketed is not None else number, unit)


def same_kind(a: Unit, b: Unit) -> bool:
    """Whether two units may count the same; 0.35 元 a share is often printed without the share."""
    return a.name is None or b.name is None or a.name.partition("/")[0] == b.name.partition("/")[0]


@lru_cache(maxsize=1024)
def header_unit(header: str) -> Unit:
    """What a header says about the numbers below it: ``(RMB million)``, ``(万元)``, ``, in CNY``, ``_cny``, ``%``."""
    return _split(header)[1]


@lru_cache(maxsize=1024)
def without_unit(header: str) -> str:
    """The header, folded, without the part that states its unit."""
    return _split(header)[0]


def _split(header: str) -> tuple[str, Unit]:
    plain = _folded(header)
    if len(plain) > MAX_HEADER:
        return plain, Unit()
    for pattern in (_BRACKETS, _TAIL, _SUFFIX):
        found = pattern.search(plain)
        said = next((group for group in found.groups() if group), "").replace("_", " ") if found else ""
        words, rest = _unit_words(said)
        unit = _combined(words) if words and not rest.strip(" .,;:") else None
        if found is not None and unit is not None and found.start():
            return plain[: found.start()].strip(), unit
    return (plain.rstrip("% "), Unit(name="%")) if plain.endswith("%") else (plain, Unit())


def _starts_as_number(text: str) -> bool:
    """Whether digits come first: 3.6万 is then a number and its scale, which stay apart."""
    return text.lstrip("(+-$¥€ ")[:1].isdigit()


def _unit_words(text: str) -> tuple[list[str], str]:
    """The scale and unit words that ``text`` begins with, and what follows them."""
    found: list[str] = []
    while (match := _WORDS.match(text)) is not None:
        found.append(match[1])
        text = text[match.end() :].lstrip("/") if match[1] not in _UNITS else text[match.end() :]
    return found, text.strip()


def _combined(words: list[str]) -> Unit | None:
    """One unit of several words; None where two of them count different things."""
    product, name = Decimal(1), None
    for word in words:
        if word in _SCALES:
            product *= _SCALES[word]
            continue
        meaning = _UNITS[word] or None
        if name is not None and meaning is not None and meaning != name:
            return None
        name = meaning or name
    return Unit(product, name)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").casefold().strip()
