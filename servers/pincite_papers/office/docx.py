"""parse_docx: a Word document as a Paper; its paragraphs and cells are what locators name."""

import io
import re
from dataclasses import dataclass
from typing import Any

from pincite_core.errors import MissingExtraError
from pincite_papers.labels import LabelKind, read_label
from pincite_papers.markup import CellDraft, PaperBuilder, Run
from pincite_papers.markup.elements import Element
from pincite_papers.model import BlockKind, Paper, SourceFormat
from pincite_papers.office.package import open_package
from pincite_papers.office.runs import RunReader

PARSER = "pincite-docx/1"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_WRAPPERS = frozenset((f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}moveTo", f"{_W}customXml", f"{_W}smartTag"))
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING = re.compile(r"heading (\d)")
_LABEL = re.compile(r"(?P<label>(?:Supplementary |Supporting )?(?P<bare>\w+\.?\s+\w?\d+(?:\.\d+)*))\b")
_NOTES = ("footnotes", "endnotes")
_SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")


def parse_docx(data: bytes, *, max_pages: int) -> Paper:
    """The Paper of a Word document (.docx); its pages are made by whoever prints it, so that it has none.

    Raises DamagedError, LimitReachedError, or MissingExtraError without python-docx.
    """
    try:
        import docx
    except ImportError as error:
        raise MissingExtraError.of("office", needed_for="Reading Word documents (python-docx)") from error

    def load(file: io.BytesIO) -> Any:
        return docx.Document(file)

    document = open_package(data, load, "Word document")
    builder = PaperBuilder(SourceFormat.DOCX, PARSER)
    core = document.core_properties
    builder.title = (core.title or "").strip()
    reader = _DocxReader(builder, {style.style_id: (style.name or "").lower() for style in document.styles})
    reader.read(document.element.body)
    reader.add_notes(document.part)
    reader.tell()
    return builder.build(data)


@dataclass(slots=True)
class _Cell:
    """A cell while its table is read: rows are added to it as they turn out to be merged with it."""

    row: int
    column: int
    run: Run
    across: int
    header: bool
    down: int = 1


class _DocxReader:
    """Writes the blocks of a document's body into a builder; a caption waits for the table behind it."""

    def __init__(self, builder: PaperBuilder, styles: dict[str, str]) -> None:
        self._builder, self._styles = builder, styles
        self._runs = RunReader()
        self._caption: tuple[str, Run] | None = None

    def read(self, body: Element) -> None:
        """The paragraphs and tables in order, also those in content controls and insertions."""
        self._read(body)
        self._release()

    def _read(self, parent: Element) -> None:
        for child in parent:
            if child.tag == f"{_W}p":
                self._paragraph(child)
            elif child.tag == f"{_W}tbl":
                self._table(child)
            elif child.tag in _WRAPPERS:
                self._read(child)

    def _paragraph(self, element: Element) -> None:
        run = self._runs.paragraph(element)
        for box in element.iter(f"{_W}txbxContent"):
            if _above(box, _FALLBACK) is None:
                self._read(box)
        if not run:
            return
        self._release()
        style = self._style(element)
        heading = _HEADING.match(style)
        if style == "title":
            self._title(run)
        elif heading is not None:
            self._builder.add_heading(run, level=int(heading[1]))
        elif style == "caption" or _label_of(run):
            self._take_caption(run, styled=style == "caption")
        elif style.startswith("list") or element.find(f"{_W}pPr/{_W}numPr") is not None:
            self._builder.add_block(BlockKind.LIST, run)
        else:
            self._builder.add_block(BlockKind.PARAGRAPH, run)

    def _title(self, run: Run) -> None:
        self._builder.title = self._builder.title or str(run)
        self._builder.add_block(BlockKind.TITLE, run)

    def _take_caption(self, run: Run, *, styled: bool) -> None:
        """A figure's caption makes the figure; that of a table waits for it. A paragraph that only begins like a
        caption stays a paragraph where no table follows."""
        label = _label_of(run)
        kind = read_label(label.rpartition("Supplementary ")[2]) if label else None
        if styled and kind is not None and kind.kind is LabelKind.FIGURE:
            self._builder.add_figure(label=label, caption=run)
        elif kind is not None and kind.kind is LabelKind.TABLE:
            self._caption = (label, run)
        else:
            self._builder.add_block(BlockKind.CAPTION if styled else BlockKind.PARAGRAPH, run)

    def _release(self) -> None:
        """Write a caption whose table did not come."""
        if self._caption is not None:
            run, self._caption = self._caption[1], None
            self._builder.add_block(BlockKind.PARAGRAPH, run)

    def _table(self, element: Element) -> None:
        label, caption = self._caption or ("", None)
        self._caption = None
        self._builder.add_table(self._cells(element), label=label, caption=caption)

    def _cells(self, table: Element) -> list[CellDraft]:
        """The cells of a table: ``gridSpan`` across, ``vMerge`` down; a table inside a cell is text of the cell."""
        cells: list[_Cell] = []
        open_above: dict[int, _Cell] = {}
        rows = [row for row in table.iter(f"{_W}tr") if _above(row, f"{_W}tbl") is table]
        for number, row in enumerate(rows):
            header = row.find(f"{_W}trPr/{_W}tblHeader") is not None
            column = _number(row.find(f"{_W}trPr/{_W}gridBefore"), 0)
            for entry in row.iter(f"{_W}tc"):
                if _above(entry, f"{_W}tbl") is not table:
                    continue
                across = _number(entry.find(f"{_W}tcPr/{_W}gridSpan"), 1)
                merge = entry.find(f"{_W}tcPr/{_W}vMerge")
                above = open_above.get(column)
                if merge is not None and merge.get(f"{_W}val") != "restart" and above is not None:
                    above.down = number - above.row + 1
                else:
                    draft = _Cell(number, column, self._cell_run(entry), across, header)
                    cells.append(draft)
                    open_above.pop(column, None)
                    if merge is not None:
                        open_above[column] = draft
                column += across
        return [CellDraft(one.row, one.column, one.run, one.down, one.across, one.header) for one in cells]

    def _cell_run(self, entry: Element) -> Run:
        run = Run()
        for paragraph in entry.iter(f"{_W}p"):
            run.add_run(self._runs.paragraph(paragraph)).add(" ")
        return run.stripped()

    def _style(self, paragraph: Element) -> str:
        """The name of a paragraph's style in lower case, "" for the default one."""
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        return self._styles.get(style.get(f"{_W}val") or "", "") if style is not None else ""

    def add_notes(self, part: Any) -> None:
        """The footnotes and endnotes, behind the text."""
        from pincite_core.xml import hardened_parser
        from pincite_papers.markup.elements import etree

        for relation in part.rels.values():
            if relation.is_external or relation.reltype.rpartition("/")[2] not in _NOTES:
                continue
            for note in etree.fromstring(relation.target_part.blob, hardened_parser()):
                if note.get(f"{_W}type") in _SEPARATORS:
                    continue
                self._builder.add_block(BlockKind.FOOTNOTE, self._cell_run(note))

    def tell(self) -> None:
        """Warnings of what is not, or not wholly, in the text."""
        counts = (
            (self._runs.pictures, "Pictures in the document: {}. What they show is not in the text."),
            (self._runs.formulas, "Formulas of Word: {}. Each is given in one line; look at the document."),
            (self._runs.symbols, "Signs of symbol fonts: {}. \N{REPLACEMENT CHARACTER} stands for each."),
        )  # fmt: skip
        self._builder.warnings += [text.format(count) for count, text in counts if count]


def _label_of(run: Run) -> str:
    """The label of a figure or table that a paragraph begins with, "" for none."""
    match = _LABEL.match(str(run))
    label = read_label(match["bare"]) if match is not None else None
    if match is None or label is None or label.kind not in (LabelKind.FIGURE, LabelKind.TABLE):
        return ""
    behind = str(run)[match.end() :].lstrip()
    return match["label"] if not behind or behind[0] in ".:|–—-" else ""


def _above(element: Element, tag: str) -> Element | None:
    """The nearest element with this tag that an element stands in."""
    parent = element.getparent()
    while parent is not None and parent.tag != tag:
        parent = parent.getparent()
    return parent


def _number(element: Element | None, otherwise: int) -> int:
    given = (element.get(f"{_W}val") or "") if element is not None else ""
    return max(int(given), otherwise) if given.isdecimal() and len(given) < 4 else otherwise
