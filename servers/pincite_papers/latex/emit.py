"""Emission: the items of a source become a Paper, references to labels and citations resolved."""

from collections.abc import Callable, Sequence

from pincite_papers.doi import first_doi
from pincite_papers.latex import front
from pincite_papers.latex.byline import author_names
from pincite_papers.latex.inline import Inline
from pincite_papers.latex.items import (
    BlockItem,
    CodeItem,
    FigureItem,
    HeadingItem,
    Item,
    LinesItem,
    ReferenceItem,
    TableItem,
)
from pincite_papers.latex.resolve import Resolver
from pincite_papers.latex.tex import Tex
from pincite_papers.markup import CellDraft, PaperBuilder, Run
from pincite_papers.model import Paper, SourceFormat
from pincite_papers.references.identifiers import find_arxiv, find_doi, find_pmid

_MOST_SHOWN = 8
"""Names that a warning lists."""


def emit(tex: Tex, data: bytes, parser: str) -> Paper:
    """The Paper of what was read."""
    resolver = Resolver(tex)
    builder = PaperBuilder(SourceFormat.LATEX, parser)
    builder.title = tex.front.title[0] if tex.front.title else ""
    builder.authors = author_names(tex)
    builder.keywords = front.keyword_list(tex)
    builder.year = front.year(tex)
    builder.journal = tex.front.journal or None
    builder.doi = first_doi(tex.front.doi)
    for item in tex.items:
        _emit(builder, item, resolver)
    builder.warnings += _warnings(tex, resolver)
    return builder.build(data)


def _emit(builder: PaperBuilder, item: Item, resolver: Resolver) -> None:
    def run(content: Inline) -> Run:
        return content.run(resolver)

    if isinstance(item, BlockItem):
        builder.add_block(item.kind, run(item.content))
    elif isinstance(item, CodeItem):
        builder.add_code(item.text)
    elif isinstance(item, LinesItem):
        builder.add_code("\n".join(indent + str(run(content)) for indent, content in item.lines))
    elif isinstance(item, HeadingItem):
        title = run(item.content)
        # The run starts with the number, so that none is looked for in a title such as "Introduction" of section I.
        whole = Run().add(f"{item.number} ").add_run(title) if item.number else title
        builder.add_heading(whole, level=item.level, number=item.number)
    elif isinstance(item, TableItem):
        cells = [
            CellDraft(cell.row, cell.column, run(cell.content), cell.row_span, cell.column_span, cell.header)
            for cell in item.cells
        ]
        caption = run(item.caption) if item.caption is not None else None
        builder.add_table(cells, label=item.label, caption=caption, notes=[run(note) for note in item.notes])
    elif isinstance(item, FigureItem):
        builder.add_figure(
            label=item.label,
            caption=run(item.caption) if item.caption is not None else None,
            graphics=item.graphics,
            panels=[(panel.letter, run(panel.caption) if panel.caption else None) for panel in item.panels],
        )
    elif isinstance(item, ReferenceItem):
        _emit_reference(builder, item, resolver)


def _emit_reference(builder: PaperBuilder, item: ReferenceItem, resolver: Resolver) -> None:
    key = resolver.printed_key(item.anchor)
    content = Run()
    if resolver.shows_keys:
        content.add(f"[{key}] ")
    content.add_run(item.content.run(resolver))
    lines = [str(content), *item.links]
    links = [link for link in item.links if link]
    builder.add_reference(
        content,
        key=key,
        anchor=item.anchor,
        doi=_first(find_doi, links, lines),
        arxiv=_first(find_arxiv, links, lines),
        pmid=_first(find_pmid, links, lines),
    )


def _first(find: Callable[[Sequence[str]], str | None], links: list[str], lines: list[str]) -> str | None:
    return next((found for line in [*links, lines[0]] if (found := find([line])) is not None), None)


def _warnings(tex: Tex, resolver: Resolver) -> list[str]:
    found = [*tex.files.said(), *tex.warnings]
    if tex.reader.endless:
        found.append(f"Macros that call themselves without end were left out: {', '.join(tex.reader.endless)}.")
    if tex.acronyms.missing:
        listed = ", ".join(list(tex.acronyms.missing)[:_MOST_SHOWN])
        found.append(f"Acronyms that the source does not define, printed by their labels: {listed}.")
    if tex.unknown:
        shown = ", ".join(
            f"{name} ({count})" if count > 1 else name for name, count in tex.unknown.most_common(_MOST_SHOWN)
        )
        more = f" and {len(tex.unknown) - _MOST_SHOWN} more" if len(tex.unknown) > _MOST_SHOWN else ""
        found.append(f"Commands that are not known, their arguments read as text: {shown}{more}.")
    return [*found, *resolver.warnings()]
