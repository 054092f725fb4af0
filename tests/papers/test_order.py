"""Order of blocks when the content stream contradicts the page."""

from pincite_papers.model import BlockKind
from pincite_papers.pdf.elements import Line, Style, Word
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.order import order_drafts

_STYLE = Style("Serif", 10, bold=False, italic=False)


def _draft(text: str, x0: float, y0: float, x1: float, y1: float) -> Draft:
    words = [Word(text, x0, y0, x1, y1, _STYLE, [])]
    return Draft(BlockKind.PARAGRAPH, [(0, Line(words, x0, y0, x1, y1, y1, _STYLE))])


def _order(*drafts: Draft) -> list[str]:
    return [draft.text for draft in order_drafts(list(drafts), 600)]


_LEFT = _draft("left" * 20, 50, 100, 290, 700)
_RIGHT = _draft("right" * 20, 310, 100, 550, 700)


def test_stream_order_is_kept_where_nothing_contradicts_it() -> None:
    side = _draft("side", 310, 20, 550, 90)
    assert _order(side, _RIGHT, _LEFT) == ["side", _RIGHT.text, _LEFT.text]


def test_title_written_last_comes_first() -> None:
    title = _draft("title", 50, 40, 550, 80)
    assert _order(_LEFT, _RIGHT, title) == ["title", _LEFT.text, _RIGHT.text]


def test_columns_above_come_before_the_columns_below() -> None:
    upper = [_draft("upper left", 50, 100, 290, 200), _draft("upper right", 310, 100, 550, 200)]
    lower = [_draft("lower left " * 9, 50, 250, 290, 700), _draft("lower right " * 9, 310, 250, 550, 700)]
    assert _order(*lower, *upper) == [d.text for d in (*upper, *lower)]


def test_scattered_stream_is_read_by_columns() -> None:
    left = [_draft(f"l{k}", 50, 100 + 20 * k, 290, 115 + 20 * k) for k in range(20)]
    right = [_draft(f"r{k}", 310, 100 + 20 * k, 550, 115 + 20 * k) for k in range(20)]
    scattered = [draft for pair in zip(reversed(left), reversed(right), strict=True) for draft in pair]
    assert _order(*scattered) == [d.text for d in (*left, *right)]


def test_columns_written_before_the_title_over_them_come_after_it() -> None:
    """The imprint at the head of the page is written first, then the columns, then title and abstract between them."""
    imprint = _draft("imprint", 50, 20, 290, 40)
    left, right = _draft("left" * 20, 50, 400, 290, 700), _draft("right" * 20, 310, 400, 550, 700)
    title, abstract = _draft("title", 60, 60, 540, 90), _draft("abstract " * 40, 80, 120, 520, 380)
    expected = [draft.text for draft in (imprint, title, abstract, left, right)]
    assert _order(imprint, left, right, title, abstract) == expected
    assert _order(imprint, left, right, title, _draft("abstract", 80, 120, 520, 380)) == [
        *expected[:2],
        "abstract",
        *expected[3:],
    ]
