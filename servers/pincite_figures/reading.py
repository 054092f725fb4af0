"""read_figure_text: the text inside a figure, with boxes and guessed roles."""

from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_figures.arguments import FigureName, ViewName
from pincite_figures.jobs import TEXTS
from pincite_figures.naming import figure_name, find_figure, part_of, target_of
from pincite_figures.state import FiguresState
from pincite_figures.views import View, read_box, read_view
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.model import Figure, Paper
from pincite_papers.passages import locate

if TYPE_CHECKING:
    import numpy.typing as npt

_MOST_ENTRIES = 1000
"""Texts of one page, whatever ``max_chars`` allows. Set by judgement."""
_FRAME_CHARS = 500
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""


class FigureText(TypedDict):
    """A text in a figure. ``box``: x0, y0, x1, y1 in fractions of the figure; ``points``: on the page.

    ``rotation`` is the direction of print in degrees, counter-clockwise, where it is not level; ``role`` is a guess.
    Text that OCR read from the picture has a ``confidence`` (0 to 1) and no locator: zoom before you rely on it.
    """

    text: str
    role: str
    box: list[float]
    points: NotRequired[list[float]]
    size: NotRequired[float]
    rotation: NotRequired[int]
    locator: NotRequired[str]
    confidence: NotRequired[float]
    unreliable: NotRequired[bool]


class FigureTexts(TypedDict):
    """The texts from top to bottom; ``read_from``: source, OCR, source and OCR, or nothing, with the reason in note."""

    figure: str
    view: str
    read_from: str
    total: int
    texts: list[FigureText]
    note: NotRequired[str]
    next_cursor: str | None


async def read_figure_text(
    paper: Paper,
    state: FiguresState,
    calling: Context[Any, Any],
    figure: FigureName,
    bbox: Annotated[str, Field(description="x0,y0,x1,y1 in fractions of the view")] = "",
    view: ViewName = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> FigureTexts:
    """Read the text inside a figure: ticks, axis labels, legends, panel letters, with boxes. OCR where it has none."""
    index = find_figure(paper, figure)
    name = figure_name(paper, index)
    steps = read_view("", view).steps + ((read_box(bbox),) if bbox.strip() else ())
    seen = View(name, steps)
    query = ("read_figure_text", paper.paper_id, paper.parser, index, seen.name)
    start = decode_cursor(cursor, *query)
    target = target_of(paper, index, part_of(paper.figures[index], view or figure))
    arguments = {"target": target, "region": [str(edge) for edge in seen.region], "ocr": ocr_options(state)}
    reply, _ = await state.jobs.run(TEXTS, paper, arguments, calling)
    found = reply["texts"]
    places = _Places(paper, paper.figures[index])
    shown, after = fill_page(
        found,
        start,
        lambda text: _entry(text, reply["box"], places if "page" in target else None),
        max_chars=max_chars - _FRAME_CHARS,
        max_items=_MOST_ENTRIES,
    )
    result = FigureTexts(
        figure=name,
        view=seen.name,
        read_from=_read_from(found),
        total=len(found),
        texts=shown,
        next_cursor=encode_cursor(after, *query) if after < len(found) else None,
    )
    if reply["note"]:
        result["note"] = reply["note"]
    if not cursor:
        state.record.add("text", paper, name, view=seen.name, read_from=result["read_from"], total=len(found))
    return result


def ocr_options(state: FiguresState) -> dict[str, Any] | None:
    """How pictures are read, within the time of one job; None where OCR is off."""
    settings = state.settings
    if settings.ocr == "off":
        return None
    return {"languages": settings.ocr_languages, "seconds": settings.figure_seconds / 3}


def _read_from(found: list[dict[str, Any]]) -> str:
    kinds = {"source" if text["confidence"] is None else "OCR" for text in found}
    return " and ".join(kind for kind in ("source", "OCR") if kind in kinds) or "nothing"


def _entry(text: dict[str, Any], box: list[float], places: "_Places | None") -> FigureText:
    x0, y0, x1, y1 = text["box"]
    width, height = box[2] - box[0], box[3] - box[1]
    inner = [(x0 - box[0]) / width, (y0 - box[1]) / height, (x1 - box[0]) / width, (y1 - box[1]) / height]
    entry = FigureText(text=text["text"], role=text["role"], box=[round(min(max(edge, 0.0), 1.0), 4) for edge in inner])
    if places is not None:
        entry["points"] = [round(edge, 1) for edge in text["box"]]
        entry["size"] = text["size"]
    if text["rotation"]:
        entry["rotation"] = text["rotation"]
    if text["confidence"] is not None:
        entry["confidence"] = text["confidence"]
    elif places is not None and (locator := places.locator(text["text"], text["box"])):
        entry["locator"] = locator
    if text["unreliable"]:
        entry["unreliable"] = True
    return entry


class _Places:
    """Where the text inside a figure stands in the canonical text, by the boxes of its characters."""

    def __init__(self, paper: Paper, figure: Figure) -> None:
        self._paper = paper
        self._span = figure.text

    def locator(self, text: str, box: list[float]) -> str | None:
        """The locator whose offsets give exactly ``text``, printed in ``box``; None where there is none."""
        if self._span is None:
            return None
        import numpy as np

        start, end = self._span.start, self._span.end
        rows: npt.NDArray[np.float32] = self._paper.geometry.rows[start:end]
        x, y = (rows[:, 0] + rows[:, 2]) / 2, (rows[:, 1] + rows[:, 3]) / 2
        x0, y0, x1, y1 = box
        inside = np.flatnonzero((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))
        if not len(inside):
            return None
        at = self._paper.text.find(text, start + int(inside[0]) - 1, start + int(inside[-1]) + len(text) + 1)
        return locate(self._paper, at, at + len(text)) if at >= 0 else None
