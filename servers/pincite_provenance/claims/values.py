"""Is the claimed value among the quantities of a text, with its unit?

Numbers in the same unit must be the same number (93.0 is 93; 93.2 is not). Where a unit was converted, 0.1 % (the rule
of scoring) or rounding to the claim's own digits, two of them at least, is allowed.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from pincite_materials.categories import category_form
from pincite_materials.comparing import relative_error
from pincite_materials.symmetry import crystal_system, space_group_number
from pincite_materials.units import convert, known
from pincite_materials.values import Value, find_numbers, parse_value
from pincite_provenance.claims.quantities import UNIT_WORDS, Quantity, parted_unit, plain_unit
from pincite_provenance.claims.reading import clean
from pincite_provenance.model import Check, Verdict

Kind = Literal["number", "space group", "crystal system", "words"]

_SAME = 1e-9
_CONVERTED = 1e-3
_DIRECTION = {"<": "<", "≤": "<", ">": ">", "≥": ">"}
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_SHARE = re.compile(
    r"\b(?:half|halves|halved|(?:one|two|three|four)?[\s-]?(?:third|quarter|fifth|sixth|eighth|tenth)s?"
    r"|twice|thrice|doubl(?:e|ed|es|ing)|tripl(?:e|ed|es|ing)|quadrupl\w+|\w+fold"
    r"|(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten) (?:out of|of the|of all|in(?: every)?)"
    r" (?:\d[\d,.]*|ten|hundred|thousand))\b",
    re.IGNORECASE,
)
"""A number written as a part or a multiple (``half``, ``17 out of 50``, ``1 in 500``), which may be the claimed one."""
_FEWEST_DIGITS = 2
"""Digits from which on a number that stands within a word may be the claimed one."""
_SYMBOL = re.compile(r"[^\s,;]+(?:\s[^\s,;]+){0,3}")
_PART_OF = re.compile(r"^(\d+)\s+(?:out )?of\s+\d+$")
_FRACTION = re.compile(r"(\d+)\s*/\s*(\d+)")
_OF_A_HUNDRED = re.compile(
    r"\s*(g|kg|mg|mL|ml|L)\s*(?:from|per|/|in|of|out of)\s*(?:each |every |the )?100\s*\1\b", re.IGNORECASE
)
"""``13.25 g from 100 g``, which is 13.25 %."""
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """The claimed value: what kind it is, its number or numbers, and its unit as text."""

    text: str
    unit: str
    kind: Kind
    value: Value | None
    total: str = ""
    """The total of a value given as so many of so many (``2/22``)."""

    @classmethod
    def of(cls, text: str, unit: str, kinds: Collection[str] = ()) -> "Wanted":
        """Read a claim's ``value`` and ``unit``; the unit may stand behind the number. ``kinds`` are those of the
        property: the number of a space group is none otherwise.
        """
        text, unit = text.strip(), unit.strip()
        fraction = _FRACTION.fullmatch(text)
        if fraction is not None:
            part = parse_value(fraction[1])
            return cls(text, plain_unit(UNIT_WORDS.get(unit, unit)), "number", part, fraction[2])
        text = _PART_OF.sub(r"\1", text)
        if "space_group" in kinds and space_group_number(text) is not None:
            return cls(text, unit, "space group", None)
        value = _range(clean(text)) or parse_value(clean(text))
        numeric = value is not None and value.shape != "tuple"
        if value is not None and numeric and (unit or not value.unit or known(value.unit)):
            unit = unit or value.unit
            return cls(text, plain_unit(UNIT_WORDS.get(unit, unit)), "number", value)
        if space_group_number(text) is not None:
            return cls(text, unit, "space group", None)
        if crystal_system(text) is not None and len(text.split()) == 1:
            return cls(text, unit, "crystal system", None)
        return cls(text, unit, "words", None)

    def __str__(self) -> str:
        shown = self.text
        return shown if not self.unit or (self.value is not None and self.value.unit) else f"{shown} {self.unit}"


def _range(text: str) -> Value | None:
    """The range of a value with two signed ends (``-0.06 to -0.05``)."""
    ends = re.fullmatch(r"(.*?\d\S*)\s+to\s+([-+].*)", text)
    first, second = (parse_value(end) for end in ends.groups()) if ends else (None, None)
    if first is None or second is None or first.shape != "number" or second.shape != "number":
        return None
    numbers = tuple(sorted((first.numbers[0], second.numbers[0])))
    return Value(numbers, "range", bound=first.bound, approximate=first.approximate, unit=second.unit)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one quantity of the text says of the claimed value and unit; no unit check where neither has one."""

    value: Check
    unit: Check | None


def judge(wanted: Wanted, quantity: Quantity, units: Sequence[str]) -> Outcome | None:
    """How ``quantity`` bears on the claim; None where it has nothing to do with it. ``units`` are those that its number
    may be read in: the printed one, or those of a table's header.
    """
    pairs = _pairs(wanted, quantity)
    if not pairs or (wanted.total and not re.match(rf"\s*(?:/|(?:out )?of)\s*{wanted.total}\b", quantity.behind)):
        return None
    seen = quantity.printed if quantity.unit in quantity.printed or not units else f"{quantity.printed} ({units[0]})"
    printed_units = [unit for unit in units if unit] or [""]
    if wanted.unit and begins_with(quantity.behind, wanted.unit):
        printed_units.insert(0, wanted.unit)
    if wanted.unit == "%" and _OF_A_HUNDRED.match(quantity.behind):
        printed_units.insert(0, "%")
    printed_units += [parted for unit in printed_units if (parted := parted_unit(unit))]
    for unit in printed_units:
        if all(_agree(number, wanted, printed, unit) for number, printed in pairs):
            return Outcome(_bounds(wanted, quantity, seen), _same_unit(wanted, unit, seen))
    if all(_is_same(number, printed) for number, printed in pairs):
        return Outcome(_bounds(wanted, quantity, seen), _other_unit(wanted, printed_units, seen))
    return None


def _pairs(wanted: Wanted, quantity: Quantity) -> list[tuple[float, float]]:
    """Claimed and printed numbers to compare: one, or the two ends of a range; none where only one is a range."""
    assert wanted.value is not None
    if len(wanted.value.numbers) == 1:
        return [(wanted.value.numbers[0], quantity.value)]
    if quantity.other_end is None:
        return []
    return list(zip(sorted(wanted.value.numbers), sorted((quantity.value, quantity.other_end)), strict=True))


def begins_with(text: str, unit: str) -> bool:
    """Whether ``unit`` is what stands at the begin of ``text``, white space aside, and ends there."""
    pattern = r"\s*".join(re.escape(character) for character in clean(unit) if not character.isspace())
    return re.match(rf"[\s-]*{pattern}(?![\w^·])", text) is not None


def stands(unit: str, text: str) -> bool:
    """Whether ``unit`` stands in ``text``, not as a part of a word or of another unit; one letter only in brackets."""
    pattern = r"\s*".join(re.escape(character) for character in clean(unit) if not character.isspace())
    if len(unit) == 1 and unit != "%":
        return re.search(rf"[(\[]{pattern}[)\]]", text) is not None
    return re.search(rf"(?<![\w^·/]){pattern}(?![\w^·/])", text) is not None


def _agree(number: float, wanted: Wanted, printed: float, unit: str) -> bool:
    """Whether the claimed number in its unit is the printed one in ``unit``."""
    if not wanted.unit and not unit:
        return _is_same(number, printed)
    if wanted.unit == unit or clean(wanted.unit).replace(" ", "") == clean(unit).replace(" ", ""):
        return _is_same(number, printed)
    converted = convert(printed, unit, wanted.unit, energies=True)
    if converted is None:
        return False
    if _is_same(number, converted):
        return True
    if convert(1.0, unit, wanted.unit) == 1.0 and convert(0.0, unit, wanted.unit) == 0.0:
        return False
    error = relative_error(number, wanted.unit, printed, unit)
    return (error is not None and error <= _CONVERTED) or _rounds_to(converted, wanted.text, number)


def _rounds_to(converted: float, text: str, number: float) -> bool:
    digits = _DIGITS.search(clean(text))
    if digits is None or len(digits[0].replace(".", "").lstrip("0")) < 2 or "^" in clean(text) or "e" in text.lower():
        return False
    decimals = len(digits[0].partition(".")[2])
    return _is_same(round(converted, decimals), number)


def _is_same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))


def _bounds(wanted: Wanted, quantity: Quantity, seen: str) -> Check:
    """The value check of a number that is printed: bounds and uncertainties must not contradict."""
    assert wanted.value is not None
    mine, theirs = _DIRECTION.get(wanted.value.bound, ""), _DIRECTION.get(quantity.bound, quantity.bound)
    stated = wanted.value.uncertainty
    if stated is not None and quantity.uncertainty is not None and not _same_spread(wanted.value, quantity):
        return Check("value", "fails", f"the paper gives {seen}, the claim another uncertainty: {wanted}")
    if stated is not None and quantity.uncertainty is None and quantity.unit == wanted.unit:
        return Check("value", "unsure", f"the paper gives {seen} without the uncertainty of the claim ({wanted})")
    if mine and not theirs and quantity.begins:
        return Check("value", "unsure", f"the paper gives {seen} as where something begins, the claim as a bound")
    if mine and not theirs:
        return Check("value", "unsure", f"the claim is a bound ({wanted}), the paper gives {seen} without one")
    if mine and theirs not in (mine, "limit"):
        given = f"{theirs} {seen}".strip()
        return Check("value", "fails", f"the claim is a bound ({wanted}), the paper gives {given}")
    if theirs and not mine:
        word = "a limit (down to)" if theirs == "limit" else f"a bound ({quantity.bound})"
        return Check("value", "unsure", f"the paper gives {seen} as {word}, the claim as a value")
    if quantity.other_end is not None and len(wanted.value.numbers) == 1:
        return Check(
            "value",
            "unsure",
            f"{wanted} is one end of a range in the paper ({quantity.value:g} to {quantity.other_end:g})",
        )
    about = ", as about that" if quantity.approximate and not wanted.value.approximate else ""
    return Check("value", "holds", f"the paper gives {seen}{about}")


def _same_spread(value: Value, quantity: Quantity) -> bool:
    """Whether both give the same uncertainty, in their own units."""
    if value.uncertainty is None or quantity.uncertainty is None:
        return False
    if _is_same(value.uncertainty, quantity.uncertainty):
        return True
    number = value.numbers[0]
    if not number or not quantity.value or _is_same(number, quantity.value):
        return False
    mine, theirs = value.uncertainty / abs(number), quantity.uncertainty / abs(quantity.value)
    return abs(mine - theirs) <= _CONVERTED * theirs


def _same_unit(wanted: Wanted, unit: str, seen: str) -> Check | None:
    if not wanted.unit and not unit:
        return None
    if clean(wanted.unit).replace(" ", "") == clean(unit).replace(" ", ""):
        return Check("unit", "holds", f"{unit} as printed")
    return Check("unit", "holds", f"{wanted} is {seen}, converted")


def _other_unit(wanted: Wanted, units: Sequence[str], seen: str) -> Check | None:
    printed = [unit for unit in units if unit]
    if not printed and wanted.unit:
        return Check("unit", "unsure", f"no unit is found for {seen}; the claim has {wanted.unit}")
    if not wanted.unit:
        return Check("unit", "unsure", f"the paper gives {printed[0]}, the claim no unit")
    if re.match(rf"{re.escape(printed[0])}\s*(?:per\b|/)", wanted.unit):
        return Check("unit", "unsure", f"the paper gives {printed[0]}, the claim {wanted.unit}")
    if printed[0].casefold() == wanted.unit.casefold() or ("%" in printed[0] and "%" in wanted.unit):
        return Check("unit", "unsure", f"the paper writes {printed[0]}, the claim {wanted.unit}")
    if not known(wanted.unit) or re.search(r"/.*\^-", printed[0]):
        return Check("unit", "unsure", f"the paper gives {printed[0]}; the claim's unit {wanted.unit!r} is not known")
    return Check("unit", "fails", f"the paper gives {printed[0]} ({seen}), the claim {wanted.unit}")


def an_uncertainty(wanted: Wanted, quantities: Sequence[Quantity]) -> Check | None:
    """The failing check of a claim whose number is the uncertainty of a quantity in its unit, or None."""
    for quantity in quantities:
        if wanted.value is None or quantity.uncertainty is None:
            continue
        same_unit = not wanted.unit or not quantity.unit or _converts(quantity.unit, wanted.unit)
        if same_unit and _is_same(wanted.value.numbers[0], quantity.uncertainty):
            return Check("value", "fails", f"{wanted} is the uncertainty of {quantity.printed}, not the value")
    return None


def missing_number(wanted: Wanted, quantities: Sequence[Quantity], units: Sequence[str], where: str) -> Check:
    """Why no quantity of the text is the claimed one: what is like it, else what there is."""
    assert wanted.value is not None
    number = wanted.value.numbers[0]
    printed = [quantity.value for quantity in quantities]
    if len(wanted.value.numbers) > 1 and all(any(_is_same(n, p) for p in printed) for n in wanted.value.numbers):
        return Check("value", "unsure", f"{where} says {wanted}, but not as one range")
    spread = an_uncertainty(wanted, quantities)
    if spread is not None:
        return spread
    for quantity in quantities:
        if number and _is_same(number, -quantity.value):
            return Check("value", "fails", f"the sign: {where} says {quantity.printed}, the claim {wanted}")
    for quantity in quantities:
        if wanted.unit and quantity.unit != wanted.unit and _rounded_apart(wanted, number, quantity.value):
            return Check("value", "unsure", f"{where} says {quantity.printed}; it may be {wanted} in other units")
    for quantity in quantities:
        if _power_of_ten_apart(number, quantity.value):
            if wanted.unit and (not known(wanted.unit) or (units and not _converts(units[0], wanted.unit))):
                return Check(
                    "value",
                    "unsure",
                    f"{where} says {quantity.printed}, the claim {wanted}; its unit is not known",
                )
            return Check("value", "fails", f"the power of ten: {where} says {quantity.printed}, the claim {wanted}")
    alike = [q for q in quantities if any(_converts(unit, wanted.unit) for unit in ((q.unit,) if q.unit else units))]
    shown = ", ".join(dict.fromkeys(q.printed for q in (alike or list(quantities))[:_SHOWN]))
    if not shown:
        return Check("value", "fails", f"{where} has no number; the claim is {wanted}")
    return Check("value", "fails", f"{where} says {shown}; the claim {wanted}")


def told_otherwise(wanted: Wanted, text: str, where: str) -> Check | None:
    """The unsure check of a number that a text may write as a part or a multiple, or within a word."""
    share = _SHARE.search(text)
    if share is not None:
        return Check("value", "unsure", f"{where} says {share[0]!r}, which may be {wanted}")
    if _is_glued(wanted.text, text):
        return Check("value", "unsure", f"{where} has the digits of {wanted} within a word")
    return None


def follows(wanted: Wanted, quantities: Sequence[Quantity]) -> str:
    """How the claimed number may follow from two that are printed (``12 of 48`` is 25 %), "" where it does not."""
    assert wanted.value is not None
    number = wanted.value.numbers[0]
    digits = _DIGITS.search(clean(wanted.text))
    decimals = len(digits[0].partition(".")[2]) if digits else 0
    if abs(number) < 10.0**-decimals:
        return ""
    for a, b in permutations(dict.fromkeys(quantity.value for quantity in quantities), 2):
        results = {"the sum": a + b, "the difference": a - b, "the mean": (a + b) / 2}
        if b:
            results |= {"the ratio": a / b, "the share": 100 * a / b, "the change": 100 * (a - b) / b}
        for name, result in results.items():
            if abs(result - number) <= 0.5001 * 10.0**-decimals and number not in (a, b):
                return f"{name} of {a:g} and {b:g}"
    rest = next((q for q in quantities if q.unit == "%" and _is_same(100 - q.value, number)), None)
    return f"what {rest.printed} leaves of 100" if rest is not None else ""


def _is_glued(number: str, text: str) -> bool:
    """Whether the digits of a number stand in a text within a word, with point or comma: ``E13,5``."""
    digits = _DIGITS.search(clean(number))
    if digits is None or len(digits[0]) < _FEWEST_DIGITS:
        return False
    written = re.escape(digits[0]).replace(r"\.", "[.,]")
    return re.search(rf"[^\W\d_]{written}(?!\d)", clean(text)) is not None


def _converts(unit: str, into: str) -> bool:
    return bool(unit and into) and convert(1.0, unit, into) is not None


def _rounded_apart(wanted: Wanted, number: float, printed: float) -> bool:
    """Whether the claimed digits, three at least, are the printed ones rounded, with a factor of a thousand or more."""
    digits = _DIGITS.search(clean(wanted.text))
    count = len(digits[0].replace(".", "").lstrip("0")) if digits else 0
    if count < 3 or number <= 0 or printed <= 0 or known(wanted.unit):
        return False
    return any(_is_same(float(f"{printed / 1000.0**power:.{count}g}"), number) for power in (1, 2, 3))


def _power_of_ten_apart(a: float, b: float) -> bool:
    if not a or not b or a * b < 0:
        return False
    ratio = a / b
    return any(_is_same(ratio, 10.0**power) for power in range(-30, 31) if power)


def judge_words(wanted: Wanted, text: str, where: str) -> Check:
    """Whether a space group, a crystal system or other words stand in ``text``."""
    if wanted.kind == "space group":
        number = space_group_number(wanted.text)
        groups = dict(_space_groups(text))
        if number in groups.values():
            return Check("value", "holds", f"{where} names {next(name for name, n in groups.items() if n == number)}")
        return _absent(wanted, list(groups), where)
    if wanted.kind == "crystal system":
        system = crystal_system(wanted.text)
        named = [word for word in re.findall(r"[A-Za-z]+", text) if crystal_system(word)]
        if any(crystal_system(word) == system for word in named):
            return Check("value", "holds", f"{where} says {wanted.text}")
        return _absent(wanted, named, where)
    if _has_words(text, wanted.text):
        return Check("value", "holds", f"{where} says {wanted.text!r}")
    return _absent(wanted, [], where)


def _absent(wanted: Wanted, named: Sequence[str], where: str) -> Check:
    shown = ", ".join(dict.fromkeys(named[:_SHOWN]))
    if not shown:
        return Check("value", "unsure", f"{where} does not say {wanted} in these words")
    return Check("value", "fails", f"{where} says {shown}; the claim {wanted}")


def _space_groups(text: str) -> list[tuple[str, int]]:
    """Symbols of space groups in ``text`` with their numbers; plain numbers are none."""
    found: list[tuple[str, int]] = []
    words = clean(text).split()
    for start in range(len(words)):
        for length in (4, 3, 2, 1):
            piece = " ".join(words[start : start + length]).strip("().,;:")
            if (piece[:1].isupper() and not piece.isalpha()) or (
                piece.isalpha() and length == 1 and piece[:1] in "PIFCABR"
            ):
                number = space_group_number(piece)
                if number is not None:
                    found.append((piece, number))
                    break
    return found


def _has_words(text: str, words: str) -> bool:
    """Whether ``words`` stand in ``text`` as whole words, spaces and hyphens aside."""
    wanted = category_form(words)
    if not wanted:
        return False
    pieces = [category_form(piece) for piece in re.split(r"[\s\-–/]+", text)]
    for start in range(len(pieces)):
        joined = ""
        for piece in pieces[start : start + 12]:
            joined += piece.strip("()[]")
            if joined == wanted:
                return True
            if len(joined) > len(wanted):
                break
    return wanted.isdigit() and float(wanted) in find_numbers(text)


def worst(*verdicts: Verdict) -> Verdict:
    """``fails`` before ``unsure`` before ``holds``."""
    return "fails" if "fails" in verdicts else "unsure" if "unsure" in verdicts else "holds"
