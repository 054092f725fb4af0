"""Stacked bars of analyses: their parts in the colours of the style sheet, and what these stand for."""

from collections.abc import Mapping, Sequence

from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.pictures import titled
from pincite_harness.reports.stacked import Part, stacked

_COLOURS = 9
"""Classes ``part0`` to ``part8`` of the style sheet; a tenth part has the colour of the first."""


def stacks(title: str, names: Sequence[str], bars: Sequence[tuple[str, Mapping[str, int]]]) -> Markup:
    """A bar for each (label, counts by name), its parts in the order of ``names``, with a legend."""
    drawn: list[tuple[str, list[Part]]] = []
    for label, counts in bars:
        parts = [Part(name, counts.get(name, 0), _class(place)) for place, name in enumerate(names)]
        drawn.append((label, parts))
    return titled(title, join([_legend(names), stacked(title, drawn)]))


def _legend(names: Sequence[str]) -> Markup:
    items: list[Markup] = []
    for place, name in enumerate(names):
        items.append(tag("li", tag("span", class_=f"swatch {_class(place)}", aria_hidden="true"), name))
    return tag("ul", items, class_="legend")


def _class(place: int) -> str:
    return f"part{place % _COLOURS}"
