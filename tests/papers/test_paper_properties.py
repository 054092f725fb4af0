"""What holds of every parsed source: offsets are in bounds and in order, and what stands there can be quoted."""

from collections.abc import Callable
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite_core.locator import parse_locator
from pincite_papers.codec import decode_paper, encode_paper
from pincite_papers.html import parse_html
from pincite_papers.jats import parse_jats
from pincite_papers.latex import parse_latex
from pincite_papers.model import Paper
from pincite_papers.passages import locate, passages
from pincite_papers.quoting.quotes import find_quote

WORD = st.text(
    st.one_of(st.sampled_from("aekzAT0159µαÅéπ中漢\U0001d447"), st.characters(categories=["Ll", "Lu", "Nd"])),
    min_size=1,
    max_size=9,
)
SIGNED = st.sampled_from(["−3.5 K", "10 ± 2 %", "6.02×10^23".replace("^", ""), "p < 0.05", "5–7 nm", "“so”", "d’une"])
PARAGRAPH = st.lists(st.one_of(WORD, WORD, SIGNED), min_size=3, max_size=14).map(" ".join)
SECTIONS = st.lists(st.tuples(WORD, st.lists(PARAGRAPH, min_size=1, max_size=3)), min_size=1, max_size=4)
Sections = list[tuple[str, list[str]]]

LATEX_WORD = st.text("abcdefghkmnoprstuvwz0123456789", min_size=1, max_size=9)
LATEX_SECTIONS = st.lists(
    st.tuples(
        LATEX_WORD, st.lists(st.lists(LATEX_WORD, min_size=3, max_size=14).map(" ".join), min_size=1, max_size=3)
    ),
    min_size=1,
    max_size=4,
)


def as_html(sections: Sections) -> Paper:
    body = ""
    for title, paragraphs in sections:
        body += f"<h2>{escape(title)}</h2>" + "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
    page = f"<!doctype html><html><head><meta charset='utf-8'></head><body><article><h1>A title</h1>{body}</article>"
    return parse_html(f"{page}</body></html>".encode(), max_pages=1)


def as_jats(sections: Sections) -> Paper:
    body = ""
    for title, paragraphs in sections:
        inside = "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
        body += f"<sec><title>{escape(title)}</title>{inside}</sec>"
    front = (
        "<front><article-meta><title-group><article-title>A title</article-title></title-group></article-meta></front>"
    )
    return parse_jats(f"<article>{front}<body>{body}</body></article>".encode(), max_pages=1)


def as_latex(sections: Sections) -> Paper:
    body = ""
    for title, paragraphs in sections:
        body += f"\\section{{{title}}}\n" + "\n\n".join(paragraphs) + "\n\n"
    source = f"\\documentclass{{article}}\\title{{A title}}\\begin{{document}}\\maketitle\n{body}\\end{{document}}"
    return parse_latex(source.encode(), max_pages=1)


def check(paper: Paper, sections: Sections) -> None:
    size = len(paper.text)
    starts = [block.start for block in paper.blocks]
    assert starts == sorted(starts)
    assert all(0 <= block.start < block.end <= size for block in paper.blocks)
    assert all(0 <= section.start <= section.end <= size for section in paper.sections)
    assert encode_paper(decode_paper(encode_paper(paper))) == encode_paper(paper)
    for passage in passages(paper, 0, size):
        locator = parse_locator(locate(paper, passage.start, passage.end))
        text = paper.text[locator.start : locator.end]
        assert text == text.strip() != ""
    for _, paragraphs in sections:
        for paragraph in paragraphs:
            if len(paragraph) >= 12:
                match = find_quote(paper, paragraph)
                assert match.standing in ("exact", "normalised"), (paragraph, match)


@pytest.mark.parametrize("build", [as_html, as_jats])
def test_offsets_hold_and_paragraphs_can_be_quoted(build: Callable[[Sections], Paper]) -> None:
    @given(SECTIONS)
    @settings(max_examples=40)
    def holds(sections: Sections) -> None:
        check(build(sections), sections)

    holds()


@given(LATEX_SECTIONS)
@settings(max_examples=40)
def test_offsets_hold_in_latex(sections: Sections) -> None:
    check(as_latex(sections), sections)


@given(SECTIONS, st.data())
@settings(max_examples=40)
def test_a_sentence_with_another_digit_does_not_stand(sections: Sections, data: st.DataObject) -> None:
    paper = as_html(sections)
    paragraph = data.draw(st.sampled_from([one for _, some in sections for one in some]))
    places = [at for at, character in enumerate(paragraph) if character in "0123456789"]
    if not places or len(paragraph) < 12:
        return
    at = data.draw(st.sampled_from(places))
    other = str((int(paragraph[at]) + data.draw(st.integers(1, 9))) % 10)
    changed = paragraph[:at] + other + paragraph[at + 1 :]
    if changed in " ".join(paper.text.split()):
        return
    assert not find_quote(paper, changed).stands
