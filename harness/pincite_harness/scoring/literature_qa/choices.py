"""Options of a multiple-choice question: their order, their letters, and which one an answer chose."""

import hashlib
import re
import string
from collections.abc import Sequence

from pincite_core.errors import BadInputError
from pincite_harness.scoring.literature_qa.names import FILLER, NEGATING, tokens_of
from pincite_harness.scoring.literature_qa.prose import tidy, without_lead
from pincite_harness.scoring.literature_qa.quantities import quantities, spelled
from pincite_harness.scoring.literature_qa.words import normal
from pincite_materials.units import parse_unit

UNSURE = "Insufficient information to answer the question"
"""The option that declines; LAB-Bench has it in every question."""

_LETTERS = string.ascii_uppercase
_LETTER = re.compile(r"^\(?([A-Za-z])\)?[.:)]?$")
_LETTER_AND_WORDS = re.compile(r"^(?:\(([A-Z])\)|([A-Z])[.:)])\s*(\S.*)$", re.DOTALL)
_SHOWN = re.compile(r"^\(([A-Z])\) (.+)$", re.DOTALL)


_LEADING_LETTER = re.compile(
    r"^(?:the\s+)?(?:(?:correct|right|best)\s+)?(?:(?:option|choice|letter|answer)\s*(?:is\s*)?:?\s*)?"
    r"\(?([A-Z])\)?(?:\s*[.:),–—]|\s+-|\s*$)",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r".{0,60}\b(?:option|choice|answer)\s+(?:is\s+)?(?:option\s+)?\(?([A-Z])\)?[.:)]*", re.IGNORECASE | re.DOTALL
)
_BRACKETS = re.compile(r"\([^()]*\)")
_SPAN = frozenset(("between", "from", "to", "range", "and", "of"))
"""Words by which a range is said."""


def arrange(task_id: str, ideal: str, distractors: Sequence[str]) -> tuple[list[str], str]:
    """The options as they are shown (``(A) …``) and the letter of ``ideal``; UNSURE is added where it is not there.

    The order follows from ``task_id`` and the options' words alone. BadInputError for two options that read the same
    and for more than 26.
    """
    words = [ideal, *distractors]
    if normal(UNSURE) not in map(normal, words):
        words.append(UNSURE)
    if len(set(map(normal, words))) < len(words) or len(words) > len(_LETTERS):
        raise BadInputError(
            f"The options of {task_id} cannot be told apart." if len(words) <= len(_LETTERS) else "Too many options.",
            seen="; ".join(words),
            next="Give at most 25 different options.",
        )
    order = sorted(words, key=lambda word: hashlib.sha256(f"{task_id}\n{word}".encode()).digest())
    shown = [f"({letter}) {word}" for letter, word in zip(_LETTERS, order, strict=False)]
    return shown, _LETTERS[order.index(ideal)]


def read_options(shown: Sequence[str]) -> dict[str, str]:
    """The options' words by letter; BadInputError where they are not ``(A) …``, ``(B) …`` and so on."""
    matches = [_SHOWN.match(option) for option in shown]
    options = {match[1]: match[2] for match in matches if match is not None}
    if len(options) < len(shown) or list(options) != list(_LETTERS[: len(shown)]):
        raise BadInputError("The options are not lettered from (A) on.", seen="; ".join(shown))
    return options


def chosen(answer: str, options: dict[str, str], *, letter_only: bool) -> str | None:
    """The letter of the option that ``answer`` names, by its letter, its words, or the same quantities in other ones;
    None where it names none, several, or a letter and another's words."""
    text = answer.strip()
    if (letter := _LETTER.match(text)) is not None:
        return letter[1].upper() if letter[1].upper() in options else None
    if letter_only:
        return None
    by_words = {normal(words): letter for letter, words in options.items()}
    if (both := _LETTER_AND_WORDS.match(text)) is not None:
        named = both[1] or both[2]
        meant = by_words.get(normal(both[3]))
        if named in options and meant == named:
            return named
        if meant is not None or normal(text) in by_words:
            return by_words.get(normal(text))
    if normal(text) in by_words:
        return by_words[normal(text)]
    return _named(tidy(text), options)


def _named(text: str, options: dict[str, str]) -> str | None:
    """The option that a sentence names: by a letter before or instead of words that are no other option's, else by
    what it says."""
    meant = [letter for letter, words in options.items() if _says_same(text, words)]
    letter = _LEADING_LETTER.match(without_lead(text)) or _OPTION.fullmatch(text)
    if letter is not None:
        rest = text[text.index(letter[1]) + 1 :].strip(" .:)-–—,")
        others = [each for each, words in options.items() if each != letter[1] and rest and _says_same(rest, words)]
        return letter[1] if letter[1] in options and not others else None
    return meant[0] if len(meant) == 1 else None


def _says_same(text: str, option: str) -> bool:
    """Whether a text has the quantities of an option and its words that weigh, with or without what stands in
    brackets."""
    return any(_is_said(bare, option) for bare in {text, _BRACKETS.sub(" ", text)})


def _is_said(bare: str, option: str) -> bool:
    if (mine := _measures(bare)) != (theirs := _measures(option)):
        return bool(mine and theirs) and normal(bare) == normal(option)
    words, wanted = _words(bare), _words(option)
    if words & NEGATING != wanted & NEGATING:
        return False
    return bool(theirs and wanted <= words) or (bool(wanted) and words == wanted)


def _measures(text: str) -> frozenset[tuple[str, str]]:
    """The quantities of a text in base units; a number without a unit has that of the next one."""
    found: set[tuple[str, str]] = set()
    unit = ""
    for each in reversed(quantities(text)):
        unit = each.unit or unit
        readings = parse_unit(unit)
        size = each.value * readings[0].factor if readings else each.value
        found.add((f"{size:.6g}", str(readings[0].dimensions) if readings else ""))
    return frozenset(found)


def _words(text: str) -> frozenset[str]:
    bare = spelled(text)
    for each in quantities(text):
        bare = bare.replace(each.unit, " ") if each.unit else bare
    words = (word for word in tokens_of(bare) if not word[0].isdigit())
    return frozenset(words) - (FILLER - NEGATING) - _SPAN
