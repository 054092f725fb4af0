"""docling: a Python package with layout models, which reads tables; it runs in a process of its own.

Text, offsets and boxes stay ours. A table of docling replaces ours where every one of its cells is exactly a piece of
our text: then its rows, columns, spans and headers are docling's.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any, cast

from pincite_core.errors import MissingExtraError
from pincite_papers.backends.backend import Work
from pincite_papers.codec import decode_paper, encode_paper
from pincite_papers.model import Cell, Paper, Rect, Table

_JOB = "pincite_papers.backends.docling:read_job"
_MARGIN = 1.5
"""Points around a box within which a character belongs to it."""
_SAME_PLACE = 0.5
"""Share of the smaller of two boxes that they have in common when they are of one thing. Set by judgement."""


class Docling:
    """The installed docling; MissingExtraError where there is none."""

    def __init__(self) -> None:
        try:
            self._version = version("docling")
        except PackageNotFoundError:
            raise MissingExtraError(
                "The backend docling needs the package docling, which is not installed.", next="pip install docling"
            ) from None

    @property
    def described(self) -> str:
        """Name and version."""
        return f"docling {self._version}"

    def read(self, source: bytes, parse: Callable[[], bytes], work: Work) -> bytes:
        """Our paper with docling's tables."""
        paper = parse()
        return work({"job": _JOB, "split": len(paper), "described": self.described}, paper + source)[1]


def read_job(header: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """The encoded paper with the tables that docling finds in the PDF behind it."""
    import io
    from importlib import import_module

    split = header["split"]
    streams: Any = import_module("docling.datamodel.base_models")
    converter: Any = import_module("docling.document_converter").DocumentConverter()
    stream = streams.DocumentStream(name="paper.pdf", stream=io.BytesIO(data[split:]))
    document = converter.convert(stream).document.export_to_dict()
    return {}, encode_paper(with_tables(decode_paper(data[:split]), document, header["described"]))


def with_tables(paper: Paper, document: dict[str, Any], described: str) -> Paper:
    """The paper with the tables of a DoclingDocument (as JSON values) whose cells are pieces of our text."""
    tables = list(paper.tables)
    used = unused = 0
    for read in cast("list[dict[str, Any]]", document.get("tables", [])):
        placed = _placed(paper, read)
        if placed is None:
            continue
        page, box = placed
        index = next((k for k, table in enumerate(tables) if table.page == page and _covers(table.bbox, box)), None)
        made = _table(paper, tables[index], page, read) if index is not None else None
        if index is None or made is None:
            unused += 1
            continue
        tables[index] = made
        used += 1
    note = f"{described} read {used + unused} tables: {used} replace ours"
    note += f", {unused} were left out, since their cells are not pieces of the text." if unused else "."
    return replace(
        paper,
        tables=tuple(tables),
        metadata={**paper.metadata, "backend": described},
        warnings=(*paper.warnings, note),
    )


def _placed(paper: Paper, read: dict[str, Any]) -> tuple[int, Rect] | None:
    """Page and box of a table; None where it says neither."""
    for place in cast("list[dict[str, Any]]", read.get("prov") or []):
        page: int = place["page_no"]
        if 1 <= page <= len(paper.pages):
            return page, _rect(place["bbox"], paper.pages[page - 1].height)
    return None


def _rect(box: dict[str, Any], height: float) -> Rect:
    """A box of docling in points from the top left corner."""
    if box.get("coord_origin") == "BOTTOMLEFT":
        return Rect(box["l"], height - box["t"], box["r"], height - box["b"])
    return Rect(box["l"], box["t"], box["r"], box["b"])


def _covers(ours: Rect | None, theirs: Rect) -> bool:
    """Whether two boxes are of one table."""
    if ours is None:
        return False
    wide = min(ours.x1, theirs.x1) - max(ours.x0, theirs.x0)
    high = min(ours.y1, theirs.y1) - max(ours.y0, theirs.y0)
    least = min((box.x1 - box.x0) * (box.y1 - box.y0) for box in (ours, theirs))
    return wide > 0 and high > 0 and wide * high >= _SAME_PLACE * least


def _table(paper: Paper, ours: Table, page: int, read: dict[str, Any]) -> Table | None:
    """Our table with docling's cells; None where one of them is not exactly a piece of the table's text."""
    data = read["data"]
    cells: list[Cell] = []
    for cell in cast("list[dict[str, Any]]", data["table_cells"]):
        if not cell["text"].strip():
            continue
        box = _rect(cell["bbox"], paper.pages[page - 1].height) if cell.get("bbox") else None
        span = _span(paper, ours, page, box, cell["text"])
        if span is None:
            return None
        rows = cell["start_row_offset_idx"], cell["end_row_offset_idx"]
        columns = cell["start_col_offset_idx"], cell["end_col_offset_idx"]
        cells.append(
            Cell(
                rows[0],
                columns[0],
                max(rows[1] - rows[0], 1),
                max(columns[1] - columns[0], 1),
                paper.text[span[0] : span[1]],
                *span,
                page,
                box,
                bool(cell.get("column_header")),
            )
        )
    if not cells:
        return None
    cells.sort(key=lambda cell: (cell.row, cell.column))
    rows = max(data["num_rows"], *(cell.row + cell.row_span for cell in cells))
    columns = max(data["num_cols"], *(cell.column + cell.column_span for cell in cells))
    return replace(ours, rows=rows, columns=columns, cells=tuple(cells))


def _span(paper: Paper, ours: Table, page: int, box: Rect | None, text: str) -> tuple[int, int] | None:
    """Where a cell stands in the table's text: the characters in its box, if they are those of the cell."""
    if box is None:
        return None
    rows = paper.geometry.rows[ours.start : ours.end]
    x, y = (rows[:, 0] + rows[:, 2]) / 2, (rows[:, 1] + rows[:, 3]) / 2
    # What was not printed has NaN for its box, and is inside none.
    inside = (x > box.x0 - _MARGIN) & (x < box.x1 + _MARGIN) & (y > box.y0 - _MARGIN) & (y < box.y1 + _MARGIN)
    places: list[int] = inside.nonzero()[0].tolist()
    if not places:
        return None
    start, end = ours.start + places[0], ours.start + places[-1] + 1
    return (start, end) if _plain(paper.text[start:end]) == _plain(text) else None


def _plain(text: str) -> str:
    """Without white space and the marks of scripts, which docling does not write."""
    return "".join(character for character in text if not character.isspace() and character not in "^_{}")
