"""Runs, grids, MathML and the builder of papers without pages."""

import unicodedata

import pytest
from lxml import etree

from pincite_core.errors import EmptySourceError
from pincite_papers.characters import clean
from pincite_papers.markup import CellDraft, Grid, PaperBuilder, Run
from pincite_papers.markup.mathml import math_run
from pincite_papers.model import BlockKind, SourceFormat, Span


def _run(text: str) -> Run:
    return Run().add(text)


def _cited(run: Run) -> list[tuple[str, tuple[str, ...]]]:
    text, cited = run.render()
    return [(text[one.start : one.end], one.anchors) for one in cited]


def test_white_space_collapses_and_ends_are_stripped() -> None:
    run = Run().add(" \n a ").add("  b\u00a0c").add("").add(" ").add("d \t")
    assert str(run) == "a b c d"


@pytest.mark.parametrize(
    ("base", "level", "script", "follows", "expected"),
    [
        ("10", 1, "-3", " m", "10^-3 m"),
        ("T", -1, "c", " is", "T_c is"),
        ("x", -1, "i", "y", "x_{i}y"),
        ("Cu", -1, "3", "O", "Cu3O"),
        ("x", -1, "i+1", "", "x_{i+1}"),
        ("e", 1, "-x/2", " ", "e^{-x/2}"),
        ("Ca", 1, "2+", " ions", "Ca^2+ ions"),
        ("shown", 1, "1,2–4", ".", "shown^1,2–4."),
        ("20 ", 1, "∘", "C", "20 °C"),
        ("x", 1, " ", "y", "x y"),
    ],
)
def test_scripts_are_marked_as_in_a_pdf(base: str, level: int, script: str, follows: str, expected: str) -> None:
    assert str(_run(base).add_script(level, _run(script)).add(follows)) == expected


def test_scripts_of_one_level_that_touch_are_one() -> None:
    run = _run("shown")
    for part in ("1", ",", "3"):
        run.add_script(1, Run().add_citation([part], part) if part.isdigit() else _run(part))
    assert str(run) == "shown^1,3"
    assert _cited(run) == [("1", ("1",)), ("3", ("3",))]


def test_a_citation_keeps_its_place_among_collapsed_spaces() -> None:
    run = _run("as   in ").add_citation(["a", "b"], "  [1,\n 2] ").add("and").add_citation(["c"], _run("[3]"))
    assert str(run) == "as in [1, 2] and[3]"
    assert _cited(run) == [("[1, 2]", ("a", "b")), ("[3]", ("c",))]


def test_letters_and_their_accents_from_two_pieces_are_composed() -> None:
    run = Run().add_citation(["a"], "Andre").add("\u0301 and ").add_citation(["b"], "B").add("\u030a")
    text = str(run)
    assert text == "André and B̊"
    assert unicodedata.is_normalized("NFC", text)
    assert _cited(run) == [("André", ("a",)), ("B̊", ("b",))]


def test_characters_that_cannot_be_seen_or_written_are_left_out() -> None:
    smuggled = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore")
    assert clean(f"a\x00\u00adb\u200bc\u202ed{smuggled}e\u2062f") == "abcdef"
    assert clean("\ud800x\uffff") == "\ufffdx\ufffd"
    assert clean("A\u030a \u212b \u2126") == "Å Å Ω"


def test_stripped_leaves_no_space_at_the_ends() -> None:
    run = Run().add(" ").add(" a").add_script(1, _run("2")).add(" b ").add("  ").stripped()
    assert str(_run("(").add_run(run).add(")")) == "(a^2 b)"


MATRIX = "".join(f"<mtr><mtd><mi>{a}</mi></mtd><mtd><mi>{b}</mi></mtd></mtr>" for a, b in ("ab", "cd"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E = mc^2"),
        ("<mo>-</mo><mi>a</mi><mo>-</mo><mi>b</mi>", "-a - b"),
        ("<mi>f</mi><mo>\u2061</mo><mo>(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>)</mo>", "f(x, y)"),
        ("<mi>sin</mi><mi>x</mi>", "sin x"),
        ("<mn>2</mn><mi>a</mi><mi>b</mi>", "2ab"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a + b)/2"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>m</mi>", "(1/2)m"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mrow><mo>=</mo><mi>m</mi></mrow>", "1/2 = m"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x + 1)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "∛x"),
        ("<msubsup><mi>x</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></msubsup>", "x_{i+1}^2"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>", "∑_{i=1}^n"),
        ("<mover accent='true'><mi>x</mi><mo>¯</mo></mover><mo>±</mo><mi>s</mi>", "x̄ ± s"),
        ("<mover><mi>r</mi><mo>→</mo></mover>", "r⃗"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>", "AB^→"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>^</mo></mover>", "AB^ˆ"),
        ("<mover><mover><mi>C</mi><mo>¯</mo></mover><mo>¯</mo></mover>", "C̄̄"),
        ("<mo>∥</mo><mi>x</mi><mo>∥</mo>", "∥x∥"),
        ("<msub><mrow><mi>σ</mi><mspace width='1em'/></mrow><mi>s</mi></msub>", "σ_s"),
        ("<msup><mi>y</mi><mo>′</mo></msup>", "y′"),
        ("<mfenced open='[' close=']' separators=';'><mi>a</mi><mi>b</mi></mfenced>", "[a; b]"),
        (f"<mfenced><mtable>{MATRIX}</mtable></mfenced>", "(a, b; c, d)"),
        (f"<mtable>{MATRIX}</mtable>", "a b; c d"),
        ("<mmultiscripts><mi>C</mi><none/><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>", "^{14}C"),
        ("<semantics><mi>x</mi><annotation>\\x</annotation></semantics>", "x"),
        ("<mphantom><mi>x</mi></mphantom><mi>y</mi>", "y"),
    ],
)
def test_mathml_reads_as_a_line(source: str, expected: str) -> None:
    namespaced = f"<math xmlns='http://www.w3.org/1998/Math/MathML'>{source}</math>"
    assert str(math_run(etree.fromstring(namespaced))) == expected
    assert str(math_run(etree.fromstring(f"<math>{source}</math>"))) == expected


def test_nested_formulas_cost_no_more_than_their_size() -> None:
    """Rendering a part twice on each of 150 levels would never end."""
    for tag in ("mfrac", "mover", "msub", "msqrt", "mroot", "mfenced", "mmultiscripts", "semantics"):
        source = f"<math>{f'<{tag}><mi>y</mi>' * 150}<mi>x</mi>{f'</{tag}>' * 150}</math>"
        assert "y" in str(math_run(etree.fromstring(source)))


def test_a_grid_places_cells_beside_those_that_reach_down() -> None:
    grid = Grid()
    grid.next_row()
    assert grid.place(2, 1) == (0, 0, 2, 1)
    assert grid.place(1, 2) == (0, 1, 1, 2)
    grid.next_row()
    assert grid.place() == (1, 1, 1, 1)
    assert grid.place(3, 1) == (1, 2, 3, 1)
    grid.end_group()
    grid.next_row()
    assert [grid.place()[1] for _ in range(3)] == [0, 1, 2]


def test_a_grid_of_endless_spans_gives_up_spans_but_no_cell() -> None:
    grid = Grid()
    placed: set[tuple[int, int]] = set()
    for _ in range(3000):
        grid.next_row()
        placed |= {grid.place(10**9, 10**9)[:2] for _ in range(3)}
    assert grid.exhausted
    assert len(placed) == 9000


def _builder() -> PaperBuilder:
    return PaperBuilder(SourceFormat.JATS, "test/1")


def test_blocks_sections_and_citations_of_a_built_paper() -> None:
    builder = _builder()
    builder.add_block(BlockKind.TITLE, _run("A title"))
    builder.add_heading(_run("1 Introduction"), level=1, number="1")
    builder.add_block(BlockKind.PARAGRAPH, _run("As in ").add_citation(["b", "nowhere"], "[2]").add("."))
    builder.add_heading(_run("Details"), level=2, number="1.1")
    assert builder.add_block(BlockKind.PARAGRAPH, _run("  ")) is None
    builder.end_section(1)
    builder.add_block(BlockKind.PARAGRAPH, _run("Outside."))
    builder.add_reference(_run("A. One"), key="1", anchor="a")
    builder.add_reference(_run("B. Two"), key="2", anchors=["b", "b2"], pmid="77")
    paper = builder.build(b"source")
    assert paper.text == "A title\n\n1 Introduction\n\nAs in [2].\n\n1.1 Details\n\nOutside.\n\nA. One\n\nB. Two"
    assert [(s.number, s.title, s.level, paper.text[s.end - 7 : s.end]) for s in paper.sections] == [
        ("1", "Introduction", 1, "Details"),
        ("1.1", "Details", 2, "Details"),
    ]
    assert [(paper.text[c.start : c.end], c.references) for c in paper.citations] == [("[2]", (1,))]
    assert paper.pages == ()
    assert paper.references[1].pmid == "77"
    assert paper.locator(9, 23).page is None


def test_a_table_has_tabs_for_every_place_and_cells_at_their_origin() -> None:
    builder = _builder()
    cells = [
        CellDraft(0, 0, _run("Sample"), row_span=2, header=True),
        CellDraft(0, 1, _run("T").add_script(-1, _run("c")), column_span=2, header=True),
        CellDraft(1, 1, _run("onset")),
        CellDraft(1, 2, Run()),
    ]
    table = builder.add_table(cells, label="Table 1", caption=_run("Table 1 Values"), notes=[_run("a note")])
    paper = builder.build(b"x")
    assert table is not None
    assert paper.text == "Table 1 Values\n\nSample\tT_c\t\n\tonset\t\n\na note"
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in table.cells] == [
        (0, 0, 2, 1, "Sample"),
        (0, 1, 1, 2, "T_c"),
        (1, 1, 1, 1, "onset"),
    ]
    assert all(paper.text[c.start : c.end] == c.text for c in table.cells)
    assert table.caption == Span(0, 14)


def test_a_sparse_table_keeps_every_cell_in_little_text() -> None:
    builder = _builder()
    cells = [CellDraft(row, column, _run("x")) for row in range(3) for column in (0, 900)]
    cells += [CellDraft(row, 0, _run("y")) for row in range(3, 3000)]
    table = builder.add_table(cells, label="Table 9")
    paper = builder.build(b"x")
    assert table is not None
    assert len(table.cells) == len(cells)
    assert len(paper.text) < 10_000
    assert "Table 9" in paper.warnings[0]


def test_code_keeps_lines_and_indents() -> None:
    builder = _builder()
    span = builder.add_code("\n\n\tif x:\r\n\t    y\x00  \n\n")
    paper = builder.build(b"x")
    assert span is not None
    assert paper.text == "        if x:\n            y"


def test_a_paper_without_a_block_is_an_error() -> None:
    with pytest.raises(EmptySourceError, match="no text"):
        _builder().build(b"<article/>")


def test_a_numeral_that_begins_the_title_is_not_taken_for_its_number() -> None:
    builder = PaperBuilder(SourceFormat.JATS, "test")
    builder.add_heading(Run().add("Introduction"), level=1, number="I")
    section = builder.build(b"x").sections[0]
    assert (section.number, section.title) == ("I", "Introduction")
