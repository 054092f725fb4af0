"""Glyphs are PDFium's characters, one for one."""

from collections.abc import Callable

import pypdfium2
import pypdfium2.raw as raw
import pytest

from pincite_papers.pdf.glyphs import Frame, Glyphs, read_glyphs

_SOURCE = (
    "#set text(hyphenate: true)\n#set page(width: 9cm, height: 12cm)\nAn *office* of _it_. #lorem(80) $x^2 + 1$ done."
)


@pytest.fixture(scope="module")
def page(typeset: Callable[[str], bytes]) -> pypdfium2.PdfPage:
    return pypdfium2.PdfDocument(typeset(_SOURCE))[0]


@pytest.fixture(scope="module")
def glyphs(page: pypdfium2.PdfPage) -> Glyphs:
    return read_glyphs(page, Frame.of(page))


def test_codes_agree_with_the_function_of_one_character(page: pypdfium2.PdfPage, glyphs: Glyphs) -> None:
    textpage = page.get_textpage()
    assert len(glyphs.codes) == raw.FPDFText_CountChars(textpage)
    for index, code in enumerate(glyphs.codes.tolist()):
        assert code == raw.FPDFText_GetUnicode(textpage, index)
        assert bool(glyphs.hyphens[index]) == (raw.FPDFText_IsHyphen(textpage, index) == 1)


def test_boxes_agree_and_are_turned_over(page: pypdfium2.PdfPage, glyphs: Glyphs) -> None:
    textpage = page.get_textpage()
    height = page.get_height()
    for index in range(0, len(glyphs.codes), 7):
        if glyphs.runs[index] < 0:
            continue
        left, bottom, right, top = textpage.get_charbox(index)
        assert glyphs.boxes[index].tolist() == pytest.approx([left, height - top, right, height - bottom], abs=0.01)


def test_runs_are_text_objects(page: pypdfium2.PdfPage, glyphs: Glyphs) -> None:
    textpage = page.get_textpage()
    objects: dict[int, int] = {}
    for index, run in enumerate(glyphs.runs.tolist()):
        if run < 0:
            assert chr(glyphs.codes[index]).isspace()
            continue
        pointer = raw.FPDFText_GetTextObject(textpage, index)
        address = pypdfium2.raw.ctypes.addressof(pointer.contents)
        assert objects.setdefault(run, address) == address


def test_styles_tell_size_weight_and_slant(glyphs: Glyphs) -> None:
    styles = {run.style for run in glyphs.objects}
    assert {style.bold for style in styles} == {True, False}
    assert any(style.italic for style in styles)
    assert {round(style.size) for style in styles} == {7, 10}
    assert all("+" not in style.font for style in styles)


def test_page_without_text_has_no_glyphs() -> None:
    document = pypdfium2.PdfDocument.new()
    page = document.new_page(100, 100)
    assert len(read_glyphs(page, Frame.of(page)).codes) == 0
