"""list_figures: what figures there are, with their captions and where they stand."""

from typing import Any, NotRequired

from mcp.server.mcpserver import Context
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_figures.naming import figure_locator, figure_name
from pincite_figures.state import FiguresState
from pincite_papers import doubts
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.model import Figure, Panel, Paper, Rect
from pincite_papers.passages import cut_caption, locate

_CAPTION_CHARS = 300
"""Characters of a caption in the list."""
_MOST_ENTRIES = 200
"""Figures of one page, whatever ``max_chars`` allows. Set by judgement."""
_MOST_GRAPHICS = 20
"""Graphics files of a figure that are named."""


class PanelEntry(TypedDict):
    """A panel: ``box`` is that of its printed letter, as zoom_figure takes it: fractions of the figure."""

    panel: str
    box: NotRequired[list[float]]


class FigureEntry(TypedDict):
    """A figure: ``figure`` is what the other tools take; ``caption`` is exactly what ``caption_locator`` names.

    ``points`` is x0, y0, x1, y1 of the whole figure (zoom_figure's 0,0,1,1) on the page; ``texts`` counts the lines of
    text inside the figure; ``graphics`` are the picture files of a source without pages.
    """

    figure: str
    locator: str | None
    page: int | None
    points: list[float] | None
    kind: str
    panels: list[PanelEntry]
    texts: int
    caption: str
    caption_locator: str | None
    caption_cut: NotRequired[bool]
    graphics: NotRequired[list[str]]
    flagged: NotRequired[str]


class Figures(TypedDict):
    """The figures in order."""

    total: int
    figures: list[FigureEntry]
    next_cursor: str | None


def list_figures(
    paper: Paper,
    state: FiguresState,
    calling: Context[Any, Any],
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Figures:
    """List the figures with caption (cut at 300 characters), page, panels and locator."""
    query = ("list_figures", paper.paper_id, paper.parser)
    shown, after = fill_page(
        range(len(paper.figures)),
        decode_cursor(cursor, *query),
        lambda index: _entry(paper, index, state.flagged(calling, paper, index)),
        max_chars=max_chars - 200,
        max_items=_MOST_ENTRIES,
    )
    return Figures(
        total=len(paper.figures),
        figures=shown,
        next_cursor=encode_cursor(after, *query) if after < len(paper.figures) else None,
    )


def _entry(paper: Paper, index: int, flagged: str) -> FigureEntry:
    figure = paper.figures[index]
    start, end, cut = cut_caption(paper, figure.caption, _CAPTION_CHARS)
    box = figure.bbox
    entry = FigureEntry(
        figure=figure_name(paper, index),
        locator=figure_locator(paper, figure),
        page=figure.page,
        points=[round(edge, 1) for edge in (box.x0, box.y0, box.x1, box.y1)] if box is not None else None,
        kind=figure.kind.value if figure.kind is not None else "unknown",
        panels=[_panel(panel, box) for panel in figure.panels],
        texts=_texts(paper, figure),
        caption=doubts.show(paper, start, end),
        caption_locator=locate(paper, start, end) if figure.caption is not None else None,
    )
    if cut:
        entry["caption_cut"] = True
    if figure.graphics:
        entry["graphics"] = [name[:200] for name in figure.graphics[:_MOST_GRAPHICS]]
    if flagged:
        entry["flagged"] = flagged
    return entry


def _panel(panel: Panel, figure: Rect | None) -> PanelEntry:
    entry = PanelEntry(panel=panel.label)
    if panel.bbox is not None and figure is not None and figure.x1 > figure.x0 and figure.y1 > figure.y0:
        width, height = figure.x1 - figure.x0, figure.y1 - figure.y0
        box = panel.bbox
        inner = (box.x0 - figure.x0) / width, (box.y0 - figure.y0) / height
        inner += (box.x1 - figure.x0) / width, (box.y1 - figure.y0) / height
        edges = [round(min(max(edge, 0.0), 1.0), 4) for edge in inner]
        if edges[0] < edges[2] and edges[1] < edges[3]:
            entry["box"] = edges
    return entry


def _texts(paper: Paper, figure: Figure) -> int:
    if figure.text is None:
        return 0
    return sum(1 for line in paper.text[figure.text.start : figure.text.end].split("\n") if line.strip())
