"""The badge of a lab: one SVG that loads nothing."""

from pincite_harness.lab.measuring import Effect, Gain
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.statistics import signed

_COLOURS: dict[Effect, str] = {"helps": "#2e7d32", "harms": "#c62828", "no difference shown": "#616161"}
_CHAR = 6.6
"""Width of a character of 11 px in pixels, on average."""


def badge(name: str, gain: Gain) -> Markup:
    """``name: +0.42 [0.21, 0.63], n = 24``: the gain with its 95 % interval and the number of tasks."""
    difference = gain.pair.difference
    said = signed(difference.mean or 0.0)
    if difference.interval is not None:
        low, high = difference.interval
        said = f"{said} [{signed(low)}, {signed(high)}]"
    said = f"{gain.metric.title} {said}, n = {difference.n}"
    label = f"{name} {gain.effect}"
    left, right = len(label) * _CHAR + 12, len(said) * _CHAR + 12
    text = [
        tag("title", f"{label}: {said}"),
        tag("rect", width=f"{left:.0f}", height="20", fill=_COLOURS[gain.effect]),
        tag("rect", x=f"{left:.0f}", width=f"{right:.0f}", height="20", fill="#37474f"),
        tag("text", label, x=f"{left / 2:.0f}", y="14", text_anchor="middle"),
        tag("text", said, x=f"{left + right / 2:.0f}", y="14", text_anchor="middle"),
    ]
    drawn = tag("g", text, fill="#fff", font_family="Verdana,DejaVu Sans,sans-serif", font_size="11")
    return tag("svg", drawn, xmlns="http://www.w3.org/2000/svg", width=f"{left + right:.0f}", height="20", role="img")
