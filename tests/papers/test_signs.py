"""Signs of fonts whose codes say something else are read as printed or marked; honest fonts are left alone."""

import io

import pytest
from parts.sign_fonts import TEXT, SignFont, print_lines
from pypdf import PdfReader, PdfWriter

from pincite_core.errors import ImageOnlyError
from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf

_LINES = (
    "The length of the animals was SVL = 37.4 mm on the first day of the experiment.",
    "The coefficient of the second term was (−1.43346 ± 0.02) in the model of the year.",
    "A sample with a value of p < 0.05 or p > 0.95 was kept, and with n ≥ 12 or n ≤ 30.",
    "The dose was 3 × 10 times that of the others, and Q = a + b was fitted to the data.",
    "The pressure over the column was about ∼ 25 kPa at 37 °C in all of the vessels.",
    "The wave has λ and the angle θ, both with the shift δ of the line in the spectrum.",
    "The test of the data gave Δ = 5 and the mass of 12 µg with α = 3 for the whole set.",
    "The interval was [0.5, 0.9] and the salt 2,2′-azino in the (second) of the mixtures.",
)
_BOLD, _MONO, _SANS = "DejaVuSerif-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSans-BoldOblique.ttf"


def _font(name: str, outlines: str, codes: str, signs: str, *, claims: bool = True) -> SignFont:
    return SignFont(name, outlines, dict(zip(codes, signs, strict=True)), claims=claims)


_FONTS = (
    _font("MathematicalPi-One", _BOLD, "1236,.$#58", "+−×±<>≥≤=°"),
    _font("AdvMathSymb", _MONO, "þ¼ðÞ½", "+=()["),
    _font("AdvPS44A4", _BOLD, "CZKGNb$", "+=−±><·"),
    _font("Universal-Greek", _BOLD, "lqdDma", "λθδΔµα"),
    _font("Times-Roman", _MONO, "lqdDma", "λθδΔµα"),
    _font("Scrambled", _MONO, "%xbT4", "×±=−≤"),
    _font("Counted", _BOLD, "\x01\x02\x03\x04\x05\x06", "−=×±≤>", claims=False),
    _font("Oblique", _SANS, "23Q,.", "−×=<>"),
    _font("AdvPi1", _MONO, "8m*+65", "°µ∼±×<"),
    _font("Brackets", _BOLD, "½Þ0", "[]′"),
)
_EQUALS = _font("AdvPSMathPi", _BOLD, "=", "=")
_HONEST = _font("AdvPSMathPi", _BOLD, "=+()<>[]", "=+()<>[]")


def _printed(font: SignFont) -> tuple[list[str], Paper]:
    """The lines that the font can print, and what is read of them."""
    lines = [line for line in _LINES if all(char.isascii() or char in font.signs.values() for char in line)]
    lines = [line for line in lines if any(sign in line for sign in font.signs.values())]
    return lines, parse_pdf(print_lines(lines, font), max_pages=2)


def test_no_sign_of_a_private_encoding_is_wrong_without_a_mark() -> None:
    wrong: list[str] = []
    for font in _FONTS:
        lines, paper = _printed(font)
        marked = {k for span in paper.suspects for k in range(span.start, span.end)}
        expected = " ".join(lines)
        assert lines, font.name
        assert len(paper.text) == len(expected), f"{font.name}: {paper.text}"
        differing = [k for k, char in enumerate(paper.text) if char != expected[k]]
        wrong += [f"{font.name}: {expected[k]} read as {paper.text[k]}" for k in differing if k not in marked]
        wrong += [f"{font.name}: {expected[k]} not read" for k in differing if k in marked]
    assert not wrong


@pytest.mark.parametrize("font", [_HONEST, SignFont("Symbols", _MONO, {"3": "3", "7": "7", "S": "S"})])
def test_an_honest_font_is_left_alone(font: SignFont) -> None:
    lines, paper = _printed(font)
    assert paper.text == " ".join(lines)
    assert paper.suspects == ()


def test_letters_of_a_ligature_without_a_code_are_read() -> None:
    """A text font whose Th stands at the code of a plus: "+e" was read for "The", and never marked."""
    printed = ["+e length of the animals was 37.4 mm on +ursday.", "+ese were kept in (+is) vessel, as others did."]
    letters = SignFont("Text-Regular", "STIXGeneral.ttf", {**TEXT.signs, "+": "Th"})
    paper = parse_pdf(print_lines(printed, _EQUALS, letters), max_pages=1)
    assert paper.text == " ".join(printed).replace("+", "Th")
    assert paper.suspects == ()


def test_what_only_its_shape_tells_is_marked() -> None:
    font = _font("Scrambled", _MONO, "%xb", "λθδ")
    lines, paper = _printed(font)
    assert len(paper.text) == len(lines[0])
    assert [paper.text[span.start : span.end] for span in paper.suspects] == ["λ", "θ", "b"]


def test_a_page_that_its_fonts_do_not_say_is_withheld() -> None:
    garbled = print_lines(["λθδ λδθ δλθ θδδ is the", "δθλ"] * 6, _font("Scrambled", _MONO, "%xb", "λθδ"))
    with pytest.raises(ImageOnlyError, match="do not say which letters they print"):
        parse_pdf(garbled, max_pages=1)
    writer = PdfWriter()
    for data in (print_lines(list(_LINES[:1]), _HONEST), garbled):
        writer.append(PdfReader(io.BytesIO(data)))
    stream = io.BytesIO()
    writer.write(stream)
    paper = parse_pdf(stream.getvalue(), max_pages=2)
    assert paper.text == _LINES[0]
    assert paper.suspects == ()
    assert any(warning.startswith("Page 2: ") and "withheld" in warning for warning in paper.warnings)
