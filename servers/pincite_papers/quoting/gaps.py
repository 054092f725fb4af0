"""Gaps: what stands between two characters of a skeleton, and which differences there change nothing that is said.

Safe are white space, line-end hyphens, kinds of dashes and lost script marks, except where a number, a sign, a power
or a unit would become another one: ``10^5`` and ``105``, ``−5`` and ``5``, ``1 2`` and ``12``, ``3. 5`` and ``3.5``,
``m s`` and ``ms``, ``a typical`` and ``atypical``.
"""

import re
from dataclasses import dataclass

from pincite_core.characters import NUMBER_SPACES
from pincite_papers.quoting.joining import NEGATED, PREFIXES_THAT_ARE_UNITS, UNITS
from pincite_papers.quoting.skeleton import DASHES, HYPHENS, INVISIBLE, SUBSCRIPTS, SUPERSCRIPTS, folded

SPACES = "spaces"
BREAK = "break between blocks"
HYPHENATION = "hyphens"
KINDS_OF_DASH = "dashes and minus signs"
SCRIPTS = "script marks"
UNSEEN = "invisible characters"
LIGATURES = "ligatures"
QUOTATION = "quotation marks"
TIMES = "multiplication sign"
FORMS = "compatibility characters"

_RAISED_OR_LOWERED = SUPERSCRIPTS | SUBSCRIPTS
_THIN = frozenset(NUMBER_SPACES)
_SCREW_AXIS = re.compile(r"[PIFABCRH][-−]?[2-6]_\{?[1-5]\}?(?![\d.])")
_ASCII_DASHES = re.compile("-{2,3}")


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two characters: its dashes, the script marks opened, whether a script was closed, white space
    before and behind the dashes (all of it ``left`` where there is none), whether blocks part there.
    """

    dashes: str
    marks: str
    closed: bool
    left: str
    right: str
    unseen: bool

    @property
    def spaced(self) -> bool:
        return bool(self.left or self.right)


@dataclass(frozen=True, slots=True)
class Side:
    """A text and the offsets of the two characters around a gap in it."""

    text: str
    before: int
    after: int

    def raw(self) -> str:
        """The gap as it is."""
        return self.text[self.before + 1 : self.after]

    def gap(self) -> Gap:
        """The gap, read; raised and lowered characters open and close scripts as marks do."""
        raw, dashes, marks, closed, left, right, unseen = "", "", "", False, "", "", False
        level = _level(self.text[self.before])
        for character in self.text[self.before + 1 : self.after + 1]:
            now = _level(character)
            if now != level:
                closed = closed or bool(level)
                raw += now
            level = now
            raw += character
        for character in raw[: len(raw) - 1]:
            if character in DASHES:
                dashes += "−" if character in _RAISED_OR_LOWERED else character
            elif character in "^_":
                marks += character
            elif character == "}":
                closed = True
            elif character in INVISIBLE:
                unseen = True
            elif character.isspace():
                left, right = (left, right + character) if dashes else (left + character, right)
        return Gap(_ASCII_DASHES.sub("–", dashes), marks, closed, left, right, unseen)

    def words(self) -> tuple[str, str]:
        """The letters that end at the gap, and those that begin behind it."""
        low = self.before
        while low >= 0 and self.text[low].isalpha():
            low -= 1
        high = self.after
        while high < len(self.text) and self.text[high].isalpha():
            high += 1
        return self.text[low + 1 : self.before + 1], self.text[self.after : high]


def _level(character: str) -> str:
    return "^" if character in SUPERSCRIPTS else "_" if character in SUBSCRIPTS else ""


def compare_gaps(quote: Side, paper: Side) -> frozenset[str] | None:
    """The normalisations that make the two gaps one; empty where they are the same, None where they must not be."""
    if quote.raw() == paper.raw() and not _levels_meet(quote) and not _levels_meet(paper):
        return frozenset()
    said, printed = quote.gap(), paper.gap()
    names: set[str] = set()
    if said.unseen != printed.unseen:
        names.add(UNSEEN)
    marks = _marks(quote, said, paper, printed)
    dashes = _dashes(quote, said, paper, printed)
    if marks is None or dashes is None:
        return None
    names |= marks | dashes
    if not said.dashes and not printed.dashes and bool(said.left) != bool(printed.left):
        with_space, without = (quote, paper) if said.left else (paper, quote)
        if not _space_is_nothing(with_space, without):
            return None
    if (said.left, said.right) != (printed.left, printed.right):
        blocks = any("\n\n" in gap.left or "\n\n" in gap.right for gap in (said, printed))
        names.add(BREAK if blocks and said.spaced and printed.spaced else SPACES)
    return frozenset(names)


def _levels_meet(side: Side) -> bool:
    return side.text[side.before] in _RAISED_OR_LOWERED or side.text[side.after] in _RAISED_OR_LOWERED


def compare_characters(said: str, printed: str) -> str:
    """The normalisation that makes one character of the other, which has the same skeleton."""
    if _RAISED_OR_LOWERED & {said, printed}:
        return SCRIPTS
    if any(len(folded(character)) > 1 and folded(character).isalpha() for character in (said, printed)):
        return LIGATURES
    if folded(said) in "'\"":
        return QUOTATION
    if folded(said) == "x":
        return TIMES
    return FORMS


def _digits(side: Side) -> bool:
    return side.text[side.before].isdigit() and side.text[side.after].isdigit()


def _marks(quote: Side, said: Gap, paper: Side, printed: Gap) -> frozenset[str] | None:
    same = said.marks == printed.marks
    apart = said.spaced and printed.spaced
    if same and (said.closed == printed.closed or apart or not _digits(paper)):
        return frozenset() if said.closed == printed.closed else frozenset({SCRIPTS})
    if said.marks and printed.marks and not same:
        return None
    safe = _power_of_ten_without_mark(quote, said, paper, printed) or _in_a_space_group(
        paper if printed.marks else quote
    )
    if _digits(paper) and not safe:
        return None
    return frozenset({SCRIPTS})


def _power_of_ten_without_mark(quote: Side, said: Gap, paper: Side, printed: Gap) -> bool:
    """``10^−5`` copied as ``10−5``; the other way round only where the paper's dash is a minus sign."""
    if said.spaced or printed.spaced or len(said.dashes) != 1 or len(printed.dashes) != 1:
        return False
    marked = quote if said.marks else paper
    number = marked.text[max(marked.before - 2, 0) : marked.before + 1]
    ten = number.endswith("10") and not (len(number) == 3 and (number[0].isdigit() or number[0] in ".,"))
    return ten and "^" in (said.marks, printed.marks) and (printed.marks == "^" or printed.dashes == "−")


def _in_a_space_group(marked: Side) -> bool:
    """Whether the script is the screw axis of a space group's symbol: ``P6_3/mmc`` is copied as ``P63/mmc``."""
    start = max(marked.text.rfind(" ", 0, marked.before + 1), marked.text.rfind("\n", 0, marked.before + 1)) + 1
    return _SCREW_AXIS.match(marked.text[start : marked.after + 20].lstrip("(")) is not None


def _dashes(quote: Side, said: Gap, paper: Side, printed: Gap) -> frozenset[str] | None:
    if len(said.dashes) != len(printed.dashes):
        if not said.dashes or not printed.dashes:
            with_dash, gap = (quote, said) if said.dashes else (paper, printed)
            if _is_nothing_but_a_hyphen(with_dash, gap):
                return frozenset({HYPHENATION})
        return None
    if not said.dashes:
        return frozenset()
    if _shape(said) != _shape(printed) and not _shapes_agree(paper, said, printed):
        return None
    return frozenset() if said.dashes == printed.dashes else frozenset({KINDS_OF_DASH})


def _is_nothing_but_a_hyphen(side: Side, gap: Gap) -> bool:
    """A hyphen inside a word, printed or left from the end of a line; never one that may be a minus sign."""
    if gap.left or gap.marks or len(gap.dashes) != 1 or gap.dashes not in HYPHENS:
        return False
    first, second = side.words()
    if not first or not second:
        return False
    if second.islower():
        return len(second) >= (2 if len(first) >= 2 else 3)
    return first.isupper() and second.isupper() and min(len(first), len(second)) >= 3


def _shape(gap: Gap) -> tuple[bool, bool]:
    return bool(gap.left), bool(gap.right)


def _shapes_agree(paper: Side, said: Gap, printed: Gap) -> bool:
    """Whether moving white space around a dash leaves a sign a sign, and a range or difference one.

    Behind a number, ``3 −5`` is two numbers and ``3−5``, ``3 − 5`` are not; behind a word all are a sign.
    """
    before, after = paper.text[paper.before], paper.text[paper.after]
    if not (after.isdigit() or after == "."):
        return True
    word = paper.words()[0]
    if before.isdigit() or before in ")]}" or len(word) == 1:
        return (_shape(said) == (True, False)) == (_shape(printed) == (True, False))
    return True


def _space_is_nothing(spaced: Side, joined: Side) -> bool:
    """Whether white space that only one side has parts no numbers, units or words that mean another thing together."""
    text, before, after = spaced.text, spaced.before, spaced.after
    a, b = text[before], text[after]
    if a.isdigit() and b.isdigit():
        return set(spaced.raw()) <= _THIN and _groups_thousands(text, before, after)
    if a.isdigit() and b in ".,":
        return not text[after + 1 : after + 2].isdigit()
    if a in ".," and b.isdigit():
        return not text[max(before - 1, 0)].isdigit() or (a == "," and not _reads_as_one_number(joined))
    if a.isalpha() and b.isalpha():
        first, second = spaced.words()
        if first in PREFIXES_THAT_ARE_UNITS and second in UNITS:
            return False
        return second.casefold() not in NEGATED.get(first.casefold(), ())
    return True


def _groups_thousands(text: str, before: int, after: int) -> bool:
    lead = re.search(
        r"(?<![\d.,])\d{1,3}(?:[\u00a0\u2007-\u200a\u202f]\d{3})*$", text[max(before - 20, 0) : before + 1]
    )
    return lead is not None and re.match(r"\d{3}(?!\d)", text[after : after + 4]) is not None


def _reads_as_one_number(joined: Side) -> bool:
    """Whether ``12,345`` or ``0,5`` came of two numbers in a list."""
    text = joined.text
    low = joined.before
    while low > 0 and text[low - 1].isdigit():
        low -= 1
    behind = re.match(r"\d+", text[joined.after :])
    return text[low : joined.before] == "0" or (behind is not None and len(behind[0]) == 3)
