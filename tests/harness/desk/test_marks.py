"""The marked characters: exactly those of the quote, as the print has them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw
import pytest

from pincite_core.settings import load_settings
from pincite_harness.desk.marks import mark, read_spans, write_spans
from pincite_harness.desk.papers import Papers
from pincite_papers.model import Rect, Span
from pincite_papers.quoting.quotes import find_quote

REPOSITORY = Path(__file__).parents[3]
FOLDERS = sorted(REPOSITORY.glob("tasks/*/papers"))
LEAST_IOU = 0.95
"""Of the marked area and that of the glyphs; below it a neighbouring character is marked, or one is not."""


@pytest.fixture(scope="module")
def papers() -> Iterator[Papers]:
    opened = Papers(load_settings())
    yield opened
    opened.close()


def glyph_lines(page: pdfium.PdfPage, quote: str) -> list[list[Rect]]:
    """For each place where a page has the words, one box a line around PDFium's own boxes of their characters."""
    text = page.get_textpage()
    height = page.get_height()
    # Character by character: the text as a whole leaves some out, and its places are not those of the boxes.
    held = "".join(chr(pypdfium2.raw.FPDFText_GetUnicode(text.raw, at) or 32) for at in range(text.count_chars()))
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    found: list[list[Rect]] = []
    for match in re.finditer(pattern, held):
        boxes = [text.get_charbox(at, loose=False) for at in range(*match.span()) if not held[at].isspace()]
        rows: list[Rect] = []
        for x0, low, x1, high in boxes:
            y0, y1 = height - high, height - low
            last = rows[-1] if rows else None
            # The letters of a ligature have one box, all of them.
            if last is not None and x0 >= last.x0 and min(y1, last.y1) > max(y0, last.y0) - 2:
                rows[-1] = Rect(last.x0, min(last.y0, y0), max(last.x1, x1), max(last.y1, y1))
            else:
                rows.append(Rect(x0, y0, x1, y1))
        found.append(rows)
    return found


def likeness(one: Rect, other: Rect) -> float:
    """Intersection over union."""
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    down = min(one.y1, other.y1) - max(one.y0, other.y0)
    shared = max(0.0, across) * max(0.0, down)
    area = (one.x1 - one.x0) * (one.y1 - one.y0) + (other.x1 - other.x0) * (other.y1 - other.y0)
    return shared / (area - shared)


def sentences(text: str) -> list[str]:
    """Runs of plain words of a page, a few of each page: what two readers of a PDF spell the same."""
    runs = re.findall(r"(?:\b[a-z]{2,12}\b[ \n]){7}", text)
    return runs[:: max(1, len(runs) // 12)][:12]


def test_a_mark_covers_the_glyphs_of_the_quote_and_no_others(papers: Papers) -> None:
    files = [path for folder in FOLDERS for path in sorted(folder.glob("*.pdf"))[:2]]
    compared = 0
    wrong: list[Any] = []
    for path in files[:12]:
        paper = papers.open(path)
        document = pdfium.PdfDocument(path)
        for page in paper.pages[:3]:
            for quote in sentences(paper.text[page.start : page.end]):
                match = find_quote(paper, quote.strip(), page.number)
                printed = glyph_lines(document[page.number - 1], quote.strip())
                if match.count != 1 or len(printed) != 1:
                    continue
                marked = mark(paper, match.spans).pages
                boxes = [box for each in marked for box in each.boxes]
                pairs = list(zip(boxes, printed[0], strict=False))
                compared += 1
                if len(boxes) != len(printed[0]) or min(likeness(*pair) for pair in pairs) < LEAST_IOU:
                    wrong.append((path.name, page.number, quote, boxes, printed[0]))
        document.close()
    assert compared >= 100, compared
    assert not wrong, wrong[:3]


def test_ranges_come_back_from_an_address_and_others_are_refused(papers: Papers) -> None:
    paper = papers.open(FOLDERS[0].parent.parent / "property_extraction" / "papers" / "ybco_oxygen.pdf")
    spans = [Span(3, 9), Span(20, 31)]
    assert read_spans(paper, write_spans(spans)) == spans
    assert mark(paper, spans).quote == f"{paper.text[3:9]} … {paper.text[20:31]}"
    assert mark(paper, [], 2).pages[0].boxes == ()
    refused = ["9-3", "0-999999999", "5-5", "a-b", "1-2;3-4", "-1-3", "1-2,", "1-2" + ",1-2" * 50, "٣-٩"]
    for text in refused:
        with pytest.raises(Exception, match="range"):
            read_spans(paper, text)
