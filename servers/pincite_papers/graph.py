"""The reference graph of a paper: which passages, figures, tables, sections, equations and references name which."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pincite_papers.labels import Label, LabelKind, plain_number, read_label
from pincite_papers.mentions import Mention, find_mentions
from pincite_papers.model import BlockKind, Paper, Span
from pincite_papers.passages import PerPaper, section_name

_EQUATION_NUMBER = re.compile(r"\((?P<number>[A-Z]?\.?\d{1,3})\)\s*$")
_SILENT = (
    BlockKind.HEADING,
    BlockKind.TABLE,
    BlockKind.FIGURE,
    BlockKind.REFERENCE,
    BlockKind.TITLE,
    BlockKind.AUTHORS,
)
"""Blocks that are not passages: part of another node, or raised numbers in them are affiliations."""


@dataclass(frozen=True, slots=True)
class Node:
    """Something that names or is named: ``span`` is its own text, None when the paper only speaks of it."""

    kind: str
    name: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Edge:
    """The node ``source`` names the node ``target`` in ``text[start:end]``."""

    source: int
    target: int
    start: int
    end: int


@dataclass(slots=True)
class Graph:
    """Nodes by index, the node of each label, edges by source and by target; ``owners``: (end, node) at ``starts``."""

    nodes: list[Node] = field(default_factory=list[Node])
    labels: dict[Label, int] = field(default_factory=dict[Label, int])
    outgoing: dict[int, list[Edge]] = field(default_factory=lambda: defaultdict[int, list[Edge]](list))
    incoming: dict[int, list[Edge]] = field(default_factory=lambda: defaultdict[int, list[Edge]](list))
    starts: list[int] = field(default_factory=list[int])
    owners: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def node_at(self, offset: int) -> int | None:
        """The node whose text holds the offset."""
        at = bisect_right(self.starts, offset) - 1
        if at >= 0 and offset < self.owners[at][0]:
            return self.owners[at][1]
        return None

    def edges_within(self, span: Span) -> Iterator[Edge]:
        """The edges whose mention stands in the span."""
        for edges in self.outgoing.values():
            yield from (edge for edge in edges if span.start <= edge.start < span.end)


def build_graph(paper: Paper) -> Graph:
    """The graph of a paper; linear in its text but for sorting."""
    graph = Graph()
    owned: list[tuple[int, int, int]] = []
    entries: list[int] = []
    for kind, label, name, spans in [*_sections(paper), *_floats(paper), *_equations(paper), *_references(paper)]:
        index = len(graph.nodes)
        if kind is LabelKind.REFERENCE:
            entries.append(index)
        graph.nodes.append(Node(kind.value, name, spans[0] if spans else None))
        for one in label:
            graph.labels.setdefault(Label(kind, one), index)
        owned += [(span.start, span.end, index) for span in spans]
    taken = {start for start, _, _ in owned}
    for block in paper.blocks:
        if block.start not in taken and block.kind not in _SILENT:
            owned.append((block.start, block.end, len(graph.nodes)))
            graph.nodes.append(Node("passage", "", Span(block.start, block.end)))
    owned.sort()
    graph.starts = [start for start, _, _ in owned]
    graph.owners = [(end, index) for _, end, index in owned]
    _cite(graph, paper, entries)
    for mention in find_mentions(paper):
        _connect(graph, mention)
    return graph


graphs = PerPaper(build_graph)
"""The graphs of the papers in use."""


def _cite(graph: Graph, paper: Paper, entries: Sequence[int]) -> None:
    """Connect passages with the entries that they cite; what cites one entry ("12", "Smith 2020") is a name of it."""
    for citation in paper.citations:
        source = graph.node_at(citation.start)
        for place in citation.references:
            if source is not None and source != entries[place]:
                _join(graph, Edge(source, entries[place], citation.start, citation.end))
        if len(citation.references) == 1:
            text = paper.text[citation.start : citation.end].strip("[]() ")
            graph.labels.setdefault(Label(LabelKind.REFERENCE, text), entries[citation.references[0]])


def _join(graph: Graph, edge: Edge) -> None:
    graph.outgoing[edge.source].append(edge)
    graph.incoming[edge.target].append(edge)


def _connect(graph: Graph, mention: Mention) -> None:
    source = graph.node_at(mention.start)
    if source is None:
        return
    target = graph.labels.get(mention.label)
    if target is None:
        target = graph.labels[mention.label] = len(graph.nodes)
        kind = mention.label.kind
        graph.nodes.append(Node(kind.value, f"{kind.value} {mention.label.number}", None))
    if source != target:
        _join(graph, Edge(source, target, mention.start, mention.end))


_Drafts = Iterator[tuple[LabelKind, list[str], str, list[Span]]]


def _sections(paper: Paper) -> _Drafts:
    above: dict[int, str] = {}
    for section in paper.sections:
        above = {level: number for level, number in above.items() if level < section.level}
        numbers = [plain_number(section.number)] if section.number else []
        if numbers and above:
            numbers.append(plain_number(f"{above[max(above)]}{section.number}"))
        above[section.level] = section.number
        yield LabelKind.SECTION, numbers, section_name(section), [Span(section.start, section.heading_end)]


def _floats(paper: Paper) -> _Drafts:
    for figure in paper.figures:
        spans = [span for span in (figure.caption, figure.text) if span is not None]
        yield LabelKind.FIGURE, _numbers(figure.label), figure.label or "unlabelled figure", spans
    for table in paper.tables:
        spans = [span for span in (table.caption, Span(table.start, table.end)) if span is not None]
        yield LabelKind.TABLE, _numbers(table.label), table.label or "unlabelled table", spans


def _equations(paper: Paper) -> _Drafts:
    for block in paper.blocks:
        if block.kind is BlockKind.EQUATION:
            number = _EQUATION_NUMBER.search(paper.text[block.start : block.end])
            plain = [plain_number(number["number"])] if number else []
            name = f"Eq. ({number['number']})" if number else "unnumbered equation"
            yield LabelKind.EQUATION, plain, name, [Span(block.start, block.end)]


def _references(paper: Paper) -> _Drafts:
    for reference in paper.references:
        name = f"[{reference.key}]" if reference.key else "reference without a key"
        keys = [reference.key] if reference.key else []
        yield LabelKind.REFERENCE, keys, name, [Span(reference.start, reference.end)]


def _numbers(label: str) -> list[str]:
    read = read_label(label)
    return [read.number] if read is not None else []
