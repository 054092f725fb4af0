"""Highlights in PDFs of every make: PDFium and poppler draw them over exactly the quote; the rest of the file stays."""

import io
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
import typst
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import FloatObject, NameObject, NumberObject, RectangleObject

from pincite_core.errors import DamagedError
from pincite_papers.pdf.parse import parse_pdf
from pincite_provenance.export.annotate import annotate
from pincite_provenance.export.marked import COLORS
from pincite_provenance.export.marks import Mark

QUOTES = ("consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore", "88.1 K was measured")
SCALE = 2
DATE = "D:20260102030405Z"
GREEN = COLORS["holds"]


def marks_of(paper, quotes=QUOTES, color=GREEN):
    made = []
    for quote in quotes:
        start = paper.text.replace("\n", " ").index(quote)
        boxes = paper.boxes(start, start + len(quote))
        for page in sorted({number for number, _ in boxes}):
            here = tuple((box.x0, box.y0, box.x1, box.y1) for number, box in boxes if number == page)
            made.append(Mark(page, here, color, f"c{start}", "tester é", f"A claim ({quote}) — holds", DATE))
    return made


def with_pdfium(data: bytes, page: int) -> np.ndarray:
    with pdfium.PdfDocument(data) as document:
        return document[page - 1].render(scale=SCALE, may_draw_forms=False, rev_byteorder=True).to_numpy().copy()


def with_poppler(data: bytes, page: int) -> np.ndarray:
    command = ["pdftoppm", "-r", str(72 * SCALE), "-cropbox", "-f", str(page), "-l", str(page), "-"]
    return np.asarray(
        Image.open(io.BytesIO(subprocess.run(command, input=data, capture_output=True, check=True).stdout))
    )


def assert_only_the_boxes_are_coloured(before, after, boxes, color, scale=SCALE):
    """Pixels inside the boxes are multiplied with the colour, and none outside of them has changed; two pixels at
    each edge may go either way, since drawing programs round differently."""
    assert before.shape == after.shape
    inside, near = np.zeros(before.shape[:2], bool), np.zeros(before.shape[:2], bool)
    for box in boxes:
        x0, y0, x1, y1 = (edge * scale for edge in box)
        inside[int(np.ceil(y0)) + 2 : int(y1) - 2, int(np.ceil(x0)) + 2 : int(x1) - 2] = True
        near[max(int(y0) - 2, 0) : int(np.ceil(y1)) + 2, max(int(x0) - 2, 0) : int(np.ceil(x1)) + 2] = True
    changed = (before != after).any(axis=2)
    assert not (changed & ~near).any()
    assert inside.sum() > 100
    assert np.abs(after[inside].astype(float) - before[inside] * np.array(color)).max() <= 6, (
        "white is coloured, ink is not"
    )


def with_cross_references_in_a_stream(data: bytes) -> bytes:
    writer = PdfWriter(io.BytesIO(data), incremental=True)
    writer.add_metadata({"/Subject": "appended"})
    out = io.BytesIO()
    writer.write(out)
    assert b"/XRef" in out.getvalue()[len(data) :]
    return out.getvalue()


def turned(quarter):
    return lambda writer: [page.rotate(quarter) for page in writer.pages]


def cropped(writer):
    for page in writer.pages:
        page.cropbox = RectangleObject((30, 40, 380, 560))


def moved(writer):
    """A media box that begins elsewhere, and a crop box that goes beyond it."""
    for page in writer.pages:
        left, bottom, right, top = (float(edge) for edge in page.mediabox)
        page.mediabox = RectangleObject((left - 50, bottom - 20, right + 10, top + 30))
        page.cropbox = RectangleObject((left - 90, bottom + 10, right, top + 90))


def turned_by_the_tree(writer):
    writer.root_object["/Pages"][NameObject("/Rotate")] = NumberObject(90)


def cropped_and_turned(writer):
    cropped(writer)
    turned(270)(writer)


MAKES = {
    "plain": None,
    "right": turned(90),
    "over": turned(180),
    "left": turned(270),
    "turned by the tree": turned_by_the_tree,
    "cropped": cropped,
    "moved": moved,
    "cropped and turned": cropped_and_turned,
}


@pytest.fixture(params=MAKES)
def make(request, pdf, rewritten) -> bytes:
    change = MAKES[request.param]
    return rewritten(change) if change else pdf


def test_a_highlight_covers_exactly_the_quote(make):
    marks = marks_of(parse_pdf(make, max_pages=9))
    marked, kept = annotate(make, marks)
    assert kept
    assert marked.startswith(make)
    assert {mark.page for mark in marks} == {1, 2}
    for mark in marks:
        before, after = with_pdfium(make, mark.page), with_pdfium(marked, mark.page)
        assert_only_the_boxes_are_coloured(before, after, mark.boxes, GREEN)


def test_poppler_draws_the_same(make, missing):
    if shutil.which("pdftoppm") is None:
        missing("no poppler (apt install poppler-utils)")
    mark = marks_of(parse_pdf(make, max_pages=9))[0]
    marked, _ = annotate(make, [mark])
    assert_only_the_boxes_are_coloured(with_poppler(make, 1), with_poppler(marked, 1), mark.boxes, GREEN)


def test_pages_in_larger_units(rewritten):
    def enlarge(writer):
        for page in writer.pages:
            page[NameObject("/UserUnit")] = FloatObject(2)

    data = rewritten(enlarge)
    mark = marks_of(parse_pdf(data, max_pages=9))[0]
    marked, _ = annotate(data, [mark])
    assert_only_the_boxes_are_coloured(with_pdfium(data, 1), with_pdfium(marked, 1), mark.boxes, GREEN)


def test_a_highlight_says_what_was_claimed_by_whom_and_when(pdf):
    marked, _ = annotate(pdf, marks_of(parse_pdf(pdf, max_pages=9), QUOTES[:1]))
    page = PdfReader(io.BytesIO(marked), strict=True).pages[0]
    link, highlight = (reference.get_object() for reference in page["/Annots"])
    assert link["/Subtype"] == "/Link", "what was there stays"
    assert highlight["/Subtype"] == "/Highlight"
    assert highlight["/Contents"] == f"A claim ({QUOTES[0]}) — holds"
    assert highlight["/T"] == "tester é"
    assert highlight["/M"] == highlight["/CreationDate"] == DATE
    assert highlight["/NM"].startswith("c")
    assert highlight["/F"] == 4
    assert highlight["/P"] == page
    quads = np.array(highlight["/QuadPoints"], float).reshape(-1, 4, 2)
    assert len(quads) == 2, "one a line"
    left, bottom, right, top = (float(edge) for edge in highlight["/Rect"])
    assert quads[:, :, 0].min() == pytest.approx(left)
    assert quads[:, :, 0].max() == pytest.approx(right)
    assert quads[:, :, 1].min() == pytest.approx(bottom)
    assert quads[:, :, 1].max() == pytest.approx(top)
    assert (quads[:, 0, 1] > quads[:, 2, 1]).all(), "upper corners first"
    assert (quads[:, 0, 0] < quads[:, 1, 0]).all(), "left corners first"


@pytest.mark.parametrize("table", [False, True])
def test_marking_twice_keeps_both(pdf, table):
    """A file that was appended to before, as a signed one is, keeps every byte; so does the form of its tables."""
    first = pdf if table else with_cross_references_in_a_stream(pdf)
    marks = marks_of(parse_pdf(first, max_pages=9))
    second, kept = annotate(first, marks[:1])
    third, kept_again = annotate(second, marks[1:])
    assert (kept, kept_again) == (True, True)
    assert third.startswith(second)
    assert second.startswith(first)
    reader = PdfReader(io.BytesIO(third), strict=True)
    kinds = [[each.get_object()["/Subtype"] for each in page.get("/Annots", [])] for page in reader.pages]
    assert kinds == [["/Link", "/Highlight"], ["/Highlight"]]
    for added in (second[len(first) :], third[len(second) :]):
        assert (b"trailer" in added, b"/XRef" in added) == (table, not table)


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_file_that_is_encrypted_with_an_empty_password_is_written_anew(rewritten, algorithm):
    data = rewritten(lambda writer: writer.encrypt("", "owner", algorithm=algorithm))
    mark = marks_of(parse_pdf(data, max_pages=9))[0]
    marked, kept = annotate(data, [mark])
    assert not kept
    assert not PdfReader(io.BytesIO(marked), strict=True).is_encrypted
    assert_only_the_boxes_are_coloured(with_pdfium(data, 1), with_pdfium(marked, 1), mark.boxes, GREEN)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: data.rindex(b"startxref")] + b"startxref\n7\n%%EOF\n",
        lambda data: b"junk before the header\n" + data,
        lambda data: data[: data.rindex(b"startxref")],
    ],
    ids=["wrong offset", "junk before", "no end"],
)
def test_a_file_whose_cross_references_are_wrong_is_written_anew(rewritten, damage):
    data = damage(rewritten())
    mark = marks_of(parse_pdf(data, max_pages=9))[0]
    marked, kept = annotate(data, [mark])
    assert not kept
    assert_only_the_boxes_are_coloured(with_pdfium(data, 1), with_pdfium(marked, 1), mark.boxes, GREEN)


def test_what_no_mark_can_be_added_to_is_said_to_be_damaged(pdf):
    """A page of which only PDFium makes sense: its tree names an object that is none."""
    start = pdf.index(b"%PDF")
    data = pdf[start : start + 9] + b"1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj 2 0 obj <</Type/Pages>> endobj"
    with pytest.raises((DamagedError, pdfium.PdfiumError)):
        annotate(data, [Mark(1, ((0, 0, 9, 9),), GREEN, "c", "", "", DATE)])


def test_lines_of_a_table_and_formulas(missing):
    source = r"""
    #set page(width: 120mm, height: 100mm)
    #table(columns: 2, [Sample], [$T_c$ (K)], [A1], [92.5], [A2], [88.1])
    #set text(size: 14pt)
    The exponent is $10^(-3)$ in this line of larger print, and that is all.
    """
    data = typst.compile(source.encode())
    paper = parse_pdf(data, max_pages=2)
    mark = marks_of(paper, ("in this line of larger print",), COLORS["fails"])[0]
    marked, _ = annotate(data, [mark])
    assert_only_the_boxes_are_coloured(with_pdfium(data, 1), with_pdfium(marked, 1), mark.boxes, COLORS["fails"])


def test_real_papers_are_marked_over_the_quote(missing):
    data = Path(__file__).parents[4] / "shared" / "data"
    files = sorted(data.glob("**/*.pdf"), key=lambda path: path.stat().st_size)[:2]
    if not files:
        missing("no shared papers")
    for file in files:
        source = file.read_bytes()
        paper = parse_pdf(source, max_pages=40)
        blocks = [block for block in paper.blocks if block.kind == "paragraph" and block.end - block.start > 150]
        block = blocks[len(blocks) // 2]
        (page, *_), boxes = zip(*paper.boxes(block.start, block.start + 120), strict=True)
        here = tuple((box.x0, box.y0, box.x1, box.y1) for box in boxes)
        marked, kept = annotate(source, [Mark(page, here, GREEN, "c1", "", "claim", DATE)])
        assert marked.startswith(source) is kept
        assert_only_the_boxes_are_coloured(with_pdfium(source, page), with_pdfium(marked, page), here, GREEN)
