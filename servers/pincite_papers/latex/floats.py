"""Floats: figures and tables with their captions, numbers, panels and picture files."""

from pincite_papers.latex.inline import Inline, inline
from pincite_papers.latex.items import BlockItem, CellItem, FigureItem, Item, PanelItem, TableItem
from pincite_papers.latex.reader import Macro
from pincite_papers.latex.state import Float, Target
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex
from pincite_papers.model import BlockKind

_FIGURES = (
    "figure",
    "sidewaysfigure",
    "SCfigure",
    "marginfigure",
    "suppfigure",
    "figwindow",
    "teaserfigure",
    "floatingfigure",
)
_TABLES = ("table", "sidewaystable", "margintable", "supptable", "SCtable", "planotable")
_OTHERS = {
    "algorithm": "Algorithm",
    "algorithm2e": "Algorithm",
    "scheme": "Scheme",
    "listing": "Listing",
    "chart": "Chart",
}
_WRAPPED = ("wrapfigure", "wraptable", "floatingfigure", "wrapfloat")


def _float(counter: str) -> EnvironmentHandler:
    def handle(tex: Tex, name: str) -> None:
        tex.reader.optional()
        if name.rstrip("*") in _WRAPPED:
            tex.reader.argument()
            tex.reader.optional()
            tex.reader.argument()
        elif name.startswith("SC"):
            tex.reader.optional()
        define_counter(tex, counter)
        outer = tex.float
        with tex.aside() as found:
            tex.float = Float(counter)
            tex.body(name)
        close_float(tex, found)
        tex.float = outer
        for item in found:
            tex.add_item(item)

    return handle


def define_counter(tex: Tex, counter: str) -> None:
    """Print a counter in digits, unless the source says how."""
    if "\\the" + counter not in tex.reader.macros:
        tex.reader.macros["\\the" + counter] = Macro(("\\arabic", "{", counter, "}"))


def close_float(tex: Tex, found: list[Item]) -> None:
    """Append the figure or table that was collected to the items found in its float."""
    made = tex.float
    if made is None:
        return
    if made.counter != "figure" and made.tables:
        behind = [item for item in found if isinstance(item, BlockItem) and item.kind is BlockKind.FOOTNOTE]
        loose = [item for item in found if isinstance(item, BlockItem) and item.kind is not BlockKind.FOOTNOTE]
        rest = [item for item in found if not isinstance(item, BlockItem)]
        notes = [*made.notes, *(item.content for item in loose), *(item.content for item in behind)]
        found[:] = [TableItem(_stacked(made.tables), made.label, made.caption, notes), *rest]
        return
    if made.counter == "figure" or made.graphics or made.drawn:
        for item in found:
            if isinstance(item, BlockItem) and item.kind is BlockKind.PARAGRAPH:
                item.kind = BlockKind.FIGURE
        panels = [PanelItem(panel.label, panel.caption) for panel in made.panels]
        graphics = [*made.graphics, *(name for panel in made.panels for name in panel.graphics)]
        if made.caption is not None or graphics or panels or made.drawn:
            found.append(FigureItem(made.label, made.caption, list(dict.fromkeys(graphics)), panels))
        return
    if made.caption is not None:
        found.insert(0, BlockItem(BlockKind.CAPTION, made.caption))
    found += [BlockItem(BlockKind.FOOTNOTE, note) for note in made.notes]


def _stacked(tables: list[TableItem]) -> list[CellItem]:
    """The cells of the tables of one float, one below the other."""
    cells = list(tables[0].cells)
    for table in tables[1:]:
        rows = max((cell.row + cell.row_span for cell in cells), default=0)
        for cell in table.cells:
            cell.row += rows
        cells += table.cells
    return cells


def _caption(tex: Tex) -> None:
    bare = tex.reader.star()
    tex.reader.optional()
    made = tex.float
    if made is None:
        _loose_caption(tex)
        return
    if made.caption is not None and not made.counter.startswith("sub"):
        # Of two figures side by side, what stood behind the first caption belongs to the second.
        rest = made.graphics[made.before :] if made.before else []
        made.graphics = made.graphics[: made.before] if made.before else made.graphics
        found: list[Item] = []
        close_float(tex, found)
        for item in found:
            tex.items.append(item)
        made = tex.float = Float(made.counter, graphics=rest)
    made.before = len(made.graphics)
    made.label, made.caption = ("", Inline()) if bare else _numbered(tex, made.counter)
    with tex.into(made.caption):
        made.caption.extend(tex.group(math=False))


def _loose_caption(tex: Tex) -> None:
    tex.par()
    content = tex.group(math=False)
    tex.add_item(BlockItem(BlockKind.CAPTION, content))


def _numbered(tex: Tex, counter: str) -> tuple[str, Inline]:
    """The label ("Figure 2") and the start of the caption, its number stepped."""
    if counter.startswith("sub"):
        letter = _panel(tex, counter)
        return letter, inline(f"({letter}) ")
    number = tex.step(counter)
    label = f"{_name(tex, counter)} {number}".strip()
    separator = tex.style.separator
    return label, inline(f"{label}{separator} ")


def _name(tex: Tex, counter: str) -> str:
    own = tex.reader.macros.get(f"\\{counter}name")
    if own is not None:
        return tex.render([f"\\{counter}name"]).plain()
    names = {"figure": tex.style.figure, "table": tex.style.table} | _OTHERS
    return names.get(counter, counter.capitalize())


def _panel(tex: Tex, counter: str) -> str:
    """Step the letter of a panel; labels name it with the number of its figure, whose caption may be yet to come."""
    whole = counter.removeprefix("sub")
    outer = tex.outer_float
    ahead = outer is None or outer.caption is None
    value = tex.counters.get(whole)
    if ahead:
        tex.counters.set(whole, value + 1)
    number = tex.number(whole)
    tex.counters.set(whole, value)
    key = f"{counter} {number}"
    tex.counters.step(key)
    _define_letters(tex, counter, key)
    letter = tex.number(counter).strip("()")
    tex.here = Target(number + letter, whole)
    return letter


def _define_letters(tex: Tex, counter: str, key: str) -> None:
    style = tex.reader.macros.get("\\the" + counter)
    if style is None or style.body[:2] == ("\\alph", "{"):
        tex.reader.macros["\\the" + counter] = Macro(("\\alph", "{", key, "}"))
    else:
        tex.counters.set(counter, tex.counters.get(key))


def _sub_float(tex: Tex, name: str) -> None:
    """``subfigure`` and ``subtable``."""
    outer = tex.float
    if outer is None:
        tex.drop_options()
        tex.enter(name)
        return
    tex.reader.optional()
    tex.reader.optional()
    tex.reader.optional()
    tex.reader.argument()
    before = tex.outer_float
    with tex.aside() as found:
        tex.float, tex.outer_float = Float("sub" + outer.counter), outer
        tex.body(name)
    made = tex.float
    tex.float, tex.outer_float = outer, before
    outer.drawn = outer.drawn or made.drawn
    outer.notes += made.notes
    if made.tables:
        for table in made.tables:
            tex.items.append(TableItem(table.cells, _whole_label(tex, outer.counter, made.label), made.caption))
    elif made.caption is not None or made.graphics:
        outer.panels.append(FigureItem(made.label, made.caption, made.graphics))
    tex.items += found


def _whole_label(tex: Tex, counter: str, letter: str) -> str:
    number = tex.counters.get(counter) + 1
    return f"{_name(tex, counter)} {number}{letter}"


def _sub_box(tex: Tex) -> None:
    """``\\subfloat[caption]{content}`` and ``\\subfigure[caption]{content}``: the content is read in its place."""
    stated = tex.reader.optional()
    second = tex.reader.optional()
    caption = second if second is not None else stated
    outer = tex.float
    if outer is not None:
        before, tex.outer_float = tex.outer_float, outer
        letter, content = _numbered(tex, "sub" + outer.counter.removeprefix("sub"))
        tex.outer_float = before
        if caption:
            content.extend(tex.render(caption))
        outer.panels.append(FigureItem(letter, content if caption else None))
    tex.reader.skip_spaces()


def _sub_caption_box(tex: Tex) -> None:
    """``\\subcaptionbox{caption\\label{...}}[width]{content}``."""
    tex.reader.star()
    caption = tex.reader.argument()
    for _ in range(2):
        tex.reader.optional()
    tex.reader.skip_spaces()
    content = tex.reader.argument()
    tex.reader.push(["\\subfloat", "[", "{", *caption, "}", "]", "{", *content, "}"])


def _caption_of(tex: Tex) -> None:
    """``\\captionof{figure}{text}`` outside of floats."""
    tex.reader.star()
    counter = tex.reader.text_argument()
    tex.reader.optional()
    define_counter(tex, counter or "figure")
    label, content = _numbered(tex, counter or "figure")
    content.extend(tex.group(math=False))
    if tex.float is not None and tex.float.caption is None:
        tex.float.label, tex.float.caption = label, content
    elif counter == "figure":
        tex.add_item(FigureItem(label, content))
    else:
        tex.add_item(BlockItem(BlockKind.CAPTION, content))


def commands() -> dict[str, Handler]:
    """What commands of figures and tables mean."""
    return {
        "\\caption": _caption,
        "\\tablecaption": _caption,
        "\\figcaption": _caption,
        "\\tcaption": _caption,
        "\\topcaption": _caption,
        "\\captionof": _caption_of,
        **dict.fromkeys(("\\subfloat", "\\subfigure", "\\subtable"), _sub_box),
        "\\subcaptionbox": _sub_caption_box,
        "\\subcaption": _caption,
    }


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of figures and tables mean."""
    found: dict[str, EnvironmentHandler] = {}
    for names, counter in (
        (_FIGURES, "figure"),
        (_TABLES, "table"),
        (("wrapfigure",), "figure"),
        (("wraptable",), "table"),
    ):
        for name in names:
            found[name] = found[name + "*"] = _float(counter)
    for name in _OTHERS:
        found[name] = found[name + "*"] = _float(name.removesuffix("2e"))
    for name in ("subfigure", "subtable"):
        found[name] = found[name + "*"] = _sub_float
    return found
