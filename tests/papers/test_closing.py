"""What stands at the edges of a paper: advertisements, addresses of authors, introductions without a heading."""

from collections.abc import Callable

from pincite_papers.model import BlockKind, Paper

_WORKS = "\n".join(f"+ A. Author{k}, _A title of the work {k}_, J. Tests {k}, 1 ({2000 + k})." for k in range(4))


def _kinds(paper: Paper, words: str) -> BlockKind:
    return next(b.kind for b in paper.blocks if words in paper.text[b.start : b.end])


def test_an_advertisement_after_the_references_is_no_text(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        f"""#text(size: 18pt)[A Paper That an Advertisement Ends]

= Introduction
#lorem(80)

= References
#set enum(numbering: "1.")
{_WORKS}

#set text(font: "DejaVu Sans Mono")
#text(weight: "bold", size: 12pt)[Submit your next paper to us and enjoy:]

- Convenient online submission of it
- Thorough review by peers"""
    )
    assert [section.title for section in paper.sections] == ["Introduction", "References"]
    assert _kinds(paper, "Convenient online") is BlockKind.FOOTNOTE
    assert len(paper.references) == 4


def test_an_appendix_after_the_references_stays(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        f'= Introduction\n#lorem(80)\n\n= References\n#set enum(numbering: "1.")\n{_WORKS}\n\n= Appendix\n#lorem(40)'
    )
    assert [section.title for section in paper.sections] == ["Introduction", "References", "Appendix"]
    assert [b.kind for b in paper.blocks][-1] is BlockKind.PARAGRAPH


def test_names_over_addresses_are_no_headings(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """= Results
#lorem(60)
#pagebreak()
= Reviews
*Jane Doe*

*Department of Tests, University of Somewhere, Othertown, Australia*

#lorem(60)

= Discussion
#lorem(60)"""
    )
    assert [section.title for section in paper.sections] == ["Results", "Reviews", "Discussion"]
    assert _kinds(paper, "University of Somewhere") is BlockKind.AUTHORS


def test_an_introduction_without_a_heading_is_text(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """#text(size: 18pt)[A Paper Whose Introduction Has No Heading]

Jane Doe and John Roe

#block(inset: (x: 12pt), text(weight: "bold")[The abstract says so. #lorem(80)])

The running text starts here. #lorem(120)

It goes on so. #lorem(120)

= Results
#lorem(150)"""
    )
    assert _kinds(paper, "The abstract says") is BlockKind.ABSTRACT
    assert _kinds(paper, "The running text starts") is BlockKind.PARAGRAPH
    assert _kinds(paper, "It goes on so") is BlockKind.PARAGRAPH
