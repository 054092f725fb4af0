"""Offsets are exact: the boxes of a range hold its characters and no others."""

import io
import random
from collections.abc import Callable

import numpy as np
import pypdfium2
import pytest
from pypdf import PdfReader, PdfWriter, Transformation

from pincite_papers.model import Paper, Rect
from pincite_papers.pdf.parse import parse_pdf

_SOURCE = """#set page(width: 16cm, height: 12cm, columns: 2)
= Heading of it
#lorem(90)

Here stands the quote of 3.5 K. #lorem(120)
"""


def _inside(page: pypdfium2.PdfPage, box: Rect) -> str:
    """What PDFium reads within a box, letters and digits only."""
    left, _, _, top = page.get_bbox()
    text = page.get_textpage().get_text_bounded(
        left=left + box.x0 + 0.05, right=left + box.x1 - 0.05, top=top - box.y0 - 0.05, bottom=top - box.y1 + 0.05
    )
    return _letters(text)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _check(data: bytes, paper: Paper, ranges: list[tuple[int, int]]) -> None:
    document = pypdfium2.PdfDocument(data)
    for start, end in ranges:
        found = "".join(_inside(document[page - 1], box) for page, box in paper.boxes(start, end))
        assert found == _letters(paper.text[start:end])
    document.close()


def _word_ranges(paper: Paper, count: int) -> list[tuple[int, int]]:
    """Ranges that start and end at words, so that kerned neighbours do not overlap."""
    chooser = random.Random(7)
    starts = [i + 1 for i, c in enumerate(paper.text) if c in " \n"]
    pairs = [sorted(chooser.sample(starts, 2)) for _ in range(count)]
    return [(a, b - 1) for a, b in pairs]


def test_boxes_hold_exactly_their_text(typeset: Callable[[str], bytes]) -> None:
    data = typeset(_SOURCE)
    paper = parse_pdf(data, max_pages=9)
    assert len(paper.pages) > 1
    _check(data, paper, _word_ranges(paper, 60))


def test_boxes_of_a_quote(typeset: Callable[[str], bytes]) -> None:
    data = typeset(_SOURCE)
    paper = parse_pdf(data, max_pages=9)
    start = paper.text.index("quote of 3.5 K")
    _check(data, paper, [(start, start + len("quote of 3.5 K"))])


def test_one_box_a_line(parsed: Callable[[str], Paper]) -> None:
    paper = parsed("#set page(width: 12cm, height: 20cm)\n#lorem(60)")
    boxes = paper.boxes(0, len(paper.text))
    assert all(page == 1 for page, _ in boxes)
    tops = [box.y0 for _, box in boxes]
    assert tops == sorted(tops)
    assert len(boxes) == len({round(box.y1) // 5 for _, box in boxes})


def test_boxes_of_marks_alone_are_none(parsed: Callable[[str], Paper]) -> None:
    paper = parsed("One paragraph here.\n\nAnother paragraph there.")
    gap = paper.text.index("\n\n")
    assert paper.boxes(gap, gap + 2) == []


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_turned_page_is_measured_as_shown(typeset: Callable[[str], bytes], angle: int) -> None:
    """Content turned one way on a page that is shown turned the other way stands where the upright page has it."""
    data = typeset("#set page(width: 14cm, height: 9cm, margin: 1cm)\nA quote stands here. #lorem(40)")
    upright = parse_pdf(data, max_pages=9)
    writer = PdfWriter()
    page = writer.add_page(PdfReader(io.BytesIO(data)).pages[0])
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    move = {90: (height, 0.0), 180: (width, height), 270: (0.0, width)}[angle]
    page.add_transformation(Transformation().rotate(angle).translate(*move))
    if angle != 180:
        page.mediabox.upper_right = (height, width)
        page.cropbox.upper_right = (height, width)
    page.rotate(angle)
    turned = parse_pdf(_bytes(writer), max_pages=9)
    assert turned.text == upright.text
    assert (turned.pages[0].width, turned.pages[0].height) == pytest.approx((width, height))
    assert np.allclose(turned.geometry.rows, upright.geometry.rows, atol=0.02, equal_nan=True)


def test_print_that_runs_up_the_page_has_upright_boxes(parsed: Callable[[str], Paper]) -> None:
    paper = parsed("#lorem(30)\n#place(bottom + left, rotate(-90deg, reflow: true)[Upright label of it])")
    start = paper.text.index("Upright label")
    ((page, box),) = paper.boxes(start, start + len("Upright label of it"))
    assert page == 1
    assert box.y1 - box.y0 > 5 * (box.x1 - box.x0)


def test_crop_box_moves_the_origin(typeset: Callable[[str], bytes]) -> None:
    data = typeset("#set page(width: 14cm, height: 9cm, margin: 2cm)\nA quote stands here.")
    plain = parse_pdf(data, max_pages=9)
    writer = PdfWriter()
    page = writer.add_page(PdfReader(io.BytesIO(data)).pages[0])
    box = page.mediabox
    page.cropbox.lower_left = (20, 10)
    page.cropbox.upper_right = (float(box.right) - 5, float(box.top) - 30)
    cropped = parse_pdf(_bytes(writer), max_pages=9)
    (_, before), (_, after) = plain.boxes(0, 7)[0], cropped.boxes(0, 7)[0]
    assert after.x0 == pytest.approx(before.x0 - 20, abs=0.01)
    assert after.y0 == pytest.approx(before.y0 - 30, abs=0.01)
    assert cropped.pages[0].width == pytest.approx(plain.pages[0].width - 25, abs=0.01)


def _bytes(writer: PdfWriter) -> bytes:
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()
