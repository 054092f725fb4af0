"""Which clause of an answer speaks of what is asked, where several give a number of one kind."""

import re

from pincite_materials.units import same_kind
from pincite_scoring.literature_qa.names import FILLER, NEGATING, tokens_of
from pincite_scoring.literature_qa.quantities import quantities, spelled

_CLAUSE_END = re.compile(
    r"\s*(?:[;()\n]|,(?!\d)|\b(?:and|while|whereas|but|against|versus|vs\.?|compared (?:to|with)|rather than|"
    r"instead of|unlike)\b)\s*",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|excluding|except)\b((?:\s+[\w-]+){1,3})", re.IGNORECASE)


def asked_clause(words: str, question: str, unit: str) -> str | None:
    """Of several clauses that each state a quantity comparable with ``unit``, the one that alone has a condition, a
    name or else a word of the question; None where no clause stands out.

    Clauses with a word that the question excludes ("not retracted") are put aside first.
    """
    pieces = [piece for piece in _CLAUSE_END.split(words) if piece and _states(piece, unit)]
    if not unit or len(pieces) < 2:
        return None
    excluded = _excluded(question)
    left = [piece for piece in pieces if not (_bare(piece) & excluded) or _bare(piece) & NEGATING]
    if len(left) == 1:
        return left[0]
    asked = _bare(question)
    names = frozenset(word for word in asked if any(map(str.isdigit, word)))
    return _standing_out(left, names) or _standing_out(left, asked)


def _states(piece: str, unit: str) -> bool:
    return any(each.unit and same_kind(each.unit, unit) for each in quantities(piece))


def _excluded(question: str) -> frozenset[str]:
    """The words that a question says it does not mean."""
    return frozenset(word for behind in _NOT.findall(question) for word in tokens_of(behind)) - FILLER


def _bare(text: str) -> frozenset[str]:
    """The words that weigh, numbers too, without units."""
    bare = spelled(text)
    for each in quantities(text):
        bare = bare.replace(each.unit, " ") if each.unit else bare
    return frozenset(tokens_of(bare)) - (FILLER - NEGATING)


def _standing_out(pieces: list[str], asked: frozenset[str]) -> str | None:
    """The one piece with words of ``asked`` that no other piece has; None where there is none or several."""
    keys = [_bare(piece) & asked for piece in pieces]
    own = [
        piece
        for place, piece in enumerate(pieces)
        if keys[place] - frozenset[str]().union(*(each for other, each in enumerate(keys) if other != place))
    ]
    return own[0] if len(own) == 1 else None
