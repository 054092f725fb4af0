"""Tables with a caption and notes of their own: longtable, the deluxetable of aastex, threeparttable."""

from pincite_papers.latex.columns import read_columns
from pincite_papers.latex.floats import close_float, define_counter
from pincite_papers.latex.inline import Inline, Script
from pincite_papers.latex.items import BlockItem
from pincite_papers.latex.rows import Rows
from pincite_papers.latex.siunitx import only_number
from pincite_papers.latex.state import Float
from pincite_papers.latex.tables import add_table, read_rows
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex
from pincite_papers.model import BlockKind

_LONG = ("longtable", "longtabu", "xltabular", "supertabular")


def _long_table(tex: Tex, name: str) -> None:
    """A table over pages with a caption of its own."""
    define_counter(tex, "table")
    if name == "xltabular":
        tex.reader.argument()
    tex.reader.optional()
    columns = read_columns(tex, tex.reader.argument())
    outer = tex.float
    with tex.aside() as found:
        tex.float = Float("table")
        rows = Rows(columns)
        read_rows(tex, name, rows)
        add_table(tex, rows)
    close_float(tex, found)
    tex.float = outer
    for item in found:
        tex.add_item(item)


def _delux(tex: Tex, name: str) -> None:
    """``deluxetable`` of aastex: head, data and notes by commands."""
    tex.reader.optional()
    columns = read_columns(tex, tex.reader.argument())
    outer, rows_before = tex.float, tex.delux
    with tex.aside() as found:
        tex.float, tex.delux = Float("table"), Rows(columns)
        tex.body(name)
        add_table(tex, tex.delux)
    close_float(tex, found)
    tex.float, tex.delux = outer, rows_before
    for item in found:
        tex.add_item(item)


def _delux_head(tex: Tex) -> None:
    if tex.delux is None:
        tex.reader.argument()
        return
    head = tex.reader.argument()
    tex.reader.push([*head, "\\pinciteend"])
    read_rows(tex, "", tex.delux, "\\pinciteend")
    tex.delux.header = len(tex.delux.rows)


def _delux_data(tex: Tex) -> None:
    if tex.delux is not None:
        read_rows(tex, "", tex.delux, "\\enddata")


def _no_text(tex: Tex) -> None:
    tex.reader.argument()


def _note(tex: Tex) -> None:
    """``\\tablecomments{...}`` and its kin."""
    content = tex.group(math=False)
    if tex.float is not None:
        tex.float.notes.append(content)
    else:
        tex.add_item(BlockItem(BlockKind.FOOTNOTE, content))


def _marked_note(tex: Tex) -> None:
    """``\\tablenotetext{a}{text}``."""
    whole = Inline()
    whole.parts.append(Script(1, tex.group(math=False, tight=True)))
    whole.add(" ")
    whole.extend(tex.group(math=False))
    if tex.float is not None:
        tex.float.notes.append(whole)


def _notes(tex: Tex, name: str) -> None:
    """``tablenotes`` of threeparttable: each item a note."""
    tex.reader.optional()
    before, tex.kind = tex.kind, BlockKind.FOOTNOTE
    tex.lists.append("list")

    def end() -> None:
        tex.par()
        tex.kind = before
        tex.lists.pop()

    tex.par()
    tex.enter(name, end)


def _spanning_row(tex: Tex) -> None:
    """``\\cutinhead{text}``: a heading over all columns."""
    content = tex.group(math=False)
    tex.out.extend(content)
    tex.spans[0] = max(len(tex.delux.columns), 1) if tex.delux is not None else 1
    tex.reader.push(["\\\\"])


def commands() -> dict[str, Handler]:
    """What commands of these tables mean."""
    return {
        "\\tablehead": _delux_head,
        "\\startdata": _delux_data,
        "\\tablenum": lambda tex: only_number(tex) if tex.delux is None else _no_text(tex),
        **dict.fromkeys(("\\tablecomments", "\\tablerefs", "\\tablefoot", "\\tablebib", "\\tablenote"), _note),
        "\\tablenotetext": _marked_note,
        **dict.fromkeys(("\\cutinhead", "\\sidehead"), _spanning_row),
    }


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of these tables mean."""
    found: dict[str, EnvironmentHandler] = {}
    for name in _LONG:
        found[name] = found[name + "*"] = _long_table
    for name in ("deluxetable", "longdeluxetable"):
        found[name] = found[name + "*"] = _delux
    return found | dict.fromkeys(("tablenotes", "TableNotes"), _notes)
