"""What a table or figure is about in one line, made from its own words: headers, units, labels. The same each time."""

from collections.abc import Sequence

from pincite_library.chunks.grid import Grid
from pincite_papers.model import Figure

_NAMES = 200
"""Characters of the columns' names in a description."""
_EXAMPLES = 80
"""Characters of examples in a description."""
_NAME = 60
"""Characters of one name."""


def describe_table(grid: Grid, label: str, *, rows: bool) -> str:
    """ "Table of T_c (K), pressure (GPa) for 12 materials: MgB2, NbN, …": the names of columns and, with ``rows``, the
    labels of rows.
    """
    by = grid.names[0][:_NAME].strip(" :.") if grid.names else ""
    values = _listed([name[:_NAME] for name in grid.names[bool(by) :] if name], _NAMES)
    of = f"Table of {values}" if values else label or "Table"
    whose = f" {'for' if by else 'in'} {_counted(len(grid.body()) - len(grid.titles), by or 'row')}"
    labels = (
        [grid.text(row[0])[:_NAME] for row in grid.cells[grid.head :] if row and row[0].column == 0] if rows else []
    )
    which = _listed([text for text in labels if any(map(str.isalpha, text))], _EXAMPLES)
    return f"{of}{whose}{': ' + which if which else ''}."


def describe_figure(figures: Sequence[Figure], label: str, words: str) -> str:
    """Label and panels, and the words inside the figure: names of axes and curves rather than their numbers.

    "" where there is nothing beyond the label, which the caption says already.
    """
    panels = list(dict.fromkeys(panel.label for figure in figures for panel in figure.panels if panel.label))
    which = label or "Figure"
    if len(panels) > 1:
        which += (
            f" with panels {panels[0]} to {panels[-1]}" if len(panels) > 2 else f" with panels {' and '.join(panels)}"
        )
    names = [line for line in dict.fromkeys(words.split("\n")) if sum(map(str.isalpha, line)) > 2]
    shown = _listed([name[:_NAME] for name in names], _EXAMPLES)
    return f"{which}{' showing ' + shown if shown else ''}." if shown or panels[1:] else ""


def _counted(count: int, name: str) -> str:
    """ "12 materials" where the name is one plain word, else "12 rows by T_c (K)"."""
    if not name.isalpha() or not name[1:].islower() or not name.isascii():
        return f"{count} row{'s' * (count != 1)} by {name}"
    name = name.lower()
    if count == 1 or name.endswith("s"):
        return f"{count} {name}"
    return f"{count} {name[:-1] + 'ies' if name.endswith('y') and name[-2:-1] not in 'aeiou' else name + 's'}"


def _listed(names: Sequence[str], most: int) -> str:
    """As many names as fit, and whether there are more."""
    shown: list[str] = []
    for name in dict.fromkeys(names):
        if shown and sum(map(len, shown)) + len(name) > most:
            return ", ".join(shown) + ", …"
        shown.append(name)
    return ", ".join(shown)
