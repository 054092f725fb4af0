"""Front matter and page numbers in the styles of journals: bylines, abstracts without a heading, low page numbers."""

from collections.abc import Callable

from pincite_papers.model import BlockKind, FurnitureKind, Paper
from pincite_papers.pdf.layout.front import split_names

_ABSTRACT = "We find that the transition of the film is governed by the content of oxygen in the layers. " * 4
_PLACE = "Institute of Materials, University of Somewhere, 12345 Somewhere, Norway"


def test_memberships_and_degrees_are_not_names() -> None:
    names = ("Karl Berg", "Eva Jensen", "Luis Escobar")
    bylines = (
        "Karl Berg, Member, IEEE, Eva Jensen, Senior Member, IEEE, and Luis Escobar, Fellow, IEEE",
        "Karl Berg, MD, PhD, Eva Jensen, M.D., Luis Escobar, MSc",
        "Karl Berg^1, PhD; Eva Jensen^2, MPH; Luis Escobar^1",
    )
    assert [split_names(text) for text in bylines] == [names] * len(bylines)


def test_each_author_over_or_before_an_address_is_found(parsed: Callable[[str], Paper]) -> None:
    names = ("Karl Berg", "Eva Jensen", "Luis Escobar")
    for between in ("\n\n", ", "):
        byline = "\n\n".join(f"{name}{between}{_PLACE}" for name in names)
        paper = parsed(
            f"#text(18pt)[Oxygen ordering in thin films under pressure]\n\n{byline}\n\n"
            f"{_ABSTRACT}\n\n= Introduction\n#lorem(200)\n\n= Results\n#lorem(200)"
        )
        assert paper.authors == names
        abstract = [paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.ABSTRACT]
        assert abstract == [_ABSTRACT.strip()]


def test_page_numbers_above_a_wide_margin_leave_the_text(parsed: Callable[[str], Paper]) -> None:
    paper = parsed('#set page(numbering: "1", margin: (bottom: 48mm), footer-descent: 8mm)\n= Results\n#lorem(2000)')
    numbers = [item.text for page in paper.pages for item in page.furniture if item.kind is FurnitureKind.PAGE_NUMBER]
    assert numbers == [str(page.number) for page in paper.pages]
    assert len(numbers) > 2
