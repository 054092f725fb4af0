"""Amounts with the name of what there is of it: ``5 µg of GLK-12``, ``1 % sodium on lead``."""

import re
from collections.abc import Iterable, Sequence

from pincite_scoring.record_filling.naming import LONGEST, Context, words_of

_OF = re.compile(r"\s+(?:of\s+(?:the\s+)?)?(?=[^\W\d])")
_REACH = 12
"""Words between a number and the name of what it counts: ``the low dose holds 12.5 µg and the other 25 µg of X``."""
_ANOTHER_AMOUNT = frozenset({"per", "each", "and", "or", "plus", "with", "without", "no", "not", "than", "+", "/"})
"""Words behind a name that make the amount another one, or one of more than this."""


def without_substance(answer: str, gold: str, context: Context) -> str:
    """The amount alone where ``answer`` names what it counts and a paper says so; else the answer as it is.

    The name is another value of the gold object, and the first of these that a paper prints behind the gold's number.
    Words behind the name must be printed there too.
    """
    if len(answer) > LONGEST:
        return answer
    names = {words_of(value) for value in context.others} - {()}
    for gap in _OF.finditer(answer):
        tail = words_of(answer[gap.end() :])
        name = _first(tail, names)
        if name is None or _ANOTHER_AMOUNT & {*tail}:
            continue
        amount = words_of(gold)
        if any(_counts(paper, amount, name, tail, names) for paper in context.papers()):
            return answer[: gap.start()]
    return answer


def _counts(
    paper: str, amount: Sequence[str], name: Sequence[str], tail: Sequence[str], names: Iterable[tuple[str, ...]]
) -> bool:
    """Whether a paper prints the amount, and of the object's names this one first behind it, with what follows it."""
    wanted = f" {' '.join(amount)} "
    at = paper.find(wanted)
    while at >= 0:
        behind = tuple(paper[at + len(wanted) :].split(" ", _REACH + len(tail) + 1)[: _REACH + len(tail)])
        place = next((n for n in range(min(_REACH, len(behind))) if _first(behind[n:], names) is not None), None)
        if place is not None and behind[place : place + len(tail)] == tuple(tail) and _first(tail, names) == name:
            return True
        at = paper.find(wanted, at + 1)
    return False


def _first(words: Sequence[str], names: Iterable[tuple[str, ...]]) -> tuple[str, ...] | None:
    """The longest name that the words begin with."""
    found = [name for name in names if tuple(words[: len(name)]) == name]
    return max(found, key=len) if found else None
