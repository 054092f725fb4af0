"""Document: the pages of a paper as one flow of blocks, with what is known about its parts."""

from dataclasses import dataclass, field

from pincite_papers.model import BlockKind, Figure, Furniture, FurnitureKind, Rect, Reference, Table
from pincite_papers.pdf.assemble import Assembled
from pincite_papers.pdf.continued import join_tables
from pincite_papers.pdf.floats import Floats, find_floats
from pincite_papers.pdf.furniture import set_furniture_apart
from pincite_papers.pdf.hyphens import Hyphenation
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.closing import mark_closing
from pincite_papers.pdf.layout.dropcaps import join_drop_caps
from pincite_papers.pdf.layout.equations import join_equations
from pincite_papers.pdf.layout.flow import flow_page, join_flow
from pincite_papers.pdf.layout.front import find_title, mark_front, mark_running_titles, mark_small_print
from pincite_papers.pdf.layout.headings import join_headings, mark_headings, outline_levels, part_abstract, set_levels
from pincite_papers.pdf.layout.measures import Leading, body_style
from pincite_papers.pdf.layout.pages import WITHHELD, ReadPage
from pincite_papers.pdf.layout.paragraphs import split_paragraphs
from pincite_papers.pdf.layout.pullquotes import mark_pull_quotes
from pincite_papers.pdf.layout.runin import part_run_in
from pincite_papers.pdf.metadata import Metadata
from pincite_papers.pdf.ocr.noise import noise_of, unmark_noise
from pincite_papers.pdf.references import cut_references
from pincite_papers.references import ReferenceDraft


@dataclass(slots=True)
class Document:
    """The blocks of a paper in reading order and the drafts behind its tables, figures and references."""

    flow: list[Draft]
    furniture: list[list[Furniture]]
    hyphenation: Hyphenation
    floats: list[Floats]
    title: Draft | None = None
    authors: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list[str])

    def tables(self, assembled: Assembled) -> tuple[Table, ...]:
        """The tables with the ranges of their cells."""
        return join_tables(self.floats, assembled)

    def figures(self, assembled: Assembled) -> tuple[Figure, ...]:
        """The figures with the ranges of their captions and text."""
        return tuple(figure for part in self.floats for figure in part.to_figures(assembled))

    def references(self) -> tuple[Reference, ...]:
        """The entries of the reference lists."""
        found: list[Reference] = []
        for draft in self.flow:
            if draft.kind is BlockKind.REFERENCE and isinstance(draft.source, ReferenceDraft):
                span, entry = draft.place, draft.source
                page, identifiers = draft.page + 1, (entry.doi, entry.arxiv, entry.pmid)
                found.append(Reference(entry.key, span.start, span.end, page, *identifiers))
        return tuple(found)

    def warnings(self, assembled: Assembled) -> list[str]:
        """What the parser could not do."""
        doubtful = sum(span.end - span.start for span in assembled.suspects)
        suspects = [f"{doubtful} characters are suspect: zoom before quoting them."] if doubtful else []
        return [*self.notes, *suspects]


def read_document(pages: list[ReadPage], metadata: Metadata) -> Document:
    """The blocks of the pages in reading order."""
    layouts = [page.layout for page in pages]
    furniture = set_furniture_apart(layouts)
    notes = [note for page, apart in zip(pages, furniture, strict=True) for note in _set_hidden_apart(page, apart)]
    notes += _note_scans(pages)
    join_drop_caps(layouts)
    body = body_style(layouts)
    leading = Leading(layouts)
    floats = find_floats(layouts, body)
    hyphenation = Hyphenation(line for layout in layouts for line in layout.lines)
    flows = [
        flow_page(split_paragraphs(k, part.running, leading), part.drafts, layouts[k].width)
        for k, part in enumerate(floats)
    ]
    for k, page in enumerate(pages):
        flows[k] += [Draft(BlockKind.FOOTNOTE, [(k, line) for line in page.ruby])] if page.ruby else []
    mark_headings([draft for flow in flows for draft in flow], body, metadata.outline)
    is_noise = noise_of(pages)
    unmark_noise((draft for flow in flows for draft in flow), is_noise)
    flows = [join_headings(flow, body) for flow in flows]
    mark_pull_quotes(flows, body)
    mark_small_print(flows, body)
    flow = join_flow(
        [join_equations(page_flow, body, layout.rules) for page_flow, layout in zip(flows, layouts, strict=True)]
    )
    levels = outline_levels(metadata.outline)
    _rank_headings(flow, levels)
    document = Document(flow, furniture, hyphenation, floats, notes=notes)
    document.title = find_title(flow, body, metadata.fields.get("title", ""), is_noise)
    document.authors = mark_front(flow, document.title, body)
    mark_running_titles(flow, document.title, document.authors)
    document.flow = part_run_in(cut_references(flow), body)
    mark_closing(document.flow)
    _rank_headings(document.flow, levels)
    return document


def _set_hidden_apart(page: ReadPage, apart: list[Furniture]) -> list[str]:
    """Keep text that nobody can see out of the canonical text, with a warning that says why it cannot be seen."""
    count = 0
    for reason, lines in page.hidden.items():
        for line in lines:
            box = Rect(line.x0, line.y0, line.x1, line.y1)
            apart.append(Furniture(FurnitureKind.HIDDEN, line.text, box, reason))
            count += len(line.text) if reason != WITHHELD else 0
    if not count:
        return []
    why = ", ".join(reason for reason in page.hidden if reason != WITHHELD)
    return [f"Page {page.layout.number}: {count} characters that cannot be seen were set apart ({why})."]


def _note_scans(pages: list[ReadPage]) -> list[str]:
    """A warning that names the pages whose text was never set but recognised, by whoever scanned them."""
    numbers = [page.layout.number for page in pages if page.scanned]
    if not numbers:
        return []
    which = f"page {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} pages from {numbers[0]} to {numbers[-1]}"
    return [f"The text of {which} is the text layer under a page image: zoom before quoting it."]


def _rank_headings(flow: list[Draft], levels: dict[str, int]) -> None:
    set_levels([draft for draft in flow if draft.kind is BlockKind.HEADING], levels)
    part_abstract(flow)
