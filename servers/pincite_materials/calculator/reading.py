"""Reading: an expression becomes a tree by recursive descent; tokens and nesting are bounded."""

import re
from dataclasses import dataclass

from pincite_core.errors import BadInputError, LimitReachedError
from pincite_materials.calculator.fault import fault
from pincite_materials.calculator.functions import FUNCTIONS
from pincite_materials.calculator.tree import Binary, Call, Name, Negative, Node, Number, Product
from pincite_materials.text import plain

_MOST_TOKENS, _DEEPEST, _MOST_ARGUMENTS = 400, 40, 200
"""What is read at most: more is not a calculation that a person would check, and would cost time or stack."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3}(?![\d.]))?)"
    r"|(?P<name>[^\W\d_][\w]*|[%‰]|°\s?[CF](?!\w)|°)"
    r"|(?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<arrow>->|→)"
    r"|(?P<sign>\*\*|[-+*/^(),·×⋅÷−–]))"
)
_RAISED_IN_NAME = re.compile(r"[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]")
_SIGNS = {"**": "^", "·": "*", "×": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-"}
_SUM, _TERM = frozenset("+-"), frozenset("*/")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int
    end: int


@dataclass(frozen=True, slots=True)
class Expression:
    """The tree of an expression, and the unit behind ``to`` ("" without one) with its place."""

    text: str
    tree: Node
    to: str = ""
    to_at: int = 0


def read_expression(text: str) -> Expression:
    """Read ``5.2 kJ/mol to meV``; BadInputError says where it cannot be read, LimitReachedError what is too much."""
    if not text.strip():
        raise BadInputError("The expression is empty.", next="Write one, such as k_B * 300 K to meV.")
    tokens, to, to_at = _tokens(text)
    reader = _ExpressionReader(text, tokens)
    tree = reader.sum(0)
    if reader.left:
        raise reader.unexpected()
    return Expression(text, tree, to, to_at)


def _tokens(text: str) -> tuple[list[_Token], str, int]:
    """The tokens up to ``to`` or an arrow, and what stands behind it."""
    found: list[_Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            at = position + len(text[position:]) - len(text[position:].lstrip())
            raise fault(text, at, f"{text[at]!r} means nothing here", "Use numbers, units, + - * / ^ and brackets")
        kind = match.lastgroup
        token = _Token(kind, match[kind], match.start(kind), match.end())
        position = match.end()
        if kind == "arrow" or (kind == "name" and token.text == "to"):
            unit = text[position:].strip()
            if not unit:
                raise fault(text, token.at, "no unit stands behind it", "Name the unit, as in: to meV")
            return found, unit, position + 1
        found += _split(token)
        if len(found) > _MOST_TOKENS:
            raise LimitReachedError("The expression is too long.", next=f"At most {_MOST_TOKENS} signs are read.")
    return found, "", 0


def _split(token: _Token) -> list[_Token]:
    """A name with a raised power behind it (``cm⁻³``) as two tokens."""
    raised = _RAISED_IN_NAME.search(token.text) if token.kind == "name" else None
    if raised is None:
        return [token]
    cut = token.at + raised.start()
    return [
        _Token("name", token.text[: raised.start()], token.at, cut),
        _Token("raised", token.text[raised.start() :], cut, token.end),
    ]


class _ExpressionReader:
    """A position in the tokens; each method reads what binds more tightly than the one before."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._next = 0

    @property
    def left(self) -> _Token | None:
        """The next token."""
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def unexpected(self) -> BadInputError:
        """The error for the next token, which cannot stand where it does."""
        token = self.left
        if token is None:
            return fault(self._text, len(self._text), "the expression ends too early", "Write what is missing")
        if token.text == ")":
            return fault(self._text, token.at, "this bracket was never opened", "Take it out, or open it")
        if token.text == ",":
            return fault(
                self._text, token.at, "a comma stands outside a function", "Write 1000 for 1,000 and 1.5 for 1,5"
            )
        if token.kind == "number":
            return fault(self._text, token.at, f"no sign stands before {token.text}", "Write + - * or / before it")
        return fault(self._text, token.at, f"{token.text!r} cannot stand here", "Write a number, a unit or a bracket")

    def sum(self, depth: int) -> Node:
        """Terms, added and subtracted."""
        node = self._term(depth)
        while (sign := self._sign(_SUM)) is not None:
            node = Binary(sign.at, _spelled(sign), node, self._term(depth))
        return node

    def _term(self, depth: int) -> Node:
        node = self._signed(depth)
        while (sign := self._sign(_TERM)) is not None:
            node = Binary(sign.at, _spelled(sign), node, self._signed(depth))
        return node

    def _signed(self, depth: int) -> Node:
        self._check(depth)
        sign = self._sign(_SUM)
        if sign is None:
            return self._product(depth)
        operand = self._signed(depth + 1)
        return Negative(sign.at, operand) if _spelled(sign) == "-" else operand

    def _product(self, depth: int) -> Node:
        first = self._power(depth)
        factors = [first]
        while (token := self.left) is not None and (token.kind == "name" or token.text == "("):
            factors.append(self._power(depth))
        return first if len(factors) == 1 else Product(factors[0].at, tuple(factors))

    def _power(self, depth: int) -> Node:
        base = self._single(depth)
        token = self.left
        if token is not None and token.kind == "raised":
            self._next += 1
            value = int(plain(token.text))
            return Binary(token.at, "^", base, Number(token.at, str(value), float(value), None))
        sign = self._sign(frozenset("^"))
        return base if sign is None else Binary(sign.at, "^", base, self._exponent(depth + 1))

    def _exponent(self, depth: int) -> Node:
        self._check(depth)
        sign = self._sign(_SUM)
        node = self._exponent(depth + 1) if sign is not None else self._power(depth)
        return Negative(sign.at, node) if sign is not None and _spelled(sign) == "-" else node

    def _single(self, depth: int) -> Node:
        self._check(depth)
        token = self.left
        if token is None:
            raise self.unexpected()
        self._next += 1
        if token.kind == "number":
            self._refuse_uncertainty(token)
            return self._number(token)
        if token.kind == "name":
            return self._call(token, depth) if token.text in FUNCTIONS else Name(token.at, token.text)
        if token.text == "(":
            node = self.sum(depth + 1)
            self._close(token)
            return node
        self._next -= 1
        raise self.unexpected()

    def _refuse_uncertainty(self, token: _Token) -> None:
        """``93(1)`` is a number with its uncertainty to a scientist, and a product to nobody."""
        following = self.left
        if following is not None and following.text == "(" and following.at == token.end:
            write = f"Write {token.text} * ( for a product; uncertainties are not carried along"
            raise fault(self._text, following.at, "a bracket stands right behind a number", write)

    def _number(self, token: _Token) -> Number:
        digits, _, exponent = token.text.lower().partition("e")
        whole, point, decimals = digits.partition(".")
        if len(whole) > 1 and whole.startswith("0"):
            raise fault(self._text, token.at, f"{token.text} begins with a zero", "Write 1000 for 1,000")
        exact = not point and not exponent
        places = None if exact else int(exponent or "0") - len(decimals)
        return Number(token.at, token.text, float(token.text), places)

    def _call(self, token: _Token, depth: int) -> Call:
        opened = self.left
        if opened is None or opened.text != "(":
            minute = "; a minute is written minute" if token.text == "min" else ""
            raise fault(self._text, token.at, f"{token.text} is a function", f"Write {token.text}(…){minute}")
        self._next += 1
        arguments: list[Node] = []
        while not (self.left is not None and self.left.text == ")" and not arguments):
            arguments.append(self.sum(depth + 1))
            if len(arguments) > _MOST_ARGUMENTS:
                raise LimitReachedError(f"{token.text} has too many arguments.", next=f"At most {_MOST_ARGUMENTS}.")
            if self._sign(frozenset(",")) is None:
                break
        self._close(opened)
        return Call(token.at, token.text, tuple(arguments))

    def _close(self, opened: _Token) -> None:
        token = self.left
        if token is not None and token.text != ")":
            raise self.unexpected()
        if token is None:
            raise fault(self._text, opened.at, "this bracket is never closed", "Close it")
        self._next += 1

    def _sign(self, wanted: frozenset[str]) -> _Token | None:
        token = self.left
        if token is None or token.kind != "sign" or _spelled(token) not in wanted:
            return None
        self._next += 1
        return token

    def _check(self, depth: int) -> None:
        if depth > _DEEPEST:
            raise LimitReachedError("The expression is nested too deeply.", next=f"At most {_DEEPEST} levels are read.")


def _spelled(token: _Token) -> str:
    return _SIGNS.get(token.text, token.text)
