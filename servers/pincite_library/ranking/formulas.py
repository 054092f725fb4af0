"""Chemical formulas told from other tokens by their elements."""

import re

from pincite_library.ranking.function_words import ELEMENTS

_PIECE = re.compile(r"([A-Z][a-z]?)|(\d+(?:\.\d+)?|[xyznm]|[-+./·,()\[\]\x1f]|delta)")


def family(token: str) -> str:
    """The elements of a formula, lower case and in alphabetical order, as in ``bacuoy`` of ``YBa2Cu3O6.93``.

    Empty where the token is none, or holds fewer than three elements: two say little and are words too often.
    """
    if not token[0].isupper() and token[0] not in "([0123456789":
        return ""
    found: set[str] = set()
    place = 0
    while place < len(token):
        piece = _PIECE.match(token, place)
        if piece is None:
            return ""
        place = piece.end()
        symbol = piece[1]
        if symbol:
            if symbol not in ELEMENTS:
                # "Ox" is oxygen and an unknown amount.
                symbol, place = symbol[0], place - 1
            if symbol not in ELEMENTS:
                return ""
            found.add(symbol)
    return "".join(sorted(symbol.lower() for symbol in found)) if len(found) > 2 else ""
