"""Clauses of a pattern: texts that every match must hold, read off the expression without running it.

As in R. Cox, "Regular Expression Matching with a Trigram Index" (2012): for each part either all texts that it can
match (``exact``, while they are few) or what any match of it must hold (``need``). Whatever is not understood gives no
clause, which costs a longer search and loses nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from pincite_library.segments import lowered
from pincite_library.store.store import Clauses

_MOST_EXACT, _MOST_TEXTS, _MOST_CLAUSES = 32, 64, 16
"""Texts that a part of a pattern may stand for, that a clause may hold, and clauses of a pattern. Set by judgement."""
_MOST_CLASS, _MOST_REPEATS, _MOST_DEPTH = 12, 8, 40
"""Characters of a class and repeats that are written out, and groups inside each other. Set by judgement."""
_LEAST_CHARS = 2
"""Characters of a text that is worth looking up."""
_REPEAT = re.compile(r"(?:([*+?])|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??")
_GROUP = re.compile(r"\((?:\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?:))?(?!\?)")
_FLAGS = re.compile(r"\(\?[imsU]*(?:-[imsU]+)?\)")
_MANY = r"\\[dDsSwWCafnrtv]|\\[pP](?:\{\^?\w+\}|\w)|\\x(?:\{[0-9A-Fa-f]+\}|[0-9A-Fa-f]{2})"
_ANY = re.compile(rf"\.|{_MANY}")
_MEMBERS = re.compile(rf"\[:\^?\w+:\]|{_MANY}")
_EMPTY = re.compile(r"[\^$]|\\[bBAz]")
_QUOTED = re.compile(r"\\Q(.*?)(?:\\E|$)", re.DOTALL)
_STEADY_LETTERS = frozenset("µàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßαβγδεζηθκλμνξοπρστυφχψω")


class _UnknownError(Exception):
    """Syntax that this module does not read."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a pattern: all that it matches, or None where that is much; and clauses for any match of it."""

    exact: frozenset[str] | None = None
    need: Clauses = ()

    def clauses(self) -> Clauses:
        """What any match must hold."""
        return self.need if self.exact is None else (*self.need, *_clause(self.exact))


_NOTHING = _Part(frozenset({""}))
_ANYTHING = _Part()


def literal_clauses(needle: str) -> Clauses:
    """The clause of a text that is searched for as it is, folded and in lower case."""
    return ((needle,),)


def regex_clauses(pattern: str) -> Clauses:
    """The clauses of a valid RE2 pattern; none where nothing is sure."""
    try:
        reader = _ClauseReader(pattern)
        part = reader.alternation(0)
        if reader.at < len(pattern):
            return ()
    except _UnknownError:
        return ()
    found = sorted(set(part.clauses()), key=lambda clause: (-min(map(len, clause)), clause))
    return tuple(found[:_MOST_CLAUSES])


def _clause(texts: Iterable[str]) -> Clauses:
    """A clause of these texts; none where one of them is too short to say anything."""
    folded = tuple(sorted({lowered(text) for text in texts}))
    if len(folded) > _MOST_TEXTS or any(len(text) < _LEAST_CHARS for text in folded):
        return ()
    return (folded,)


class _ClauseReader:
    """Reads a pattern from ``at`` on, by recursive descent."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def alternation(self, depth: int) -> _Part:
        """Up to the end or the closing bracket of the group."""
        if depth > _MOST_DEPTH:
            raise _UnknownError
        branches = [self._concatenation(depth)]
        while self.pattern.startswith("|", self.at):
            self.at += 1
            branches.append(self._concatenation(depth))
        return branches[0] if len(branches) == 1 else _either(branches)

    def _concatenation(self, depth: int) -> _Part:
        parts: list[_Part] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            parts.append(self._repeated(self._atom(depth)))
        return _joined(parts)

    def _repeated(self, part: _Part) -> _Part:
        while match := _REPEAT.match(self.pattern, self.at):
            self.at = match.end()
            part = _times(part, *_bounds(match))
        return part

    def _atom(self, depth: int) -> _Part:
        if match := self._take(_FLAGS) or self._take(_EMPTY):
            return _NOTHING
        if match := self._take(_GROUP):
            part = self.alternation(depth + 1)
            if not self.pattern.startswith(")", self.at):
                raise _UnknownError
            self.at += 1
            return part
        if match := self._take(_QUOTED):
            self._no_repeat_of(match[1])
            return _joined([_character(character) for character in match[1]])
        if self._take(_ANY):
            return _ANYTHING
        if self.pattern[self.at] == "[":
            return self._class()
        return _character(self._character())

    def _take(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        match = expression.match(self.pattern, self.at)
        if match:
            self.at = match.end()
        return match

    def _no_repeat_of(self, quoted: str) -> None:
        """A repetition behind quoted text repeats its last character alone: not read here."""
        if len(quoted) != 1 and _REPEAT.match(self.pattern, self.at):
            raise _UnknownError

    def _character(self) -> str:
        """One character, escaped or not."""
        character = self.pattern[self.at]
        self.at += 1
        if character == "(":
            raise _UnknownError
        if character != "\\":
            return character
        escaped = self.pattern[self.at : self.at + 1]
        if not escaped or escaped.isalnum() or not escaped.isascii():
            raise _UnknownError
        self.at += 1
        return escaped

    def _class(self) -> _Part:
        """A class in brackets; anything where it is negated or holds many characters."""
        self.at += 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        first, few = self.at, True
        members: set[str] = set()
        while self.at == first or not self.pattern.startswith("]", self.at):
            if self.at >= len(self.pattern):
                raise _UnknownError
            if self._take(_MEMBERS):
                few = False
                continue
            low = self._character()
            high = self._range_end() or low
            if ord(high) - ord(low) >= _MOST_CLASS:
                few = False
            else:
                members.update(map(chr, range(ord(low), ord(high) + 1)))
        self.at += 1
        if negated or not few:
            return _ANYTHING
        return _few([part for member in members for part in [_character(member)]])

    def _range_end(self) -> str:
        """The last character of a range whose first was just read; "" where there is no range."""
        if not self.pattern.startswith("-", self.at) or self.pattern[self.at + 1 : self.at + 2] in ("", "]"):
            return ""
        self.at += 1
        return self._character()


def _character(character: str) -> _Part:
    """A character as it is written, if all that it can match folds alike, whether case counts or not."""
    if character == " " or ("!" <= character <= "~") or character in _STEADY_LETTERS:
        return _Part(frozenset({character}))
    if character.lower() in _STEADY_LETTERS and len(character.lower()) == 1:
        return _Part(frozenset({character}))
    caseless = character.lower() == character.upper() == character
    if ord(character) < ord(" ") or character.isspace() or not caseless:
        return _ANYTHING
    return _Part(frozenset({character}))


def _few(parts: list[_Part]) -> _Part:
    """One of these characters."""
    exact: set[str] = set()
    for part in parts:
        if part.exact is None:
            return _ANYTHING
        exact |= part.exact
    return _Part(frozenset(exact)) if 0 < len(exact) <= _MOST_CLASS else _ANYTHING


def _joined(parts: Iterable[_Part]) -> _Part:
    """Parts one behind the other."""
    need: list[tuple[str, ...]] = []
    run = _NOTHING.exact or frozenset()
    all_exact = True
    for part in parts:
        if part.exact is not None and len(run) * len(part.exact) <= _MOST_EXACT:
            run = frozenset(a + b for a, b in product(run, part.exact))
            continue
        all_exact = False
        need += [*_clause(run), *part.need]
        run = part.exact if part.exact is not None else frozenset({""})
    if all_exact:
        return _Part(run)
    return _Part(None, (*need, *_clause(run)))


def _bounds(repeat: re.Match[str]) -> tuple[int, int | None]:
    """Least and most times of a repetition, None for no bound."""
    sign, least, comma, most = repeat.groups()
    if sign:
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
    return int(least), int(most) if most else None if comma else int(least)


def _times(part: _Part, least: int, most: int | None) -> _Part:
    """A part repeated ``least`` times or more, ``most`` at most."""
    if part.exact == _NOTHING.exact:
        return part
    if least == 0:
        if most == 1 and part.exact is not None and len(part.exact) < _MOST_EXACT:
            return _Part(part.exact | {""})
        return _ANYTHING
    several = _joined([part] * min(least, _MOST_REPEATS))
    if most == least <= _MOST_REPEATS:
        return several
    return _Part(None, several.clauses())


def _either(branches: list[_Part]) -> _Part:
    """One of the branches."""
    exact = {text for branch in branches if branch.exact is not None for text in branch.exact}
    if all(branch.exact is not None for branch in branches) and len(exact) <= _MOST_EXACT:
        return _Part(frozenset(exact))
    texts: set[str] = set()
    for branch in branches:
        clauses = branch.clauses()
        if not clauses:
            return _ANYTHING
        texts.update(max(clauses, key=lambda clause: min(map(len, clause))))
    return _Part(None, (tuple(sorted(texts)),)) if len(texts) <= _MOST_TEXTS else _ANYTHING
