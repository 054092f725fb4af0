"""ReportText: a report as plain text in blocks, each character of which knows where it stands in the file."""

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal["paragraph", "heading", "item", "quotation", "table"]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """``text[start:end]`` of the plain text. ``rows`` are the cells of a table as spans, its head first."""

    kind: BlockKind
    start: int
    end: int
    rows: tuple[tuple[tuple[int, int], ...], ...] = ()
    marker: str = ""
    """The number or sign before a list item, as printed (``1.``, ``-``)."""


@dataclass(frozen=True)
class ReportText:
    """``text`` is what a reader sees; character ``i`` of it stands at ``offsets[i]`` of the file's ``source``."""

    source: str
    text: str
    offsets: tuple[int, ...]
    blocks: tuple[TextBlock, ...]
    _lines: tuple[int, ...] = field(default=(), repr=False)

    def in_source(self, start: int, end: int) -> tuple[int, int]:
        """The span of the file that ``text[start:end]`` was read from."""
        if end <= start:
            at = self.offsets[start] if start < len(self.offsets) else len(self.source)
            return at, at
        return self.offsets[start], self.offsets[end - 1] + 1

    def line(self, offset: int) -> int:
        """The line of the file, from 1, on which the character at ``offset`` of the source stands."""
        return bisect_right(self._lines, offset)

    def column(self, offset: int) -> int:
        """Its place in that line, from 1."""
        return offset - self._lines[self.line(offset) - 1] + 1


class TextBuilder:
    """Puts a ReportText together: blocks begin one after the other, and characters are put into the last."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._offsets: list[int] = []
        self._blocks: list[TextBlock] = []
        self._kind: BlockKind | None = None
        self._marker = ""
        self._start = 0
        self._rows: list[list[list[int]]] = []

    @property
    def is_open(self) -> bool:
        """Whether a block has begun and not ended."""
        return self._kind is not None

    @property
    def kind(self) -> BlockKind | None:
        """The kind of the block that is open."""
        return self._kind

    def begin(self, kind: BlockKind, marker: str = "") -> None:
        """Begin a block; one that is open ends."""
        self.end()
        self._kind, self._marker, self._start = kind, marker, len(self._offsets)

    def end(self) -> None:
        """End the block that is open; an empty one is dropped."""
        if self._kind is None:
            return
        stop = len(self._offsets)
        if any(not piece.isspace() for piece in self._pieces_from(self._start)):
            rows = tuple(tuple((cell[0], cell[1]) for cell in row) for row in self._rows if row)
            self._blocks.append(TextBlock(self._kind, self._start, stop, rows, self._marker))
            self._insert("\n\n")
        self._kind, self._rows = None, []

    def put(self, text: str, at: int) -> None:
        """Characters as they stand in the source from ``at`` on."""
        if self._kind is None:
            self.begin("paragraph")
        self._pieces.append(text)
        self._offsets.extend(range(at, at + len(text)))

    def stand_in(self, text: str, at: int) -> None:
        """Characters that stand for what the source has at ``at``: an entity, a mark of a raised digit."""
        if self._kind is None:
            self.begin("paragraph")
        self._pieces.append(text)
        self._offsets.extend([at] * len(text))

    def begin_row(self) -> None:
        """Begin a row of the table that is open."""
        self._rows.append([])

    def begin_cell(self) -> None:
        """Begin a cell of the row."""
        here = len(self._offsets)
        if not self._rows:
            self._rows.append([])
        self._rows[-1].append([here, here])

    def end_cell(self) -> None:
        """End the cell, and part it from what follows."""
        if self._rows and self._rows[-1]:
            self._rows[-1][-1][1] = len(self._offsets)
        self._insert("\t")

    def built(self) -> ReportText:
        """The whole text."""
        self.end()
        lines = [0]
        at = self._source.find("\n")
        while at >= 0:
            lines.append(at + 1)
            at = self._source.find("\n", at + 1)
        text = "".join(self._pieces)
        return ReportText(self._source, text, tuple(self._offsets), tuple(self._blocks), tuple(lines))

    def _insert(self, text: str) -> None:
        last = self._offsets[-1] if self._offsets else 0
        self._pieces.append(text)
        self._offsets.extend([last] * len(text))

    def _pieces_from(self, start: int) -> list[str]:
        """The pieces put since the character ``start``."""
        found: list[str] = []
        length = len(self._offsets)
        for piece in reversed(self._pieces):
            if length <= start:
                break
            found.append(piece)
            length -= len(piece)
        return [piece for piece in found if piece]
