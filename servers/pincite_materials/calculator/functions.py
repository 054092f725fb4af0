"""The functions of the calculator: which quantities each takes, and how many digits of its result count."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pincite_materials.calculator.quantity import MOST_DIGITS, Quantity, digits_to, fewer, magnitude


@dataclass(frozen=True, slots=True)
class Function:
    """``takes`` says what it works on: bare "numbers", quantities of one dimension ("alike"), or "any" one quantity."""

    compute: Callable[[Sequence[Quantity]], Quantity]
    takes: str = "numbers"
    least: int = 1
    most: int = 1


def _number(function: Callable[[float], float]) -> Function:
    return Function(lambda given: Quantity(function(given[0].value), digits=given[0].digits))


def _logarithm(function: Callable[[float], float]) -> Function:
    """The digits of the argument are the decimals of its logarithm."""

    def compute(given: Sequence[Quantity]) -> Quantity:
        value, digits = function(given[0].value), given[0].digits
        return Quantity(value, digits=None if digits is None else digits_to(value, 10.0**-digits))

    return Function(compute)


def exponential_digits(exponent: Quantity) -> int | None:
    """The decimals of an exponent are the digits of its exponential."""
    place = exponent.place
    return None if place is None else min(max(-magnitude(place), 1), MOST_DIGITS)


def _exponential(given: Sequence[Quantity]) -> Quantity:
    return Quantity(math.exp(given[0].value), digits=exponential_digits(given[0]))


def _log(given: Sequence[Quantity]) -> Quantity:
    number, base = given
    return Quantity(math.log(number.value, base.value), digits=fewer(number.digits, base.digits))


def _root(power: float) -> Function:
    return Function(lambda given: given[0].raised(power), takes="any")


def _absolute(given: Sequence[Quantity]) -> Quantity:
    return replace(given[0], value=abs(given[0].value))


def _total(given: Sequence[Quantity]) -> Quantity:
    total = given[0]
    for one in given[1:]:
        total = total.plus(one, 1.0)
    return total


def _mean(given: Sequence[Quantity]) -> Quantity:
    made = _total(given).times(Quantity(1.0 / len(given)))
    return replace(made, on_scale=given[0].on_scale)


def _median(given: Sequence[Quantity]) -> Quantity:
    value = statistics.median(one.value for one in given)
    return replace(given[0], value=value, digits=fewer(*(one.digits for one in given)))


def _stdev(given: Sequence[Quantity]) -> Quantity:
    value = statistics.stdev(one.value for one in given)
    spread = given[0].dimensions == (("[temperature]", 1.0),)
    digits = fewer(*(one.digits for one in given))
    return replace(given[0], value=value, digits=digits, on_scale=False, difference=spread)


_MANY = 200
"""Arguments of a function that takes any number of them. Set by judgement."""

FUNCTIONS: Mapping[str, Function] = {
    "sqrt": _root(1 / 2),
    "cbrt": _root(1 / 3),
    "abs": Function(_absolute, takes="any"),
    "exp": Function(_exponential),
    "ln": _logarithm(math.log),
    "log10": _logarithm(math.log10),
    "log2": _logarithm(math.log2),
    "log": Function(_log, least=2, most=2),
    "sin": _number(math.sin),
    "cos": _number(math.cos),
    "tan": _number(math.tan),
    "asin": _number(math.asin),
    "acos": _number(math.acos),
    "atan": _number(math.atan),
    "sinh": _number(math.sinh),
    "cosh": _number(math.cosh),
    "tanh": _number(math.tanh),
    "min": Function(lambda given: min(given, key=lambda one: one.value), "alike", 1, _MANY),
    "max": Function(lambda given: max(given, key=lambda one: one.value), "alike", 1, _MANY),
    "sum": Function(_total, "alike", 1, _MANY),
    "mean": Function(_mean, "alike", 1, _MANY),
    "median": Function(_median, "alike", 1, _MANY),
    "stdev": Function(_stdev, "alike", 2, _MANY),
}
"""By name; ``stdev`` is that of a sample (n - 1). A bare ``log`` is refused: some mean e by it and some ten."""
