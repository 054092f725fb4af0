"""Papers typeset for the tests."""

import io
import shutil
from collections.abc import Callable
from typing import Protocol

import pypdfium2 as pdfium
import pytest
import typst
from PIL import Image

from pincite_papers.model import Paper
from pincite_papers.pdf.elements import PageLayout
from pincite_papers.pdf.layout.pages import read_layout
from pincite_papers.pdf.parse import parse_pdf


@pytest.fixture(scope="session")
def typeset() -> Callable[[str], bytes]:
    """Typst markup as the bytes of a PDF; the font is one that typst brings along."""

    def compile_source(source: str) -> bytes:
        header = '#set text(font: "New Computer Modern", size: 10pt)\n#set par(justify: true)\n'
        return typst.compile((header + source).encode())

    return compile_source


@pytest.fixture(scope="session")
def layouts(typeset: Callable[[str], bytes]) -> Callable[[str], list[PageLayout]]:
    """Typst markup as the layouts of its pages."""
    return lambda source: read_layout(typeset(source))


@pytest.fixture(scope="session")
def parsed(typeset: Callable[[str], bytes]) -> Callable[[str], Paper]:
    """Typst markup as a Paper."""
    return lambda source: parse_pdf(typeset(source), max_pages=50)


class Scan(Protocol):
    def __call__(self, data: bytes, *, dpi: int = 300, tilt: float = 0.0, quarters: int = 0) -> bytes: ...


@pytest.fixture(scope="session")
def scan() -> Scan:
    """The pages of a PDF as a PDF of pictures, set down ``tilt`` degrees and ``quarters`` quarter turns clockwise."""

    def scanned(data: bytes, *, dpi: int = 300, tilt: float = 0.0, quarters: int = 0) -> bytes:
        pictures: list[Image.Image] = []
        with pdfium.PdfDocument(data) as document:
            for page in document:
                picture = page.render(scale=dpi / 72, grayscale=True).to_pil()
                if tilt:
                    picture = picture.rotate(-tilt, Image.Resampling.BICUBIC, fillcolor=255)
                pictures.append(picture.rotate(-90 * quarters, expand=True) if quarters else picture)
        file = io.BytesIO()
        pictures[0].save(file, "PDF", save_all=True, append_images=pictures[1:], resolution=dpi, quality=80)
        return file.getvalue()

    return scanned


@pytest.fixture
def tesseract_ready(missing: Callable[[str], None]) -> None:
    """A tesseract with English."""
    if shutil.which("tesseract") is None:
        missing("no tesseract (apt install tesseract-ocr)")
