"""OpenSource: a paper's source inside a worker, open for drawing and measuring."""

import math
from collections import OrderedDict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pypdfium2 as pdfium

from pincite_core.errors import DamagedError, NotFoundError
from pincite_core.recent import Recent
from pincite_papers.model import Rect

if TYPE_CHECKING:
    from PIL.Image import Image

    from pincite_figures.native import Native

Memo = dict[tuple[int, Rect], "Native | None"]

_MOST_SOURCES = 3
"""Sources that a worker holds open, the latest ones."""
_MOST_HELD = 160 << 20
"""Bytes of sources that a worker holds open."""
_MOST_PAGES = 4
"""Pages that a source holds open, the latest ones."""
_MOST_GRAPHICS = 4
"""Graphics files that a source holds open, the latest ones."""
_MOST_GRAPHIC_BYTES = 64 << 20
"""Bytes of a graphics file in an archive; larger ones are refused. Set by judgement."""
_HEADER_WITHIN = 1 << 20
"""Bytes in which ``%PDF-`` must stand. Readers ask for 1,024; files with a preamble have more."""


@dataclass(slots=True)
class Subject:
    """What a target names: a box (points, as shown, origin top left) on an open page, or a picture file's pixels.

    ``width`` and ``height`` are those of the page in points, or of the picture in pixels; ``number`` is the page's.
    """

    width: float
    height: float
    box: Rect
    page: pdfium.PdfPage | None = None
    picture: "Image | None" = None
    number: int = 0
    memo: "Memo" = field(default_factory=dict[tuple[int, Rect], "Native | None"])
    """What the (page, box) last drawn of this source was found to be, kept with the source."""

    def within(self, region: list[Fraction]) -> list[Fraction]:
        """A region (fractions of the box) in the box's units, exactly."""
        x0, y0, x1, y1 = (Fraction(edge) for edge in (self.box.x0, self.box.y0, self.box.x1, self.box.y1))
        left, top, right, bottom = region
        return [x0 + left * (x1 - x0), y0 + top * (y1 - y0), x0 + right * (x1 - x0), y0 + bottom * (y1 - y0)]


class OpenSource:
    """The bytes of a source; ``document`` is the open PDF, None where the source is none."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._pages: Recent[int, pdfium.PdfPage] = Recent(_MOST_PAGES, drop=pdfium.PdfPage.close)
        self._memo: Memo = {}
        self._graphics: Recent[str, OpenSource | Image] = Recent(_MOST_GRAPHICS, drop=_close)

    @cached_property
    def document(self) -> pdfium.PdfDocument | None:
        """The PDF; DamagedError or EncryptedError where it cannot be opened."""
        start = self.data.find(b"%PDF-", 0, _HEADER_WITHIN)
        if start < 0:
            return None
        try:
            return pdfium.PdfDocument(self.data[start:] if start else self.data)
        except pdfium.PdfiumError as error:
            raise DamagedError("The PDF cannot be opened.", seen=str(error), next="Get another copy of it.") from error

    def page(self, number: int) -> pdfium.PdfPage:
        """Page ``number``, from 1, which stays open while it is among the last used: do not close it."""
        open_page = self._pages.get(number)
        if open_page is not None:
            return open_page
        document = self.document
        if document is None or not 1 <= number <= len(document):
            raise NotFoundError(f"The source has no page {number}.", next="Open the paper again.")
        try:
            page = document[number - 1]
        except pdfium.PdfiumError as error:
            raise DamagedError(f"Page {number} of the PDF is broken.", seen=str(error)) from error
        self._pages.put(number, page)
        return page

    def subject(self, target: dict[str, Any]) -> Subject:
        """What a target (see ``naming.Target``) names; a box is cut to its page."""
        if "picture" in target:
            picture = self._picture(target["picture"])
            return Subject(picture.width, picture.height, Rect(0, 0, picture.width, picture.height), picture=picture)
        if "graphic" in target:
            graphic = self._graphic(target["graphic"])
            if isinstance(graphic, OpenSource):
                return graphic.subject({"page": 1})
            return Subject(graphic.width, graphic.height, Rect(0, 0, graphic.width, graphic.height), picture=graphic)
        page = self.page(target["page"])
        width, height = page.get_size()
        if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
            raise DamagedError(f"Page {target['page']} has no size that can be drawn.", seen=f"{width} x {height} pt")
        x0, y0, x1, y1 = target.get("box") or (0.0, 0.0, width, height)
        box = Rect(max(x0, 0.0), max(y0, 0.0), min(x1, width), min(y1, height))
        if not (box.x0 < box.x1 and box.y0 < box.y1):
            raise DamagedError(
                "The figure's box is empty or outside its page.",
                seen=f"{x0:.1f},{y0:.1f},{x1:.1f},{y1:.1f} on {width:.1f} x {height:.1f} pt",
                next=f"Look at page {target['page']} with view_page.",
            )
        return Subject(width, height, box, page=page, number=target["page"], memo=self._memo)

    def close(self) -> None:
        """Close the pages and the document."""
        self._pages.clear()
        self._graphics.clear()
        if "document" in self.__dict__ and self.document is not None:
            self.document.close()

    def _picture(self, name: str) -> "Image":
        """The pixels of a source that is itself a picture file."""
        known = self._graphics.get("")
        if known is None or isinstance(known, OpenSource):
            from pincite_figures.pictures import decode

            known = decode(self.data, name)
            self._graphics.put("", known)
        return known

    def _graphic(self, name: str) -> "OpenSource | Image":
        """A picture file of an archive: an open PDF, or decoded pixels."""
        open_graphic = self._graphics.get(name)
        if open_graphic is not None:
            return open_graphic
        from pincite_figures.pictures import decode
        from pincite_papers.archives.archives import read_member

        data = read_member(self.data, name, _MOST_GRAPHIC_BYTES)
        graphic = OpenSource(data) if data.find(b"%PDF-", 0, 1024) >= 0 else decode(data, name)
        self._graphics.put(name, graphic)
        return graphic


def _close(graphic: "OpenSource | Image") -> None:
    graphic.close()


class OpenSources:
    """The sources used last: at most 3, and of more than one at most 160 MiB together."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, OpenSource] = OrderedDict()

    @property
    def digests(self) -> list[str]:
        """The digests of the sources that are open."""
        return list(self._kept)

    def of(self, digest: str, data: bytes) -> OpenSource:
        """The open source with this digest, opened from ``data`` where it is not open yet."""
        if digest in self._kept:
            self._kept.move_to_end(digest)
            return self._kept[digest]
        self._kept[digest] = OpenSource(data)
        while len(self._kept) > 1 and self._over():
            self._kept.popitem(last=False)[1].close()
        return self._kept[digest]

    def _over(self) -> bool:
        held = sum(len(source.data) for source in self._kept.values())
        return len(self._kept) > _MOST_SOURCES or held > _MOST_HELD
