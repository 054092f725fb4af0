"""Characters that a font maps to nothing, or to a letter that it does not print, are marked; a clear shape is read."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf

_HARD = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "papers-cc-by" / "iucrj_fel.pdf"
_SOURCE = "#set super(typographic: false)\nAdd 30 µg ml#super[−1] of it to mm at 37 °C over 2.2 × 4.5 mm as α − β says."
_LOST = {"00B5": "006D", "2212": "0002", "00D7": "0006", "00B0": "0005", "03B1": "0007"}


def _mangled(data: bytes, font: str) -> bytes:
    """The PDF with the code points of ``_LOST`` mapped to others and its fonts named ``font``."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    for item in writer.pages[0]["/Resources"]["/Font"].values():
        described = item.get_object()
        for part in (described, described["/DescendantFonts"][0].get_object()):
            part[NameObject("/BaseFont")] = NameObject(f"/{font}")
        map_stream = described["/ToUnicode"].get_object()
        text = map_stream.get_data()
        for code, other in _LOST.items():
            text = text.replace(f"<{code}>".encode(), f"<{other}>".encode())
        map_stream.set_data(text)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def _suspect(paper: Paper) -> list[str]:
    return [paper.text[span.start : span.end] for span in paper.suspects]


def test_lost_characters_are_read_by_their_shape_and_marked(typeset: Callable[[str], bytes]) -> None:
    paper = parse_pdf(_mangled(typeset(_SOURCE), "AdvPi1"), max_pages=9)
    assert paper.text == "Add 30 µg ml^−1 of it to mm at 37 °C over 2.2 × 4.5 mm as \ufffd − β says."
    assert "\ufffd" in "".join(_suspect(paper))
    assert any("suspect" in warning for warning in paper.warnings)


def test_lost_characters_are_marked_until_the_text_around_agrees(typeset: Callable[[str], bytes]) -> None:
    paper = parse_pdf(_mangled(typeset(_SOURCE), "Serif"), max_pages=9)
    marked = {k for span in paper.suspects for k in range(span.start, span.end)}
    assert "30 µg ml^−1 of it to mm at 37 °C over 2.2 × 4.5 mm" in paper.text
    assert {k for k, c in enumerate(paper.text) if c == "\ufffd"} <= marked


def test_plain_paper_has_no_suspects(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(_SOURCE)
    assert "30 µg ml^−1" in paper.text
    assert paper.suspects == ()
    assert paper.warnings == ()


@pytest.mark.skipif(not _HARD.exists(), reason="the papers of ../shared/data are not here")
def test_the_paper_whose_micrograms_every_engine_loses() -> None:
    paper = parse_pdf(_HARD.read_bytes(), max_pages=50)
    for quote in ("30 µg ml^−1 kanamycin", "at 37°C.", "0.7 × 0.7 × 0.7 mm", "5.7 × 10^10 photons"):
        assert quote in paper.text
