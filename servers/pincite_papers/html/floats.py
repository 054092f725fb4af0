"""Figures and tables of a page with their captions, wherever these stand."""

import re
from collections.abc import Iterator

from pincite_papers.html.classes import classes, words
from pincite_papers.html.content import is_own_doi
from pincite_papers.html.inline import Inline
from pincite_papers.html.tables import is_layout, is_table, read_cells
from pincite_papers.html.tree import HIDDEN
from pincite_papers.markup import PaperBuilder, Run
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.model import BlockKind

LABEL = re.compile(
    r"(?P<label>(?:(?:supplementa(?:ry|l)|extended data|online|appendix)\s+)?"
    r"(?P<kind>fig(?:ure|s|\.)?|scheme|chart|plate|box|table|tab\.|algorithm|listing|image|video|movie)\s*"
    r"(?:[A-Z]\.?)?\s?(?:\d+(?:\.\d+)*[a-z]?|[IVXL]+\b|[A-Z]\b|S\d+))",
    re.IGNORECASE,
)
_PANEL = re.compile(r"\(?(?P<letter>[a-z])\)?[.:]?(?=\s|$)", re.IGNORECASE)
_PICTURES = ("img", "source", "object", "image", "embed")
_TOOLS = re.compile(
    r"(?:full size (?:image|table)|open in (?:a new tab|figure viewer)|download.*|view (?:large|in article).*"
    r"|powerpoint|enlarge|tiff?|larger image|expand|high-?res(?:olution)? image.*|click here.*|.* ?figure viewer"
    r"|export.*)",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\s*(?P<address>[^\s,]\S*[^\s,]|\S)(?:\s+(?P<size>\d+(?:\.\d+)?)[wx])?\s*(?:,|$)")
_SOURCES = ("data-large", "data-lg-src", "data-zoom-src", "data-full", "data-original", "data-src", "src", "data")
_MOST_SOURCES = 200
"""Pictures of one figure. Set by judgement."""
_MORE_THAN_CAPTION = 60
"""Characters beside the caption up to which an element is a figure and not a section. Set by judgement."""
_MOST_BESIDE = 150
"""Characters beside a figure in its wrapper: its label and the tools of the page, no text of the article."""
_MOST_WRAPPED = 6000
"""Characters of captions within one wrapper, halved. Set by judgement."""
_FIGURE_WORDS = frozenset({"fig", "figure", "figs", "figures", "scheme"})
_TABLE_WORDS = frozenset({"table", "tables", "tw", "tbl", "tablewrap"})
_CAPTION_WORDS = frozenset({"caption", "captions", "figcaption", "legend", "discription", "description", "obj"})
_NOTE_WORDS = frozenset({"foot", "footnote", "footnotes", "notes", "footer", "fn", "legend"})


def is_float(element: Element) -> bool:
    """Whether an element wraps a figure or table with its caption."""
    if element.tag == "figure":
        return True
    if element.tag not in ("div", "section", "li", "a"):
        return False
    if _label_beside(element):
        return True
    named = words(element)
    pictured = not named.isdisjoint(_FIGURE_WORDS)
    tabled = not named.isdisjoint(_TABLE_WORDS) and (element.find(".//table") is not None or _only_caption(element))
    if not (tabled or (pictured and _has_picture(element))) or element.find(".//figure") is not None:
        return False
    if element.find(".//h2") is not None or element.find(".//section") is not None:
        return False
    parts = element.iter("div", "p", "span", "h3", "h4", "h5", "caption", "header")
    texts = [plain_text(one) for one in parts if _is_caption(one)]
    labels = {match["label"].lower() for text in texts if (match := LABEL.match(text)) is not None}
    if tabled:
        return len(labels) <= 1 and bool(texts)
    return len(labels) == 1 and sum(map(len, texts)) < 2 * _MOST_WRAPPED


def _label_beside(element: Element) -> str:
    """The label that a wrapper prints beside its only figure, whose own caption has none; "" where there is none."""
    figures = element.findall(".//figure")
    outer = [one for one in figures if _nearest_figure(one) is None]
    if len(outer) != 1 or len(plain_text(element)) - len(plain_text(outer[0])) > _MOST_BESIDE:
        return ""
    first = next((text for one in element.iter() if one.text and (text := plain_text(one)) and one is not element), "")
    match = LABEL.match(first)
    inside = any(LABEL.match(plain_text(one)) for one in outer[0].iter() if _is_caption(one))
    return "" if match is None or inside else " ".join(match["label"].split())


def _only_caption(element: Element) -> bool:
    """Whether a wrapper of a table has its caption alone: the table is loaded where a reader asks for it."""
    text = plain_text(element)
    captions = [plain_text(one) for one in element.iter("div", "p", "span") if _is_caption(one)]
    labelled = any(text.lower().startswith("tab") and LABEL.match(text) for text in captions)
    return labelled and len(text) - max(map(len, captions), default=0) < _MORE_THAN_CAPTION


def _has_picture(element: Element) -> bool:
    return any(True for _ in element.iter(*_PICTURES, "svg"))


def add_float(element: Element, builder: PaperBuilder, inline: Inline, seen: set[tuple[str, str]]) -> bool:
    """Append the figure or the tables that an element wraps; False if it holds neither, as a float of text or code.

    ``seen`` are the labels and captions written before: pages repeat their figures in viewers.
    """
    panels = [one for one in element.iter("figure") if one is not element and _nearest_figure(one) is element]
    caption = _caption(element, inline, panels)
    label = _label(caption)
    if not label and (label := _label_beside(element)):
        caption = Run().add(f"{label}. ").add_run(caption)
    key = (label.lower(), str(caption)[:200])
    tables = [one for one in _outer_tables(element) if not is_layout(one)]
    if tables:
        _add_tables(element, tables, label, caption, builder, inline)
        return True
    parts = [(letter, run, pictures(panel)) for panel in panels for letter, run in [_panel(panel, inline)]]
    graphics = pictures(element, leave=panels) + [one for _, _, found in parts for one in found]
    beside = len(plain_text(element)) - len(str(caption))
    if not graphics and not parts and (not caption or beside > _MORE_THAN_CAPTION):
        return False
    if key in seen and (label or not graphics):
        return True
    seen.add(key)
    if label.lower().startswith("tab"):
        builder.add_block(BlockKind.CAPTION, caption)
        builder.warnings.append(f"{label} is not on the page itself: only its caption is.")
        return True
    builder.add_figure(
        label=label,
        caption=caption or None,
        graphics=tuple(dict.fromkeys(graphics)),
        panels=[(letter, run) for letter, run, _ in parts if letter or run is not None],
    )
    return True


def _nearest_figure(element: Element) -> Element | None:
    at = element.getparent()
    while at is not None and at.tag != "figure":
        at = at.getparent()
    return at


def _outer_tables(element: Element) -> list[Element]:
    """The tables in an element that are in no other table."""
    found: list[Element] = []
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if is_table(one) and one.get(HIDDEN) is None:
            found.append(one)
        else:
            waiting += reversed(list(one))
    return found


def _add_tables(
    element: Element, tables: list[Element], label: str, caption: Run, builder: PaperBuilder, inline: Inline
) -> None:
    """The tables of one wrapper: the first behind the caption, the notes behind the last."""
    notes = _notes(element, inline)
    # Pages repeat a table in the viewer that opens it.
    tables = list({plain_text(table): table for table in reversed(tables)}.values())[::-1]
    for index, table in enumerate(tables):
        add_table(
            table,
            builder,
            inline,
            label=label,
            caption=caption if caption and index == 0 else None,
            notes=notes if index == len(tables) - 1 else [],
        )


def viewed_tables(content: Element) -> frozenset[str]:
    """The labels of the tables that pop up in viewers (the popup has the caption again)."""
    found: set[str] = set()
    for table in content.iter("table"):
        parent = table.getparent()
        popup = parent if parent is not None and "hide" in words(parent) else None
        match = LABEL.match(plain_text(popup)) if popup is not None else None
        if match is not None:
            found.add(match["label"].lower())
    return frozenset(found)


def add_table(
    table: Element, builder: PaperBuilder, inline: Inline, *, label: str, caption: Run | None, notes: list[Run]
) -> None:
    """Append one table; a ``caption`` inside of it is its caption where no other is given."""
    own = table.find("caption")
    if caption is None and own is not None:
        caption = inline.run(own)
        label = label or _label(caption)
    builder.add_table(read_cells(table, inline), label=label, caption=caption or None, notes=notes)


def _is_caption(element: Element) -> bool:
    if element.tag in ("figcaption", "caption"):
        return True
    if element.tag in ("table", "tr", "td", "th", "img", "figure", "svg"):
        return False
    if element.tag in ("h3", "h4", "h5", "h6", "b", "strong"):
        return LABEL.match(plain_text(element)) is not None
    named = words(element)
    if "label" in named:
        return LABEL.fullmatch(plain_text(element).rstrip(" .:|")) is not None
    return not named.isdisjoint(_CAPTION_WORDS)


def _captions(element: Element, panels: list[Element]) -> Iterator[Element]:
    """The outermost parts of a wrapper that make its caption, those of panels and tables left out."""
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if one is not element:
            if one in panels or is_table(one):
                continue
            if _is_caption(one):
                yield one
                continue
        waiting += reversed(list(one))


def _caption(element: Element, inline: Inline, panels: list[Element]) -> Run:
    """The whole caption: its label, its title and its text, which pages keep in several places."""
    caption = Run()
    found: list[str] = []
    for part in _captions(element, panels):
        if inline.skips(part):
            continue
        run = inline.run(part, without=_is_tool).stripped()
        text = str(run)
        if not text or text in found or _TOOLS.fullmatch(text) or any(one.startswith(text) for one in found):
            continue
        if found:
            caption.add(" ")
        caption.add_run(run)
        found.append(text)
    if not found:
        for part in element.iter("p"):
            text = plain_text(part)
            if LABEL.match(text) is not None:
                return inline.run(part, without=_is_tool).stripped()
    return caption


def _is_tool(element: Element) -> bool:
    """Whether an element inside of a caption is a tool of the page or the picture itself."""
    if element.tag == "figure" or is_table(element) or is_own_doi(element):
        return True
    if element.tag in ("a", "li", "div", "p", "span", "ul"):
        return _TOOLS.fullmatch(plain_text(element)) is not None
    return False


def _label(caption: Run) -> str:
    match = LABEL.match(str(caption))
    return " ".join(match["label"].split()) if match is not None else ""


def _panel(panel: Element, inline: Inline) -> tuple[str, Run | None]:
    """The letter and caption of a panel."""
    run = _caption(panel, inline, [])
    match = _PANEL.match(str(run))
    return (match["letter"].lower() if match is not None else ""), run or None


def _notes(element: Element, inline: Inline) -> list[Run]:
    """The notes under the tables of a wrapper."""
    found: list[Run] = []
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if is_table(one) or (one is not element and _is_caption(one)):
            continue
        if one is not element and not words(one).isdisjoint(_NOTE_WORDS) and one.tag != "figure":
            found += _note_runs(one, inline)
            continue
        waiting += reversed(list(one))
    return [run for run in found if run]


def _note_runs(element: Element, inline: Inline) -> list[Run]:
    """The notes in an element; a term stands before its definition."""
    parts = [part for part in element.iter("p", "li", "dd") if part.find(".//p") is None and part.find(".//dd") is None]
    runs: list[Run] = []
    for part in parts or [element]:
        run = inline.run(part, without=_is_tool).stripped()
        defined = part if part.tag == "dd" else part.getparent()
        term = defined.getprevious() if defined is not None and defined.tag == "dd" else None
        if term is not None and term.tag == "dt" and run:
            run = Run().add(f"{plain_text(term)} ").add_run(run)
        runs.append(run)
    return runs


def pictures(element: Element, leave: list[Element] | None = None) -> list[str]:
    """The addresses of the pictures in an element, of each the largest version; pictures in ``leave`` left out."""
    found: list[str] = []
    waiting = [element]
    while waiting and len(found) < _MOST_SOURCES:
        one = waiting.pop()
        if leave and one in leave:
            continue
        if one.tag == "picture":
            found += _largest(one)
        elif one.tag in _PICTURES:
            found += _largest_of([one])
        elif "ltx_graphics" in classes(one) and one.get("data"):
            found.append(one.get("data") or "")
        else:
            waiting += reversed(list(one))
    return list(dict.fromkeys(found))


def _largest(picture: Element) -> list[str]:
    """The largest of the sources that a ``picture`` offers."""
    return _largest_of([*picture.iter("source"), *picture.iter("img")])


def _largest_of(elements: list[Element]) -> list[str]:
    offered: list[tuple[float, int, str]] = []
    for element in elements:
        for name in _SOURCES:
            address = (element.get(name) or "").strip()
            if address and not address.startswith("data:"):
                offered.append((0.5 if name.startswith("data-") else 0.0, -len(offered), address))
        for match in _SIZE.finditer((element.get("srcset") or element.get("data-srcset") or "")[:20_000]):
            if not match["address"].startswith("data:"):
                offered.append((float(match["size"] or 1), -len(offered), match["address"]))
    return [max(offered)[2]] if offered else []
