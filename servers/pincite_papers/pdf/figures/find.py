"""Find the figures of a page: the paint and the print that belong to each caption, and large pictures without one."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from pincite_papers.model import Rect
from pincite_papers.pdf.captions import CaptionDraft, CaptionKind
from pincite_papers.pdf.elements import PageLayout, Style
from pincite_papers.pdf.figures.board import Board, make_board
from pincite_papers.pdf.figures.draft import FigureDraft
from pincite_papers.pdf.figures.labels import enclose, labels_in, print_figure
from pincite_papers.pdf.figures.options import hull
from pincite_papers.pdf.figures.paint import Boxes, find_paint
from pincite_papers.pdf.figures.place import place_figures
from pincite_papers.pdf.figures.running import find_running
from pincite_papers.pdf.layout.turned import turned_page

_BACKGROUND = 0.85
"""The share of the page: an image that covers as much is its background, a smaller one may be a figure. Set by
judgement."""
_LONE_IMAGE = (120.0, 90.0)
"""Points of width and height from which a picture without a caption is a figure. Set by judgement."""
_LEAST_ROOM = 40.0
"""Points of empty room over a caption without paint or print: if higher, the room is the box of its figure, else the
box of the caption is. Set by judgement."""
_FEW_WALLS = 3
"""Count of lines of running text and parting rules: with more, a page without captions is not one that a figure fills.
Set by judgement."""
_MUCH = 0.15
"""The share of the page that the box around the paint takes up: below it, no figure fills the page. Set by
judgement."""
_DRAWN = ("scheme", "chart", "exhibit", "plate")


def find_figures(
    page: PageLayout,
    captions: Sequence[CaptionDraft],
    taken: Collection[int] = (),
    tables: Sequence[Rect] = (),
    furniture: Boxes | None = None,
    body: Style | None = None,
) -> list[FigureDraft]:
    """The figures of ``page``: one for every figure caption, and large images without one.

    ``taken`` are the indices of the lines that belong to tables, ``tables`` the boxes of these; ``furniture`` are boxes
    of paint that recurs on many pages, ``body`` is the style of the paper's text. A caption without paint gets the
    print or the room next to it.
    """
    level = [index for index, caption in enumerate(captions) if not caption.turn]
    figures: list[FigureDraft] = []
    for turn in sorted({caption.turn for caption in captions if caption.turn}):
        own = [index for index, caption in enumerate(captions) if caption.turn == turn]
        view = turned_page(page, turn)
        shown = [replace(captions[index], bbox=view.show(captions[index].bbox)) for index in own]
        for figure in _find_level(view.page, shown, taken, [view.show(box) for box in tables], None, body, ()):
            number = None if figure.caption is None else own[figure.caption]
            figures.append(replace(figure, caption=number, bbox=view.restore(figure.bbox)))
    shown = [captions[index] for index in level]
    for figure in _find_level(page, shown, taken, tables, furniture, body, figures):
        number = None if figure.caption is None else level[figure.caption]
        figures.append(replace(figure, caption=number))
    return figures


def page_figure(page: PageLayout, tables: Sequence[Rect], furniture: Boxes, body: Style) -> FigureDraft | None:
    """The figure that fills a page without captions and with hardly any running text; None for other pages."""
    if tables:
        return None
    paint = find_paint(page, (), (), furniture)
    board = make_board(page, find_running(page, (), body), paint, (), ())
    strong = board.pieces[~board.weak]
    if len(board.walls) > _FEW_WALLS or not len(strong):
        return None
    box = hull(strong)
    if (box.x1 - box.x0) * (box.y1 - box.y0) < _MUCH * page.width * page.height:
        return None
    inside = labels_in(board, box)
    around = enclose(box, [page.lines[k] for k in inside])
    return FigureDraft(None, around, tuple(inside), paint.kind_in(around))


def _find_level(
    page: PageLayout,
    captions: Sequence[CaptionDraft],
    taken: Collection[int],
    tables: Sequence[Rect],
    furniture: Boxes | None,
    body: Style | None,
    known: Sequence[FigureDraft],
) -> list[FigureDraft]:
    """The figures with level captions; images in the boxes of ``known`` figures are not figures of their own."""
    wanted = [index for index, caption in enumerate(captions) if _is_figure(caption, page)]
    if not wanted and not any(_is_large(image, page) for image in page.images):
        return []
    apart = {line for caption in captions for line in caption.lines} | set(taken)
    paint = find_paint(page, [caption.bbox for caption in captions], tables, furniture)
    board = make_board(page, find_running(page, apart, body), paint, captions, tables)
    placed = place_figures(board, wanted)
    figures: list[FigureDraft] = []
    used: set[int] = set()
    for index, box in sorted(placed.items()):
        inside = labels_in(board, box, used)
        used |= set(inside)
        around = enclose(box, [page.lines[k] for k in inside])
        figures.append(FigureDraft(index, around, tuple(inside), paint.kind_in(around)))
    for index in wanted:
        if index not in placed:
            figures += _without_paint(board, captions, index, used)
    return figures + _lone_images(board, captions, [*known, *figures], used)


def _is_figure(caption: CaptionDraft, page: PageLayout) -> bool:
    """Whether a caption can be that of a figure: boxes, algorithms, listings and films are none."""
    if caption.kind is CaptionKind.FIGURE:
        return True
    drawn = caption.label.casefold().startswith(_DRAWN)
    return caption.kind is CaptionKind.OTHER and drawn and bool(page.images or page.drawings or page.rules)


def _without_paint(board: Board, captions: Sequence[CaptionDraft], index: int, used: set[int]) -> list[FigureDraft]:
    """The print, or the empty room, next to a caption that no paint belongs to."""
    block = print_figure(board, index, used)
    if block is not None:
        used |= set(block[1])
        return [FigureDraft(index, block[0], tuple(block[1]))]
    if captions[index].kind is not CaptionKind.FIGURE:
        return []
    return [FigureDraft(index, _room(board, board.captions[index]), (), found=False)]


def _room(board: Board, caption: Rect) -> Rect:
    """The empty room above a caption, or the caption itself where there is none."""
    walls = board.walls
    over = walls[(walls[:, 3] <= caption.y0 + 1) & (walls[:, 0] < caption.x1) & (walls[:, 2] > caption.x0), 3]
    top = float(over.max()) if len(over) else 0.0
    return Rect(caption.x0, top, caption.x1, caption.y0) if caption.y0 - top > _LEAST_ROOM else caption


def _lone_images(
    board: Board, captions: Sequence[CaptionDraft], figures: list[FigureDraft], used: set[int]
) -> list[FigureDraft]:
    """Images without a caption that are large and stand clear of figures, captions and tables."""
    found: list[FigureDraft] = []
    walls = [*[figure.bbox for figure in figures], *[caption.bbox for caption in captions]]
    for x0, y0, x1, y1 in board.paint.boxes[board.paint.kinds == 2].tolist():
        image = Rect(x0, y0, x1, y1)
        if not _is_large(image, board.page) or any(_overlap(image, each) for each in walls):
            continue
        walls.append(image)
        inside = labels_in(board, image, used)
        found.append(FigureDraft(None, image, tuple(inside), board.paint.kind_in(image)))
    return found


def _overlap(one: Rect, other: Rect) -> bool:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return width > 1 and height > 1


def _is_large(image: Rect, page: PageLayout) -> bool:
    """Whether an image is larger than a logo and no background of the page."""
    wide, high = image.x1 - image.x0, image.y1 - image.y0
    whole = wide * high >= _BACKGROUND * page.width * page.height
    return wide >= _LONE_IMAGE[0] and high >= _LONE_IMAGE[1] and not whole
