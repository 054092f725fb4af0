"""Headings and sections by style, numbering, names and outline."""

from collections.abc import Callable

import pytest

from pincite_papers.layout.sectionnames import split_number
from pincite_papers.model import BlockKind, Paper


def _titles(paper: Paper) -> list[tuple[int, str, str]]:
    return [(s.level, s.number, s.title) for s in paper.sections]


def test_numbered_headings_have_levels_and_ranges(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """#set heading(numbering: "1.1")
#text(size: 17pt)[A Study of Numbered Headings]

= Introduction
#lorem(60)
== Aims of it
#lorem(50)
= Methods
#lorem(40)"""
    )
    assert _titles(paper) == [(1, "1", "Introduction"), (2, "1.1", "Aims of it"), (1, "2", "Methods")]
    first, second, third = paper.sections
    assert first.end == third.start == second.end
    assert paper.text[second.start : second.heading_end] == "1.1 Aims of it"
    assert third.end == len(paper.text)


def test_headings_without_an_outline_are_told_by_their_look(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """#let head(body) = block(text(weight: "bold", size: 12pt, body))
#let sub(body) = block(text(style: "italic", body))
#text(size: 17pt)[Of Headings Without Outline]

#head[Introduction]
#lorem(60)
#sub[Samples and growth]
#lorem(60)
#sub[Transport in field]
#lorem(60)
#head[Results of the measurement]
#lorem(60)
#head[Conclusions]
#lorem(30)"""
    )
    assert _titles(paper) == [
        (1, "", "Introduction"),
        (2, "", "Samples and growth"),
        (2, "", "Transport in field"),
        (1, "", "Results of the measurement"),
        (1, "", "Conclusions"),
    ]


def test_bold_sentences_and_list_numbers_are_no_headings(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """#text(size: 17pt)[Of Things That Are No Headings]

= Introduction
#lorem(40)

*This whole sentence is bold and ends with a stop.*

#lorem(40)

+ First item of it
+ Second item of it

#lorem(40)"""
    )
    assert [s.title for s in paper.sections] == ["Introduction"]


def test_run_in_headings_with_usual_names_are_parted(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        "= Results\n#lorem(60)\n\n*Acknowledgements* We thank all of them. #lorem(20)\n\n*Funding* None. #lorem(20)"
    )
    assert [s.title for s in paper.sections] == ["Results", "Acknowledgements", "Funding"]
    texts = [paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.PARAGRAPH]
    assert texts[1].startswith("We thank")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1 Introduction", ("1", "Introduction")),
        ("2.1. Sample growth", ("2.1", "Sample growth")),
        ("IV. RESULTS", ("IV", "RESULTS")),
        ("A. Growth", ("A", "Growth")),
        ("Appendix B Proof", ("Appendix B", "Proof")),
        ("A study of it", ("", "A study of it")),
        ("Methods", ("", "Methods")),
        ("I think so", ("I", "think so")),
    ],
)
def test_split_number(text: str, parts: tuple[str, str]) -> None:
    assert split_number(text) == parts


def test_title_authors_and_affiliations_are_front_matter(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """#set super(typographic: false)
#text(size: 18pt)[Superconductivity in a Paper That We Typeset]

Ada B. Lovelace#super[1], Charles Babbage#super[1,2] and Mary Somerville#super[2]

#text(size: 8pt)[#super[1] Institute of Engines, London #linebreak() #super[2] Royal Society, Edinburgh]

= Abstract
#lorem(50)

= Introduction
#lorem(120)"""
    )
    assert paper.title == "Superconductivity in a Paper That We Typeset"
    assert paper.authors == ("Ada B. Lovelace", "Charles Babbage", "Mary Somerville")
    kinds = [b.kind for b in paper.blocks]
    assert kinds[0] is BlockKind.TITLE
    assert BlockKind.ABSTRACT in kinds
    assert kinds.count(BlockKind.PARAGRAPH) == 1
