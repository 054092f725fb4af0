"""Line numbers in every usual form, double spacing, drop caps, titles smaller than headings."""

from collections.abc import Callable

import pytest

from pincite_papers.model import BlockKind, FurnitureKind, Paper

_WORDS = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima")


def _running(count: int, first: int = 0) -> str:
    return " ".join(f"{_WORDS[k % 12]}{k}" for k in range(first, first + count))


def _numbers(paper: Paper) -> list[list[int]]:
    return [[int(f.text) for f in page.furniture if f.kind is FurnitureKind.LINE_NUMBER] for page in paper.pages]


@pytest.mark.parametrize(
    ("form", "size"),
    [
        ('numbering: "1"', "width: 14cm, height: 12cm"),
        ('numbering: "1", number-margin: right', "width: 14cm, height: 12cm"),
        ('numbering: "1", number-align: left', "width: 14cm, height: 12cm"),
        ('numbering: "1", numbering-scope: "page"', "width: 14cm, height: 9cm"),
        ('numbering: "1"', "width: 18cm, height: 10cm, columns: 2"),
        ("numbering: n => if calc.rem(n, 5) == 0 [#n]", "width: 14cm, height: 12cm"),
        ('numbering: n => if calc.rem(n, 5) == 0 [#n], numbering-scope: "page"', "width: 10cm, height: 14cm"),
    ],
)
def test_line_numbers_are_furniture(parsed: Callable[[str], Paper], form: str, size: str) -> None:
    paper = parsed(f"#set page({size})\n#set par.line({form})\n{_running(250)} end.")
    assert paper.text == f"{_running(250)} end."
    numbers = _numbers(paper)
    assert all(page == sorted(page) or "columns" in size for page in numbers)
    assert sum(map(len, numbers)) >= (5 if "calc" in form else 20)


def test_double_spaced_lines_make_one_paragraph(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        "#set page(width: 14cm, height: 14cm)\n#set par(leading: 1.7em, spacing: 1.7em, first-line-indent: 1.5em)\n"
        f"#set par.line(numbering: n => if calc.rem(n, 5) == 0 [#n])\n= Introduction\nOne {_running(150)} close.\n\n"
        f"Two {_running(150, 200)} close."
    )
    paragraphs = [paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.PARAGRAPH]
    assert paragraphs == [f"One {_running(150)} close.", f"Two {_running(150, 200)} close."]


def test_numbered_entries_of_a_list_are_no_line_numbers(parsed: Callable[[str], Paper]) -> None:
    works = "\n".join(f"#par(hanging-indent: 14pt)[{k} Author{k} A, {_running(14, 40 * k)}.]" for k in range(1, 9))
    paper = parsed(f"#set page(width: 12cm)\n{works}")
    assert _numbers(paper) == [[]]


@pytest.mark.parametrize(("letter", "rest", "start"), [("L", "ong", "Long alpha0"), ("A", "bravo1", "A bravo1 ")])
def test_drop_caps_start_their_word(parsed: Callable[[str], Paper], letter: str, rest: str, start: str) -> None:
    cap = f"#grid(columns: (auto, 1fr), gutter: 3pt, text(size: 32pt)[{letter}], [{rest} {_running(20)}])"
    paper = parsed(f"= Introduction\n{cap}\n#v(-6pt)\n{_running(60, 20)} end.")
    paragraph = next(b for b in paper.blocks if b.kind is BlockKind.PARAGRAPH)
    assert paper.text[paragraph.start :].startswith(start)
    assert len(paper.boxes(paragraph.start, paragraph.start + 1)) == 1


def test_a_title_smaller_than_numbered_headings(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        f"""#set heading(numbering: "1")
#align(center)[#text(size: 13pt, weight: "bold")[A Title That is Smaller Than Headings]

Jane Doe and John Roe]

#text(weight: "bold")[Abstract.] {_running(60)} stop.

= Introduction
#set text(size: 10pt)
{_running(120)}.

= Methods and samples
{_running(120)}."""
    )
    assert paper.title == "A Title That is Smaller Than Headings"
    assert [section.title for section in paper.sections] == ["Introduction", "Methods and samples"]


def test_a_point_after_a_superscript_stands_at_its_word(parsed: Callable[[str], Paper]) -> None:
    paper = parsed("#set super(typographic: false)\nAt a rate of 5 K min#super[−1]. Then 3 cm#super[−1], and on.")
    assert paper.text == "At a rate of 5 K min^−1. Then 3 cm^−1, and on."


def test_running_lines_of_a_single_page_are_furniture(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        f"""#set page(
  width: 14cm, height: 18cm,
  header: [Doe and Roe #h(1fr) A short paper], footer: [Journal of Tests 12, 345 (2020) #h(1fr) 34],
)
#text(size: 16pt)[A Paper of a Single Page]

Jane Doe and John Roe

= Introduction
{_running(100)} end."""
    )
    assert "Doe and Roe" not in paper.text
    kinds = {f.kind for f in paper.pages[0].furniture}
    assert kinds == {FurnitureKind.HEADER, FurnitureKind.FOOTER, FurnitureKind.PAGE_NUMBER}
    assert (paper.journal, paper.year) == ("Journal of Tests", 2020)
    assert paper.title == "A Paper of a Single Page"


def test_a_title_at_the_top_of_a_single_page_stays(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(f"#set page(margin: 1cm)\n#text(size: 16pt)[A Title at the Very Top]\n\n{_running(100)} end.")
    assert paper.title == "A Title at the Very Top"


def test_a_double_spaced_caption_is_whole(parsed: Callable[[str], Paper]) -> None:
    caption = _running(40, 500)
    paper = parsed(
        "#set par(leading: 1.3em, spacing: 1.9em)\n#set figure.caption(separator: [: ])\n"
        f"= Introduction\n{_running(150)} end.\n\n#figure(rect(width: 6cm, height: 3cm), caption: [{caption}.])\n\n"
        f"After it {_running(90, 200)} end."
    )
    captions = [paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.CAPTION]
    assert captions == [f"Figure 1: {caption}."]


def test_a_structured_abstract_beside_notes_is_whole(parsed: Callable[[str], Paper]) -> None:
    """Its parts have names of this journal's own, and the notes beside it end on the next page (PLOS)."""
    prose = "The reproduction number was estimated for eleven towns by varying the estimates of the vector model. "
    note = "#set text(size: 7.5pt)\n"
    paper = parsed(
        f"""
        #set page(margin: (left: 190pt, right: 40pt, y: 60pt))
        #place(top + left, dx: -150pt, dy: 150pt, block(width: 130pt)[{note}*Citation:* Viennet E et al. (2020)
          Estimation of transmission. \\ *Funding:* The authors received no specific funding.])
        #text(size: 18pt)[Estimation of sexual transmission of a virus in towns]

        *Elvina Viennet#super[1], Francesca D. Frentiu#super[2]*

        #text(size: 14pt)[Abstract]

        #text(size: 11.5pt, weight: "bold")[Background]

        #text(size: 9.4pt, font: "DejaVu Sans Mono")[{prose * 3}]

        #text(size: 11.5pt, weight: "bold")[Methodology/Principal findings]

        #text(size: 9.4pt, font: "DejaVu Sans Mono")[{prose * 3}]

        #text(size: 11.5pt, weight: "bold")[Conclusions/Significance]

        #text(size: 9.4pt, font: "DejaVu Sans Mono")[{prose * 2}]
        #pagebreak()
        #place(top + left, dx: -150pt, block(width: 130pt)[{note}*Competing interests:* The authors have declared
          that no competing interests exist.])
        #text(size: 13pt, weight: "bold")[Introduction]

        {prose * 8}

        #text(size: 13pt, weight: "bold")[Methods]

        {prose * 8}
        """
    )
    abstract = " ".join(paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.ABSTRACT)
    body = " ".join(paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.PARAGRAPH)
    assert abstract.count("The reproduction number") == 8
    assert body.count("The reproduction number") == 16
    assert "competing interests" not in body
    titles = [paper.text[section.start : section.heading_end] for section in paper.sections]
    parts = ["Background", "Methodology/Principal findings", "Conclusions/Significance"]
    assert titles == ["Abstract", *parts, "Introduction", "Methods"]
