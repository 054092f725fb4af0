"""Numbers in an answer: which quantities it states, and whether one of them is the gold's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_materials.comparing import relative_error
from pincite_materials.unit_names import COUNTED
from pincite_materials.units import convert, known, same_kind
from pincite_materials.values import parse_value, scan_numbers, spell

Fit = Literal["right", "open", "wrong"]
"""``open``: the number agrees as it stands, and whether its unit does nobody can tell by a rule."""

_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORD = re.compile(rf"\b(?:zero|one|{'|'.join(_WORDS)})\b", re.IGNORECASE)
_VALUES = {"zero": "0", "one": "1", **{word: str(number) for number, word in enumerate(_WORDS, start=2)}}
_ASIDE = (
    re.compile(
        r"\b(?:tables?|figs?(?:ures?)?|panels?|pages?|pp?|refs?|sections?|eqs?|steps?|supplementary|grants?|lines?|rows?|"
        r"columns?|versions?|no)\b\.?\s*[A-Z]?\d+[A-Za-z]?(?:\s*(?:-|and|,)\s*[A-Z]?\d+)*\b",
        re.IGNORECASE,
    ),
    re.compile(r"\[\d+(?:\s*[,-]\s*\d+)*\]"),
    re.compile(r"\bet al\.?,?\s*\(?\d{4}[a-z]?\)?|\((?:19|20)\d\d[a-z]?\)"),
    re.compile(r"\b10\.\d{4,9}/\S+|https?://\S+|\S+\.(?:png|pdf|jpe?g|csv|txt|xlsx?)\b", re.IGNORECASE),
    re.compile(r"[(\[][^()\[\]]*\b(?:CI|confidence|IQR|SD|SEM|s\.d\.|s\.e\.m\.|range|[nNpP]\s*[=<>])[^()\[\]]*[)\]]"),
    re.compile(r"[,;]?\s*\b\d+\s?%\s?(?:CI|confidence interval)\b[^.;)]*", re.IGNORECASE),
)  # fmt: skip
"""Numbers that are not an answer: labels, references, years of a work, and how sure a number is."""
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])([+-]?\d+),(\d{1,2}|\d{4,})(?![\d,.])")
_NOT_UNITS = frozenset(
    re.findall(
        r"\w+",
        "a an and as at but by for from if in into is it its no nor not of on or out per so than that the then this to "
        "was were with which while i we",
    )
)
"""Words behind a number that read as a unit (``in``, ``as``) and hardly ever are one."""
_UNIT_STOP = re.compile(r"[,;:()\[\]\n\"“”!?=]|(?<!\bdeg)\.(?=\s|$)")
_PERCENT = re.compile(r"^(?:%|per ?cent(?:age)?)(?:[ -]?points?)?(?![\w-])|^pp\b", re.IGNORECASE)
_FOLD = re.compile(r"^-?\s?(?:fold|times|x|×)\b", re.IGNORECASE)
_MOST_TOKENS = 5
"""Words of a unit behind a number, as in ``mg of N per g``."""
_BOUND_BEFORE = re.compile(
    r"(?:[<>≤≥]=?|\b(?:at least|at most|(?:more|less|fewer|greater|higher|lower|larger|smaller) than|above|below|"
    r"over|under|up to|exceed(?:s|ing)?|minimum of|maximum of|no more than|no less than))\s*$",
    re.IGNORECASE,
)
_NEGATED_BEFORE = re.compile(r"\b(?:not|never|isn['’]t|wasn['’]t|rather than|instead of)\s+(?:\w+\s+)?$", re.IGNORECASE)
_JOINED = re.compile(r"^\s*(?:\S{1,12}\s*)?(?:-|to|or|and)\s*~?\s*$", re.IGNORECASE)
_STEPS = (10.0, 60.0, 24.0, 7.0, 12.0, 365.0)
"""Ratios of units that a number may have been converted by: powers of ten, and those of time."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text with the unit behind it: ``unit`` is "" for none, and ``strange`` the word that stands there
    and is not a unit that anybody knows."""

    value: float
    unit: str
    strange: str
    decimals: int
    start: int
    end: int
    bound: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """A true quantity: ``asked`` is the unit that the question names, "" for none; ``exact`` where a tolerance is
    stated, so that a rounding is not to be weighed."""

    value: float
    unit: str
    asked: str
    tolerance: float
    exact: bool


def spelled(text: str) -> str:
    """``text`` as it is searched for numbers: one spelling, a decimal comma as a point, numbers in words in digits,
    and blanks in place of labels and references."""
    text = _DECIMAL_COMMA.sub(r"\1.\2", spell(text))
    for pattern in _ASIDE:
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return _NUMBER_WORD.sub(lambda word: _VALUES[word[0].casefold()], text)


def quantities(text: str) -> list[Quantity]:
    """The quantities of a text in their order, by ``spelled``."""
    searched = spelled(text)
    return list(_quantities(searched))


def _quantities(searched: str) -> Iterator[Quantity]:
    inside = 0
    for number in scan_numbers(searched):
        if number.start < inside or _IN_A_NAME.search(searched, 0, number.start):
            continue  # the power of a unit (kg-1), and what is part of a name (peripherin-2)
        unit, strange = _unit_behind(searched[number.end :])
        if unit:
            inside = searched.find(unit, number.end) + len(unit)
        before = searched[max(0, number.start - _BEFORE) : number.start]
        yield Quantity(
            number.value,
            unit,
            strange,
            _decimals(searched[number.start : number.end]),
            number.start,
            number.end,
            _BOUND_BEFORE.search(before) is not None,
            _NEGATED_BEFORE.search(before) is not None,
        )


_IN_A_NAME = re.compile(r"[^\W\d_]-$")
_BEFORE = 30
"""Characters before a number in which a bound or a negation of it stands."""


def _decimals(printed: str) -> int:
    """The decimals of a number as it is printed; 0 for one with a power of ten."""
    mantissa = re.fullmatch(r"[+-]?\s?[\d,]*(?:\.(\d*))?(?:\s?\(\d+\))?(?:\s*±.*)?", printed)
    return len(mantissa[1] or "") if mantissa is not None else 0


def _unit_behind(rest: str) -> tuple[str, str]:
    """The unit that stands behind a number, and the word that does where it is none."""
    rest = rest[1:] if rest[:1] == "-" and rest[1:2].isalpha() else rest
    rest = rest.lstrip(" ")
    if _PERCENT.match(rest):
        return "%", ""
    if _FOLD.match(rest):
        return "", "fold"
    stop = _UNIT_STOP.search(rest)
    tokens = rest[: stop.start() if stop else len(rest)].split()
    if not tokens or tokens[0].casefold() in _NOT_UNITS or not re.match(r"[^\W\d_]|[°%Å]", tokens[0]):
        return "", ""
    for count in range(min(_MOST_TOKENS, len(tokens)), 0, -1):
        unit = " ".join(tokens[:count])
        if known(unit) and tokens[count - 1].casefold() not in _NOT_UNITS:
            return ("", unit) if unit.rstrip("s") in COUNTED and unit.islower() else (unit, "")
    return "", tokens[0]


def joined(text: str, one: Quantity, other: Quantity) -> bool:
    """Whether two quantities that follow each other are a range or a choice."""
    return _JOINED.match(spelled(text)[one.end : other.start]) is not None


_ASKED = re.compile(r"\(\s*(?:in\s+)?([^()]{1,20}?)\s*\)|\b(?:in|how many)\s+([^\s,;?().]{1,15})", re.IGNORECASE)


def asked_unit(question: str, like: str = "") -> str:
    """The unit that a question asks for: in brackets, behind "in" or "how many", or the one that is comparable with
    ``like``; "" where it names none."""
    searched = spell(question)
    if like and re.search(r"%|per ?cent", like, re.IGNORECASE):
        return "%" if re.search(r"%|per ?cent|\bproportion of\b", searched, re.IGNORECASE) else ""
    named = re.findall(
        r"\(\s*(?:in\s+)?([^()]{1,20}?)\s*\)|\b(?:in|how many)\s+([^\s,;?().]{1,15})", searched, re.IGNORECASE
    )
    for bracketed, worded in named:
        unit = bracketed or worded
        if unit.casefold() not in _NOT_UNITS and known(unit) and unit and (not like or same_kind(unit, like)):
            return unit
    return ""


def _is_counted(word: str, question: str) -> bool:
    """Whether the word behind a number is what is counted and no unit: the question asks how many or how many times,
    or has the word."""
    if len(word) <= _LONGEST_SYMBOL and not word[1:].islower():
        return False
    return _HOW_MANY.search(question) is not None or word[:_STEM].casefold() in question.casefold()


_HOW_MANY = re.compile(r"\bhow many\b|\bhow often\b|\bnumber of\b|\bcounts?\b|\bfold\b", re.IGNORECASE)
_STEM = 5
"""Letters by which a word of an answer is found in a question: ``pairs`` and ``paired``."""
_TELLING = 4
"""Characters of a unit that stands in a question as a unit and not as a part of a word."""
_LONGEST_SYMBOL = 5
"""Characters of a unit's symbol; a longer word behind a number is what is counted."""


def fit(stated: Quantity, wanted: Wanted, question: str) -> Fit:
    """How a stated quantity stands to the true one."""
    if wanted.unit:
        return _with_unit(stated, wanted)
    if stated.strange:
        plain_fit = _as_number(stated.value, stated, wanted)
        return "open" if plain_fit == "right" and not _is_counted(stated.strange, question) else plain_fit
    if not stated.unit or convert(1.0, stated.unit, "") == 1.0:
        return _as_number(stated.value, stated, wanted)
    asked = asked_unit(question, stated.unit)
    if not asked and len(stated.unit) >= _TELLING and stated.unit in re.sub(r"[()\s]", "", spell(question)):
        asked = stated.unit
    if asked:
        value = stated.value if stated.unit == asked else convert(stated.value, stated.unit, asked)
        return _as_number(stated.value if value is None else value, stated, wanted)
    return "open" if _by_a_step(stated.value, wanted.value) else _not_right(_as_number(stated.value, stated, wanted))


def _with_unit(stated: Quantity, wanted: Wanted) -> Fit:
    if stated.strange.casefold() in ("point", "points") and wanted.unit == "%":
        return _as_number(stated.value, stated, wanted)
    if stated.strange:
        return _not_right(_as_number(stated.value, stated, wanted))
    if not stated.unit:
        if not wanted.asked:
            return _not_right(_as_number(stated.value, stated, wanted))
        value = convert(stated.value, wanted.asked, wanted.unit, energies=True)
        return _as_number(stated.value if value is None else value, stated, wanted)
    error = relative_error(stated.value, stated.unit, wanted.value, wanted.unit)
    if error is None:
        return "wrong"
    if error <= wanted.tolerance * (1 + 1e-9):
        return "right"
    converted = convert(stated.value, stated.unit, wanted.unit, energies=True)
    return "wrong" if converted is None else _not_right(_as_number(converted, stated, wanted))


def _not_right(found: Fit) -> Fit:
    return "open" if found == "right" else found


def _as_number(value: float, stated: Quantity, wanted: Wanted) -> Fit:
    """Two numbers without their units: right within the tolerance, open where one is the other rounded."""
    difference, true = abs(value - wanted.value), wanted.value
    if difference <= wanted.tolerance * abs(true) * (1 + 1e-9) or difference <= 1e-12:
        return "right"
    if wanted.exact:
        return "wrong"
    shown = len(f"{true:.10g}".partition(".")[2])
    near = min(stated.decimals, shown)
    return "open" if round(value, near) == round(true, near) else "wrong"


def _by_a_step(value: float, true: float) -> bool:
    """Whether the two differ by a ratio of units."""
    if not value or not true:
        return False
    ratio = abs(value / true)
    for step in _STEPS:
        for power in range(-12, 13) if step == 10.0 else (-2, -1, 1, 2):
            if power and abs(ratio / step**power - 1) < 1e-3:
                return True
    return False


def wanted_of(spelling: str, unit: str | None, question: str, tolerance: float, *, exact: bool) -> Wanted | None:
    """The single unbounded quantity that a gold spelling is; None where it is a range, a bound or no number."""
    found = list(_quantities(spelled(spelling)))
    value = parse_value(spelling)
    if len(found) != 1 or value is None or value.bound or len(value.numbers) != 1:
        return None
    own = found[0].unit or ("" if found[0].strange else unit or "")
    if found[0].strange:
        return None
    return Wanted(found[0].value, own, unit or asked_unit(question, own) if own else "", tolerance, exact)


def distinct(found: Sequence[Quantity]) -> list[Quantity]:
    """Without repetitions of a number with the same unit."""
    kept: dict[tuple[float, str], Quantity] = {}
    for each in found:
        kept.setdefault((each.value, each.unit), each)
    return list(kept.values())
