"""Text that a reader cannot see is not part of the canonical text; text that only looks so is."""

from collections.abc import Callable

import pytest
from parts.planted_text import HIDDEN, VISIBLE, Case, page, share_of_prompt

from pincite_papers.model import FurnitureKind, Paper
from pincite_papers.pdf.parse import parse_pdf


def _hidden(paper: Paper) -> list[tuple[str, str]]:
    furniture = [item for shown in paper.pages for item in shown.furniture]
    return [(item.reason, item.text) for item in furniture if item.kind is FurnitureKind.HIDDEN]


@pytest.mark.parametrize("case", HIDDEN, ids=lambda case: case.name)
def test_planted_text_is_set_apart_with_its_reason(case: Case) -> None:
    paper = parse_pdf(case.make(), max_pages=9)
    found = _hidden(paper)
    assert share_of_prompt([paper.text]) < 0.3
    assert share_of_prompt([text for _, text in found]) > 0.6
    assert "92 K" in paper.text
    assert case.reason in {"", *(reason for reason, _ in found)}
    warnings = [warning for warning in paper.warnings if "cannot be seen" in warning]
    assert len(warnings) == 1
    assert warnings[0].startswith("Page 1: ")
    assert case.reason in warnings[0]


@pytest.mark.parametrize("case", VISIBLE, ids=lambda case: case.name)
def test_suspect_text_that_can_be_seen_is_read(case: Case) -> None:
    paper = parse_pdf(case.make(), max_pages=9)
    assert share_of_prompt([paper.text]) > 0.9
    assert "92 K" in paper.text
    assert _hidden(paper) == []


def test_the_text_layer_of_a_scan_is_read_with_a_warning() -> None:
    scan = next(case for case in VISIBLE if case.name == "the text layer of a scan")
    paper = parse_pdf(scan.make(), max_pages=1)
    assert any("the text layer under a page image" in warning for warning in paper.warnings)
    born = next(case for case in VISIBLE if case.name == "white on a dark picture")
    assert not any("page image" in warning for warning in parse_pdf(born.make(), max_pages=1).warnings)


def test_text_partly_covered_loses_only_what_is_covered() -> None:
    words = b"BT /F 10 Tf 40 150 Td (Seen words and then covered words) Tj ET 1 g 104 140 300 30 re f"
    paper = parse_pdf(page(b"BT /F 10 Tf 40 200 Td (A line.) Tj ET " + words), max_pages=1)
    assert "Seen words" in paper.text
    assert "covered" not in paper.text
    assert any("covered words" in text for _, text in _hidden(paper))


@pytest.mark.parametrize("box", [b"0 0 400 20000000", b"0 0 20000000 300", b"0 0 2000000 2000000"])
def test_hidden_text_on_enormous_pages_is_found(box: bytes) -> None:
    """The part to be rendered is long and thin: it is made small enough, and is still some pixels wide."""
    white = b"BT 1 g /F 10 Tf 40 150 Td (Hidden words) Tj ET BT /F 10 Tf 40 1900000 Td (Far words) Tj ET "
    seen = b"BT 0 g /F 10 Tf 40 250 Td (A line.) Tj ET "
    paper = parse_pdf(page(seen + white, more=b"/CropBox[%s]/MediaBox[%s]" % (box, box)), max_pages=1)
    assert "A line." in paper.text
    assert "Hidden" not in paper.text


def test_white_text_on_a_dark_ground_is_seen(parsed: Callable[[str], Paper]) -> None:
    paper = parsed("Some text.\n\n#rect(fill: navy, inset: 8pt)[#text(fill: white)[White heading on blue]]")
    assert "White heading on blue" in paper.text
    assert paper.warnings == ()
