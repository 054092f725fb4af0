"""Headings and sections by style, numbering, names and outline."""

from collections.abc import Callable

import pytest

from pincite_papers.model import BlockKind, Paper
from pincite_papers.pdf.layout.sectionnames import split_number


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
        ("§2. Results", ("2", "Results")),
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


_HEAD = "#text(size: 16pt)[A Paper With Headings of a Kind]\n\nJane Doe and John Roe\n\n"
_TEXT = "#lorem(60)\n\n"


@pytest.mark.parametrize(
    ("headings", "titles"),
    [
        (
            [
                "#align(center)[*I. INTRODUCTION*]",
                "#align(center)[*II. METHODS USED*]",
                "#align(center)[*A. Growth of it*]",
            ],
            [(1, "I", "INTRODUCTION"), (1, "II", "METHODS USED"), (2, "A", "Growth of it")],
        ),
        (
            [
                f"#align(center)[#smallcaps[{each}]]"
                for each in ("I. Introduction", "II. Main Results", "III. Conclusion")
            ],
            [(1, "I", "Introduction"), (1, "II", "Main Results"), (1, "III", "Conclusion")],
        ),
        (
            ["INTRODUCTION", "MATERIALS AND METHODS", "RESULTS OF IT"],
            [(1, "", "INTRODUCTION"), (1, "", "MATERIALS AND METHODS"), (1, "", "RESULTS OF IT")],
        ),
        (
            ["= 1 Introduction", "= Appendix A: Proof of it", "= Appendix B. More of it"],
            [(1, "1", "Introduction"), (1, "Appendix A", "Proof of it"), (1, "Appendix B", "More of it")],
        ),
    ],
)
def test_headings_of_every_kind(
    parsed: Callable[[str], Paper], headings: list[str], titles: list[tuple[int, str, str]]
) -> None:
    assert _titles(parsed(_HEAD + "".join(f"{each}\n\n{_TEXT}" for each in headings))) == titles


@pytest.mark.parametrize(("before", "after"), [("*", "*"), ("_", "_")])
def test_run_in_headings_with_others_like_them(parsed: Callable[[str], Paper], before: str, after: str) -> None:
    names = ("1.1. Samples grown.", "1.2. Methods used.", "1.3. Controls of it.")
    leads = "".join(f"{before}{name}{after} {_TEXT}" for name in names)
    paper = parsed(f"{_HEAD}= 1 Introduction\n{_TEXT}{leads}= 2 Results\n{_TEXT}")
    assert [(s.level, s.number) for s in paper.sections] == [(1, "1"), (2, "1.1"), (2, "1.2"), (2, "1.3"), (1, "2")]


def test_one_slanted_sentence_is_no_heading(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(f"{_HEAD}= Introduction\n_It is so._ {_TEXT}_It is not so._ {_TEXT}")
    assert [section.title for section in paper.sections] == ["Introduction"]


def test_numbered_run_in_headings_may_be_long_and_hold_upright_names(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """#set page(width: 300pt)
#text(size: 17pt)[Essential Oils of Two Herbs]

#text(weight: "bold", size: 12pt)[2. Materials and Methods]

_2.1. Determination of the Total Content of Phenols in_ Ocimum sanctum _L. Leaf Extracts and Fractions._ The content
was measured as before. #lorem(40)

_2.2. C60 Treatment._ All samples were treated alike. #lorem(40)"""
    )
    assert [(s.number, s.title) for s in paper.sections] == [
        ("2", "Materials and Methods"),
        ("2.1", "Determination of the Total Content of Phenols in Ocimum sanctum L. Leaf Extracts and Fractions."),
        ("2.2", "C60 Treatment."),
    ]


def test_lists_of_names_have_no_run_in_headings(parsed: Callable[[str], Paper]) -> None:
    roles = "\n\n".join(
        f"*{role}:* Ada Lovelace, Emmy Noether, Sofia Kovalevskaya, Maria Agnesi, Hypatia Theonos."
        for role in ("Supervision", "Validation", "Formal analysis", "Methodology")
    )
    paper = parsed(f"#text(size: 17pt)[Who Did What in a Study]\n\n= Introduction\n#lorem(60)\n\n{roles}")
    assert [s.title for s in paper.sections] == ["Introduction"]


@pytest.mark.parametrize("parts", [(), ("Background", "Methods", "Results")], ids=["plain", "structured"])
def test_an_abstract_under_a_large_heading_ends_where_the_body_opens(
    parsed: Callable[[str], Paper], parts: tuple[str, ...]
) -> None:
    told = "".join(f"#part[{part}]\n#lorem(30)\n" for part in parts) or "#lorem(60)\n"
    paper = parsed(
        f"""#let part(body) = block(text(weight: "bold", size: 10pt, body))
#let head(body) = block(text(weight: "bold", size: 13pt, body))
#text(size: 19pt)[Of Abstracts That Swallow Papers]

#block(text(weight: "bold", size: 15pt)[Abstract])
{told}
#head[Introduction]
#lorem(120)
#head[Results]
#lorem(120)"""
    )
    abstract = next(s for s in paper.sections if s.title == "Abstract")
    introduction = next(s for s in paper.sections if s.title == "Introduction")
    assert abstract.end == introduction.start
    kinds = {b.kind for b in paper.blocks if b.start >= introduction.start}
    assert BlockKind.ABSTRACT not in kinds


def test_a_long_reference_list_does_not_set_the_style_of_the_body(parsed: Callable[[str], Paper]) -> None:
    entries = "\n".join(
        f"{k}. Noether E. On invariants of the {k}th kind. Math Ann. {1900 + k};12:{k}-{k + 9}." for k in range(1, 220)
    )
    paper = parsed(
        f"""#set page(columns: 2)
#text(size: 17pt)[A Review With Many Sources]

= Introduction
#lorem(700)
= Conclusions
#lorem(100)
#text(size: 7pt, font: "DejaVu Sans Mono")[*References*\\

{entries}]"""
    )
    kinds = [b.kind for b in paper.blocks if len(paper.text[b.start : b.end]) > 100 and b.page == 1]
    assert BlockKind.FOOTNOTE not in kinds


TITLE_PAGES = {
    "kind of article": (
        """#text(size: 18pt)[Research Article]

#text(size: 18pt, weight: "bold")[Lowering Lipids With Herbs, Oils, and Leaves]""",
        "Lowering Lipids With Herbs, Oils, and Leaves",
    ),
    "several blocks": (
        """#align(center, text(size: 10pt, weight: "bold")[Original article:])

#set par(spacing: 16pt)
#align(center, text(size: 17pt, weight: "bold")[In vitro activity of different parts of])

#align(center, text(size: 17pt, weight: "bold")[Herba inventa and of its seed])""",
        "In vitro activity of different parts of Herba inventa and of its seed",
    ),
    "larger journal": (
        """#text(size: 22pt, weight: "bold")[Journal of Herbs and Remedies]

#text(size: 12pt)[Research article Open Access]

#text(size: 16pt, weight: "bold")[Effect of two herbs on the hearts of rats]""",
        "Effect of two herbs on the hearts of rats",
    ),
}


@pytest.mark.parametrize("name", sorted(TITLE_PAGES))
@pytest.mark.parametrize("mark", [", ", " • "], ids=["commas", "bullets"])
def test_the_title_is_told_from_what_stands_above_it(parsed: Callable[[str], Paper], name: str, mark: str) -> None:
    source, title = TITLE_PAGES[name]
    byline = mark.join(
        f"{each}#super[{k}]" for k, each in enumerate(("Ada Q. Inventa", "M.Q.Tang", "J. van den Berk"), 1)
    )
    small = f"#text(size: 9pt)[{byline}]"
    paper = parsed(f"{source}\n\n{small}\n\n#super[1]University of Nowhere, Town\n\n= Introduction\n#lorem(150)")
    assert paper.title == title
    assert paper.authors == ("Ada Q. Inventa", "M. Q. Tang", "J. van den Berk")


ABSTRACT = "The present study was made to find out whether the herb lowers what it should. " * 5
FRONTS = {
    "without a heading": f"""#text(size: 9pt)[Department of Physiology, University of Nowhere, Town]

#text(size: 9pt)[Correspondence should be addressed to Ada Inventa, ada\\@nowhere.test]

#text(size: 9pt)[{ABSTRACT}]

= Introduction
#lorem(300)""",
    "small, at the foot of the page": f"""#text(size: 9pt)[Department of Physiology, University of Nowhere]

#text(size: 9pt, weight: "bold")[Abstract]

#text(size: 9pt)[*Background.* {ABSTRACT}]

#text(size: 9pt)[*Results.* {ABSTRACT}]
#pagebreak()
= Introduction
#lorem(300)""",
}


@pytest.mark.parametrize("name", sorted(FRONTS))
def test_small_abstracts_are_no_small_print(parsed: Callable[[str], Paper], name: str) -> None:
    title = '#text(size: 18pt, weight: "bold")[Lowering of Lipids in Invented Rats]'
    paper = parsed(f"{title}\n\nAda Q. Inventa#super[1] and Bea Nobody#super[1]\n\n{FRONTS[name]}")
    told = " ".join(paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.ABSTRACT)
    assert told.count("lowers what it should") == paper.text.count("lowers what it should")
    assert "University" not in told


def test_headings_in_a_font_of_their_own_may_hold_a_slanted_name(parsed: Callable[[str], Paper]) -> None:
    """The name of a species takes a third font, and the text follows in the same leading (BMC)."""
    prose = "The yield of the oil was computed from the weight of the dried flowers left after all steps. " * 5
    titles = ["Constituents of the extracted oil", "Activity of the oil of T. minuta", "Scavenging of radicals"]
    source = '#let h(body) = text(font: "Libertinus Serif", body)\n#text(size: 17pt)[A Study of Oils]\n'
    source += f"\n= Introduction\n{prose}\n\n= Results\n{prose}\n"
    for title in titles:
        source += f"\n#h[{title.replace('T. minuta', '_T. minuta_')}] \\\n{prose}\n"
    paper = parsed(source)
    assert [paper.text[s.start : s.heading_end] for s in paper.sections] == ["Introduction", "Results", *titles]
