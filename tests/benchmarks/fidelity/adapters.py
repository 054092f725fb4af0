"""Adapters: each parser's output for one PDF as a Reading, its import included in none of its times."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

from reading import Reading, from_markdown, from_plain

Read = Callable[[Path], Reading]


def load(name: str) -> Read:
    """The reader of a parser, its library imported; ImportError where that is not installed."""
    return _LOADERS[name]()


def read_more(name: str, path: Path, reading: Reading) -> None:
    """Add what a parser reads only when asked, after the whole: pincite's plots. No peer does this."""
    if name != "pincite":
        return
    import pypdfium2

    from pincite_figures.plots.read import read_plots
    from pincite_papers.model import Rect

    reading.plots = []
    with pypdfium2.PdfDocument(path) as document:
        for page, box in reading.figures or []:
            plot = read_plots(document[page - 1], Rect(*box))
            series = [line.columns for panel in plot.panels for line in panel.series if {"x", "y"} <= set(line.columns)]
            points = [[list(point) for point in zip(c["x"].tolist(), c["y"].tolist(), strict=True)] for c in series]
            reading.plots.append((page, points))


def installed() -> list[str]:
    """The names of the parsers that this Python has, pincite first."""
    return [name for name, module in MODULES.items() if importlib.util.find_spec(module) is not None]


def _pincite() -> Read:
    from body import BODY_KINDS

    from pincite_papers.model import Paper, Span
    from pincite_papers.pdf.parse import parse_pdf

    def caption(paper: Paper, span: Span | None) -> list[str]:
        return [paper.text[span.start : span.end]] if span is not None else []

    def read(path: Path) -> Reading:
        paper = parse_pdf(path.read_bytes(), max_pages=5000)
        return Reading(
            [paper.text[block.start : block.end] for block in paper.blocks if block.kind in BODY_KINDS],
            [paper.text[section.start : section.heading_end] for section in paper.sections],
            [_grid([(c.row, c.column, c.row_span, c.column_span, c.text) for c in t.cells]) for t in paper.tables],
            [paper.text[entry.start : entry.end] for entry in paper.references],
            [text for each in (*paper.figures, *paper.tables) for text in caption(paper, each.caption)],
            [(f.page, [f.bbox.x0, f.bbox.y0, f.bbox.x1, f.bbox.y1]) for f in paper.figures if f.caption],
        )

    return read


def _grid(cells: list[tuple[int, int, int, int, str]]) -> list[list[str]]:
    """Rows of texts, a spanning cell in every place that it covers."""
    rows = max((row + span for row, _, span, _, _ in cells), default=0)
    columns = max((column + span for _, column, _, span, _ in cells), default=0)
    grid = [[""] * columns for _ in range(rows)]
    for row, column, row_span, column_span, text in cells:
        for down in range(row_span):
            for right in range(column_span):
                grid[row + down][column + right] = text
    return grid


def _pypdfium2() -> Read:
    import pypdfium2

    def read(path: Path) -> Reading:
        with pypdfium2.PdfDocument(path) as document:
            return from_plain("\n\n".join(page.get_textpage().get_text_range() for page in document))

    return read


def _pypdf() -> Read:
    import pypdf

    return lambda path: from_plain("\n\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages))


def _pdfplumber() -> Read:
    import pdfplumber

    def read(path: Path) -> Reading:
        with pdfplumber.open(path) as document:
            reading = from_plain("\n\n".join(page.extract_text() or "" for page in document.pages))
            reading.tables = [
                [[cell or "" for cell in row] for row in table]
                for page in document.pages
                for table in page.extract_tables()
            ]
        return reading

    return read


def _pymupdf4llm() -> Read:
    import pymupdf4llm

    return lambda path: from_markdown(pymupdf4llm.to_markdown(str(path), show_progress=False))


def _kreuzberg() -> Read:
    import kreuzberg

    settings = kreuzberg.ExtractionConfig(output_format="markdown", disable_ocr=True, use_cache=False)
    return lambda path: from_markdown(kreuzberg.extract_file_sync(str(path), config=settings).content)


def _markitdown() -> Read:
    from markitdown import MarkItDown

    converter = MarkItDown()
    return lambda path: from_markdown(converter.convert(str(path)).text_content)


def _docling() -> Read:
    from docling.document_converter import DocumentConverter

    converter = DocumentConverter()
    return lambda path: from_markdown(converter.convert(path).document.export_to_markdown())


def _docling_parse() -> Read:
    from docling_parse.pdf_parser import DoclingPdfParser

    parser = DoclingPdfParser(loglevel="fatal")

    def read(path: Path) -> Reading:
        pages = [page for _, page in parser.load(str(path)).iterate_pages()]
        return from_plain("\n\n".join("\n".join(cell.text for cell in page.textline_cells) for page in pages))

    return read


def _liteparse() -> Read:
    import liteparse

    parser = liteparse.LiteParse(output_format="markdown", ocr_enabled=False, quiet=True)
    return lambda path: from_markdown(parser.parse(str(path)).text)


def _pdf_inspector() -> Read:
    import pdf_inspector

    return lambda path: from_markdown(pdf_inspector.process_pdf(str(path)).markdown or "")


MODULES = {
    "pincite": "pincite_papers",
    "pypdfium2": "pypdfium2",
    "pypdf": "pypdf",
    "pdfplumber": "pdfplumber",
    "pymupdf4llm": "pymupdf4llm",
    "kreuzberg": "kreuzberg",
    "liteparse": "liteparse",
    "pdf-inspector": "pdf_inspector",
    "markitdown": "markitdown",
    "docling-parse": "docling_parse",
    "docling": "docling",
}
"""The module whose presence says that a parser is installed."""

_LOADERS: dict[str, Callable[[], Read]] = {
    "pincite": _pincite,
    "pypdfium2": _pypdfium2,
    "pypdf": _pypdf,
    "pdfplumber": _pdfplumber,
    "pymupdf4llm": _pymupdf4llm,
    "kreuzberg": _kreuzberg,
    "liteparse": _liteparse,
    "pdf-inspector": _pdf_inspector,
    "markitdown": _markitdown,
    "docling-parse": _docling_parse,
    "docling": _docling,
}
