"""Layers: what the parser found on a page, as boxes over its print that a reader switches on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite_papers.model import BlockKind, FurnitureKind, Page, Paper, Rect
from pincite_papers.passages import section_name

TITLES = {
    "blocks": "Blocks in reading order",
    "sections": "Headings",
    "tables": "Cells of tables",
    "figures": "Figures, panels, captions",
    "references": "References and citations",
    "unreliable": "Unreliable signs, OCR",
    "hidden": "Hidden text",
    "margins": "Running lines, numbers",
}
_NEXT_LINE = 1.6
"""Heights of a line that part two lines of one area at most: headings and floats are set further apart."""

_FLOATS = (BlockKind.TABLE, BlockKind.FIGURE)
"""Blocks whose texts stand apart from each other: one box says where they are."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A box with what it is, in words, and a number to print beside it, "" for none."""

    box: Rect
    kind: str
    about: str
    number: str = ""


def layers_of(paper: Paper, page: Page) -> dict[str, list[Shape]]:
    """The shapes of each layer on a page, in the order of ``TITLES``."""
    return {
        "blocks": list(_blocks(paper, page)),
        "sections": list(_sections(paper, page)),
        "tables": list(_tables(paper, page)),
        "figures": list(_figures(paper, page)),
        "references": list(_references(paper, page)),
        "unreliable": list(_unreliable(paper, page)),
        "hidden": list(_furniture(page, hidden=True)),
        "margins": list(_furniture(page, hidden=False)),
    }


def count_layers(paper: Paper) -> dict[str, int]:
    """How much of each layer the whole paper has."""
    furniture = [item.kind for page in paper.pages for item in page.furniture]
    hidden = furniture.count(FurnitureKind.HIDDEN)
    return {
        "blocks": len(paper.blocks),
        "sections": len(paper.sections),
        "tables": len(paper.tables),
        "figures": len(paper.figures),
        "references": len(paper.references),
        "unreliable": len(paper.suspects) + len(paper.recognised),
        "hidden": hidden,
        "margins": len(furniture) - hidden,
    }


def areas(lines: Sequence[Rect]) -> list[Rect]:
    """Boxes of lines in reading order, joined where one stands below another: one area a column."""
    found: list[Rect] = []
    for line in lines:
        last = found[-1] if found else None
        if last is not None and _goes_on(last, line):
            joined = Rect(min(last.x0, line.x0), min(last.y0, line.y0), max(last.x1, line.x1), max(last.y1, line.y1))
            found[-1] = joined
        else:
            found.append(line)
    return found


def _goes_on(area: Rect, line: Rect) -> bool:
    height = line.y1 - line.y0
    beside = min(area.x1, line.x1) > max(area.x0, line.x0) - height
    return beside and -height < line.y0 - area.y1 < _NEXT_LINE * height


def _on(paper: Paper, page: Page, start: int, end: int) -> list[Rect]:
    """The boxes of the lines of a range that stand on a page."""
    low, high = max(start, page.start), min(end, page.end)
    return [box for number, box in paper.boxes(low, high) if number == page.number] if low < high else []


def _blocks(paper: Paper, page: Page) -> Iterator[Shape]:
    for number, block in enumerate(paper.blocks, start=1):
        if block.start >= page.end or block.end <= page.start:
            continue
        kind = block.kind.value
        found = areas(_on(paper, page, block.start, block.end))
        if block.page == page.number and block.bbox is not None and (block.kind in _FLOATS or not found):
            found = [block.bbox]
        for index, box in enumerate(found):
            yield Shape(box, kind, f"{number}: {kind}", str(number) if index == 0 else "")


def _sections(paper: Paper, page: Page) -> Iterator[Shape]:
    for section in paper.sections:
        for box in _on(paper, page, section.start, section.heading_end):
            yield Shape(box, f"level{min(section.level, 3)}", f"level {section.level}: {section_name(section)}")


def _tables(paper: Paper, page: Page) -> Iterator[Shape]:
    for table in paper.tables:
        places = [part.bbox for part in table.parts if part.page == page.number]
        if not places and table.page == page.number and table.bbox is not None:
            places = [table.bbox]
        doubts = f"; doubts: {'; '.join(table.doubts)}" if table.doubts else ""
        for box in places:
            about = f"{table.label or 'a table'}, {table.rows} × {table.columns}{doubts}"
            yield Shape(box, "doubtful" if table.doubts else "whole", about, table.label)
        for cell in table.cells:
            if cell.bbox is not None and cell.page == page.number:
                where = f"row {cell.row + 1}, column {cell.column + 1}: {cell.text}"
                yield Shape(cell.bbox, "head" if cell.header else "cell", where)


def _figures(paper: Paper, page: Page) -> Iterator[Shape]:
    for figure in paper.figures:
        name = figure.label or "a figure"
        if figure.page == page.number and figure.bbox is not None:
            yield Shape(figure.bbox, "whole", name, figure.label)
            for panel in figure.panels:
                if panel.bbox is not None:
                    yield Shape(panel.bbox, "panel", f"{name}, panel {panel.label}")
        if figure.caption is not None:
            for box in areas(_on(paper, page, figure.caption.start, figure.caption.end)):
                yield Shape(box, "caption", f"caption of {name}")


def _references(paper: Paper, page: Page) -> Iterator[Shape]:
    for entry in paper.references:
        known = ", ".join(each for each in (entry.doi, entry.arxiv, entry.pmid) if each)
        for box in areas(_on(paper, page, entry.start, entry.end)):
            yield Shape(box, "entry", f"entry {entry.key or '?'} {known}".strip())
    for citation in paper.citations:
        keys = [paper.references[index].key or str(index + 1) for index in citation.references]
        for box in _on(paper, page, citation.start, citation.end):
            yield Shape(box, "citation", f"cites {', '.join(keys)}")


def _unreliable(paper: Paper, page: Page) -> Iterator[Shape]:
    for span in paper.suspects:
        for box in _on(paper, page, span.start, span.end):
            read = paper.text[span.start : span.end]
            yield Shape(box, "suspect", f"read as “{read}”; the font does not map it reliably")
    for part in paper.recognised:
        for box in areas(_on(paper, page, part.start, part.end)):
            yield Shape(box, "recognised", f"read by OCR, confidence {part.confidence:.2f}")


def _furniture(page: Page, *, hidden: bool) -> Iterator[Shape]:
    for item in page.furniture:
        if (item.kind is FurnitureKind.HIDDEN) == hidden:
            kind = item.kind.value.replace("_", " ")
            why = f" ({item.reason})" if item.reason else ""
            yield Shape(item.bbox, "furniture", f"{kind}{why}: {item.text}")


def characters_of(paper: Paper, page: Page) -> list[list[float] | None]:
    """The box of each character of a page's text in points, None for one that was not printed."""
    rows = paper.geometry.rows[page.start : page.end].round(2).tolist()
    return [row if row[0] == row[0] else None for row in rows]
