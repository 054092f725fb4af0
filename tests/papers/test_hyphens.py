"""Hyphens at line ends."""

from collections.abc import Callable

import pytest

from pincite_papers.model import Paper
from pincite_papers.pdf.canonical import Canonical
from pincite_papers.pdf.elements import Line, Style, Word
from pincite_papers.pdf.hyphens import Hyphenation

_STYLE = Style("Serif", 10, bold=False, italic=False)


def _line(text: str) -> Line:
    words = [Word(part, 0, 0, 1, 1, _STYLE, list(range(len(part)))) for part in text.split()]
    return Line(words, 0, 0, 1, 1, 1, _STYLE)


def _joined(upper: str, lower: str, elsewhere: str = "") -> str:
    lines = [_line(upper), _line(lower)]
    canonical = Canonical(Hyphenation([*lines, *([_line(elsewhere)] if elsewhere else [])]))
    canonical.add_lines([(0, line) for line in lines])
    assert len(canonical.glyphs) == canonical.length == len(canonical.text())
    return canonical.text()


@pytest.mark.parametrize(
    ("upper", "lower", "elsewhere", "text"),
    [
        ("the infor-", "mation is", "", "the information is"),
        ("the infor-", "mation is", "such information", "the information is"),
        ("the high-", "temperature phase", "a high-temperature step", "the high-temperature phase"),
        ("a state-of-", "the-art tool", "", "a state-of-the-art tool"),
        ("the X-", "ray beam", "", "the X-ray beam"),
        ("a Diels-", "Alder step", "", "a Diels-Alder step"),
        ("the pET-", "26b vector", "", "the pET-26b vector"),
        ("a self-", "consistent field", "", "a self-consistent field"),
        ("a low-", "level part", "the level is low here", "a low-level part"),
        ("a phonon-", "mediated pairing", "one phonon is", "a phonon-mediated pairing"),
        ("high- and low-", "spin states", "", "high- and low-spin states"),
        ("both high-", "and low-spin", "", "both high- and low-spin"),
        ("see https:", "//doi.org/10.1/", "", "see https://doi.org/10.1/"),
        ("see https://doi.org/", "10.1000/x is", "", "see https://doi.org/10.1000/x is"),
        ("the ratio a/", "b holds", "", "the ratio a/b holds"),
    ],
)
def test_line_ends(upper: str, lower: str, elsewhere: str, text: str) -> None:
    assert _joined(upper, lower, elsewhere) == text


def test_typeset_hyphens_are_undone(parsed: Callable[[str], Paper]) -> None:
    words = "internationalization of characterization methodologies and superconductivity measurements " * 6
    paper = parsed(f'#set page(width: 6cm, height: 20cm)\n#set text(lang: "en", hyphenate: true)\n{words}')
    assert paper.text == words.strip()
