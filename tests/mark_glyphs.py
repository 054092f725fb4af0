"""The marked rectangles of quotes compared with the boxes that PDFium gives to their glyphs."""

import re
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw

from pincite_harness.desk.marks import mark
from pincite_harness.desk.papers import Papers
from pincite_papers.model import Rect
from pincite_papers.quoting.quotes import find_quote

LEAST_IOU = 0.95
"""Of the marked area and that of the glyphs; below it a neighbouring character is marked, or one is not."""


def glyph_lines(page: pdfium.PdfPage, quote: str) -> list[list[Rect]]:
    """For each place where a page has the words, one box a line around PDFium's own boxes of their characters."""
    text = page.get_textpage()
    # A page is drawn from the corner of its crop box; PDFium counts its boxes of glyphs from that of the media box.
    left, _, _, top = page.get_bbox()
    # Character by character: the text as a whole leaves some out, and its places are not those of the boxes.
    held = "".join(chr(pypdfium2.raw.FPDFText_GetUnicode(text.raw, at) or 32) for at in range(text.count_chars()))
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    found: list[list[Rect]] = []
    for match in re.finditer(pattern, held):
        boxes = [text.get_charbox(at, loose=False) for at in range(*match.span()) if not held[at].isspace()]
        rows: list[Rect] = []
        for from_x, low, to_x, high in boxes:
            x0, x1, y0, y1 = from_x - left, to_x - left, top - high, top - low
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


def compare(papers: Papers, path: Path, most: int = 1000) -> tuple[int, list[Any]]:
    """How many quotes of a paper were compared, ``most`` at most, and those whose mark is not on their glyphs."""
    paper = papers.open(path)
    compared = 0
    wrong: list[Any] = []
    document = pdfium.PdfDocument(path)
    for page in paper.pages[:3]:
        for quote in sentences(paper.text[page.start : page.end]):
            match = find_quote(paper, quote.strip(), page.number)
            printed = glyph_lines(document[page.number - 1], quote.strip())
            if match.count != 1 or len(printed) != 1 or compared == most:
                continue
            marked = mark(paper, match.spans).pages
            boxes = [box for each in marked for box in each.boxes]
            pairs = list(zip(boxes, printed[0], strict=False))
            compared += 1
            if len(boxes) != len(printed[0]) or min(likeness(*pair) for pair in pairs) < LEAST_IOU:
                wrong.append((path.name, page.number, quote, boxes, printed[0]))
    document.close()
    return compared, wrong
