"""Text layers that say less, or other things, than the print: of poor scans, under pictures, of fonts without a map."""

import io
import random
import re
import zlib
from collections.abc import Callable

import pypdfium2 as pdfium
import pytest
from pypdf import PdfReader, PdfWriter

from pincite_core.errors import ImageOnlyError
from pincite_documents.overview import open_paper
from pincite_papers.model import Paper
from pincite_papers.pdf.layout.pages import read_layout
from pincite_papers.pdf.ocr.numbers import looks_misread
from pincite_papers.pdf.ocr.options import OcrOptions
from pincite_papers.pdf.ocr.reader import OcrReader
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.quality import poor_pages

SOURCE = """#set page(width: 16cm, height: 22cm)
#set text(size: 11pt)
= Results of the measurements
The critical current of the films was measured with four contacts in liquid helium. The resistance of the sample
increased to 384 ohms at a temperature of 215 kelvin, and it decreased again below 97 kelvin. The thickness of the
layers was between 120 and 250 nanometres. Every film was annealed in oxygen for 36 hours before the measurement,
and the surface was cleaned with acetone and ethanol. The results agree with those of earlier work within the error.

The density of the ceramic was 91 per cent of the theoretical value. The grains have a size of 14 micrometres, and
most of them contain pores. A second series of 28 samples was prepared under the same conditions for comparison.
"""
STAMP = "Downloaded from a library on a summer day for the personal use of one reader and of nobody else at all."


def _reader() -> OcrReader:
    return OcrReader(OcrOptions(languages=("eng",), seconds=120.0, workers=1))


def _pdf(width: float, height: float, picture: object, operators: str) -> bytes:
    """A page that is a picture (uint8, grey) under ``operators``; font F is Times."""
    content = f"q {width} 0 0 {height} 0 0 cm /I Do Q {operators}".encode()
    rows, columns = picture.shape[:2]  # type: ignore[attr-defined]
    pixels = zlib.compress(picture.tobytes())  # type: ignore[attr-defined]
    image = b"<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8" % (
        columns,
        rows,
    )
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[4 0 R]>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %f %f]/Contents 5 0 R" % (width, height)
        + b"/Resources<</Font<</F 3 0 R>>/XObject<</I 6 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        image + b"/Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(pixels), pixels),
    ]
    body, places = b"%PDF-1.4\n", b""
    for pair in enumerate(objects, 1):
        places += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj\n%s\nendobj\n" % pair
    table = b"xref\n0 7\n0000000000 65535 f \n%strailer<</Size 7/Root 1 0 R>>\n" % places
    return body + table + b"startxref\n%d\n%%%%EOF" % len(body)


def _scan(data: bytes, misread: Callable[[str], str]) -> bytes:
    """The first page as a picture over an invisible layer that has ``misread`` its words; "" leaves one out."""
    (layout, *_) = read_layout(data)
    operators: list[str] = []
    for line in layout.lines:
        for word in line.words:
            text = misread(word.text)
            if text:
                size = line.style.size
                wide = 100 * (word.x1 - word.x0) / (0.5 * len(text) * size)
                place = f"1 0 0 1 {word.x0:.2f} {layout.height - line.baseline:.2f} Tm"
                operators.append(f"/F {size:.2f} Tf {wide:.1f} Tz {place} ({text} ) Tj")
    with pdfium.PdfDocument(data) as document:
        picture = document[0].render(scale=200 / 72, grayscale=True).to_numpy()
        return _pdf(layout.width, layout.height, picture, "BT 3 Tr " + "\n".join(operators) + " ET")


def _muddle(share: float) -> Callable[[str], str]:
    """Letters as a bad OCR misreads them, and digits, in this share of the words."""
    chance = random.Random(5)

    def misread(word: str) -> str:
        if chance.random() > share:
            return word
        return word.translate(str.maketrans("eahm1385", "cunr7889")) + ("l" if word.isalpha() else "")

    return misread


@pytest.fixture(scope="module")
def born(typeset: Callable[[str], bytes]) -> bytes:
    return typeset(SOURCE)


def _numbers(paper: Paper) -> dict[str, bool]:
    """The numbers of a paper, and whether they are marked as unreliable."""
    return {
        match[0]: any(span.start < match.end() and match.start() < span.end for span in paper.suspects)
        for match in re.finditer(r"\d+", paper.text)
    }


def test_every_number_of_a_poor_layer_is_unreliable_and_open_paper_says_so_first(born: bytes) -> None:
    for name, misread in (("misread", _muddle(0.5)), ("left out", lambda word: "" if len(word) in {5, 6} else word)):
        paper = parse_pdf(_scan(born, misread), max_pages=9)
        numbers = _numbers(paper)
        assert len(numbers) > 5, name
        assert all(numbers.values()), name
        assert paper.warnings[0].startswith("Page 1: the text layer under the picture is poor ("), name
        assert "Every number there is unreliable" in paper.warnings[0]
        overview = open_paper(paper)
        assert list(overview)[:2] == ["id", "warnings"]
        assert poor_pages(paper)


def test_a_good_layer_is_left_alone(born: bytes) -> None:
    paper = parse_pdf(_scan(born, lambda word: word), max_pages=9)
    assert not any(_numbers(paper).values())
    assert paper.warnings == ("The text of page 1 is the text layer under a page image: zoom before quoting it.",)


@pytest.mark.usefixtures("tesseract_ready")
def test_a_poor_layer_is_read_anew(born: bytes) -> None:
    paper = parse_pdf(_scan(born, _muddle(0.5)), max_pages=9, make_reader=_reader)
    assert "increased to 384 ohms at a temperature of 215 kelvin" in paper.text
    assert paper.title == "Results of the measurements"
    said = r"Page 1: the text layer under the picture is poor \(.*\)\. Read again by OCR"
    assert re.match(said, paper.warnings[0])
    assert paper.recognised


def test_a_page_of_print_under_a_few_characters_is_named(typeset: Callable[[str], bytes]) -> None:
    body = SOURCE.split("measurements\n", 1)[1]
    with pdfium.PdfDocument(typeset(SOURCE + body)) as document:
        picture = document[0].render(scale=200 / 72, grayscale=True).to_numpy()
        width, height = document[0].get_size()
    stamped = _pdf(width, height, picture, f"BT /F 6 Tf 40 {height / 2 - 60} Td ({STAMP}) Tj ET")
    paper = parse_pdf(stamped, max_pages=9)
    assert paper.warnings[0].startswith("Page 1: most of the print is not in the text layer (about ")
    assert "Not read again: OCR is off. Next: Set PINCITE_OCR=auto." in paper.warnings[0]
    assert poor_pages(paper)[0].why == "most of its print was not read"


def _unmapped(data: bytes) -> bytes:
    """The PDF with the code points of its small letters taken from its fonts."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    for item in writer.pages[0]["/Resources"]["/Font"].values():
        map_stream = item.get_object()["/ToUnicode"].get_object()
        map_stream.set_data(re.sub(rb"<00[67][0-9A-F]>(?=\s*\n)", b"<0002>", map_stream.get_data()))
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_a_page_whose_fonts_say_nothing_is_withheld(born: bytes, typeset: Callable[[str], bytes]) -> None:
    broken = _unmapped(born)
    with pytest.raises(ImageOnlyError, match="fonts do not say which letters they print"):
        parse_pdf(broken, max_pages=9)
    with pdfium.PdfDocument(typeset("= Opening\nThis page reads well.")) as whole, pdfium.PdfDocument(broken) as other:
        whole.import_pages(other)
        file = io.BytesIO()
        whole.save(file)
    paper = parse_pdf(file.getvalue(), max_pages=9)
    assert paper.text == "Opening\n\nThis page reads well."
    assert paper.warnings[0].startswith("Page 2: the fonts do not say which letters they print (")
    assert "the text is withheld: look at the page" in paper.warnings[0]
    assert [(page.page, page.why) for page in poor_pages(paper)] == [(2, "most of its print was not read")]


def test_numbers_that_cannot_be_printed_so() -> None:
    odd = [
        ("5X10", "A/cm"),
        ("100", "pQcm"),
        ("2.2%0.3", ""),
        ("11.840.6", ""),
        ("SE+0.6", ""),
        ("040.7", ""),
        ("R?=0.22", ""),
        ("O.09", ""),
    ]
    plain = [
        *[("5×10^6", "A/cm^2"), ("100", "µΩcm"), ("2.2", "%"), ("(0.35,", "0.41)"), ("R^2=0.22", ""), ("90°", "and")],
        *[("H_2O", "was"), ("10^−3", "mol"), ("La0.7Sr0.3MnO3", "films"), ("2015", "MedChemical"), ("3-methyl", "")],
        *[
            ("T1", "and"),
            ("p<0.05", ""),
            ("Fig.", "3"),
            ("10.1016/j.x", ""),
            ("0.7", ""),
            ("05-09", ""),
            ("1,000.5", ""),
        ],
    ]
    wrong = [pair for pair in odd if not looks_misread(pair[0], "", pair[1])]
    wrong += [pair for pair in plain if looks_misread(pair[0], "", pair[1])]
    assert wrong == []
