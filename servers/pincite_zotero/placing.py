"""Placing: boxes of a page as it is shown, as rectangles of the PDF; in a process of its own, since PDFium reads it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pincite_papers.opening.pool import ProcessPool

if TYPE_CHECKING:
    from pincite_papers.model import Rect


class PlacingPool(ProcessPool):
    """Processes that look at the pages of PDFs (see ``worker``)."""

    program = "pincite_zotero.worker"
    too_slow = "Looking at the pages of this file took longer than is allowed."
    crashed = "PDFium crashed on this file; it is damaged or made to do harm."

    def rects(self, data: bytes, boxes: "Sequence[tuple[int, Rect]]") -> dict[int, list[list[float]]]:
        """By page (from 1) the rectangles ``[x0, y0, x1, y1]`` of these boxes in points, origin bottom left, in the
        coordinates of the PDF."""
        sent: dict[str, list[list[float]]] = {}
        for page, box in boxes:
            sent.setdefault(str(page), []).append([float(box.x0), float(box.y0), float(box.x1), float(box.y1)])
        reply, _ = self.ask(lambda _: ({"boxes": sent}, data))
        return {int(page): rects for page, rects in reply["rects"].items()}


def place(header: Mapping[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """The answer to ``PlacingPool.rects``."""
    import pypdfium2 as pdfium

    from pincite_papers.pdf.glyphs import Frame
    from pincite_provenance.export.placing import unshown

    placed: dict[str, list[list[float]]] = {}
    with pdfium.PdfDocument(data) as document:
        for number, boxes in header["boxes"].items():
            page = document[int(number) - 1]
            corners = unshown(Frame.of(page), boxes)
            page.close()
            low, high = corners.min(axis=1), corners.max(axis=1)
            rounded = [[*low[i], *high[i]] for i in range(len(corners))]
            placed[number] = [[round(float(value), 3) for value in rect] for rect in rounded]
    return {"rects": placed}, b""
