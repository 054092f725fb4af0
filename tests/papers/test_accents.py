"""Diacritics that are printed over their letters, wherever they stand in the content, are read as the letters."""

from collections.abc import Callable

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf

_STROKE = b"<</Length 38>>stream\n  0 0 0 300 278 500 d1 0 300 278 200 re f\nendstream"
_LETTER = b"<</Length 38>>stream\n278 0 90 0 190 700 d1 90 0 100 700 re f  \nendstream"
_FONTS = (
    b"<</A<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"
    b"/S<</Type/Font/Subtype/Type3/FontBBox[0 0 600 800]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 32/LastChar 108"
    b"/Widths[" + b"0 " * 76 + b"278]/Encoding<</Differences[32/stroke 108/l]>>/CharProcs<</stroke 5 0 R/l 6 0 R>>"
    b"/Resources<<>>>>>>"
)


def _pdf(shown: list[tuple[str, float, bytes]]) -> bytes:
    """A page with each text in its font at a place of one line, in points."""
    content = b"BT " + b" ".join(
        f"/{font} 10 Tf 1 0 0 1 {x} 700 Tm ".encode() + b"(" + text + b") Tj" for font, x, text in shown
    )
    content += b" ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 800]/Contents 4 0 R/Resources<</Font" + _FONTS + b">>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        _STROKE,
        _LETTER,
    ]
    data = b"%PDF-1.4\n"
    for number, body in enumerate(objects, 1):
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return data + b"trailer<</Size 7/Root 1 0 R>>\n"


# Courier at 10 points: each character is 6 points wide.
_CASES = (
    ("Korbéogo went", [("A", 60, b"Korbeogo went"), ("A", 84, b"\xb4")]),
    ("Korbéogo went", [("A", 60, b"Korb"), ("A", 84, b"\xb4"), ("A", 84, b"eogo went")]),
    ("de Raventós, and", [("A", 60, b"de Raventos,"), ("A", 114, b"\xb4"), ("A", 138, b"and")]),
    ("Gülçin ran", [("A", 60, b"Gulcin ran"), ("A", 66, b"\xa8"), ("A", 78, b"\xb8")]),
    ("persons´ opinion", [("A", 60, b"persons\xb4 opinion")]),
    ("a ¨ b", [("A", 60, b"a"), ("A", 90, b"\xa8"), ("A", 120, b"b")]),
    ("the Skala of", [("A", 60, b"the Skala of")]),
    ("the Skała of", [("A", 60, b"the Ska"), ("S", 102, b" l"), ("A", 105, b"a of")]),
)


def test_accents_are_read_where_they_are_printed() -> None:
    wrong = [(parse_pdf(_pdf(shown), max_pages=1).text, text) for text, shown in _CASES]
    assert [pair for pair in wrong if pair[0] != pair[1]] == []


def test_drawn_decimal_points_are_read(parsed: Callable[[str], Paper]) -> None:
    """A journal draws the points of its formulas as shapes: 0.05 must not become 0 05, nor 12 34 become 12.34."""
    point = "#h(1.2pt)#box(rect(width: 1pt, height: 1pt, fill: black))#h({}pt)"
    wide, narrow = point.format(1.2), point.format(0.1).replace("#h(1.2pt)", "#h(0.1pt)")
    prose = "The samples were annealed in flowing oxygen for two days before every measurement was taken. " * 3
    paper = parsed(
        f"{prose} The effect was significant at P < 0{wide}05 in 12 34 animals. {prose} It fell to 3{narrow}7."
    )
    assert "P < 0.05 in 12 34 animals" in paper.text
    place = paper.text.rindex("fell to")
    seen = paper.text[place : place + 12]
    marked = any(suspect.start <= place + 8 < suspect.end for suspect in paper.suspects)
    assert "3.7" in seen or marked, seen
