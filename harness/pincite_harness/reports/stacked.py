"""Stacked bars as inline SVG: what a whole is made of, a bar for each run."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_harness.reports.charts import figure, shorten
from pincite_harness.reports.markup import Markup, tag

_LABEL = 165
"""Pixels for labels."""
_WIDTH = 960
"""Pixels of the picture's width."""
_BAR = 22
"""Pixels of a bar's height."""
_GAP = 8
"""Pixels between bars."""
_LEAST = 9
"""Units of width that a digit of a count needs."""
_PALE = ("shade2", "shade3")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar; ``class_`` colours it."""

    name: str
    count: int
    class_: str


def stacked(title: str, bars: Sequence[tuple[str, Sequence[Part]]]) -> Markup:
    """A bar for each name, all of the same length; a count stands in its part where it fits."""
    height = len(bars) * (_BAR + _GAP)
    parts: list[Markup] = []
    for row, (name, own) in enumerate(bars):
        y = row * (_BAR + _GAP) + _GAP / 2
        parts.append(tag("text", shorten(name), x=_LABEL - 8, y=y + _BAR - 7, class_="label", text_anchor="end"))
        parts += _bar(own, y)
    told = ". ".join(f"{name}: {', '.join(f'{p.name} {p.count}' for p in own)}" for name, own in bars)
    return figure(title, _WIDTH, height, parts, told)


def _bar(parts: Sequence[Part], y: float) -> list[Markup]:
    whole = sum(part.count for part in parts)
    room, at, drawn = _WIDTH - _LABEL - 4, float(_LABEL), list[Markup]()
    for part in parts:
        if not part.count:
            continue
        width = part.count / whole * room
        inner = max(width - 1.5, 0.5)
        drawn.append(tag("rect", x=f"{at:.1f}", y=y, width=f"{inner:.1f}", height=_BAR, class_=part.class_))
        if width >= _LEAST * (len(str(part.count)) + 1):
            middle = f"{at + inner / 2:.1f}"
            pale = " pale" if part.class_.endswith(_PALE) else ""
            text = tag("text", str(part.count), x=middle, y=y + _BAR - 7, class_=f"within{pale}", text_anchor="middle")
            drawn.append(text)
        at += width
    return drawn
