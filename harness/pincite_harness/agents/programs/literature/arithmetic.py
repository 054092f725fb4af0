"""Arithmetic: the sum that a claim states for a computed number, computed again."""

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "≈": "=", "≅": "=", ":": "/"})
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda one, other: one / other,
}
_LONGEST = 300
"""Characters of a sum: far more than any that is stated for one number."""
_CLOSE = 0.005
"""Relative difference (no unit) between a sum and its stated result: rounding to three digits stays below it, a slip in
any of these digits does not."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum that comes out: the numbers that go into it, and its result as it was written."""

    inputs: tuple[str, ...]
    result: str


def read_sum(text: str) -> Sum:
    """The sum ``4.5 * 20 / 3 = 30``; ValueError where it cannot be read, or does not come out so."""
    plain = text.translate(_SIGNS).replace(",", "")
    left, equals, right = plain.rpartition("=")
    if not equals or len(text) > _LONGEST:
        raise ValueError(f"{text!r} is not a sum with its result, such as 4.5 * 20 / 3 = 30")
    stated = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*", right)
    if stated is None:
        raise ValueError(f"{text!r} does not end in a bare number")
    try:
        value = _value(ast.parse(left.strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, RecursionError, OverflowError) as error:
        raise ValueError(f"{text!r} cannot be computed: bare numbers, + - * / and brackets alone") from error
    decimals = len(stated[1].partition(".")[2])
    room = max(0.5 * 10.0**-decimals, _CLOSE * abs(value)) * (1 + 1e-9)
    if abs(value - float(stated[1])) > room:
        raise ValueError(f"{text!r} does not come out: it is {value:g}")
    return Sum(tuple(_NUMBER.findall(left)), stated[1])


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError("bare numbers, + - * / and brackets alone")
