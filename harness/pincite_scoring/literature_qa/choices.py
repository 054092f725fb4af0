"""Options of a multiple-choice question: their order, their letters, and which one an answer chose."""

import hashlib
import re
import string
from collections.abc import Sequence

from pincite_core.errors import BadInputError
from pincite_scoring.literature_qa.option_words import affirmed, says_same
from pincite_scoring.literature_qa.prose import tidy, without_lead
from pincite_scoring.literature_qa.word_answers import normal

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


def may_mean(answer: str, letter: str, options: dict[str, str]) -> bool:
    """Whether an answer that names no option for certain may mean that of ``letter`` all the same: it has a part of
    what that one says, and offers no choice."""
    text = tidy(answer)
    stated = _LEADING_LETTER.match(without_lead(text)) or _OPTION.fullmatch(text)
    return stated is None and letter in affirmed(text, options).possible


def _named(text: str, options: dict[str, str]) -> str | None:
    """The option that a sentence names: by a letter before or instead of words that are no other option's, else by
    what it says."""
    meant = [letter for letter, words in options.items() if says_same(text, words)]
    letter = _LEADING_LETTER.match(without_lead(text)) or _OPTION.fullmatch(text)
    if letter is not None:
        rest = text[text.index(letter[1]) + 1 :].strip(" .:)-–—,")
        others = [each for each, words in options.items() if each != letter[1] and rest and says_same(rest, words)]
        return letter[1] if letter[1] in options and not others else None
    return meant[0] if len(meant) == 1 else affirmed(text, options).letter
