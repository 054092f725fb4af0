"""A piece of text in a figure, of the source or read by OCR."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text in a figure: its box in the subject's units, size in points, print direction in degrees.

    ``confidence`` (0 to 1) is that of OCR, None for text of the source; ``unreliable`` characters are mapped wrongly.
    """

    text: str
    box: tuple[float, float, float, float]
    size: float
    rotation: int
    bold: bool = False
    confidence: float | None = None
    unreliable: bool = False
