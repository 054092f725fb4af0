"""Evidence: does the quote stand in the paper, on that page, and does it hold the value?"""

import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pincite_harness.scoring.property_extraction.compare import stated
from pincite_harness.scoring.property_extraction.records import Record
from pincite_materials.comparing import category_form
from pincite_materials.symmetry import space_group_number, symbol_key
from pincite_materials.text import plain
from pincite_materials.values import find_numbers
from pincite_papers.model import Paper

Standing = Literal["verified", "wrong_page", "absent", "no_evidence", "no_such_page"]

_SHORTEST = 3
"""A quote of fewer characters, spaces and marks apart, proves nothing."""

_QUOTES = {
    **dict.fromkeys(map(ord, "‘’‚‛′´`ʹʼ"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    ord("×"): "x",
    ord("∥"): "|",
    ord("‖"): "|",
}
_DROPPED = frozenset("^_{}\u00ad\ufeff")
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Folded:
    """Text in comparable spelling and, for each of its characters, the offset of the original."""

    text: str
    offsets: tuple[int, ...]


def fold(text: str) -> Folded:
    """``text`` without spaces, script marks ``^ _ { }`` and hyphens inside words.

    Ligatures, dashes and quotation marks are in one form. Case and everything else stays: the quote must be exact in
    what a reader sees.
    """
    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character.isspace() or character in _DROPPED:
            continue
        for piece in plain(character).translate(_QUOTES):
            if not piece.isspace():
                characters.append(piece)
                offsets.append(offset)
    kept = [i for i in range(len(characters)) if not _inner_hyphen(characters, i)]
    return Folded("".join(characters[i] for i in kept), tuple(offsets[i] for i in kept))


def _inner_hyphen(characters: list[str], index: int) -> bool:
    """A hyphen between letters: printed, or left over from the end of a line."""
    if characters[index] != "-" or not 0 < index < len(characters) - 1:
        return False
    return characters[index - 1].isalpha() and characters[index + 1].isalpha()


class Library:
    """The papers of a task, folded once each."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._papers = {name: (paper, fold(paper.text)) for name, paper in papers.items()}

    def standing(self, record: Record) -> Standing:
        """Whether the record's quote stands on its page, in the paper it names or in any.

        A quote that runs over a page boundary counts for either page.
        """
        quote = fold(unicodedata.normalize("NFC", record.location.evidence)).text
        if not record.location.evidence:
            return "no_evidence"
        named = record.location.paper
        chosen = [self._papers[named]] if named in self._papers else list(self._papers.values())
        found: set[Standing] = {_standing(paper, folded, quote, record.location.page) for paper, folded in chosen}
        order: tuple[Standing, ...] = ("verified", "wrong_page", "no_such_page", "absent")
        for standing in order:
            if standing in found:
                return standing
        return "absent"


def _standing(paper: Paper, folded: Folded, quote: str, number: int) -> Standing:
    page = next((page for page in paper.pages if page.number == number), None)
    anywhere = len(quote) >= _SHORTEST and quote in folded.text
    if page is None:
        return "wrong_page" if anywhere else "no_such_page"
    if not anywhere:
        return "absent"
    first = bisect_right(folded.offsets, page.start - 1)
    start = folded.text.find(quote, max(0, first - len(quote) + 1))
    return "verified" if start >= 0 and folded.offsets[start] < page.end else "wrong_page"


def value_in_quote(record: Record) -> bool:
    """Whether the record's number (every number of a range or tuple) or category is printed in its quote.

    Numbers are compared as numbers, so that 1.2e-3 is found in ``1.2 × 10^-3``; nothing is converted. A power of ten
    that a table's header holds may stand in the unit. Space groups may be printed in any spelling of the symbol.
    """
    quote = record.location.evidence
    value, _ = stated(record).quantity()
    wanted = category_form(record.value_string)
    if value is None or not quote:
        symbol = symbol_key(record.value_string)
        printed = bool(wanted) and wanted in category_form(quote)
        return printed or (space_group_number(record.value_string) is not None and symbol in symbol_key(quote))
    numbers = find_numbers(quote)
    if all(any(abs(n - m) <= _SAME * max(abs(n), abs(m)) for m in numbers) for n in value.numbers):
        return True
    return bool(wanted) and wanted in category_form(quote) and not wanted[:1].isdigit()
