"""Text of pictures by OCR, level and upright."""

from typing import Any

import numpy as np
from PIL import Image

from pincite_core.errors import LimitReachedError, UnavailableError
from pincite_figures.drawing import draw
from pincite_figures.figure_text import Text
from pincite_figures.source import Subject
from pincite_figures.views import WHOLE
from pincite_papers.pdf.ocr.hocr import OcrLine, read_hocr
from pincite_papers.pdf.ocr.tesseract import Raster, Run, check_languages, find_program

_SIDE = 2600
"""Pixels of the longer side of the picture that OCR reads. Set by judgement."""
_MOST_ENLARGED = 4
"""Times by which a small picture is enlarged. Set by judgement."""
_MARGIN = 60
"""Pixels of border around the picture: tesseract misses text at the edge."""
_DPI = 300.0
"""Dots per inch that tesseract is made to believe, so that it does not guess them from the picture."""
_SPARSE = ("--psm", "11", "-c", "tessedit_create_hocr=1")
_LEAST, _LEAST_SHORT, _SHORT = 0.3, 0.6, 2
"""Confidence of 0 to 1 that a text needs, and that one of at most so many characters needs. Set by judgement."""
_LEAST_UPRIGHT = 0.6
"""Confidence of 0 to 1 that words along a vertical axis need. Set by judgement."""
_FEWEST_UPRIGHT = 3
"""Characters that words along a vertical axis need: shorter ones are often ticks."""
_LEAST_DIGITS, _FEWEST_DIGITS = 0.85, 2
"""Confidence and digits that a number along a vertical axis needs. Set by judgement."""
_PARTING = 1.5
"""Gap between words, in heights of the line, from which they are two texts. Set by judgement."""


def picture_texts(subject: Subject, options: dict[str, Any] | None) -> tuple[list[Text], str]:
    """The texts of the subject's picture, or none and the reason: OCR is off or not installed, or took too long."""
    if options is None:
        return [], "the figure has no text of its own, and OCR is off (PINCITE_OCR)"
    drawn = draw(subject, list(WHOLE), max_side=_SIDE)
    raster = _enlarged(np.asarray(Image.fromarray(drawn.pixels).convert("L")))
    box = drawn.box
    across, down = (box.x1 - box.x0) / raster.shape[1], (box.y1 - box.y0) / raster.shape[0]
    # Print that touches the border of a picture is not found.
    raster = np.pad(raster, _MARGIN, constant_values=int(np.median(raster)))
    origin = box.x0 - _MARGIN * across, box.y0 - _MARGIN * down
    try:
        level = _read(raster, options)
        upright = _read(np.ascontiguousarray(np.rot90(raster, -1)), options)
    except (UnavailableError, LimitReachedError) as error:
        return [], " ".join(part for part in (error.what, error.next) if part)
    texts = [_text(words, origin, (across, down)) for words in level]
    for words in upright:
        text = _text(_turned_back(words, raster.shape[0]), origin, (across, down), rotation=90)
        assert text.confidence is not None
        number = text.text.isdigit() and len(text.text) >= _FEWEST_DIGITS and text.confidence >= _LEAST_DIGITS
        sure = number or (text.confidence >= _LEAST_UPRIGHT and len(text.text) >= _FEWEST_UPRIGHT)
        if sure and not any(_overlap(text, other) for other in texts):
            texts.append(text)
    return texts, ""


_Words = list[tuple[str, tuple[float, float, float, float], float]]
"""Text, box in pixels and confidence of words on one line."""


def _read(raster: Raster, options: dict[str, Any]) -> list[_Words]:
    """The words of each line that tesseract finds, parted where they stand far apart."""
    program = find_program()
    languages = tuple(options["languages"])
    check_languages(program, languages)
    run = Run(program, raster, _DPI, "-l", "+".join(languages), *_SPARSE, seconds=options["seconds"])
    try:
        lines = read_hocr(run.result())
    finally:
        run.end()
    return [words for line in lines if line.angle == 0 for words in _parted(line)]


def _parted(line: OcrLine) -> list[_Words]:
    parts: list[_Words] = []
    for word in line.words:
        if word.confidence < (_LEAST if len(word.text) > _SHORT else _LEAST_SHORT):
            continue
        if not parts or word.box[0] - parts[-1][-1][1][2] > _PARTING * line.height:
            parts.append([])
        parts[-1].append((word.text, word.box, word.confidence))
    return parts


def _enlarged(raster: Raster) -> Raster:
    """Enlarged towards the size of print that tesseract reads best, by a whole number."""
    factor = min(_SIDE // max(raster.shape), _MOST_ENLARGED)
    if factor < 2:
        return raster
    size = raster.shape[1] * factor, raster.shape[0] * factor
    return np.asarray(Image.fromarray(raster).resize(size, Image.Resampling.BICUBIC))


def _turned_back(words: _Words, height: int) -> _Words:
    """Words of the picture turned clockwise, where they stand in the picture, which is ``height`` pixels high."""
    return [(text, (y0, height - x1, y1, height - x0), sure) for text, (x0, y0, x1, y1), sure in words]


def _text(words: _Words, origin: tuple[float, float], scale: tuple[float, float], rotation: int = 0) -> Text:
    boxes = [box for _, box, _ in words]
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    x1, y1 = max(box[2] for box in boxes), max(box[3] for box in boxes)
    box = (origin[0] + x0 * scale[0], origin[1] + y0 * scale[1], origin[0] + x1 * scale[0], origin[1] + y1 * scale[1])
    confidence = min(sure for _, _, sure in words)
    size = box[2] - box[0] if rotation else box[3] - box[1]
    return Text(" ".join(text for text, _, _ in words), box, round(size, 1), rotation, confidence=round(confidence, 2))


def _overlap(one: Text, other: Text) -> bool:
    a, b = one.box, other.box
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])
