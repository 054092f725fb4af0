"""Pages whose print runs up or down the sheet."""

import io
from collections.abc import Callable

import numpy as np
import pytest
from pypdf import PdfReader, PdfWriter, Transformation

from pincite_papers.pdf.parse import parse_pdf

_SOURCE = """#set page(width: 16cm, height: 10cm, margin: 1cm)
A page that is wider than high. #lorem(60)

#figure(caption: [Turned numbers.], table(columns: 3, [a], [b], [c], [1.5], [2.5], [3.5], [4], [5], [6]))
"""


def _turned(data: bytes, angle: int) -> tuple[bytes, float, float]:
    """The page with its content turned counter-clockwise by 90 or 270 degrees; its width and height before."""
    writer = PdfWriter()
    page = writer.add_page(PdfReader(io.BytesIO(data)).pages[0])
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    move = (height, 0.0) if angle == 90 else (0.0, width)
    page.add_transformation(Transformation().rotate(angle).translate(*move))
    page.mediabox.upper_right = (height, width)
    page.cropbox.upper_right = (height, width)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue(), width, height


@pytest.mark.parametrize("angle", [90, 270])
def test_print_across_the_sheet_reads_like_level_print(typeset: Callable[[str], bytes], angle: int) -> None:
    data = typeset(_SOURCE)
    level = parse_pdf(data, max_pages=9)
    turned_data, width, height = _turned(data, angle)
    turned = parse_pdf(turned_data, max_pages=9)
    assert turned.text == level.text
    assert [cell.text for cell in turned.tables[0].cells] == [cell.text for cell in level.tables[0].cells]
    assert (turned.pages[0].width, turned.pages[0].height) == pytest.approx((height, width))
    x0, y0, x1, y1 = level.geometry.rows.T
    expected = (y0, width - x1, y1, width - x0) if angle == 90 else (height - y1, x0, height - y0, x1)
    assert np.allclose(turned.geometry.rows, np.stack(expected, axis=1), atol=0.02, equal_nan=True)
    box, shown = level.tables[0].bbox, turned.tables[0].bbox
    assert (shown.x1 - shown.x0, shown.y1 - shown.y0) == pytest.approx((box.y1 - box.y0, box.x1 - box.x0), abs=0.1)


def test_a_turned_label_does_not_turn_its_page(typeset: Callable[[str], bytes]) -> None:
    paper = parse_pdf(typeset("#lorem(40)\n#place(bottom, rotate(-90deg, reflow: true)[Upright label])"), max_pages=9)
    assert paper.pages[0].height > paper.pages[0].width
    assert paper.text.startswith("Lorem ipsum")
