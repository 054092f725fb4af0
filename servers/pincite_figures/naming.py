"""Names of figures: as a model writes them, and as results give them."""

import re
from collections import Counter
from typing import Any

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.locator import parse_locator
from pincite_papers.labels import plain_number, read_label
from pincite_papers.model import Figure, Paper, SourceFormat
from pincite_papers.passages import locate

_PART = re.compile(r"(?P<figure>.*\S)\s*/\s*(?P<part>\d{1,3})", re.DOTALL)
_LISTED = 40
"""Figures that an error names."""

Target = dict[str, Any]
"""What a job works on: ``{"page": 4, "box": [x0, y0, x1, y1]}`` (points as shown), or ``{"graphic": member name}``."""


def find_figure(paper: Paper, wanted: str) -> int:
    """The index of the figure that ``wanted`` names: "Fig. 3", "3", "#2" (the second one), a locator or a view."""
    name = wanted.partition(" > ")[0].strip()
    part = _PART.fullmatch(name)
    name = part["figure"] if part is not None else name
    index = _index(paper, name)
    if index is not None:
        return index
    known = ", ".join(figure_name(paper, index) for index in range(min(len(paper.figures), _LISTED)))
    raise NotFoundError(
        f"There is no figure {wanted[:60]!r} in this paper.",
        seen=f"its figures are {known}" if known else "no figure was recognised in it",
        next="Give one of these names." if known else "Look at a whole page with view_page.",
    )


def _index(paper: Paper, name: str) -> int | None:
    figures = paper.figures
    if name.startswith("pc:"):
        at = parse_locator(name).start
        spans = ((i, span) for i, f in enumerate(figures) for span in (f.caption, f.text) if span is not None)
        return next((index for index, span in spans if span.start <= at < span.end), None)
    if re.fullmatch(r"#\d{1,4}", name):
        return int(name[1:]) - 1 if 0 < int(name[1:]) <= len(figures) else None
    same = [index for index, figure in enumerate(figures) if figure.label and figure.label == name]
    label = read_label(name)
    number = label.number if label is not None else plain_number(name)
    alike = [index for index, figure in enumerate(figures) if number and figure_number(figure) == number]
    return next(iter(same or alike), None)


def figure_number(figure: Figure) -> str:
    """The figure's number in plain form, "" where it has no label."""
    label = read_label(figure.label)
    return label.number if label is not None else plain_number(figure.label.rpartition(" ")[2])


def figure_name(paper: Paper, index: int) -> str:
    """The figure's label, or "#3" for the third one where it has none or shares it with another."""
    label = paper.figures[index].label
    return label if label and Counter(figure.label for figure in paper.figures)[label] == 1 else f"#{index + 1}"


def figure_locator(paper: Paper, figure: Figure) -> str | None:
    """The short locator of the caption, else of the text inside the figure; None where it has neither."""
    span = figure.caption or figure.text
    return locate(paper, span.start, span.end) if span is not None else None


def part_of(figure: Figure, wanted: str) -> int:
    """Which of a figure's picture files is wanted, from 0: "Fig. 3/2" names the second."""
    part = _PART.fullmatch(wanted.partition(" > ")[0].strip())
    if part is None:
        return 0
    number = int(part["part"])
    if not 0 < number <= max(len(figure.graphics), 1):
        raise NotFoundError(
            f"{wanted[:60]!r} names picture {number} of the figure.",
            seen=f"it has {len(figure.graphics)} picture files",
            next="Give the figure alone, or a picture that there is.",
        )
    return number - 1


def target_of(paper: Paper, index: int, part: int = 0) -> Target:
    """What a job draws or measures for a figure; an error where the source holds nothing to draw."""
    figure = paper.figures[index]
    name = figure_name(paper, index)
    if figure.page is not None and figure.bbox is not None:
        box = figure.bbox
        return {"page": figure.page, "box": [box.x0, box.y0, box.x1, box.y1]}
    if figure.page is not None:
        raise NotFoundError(
            f"No box was found for {name}, only its caption.", next=f"Look at page {figure.page} with view_page."
        )
    if not figure.graphics:
        raise NotFoundError(
            f"The source names no picture file for {name}.",
            seen=f"the paper was read from {paper.format.value.upper()}",
            next="Open the paper's PDF to look at its figures.",
        )
    graphic = figure.graphics[part]
    if paper.format is not SourceFormat.LATEX:
        raise NotFoundError(
            f"The picture of {name} is not in the source: it is only named there.",
            seen=graphic[:200],
            next="Open the paper's PDF to look at its figures.",
        )
    return {"graphic": graphic}


def check_page(paper: Paper, page: int) -> None:
    """BadInputError where the paper has no such page."""
    if not paper.pages:
        raise BadInputError(
            f"This paper has no pages: it was read from {paper.format.value.upper()}.",
            next="Look at its figures with view_figure, or open the paper's PDF.",
        )
    if not 1 <= page <= len(paper.pages):
        raise BadInputError(f"There is no page {page}.", next=f"Give a page from 1 to {len(paper.pages)}.")
