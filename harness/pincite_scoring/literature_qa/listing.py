"""A list that is told in a sentence: does it name the gold's items and no others?"""

import re
from collections.abc import Sequence

from pincite_scoring.literature_qa.names import FILLER, NEGATING, tokens_of

_CLAUSE_END = re.compile(
    r"\s*(?:[;\n]|\.\s|,\s+(?=(?:those|these|the (?:others?|rest|ones|remaining))\b)|"
    r",?\s*\b(?:while|whereas|but|unlike|in contrast(?: to)?|as opposed to|rather than)\b)\s*",
    re.IGNORECASE,
)
_SETTING_ASIDE = re.compile(
    r"\b(?:all|every\w*|none|any\w*)\s+(?:\w+\s+){0,2}(?:but|except|other than)\b|\b(?:except|excluding|apart from)\b",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\(([^()]*)\)")
_SLASH = re.compile(r"(?<=[^\W\d_])/(?=[^\W\d_])")
_NAMING = frozenset(("and", "or", "also", "both", "plus", "possibly", "perhaps", "maybe", "probably", "well"))
_CHOOSING = frozenset(("or", "either", "neither", "nor"))
_HEDGING = frozenset(("possibly", "perhaps", "maybe", "probably", "might", "may", "partly", "sometimes"))
_LIGHT = frozenset(("whose", "any", "all", "each", "two", "three", "four", "five", "ones", "there", "came", "come"))
_EXCLUDED = re.compile(r"\b(?:not|never)\b\s+([\w-]+)", re.IGNORECASE)


def says_items(words: str, items: Sequence[Sequence[str]], question: str) -> str | None:
    """correct where one clause names every item and else has only words of the question, and all other clauses and
    brackets tell of the rest in the opposite way; incorrect where what the question asks with "not" is told of the
    items without it, or the items are the exception; None for what else is said."""
    asked = frozenset(tokens_of(question))
    negative = bool(asked & NEGATING)
    names = [[tokens_of(spelling) for spelling in spellings] for spellings in items]
    own = frozenset(word for forms in names for form in forms for word in form)
    if _SETTING_ASIDE.search(words) and not _SETTING_ASIDE.search(question):
        return "incorrect" if all(any(_holds(tokens_of(words), form) for form in forms) for forms in names) else None
    bare = _BRACKETS.sub(lambda found: " " if _is_remark(found[1], negative, asked, own) else found[0], words)
    clauses = [tokens_of(clause) for clause in _CLAUSE_END.split(_SLASH.sub(" / ", bare)) if clause.strip()]
    naming = [clause for clause in clauses if any(_holds(clause, form) for forms in names for form in forms)]
    if len({_denies(clause) for clause in naming}) > 1:
        told = [clause for clause in naming if not _denies(clause)]
        is_told = any(_says_verb(clause, question) or clause[-1] in ("did", "do", "does") for clause in told)
        return "incorrect" if negative and is_told else None
    if len(naming) != 1 or not all(any(_holds(naming[0], form) for form in forms) for forms in names):
        return None
    denies = _denies(naming[0])
    others = [clause for clause in clauses if clause is not naming[0]]
    if not (denies and negative) and frozenset(naming[0]) & _CHOOSING:
        return None
    if any(frozenset(clause) & _HEDGING for clause in clauses) or _is_new(naming[0], own, asked):
        return None
    if (denies and not negative) or (negative and not denies and _says_verb(naming[0], question)):
        return "incorrect"
    return "correct" if all(_denies(clause) != (denies or negative) for clause in others) else None


def _denies(clause: Sequence[str]) -> bool:
    return bool(frozenset(clause) & NEGATING) or "none" in clause


def _says_verb(clause: Sequence[str], question: str) -> bool:
    """Whether a clause has the verb that the question denies."""
    verbs = [word[:_STEM] for phrase in _EXCLUDED.findall(question) for word in tokens_of(phrase)]
    return any(word[:_STEM] == verb for verb in verbs for word in clause)


def _is_new(clause: Sequence[str], own: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether a clause has a word that weighs and is neither the items' nor the question's."""
    stems = {word[:_STEM] for word in asked}
    light = own | FILLER | NEGATING | _LIGHT | _CHOOSING
    return any(word not in light and word[:_STEM] not in stems for word in clause)


_STEM = 5
"""Letters by which a word is one of the question's: ``released`` and ``release``."""


def _holds(words: Sequence[str], form: Sequence[str]) -> bool:
    return any(list(words[place : place + len(form)]) == list(form) for place in range(len(words)))


def _is_remark(inside: str, negative: bool, asked: frozenset[str], own: frozenset[str]) -> bool:
    """Whether what is in brackets tells of the rest in the opposite way."""
    words = tokens_of(inside)
    told = frozenset(words)
    if not words or words[0] in _NAMING or told & (_HEDGING | _CHOOSING) or told & own:
        return False
    about = told & asked - FILLER
    return len(about) >= 2 and bool(told & NEGATING) != negative
