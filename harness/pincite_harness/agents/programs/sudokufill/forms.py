"""Forms: one spelling for values that are the same, so that equal values of several pages are one candidate."""

import re
import unicodedata

_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
_LOOSE = re.compile(r"[\s\-_^{}$\"'\u201c\u201d\u2018\u2019\u2032]")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\s-]+(?=\d)")
_MICRO = str.maketrans({"\u00b5": "u", "\u03bc": "u"})
_NUMBER = re.compile(
    r"(?P<bound>[<>\u2264\u2265~\u2248]?)\s*"
    r"(?P<sign>[-+]?)(?P<digits>\d+(?:[.,]\d+)*)"
    r"(?:\s*(?:x|\u00d7|\*|\u00b7)\s*10\s*\^?\s*(?P<power>[-+]?\d+)|[eE](?P<exponent>[-+]?\d+))?"
    r"\s*(?P<unit>.*)",
    re.DOTALL,
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORDS = re.compile(r"[\s,;()\[\]]+")


def text_form(text: str, *, case_matters: bool = False) -> str:
    """A text without case (unless it matters), spaces, hyphens and quotation marks; spaces between digits stay."""
    plain = unicodedata.normalize("NFKC", text.translate(_MICRO)).translate(_DASHES).strip()
    kept = _BETWEEN_DIGITS.sub("\N{MIDDLE DOT}", plain if case_matters else plain.casefold())
    return _LOOSE.sub("", kept).strip(".,;:")


def normal_form(value: str, kind: str, *, case_matters: bool = False) -> str:
    """The normal form of a value of a kind of field: text, label, number or formula."""
    if kind == "number":
        return _number_form(value)
    return text_form(value, case_matters=case_matters or kind == "formula")


def words(text: str) -> frozenset[str]:
    """The words of a name, each in normal form: what stands between spaces, commas and brackets."""
    plain = unicodedata.normalize("NFKC", text.translate(_MICRO)).translate(_DASHES).casefold()
    forms = (text_form(word) for word in _WORDS.split(plain))
    return frozenset(form for form in forms if form)


def _number_form(value: str) -> str:
    """Sign, six digits and the unit of a number, so that "5.0 µg" is "5 ug"; another text keeps its own form."""
    plain = unicodedata.normalize("NFKC", value.translate(_MICRO)).translate(_DASHES).strip()
    found = _NUMBER.fullmatch(plain)
    if found is None:
        return text_form(value, case_matters=True)
    digits = found["digits"]
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    try:
        number = float(f"{found['sign']}{digits.replace(',', '.')}e{found['power'] or found['exponent'] or 0}")
    except ValueError:
        return text_form(value, case_matters=True)
    return f"{found['bound']}{number:.6g} {text_form(found['unit'], case_matters=True)}".strip()
