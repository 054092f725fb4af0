"""Legend: what the colours of the marks say, at the upper edge of a page; a reader can move or delete it."""

from collections.abc import Sequence

from pypdf.generic import (
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)

from pincite_papers.pdf.glyphs import Frame
from pincite_provenance.export.increment import Increment
from pincite_provenance.export.placing import numbers, unshown

Legend = Sequence[tuple[str, tuple[float, float, float]]]
"""Words and colours, in order."""

_SIZE = 6.5
"""Points of its letters: legible, and small enough for a margin."""

_LEFT, _TOP, _HEIGHT = 6.0, 3.0, 10.0
"""Points of its place from the corner that is shown at the upper left, and its height."""

_SWATCH, _GAP, _WIDTH_OF_LETTER = 9.0, 4.0, 0.5
"""Points of a sample of colour and of the space around it; mean width of a letter of Helvetica, in sizes."""

_PRINTED = 4
_SIDEWAYS = {0: (1, 0, 0, 1), 1: (0, 1, -1, 0), 2: (-1, 0, 0, -1), 3: (0, -1, 1, 0)}
"""The turn of letters that stand upright on a page which is shown turned by so many quarters, clockwise."""


def legend_annotation(increment: Increment, legend: Legend, frame: Frame, page: IndirectObject) -> IndirectObject:
    """A free text annotation (ISO 32000-1, section 12.5.6.6) with an appearance of its own."""
    width = _LEFT + sum(_entry_width(words) for words, _ in legend)
    corners = unshown(frame, [(_LEFT, _TOP, _LEFT + width, _TOP + _HEIGHT)])
    xs, ys = corners[:, :, 0], corners[:, :, 1]
    made = DictionaryObject()
    entries = {
        "/Type": NameObject("/Annot"),
        "/Subtype": NameObject("/FreeText"),
        "/Rect": numbers(xs.min(), ys.min(), xs.max(), ys.max()),
        "/DA": TextStringObject(f"/Helv {_SIZE} Tf 0 g"),
        "/Contents": TextStringObject("Colours: " + ", ".join(words for words, _ in legend)),
        "/F": NumberObject(_PRINTED),
        "/P": page,
        "/NM": TextStringObject("pincite-legend"),
        "/T": TextStringObject("pincite"),
        "/AP": DictionaryObject({NameObject("/N"): increment.add(_appearance(legend, width, frame.quarter_turns))}),
    }
    made.update({NameObject(name): value for name, value in entries.items()})
    return increment.add(made)


def _entry_width(words: str) -> float:
    return _SWATCH + 2 * _GAP + len(words) * _SIZE * _WIDTH_OF_LETTER


def _appearance(legend: Legend, width: float, quarter_turns: int) -> StreamObject:
    """White ground, a sample of each colour and its words beside it."""
    lines = ["1 g", f"0 0 {width:.2f} {_HEIGHT} re f"]
    x = _LEFT / 2
    for words, color in legend:
        red, green, blue = color
        lines.append(f"{red:.3f} {green:.3f} {blue:.3f} rg {x:.2f} 2 {_SWATCH} {_HEIGHT - 4:.2f} re f")
        text_at = x + _SWATCH + _GAP
        lines.append(f"0 g BT /Helv {_SIZE} Tf {text_at:.2f} 2.8 Td ({words}) Tj ET")
        x += _entry_width(words)
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica", "/Encoding": "/WinAnsiEncoding"}
    helvetica = DictionaryObject({NameObject(key): NameObject(value) for key, value in font.items()})
    fonts = DictionaryObject({NameObject("/Helv"): helvetica})
    form = StreamObject()
    form.set_data("\n".join(lines).encode("ascii"))
    entries = {
        "/Type": NameObject("/XObject"),
        "/Subtype": NameObject("/Form"),
        "/BBox": numbers(0, 0, width, _HEIGHT),
        "/Matrix": numbers(*_SIDEWAYS[quarter_turns], 0, 0),
        "/Resources": DictionaryObject({NameObject("/Font"): fonts}),
    }
    form.update({NameObject(name): value for name, value in entries.items()})
    return form
