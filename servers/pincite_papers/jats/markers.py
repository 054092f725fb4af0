"""What print sets before the items of a list."""

from collections.abc import Callable

from pincite_papers.markup.elements import Element


def list_marker(kind: str) -> Callable[[int], str]:
    """What print sets before the items of a list of this type."""
    if kind in ("order", "ordered", "number", "numbered", "arabic"):
        return lambda number: f"{number}."
    if kind in ("alpha-lower", "alpha-upper"):
        first = "a" if kind == "alpha-lower" else "A"
        return lambda number: f"{chr(ord(first) + (number - 1) % 26)}."
    if kind in ("roman-lower", "roman-upper"):
        return lambda number: f"{_roman(number) if kind == 'roman-upper' else _roman(number).lower()}."
    if kind in ("simple", "none"):
        return lambda number: ""
    return lambda number: "•"


def _roman(number: int) -> str:
    text = ""
    signs = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
    for value, sign in signs:
        count, number = divmod(number, value)
        text += sign * count
    return text


def first_number(element: Element) -> int:
    """The number of the first item (a list that goes on from another one says so)."""
    given = element.get("start", "1")
    return int(given) if given.isdecimal() and len(given) < 6 else 1
