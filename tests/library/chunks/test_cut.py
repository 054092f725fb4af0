"""Papers are cut by their structure, and nothing that they say is lost."""

from collections.abc import Callable

import pytest

from pincite_library.chunks.cut import cut_paper
from pincite_library.chunks.prose import LONGEST
from pincite_library.model import Chunk, ChunkKind
from pincite_papers.model import BlockKind, Paper
from pincite_papers.opening.source import parse_source

Jats = Callable[..., Paper]


def sentence(number: int) -> str:
    return f"Sentence number {number} says that sample S{number} was ground, pressed and heated in air for hours."


def paragraph(first: int, count: int) -> str:
    return "<p>" + " ".join(sentence(number) for number in range(first, first + count)) + "</p>"


def section(title: str, *inside: str) -> str:
    return f"<sec><title>{title}</title>{''.join(inside)}</sec>"


def texts(chunks: list[Chunk]) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.kind is ChunkKind.TEXT and "made.1" not in chunk.text]


def in_section(chunks: list[Chunk], name: str) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.section.endswith(name)]


def test_text_chunks_are_the_text_of_the_paper(jats: Jats) -> None:
    paper = jats(section("Methods", paragraph(0, 3), paragraph(3, 30)) + section("Results", paragraph(40, 2)))
    chunks = cut_paper(paper)
    assert all(chunk.exact and chunk.text == paper.text[chunk.start : chunk.end] for chunk in texts(chunks))
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.start for chunk in chunks] == sorted(chunk.start for chunk in chunks)


def test_small_paragraphs_of_a_section_stand_together(jats: Jats) -> None:
    paper = jats(section("Methods", *(paragraph(number, 1) for number in range(5))))
    [chunk] = in_section(cut_paper(paper), "Methods")
    assert all(sentence(number) in chunk.text for number in range(5))


def test_chunks_never_reach_over_sections(jats: Jats) -> None:
    paper = jats(section("Methods", paragraph(0, 1)) + section("Results", paragraph(1, 1)))
    assert [(chunk.section, chunk.text) for chunk in texts(cut_paper(paper))[-2:]] == [
        ("Methods", sentence(0)),
        ("Results", sentence(1)),
    ]


def test_long_paragraphs_are_cut_where_sentences_end(jats: Jats) -> None:
    paper = jats(section("Methods", paragraph(0, 40)))
    found = in_section(cut_paper(paper), "Methods")
    assert len(found) > 2
    assert all(chunk.text.startswith("Sentence") and chunk.text.endswith("hours.") for chunk in found)
    assert all(300 < len(chunk.text) <= LONGEST for chunk in found)
    assert " ".join(chunk.text for chunk in found) == " ".join(map(sentence, range(40)))


def test_text_without_sentences_is_cut_between_words(jats: Jats) -> None:
    words = " ".join(f"word{number}" for number in range(800))
    found = in_section(cut_paper(jats(section("List", f"<p>{words}</p>"))), "List")
    assert max(len(chunk.text) for chunk in found) <= LONGEST
    assert " ".join(chunk.text for chunk in found) == words


def test_one_endless_word_is_cut_too(jats: Jats) -> None:
    found = in_section(cut_paper(jats(section("Data", f"<p>{'ACGT' * 1500}</p>"))), "Data")
    assert "".join(chunk.text for chunk in found) == "ACGT" * 1500
    assert max(len(chunk.text) for chunk in found) <= LONGEST


def test_equations_and_lists_stay_with_what_leads_to_them(jats: Jats) -> None:
    equation = "<disp-formula>E = m c^2 + a_1 b_1 + a_2 b_2 + a_3 b_3</disp-formula>"
    items = "".join(f"<list-item><p>item {number} of the list</p></list-item>" for number in range(3))
    paper = jats(section("Theory", paragraph(0, 10), equation, "<p>where m is the mass.</p>", f"<list>{items}</list>"))
    found = in_section(cut_paper(paper), "Theory")
    holding = next(chunk for chunk in found if "E = m" in chunk.text)
    assert sentence(9) in holding.text
    assert "where m is the mass." in holding.text
    assert "item 2 of the list" in holding.text


def test_headings_name_what_stands_under_them(jats: Jats) -> None:
    paper = jats(section("Methods", section("Growth of crystals", paragraph(0, 1)), section("X-rays", paragraph(1, 1))))
    found = texts(cut_paper(paper))[-2:]
    assert [chunk.section for chunk in found] == ["Methods > Growth of crystals", "Methods > X-rays"]
    assert "Growth of crystals" in found[0].context
    assert "Growth of crystals" not in found[0].text


def test_a_heading_with_nothing_under_it_is_a_chunk() -> None:
    page = (
        "<html><head><title>A made page of chemistry</title></head><body><h1>A made page of chemistry</h1>"
        "<p>It has several words in it, so that it is a paper of some kind.</p>"
        "<h2>Thermal conductivity</h2><h2>Results</h2><p>Nothing conducts here, as far as anybody has seen.</p>"
        "</body></html>"
    )
    chunks = cut_paper(parse_source(page.encode(), max_pages=10))
    assert [chunk.text for chunk in chunks if chunk.section == "Thermal conductivity"] == ["Thermal conductivity"]


def test_title_and_authors_are_first_and_apart_from_the_abstract(jats: Jats) -> None:
    front, abstract, *_ = cut_paper(jats(section("Results", paragraph(0, 1))))
    assert front.text.startswith("Superconductivity of made compounds")
    assert "Lovelace" in front.text
    assert "nobody has made" not in front.text
    assert abstract.section == "Abstract"
    assert "nobody has made" in abstract.text


def test_keywords_stay_with_the_abstract() -> None:
    source = r"""\documentclass{elsarticle}\begin{document}\begin{frontmatter}\title{Made of garnet}\author{A. Lovelace}
\begin{abstract}Nobody has made this garnet.\end{abstract}\begin{keyword}solid electrolyte\end{keyword}
\end{frontmatter}\section{Methods}It was ground.\end{document}"""
    chunks = cut_paper(parse_source(source.encode(), max_pages=10))
    [abstract] = [chunk for chunk in chunks if "Nobody has made this garnet." in chunk.text]
    assert "solid electrolyte" in abstract.text
    assert not any("Keywords" in chunk.text for chunk in chunks if chunk != abstract)


def test_footnotes_stand_apart_from_the_running_text_unless_they_are_short(jats: Jats) -> None:
    long = "<fn-group><fn><p>" + " ".join(map(sentence, range(9))) + "</p></fn></fn-group>"
    chunks = cut_paper(jats(section("Results", paragraph(20, 1)), long))
    assert any(chunk.text.startswith(sentence(0)) for chunk in chunks)
    assert not any(sentence(20) in chunk.text and sentence(0) in chunk.text for chunk in chunks)


def test_references_are_several_to_a_chunk(jats: Jats) -> None:
    entries = "".join(
        f'<ref id="r{k}"><mixed-citation>Author{k} A. A study of the compound number {k}. J. Made 1, {k} (2001).'
        "</mixed-citation></ref>"
        for k in range(40)
    )
    paper = jats(section("Results", paragraph(0, 1)), f"<ref-list><title>References</title>{entries}</ref-list>")
    found = [chunk for chunk in cut_paper(paper) if chunk.kind is ChunkKind.REFERENCE]
    assert 2 < len(found) < 10
    assert all(chunk.section == "References" and chunk.exact for chunk in found)
    assert all(any(f"number {k}." in chunk.text for chunk in found) for k in range(40))


def test_latex_is_cut_like_the_others() -> None:
    source = rf"""\documentclass{{article}}\title{{Made in LaTeX}}\author{{Ada Lovelace}}\begin{{document}}\maketitle
\begin{{abstract}}Nobody has made this.\end{{abstract}}
\section{{Methods}}{sentence(0)}
\begin{{equation}}E = m c^2\end{{equation}}
where $m$ is the mass.
\begin{{table}}\caption{{Values.}}\begin{{tabular}}{{ll}}Name & T (K)\\ A & 9.2\\ B & 7.1\end{{tabular}}\end{{table}}
\end{{document}}"""
    chunks = cut_paper(parse_source(source.encode(), max_pages=10))
    [methods] = [chunk for chunk in chunks if chunk.kind is ChunkKind.TEXT and chunk.section == "1 Methods"]
    assert "where m is the mass" in methods.text
    [table] = [chunk for chunk in chunks if chunk.kind is ChunkKind.TABLE]
    assert "A | 9.2" in table.text


def test_the_same_paper_gives_the_same_chunks(jats: Jats) -> None:
    body = section("Methods", paragraph(0, 30))
    assert cut_paper(jats(body)) == cut_paper(jats(body))


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def covered(paper: Paper, chunks: list[Chunk]) -> bytearray:
    """A mark for each character that stands in some chunk."""
    marks = bytearray(len(paper.text))
    for chunk in chunks:
        for span in chunk.spans or (chunk,):
            marks[span.start : span.end] = b"\1" * (span.end - span.start)
    return marks


def test_all_that_real_papers_say_stands_in_some_chunk(real_papers: list[Paper]) -> None:
    for paper in real_papers:
        chunks = cut_paper(paper)
        marks = covered(paper, chunks)
        sections = [letters(chunk.section) for chunk in chunks]
        for block in paper.blocks:
            words = paper.text[block.start : block.end]
            if block.kind is BlockKind.HEADING:
                assert marks[block.start] or any(letters(words)[:80] in path for path in sections), words
                continue
            lost = [k for k in range(block.start, block.end) if not marks[k] and not paper.text[k].isspace()]
            # A later page of a table repeats its head: that alone is left out.
            assert not lost or (block.kind is BlockKind.TABLE and len(lost) < 100), (paper.title, words[:80])


def test_chunks_of_real_papers_are_exact_distinct_and_on_their_pages(real_papers: list[Paper]) -> None:
    for paper in real_papers:
        chunks = cut_paper(paper)
        assert len({chunk.locator(paper.paper_id) for chunk in chunks}) == len(chunks)
        for chunk in chunks:
            assert chunk.text.strip()
            assert chunk.page == paper.page_at(chunk.start)
            assert not chunk.exact or chunk.text == paper.text[chunk.start : chunk.end]
            assert chunk.exact or chunk.spans
            assert chunk.kind in (ChunkKind.TABLE, ChunkKind.FIGURE) or chunk.exact
            assert len(chunk.text) <= 4000
            assert len(chunk.context) < 800


@pytest.mark.parametrize("kind", [ChunkKind.TABLE, ChunkKind.FIGURE])
def test_what_composed_chunks_of_real_papers_say_stands_in_their_spans(
    real_papers: list[Paper], kind: ChunkKind
) -> None:
    for paper in real_papers:
        for chunk in cut_paper(paper):
            if chunk.kind is kind and not chunk.exact:
                there = "".join("".join(paper.text[span.start : span.end].split()) for span in chunk.spans)
                cells = (cell for line in chunk.text.split("\n") for cell in line.replace(" / ", " | ").split(" | "))
                missing = [cell for cell in cells if "".join(cell.split()) not in there]
                # A group of rows may repeat the label and the title of rows above it.
                assert len(missing) <= (3 if chunk.rows else 0), (paper.title, chunk.label, missing)
