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
_FIGURES = ("fig", "fig-group", "media")
# fmt: off
_WRITTEN = frozenset({
    "label", "title", "caption", "graphic", "inline-graphic", "alternatives", "table", "table-wrap-foot", "permissions",
    "object-id", "alt-text", "long-desc", "abstract", "kwd-group", "subj-group", "processing-meta", "textual-form",
})
# fmt: on


def caption_run(element: Element, inline: Inline, *, label: str | None = None) -> Run | None:
    """Label, title and paragraphs of a float as one run, each ended by a full stop; None where it has none of them."""
    run = Run()
    parts: list[Run] = [Run().add(plain_text(element.find("label")) if label is None else label)]
    parts += [inline.run(title) for title in element.findall("title")]
    for caption in element.findall("caption"):
        held = [child for child in caption if child.tag not in _PICTURES]
        bare = (caption.text or "").strip() or not held
        parts += [inline.run(caption)] if bare else [inline.run(child) for child in held]
    parts = [part.stripped() for part in parts if part]
    for index, part in enumerate(parts):
        run.add_run(part)
        if index + 1 < len(parts):
            bracketed = index == 0 and str(part)[-1:] in ")]|"
            run.add(" " if bracketed or _ENDED.search(str(part)) else ". ")
    return run if parts else None


Write = Callable[[Element], None]


def add_figure(element: Element, builder: PaperBuilder, inline: Inline, block: Write) -> None:
    """Append a figure; the figures of a group that has a label or caption of its own are its panels.

    ``block`` writes what else stands in it: a list, a table, an attribution.
    """
    inner = [child for child in element if child.tag in ("fig", "fig-group")]
    named = element.find("label") is not None or element.find("caption") is not None
    if inner and not named:
        _write_rest(element, block)
        return
    label = plain_text(element.find("label"))
    builder.add_figure(
        label=label,
        caption=caption_run(element, inline),
        graphics=[place for one in _graphics(element) if (place := href(one))],
        panels=[_panel(child, label, inline) for child in inner],
    )
    for holder in (element, *inner):
        _write_rest(holder, block, without=_FIGURES)


def _write_rest(element: Element, block: Write, *, without: Sequence[str] = ()) -> None:
    """Write what a float holds beside its caption, its pictures, its table and notes, and what is not printed."""
    if (element.text or "").strip():
        block(element)
        return
    for child in element:
        if child.tag not in _WRITTEN and child.tag not in without:
            block(child)


def _graphics(element: Element) -> list[Element]:
    return [element] if element.tag in _PICTURES else list(element.iter("graphic", "media"))


def _panel(child: Element, label: str, inline: Inline) -> tuple[str, Run | None]:
    own = plain_text(child.find("label"))
    letter = _PANEL.search(own.removeprefix(label).strip() or own)
    return letter["letter"] if letter else own, caption_run(child, inline)


def add_table_wrap(element: Element, builder: PaperBuilder, inline: Inline, block: Write) -> None:
    """Append a table, or those of a group, behind its caption and before its notes."""
    if element.tag == "table-wrap-group":
        caption = caption_run(element, inline)
        if caption is not None:
            builder.add_block(BlockKind.CAPTION, caption)
        _write_rest(element, block)
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


def _after(element: Element, builder: PaperBuilder, inline: Inline, block: Write, *, written: bool) -> None:
    """What else a wrap holds: lists and text in place of a table, and the notes below it."""
    if element.tag == "table":
        return
    for child in element:
        if child.tag == "alternatives" and not written:
            for one in child:
                if one.tag not in ("graphic", "media", "table"):
                    builder.add_block(BlockKind.PARAGRAPH, inline.run(one))
    _write_rest(element, block)
    for child in element.findall("table-wrap-foot"):
        _notes(child, builder, inline, block)


def _notes(foot: Element, builder: PaperBuilder, inline: Inline, block: Write) -> None:
    for child in foot:
        if child.tag in ("fn", "fn-group"):
            for note in [child] if child.tag == "fn" else child.findall("fn"):
                block(note)
        elif child.tag not in ("graphic", "permissions"):
            builder.add_block(BlockKind.FOOTNOTE, inline.run(child))


def add_supplement(element: Element, builder: PaperBuilder, inline: Inline, block: Write) -> None:
    """Append the label, caption and notes of supplementary material, and the captions of the files in it."""
    caption = caption_run(element, inline)
    if caption is not None:
        builder.add_block(BlockKind.CAPTION, caption)
    if (element.text or "").strip():
        builder.add_block(BlockKind.PARAGRAPH, inline.run(element, without=("label", "title", "caption")))
        return
    _write_rest(element, block)
