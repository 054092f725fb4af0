"""Evaluating: the tree of an expression becomes a quantity; every step is checked for its dimensions and its size."""

import math
from dataclasses import replace

from pincite_core.errors import BadInputError
from pincite_materials.calculator.constants import CONSTANTS
from pincite_materials.calculator.fault import fault
from pincite_materials.calculator.functions import FUNCTIONS, exponential_digits
from pincite_materials.calculator.quantity import Quantity, digits_to
from pincite_materials.calculator.tree import Binary, Call, Name, Negative, Node, Number, Product
from pincite_materials.unit_atoms import atom
from pincite_materials.units import Unit, not_understood, parse_unit

_LARGEST_POWER = 100
"""A quantity with a unit to a higher power is a mistake."""

_SMALLEST, _LARGEST = 1e-300, 1e300
"""Sizes in SI base units between which numbers stay exact to twelve digits."""


class Evaluator:
    """Evaluates one expression; ``notes`` collects what a reader may have meant otherwise."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.notes: dict[str, None] = {}

    def value(self, node: Node) -> Quantity:
        """The quantity of a node, finite and of a bearable size; BadInputError says where it has none."""
        try:
            made = self._value(node)
        except ZeroDivisionError as error:
            raise self._fault(node, "this divides by zero", "Give another divisor") from error
        except OverflowError as error:
            raise self._fault(node, "the result is too large or too small", "Use other units or exponents") from error
        except (ValueError, TypeError) as error:
            raise self._fault(node, "this has no real value", "Give an argument for which it is defined") from error
        size = abs(made.value)
        if not math.isfinite(made.value) or (size and not _SMALLEST < size < _LARGEST):
            raise self._fault(node, f"the result is beyond {_LARGEST:g} or {_SMALLEST:g}", "Use other units")
        return made

    def _value(self, node: Node) -> Quantity:
        if isinstance(node, Number):
            digits = None if node.places is None else digits_to(node.value, 10.0**node.places)
            return Quantity(node.value, digits=digits)
        if isinstance(node, Name):
            return self._named(node)
        if isinstance(node, Negative):
            return self._negative(node)
        if isinstance(node, Product):
            return self._product(node)
        if isinstance(node, Call):
            return self._call(node)
        return self._binary(node)

    def _named(self, node: Name) -> Quantity:
        constant = CONSTANTS.get(node.text)
        if constant is None:
            return self._unit(node)
        size, dimensions = atom(constant.registry)
        if constant.title:
            unit = " ".join(name if power == 1 else f"{name}^{power:g}" for name, power in constant.units.items())
            beware = f"; {constant.beware}" if constant.beware else ""
            self.notes[f"{node.text} is the {constant.title}, {size:.10g} {unit}{beware}"] = None
        return Quantity(size, dimensions, constant.units)

    def _unit(self, node: Name) -> Quantity:
        unit = self._reading(node)
        if unit.offset:
            write = "Write a number before it, or K for a difference"
            raise self._fault(node, f"{node.text} needs a number right before it", write)
        return Quantity(unit.factor, unit.dimensions, {node.text: 1.0}, unit.names)

    def _reading(self, node: Name) -> Unit:
        readings = parse_unit(node.text)
        if not readings:
            known = "Write a unit, a function such as sqrt, or a constant such as k_B"
            if node.text[:1].isalpha() and self._text[node.at + len(node.text) :].lstrip().startswith("("):
                known = f"The functions are {', '.join(FUNCTIONS)}"
            raise self._fault(node, not_understood(node.text), known)
        first, *others = readings
        if others:
            self.notes[f"{node.text} is read with A as ampere; ångström is Å"] = None
        return first

    def _negative(self, node: Negative) -> Quantity:
        operand = node.operand
        if isinstance(operand, Product) and isinstance(operand.factors[0], Number) and self._is_on_scale(operand):
            number = operand.factors[0]
            below = replace(number, text=f"-{number.text}", value=-number.value)
            return self._product(replace(operand, factors=(below, operand.factors[1])))
        value = self.value(operand)
        self._refuse_scale(value, node)
        return replace(value, value=-value.value)

    def _is_on_scale(self, node: Product) -> bool:
        if len(node.factors) != 2 or not isinstance(node.factors[0], Number) or not isinstance(node.factors[1], Name):
            return False
        name = node.factors[1].text
        return name not in CONSTANTS and any(unit.offset for unit in parse_unit(name))

    def _product(self, node: Product) -> Quantity:
        number, unit = node.factors[0], node.factors[1]
        if isinstance(number, Number) and isinstance(unit, Name) and self._is_on_scale(node):
            return self._temperature(number, unit)
        made = self.value(number)
        for factor in node.factors[1:]:
            made = made.times(self.value(factor))
        return made

    def _temperature(self, number: Number, name: Name) -> Quantity:
        """A temperature on a scale with its own zero, as the kelvins that it is."""
        unit = parse_unit(name.text)[0]
        kelvins = number.value * unit.factor + unit.offset
        if kelvins < 0:
            raise self._fault(number, "this is below absolute zero", "Write K for a difference of temperatures")
        digits = None if number.places is None else digits_to(kelvins, 10.0**number.places * unit.factor)
        self.notes[f"{number.text} {name.text} is the temperature {kelvins:.7g} K"] = None
        return Quantity(kelvins, unit.dimensions, {"K": 1.0}, digits=digits, on_scale=True)

    def _binary(self, node: Binary) -> Quantity:
        left, right = self.value(node.left), self.value(node.right)
        if node.sign in "+-":
            return self._sum(node, left, right)
        if node.sign == "^":
            return self._power(node, left, right)
        if node.sign == "*" and (left.plain or right.plain):
            self._refuse_scale(left, node)
            self._refuse_scale(right, node)
        return left.times(right, 1.0 if node.sign == "*" else -1.0)

    def _sum(self, node: Binary, left: Quantity, right: Quantity) -> Quantity:
        if left.dimensions != right.dimensions:
            verb = "added to" if node.sign == "+" else "subtracted from"
            hint = "Give both in units of one quantity"
            if right.plain and not left.plain and node.sign == "-":
                hint = "Give both in units of one quantity; a negative power is written cm^-3"
            what = f"{shown_dimensions(right)} cannot be {verb} {shown_dimensions(left)}"
            raise self._fault(node, what, hint)
        if left.on_scale != right.on_scale or (left.on_scale and node.sign == "+"):
            raise self._fault(node, "temperatures in °C or °F cannot be added up", "Write them in K")
        return left.plus(right, 1.0 if node.sign == "+" else -1.0)

    def _power(self, node: Binary, base: Quantity, power: Quantity) -> Quantity:
        if not power.plain:
            raise self._fault(node, f"the exponent has {shown_dimensions(power)}", "Give a bare number as exponent")
        if not base.plain and abs(power.value) > _LARGEST_POWER:
            what = f"{power.value:g} is too high a power of a quantity with a unit"
            raise self._fault(node, what, f"Use at most {_LARGEST_POWER}")
        self._refuse_scale(base, node)
        if base.value < 0 and power.value != int(power.value):
            raise self._fault(node, "a negative number has no real power of this kind", "Take abs(…) first")
        made = base.raised(power.value)
        if base.digits is None and power.place is not None:
            return replace(made, digits=exponential_digits(power))
        return made

    def _call(self, node: Call) -> Quantity:
        function = FUNCTIONS[node.function]
        given = [self.value(argument) for argument in node.arguments]
        if not function.least <= len(given) <= function.most:
            raise self._fault(node, *_wrong_count(node.function, len(given)))
        for argument, one in zip(node.arguments, given, strict=True):
            self._check_argument(node.function, argument, one, given[0])
        if node.function in ("sqrt", "cbrt") and given[0].value < 0:
            raise self._fault(node, "a negative number has no real root here", "Take abs(…) first")
        return function.compute(given)

    def _check_argument(self, name: str, argument: Node, one: Quantity, first: Quantity) -> None:
        takes = FUNCTIONS[name].takes
        if takes == "numbers" and not one.plain:
            what = f"{name} takes a bare number, and this has {shown_dimensions(one)}"
            raise self._fault(argument, what, "Divide by a unit first")
        if takes == "alike" and one.dimensions != first.dimensions:
            what = f"{shown_dimensions(one)} does not go with {shown_dimensions(first)}"
            raise self._fault(argument, what, "Give all in units of one quantity")
        if takes == "any" or name == "sum" or one.on_scale != first.on_scale:
            self._refuse_scale(one, argument)

    def _refuse_scale(self, value: Quantity, node: Node) -> None:
        if value.on_scale:
            raise self._fault(node, "a temperature in °C or °F has its own zero", "Write it in K")

    def _fault(self, node: Node, what: str, write: str) -> BadInputError:
        return fault(self._text, node.at, what, write)


def _wrong_count(name: str, count: int) -> tuple[str, str]:
    """What is wrong with this many arguments, and what to write."""
    if name == "log" and count == 1:
        return "log of which base is meant is open", "Write ln(x), log10(x) or log(x, base)"
    function = FUNCTIONS[name]
    wanted = str(function.least) if function.least == function.most else f"{function.least} or more"
    return f"{name} has {count} arguments", f"Give {wanted}"


def shown_dimensions(value: Quantity) -> str:
    """Dimensions as people say them: a bare number, or the unit in SI."""
    from pincite_materials.calculator.showing import si_unit

    return f"a quantity in {si_unit(value.dimensions)}" if value.dimensions else "a bare number"
