"""Context: what stands within some steps of references of a paper's tables and figures, searched breadth first."""

from collections import deque
from collections.abc import Iterable, Iterator

from pincite_papers.graph import Graph
from pincite_papers.model import Paper

_KINDS = frozenset({"table", "figure", "section", "passage"})


def reach(paper: Paper, graph: Graph, starts: Iterable[int], depth: int) -> dict[int, int]:
    """The nodes within ``depth`` steps of ``starts``, with their distances, the nearest first.

    A step leads from a table, figure, section or paragraph to what it names and to what names it, and (stated here)
    from a section that is named to its paragraphs. What the paper only speaks of is not a node of the context.
    """
    found = dict.fromkeys(starts, 0)
    queue = deque(found)
    while queue:
        node = queue.popleft()
        if found[node] == depth:
            continue
        for other in _neighbours(paper, graph, node):
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


def _neighbours(paper: Paper, graph: Graph, node: int) -> Iterator[int]:
    named = [edge.target for edge in graph.outgoing.get(node, ())]
    naming = [edge.source for edge in graph.incoming.get(node, ())]
    inside = _passages_of(paper, graph, node) if graph.nodes[node].kind == "section" else []
    for other in dict.fromkeys((*named, *naming, *inside)):
        if graph.nodes[other].kind in _KINDS and graph.nodes[other].span is not None:
            yield other


def _passages_of(paper: Paper, graph: Graph, node: int) -> list[int]:
    """The paragraphs of a section, those of its subsections included."""
    span = graph.nodes[node].span
    section = next((one for one in paper.sections if span is not None and one.start == span.start), None)
    if section is None:
        return []
    return [
        index
        for index, one in enumerate(graph.nodes)
        if one.kind == "passage" and one.span is not None and section.heading_end <= one.span.start < section.end
    ]
