"""The tree of an expression, and how it was read, in words that leave no doubt."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written; ``places`` is the power of ten of its last digit, None for a whole number (exact)."""

    at: int
    text: str
    value: float
    places: int | None


@dataclass(frozen=True, slots=True)
class Name:
    """A unit or a constant."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Negative:
    """A minus sign before an operand."""

    at: int
    operand: "Node"


@dataclass(frozen=True, slots=True)
class Product:
    """Factors written side by side, which bind more tightly than a slash: ``5 kg m``."""

    at: int
    factors: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Binary:
    """``+ - * / ^`` between two operands; ``at`` is the place of the sign."""

    at: int
    sign: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Call:
    """A function and its arguments."""

    at: int
    function: str
    arguments: tuple["Node", ...]


Node = Number | Name | Negative | Product | Binary | Call


def written(node: Node) -> str:
    """The expression with every doubtful bracket: ``5 kJ/mol K`` was read as ``(5 kJ) / (mol K)``."""
    if isinstance(node, Number | Name):
        return node.text
    if isinstance(node, Negative):
        return f"-{_inner(node.operand)}"
    if isinstance(node, Product):
        return " ".join(_inner(factor, tight=True) for factor in node.factors)
    if isinstance(node, Call):
        return f"{node.function}({', '.join(written(argument) for argument in node.arguments)})"
    if node.sign in "+-":
        right = written(node.right)
        bracketed = isinstance(node.right, Negative) or (isinstance(node.right, Binary) and node.right.sign in "+-")
        return f"{written(node.left)} {node.sign} {f'({right})' if bracketed else right}"
    space = "" if node.sign == "^" else " "
    return f"{_inner(node.left)}{space}{node.sign}{space}{_inner(node.right)}"


def _inner(node: Node, *, tight: bool = False) -> str:
    power = tight and isinstance(node, Binary) and node.sign == "^"
    alone = isinstance(node, Number | Name | Call) or power
    return written(node) if alone else f"({written(node)})"
