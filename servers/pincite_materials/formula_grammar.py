"""A chemical formula by recursive descent: elements, brackets, amounts with unknowns, mixed sites, hydrates."""

import re
from dataclasses import dataclass, field

from pincite_materials.elements import ELEMENTS, RARE_EARTH_PLACEHOLDERS
from pincite_materials.linear import Linear

_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_FRACTION = re.compile(r"(\d+)/(\d+)(?!\d)")
_UNKNOWN = re.compile(r"delta|epsilon|[a-zδεξηα]|[XZ](?![a-z])")
_CAPITAL = re.compile(r"[XYZDN](?![a-z])")
"""Unknowns as old lists capitalise them (``O4-Y``); behind a sign no element can stand."""

_SYMBOL = re.compile(r"[A-Z][a-z]?")
_CHARGE = re.compile(r"\^\{?(?:\d*[+-]|[+-]\d+)\}?")
_ION = re.compile(r"^([A-Z][a-z]?)\d?[+-]$")
_ISOTOPE = re.compile(r"\^\{?(\d{1,3})\}?(?=[A-Z])")
_OPEN, _CLOSE = "([{", ")]}"


@dataclass(slots=True)
class Parsed:
    """Amounts by element (placeholders RE, Ln, R count as elements), and mass numbers of the isotopes stated."""

    amounts: dict[str, Linear] = field(default_factory=dict[str, Linear])
    isotopes: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, other: "Parsed", times: Linear) -> bool:
        """Add ``other`` ``times``; False where the product would not be linear."""
        for element, amount in other.amounts.items():
            product = amount.times(times)
            if product is None:
                return False
            self.amounts[element] = self.amounts.get(element, Linear()).plus(product)
        self.isotopes.update(other.isotopes)
        return True


def parse_formula_text(text: str) -> Parsed | None:
    """The amounts of a cleaned formula (no spaces, plain digits), or None where it is not one."""
    text = _ION.sub(r"\1", _CHARGE.sub("", text).replace("_", ""))
    total = Parsed()
    for part in filter(None, re.split(r"[·*]", text)):
        reader = _FormulaReader(part)
        times = reader.coefficient()
        group = reader.group("")
        if group is None or reader.position != len(part) or not group.amounts or not total.add(group, times):
            return None
    return total if total.amounts else None


class _FormulaReader:
    """A position in one part of a formula."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def coefficient(self) -> Linear:
        """The number in front of a part: ``2`` of ``2H2O``, ``1/2``, ``x`` or ``n`` of ``xH2O``."""
        fraction = _FRACTION.match(self.text)
        if fraction and int(fraction[2]):
            self.position = fraction.end()
            return Linear(int(fraction[1]) / int(fraction[2]))
        number = _NUMBER.match(self.text)
        if number:
            self.position = number.end()
            return Linear(float(number[0]))
        if re.match(r"[a-z](?=[A-Z])", self.text):
            self.position = 1
            return Linear(0.0, ((self.text[0], 1.0),))
        return Linear(1.0)

    def group(self, closer: str) -> Parsed | None:
        """Elements and brackets up to ``closer`` or the end."""
        members: list[tuple[Parsed, Linear, bool]] = []
        listed = False
        while self.position < len(self.text) and self.text[self.position] not in _CLOSE:
            if closer and members and self.text[self.position] in ",/":
                listed, self.position = True, self.position + 1
                continue
            unit = self._unit()
            if unit is None:
                return None
            start = self.position
            amount = self._amount()
            if amount is None:
                return None
            members.append((unit, amount, self.position > start))
        if listed and not any(stated for _, _, stated in members):
            return _mixed([unit for unit, _, _ in members])
        whole = Parsed()
        if not all(whole.add(unit, amount) for unit, amount, _ in members):
            return None
        return whole

    def _unit(self) -> Parsed | None:
        character = self.text[self.position]
        if character in _OPEN:
            closer = _CLOSE[_OPEN.index(character)]
            self.position += 1
            inner = self.group(closer)
            if inner is None or not self.text.startswith(closer, self.position):
                return None
            self.position += 1
            return inner
        isotope = _ISOTOPE.match(self.text, self.position)
        if isotope:
            self.position = isotope.end()
        symbol = self._symbol()
        if symbol is None:
            return None
        if symbol == "D":
            return Parsed({"H": Linear(1.0)}, {"H": 2})
        return Parsed({symbol: Linear(1.0)}, {symbol: int(isotope[1])} if isotope else {})

    def _symbol(self) -> str | None:
        match = _SYMBOL.match(self.text, self.position)
        if self.text.startswith("RE", self.position):
            symbol = "RE"
        elif match is None:
            return None
        elif match[0] in ELEMENTS or match[0] in RARE_EARTH_PLACEHOLDERS:
            symbol = match[0]
        elif match[0][0] in ELEMENTS or match[0][0] in RARE_EARTH_PLACEHOLDERS or match[0][0] == "D":
            symbol = match[0][0]
        else:
            return None
        self.position += len(symbol)
        return symbol

    def _amount(self) -> Linear | None:
        """The amount behind a unit: nothing is 1; ``7-δ``, ``(2-x)``, ``1/2``, ``0.5x``, ``{6.93}``."""
        if self.position < len(self.text) and self.text[self.position] in "({":
            closer = _CLOSE[_OPEN.index(self.text[self.position])]
            start = self.position
            self.position += 1
            inner = self._sum()
            if inner is not None and self.text.startswith(closer, self.position):
                self.position += 1
                return inner
            self.position = start
            return Linear(1.0)
        return self._sum() or Linear(1.0)

    def _sum(self) -> Linear | None:
        total = self._term()
        while total is not None and self.position < len(self.text) and self.text[self.position] in "+-±":
            sign = -1.0 if self.text[self.position] == "-" else 1.0
            mark = self.position
            self.position += 1
            term = self._term(signed=True)
            if term is None:
                self.position = mark
                return total
            total = total.plus(term.scaled(sign))
        return total

    def _term(self, *, signed: bool = False) -> Linear | None:
        fraction = _FRACTION.match(self.text, self.position)
        number = _NUMBER.match(self.text, self.position)
        coefficient = 1.0
        if fraction and int(fraction[2]):
            self.position = fraction.end()
            coefficient = int(fraction[1]) / int(fraction[2])
        elif number:
            self.position = number.end()
            coefficient = float(number[0])
        unknown = _UNKNOWN.match(self.text, self.position)
        if unknown is None and signed:
            unknown = _CAPITAL.match(self.text, self.position)
        if unknown is None:
            return Linear(coefficient) if number else None
        self.position = unknown.end()
        divided = re.compile(r"/(\d+)").match(self.text, self.position)
        if divided and int(divided[1]):
            self.position = divided.end()
            coefficient /= int(divided[1])
        return Linear(0.0, ((unknown[0].lower(), coefficient),))


def _mixed(units: list[Parsed]) -> Parsed | None:
    """A site shared in unstated parts, ``(La,Sr)``: each part an unknown, together one."""
    symbols = sorted({symbol for unit in units for symbol in unit.amounts})
    if len(symbols) != len(units) or len(symbols) < 2:
        return None
    site = "|".join(symbols)
    rest = Linear(1.0)
    mixed = Parsed()
    for symbol in symbols[1:]:
        share = Linear(0.0, ((f"{symbol} of {site}", 1.0),))
        mixed.amounts[symbol] = share
        rest = rest.plus(share.scaled(-1.0))
    mixed.amounts[symbols[0]] = rest
    for unit in units:
        mixed.isotopes.update(unit.isotopes)
    return mixed
