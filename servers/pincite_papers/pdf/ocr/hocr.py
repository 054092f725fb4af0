"""hOCR: the lines and words that tesseract found in a picture, with its own measures of them."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, cast

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]

from pincite_papers.markup.elements import Element

_TITLE = re.compile(r"(\w+) ((?:-?[\d.]+(?:e-?\d+)? ?)+)")
_LINES = frozenset(("ocr_line", "ocr_header", "ocr_textfloat", "ocr_caption"))
_MARKS = frozenset("~_|\\—–-.,:;'`‘’“”\"«»*·•°^=<>")

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word with its box in pixels (x0, y0, x1, y1), origin top left, and its confidence, 0 to 1."""

    text: str
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class OcrLine:
    """The words of a line: its box, its baseline as slope and height (pixels) at x, its x-height and full height.

    ``angle`` is the direction of print in degrees counter-clockwise (0, 90, 180, 270).
    """

    words: tuple[OcrWord, ...]
    box: Box
    slope: float
    offset: float
    x_height: float
    height: float
    angle: int = 0

    def baseline(self, x: float) -> float:
        """The height of the baseline at ``x``, in pixels from the top."""
        return self.box[3] + self.offset + self.slope * (x - self.box[0])


def read_hocr(content: bytes) -> list[OcrLine]:
    """The lines in tesseract's reading order; words without a letter that it hardly believes in are left out."""
    make = cast("Any", etree)
    parser = make.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    root = cast("Element | None", make.fromstring(content, parser))
    if root is None:
        return []
    lines: list[OcrLine] = []
    for element in root.iter("{*}span"):
        if element.get("class") in _LINES:
            line = _line(element)
            if line.words:
                lines.append(line)
    return lines


def mean_confidence(lines: list[OcrLine]) -> float:
    """The mean confidence of the words, weighted by their characters; 0 where there are none."""
    words = [word for line in lines for word in line.words]
    characters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / characters if characters else 0.0


def print_angle(lines: list[OcrLine]) -> int:
    """The direction in which most characters are printed."""
    counts = Counter[int]()
    for line in lines:
        counts[line.angle] += sum(len(word.text) for word in line.words)
    return max(counts, key=lambda angle: counts[angle], default=0)


def _line(element: Element) -> OcrLine:
    values = _values(element)
    box = _box(values)
    slope, offset = (*values.get("baseline", ()), 0.0, 0.0)[:2]
    height = values.get("x_size", (box[3] - box[1],))[0]
    rise = values.get("x_ascenders", (height / 4,))[0]
    fall = values.get("x_descenders", (height / 4,))[0]
    words = [_word(word) for word in element.iter("{*}span") if word.get("class") == "ocrx_word"]
    angle = round(values.get("textangle", (0.0,))[0]) % 360 or _upright(words)
    if angle % 180:
        height = box[2] - box[0]
        rise = fall = height / 4
    kept = tuple(word for word in words if word.text and not _is_dirt(word, height, upright=angle % 180 > 0))
    if len(kept) < len(words) and kept:
        box = (min(w.box[0] for w in kept), box[1], max(w.box[2] for w in kept), box[3])
        offset += slope * (box[0] - _box(values)[0])
    return OcrLine(kept, box, slope, offset, max(height - rise - fall, 1.0), max(height, 1.0), angle)


def _word(element: Element) -> OcrWord:
    values = _values(element)
    text = "".join(map(str, element.itertext())).strip()
    return OcrWord(text, _box(values), values.get("x_wconf", (0.0,))[0] / 100)


def _upright(words: list[OcrWord]) -> int:
    """90 or 270 for a line whose words are higher than wide, as its words climb or sink; tesseract may not tell."""
    long = [word.box for word in words if len(word.text) >= 4]
    high = sum(box[3] - box[1] > 1.5 * (box[2] - box[0]) for box in long)
    if not long or high <= len(long) / 2:
        return 0
    return 90 if words[0].box[1] >= words[-1].box[1] else 270


def _is_dirt(word: OcrWord, height: float, *, upright: bool) -> bool:
    """Whether a word is a speck or a bit of a drawing: unsure strokes, or far from a line's height."""
    x0, y0, x1, y1 = word.box
    tall = (x1 - x0 if upright else y1 - y0) > 3 * height
    return word.confidence < 0.1 or tall or (word.confidence < 0.6 and _MARKS.issuperset(word.text))


def _values(element: Element) -> dict[str, tuple[float, ...]]:
    title = element.get("title") or ""
    return {name: tuple(map(float, numbers.split())) for name, numbers in _TITLE.findall(title)}


def _box(values: dict[str, tuple[float, ...]]) -> Box:
    x0, y0, x1, y1 = (*values.get("bbox", ()), 0.0, 0.0, 0.0, 0.0)[:4]
    return x0, y0, x1, y1
