"""Tables of the page: a caption, a header, and rows whose first cell names them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.templating import render


@dataclass(frozen=True, slots=True)
class Table:
    """Texts in rows; all columns but the first hold numbers. ``opening`` stands before it, ``listed`` under its title
    and ``note`` behind it."""

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    list_title: str = ""
    listed: Sequence[str] = field(default_factory=tuple[str, ...])
    note: str = ""
    opening: str = ""


def tables_section(title: str, heading: str, tables: Sequence[Table]) -> Markup:
    """A section of tables under a heading of level ``heading`` ("h2"); nothing where there is none."""
    if not tables:
        return Markup("")
    return render("tables.html", {"title": title, "heading": heading, "tables": tables})


def one_table(table: Table) -> Markup:
    """A table by itself, without heading and lines around it."""
    return render("one_table.html", {"each": table})


def cell_head(title: str, *, number: bool, about: str | None = None) -> Markup:
    """The head of a column; ``about`` is shown when it is pointed at."""
    return tag("th", title, scope="col", class_="number" if number else None, title=about)
