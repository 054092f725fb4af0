"""Formulas of computed columns: plain arithmetic over the numbers of a row, exact until it is rounded."""

import ast
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from pincite_core.errors import BadInputError
from pincite_scoring.table_construction.amounts import read_amount

_NAME = re.compile(r"\{([^{}]+)\}")
_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}


def names_in(formula: str) -> list[str]:
    """The columns and inputs that a formula names, in its order."""
    return list(dict.fromkeys(_NAME.findall(formula)))


def compute(formula: str, values: Mapping[str, str]) -> Fraction | None:
    """The value of ``formula`` over ``values``; None where one of them is empty, no number, or divides by zero.

    BadInputError for a formula that is not arithmetic of + - * / and numbers, or names what is not there.
    """
    names = names_in(formula)
    if unknown := [name for name in names if name not in values]:
        raise BadInputError(
            f"The formula {formula!r} names what the row does not have.",
            seen=", ".join(unknown),
            next="Name a column or an input.",
        )
    bound: dict[str, Fraction] = {}
    for number, name in enumerate(names):
        amount = read_amount(values[name])
        if amount is None:
            return None
        bound[f"n{number}"] = Fraction(amount.number) * Fraction(amount.unit.scale)
    text = _NAME.sub(lambda found: f"n{names.index(found[1])}", formula)
    try:
        return _evaluate(ast.parse(text, mode="eval").body, bound, formula)
    except ZeroDivisionError:
        return None
    except SyntaxError as error:
        raise _broken(formula) from error


def _evaluate(node: ast.expr, bound: Mapping[str, Fraction], formula: str) -> Fraction:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _evaluate(node.left, bound, formula), _evaluate(node.right, bound, formula)
        return _OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluate(node.operand, bound, formula)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return Fraction(str(node.value))
    if isinstance(node, ast.Name) and node.id in bound:
        return bound[node.id]
    raise _broken(formula)


def _broken(formula: str) -> BadInputError:
    return BadInputError(f"{formula!r} is not a formula.", next="Write + - * / over numbers and {names}.")
