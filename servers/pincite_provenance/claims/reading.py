"""The spelling in which claims and papers are compared: one kind of dash, ranges, powers and decimals as numbers."""

import re
from functools import lru_cache

from pincite_materials.values import spell

_TAG = re.compile(r"</?(?:bold|italic|b|i|em|strong|sup|sub)>")
_POWER_E = re.compile(r"(?<=\d)\s?[eE]\s?[-−–]\s?(?=\d{1,2}(?!\d))")
_POWER_TEN = re.compile(r"([×x*·]\s?10)\s?(?:\^\s?)?\{?\s?[-−–]\s?(\d{1,2})\}?(?!\d)")
_RANGE = re.compile(r"(?<=[\d%])(\s?(?:°\s?C|[A-Za-zµμ]{1,4})?)(?:\s?[–—]\s?|\s-\s|(?<=%)-)(?=[.\d])")
_UNIT_POWER = re.compile(
    r"(?:(?<=[A-Za-zµμ]\d\s)|(?<=[A-Za-zµμ][-−–]\d\s)|(?<=[A-Za-zµμ]\d\s\s))([A-Za-zµμ]{1,4})–(?=[1-4](?![\d.]))"
)
"""A dash for the minus of a power, behind a unit that has a power itself (``cm3 g–1``): no range of numbers."""
_DECIMAL = re.compile(r"(?<![\d,.^\[{])(\d{1,3}),(\d{1,2})(?![\d,]|\s?\])")
_MIDDLE_POINT = re.compile(r"(?<![\d.·^])(\d{1,3})·(\d{1,4})(?![\d.·^]|\s?[×x]\s?10|\s?10\^)")
"""A decimal point at half height (``1·73``), as some journals print it; ``2·10^3`` is a product."""
_RAISED_MARK = re.compile(r"\^\{([^{}\d]{1,12})\}")
_RAISED_RUN = re.compile(r"(\^\{[^{}]{1,12}\})(?=[A-Za-z(])")
_GENOTYPE = re.compile(r"(?<=\w)([-+]/[-+])(?!\d)")
_CITED = re.compile(r"(?<=[.,;)a-z])\^\{?(\d{1,3}(?:[,–-]\d{1,3})*)\}?(?=[\s.,;)]|$)")
_UNIT_BEFORE = re.compile(
    r"(?:\d|[/·]|\b(?:[mkcnµμd]?m|[mµμnk]?g|[mµμ]?[lLs]|h|mol|[kMG]?Pa|[mk]?[VAWJNK]|min|day|R|r|χ))\s*$"
)
_LONGEST = 12_000


@lru_cache(maxsize=2048)
def clean(text: str) -> str:
    """``text`` in one spelling: ``spell``, with dashes between numbers read as "to", ``1.1E – 3`` and ``× 10–3`` as
    powers, decimal commas as points and raised reference numbers as ``[8]``.
    """
    text = _TAG.sub("", text[:_LONGEST])
    text = _CITED.sub(_cited, text)
    text = _POWER_E.sub("e-", text)
    text = _POWER_TEN.sub(r"\1^-\2", text)
    text = _UNIT_POWER.sub(r"\1-", text)
    text = _RANGE.sub(r"\1 to ", text)
    text = _DECIMAL.sub(r"\1.\2", text)
    text = _MIDDLE_POINT.sub(_with_point, text)
    text = _RAISED_RUN.sub(r"\1 ", text)
    text = _RAISED_MARK.sub(r" \1 ", text)
    return _GENOTYPE.sub(r" \1 ", spell(text))


def _cited(match: re.Match[str]) -> str:
    if _UNIT_BEFORE.search(match.string, max(match.start() - 8, 0), match.start()):
        return match[0]
    return f" [{match[1]}]"


def _with_point(match: re.Match[str]) -> str:
    """``1.73`` for ``1·73``; ``2·10`` is left, which may be the begin of a power of ten."""
    return match[0] if match[2] == "10" else f"{match[1]}.{match[2]}"
