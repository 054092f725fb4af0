"""Figures, tables and supplementary material of a JATS article."""

import re
from collections.abc import Callable, Sequence

from pincite_papers.jats.cells import read_cells
from pincite_papers.jats.inline import Inline
from pincite_papers.markup import PaperBuilder, Run
from pincite_papers.markup.elements import Element, href, plain_text
from pincite_papers.model import BlockKind

_ENDED = re.compile(r"[.?!:;。]['\"’”)\]]*$")
_PANEL = re.compile(r"(?:^|[^a-z])\(?(?P<letter>[A-Za-z])[).]?$")
_PICTURES = ("graphic", "inline-graphic")


def caption_run(element: Element, inline: Inline, *, label: str | None = None) -> Run | None:
    """Label, title and paragraphs of a float as one run, each ended by a full stop; None where it has none of them."""
    caption = element.find("caption")
    run = Run()
    parts: list[Run] = [Run().add(plain_text(element.find("label")) if label is None else label)]
    if (element.find("title")) is not None:
        parts.append(inline.run(_found(element, "title")))
    if caption is not None:
        held = [child for child in caption if child.tag not in _PICTURES]
        parts += [inline.run(child) for child in held] if held else [inline.run(caption)]
    parts = [part.stripped() for part in parts if part]
    for index, part in enumerate(parts):
        run.add_run(part)
        if index + 1 < len(parts):
            bracketed = index == 0 and str(part)[-1:] in ")]|"
            run.add(" " if bracketed or _ENDED.search(str(part)) else ". ")
    return run if parts else None


def _found(element: Element, path: str) -> Element:
    found = element.find(path)
    return found if found is not None else element


def add_figure(element: Element, builder: PaperBuilder, inline: Inline) -> None:
    """Append a figure; the figures of a group that has a label or caption of its own are its panels."""
    inner = [child for child in element if child.tag in ("fig", "fig-group")]
    named = element.find("label") is not None or element.find("caption") is not None
    if inner and not named:
        for child in inner:
            add_figure(child, builder, inline)
        return
    label = plain_text(element.find("label"))
    builder.add_figure(
        label=label,
        caption=caption_run(element, inline),
        graphics=[place for one in _graphics(element) if (place := href(one))],
        panels=[_panel(child, label, inline) for child in inner],
    )
    for child in element:
        if child.tag in ("table-wrap", "list", "disp-formula", "preformat", "p", "attrib", "def-list"):
            builder.add_block(BlockKind.CAPTION, inline.run(child))


def _graphics(element: Element) -> list[Element]:
    return [element] if element.tag in _PICTURES else list(element.iter("graphic", "media"))


def _panel(child: Element, label: str, inline: Inline) -> tuple[str, Run | None]:
    own = plain_text(child.find("label"))
    letter = _PANEL.search(own.removeprefix(label).strip() or own)
    return letter["letter"].lower() if letter else own, caption_run(child, inline)


def add_table_wrap(element: Element, builder: PaperBuilder, inline: Inline, block: Callable[[Element], None]) -> None:
    """Append a table, or those of a group, behind its caption and before its notes."""
    if element.tag == "table-wrap-group":
        caption = caption_run(element, inline)
        if caption is not None:
            builder.add_block(BlockKind.CAPTION, caption)
        for child in element:
            if child.tag in ("table-wrap", "table-wrap-group"):
                add_table_wrap(child, builder, inline, block)
        return
    label = plain_text(element.find("label"))
    caption = caption_run(element, inline) if element.tag != "table" else None
    tables = _tables(element)
    if tables:
        cells, problems = read_cells(tables, inline)
        builder.warnings += [f"{label or 'A table'}: {problem}" for problem in problems]
        builder.add_table(cells, label=label, caption=caption)
    elif pictures := [place for one in element.iter("graphic") if (place := href(one))]:
        builder.warnings.append(f"{label or 'A table'} is given as a picture only: its cells cannot be read.")
        builder.add_figure(label=label, caption=caption, graphics=pictures)
    elif caption is not None:
        builder.add_block(BlockKind.CAPTION, caption)
    _after(element, builder, inline, block, written=bool(tables))


def _tables(element: Element) -> list[Element]:
    """The tables of a wrap, without those in cells of others and of two alternatives."""
    if element.tag == "table":
        return [element]
    found: list[Element] = []
    for child in element:
        if child.tag == "table":
            found.append(child)
        elif child.tag == "alternatives":
            found += child.findall("table")[:1]
    return found


def _after(
    element: Element, builder: PaperBuilder, inline: Inline, block: Callable[[Element], None], *, written: bool
) -> None:
    """What else a wrap holds: lists and text in place of a table, and the notes below it."""
    for child in element:
        if child.tag == "table-wrap-foot":
            _notes(child, builder, inline, block)
        elif child.tag in ("list", "def-list", "preformat", "code", "p", "disp-formula", "attrib", "disp-quote", "fn"):
            block(child)
        elif child.tag == "alternatives" and not written:
            for one in child:
                if one.tag not in ("graphic", "media", "table"):
                    builder.add_block(BlockKind.PARAGRAPH, inline.run(one))


def _notes(foot: Element, builder: PaperBuilder, inline: Inline, block: Callable[[Element], None]) -> None:
    for child in foot:
        if child.tag in ("fn", "fn-group"):
            for note in [child] if child.tag == "fn" else child.findall("fn"):
                block(note)
        elif child.tag not in ("graphic", "permissions"):
            builder.add_block(BlockKind.FOOTNOTE, inline.run(child))


def add_supplement(element: Element, builder: PaperBuilder, inline: Inline) -> None:
    """Append the label, caption and notes of supplementary material, and the captions of the files in it."""
    caption = caption_run(element, inline)
    if caption is not None:
        builder.add_block(BlockKind.CAPTION, caption)
    elif not len(element) and (element.text or "").strip():
        builder.add_block(BlockKind.PARAGRAPH, inline.run(element))
    for child in element:
        if child.tag == "media":
            add_supplement(child, builder, inline)
        elif child.tag in ("fig", "fig-group"):
            add_figure(child, builder, inline)
        elif child.tag in ("p", "list", "disp-formula", "preformat", "attrib"):
            builder.add_block(BlockKind.PARAGRAPH, inline.run(child))


def rows_of(table: Element, *names: str) -> Sequence[Element]:
    """The rows directly in an element."""
    return [child for child in table if child.tag in names]
