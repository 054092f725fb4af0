"""Spellings: the forms in which a quote may be given: in quotation marks, as the row of a table, as LaTeX, in parts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite_papers.model import BlockKind, Paper

ELLIPSIS = "ellipsis"
ENCLOSED = "quotation marks around it"
SEPARATORS = "separators of table cells"

_PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "'"}
_OMISSION = re.compile(r"\s*(?:[\[(]\s*(?:…|\.{3,}|\. \. \.)\s*[\])]|…|\.{3,}|\. \. \.)\s*")
_RULE = re.compile(r"^[\s|:+=-]*$")
_SEPARATORS = tuple(
    # Blanks are looked at once, from where they begin: a long run of them must not cost its square.
    re.compile(rf"(?:(?<!\s)\s+)?(?:{mark})\s*")
    for mark in (r"\||\\\\|\t", r"(?<=\s)&(?=\s)|\\\\", r";|\t", r",(?=\s)|\t")
)
"""What may part the cells of a row that was copied: bars, LaTeX's signs, semicolons, commas."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A quote in one form, and the normalisations that made it of the given one."""

    text: str
    names: frozenset[str] = frozenset()
    cells: int = 0
    """Parted cells that it has, as the row of a table; it must then stand inside one."""

    def fits(self, paper: Paper, start: int, end: int) -> bool:
        """Whether this form may be found at ``text[start:end]``: cells only inside a table that parts them."""
        if not self.cells:
            return True
        inside = any(
            block.kind is BlockKind.TABLE and block.start <= start and end <= block.end for block in paper.blocks
        )
        return inside and sum(character in "\t\n" for character in paper.text[start:end]) >= self.cells - 1


def spellings(quote: str) -> Iterator[Spelling]:
    """The forms to look for, the plainest first."""
    text = quote.strip()
    yield Spelling(text)
    inner = _unquoted(text)
    if inner != text:
        yield Spelling(inner, frozenset({ENCLOSED}))
    for pattern in _SEPARATORS:
        row = _row(inner, pattern)
        if row is not None:
            yield row


def parts(text: str) -> list[str]:
    """The parts of a quote with an ellipsis, in order; none for a quote without."""
    found = _OMISSION.split(text)
    return [part for part in found if part] if len(found) > 1 else []


def _unquoted(text: str) -> str:
    while len(text) > 2 and _PAIRS.get(text[0]) == text[-1]:
        text = text[1:-1].strip()
    return text


def _row(text: str, pattern: re.Pattern[str]) -> Spelling | None:
    """The text as cells parted by tabs; None where nothing parts it. Markdown's rules under a header go."""
    lines = [line for line in text.split("\n") if not _RULE.match(line)]
    rows = [[cell.strip() for cell in pattern.split(line.strip().strip("|"))] for line in lines]
    cells = sum(len(row) for row in rows)
    if cells - len(rows) < 1:
        return None
    return Spelling("\n".join("\t".join(row) for row in rows), frozenset({SEPARATORS}), cells)
