"""Small articles in several classes: what each becomes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from latex_archives import blocks, read

from pincite_papers.model import BlockKind, Paper, Table

SOURCES = Path(__file__).parent / "sources"


@pytest.fixture(scope="module")
def paper() -> Callable[[str], Paper]:
    """A paper of the folder by name."""
    return lambda name: read((SOURCES / f"{name}.tex").read_bytes())


def grid(paper: Paper, table: Table) -> list[str]:
    return paper.text[table.start : table.end].split("\n")


def headings(paper: Paper) -> list[tuple[str, str, int]]:
    return [(section.number, section.title, section.level) for section in paper.sections]


def spans(table: Table) -> dict[str, tuple[int, int, int, int]]:
    return {cell.text: (cell.row, cell.column, cell.row_span, cell.column_span) for cell in table.cells}


def captions(paper: Paper) -> list[str]:
    return blocks(paper, BlockKind.CAPTION)


def test_article(paper: Callable[[str], Paper]) -> None:
    one = paper("article")
    assert one.title == "Superconductivity of YBa2Cu3O7 at 92.5 K: a study"
    assert one.authors == ("Anna Müller", "José Álvarez-Núñez", "Bjørn Ås")
    assert one.year == 2021
    assert headings(one) == [
        ("1", "Introduction", 1),
        ("1.1", "Notation", 2),
        ("1.1.1", "Deep", 3),
        ("", "Run-in", 4),
        ("", "Unnumbered", 1),
        ("2", "Methods", 1),
        ("3", "Results", 1),
        ("A", "Proof", 1),
        ("", "References", 1),
    ]
    assert blocks(one, BlockKind.LIST) == [
        "1. Weigh 1.25 g of powder.",
        "2. Heat it:",
        "• to 950 °C,",
        "• for 12 h.",
        "3. Cool at 1.5 K/min.",
        "Purity It was 99.99 %.",
    ]
    assert blocks(one, BlockKind.EQUATION) == [
        "E = mc^2 + ∑_{i=1}^N p_i^2/(2m_i) (1)",
        "∫_0^∞ e^−x dx = 1.",
        "a = b + c, (2)",
        "= 4.1868,",
        "d = (1, 2; 3, 4) (A1)",
        "u = 1 (3a)",
        "v = 2 (3b)",
        "x = 1 (4)",
    ]
    assert "Step 3 matters." in one.text
    assert "See (2), (A1), (3) and (3a). Missing: ??." in one.text
    assert "Theorem 2.1 (Meissner). The field is expelled below T_c." in one.text
    assert "Proof. By Theorem 2.1." in one.text
    assert "Section 2 says how we measured; the results are in Table 1 and Fig. 1(a), and Eq. (1)" in one.text
    assert "Panel 1a shows the drop." in one.text
    assert "must not" not in one.text
    assert any("nope" in warning for warning in one.warnings)


def test_tables_figures_and_citations_of_an_article(paper: Callable[[str], Paper]) -> None:
    one = paper("article")
    first, second = one.tables
    assert first.label == "Table 1"
    assert grid(one, first) == [
        "Material\tT_c (K)\t\tGap (meV)",
        "\tonset\tzero\t(2 K)",
        "YBa2Cu3O7\t92.5\t91.8\t20.5",
        "La2−xSrxCuO4\t38\t36.2 ± 0.4\t8.25",
    ]
    assert spans(first)["T_c (K)"] == (0, 1, 1, 2)
    assert {cell.row for cell in first.cells if cell.header} == {0, 1}
    assert grid(one, second) == ["Name\tValue", "One\t1.0", "Two\t2.0"]
    assert captions(one)[1] == "Figure 1: Resistivity of YBa2Cu3O7 between 80 and 100 K; see [2]."
    figure = one.figures[0]
    assert figure.label == "Figure 1"
    assert [panel.label for panel in figure.panels] == ["a", "b"]
    assert figure.panels[0].caption is not None
    assert figure.graphics == ("curve", "curve2.pdf")
    assert [(one.text[c.start : c.end], c.references) for c in one.citations] == [
        ("1", (0,)),
        ("1, 2", (0, 1)),
        ("2", (1,)),
        ("2", (1,)),
        ("1", (0,)),
    ]
    assert "too [see 1, 2, p. 908]." in one.text
    assert [(entry.key, entry.doi, entry.arxiv) for entry in one.references] == [
        ("1", "10.1007/BF01303701", None),
        ("2", None, "cond-mat/0207667"),
    ]


def test_revtex(paper: Callable[[str], Paper]) -> None:
    one = paper("revtex")
    assert one.title == "Charge order in La2-xBaxCuO4 near x = 1/8"
    assert one.authors == ("A. B. First", "C. Second", "D. van der Third")
    assert headings(one)[:2] == [("I", "Introduction", 1), ("A", "Samples", 2)]
    assert "As shown in Sec. I A of Sec. I and in Fig. 1 and Table I:" in one.text
    assert "see Refs. 2 and 3, e.g. below 40 K." in one.text
    assert [table.label for table in one.tables] == ["TABLE I"]
    assert [figure.label for figure in one.figures] == ["FIG. 1"]
    assert blocks(one, BlockKind.EQUATION)[1:] == ["I(q) = I_0/(1 + ξ^2(q − q_0)^2) (2)", "≃ I_0{1 − ξ^{2}q^2}"]
    assert blocks(one, BlockKind.REFERENCE) == [
        "[1] J. M. Tranquada, B. J. Sternlieb, and J. D. Axe, Nature 375, 561 (1995)",
        "[2] P. Abbamonte, Nat. Phys. 1, 155 (2005)",
        "[3] M. Hücker et al., Phys. Rev. B 83, 104506 (2011)",
    ]
    assert [(entry.doi, entry.arxiv) for entry in one.references[:2]] == [
        ("10.1038/375561a0", None),
        (None, "cond-mat/0501087"),
    ]
    assert "^1 Resolution limited." in blocks(one, BlockKind.FOOTNOTE)
    assert one.warnings == ()


def test_elsarticle(paper: Callable[[str], Paper]) -> None:
    one = paper("elsarticle")
    assert one.authors == ("Erika Example", "Max Mustermann")
    assert one.journal == "Journal of Test Materials"
    assert one.keywords[:3] == ("garnet", "solid electrolyte", "Li-ion")
    assert "^{b} Other Lab, Paris, France" in one.text or "^b Other Lab, Paris, France" in one.text
    assert "As sections 1 and 2 and Table 1 and figs. 1 and 2 with eq. (1) show [1, 2]." in one.text
    table = one.tables[0]
    assert grid(one, table)[2:] == [
        "Cubic\t5.1 × 10^−4\t12.97\t–",
        "\t4.8 × 10^−4\t12.96^a\t–",
        "Tetragonal\t1.6 × 10^−6\t13.13\t12.66",
    ]
    assert spans(table)["Cubic"] == (2, 0, 2, 1)
    assert spans(table)["Lattice"] == (0, 2, 1, 2)
    assert {cell.row for cell in table.cells if cell.header} == {0, 1}
    assert "^a Measured at 300 K." in blocks(one, BlockKind.FOOTNOTE)
    assert [(entry.doi, entry.pmid) for entry in one.references] == [
        ("10.1002/anie.200701144", None),
        (None, "12345678"),
    ]


def test_ieee(paper: Callable[[str], Paper]) -> None:
    one = paper("ieee")
    assert one.authors == ("Ada Lovelace", "Charles Babbage", "Mary Somerville")
    assert one.keywords == ("graphs", "networks", "engines")
    assert "Dept. of Engines, London University, ada@example.org" in blocks(one, BlockKind.AUTHORS)
    assert headings(one) == [
        ("I", "Introduction", 1),
        ("II", "Method", 1),
        ("A", "Model", 2),
        ("", "References", 1),
    ]
    assert "See Section II A, Table I and Fig. 1." in one.text
    assert captions(one) == ["TABLE I. Accuracy", "Fig. 1. The network."]
    assert {cell.row for cell in one.tables[0].cells if cell.header} == {0, 1}
    assert "[2] A. M. Turing, “On computable numbers,” Proc. London Math. Soc." in one.text


def test_amsart(paper: Callable[[str], Paper]) -> None:
    one = paper("amsart")
    assert one.authors == ("Pierre Example", "Leonhard Sample")
    assert one.year == 2018
    assert blocks(one, BlockKind.LIST) == ["(i) p ≡ 1 (mod 4),", "(ii) p is good."]
    assert "By (1.1) and (ii) of Theorem 1, f: X → Y with" in one.text
    assert blocks(one, BlockKind.EQUATION)[1] == "f(x) = {1, if x > 0; 0, otherwise."
    assert [(figure.label, figure.graphics) for figure in one.figures] == [("Figure 1", ())]
    assert any("TikZ" in warning for warning in one.warnings)
    assert one.references[0].key == "HW08"
    assert "As in [HW08, Theorem 366]." in one.text


def test_aastex(paper: Callable[[str], Paper]) -> None:
    one = paper("aastex")
    assert "12.3 km s^−1 for 42 stars at α = 10°" in one.text
    assert "Dwarfs (Adams et al. 2020; Baker & Davis 2021) move; Adams et al. (2020) says so" in one.text
    assert "too (see Baker & Davis 2021)." in one.text
    table = one.tables[0]
    assert table.label == "Table 1"
    assert grid(one, table) == [
        "Star\tv\tError",
        "\t(km s^−1)\t(km s^−1)",
        "HD 1\t−12.3\t0.4",
        "HD 2^a\t45.67\t⋯",
        "Giants\t\t",
        "HD 3\t1.0\t0.1",
    ]
    assert spans(table)["Giants"] == (4, 0, 1, 3)
    assert {cell.row for cell in table.cells if cell.header} == {0, 1}
    assert blocks(one, BlockKind.FOOTNOTE) == ["^a A binary.", "Velocities are heliocentric."]
    assert [entry.key for entry in one.references] == ["Adams et al. 2020", "Baker & Davis 2021"]
    assert one.references[0].doi == "10.3847/1538-4357/ab1234"
    assert "ApJ, 900, 12" in one.text
    assert one.figures[0].graphics == ("plot.pdf",)


def test_marked_changes_keep_the_new_text_alone(paper: Callable[[str], Paper]) -> None:
    iop, agu, aas = paper("iop"), paper("agu"), paper("aastex_revised")
    assert "lanthanum garnets" in iop.title
    assert "The gap is 5.1 eV at 300 K, by" in iop.text
    assert "shift by 123 meV. All" in iop.text
    assert "Tides of 3.1 m in spring, measured twice." in agu.text
    assert "The mean is 42 cm." in agu.text
    assert "A mass of 5.1 M_⊙, 3″.2 off." in aas.text
    assert not any("not known" in warning for one in (agu, aas) for warning in one.warnings)


def test_acronyms_are_spelled_out_once(paper: Callable[[str], Paper]) -> None:
    one = paper("iop")
    assert "by x-ray photoelectron spectroscopy (XPS), ΔE = 3 μeV" in one.text
    assert "Lines of XPS shift" in one.text
    assert "All photoluminescence lines (PLs) agree, photoluminescence line (PL) too." in one.text
    assert "By photoluminescence line, with the RTA of others." in one.text
    assert "XPS x-ray photoelectron spectroscopy" in one.text
    assert "Acronyms that the source does not define, printed by their labels: RTA." in one.warnings


def test_front_matter_of_iop_agu_and_aastex(paper: Callable[[str], Paper]) -> None:
    assert paper("iop").authors == ("A B Smith", "C Jones", "D Brown")
    assert [heading[1] for heading in headings(paper("iop"))] == ["Introduction", "Methods", "Acknowledgments"]
    agu = paper("agu")
    assert agu.authors == ("A. B. Smith", "C. Jones", "D. Brown")
    assert "^2 Institute of Tides" in agu.text
    assert "Corresponding author: A. B. Smith, a.smith@example.org" in agu.text
    aas = paper("aastex_revised")
    assert aas.authors == ("Ada B. Smith", "C. Jones")
    assert "(The Dwarf Survey)" in aas.text


def test_conference(paper: Callable[[str], Paper]) -> None:
    one = paper("conference")
    assert one.authors == ("David S. Hippocampus", "Coauthor Two", "Third One", "Fourth Two")
    assert "Affiliation, Address, email" in blocks(one, BlockKind.AUTHORS)
    assert "We propose SuperNet, i.e. a net with ∼ 10^6 params" in one.text
    assert "It is 3.5× faster and gets 28.4 BLEU (a +2.0 gain)." in one.text
    assert "TODO" not in one.text
    assert "Vaswani et al. [1] proposed arg max_θ E_{x∼p}[log p(x|θ)], where ‖x‖_2 ≤ 1." in one.text
    assert "≈5, < 3, H2O, μm, 20 µm, 25°C, 3σ, p < 0.05, 10^5–10^6, −5." in one.text
    assert grid(one, one.tables[0])[3:] == ["SuperNet (ours)\t28.4_±0.1\t41.8\t213", "w/o x\t28.\t–\t✓"]
    assert [(figure.label, figure.graphics) for figure in one.figures] == [
        ("Figure 1", ("figs/teaser.pdf",)),
        ("Figure 2", ("a.png", "b.png")),
        ("Figure 3", ("m1",)),
        ("Figure 4", ("m2",)),
    ]
    assert blocks(one, BlockKind.FIGURE) == ["(a) Left (b) Right"]
    assert "Figs. 3–4." in one.text
    assert "Algorithm 1: Bubble Sort" in captions(one)
    assert blocks(one, BlockKind.CODE)[0].split("\n") == [
        "Input: data x_i, size m",
        "repeat",
        "  if x_i > x_{i+1} then",
        "    Swap x_i and x_{i+1}",
        "  end if",
        "until noChange is true",
    ]
    assert blocks(one, BlockKind.LIST) == ["(1) First", "• Second"]
    assert one.references[0].arxiv == "1706.03762"
    assert one.warnings == ()


@pytest.mark.parametrize("name", sorted(path.stem for path in SOURCES.glob("*.tex")))
def test_every_paper_is_sound(paper: Callable[[str], Paper], name: str) -> None:
    one = paper(name)
    assert one.pages == ()
    assert one.geometry.rows.shape == (len(one.text), 4)
    assert one.sections
    for table in one.tables:
        for cell in table.cells:
            assert one.text[cell.start : cell.end] == cell.text
    for block in one.blocks:
        locator = one.locator(block.start, block.end)
        assert locator.page is None
        assert locator.quote == one.text[block.start : block.end]
    assert paper(name).text == one.text
