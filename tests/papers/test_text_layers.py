"""Old scans with a text layer: words one by one without ink over the picture of the page, on baselines that jump."""

import random
import zlib
from collections.abc import Callable

import pypdfium2 as pdfium
import pytest

from pincite_papers.model import BlockKind
from pincite_papers.pdf.elements import Line, PageLayout
from pincite_papers.pdf.layout.pages import read_layout
from pincite_papers.pdf.parse import parse_pdf

_WORDS = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima")


def _running(count: int, first: int = 0) -> str:
    return " ".join(f"{_WORDS[k % 12]}{k}" for k in range(first, first + count))


def _object(body: bytes, extra: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (extra, len(body), body)


def _layer(line: Line, height: float, chance: random.Random, jitter: float) -> list[str]:
    """Operators that print each word of a line by itself, a little off its place and size."""
    operators: list[str] = []
    for word in line.words:
        size = line.style.size * chance.uniform(1 - jitter / 20, 1 + jitter / 20)
        wide = 100 * (word.x1 - word.x0) / (0.5 * len(word.text) * size)
        y = height - line.baseline + chance.uniform(-jitter, jitter)
        operators.append(f"/F {size:.2f} Tf {wide:.1f} Tz 1 0 0 1 {word.x0:.2f} {y:.2f} Tm ({word.text} ) Tj")
    return operators


def _scan(data: bytes, jitter: float) -> bytes:
    """The pages as pictures over what an OCR of them would have written."""
    chance = random.Random(3)
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>"]
    pages: list[int] = []
    layouts: list[PageLayout] = read_layout(data)
    for page, layout in zip(pdfium.PdfDocument(data), layouts, strict=True):
        picture = page.render(scale=100 / 72, grayscale=True).to_numpy()
        words = [each for line in layout.lines for each in _layer(line, layout.height, chance, jitter)]
        content = f"q {layout.width} 0 0 {layout.height} 0 0 cm /I Do Q BT 3 Tr " + "\n".join(words) + " ET"
        number = len(objects) + 1
        pages.append(number)
        box = b"/MediaBox[0 0 %f %f]" % (layout.width, layout.height)
        parts = b"/Resources<</Font<</F 3 0 R>>/XObject<</I %d 0 R>>>>" % (number + 2)
        kind = b"/Type/XObject/Subtype/Image/Width %d/Height %d" % (picture.shape[1], picture.shape[0])
        kind += b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode"
        objects.append(b"<</Type/Page/Parent 2 0 R%s/Contents %d 0 R%s>>" % (box, number + 1, parts))
        objects += [_object(content.encode()), _object(zlib.compress(picture.tobytes()), kind)]
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), b" ".join(b"%d 0 R" % each for each in pages))
    body = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (k, each) for k, each in enumerate(objects, 1))
    return body + b"trailer<</Size %d/Root 1 0 R>>\n%%%%EOF" % (len(objects) + 1)


@pytest.mark.parametrize("jitter", [0.0, 0.4, 0.8])
def test_a_noisy_layer_reads_like_the_page(typeset: Callable[[str], bytes], jitter: float) -> None:
    data = typeset(
        f"""#set page(width: 18cm, height: 24cm)
#text(size: 17pt)[A Title of the Old Paper]

Jane Doe and John Roe

#columns(2)[
= Introduction
{_running(150)} stop.

Another {_running(100, 200)} stop.

= Methods
{_running(150, 400)} stop.]"""
    )
    paper = parse_pdf(_scan(data, jitter), max_pages=9)
    assert paper.title == "A Title of the Old Paper"
    assert [section.title for section in paper.sections] == ["Introduction", "Methods"]
    assert [paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.PARAGRAPH] == [
        f"{_running(150)} stop.",
        f"Another {_running(100, 200)} stop.",
        f"{_running(150, 400)} stop.",
    ]
