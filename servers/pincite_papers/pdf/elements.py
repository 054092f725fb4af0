"""What the layout stages hand to each other: words, lines, rules and images of a page."""

from dataclasses import dataclass, field

from pincite_papers.model import Rect


@dataclass(frozen=True, slots=True)
class Style:
    """How characters are set: font name without subset tag, size in points, weight and slant."""

    font: str
    size: float
    bold: bool
    italic: bool


@dataclass(slots=True)
class Word:
    """A run of characters without a space, script marks included.

    ``glyphs[i]`` is the index, among the page's glyphs, of the one that printed ``text[i]``; -1 for a mark that was not
    printed. The box encloses the glyphs, in points, origin top left.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    style: Style
    glyphs: list[int]


@dataclass(slots=True)
class Line:
    """Words on one baseline of one column, left to right; ``baseline`` and box in points, origin top left.

    ``rotation`` is the direction of print in degrees (0, 90, 180, 270).
    """

    words: list[Word]
    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    style: Style
    rotation: int = 0
    _text: str | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The words joined by single spaces; joined once, so that other words come by ``replace_words``."""
        if self._text is None:
            self._text = " ".join([word.text for word in self.words])
        return self._text

    def replace_words(self, words: list[Word]) -> None:
        """Let the line have these words; its box stays."""
        self.words = words
        self._text = None


def part_line(line: Line, words: list[Word]) -> Line:
    """A part of a line: these of its words."""
    x0, y0 = min(word.x0 for word in words), min(word.y0 for word in words)
    x1, y1 = max(word.x1 for word in words), max(word.y1 for word in words)
    return Line(words, x0, y0, x1, y1, line.baseline, words[0].style, line.rotation)


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight drawn segment or thin filled box: ``horizontal`` or vertical, its centre line and width in points."""

    horizontal: bool
    x0: float
    y0: float
    x1: float
    y1: float
    width: float


@dataclass(slots=True)
class PageLayout:
    """A page before its text is put in order.

    ``lines`` stand in the order of the content stream. ``rules`` are ruling candidates; ``images`` are the boxes of
    raster images; ``drawings`` are the boxes of the other path objects.
    """

    number: int
    width: float
    height: float
    lines: list[Line]
    rules: list[Rule] = field(default_factory=list[Rule])
    images: list[Rect] = field(default_factory=list[Rect])
    drawings: list[Rect] = field(default_factory=list[Rect])
