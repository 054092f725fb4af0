"""Computing: columns that follow from others by a formula of four operations, from printed figures, exactly."""

import ast
import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction

_SLOT = re.compile(r"\{([^{}]+)\}")
_NUMBER = re.compile(r"[-−(]?\d[\d,]*(?:\.\d+)?\)?%?")
_MOST_CHARS = 500
"""Characters of a formula. Set by judgement."""


def compute(formula: str, values: Mapping[str, str], decimals: int) -> str | None:
    """The value of a formula over the cells and inputs of a row, rounded half up; None where one of them is missing or
    is no number, and where it divides by nothing. ValueError for a formula that cannot be read."""
    names = _SLOT.findall(formula)
    try:
        tree = ast.parse(_SLOT.sub("x", formula)[:_MOST_CHARS], mode="eval")
    except SyntaxError as error:
        raise ValueError(f"the formula {formula!r} cannot be read: {error}") from error
    numbers = [number_of(values.get(name, "")) for name in names]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return None
    try:
        result = _Evaluation(known).of(tree.body)
    except ZeroDivisionError:
        return None
    exact = Decimal(result.numerator) / Decimal(result.denominator)
    return str(exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))


def number_of(text: str) -> Fraction | None:
    """The one number of a cell: separators are passed over, brackets are a minus; None without one or with several."""
    found = _NUMBER.findall(text)
    if len(found) != 1:
        return None
    plain = found[0].rstrip("%").replace(",", "").replace("−", "-")
    if plain.startswith("("):
        plain = f"-{plain[1:]}"
    try:
        return Fraction(Decimal(plain.rstrip(")")))
    except InvalidOperation:
        return None


class _Evaluation:
    """Evaluates a tree whose names stand for ``numbers``, in the order in which they are met in the text."""

    def __init__(self, numbers: list[Fraction]) -> None:
        self._numbers = iter(numbers)

    def of(self, node: ast.expr) -> Fraction:
        """Left before right, so that names are met in their order."""
        if isinstance(node, ast.Name):
            return next(self._numbers)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return Fraction(str(node.value))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.of(node.operand)
        if isinstance(node, ast.BinOp):
            left, right = self.of(node.left), self.of(node.right)
            if isinstance(node.op, ast.Add):
                return left + right
            if isinstance(node.op, ast.Sub):
                return left - right
            if isinstance(node.op, ast.Mult):
                return left * right
            if isinstance(node.op, ast.Div):
                return left / right
        raise ValueError("a formula has names in braces, numbers, + - * / and brackets alone")
