"""PaperBuilder: blocks of a source without pages, in reading order, become a Paper."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pincite_core.errors import EmptySourceError
from pincite_papers.characters import clean
from pincite_papers.geometry import Geometry
from pincite_papers.markup.run import Run
from pincite_papers.model import (
    Block,
    BlockKind,
    Cell,
    Citation,
    Figure,
    Panel,
    Paper,
    Reference,
    Section,
    SourceFormat,
    Span,
    Table,
)
from pincite_papers.panels import panels_of_caption
from pincite_papers.references import find_citations

_BETWEEN = "\n\n"
_MOST_PLACES = 200_000
"""Places of a table's grid. Set by judgement."""


@dataclass(frozen=True, slots=True)
class CellDraft:
    """A cell of a table: row and column from 0, spans from 1."""

    row: int
    column: int
    run: Run
    row_span: int = 1
    column_span: int = 1
    header: bool = False


@dataclass(slots=True)
class PaperBuilder:
    """Grows block by block; ``build`` gives the Paper. The conventions are those of a PDF's canonical text.

    ``doi``, ``title`` and the other front matter are plain attributes to set; ``warnings`` collect what could not be
    read.
    """

    format: SourceFormat
    parser: str
    title: str = ""
    doi: str | None = None
    journal: str | None = None
    year: int | None = None
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    warnings: list[str] = field(default_factory=list[str])
    _parts: list[str] = field(default_factory=list[str])
    _length: int = 0
    _blocks: list[Block] = field(default_factory=list[Block])
    _sections: list[tuple[str, str, int, int, int]] = field(default_factory=list[tuple[str, str, int, int, int]])
    _tables: list[Table] = field(default_factory=list[Table])
    _figures: list[Figure] = field(default_factory=list[Figure])
    _references: list[Reference] = field(default_factory=list[Reference])
    _anchors: dict[str, int] = field(default_factory=dict[str, int])
    _cited: list[tuple[int, int, tuple[str, ...]]] = field(default_factory=list[tuple[int, int, tuple[str, ...]]])

    def add_block(self, kind: BlockKind, run: Run) -> Span | None:
        """Append a block; None when the run is empty."""
        text, cited = run.render()
        return self._append(kind, text, [(one.start, one.end, one.anchors) for one in cited])

    def add_code(self, text: str) -> Span | None:
        """Append a block of code, its lines and their indents kept."""
        lines = clean(text.replace("\r\n", "\n")).expandtabs().splitlines()
        return self._append(BlockKind.CODE, "\n".join(line.rstrip() for line in lines).strip("\n"), [])

    def add_heading(self, run: Run, *, level: int, number: str = "") -> Span | None:
        """Open a section of ``level`` (from 1); ``number`` is its printed numbering, which ``run`` may start with."""
        text = str(run)
        if not text and not number:
            return None
        # Section I may be headed "Introduction".
        runs_on = number[-1:].isalpha() and text[len(number) : len(number) + 1].isalpha()
        inside = bool(number) and text.startswith(number) and not runs_on
        title = text[len(number) :].strip() if inside else text
        whole = Run().add(f"{number} ").add_run(run) if number and not inside else run
        span = self.add_block(BlockKind.HEADING, whole)
        if span is not None:
            self._sections.append((number, title, max(level, 1), span.start, span.end))
        return span

    def end_section(self, level: int) -> None:
        """End the sections of ``level`` and below it: what follows stands in none of them."""
        self._sections.append(("", "", max(level, 1), self._length, -1))

    def add_table(
        self, cells: Sequence[CellDraft], *, label: str = "", caption: Run | None = None, notes: Sequence[Run] = ()
    ) -> Table | None:
        """Append a table behind its caption, its notes as footnotes; None without a cell that has text."""
        shown = self.add_block(BlockKind.CAPTION, caption) if caption is not None else None
        if _places(cells) > _MOST_PLACES:
            self.warnings.append(
                f"{label or 'A table'} is too sparse or too large: its spans and empty cells are lost."
            )
            cells = _packed(cells)
            if _places(cells) > _MOST_PLACES:
                cells = [CellDraft(row, 0, cell.run, header=cell.header) for row, cell in enumerate(cells)]
        rows = max((cell.row + cell.row_span for cell in cells), default=0)
        columns = max((cell.column + cell.column_span for cell in cells), default=0)
        table = self._add_cells(cells, rows, columns, label, shown)
        for note in notes:
            self.add_block(BlockKind.FOOTNOTE, note)
        return table

    def add_figure(
        self,
        *,
        label: str = "",
        caption: Run | None = None,
        graphics: Sequence[str] = (),
        panels: Sequence[tuple[str, Run | None]] = (),
    ) -> Figure:
        """Append a figure: its caption is a block, and so is the caption of each panel (letter, caption).

        Without ``panels`` those that the caption tells of by letters are its panels.
        """
        shown = self.add_block(BlockKind.CAPTION, caption) if caption is not None else None
        parts = tuple(
            Panel(letter, None, self.add_block(BlockKind.CAPTION, run) if run is not None else None)
            for letter, run in panels
        )
        if shown is not None and not parts:
            parts = panels_of_caption(str(caption), shown.start)
        figure = Figure(label, None, None, shown, panels=parts, graphics=tuple(graphics))
        self._figures.append(figure)
        return figure

    def add_reference(
        self,
        run: Run,
        *,
        key: str = "",
        anchor: str = "",
        anchors: Sequence[str] = (),
        doi: str | None = None,
        arxiv: str | None = None,
        pmid: str | None = None,
    ) -> Span | None:
        """Append an entry of the reference list; ``anchor`` and ``anchors`` are names by which runs cite it."""
        span = self.add_block(BlockKind.REFERENCE, run)
        if span is None:
            return None
        for name in (anchor, *anchors):
            if name:
                self._anchors.setdefault(name, len(self._references))
        self._references.append(Reference(key, span.start, span.end, None, doi, arxiv, pmid))
        return span

    def build(self, data: bytes) -> Paper:
        """The Paper of the source's bytes; EmptySourceError when no block was added.

        Where no run cites an entry, citations are looked for in the text as in a PDF.
        """
        if not self._blocks:
            raise EmptySourceError(
                f"The {self.format.value} source has no text.",
                seen=f"{len(data)} bytes",
                next="Check the file: it may hold metadata only, or be another file than you meant.",
            )
        text = "".join(self._parts)
        return Paper(
            paper_id="sha256:" + hashlib.sha256(data).hexdigest(),
            parser=self.parser,
            title=self.title,
            text=text,
            pages=(),
            blocks=tuple(self._blocks),
            geometry=Geometry(np.full((len(text), 4), np.nan, np.float32)),
            format=self.format,
            doi=self.doi,
            journal=self.journal,
            year=self.year,
            authors=self.authors,
            keywords=self.keywords,
            sections=self._closed(len(text)),
            tables=tuple(self._tables),
            figures=tuple(self._figures),
            references=tuple(self._references),
            citations=self._citations() or find_citations(text, self._blocks, self._references),
            metadata=self._metadata(),
            warnings=tuple(self.warnings),
        )

    def _append(self, kind: BlockKind, text: str, cited: Sequence[tuple[int, int, tuple[str, ...]]]) -> Span | None:
        if not text.strip():
            return None
        if self._length:
            self._parts.append(_BETWEEN)
            self._length += len(_BETWEEN)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        self._cited += [(start + first, start + last, anchors) for first, last, anchors in cited]
        self._blocks.append(Block(kind, start, self._length))
        return Span(start, self._length)

    def _add_cells(
        self, drafts: Sequence[CellDraft], rows: int, columns: int, label: str, caption: Span | None
    ) -> Table | None:
        grid: dict[tuple[int, int], CellDraft] = {}
        for draft in drafts:
            grid.setdefault((draft.row, draft.column), draft)
        parts: list[str] = []
        placed: list[tuple[CellDraft, int, int]] = []
        cited: list[tuple[int, int, tuple[str, ...]]] = []
        length = 0
        for row in range(rows):
            for column in range(columns):
                mark = "\t" if column else "\n" if row else ""
                draft = grid.get((row, column))
                content, inside = draft.run.render() if draft is not None else ("", [])
                length += len(mark)
                if draft is not None and content:
                    placed.append((draft, length, length + len(content)))
                    cited += [(length + one.start, length + one.end, one.anchors) for one in inside]
                parts += (mark, content)
                length += len(content)
        text = "".join(parts)
        span = self._append(BlockKind.TABLE, text, cited)
        if span is None:
            return None
        cells = tuple(
            Cell(
                draft.row,
                draft.column,
                draft.row_span,
                draft.column_span,
                text[first:last],
                span.start + first,
                span.start + last,
                header=draft.header,
            )
            for draft, first, last in placed
        )
        table = Table(label, None, None, span.start, span.end, rows, columns, cells, caption)
        self._tables.append(table)
        return table

    def _closed(self, length: int) -> tuple[Section, ...]:
        """The sections, each up to the next of its level or above."""
        found: list[Section] = []
        following: list[tuple[int, int]] = []
        for number, title, level, start, heading_end in reversed(self._sections):
            while following and following[-1][0] > level:
                following.pop()
            end = following[-1][1] if following else length
            following.append((level, start))
            if heading_end < 0:
                continue
            found.append(Section(number, title, level, None, start, heading_end, end))
        return tuple(reversed(found))

    def _citations(self) -> tuple[Citation, ...]:
        """The citations whose anchors are entries of the reference list."""
        found: list[Citation] = []
        for start, end, anchors in self._cited:
            known = tuple(dict.fromkeys(self._anchors[anchor] for anchor in anchors if anchor in self._anchors))
            if known:
                found.append(Citation(start, end, known))
        return tuple(sorted(found, key=lambda citation: (citation.start, citation.end)))

    def _metadata(self) -> Mapping[str, str]:
        return {name: value for name, value in self.metadata.items() if value}


def _places(cells: Sequence[CellDraft]) -> int:
    """How many places the grid of the cells has."""
    rows = max((cell.row + cell.row_span for cell in cells), default=0)
    return rows * max((cell.column + cell.column_span for cell in cells), default=0)


def _packed(cells: Sequence[CellDraft]) -> list[CellDraft]:
    """The cells that have text, row by row without gaps and spans."""
    rows: dict[int, list[CellDraft]] = {}
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        if cell.run:
            rows.setdefault(cell.row, []).append(cell)
    return [
        CellDraft(r, c, cell.run, header=cell.header)
        for r, row in enumerate(rows.values())
        for c, cell in enumerate(row)
    ]
