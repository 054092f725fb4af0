"""find_context: what a paper says about a figure, table, section, equation, reference or phrase, to some depth."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError
from pincite_core.locator import parse_locator
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_core.patterns import find_literal
from pincite_documents.search import folded
from pincite_papers import doubts
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.labels import Label, LabelKind, read_label
from pincite_papers.model import Paper, Span
from pincite_papers.passages import locate, ocr_confidence, on_page, section_at, sentence_around

if TYPE_CHECKING:
    from pincite_papers.graph import Edge, Graph

_QUOTE_CHARS = 400
"""Characters of the sentence around a mention that are quoted."""
_FRAME_CHARS = 300
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_STARTS = 20
"""Mentions that are followed further. Set by judgement."""
_MOST_PASSAGES = 200
"""Passages of one page, whatever ``max_chars`` allows. Set by judgement."""


class ContextPassage(TypedDict):
    """A passage at a number of hops from the target; ``quote`` is what ``locator`` names."""

    hop: int
    relation: str
    kind: str
    name: str
    section: str
    quote: str
    locator: str | None
    unreliable: NotRequired[str]
    ocr: NotRequired[float]


class ContextPassages(TypedDict):
    """Passages, the nearest first."""

    total: int
    passages: list[ContextPassage]
    next_cursor: str | None


def find_context(
    paper: Paper,
    target: Annotated[
        str, Field(description='"Fig. 3", "Table 2", "Sec. 4", "Eq. (1)", "[12]", a locator or a phrase')
    ],
    depth: Annotated[int, Field(ge=1, le=5, description="Steps along mentions, 1 for direct ones")] = 1,
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> ContextPassages:
    """Find what refers to a figure, table, section, equation, reference or phrase, and what that refers to."""
    target = doubts.bare(target)
    call = ("find_context", paper.paper_id, paper.parser, target, depth)
    start = decode_cursor(cursor, *call)
    from pincite_papers.graph import graphs

    graph = graphs.of(paper)
    steps = list(_walk(paper, graph, _start(paper, graph, target), depth))
    shown, after = fill_page(
        steps,
        start,
        lambda step: _passage(paper, graph, step),
        max_chars=max_chars - _FRAME_CHARS,
        max_items=_MOST_PASSAGES,
    )
    return ContextPassages(
        total=len(steps),
        passages=shown,
        next_cursor=encode_cursor(after, *call) if after < len(steps) else None,
    )


@dataclass(frozen=True, slots=True)
class Step:
    """A node reached: how far, how, and which part of the paper's text says so (None where there is none)."""

    node: int
    hop: int
    relation: str
    span: Span | None


def _start(paper: Paper, graph: "Graph", target: str) -> list[Step]:
    if target.startswith("pc:"):
        at = parse_locator(target)
        node = graph.node_at(at.start)
        if node is not None and at.end <= len(paper.text):
            return [Step(node, 0, "target", _around(paper, graph, node, at.start, max(at.end, at.start + 1)))]
        raise NotFoundError(
            f"No passage stands at {target}.", next="Copy a locator that a tool returned for this paper."
        )
    label = read_label(target)
    node = graph.labels.get(label) if label is not None else None
    if node is None and label is not None and label.kind is LabelKind.REFERENCE:
        raise NotFoundError(
            f"There is no reference {target!r}.", next="Look for it with list_references, which also searches names."
        )
    if node is None:
        node = graph.labels.get(Label(LabelKind.REFERENCE, target.strip(" []")))
    if node is None:
        node = _as_section(paper, graph, target)
    if node is not None:
        span = graph.nodes[node].span
        shown = _around(paper, graph, node, span.start, span.start) if span is not None else None
        return [Step(node, 0, "target" if shown else "target: spoken of, not recognised itself", shown)]
    return _phrase(paper, graph, target)


def _as_section(paper: Paper, graph: "Graph", target: str) -> int | None:
    """The node of the section with exactly this number or title."""
    wanted = target.strip().casefold()
    for section in paper.sections:
        if wanted in (section.title.casefold(), f"{section.number} {section.title}".strip().casefold()):
            return graph.node_at(section.start)
    return None


def _phrase(paper: Paper, graph: "Graph", phrase: str) -> list[Step]:
    steps: list[Step] = []
    for start, end in find_literal(folded.of(paper), phrase):
        node = graph.node_at(start)
        if node is not None and all(step.node != node for step in steps):
            steps.append(Step(node, 0, "holds the phrase", _around(paper, graph, node, start, end)))
        if len(steps) == _MOST_STARTS:
            break
    if not steps:
        raise NotFoundError(
            f"Nothing in this paper is called {phrase[:80]!r}, and the phrase does not stand in it.",
            next="Give a label that open_paper lists, or try shorter words with grep_paper.",
        )
    return steps


def _walk(paper: Paper, graph: "Graph", starts: list[Step], depth: int) -> Iterator[Step]:
    """Breadth-first over mentions, both ways; every node is entered once, a passage shown for each of its sentences."""
    seen = {step.node for step in starts}
    queue = deque(starts)
    yield from starts
    while queue:
        at = queue.popleft()
        if at.hop == depth:
            continue
        entered: set[int] = set()
        shown: set[tuple[int, Span | None]] = set()
        for other, edge, outgoing in _neighbours(paper, graph, at):
            if other in seen and other not in entered:
                continue
            step = _step(paper, graph, at, other, edge, outgoing)
            if (other, step.span) in shown:
                continue
            shown.add((other, step.span))
            if other not in entered:
                entered.add(other)
                seen.add(other)
                queue.append(step)
            yield step


def _neighbours(paper: Paper, graph: "Graph", at: Step) -> "list[tuple[int, Edge, bool]]":
    """The nodes that name this one, then those it names; a target section names what its passages name."""
    found = [(edge.source, edge, False) for edge in graph.incoming.get(at.node, ())]
    named = graph.outgoing.get(at.node, [])
    node = graph.nodes[at.node]
    if at.hop == 0 and node.kind == "section" and node.span is not None:
        whole = next(s for s in paper.sections if s.start == node.span.start)
        named = sorted(graph.edges_within(Span(whole.start, whole.end)), key=lambda edge: edge.start)
    return found + [(edge.target, edge, True) for edge in named]


def _step(paper: Paper, graph: "Graph", at: Step, other: int, edge: "Edge", outgoing: bool) -> Step:
    mention = paper.text[edge.start : edge.end]
    if outgoing:
        span = graph.nodes[other].span
        shown = _around(paper, graph, other, span.start, span.start) if span is not None else None
        return Step(other, at.hop + 1, f"named as {mention!r}", shown)
    return Step(other, at.hop + 1, f"says {mention!r}", _around(paper, graph, other, edge.start, edge.end))


def _around(paper: Paper, graph: "Graph", node: int, start: int, end: int) -> Span:
    """The part of the node's text to show for a mention in it."""
    span = graph.nodes[node].span or Span(start, end)
    bounds = (span.start, span.end) if span.start <= start < span.end else (start, end)
    here = on_page(paper, (start, end), bounds)
    return Span(*sentence_around(paper.text, (start, end), here, _QUOTE_CHARS))


def _passage(paper: Paper, graph: "Graph", step: Step) -> ContextPassage:
    node = graph.nodes[step.node]
    if step.span is None:
        return ContextPassage(
            hop=step.hop, relation=step.relation, kind=node.kind, name=node.name, section="", quote="", locator=None
        )
    start, end = step.span.start, step.span.end
    passage = ContextPassage(
        hop=step.hop,
        relation=step.relation,
        kind=node.kind,
        name=node.name,
        section=section_at(paper, start),
        quote=doubts.show(paper, start, end),
        locator=locate(paper, start, end),
    )
    unreliable = doubts.note(paper, start, end)
    if unreliable:
        passage["unreliable"] = unreliable
    ocr = ocr_confidence(paper, start, end)
    if ocr is not None:
        passage["ocr"] = ocr
    return passage
