"""A quote on a trial's page: its words, the verdict, and the part of the page where they stand, marked."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote as escape_url

from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.trials.pictures import PagePictures
from pincite_harness.reports.trials.quotations import Found, Quote, Verdict
from pincite_papers.model import Page, Paper, Rect

_AROUND = 46.0
"""Points above and below the marked words that the picture shows: three or four lines of print."""
_LEAST_HEIGHT = 120.0
"""Points: the picture of a single line shows what stands around it."""
_EDGE = 1.5
"""Points by which a mark is larger than the box of the words."""
_CLASSES: Mapping[Verdict, str] = {
    "stands": "completed",
    "wrong page": "failed",
    "not as quoted": "failed",
    "not found": "failed",
    "not looked for": "unfinished",
}
_MOST_CHARS = 3000
"""Characters of a quote."""


class QuoteView:
    """Draws quotes with links that are relative to ``base``, the folder of the page."""

    def __init__(self, papers: Mapping[str, Paper], pictures: PagePictures, folder: Path, base: Path) -> None:
        self._papers = papers
        self._pictures = pictures
        self._folder = folder
        self._base = base

    def show(self, quote: Quote, found: Found, scored: str = "") -> Markup:
        """The quote as a figure; ``scored`` is the scorer's own word on it."""
        text = quote.text if len(quote.text) <= _MOST_CHARS else f"{quote.text[: _MOST_CHARS - 1]}…"
        told = [tag("span", found.verdict, class_=f"badge {_CLASSES[found.verdict]}")]
        about = f"for {quote.about.replace('_', ' ')}" if quote.about else ""
        told += [tag("span", words) for words in (about, _where(quote, found), scored) if words]
        remark = [tag("p", found.remark, class_="remark")] if found.remark else []
        return tag(
            "figure",
            tag("figcaption", tag("p", told, class_="verdict"), tag("blockquote", text), remark),
            self._pages(found),
            class_="quote",
        )

    def _pages(self, found: Found) -> Markup:
        paper = self._papers.get(found.paper)
        if paper is None or found.page is None:
            return Markup("")
        boxes = dict(found.boxes or {})
        if not boxes:
            page = self._page(paper, found.page)
            return (
                self._whole(paper, page, (), f"Page {found.page}, where the words should stand") if page else join([])
            )
        return join([self._strip(paper, page, boxes[page.number]) for page in paper.pages if page.number in boxes])

    def _strip(self, paper: Paper, page: Page, boxes: Sequence[Rect]) -> Markup:
        top = max(0.0, min(box.y0 for box in boxes) - _AROUND)
        bottom = min(page.height, max(box.y1 for box in boxes) + _AROUND)
        lack = max(0.0, _LEAST_HEIGHT - (bottom - top))
        top = max(0.0, top - lack / 2)
        bottom = min(page.height, max(bottom, top + _LEAST_HEIGHT))
        strip = self._window(paper, page, boxes, top, bottom)
        return join([strip, self._whole(paper, page, boxes, f"All of page {page.number}")]) if strip else strip

    def _whole(self, paper: Paper, page: Page, boxes: Sequence[Rect], title: str) -> Markup:
        window = self._window(paper, page, boxes, 0.0, page.height)
        return tag("details", tag("summary", title), window, class_="page") if window else Markup("")

    def _window(self, paper: Paper, page: Page, boxes: Sequence[Rect], top: float, bottom: float) -> Markup:
        """The part of a page from ``top`` to ``bottom`` (points), with marks over the boxes."""
        name = self._pictures.of(paper, page.number)
        if not name or page.width <= 0 or bottom <= top:
            return Markup("")
        source = escape_url(Path(os.path.relpath(self._folder / name, self._base)).as_posix())
        height = bottom - top
        about = f"Page {page.number} of the paper" + (", with the quoted words marked" if boxes else "")
        picture = tag(
            "img",
            src=source,
            alt=about,
            loading="lazy",
            style=f"aspect-ratio:{page.width:.2f}/{page.height:.2f};margin-top:{-100 * top / page.width:.3f}%",
        )
        marks = [_mark(box, page.width, top, height) for box in boxes]
        return tag("div", picture, marks, class_="window", style=f"aspect-ratio:{page.width:.2f}/{height:.2f}")

    def _page(self, paper: Paper, number: int) -> Page | None:
        return next((page for page in paper.pages if page.number == number), None)


def _mark(box: Rect, width: float, top: float, height: float) -> Markup:
    left, right = box.x0 - _EDGE, box.x1 + _EDGE
    above, below = box.y0 - _EDGE - top, box.y1 + _EDGE - top
    style = f"left:{100 * left / width:.3f}%;width:{100 * (right - left) / width:.3f}%;"
    style += f"top:{100 * above / height:.3f}%;height:{100 * (below - above) / height:.3f}%"
    return tag("span", class_="mark", style=style)


def _where(quote: Quote, found: Found) -> str:
    page = found.page if found.boxes else quote.page
    paper = found.paper or quote.paper
    return ", ".join(part for part in (f"page {page}" if page is not None else "", paper) if part)
