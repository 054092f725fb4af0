"""Turned print: a page seen so that its sideways lines are level, for tables and figures set in landscape."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import Line, PageLayout, Rule, Word

_HIDDEN = 180
"""Degrees: the rotation given to lines that run another way than the turned page, so that what reads level lines
passes them over."""

Turn = Callable[[float, float, float, float], tuple[float, float, float, float]]


@dataclass(frozen=True, slots=True)
class TurnedPage:
    """A page turned so that lines of one sideways direction run level, and the maps of boxes there and back.

    Lines keep their indices; those that do not run level in this view have a rotation, so that no search reads them.
    """

    page: PageLayout
    turn: int
    there: Turn
    back: Turn

    def show(self, box: Rect) -> Rect:
        """A box of the page in this view."""
        return Rect(*self.there(box.x0, box.y0, box.x1, box.y1))

    def restore(self, box: Rect) -> Rect:
        """A box of this view on the page."""
        return Rect(*self.back(box.x0, box.y0, box.x1, box.y1))


def turned_page(page: PageLayout, turn: int) -> TurnedPage:
    """The view of ``page`` in which its lines of rotation ``turn`` (90 or 270) run level."""
    there, back = _turns(turn, page.width, page.height)
    view = PageLayout(
        page.number,
        page.height,
        page.width,
        [_turn_line(line, turn, there) for line in page.lines],
        [_turn_rule(rule, there) for rule in page.rules],
        [Rect(*there(r.x0, r.y0, r.x1, r.y1)) for r in page.images],
        [Rect(*there(r.x0, r.y0, r.x1, r.y1)) for r in page.drawings],
    )
    return TurnedPage(view, turn, there, back)


def _turns(turn: int, width: float, height: float) -> tuple[Turn, Turn]:
    """The map of boxes into the turned view, whose x runs along the print, and its inverse."""
    if turn == 90:
        return (
            lambda x0, y0, x1, y1: (height - y1, x0, height - y0, x1),
            lambda x0, y0, x1, y1: (y0, height - x1, y1, height - x0),
        )
    return (
        lambda x0, y0, x1, y1: (y0, width - x1, y1, width - x0),
        lambda x0, y0, x1, y1: (width - y1, x0, width - y0, x1),
    )


def _turn_line(line: Line, turn: int, there: Turn) -> Line:
    if line.rotation != turn:
        return replace(line, rotation=_HIDDEN)
    words = [_turn_word(word, there) for word in line.words]
    x0, y0, x1, y1 = there(line.x0, line.y0, line.x1, line.y1)
    _, baseline, _, _ = there(line.baseline, line.y0, line.baseline, line.y1)
    return Line(words, x0, y0, x1, y1, baseline, line.style, 0)


def _turn_word(word: Word, there: Turn) -> Word:
    x0, y0, x1, y1 = there(word.x0, word.y0, word.x1, word.y1)
    return Word(word.text, x0, y0, x1, y1, word.style, word.glyphs)


def _turn_rule(rule: Rule, there: Turn) -> Rule:
    return Rule(not rule.horizontal, *there(rule.x0, rule.y0, rule.x1, rule.y1), rule.width)
