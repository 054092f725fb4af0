"""Displayed formulas: one block with its number and its whole box, fractions and limits read in line."""

from collections.abc import Callable

import pytest

from pincite_papers.model import Block, BlockKind, Paper


def _equations(paper: Paper) -> list[tuple[str, Block]]:
    return [(paper.text[b.start : b.end], b) for b in paper.blocks if b.kind is BlockKind.EQUATION]


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("E = m c^2", "E = mc^2 (1)"),
        ("E = p + sum_(i=1)^n frac(a_i + c, b_i + 1)", "E = p + ∑_{i=1}^n (a_i + c)/(b_i + 1) (1)"),
        ("integral_0^infinity f(x) dif x = frac(A, 2)", "∫_0^∞ f(x) dx = A/2 (1)"),
        ("y = frac(1, 1 + frac(a, b + c)) - z", "y = 1/(1 + a/(b+c)) − z (1)"),
        ("x &= a + b \\ y &= frac(c, d) + 1", "x = a + b y = c/d + 1 (1)"),
    ],
)
def test_formulas_read_in_line(parsed: Callable[[str], Paper], formula: str, text: str) -> None:
    paper = parsed(f'#set math.equation(numbering: "(1)")\n#lorem(30) gives\n$ {formula} $\nwhere #lorem(40).')
    ((seen, _),) = _equations(paper)
    assert seen.replace(" ", "") == text.replace(" ", "")


def test_the_box_holds_the_formula_and_its_number(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        '#set page(width: 14cm, height: 12cm, margin: 2cm)\n#set math.equation(numbering: "(1)")\n#lorem(20)\n'
        "$ T = sum_(i=1)^n frac(a, b) $\n#lorem(20)\n$ x = frac(p, q) $\n#lorem(20)"
    )
    texts = [text for text, _ in _equations(paper)]
    assert [text[-3:] for text in texts] == ["(1)", "(2)"]
    for _, block in _equations(paper):
        assert block.bbox is not None
        assert block.bbox.x1 > paper.pages[0].width - 2.2 * 72 / 2.54
        inside = [box for _, box in paper.boxes(block.start, block.end)]
        assert all(box.y0 >= block.bbox.y0 - 0.1 and box.y1 <= block.bbox.y1 + 0.1 for box in inside)
        assert block.bbox.y1 - block.bbox.y0 > 15


def test_a_ruled_table_is_no_fraction(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        "#lorem(9)\n\n#figure(kind: table, caption: [A table.], table(columns: 2, [$a$], [$b$], [1], [2]))\n\n#lorem(9)"
    )
    assert not _equations(paper)
    assert "/" not in paper.text


def test_marks_of_a_fraction_have_no_box(parsed: Callable[[str], Paper]) -> None:
    paper = parsed("#lorem(20) gives\n$ y = frac(a + b, c) $\nand #lorem(20).")
    ((text, block),) = _equations(paper)
    slash = block.start + text.index("/")
    assert paper.boxes(slash, slash + 1) == []
    assert len(paper.boxes(slash - 2, slash - 1)) == 1


def test_sentences_full_of_formulas_are_no_equation(parsed: Callable[[str], Paper]) -> None:
    text = (
        "For YBa#sub[2]Cu#sub[3]O#sub[6.93] we find $theta_D = 108.9 times 10^(-3)$ μΩ cm, within the uncertainty of "
        "±0.02. For UPt#sub[3] we find $theta_D = 76.68(3)$ meV, for"
    )
    assert not _equations(parsed(f"#lorem(30)\n\n{text}\n"))
