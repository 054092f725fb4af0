"""Page and Figure: what of a paper can be drawn."""

import io
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pincite_core.errors import BadInputError
from pincite_core.locator import Locator
from pincite_figures.jobs import DRAW, FigureJobs
from pincite_figures.naming import figure_name, target_of
from pincite_figures.plots.content import JOB, PlotContent, plot_content
from pincite_papers import doubts
from pincite_papers.model import Figure as ParsedFigure
from pincite_papers.model import Page as ParsedPage
from pincite_papers.model import Paper as ParsedPaper
from pincite_papers.model import Rect

if TYPE_CHECKING:
    from PIL.Image import Image

_DEFAULT_SIDE = 1600
"""Pixels of the longer side of a crop: the numbers of a figure over two columns can be read."""
_PAGE_DPI = 150
"""Dots per inch: small type of a page is legible, and a page stays near one megapixel. Set by judgement."""
_ALL_CHARS = 1 << 40
"""Characters: more than the points of any plot have."""
_MOST_PAGE_SIDE = 8000
"""Pixels of the longer side of a rendered page: A4 at 680 dpi."""


class Page:
    """A page: ``number`` from 1, printed ``label``, ``width`` and ``height`` in points, ``text``.

    ``marked`` is the text with ⁅⁆ around unreliable characters.
    """

    def __init__(self, paper: ParsedPaper, page: ParsedPage, jobs: FigureJobs) -> None:
        self._paper, self._jobs = paper, jobs
        self.number, self.label = page.number, page.label
        self.width, self.height = page.width, page.height
        self.scanned = page.scanned
        self.text = paper.text[page.start : page.end]
        self.marked = doubts.show(paper, page.start, page.end)

    def __repr__(self) -> str:
        return f"<Page {self.number}>"

    def render(self, dpi: float = _PAGE_DPI) -> "Image":
        """A picture (PIL, RGB) of the page, drawn in a process of its own."""
        target = {"page": self.number}
        return _drawn(self._jobs, self._paper, target, max_side=_MOST_PAGE_SIDE, dpi=dpi)


class Figure:
    """A figure: ``label`` as printed ("Fig. 3", "" if none), ``caption``, ``page``, ``box`` (points, origin top left).

    ``name`` is what ``Paper.figure`` takes ("#3" without a label of its own); ``marked_caption`` has ⁅⁆ around
    unreliable characters; ``panels`` are the letters of its parts. Where no drawing was found, ``box`` is None.
    """

    def __init__(self, paper: ParsedPaper, index: int, jobs: FigureJobs) -> None:
        figure: ParsedFigure = paper.figures[index]
        self._paper, self._index, self._jobs = paper, index, jobs
        self.name, self.label, self.page = figure_name(paper, index), figure.label, figure.page
        self.box: Rect | None = figure.bbox
        self.panels = tuple(panel.label for panel in figure.panels)
        caption = figure.caption
        self.caption = paper.text[caption.start : caption.end] if caption else ""
        self.marked_caption = doubts.show(paper, caption.start, caption.end) if caption else ""
        self.locator: Locator | None = paper.locator(caption.start, caption.end) if caption else None

    def __repr__(self) -> str:
        return f"<Figure {self.label!r}, page {self.page}>"

    def crop(self, box: tuple[float, float, float, float] = (0, 0, 1, 1), *, max_side: int = _DEFAULT_SIDE) -> "Image":
        """A picture (PIL, RGB) of the figure or of a ``box`` in it (x0, y0, x1, y1 as fractions, from the top left).

        It is drawn from the source in a process of its own: vector figures in any detail, pictures by their own
        pixels. NotFoundError where the source has no drawing of it; BadInputError for a box outside of it.
        """
        x0, y0, x1, y1 = box
        if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
            raise BadInputError(
                "The box is not inside the figure.",
                seen=str(box),
                next="Give x0 < x1 and y0 < y1 as fractions from 0 to 1, from the top left corner.",
            )
        target = target_of(self._paper, self._index)
        return _drawn(self._jobs, self._paper, target, max_side=max_side, region=box)

    def plot(self, panel: str = "", series: str = "") -> PlotContent:
        """The data series of its plots in the units of their axes, with likely errors, as read_plot gives them, whole.

        Where it cannot be calibrated, ``refused`` and ``seen`` say why. NotFoundError for an unknown panel or series,
        or where the source has no drawing of it.
        """
        target = target_of(self._paper, self._index)
        reply, body = self._jobs.run_blocking(JOB, self._paper, {"target": target})

        def page(cursor: str) -> PlotContent:
            return plot_content(
                self._paper, self._index, reply, body,
                figure=self.name, panel=panel, series=series, cursor=cursor, max_chars=_ALL_CHARS,
            )  # fmt: skip

        return _all_pages(page)


def _all_pages(page: Callable[[str], PlotContent]) -> PlotContent:
    """One result out of those that cursors lead to: a result has so many series or points at most."""
    content = page("")
    cursor = content["next_cursor"]
    while cursor:
        more = page(cursor)
        known = {panel["panel"] for panel in content["panels"]}
        content["panels"] += [panel for panel in more["panels"] if panel["panel"] not in known]
        for series in more["series"]:
            same = next((one for one in content["series"] if one["series"] == series["series"]), None)
            if same is None:
                content["series"].append(series)
            else:
                same["points"] += "\n" + series["points"]
        cursor = more["next_cursor"]
    for series in content["series"]:
        series["shown"] = f"all {series['n']} points"
    content["next_cursor"] = None
    return content


def _drawn(
    jobs: FigureJobs,
    paper: ParsedPaper,
    target: Mapping[str, object],
    *,
    max_side: int,
    dpi: float | None = None,
    region: tuple[float, float, float, float] = (0, 0, 1, 1),
) -> "Image":
    from PIL import Image

    shown = [str(edge) for edge in region]
    arguments: dict[str, Any] = {"target": target, "region": shown, "max_side": max_side, "png": True}
    if dpi is not None:
        arguments["dpi"] = dpi
    _, body = jobs.run_blocking(DRAW, paper, arguments)
    with Image.open(io.BytesIO(body)) as picture:
        return picture.convert("RGB")
