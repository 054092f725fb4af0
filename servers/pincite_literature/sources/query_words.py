"""What a caller searches for, taken apart so that no word of it becomes an operator or a field of a source."""

import re
from dataclasses import dataclass

from pincite_core.characters import ANGLED_QUOTES, DOUBLE_PRIME, DOUBLE_QUOTES, LOW_DOUBLE_QUOTES, UNSEEN
from pincite_core.errors import BadInputError
from pincite_papers.characters import clean

MOST_CHARS = 2_000
"""Longest query: what every source takes in an address."""

_UNSEEN = dict.fromkeys(map(ord, UNSEEN), "")
_ALIKE = DOUBLE_QUOTES + LOW_DOUBLE_QUOTES + ANGLED_QUOTES + DOUBLE_PRIME + "＂"
_QUOTES = dict.fromkeys(map(ord, _ALIKE), '"') | _UNSEEN
_PART = re.compile(r'"([^"]*)"|([^\s"]+)')
INITIALS = re.compile(r"[A-Z]{1,3}")
_OPERATORS = frozenset({"and", "or", "not", "andnot"})
_EMPTY = frozenset({
    "a", "about", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "do", "does", "for", "from", "has",
    "have", "how", "in", "into", "is", "it", "its", "of", "on", "or", "over", "such", "than", "that", "the", "their",
    "these", "this", "to", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or the words between two double quotes."""

    text: str
    phrase: bool = False


def terms_of(text: str) -> tuple[Term, ...]:
    """The terms of a query; words that sources read as operators, and those that say nothing, are left out.

    BadInputError when there is no word in it or it is longer than ``MOST_CHARS``.
    """
    parts = list(_parts(text))
    said = [one for one in parts if one.phrase or one.text.lower() not in _OPERATORS]
    telling = [one for one in said if one.phrase or one.text.lower() not in _EMPTY]
    return tuple(telling or said or [Term(one.text, phrase=True) for one in parts])


def words_of(text: str) -> tuple[str, ...]:
    """The words of a filter (an author, a venue) without quotes and punctuation around them; () for none."""
    return tuple(word for part in _split(text) for word in part.text.split() if _tells(word))


def parted_name(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words of the family name and given names of a filter by author: "Ada M. Lovelace", "Lovelace, Ada M.",
    "Lovelace AM", "Johannes van der Waals"; a name of one word is a family name.
    """
    before, comma, after = name.partition(",")
    family, given = words_of(before), words_of(after)
    if comma or len(family) < 2:
        return family, given
    if INITIALS.fullmatch(family[-1]) and not INITIALS.fullmatch(family[0]):
        return family[:-1], family[-1:]
    at = next((place for place, word in enumerate(family[1:-1], 1) if word.islower()), len(family) - 1)
    return family[at:], family[:at]


def person_of(name: str) -> tuple[str, str]:
    """Family name and initials of a filter by author, "" for none; see ``parted_name``."""
    family, given = parted_name(name)
    initials = [word if INITIALS.fullmatch(word) else word[0] for word in given]
    return " ".join(family), "".join(initials).upper()


def checked_query(text: str, *, source: str) -> str:
    """A query in a source's own language, as it is; BadInputError when it is empty, too long, or its quotes,
    parentheses or brackets do not close (a filter added to it would be undone)."""
    query = " ".join(text.split())
    if not any(character.isalnum() for character in query):
        raise _nothing(text)
    _bound(query)
    open_part = _open_part(query, escapes=True) or _open_part(query, escapes=False)
    if open_part:
        raise BadInputError(
            f"The query for {source} does not close.",
            seen=open_part,
            next="Close every quote, parenthesis and bracket, in their order.",
        )
    return query


def _open_part(query: str, *, escapes: bool) -> str:
    """What of a query is not closed, "" for nothing; ``escapes`` tells whether a backslash takes a sign its meaning."""
    depth, quoted, escaped = 0, False, False
    for character in query:
        if escaped:
            escaped = False
        elif escapes and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "([{}])":
            depth += 1 if character in "([{" else -1
            if depth < 0:
                break
    if quoted:
        return "a quote that is not closed"
    if escaped:
        return "a backslash at its end"
    return "parentheses or brackets that do not match" if depth else ""


def _parts(text: str) -> list[Term]:
    _bound(text)
    parts = _split(text)
    if not parts:
        raise _nothing(text)
    return parts


def _split(text: str) -> list[Term]:
    """Terms that hold a letter or digit; a quote that is never closed is left out."""
    straight = clean(text).translate(_QUOTES)
    found = (
        Term(" ".join(match[1].split()), phrase=True) if match[1] is not None else Term(match[2].strip(",;.!?'`"))
        for match in _PART.finditer(straight)
    )
    return [one for one in found if _tells(one.text)]


def _tells(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _bound(text: str) -> None:
    if len(text) > MOST_CHARS:
        raise BadInputError(
            "The query is too long.",
            seen=f"{len(text)} characters",
            next=f"Give at most {MOST_CHARS}: the words that matter.",
        )


def _nothing(text: str) -> BadInputError:
    return BadInputError("The query is empty.", seen=repr(text[:80]), next="Give words to search for.")
