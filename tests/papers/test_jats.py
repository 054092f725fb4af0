"""JATS articles as papers: a made-up one that uses what real ones use, and small ones for each trap."""

import functools
import subprocess
import sys
from pathlib import Path

import pytest

from pincite_core.errors import DamagedError, EmptySourceError, HostileError, UnknownFormatError, UnreadableError
from pincite_papers.codec import decode_paper, encode_paper
from pincite_papers.jats import PARSER, parse_jats
from pincite_papers.model import BlockKind, Paper, Section, SourceFormat, Table
from pincite_papers.opening.source import parse_source

ARTICLES = Path(__file__).with_name("articles")
SCRIPT = Path(__file__).parents[1] / "benchmarks" / "jats_completeness.py"
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="module")
def paper() -> Paper:
    return parse_source((ARTICLES / "cuprate.xml").read_bytes(), max_pages=1)


def parse(body: str, back: str = "") -> Paper:
    return parse_jats(f"<article><body>{body}</body><back>{back}</back></article>".encode(), max_pages=1)


def texts(paper: Paper, *kinds: BlockKind) -> list[str]:
    return [paper.text[b.start : b.end] for b in paper.blocks if not kinds or b.kind in kinds]


def section(paper: Paper, title: str) -> Section:
    return next(one for one in paper.sections if one.title == title)


def cells(table: Table) -> list[tuple[int, int, int, int, str]]:
    return [(c.row, c.column, c.row_span, c.column_span, c.text) for c in table.cells]


def cited(paper: Paper) -> list[tuple[str, tuple[int, ...]]]:
    return [(paper.text[c.start : c.end], c.references) for c in paper.citations]


def test_front_matter(paper: Paper) -> None:
    assert paper.format is SourceFormat.JATS
    assert paper.parser == PARSER
    assert paper.pages == ()
    assert paper.title == "Superconductivity of YBa2Cu3O6.93: a cuprate that nobody made"
    assert paper.authors == ("Ada B. Writer Jr", "Wang Wei", "The Example Collaboration")
    assert (paper.doi, paper.journal, paper.year) == ("10.1234/jmm.2020.17", "Journal of Made-Up Matter", 2020)
    assert paper.keywords == ("cuprates", "T_c")
    assert paper.metadata["pmid"] == "12345678"
    assert paper.metadata["pmcid"] == "PMC7654321"
    assert paper.metadata["published"] == "2019-12-03"
    assert paper.metadata["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert texts(paper)[:8] == [
        paper.title,
        "Ada B. Writer Jr, Wang Wei, The Example Collaboration",
        "1 Institute of Examples, Nowhere",
        "Background",
        "Nobody has made this cuprate.",
        "Results",
        "Its transition temperature is 92 K.",
        "Author Summary",
    ]
    assert decode_paper(encode_paper(paper)).text == paper.text


def test_sections_with_labels_levels_and_ends(paper: Paper) -> None:
    assert [(s.number, s.title, s.level) for s in paper.sections] == [
        ("", "Author Summary", 1),
        ("1.", "Introduction", 1),
        ("2.", "Methods", 1),
        ("2.1", "Growth", 2),
        ("", "Box 1. Warning", 3),
        ("", "Results", 1),
        ("", "Acknowledgements", 1),
        ("", "References", 1),
        ("Appendix A", "More", 1),
        ("", "Report of a referee", 1),
    ]
    summary = section(paper, "Author Summary")
    assert paper.text[summary.start : summary.end] == "Author Summary\n\nWe made things up."
    box = section(paper, "Box 1. Warning")
    assert paper.text[box.start : box.end] == "Box 1. Warning\n\nIt is hot."


FIRST_PARAGRAPH = (
    "Cuprates have been studied for long [1–3]. Others^1,4 disagree, as does the older work. "
    "See Fig. 1 and Table 1.^a The rate was 10^−3 s^−1, which is slow."
)


def test_a_paragraph_is_cut_by_lists_and_formulas_but_not_by_floats_and_notes(paper: Paper) -> None:
    introduction = section(paper, "Introduction")
    blocks = [b for b in paper.blocks if introduction.heading_end <= b.start < introduction.end]
    assert [(b.kind.value, paper.text[b.start : b.end]) for b in blocks] == [
        ("paragraph", FIRST_PARAGRAPH),
        ("footnote", "a A note in the text."),
        ("caption", "Fig. 2. In between."),
        ("paragraph", "Samples were:"),
        ("list", "1. ground"),
        ("list", "2. pressed:"),
        ("list", "• hot"),
        ("paragraph", "and then measured by"),
        ("equation", "ρ(T) = ρ_0 + ((A + B)/2)T^2 (1)"),
        ("paragraph", "where ρ_0 is the rest and [formula] is lost."),
        ("caption", "Figure 1. Resistance against temperature. (a) Warming. (b) Cooling, from Ref. [3]."),
        ("caption", "Figure 3. Two panels."),
        ("caption", "(a) Left."),
        ("caption", "(b) Right."),
    ]
    assert any("pictures only: 1." in warning for warning in paper.warnings)


def test_definitions_code_boxes_statements_and_quotations(paper: Paper) -> None:
    assert texts(paper, BlockKind.CODE) == ["if hot:\n    measure()"]
    assert "GPa: gigapascal" in texts(paper, BlockKind.LIST)
    assert {"Theorem 1. It follows.", "Nothing is made.", "A. Writer"} < set(texts(paper, BlockKind.PARAGRAPH))


def test_citations_with_ranges_lists_and_raised_numbers(paper: Paper) -> None:
    assert cited(paper) == [
        ("1–3", (0, 1, 2)),
        ("1", (0,)),
        ("4", (3,)),
        ("the older work", (1, 3)),
        ("[3]", (2,)),
        ("1", (0,)),
    ]


def test_figures_with_panels_and_pictures(paper: Paper) -> None:
    assert [(figure.label, figure.graphics) for figure in paper.figures] == [
        ("Fig. 2", ("f2.tif",)),
        ("Figure 1", ("f1.tif",)),
        ("Figure 3", ("f3a.tif", "f3b.tif")),
        ("Table 2", ("t2.tif",)),
    ]
    told = paper.figures[1].panels
    assert [(p.label, paper.text[p.caption.start : p.caption.end]) for p in told if p.caption] == [
        ("a", "(a) Warming."),
        ("b", "(b) Cooling, from Ref. [3]."),
    ]
    panels = paper.figures[2].panels
    assert [(p.label, paper.text[p.caption.start : p.caption.end]) for p in panels if p.caption] == [
        ("a", "(a) Left."),
        ("b", "(b) Right."),
    ]
    assert "Table 2 is given as a picture only: its cells cannot be read." in paper.warnings


def test_a_picture_in_a_paragraph_is_a_figure() -> None:
    graphic = '<graphic xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="g.tif"/>'
    paper = parse(f"<p>One {graphic}two.</p><p>{graphic}</p>")
    assert paper.text == "One two."
    assert [figure.graphics for figure in paper.figures] == [("g.tif",), ("g.tif",)]


def test_tables_with_spans_heads_feet_and_notes(paper: Paper) -> None:
    first, third = paper.tables
    assert (first.label, first.rows, first.columns) == ("Table 1", 5, 3)
    assert cells(first) == [
        (0, 0, 2, 1, "Sample"),
        (0, 1, 1, 2, "T_c (K)"),
        (1, 1, 1, 1, "onset"),
        (1, 2, 1, 1, "zero"),
        (2, 0, 2, 1, "A1^a"),
        (2, 1, 1, 1, "92.5"),
        (2, 2, 1, 1, "91.0 [1]"),
        (3, 1, 1, 1, "88.1"),
        (3, 2, 1, 1, "87.0 86.9"),
        (4, 0, 1, 1, "mean"),
        (4, 1, 1, 1, "90.3"),
    ]
    assert [c.text for c in first.cells if c.header] == ["Sample", "T_c (K)", "onset", "zero"]
    assert "a Annealed." in texts(paper, BlockKind.FOOTNOTE)
    assert cells(third) == [
        (0, 0, 1, 2, "Both"),
        (0, 2, 1, 1, "Third"),
        (1, 0, 2, 1, "tall"),
        (1, 1, 1, 1, "x"),
        (1, 2, 1, 1, "y"),
        (2, 2, 1, 1, "z"),
    ]


COMPOSED = (
    "1. Bednorz JG, Müller KA, et al. (1986). Possible high T_c. Z Phys B 64(2): 189–193. "
    "doi:10.1007/BF01303701. PMID: 9999999."
)


def test_references_are_composed_or_kept_with_their_identifiers(paper: Paper) -> None:
    assert texts(paper, BlockKind.REFERENCE) == [
        COMPOSED,
        "[2] Wu MK, et al. Phys Rev Lett. 1987;58:908. arXiv:2301.01234",
        "Lab Press (2001). Notes on grinding. Here: Lab Press.",
        "4. Known A., Some work, link, 1999.",
    ]
    assert [(r.key, r.doi, r.arxiv, r.pmid) for r in paper.references] == [
        ("1", "10.1007/BF01303701", None, "9999999"),
        ("2", None, "2301.01234", None),
        ("Lab Press 2001", None, None, None),
        ("4", "10.5555/x.y", None, None),
    ]


def test_sub_articles_name_their_authors_and_stand_outside(paper: Paper) -> None:
    report = section(paper, "Report of a referee")
    assert paper.text[report.start : report.end] == "Report of a referee\n\nCarla Critic\n\nI do not believe it."


REFS = "".join(
    f'<ref id="r{n}"><label>{n}</label><mixed-citation>Work {n}.</mixed-citation></ref>' for n in range(1, 10)
)


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        ("[{2}]-[{4}] x", "[2]-[4] x", [("2]-[4", (1, 2, 3))]),
        ("<sup>{2}</sup> x", "^2 x", [("2", (1,))]),
        ("a<sup>{2}–{4}</sup> x", "a^2–4 x", [("2–4", (1, 2, 3))]),
        ("{2}, {4}; {5}", "2, 4; 5", [("2", (1,)), ("4", (3,)), ("5", (4,))]),
        ("{9}–{2}", "9–2", [("9–2", (8, 1))]),
    ],
)
def test_ranges_of_citations(source: str, text: str, found: list[tuple[str, tuple[int, ...]]]) -> None:
    links = {str(n): f'<xref ref-type="bibr" rid="r{n}">{n}</xref>' for n in range(10)}
    for number, link in links.items():
        source = source.replace(f"{{{number}}}", link)
    paper = parse(f"<p>{source}</p>", f"<ref-list>{REFS}</ref-list>")
    assert texts(paper)[0] == text
    assert cited(paper) == found


def test_raised_links_on_both_sides_of_a_raised_dash() -> None:
    link = '<xref ref-type="bibr" rid="r{0}"><sup>{0}</sup></xref>'
    paper = parse(f"<p>a{link.format(2)}<sup>–</sup>{link.format(5)}</p>", f"<ref-list>{REFS}</ref-list>")
    assert texts(paper)[0] == "a^2–5"
    assert cited(paper) == [("2–5", (1, 2, 3, 4))]


def test_links_without_a_text_show_what_print_shows() -> None:
    body = '<p>In <xref ref-type="fig" rid="f"/> and [<xref ref-type="bibr" rid="r3"/>], <ext-link xmlns:xlink='
    body += (
        '"http://www.w3.org/1999/xlink" xlink:href="https://example.org"/>.</p><fig id="f"><label>Fig. 7</label></fig>'
    )
    paper = parse(body, f"<ref-list>{REFS}</ref-list>")
    assert texts(paper)[0] == "In Fig. 7 and [3], https://example.org."
    assert cited(paper) == [("3", (2,))]


def test_names_of_characters_are_spelled_without_their_dtd() -> None:
    plain = b"<article><body><p>1 &micro;m &ndash; &alpha;&amp;&lt;b&gt;&nbsp;c</p></body></article>"
    declared = b'<!DOCTYPE article SYSTEM "http://127.0.0.1:9/none.dtd">' + plain
    for data in (plain, declared):
        assert parse_jats(data, max_pages=1).text == "1 µm – α&<b> c"
        assert parse_jats(data, max_pages=1).warnings == ()


def test_comments_and_instructions_are_no_text() -> None:
    paper = parse("<p>a<!-- <b>hidden</b> --> b<?pi say this?> c</p>")
    assert paper.text == "a b c"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-16-le", "cp1252"])
@pytest.mark.parametrize(
    "declared", ["", '<?xml version="1.0" encoding="UTF-8"?>', '<?xml version="1.0" encoding="x-no"?>']
)
def test_encodings_that_are_not_what_they_say(encoding: str, declared: str) -> None:
    source = f"{declared}<article><body><p>“10 µm” café</p></body></article>"
    assert parse_jats(source.encode(encoding), max_pages=1).text == "“10 µm” café"


def test_wrappers_and_namespaces() -> None:
    named = "<j:body><j:p>An <j:italic>article</j:italic></j:p></j:body>"
    first = f'<j:article xmlns:j="http://jats.nlm.nih.gov">{named}</j:article>'
    second = "<article><body><p>two</p></body></article>"
    paper = parse_jats(f"<pmc-articleset>{first}{second}</pmc-articleset>".encode(), max_pages=1)
    assert paper.text == "An article"
    assert "2 articles" in paper.warnings[0]


def test_a_truncated_article_keeps_what_is_there_and_says_so() -> None:
    whole = (ARTICLES / "cuprate.xml").read_bytes()
    paper = parse_jats(whole[: whole.index(b"<def-list>")], max_pages=1)
    assert paper.text.endswith("Slow growth.")
    assert "damaged" in paper.warnings[0]


EXPANDING = "<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9)
)
HEAD = f"<!DOCTYPE article [{EXPANDING}<!ENTITY z '{'x' * 50_000}'>]>"
BODIES = {
    "billion laughs": "<p>x &j; y</p>",
    "laughs in an attribute": "<p id='&j;'>x y</p>",
    "quadratic blowup": f"<p>{'&z;' * 5000}</p>",
    "many references": f"<p>{'&a;' * 40_000}</p>",
    "quite deep": "<sec>" * 240 + "<p>x</p>" + "</sec>" * 240,
    "deep without end": "<sec>" * 100_000,
    "deep lists": "<list><list-item>" * 95 + "<p>x</p>" + "</list-item></list>" * 95,
    "deep scripts": "<p>" + "<sup>" * 190 + "x" + "</sup>" * 190 + "</p>",
    "spans": "<table-wrap><table><tr>"
    + "<td rowspan='65535' colspan='1000'>x</td>" * 100
    + "</tr>"
    + "<tr><td>y</td></tr>" * 5000
    + "</table></table-wrap>",
    "accents": "<p>" + "\u0301" * 300_000 + "</p>",
    "attributes": "<p " + " ".join(f"a{n}='x'" for n in range(50_000)) + ">x</p>",
}


def _bomb(name: str) -> bytes:
    return f"{HEAD}<article><body>{BODIES[name]}</body></article>".encode()


BOMBS = {name: functools.partial(_bomb, name) for name in BODIES}


@pytest.mark.parametrize("name", BOMBS)
def test_hostile_xml_is_an_error_or_a_small_paper(name: str) -> None:
    source = BOMBS[name]()
    try:
        paper = parse_jats(source, max_pages=1)
    except (DamagedError, HostileError):
        return
    assert len(paper.text) <= len(source)
    assert "aaaaaaaaaa" * 10 not in paper.text


def test_entities_of_files_and_addresses_stay_closed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    for declared in (f"<!ENTITY a SYSTEM '{secret.as_uri()}'>", f"<!ENTITY % p SYSTEM '{secret.as_uri()}'> %p;"):
        source = f"<!DOCTYPE article [{declared}]><article><body><p>x &a; y</p></body></article>"
        paper = parse_jats(source.encode(), max_pages=1)
        assert paper.text == "x y"
        assert "not expanded (a)" in paper.warnings[0]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"<article/>", EmptySourceError),
        (b"<article><body><p> </p></body></article>", EmptySourceError),
        (b"<feed><p>x</p></feed>", UnknownFormatError),
        (b"<article", DamagedError),
        (b"no markup at all", DamagedError),
    ],
)
def test_what_is_no_article_is_a_typed_error(data: bytes, error: type[UnreadableError]) -> None:
    with pytest.raises(error) as raised:
        parse_jats(data, max_pages=1)
    assert raised.value.next


def test_persons_groups_and_editors_and_a_translation() -> None:
    paper = parse_jats((ARTICLES / "translated.xml").read_bytes(), max_pages=1)
    assert paper.authors == ("John Doe", "The Mouse Consortium")
    assert texts(paper)[:3] == ["John Doe, The Mouse Consortium", "2 Uni of Neiva, Colombia", "Text."]
    assert [(s.title, s.level) for s in paper.sections] == [("Titulo", 1), ("Resumen", 2)]
    translated, summary = paper.sections
    assert paper.text[translated.start :] == "Titulo\n\nResumen\n\nCorto.\n\nTexto."
    assert paper.text[summary.heading_end : summary.end].strip() == "Corto."


TEX = {
    r"\sqrt(13)": "√(13)",
    r"$$\frac{a+b}{2} < T_{\rm c}^{2}$$": "(a + b)/2 < T_c^2",
    r"\documentclass[12pt]{minimal}\usepackage{amsmath}\begin{document}$$\rho_0$$\end{document}": "ρ_0",
    r"\begin{aligned} a &= b \\ c &= d \end{aligned}": "a = b; c = d",
    r"\mathrm{YBa_2Cu_3O_{6.93}}": "YBa2Cu3O6.93",
}


@pytest.mark.parametrize("tex", TEX)
def test_formulas_given_as_tex_only(tex: str) -> None:
    formula = f"<tex-math><![CDATA[{tex}]]></tex-math>"
    paper = parse(f"<p>So <inline-formula>{formula}</inline-formula> holds.</p>")
    assert paper.text == f"So {TEX[tex]} holds."
    numbered = parse(f"<p>So<disp-formula><label>3</label>{formula}</disp-formula></p>")
    assert texts(numbered, BlockKind.EQUATION) == [f"{TEX[tex]} (3)"]


def test_the_older_format_of_biomed_central() -> None:
    paper = parse_source((ARTICLES / "lions.xml").read_bytes(), max_pages=1)
    assert paper.title == "On Panthera leo"
    assert paper.authors == ("Ross Barnett", "Simon YW Ho")
    assert (paper.doi, paper.year, paper.journal) == ("10.1186/1471-2148-14-70", 2014, "BMC Things")
    assert paper.metadata["pmid"] == "24690312"
    assert [s.title for s in paper.sections] == ["Abstract", "Results", "Thanks", "References"]
    assert "It is known [1–3,5], see Table 1." in texts(paper)
    assert cited(paper) == [("1–3", (0, 1, 2)), ("5", (4,))]
    assert cells(paper.tables[0]) == [(0, 0, 1, 1, "Name"), (0, 1, 1, 1, "Age"), (1, 0, 1, 1, "Leo"), (1, 1, 1, 1, "7")]
    assert "Ages in years." in texts(paper, BlockKind.FOOTNOTE)
    assert "Figure 1. A map. Of lions." in texts(paper, BlockKind.CAPTION)
    first = paper.references[0]
    assert paper.text[first.start : first.end] == (
        "Mellows A, et al. (2012). Foxes. Proc 279(1747): 4568–4573. doi:10.1098/rspb.2012.1796. PMID: 22977155."
    )


def test_real_articles_lose_nothing() -> None:
    """A slice of the benchmark over real articles."""
    if not DATA.is_dir():
        pytest.skip(f"no real articles under {DATA}")
    command = [sys.executable, str(SCRIPT), "--limit", "12", "--worst", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
