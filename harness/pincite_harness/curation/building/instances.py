"""Instances: reference analyses, the paragraphs of a paper that analyse its tables and figures, and their filters."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from pincite_harness.curation.building.floats import Float, lacks_content, on_one_line
from pincite_harness.curation.building.options import BuildOptions
from pincite_papers.graph import Graph
from pincite_papers.model import BlockKind, Paper, Span
from pincite_papers.passages import section_at, sentence_breaks, suspects_in
from pincite_scoring.figure_analysis.metrics.tokens import split_words

WITHOUT_PICTURE = "about a figure whose picture is not there"
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})
_LEAST_LETTERS = 0.7
"""Share of letters and blanks from which a paragraph is prose. Set by judgement."""
_LEAST_SENTENCES = 2
"""Sentences of an analysis at least."""
_LEAST_NAMING = 0.25
"""Share of its mentions that a paragraph must give to a table or figure to be about it. Set by judgement."""
_OFTEN = 2
"""Mentions from which a paragraph is about a table or figure whatever else it names. Set by judgement."""
_OPENING = 25
"""Characters of a sentence in which it opens with what it names ("As shown in Table 2")."""
_METHODS = re.compile(
    r"\b(?:methods?|methodology|materials and|procedures?|protocol|participants)\b|"
    r"^experimental(?: section| setup| details)?$",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"[a-z]+[ ,]")
_ENDING = re.compile(r"[.!?:][)\]”’\"']*(?:\s?\[[\d,–\- ]+\])?\s*$")


@dataclass(frozen=True, slots=True)
class Instance:
    """A reference analysis: its floats, its paragraphs (nodes and ranges), the section that it stands in."""

    floats: tuple[Float, ...]
    nodes: tuple[int, ...]
    spans: tuple[Span, ...]
    section: str

    def text(self, paper: Paper) -> str:
        """The analysis, its paragraphs apart by an empty line."""
        return "\n\n".join(on_one_line(paper, span) for span in self.spans)

    def captions(self, paper: Paper) -> list[str]:
        """The captions of its floats, each on one line."""
        return [on_one_line(paper, one.caption) for one in self.floats]


@dataclass(slots=True)
class Candidates:
    """The instances that passed, and how many did not, by reason."""

    kept: list[Instance] = field(default_factory=list[Instance])
    dropped: Counter[str] = field(default_factory=Counter[str])


def find_instances(
    paper: Paper, graph: Graph, floats: Mapping[int, Float], without_picture: frozenset[int], options: BuildOptions
) -> Candidates:
    """The analyses of a paper; ``without_picture`` are nodes of figures whose picture cannot be had.

    Stated here: neighbouring paragraphs of a section that name the same floats are one analysis; of several analyses of
    the same floats the one that names them in most sentences counts, for a query could not tell them apart.
    """
    candidates = Candidates()
    best: dict[tuple[Float, ...], tuple[int, Instance]] = {}
    for instance in _groups(paper, graph, floats):
        mentions = _mentions(paper, graph, instance)
        naming = len(mentions) - mentions.count(None)
        reason = _fault(paper, instance, without_picture, options) or _aside(paper, instance, mentions)
        if reason:
            candidates.dropped[reason] += 1
        elif instance.floats not in best:
            best[instance.floats] = (naming, instance)
        else:
            candidates.dropped["of tables and figures that a fuller one is about"] += 1
            best[instance.floats] = max(best[instance.floats], (naming, instance), key=lambda pair: pair[0])
    kept = sorted((instance for _, instance in best.values()), key=lambda instance: instance.spans[0].start)
    candidates.kept = kept[: options.per_paper]
    if len(kept) > len(candidates.kept):
        candidates.dropped["beyond the tasks of one paper"] += len(kept) - len(candidates.kept)
    return candidates


def _groups(paper: Paper, graph: Graph, floats: Mapping[int, Float]) -> Iterator[Instance]:
    """Runs of paragraphs that name the same floats; a paragraph that names none ends a run."""
    nodes: list[int] = []
    before: tuple[tuple[int, ...], str] = ((), "")
    for node in [*_paragraphs(paper, graph), None]:
        key = ((), "") if node is None else (_named(graph, floats, node), section_at(paper, _span(graph, node).start))
        if nodes and key != before:
            yield Instance(
                tuple(floats[one] for one in before[0]), tuple(nodes), tuple(_span(graph, n) for n in nodes), before[1]
            )
            nodes = []
        before = key
        if node is not None and key[0]:
            nodes.append(node)


def _paragraphs(paper: Paper, graph: Graph) -> list[int]:
    """The nodes of the paragraphs of the body, in order."""
    starts = {block.start for block in paper.blocks if block.kind in _PROSE}
    return [
        index
        for index, node in enumerate(graph.nodes)
        if node.kind == "passage" and node.span is not None and node.span.start in starts
    ]


def _named(graph: Graph, floats: Mapping[int, Float], node: int) -> tuple[int, ...]:
    return tuple(sorted({edge.target for edge in graph.outgoing.get(node, ()) if edge.target in floats}))


def _span(graph: Graph, node: int) -> Span:
    span = graph.nodes[node].span
    assert span is not None
    return span


def _fault(paper: Paper, instance: Instance, without_picture: frozenset[int], options: BuildOptions) -> str:
    """Why an analysis makes no task, "" where it may."""
    text = instance.text(paper)
    words = len(split_words(text))
    letters = sum(char.isalpha() or char.isspace() for char in text)
    sentences = sum(len(sentence_breaks(paper.text, span.start, span.end)) + 1 for span in instance.spans)
    if words < options.least_words:
        return "shorter than the least words"
    if words > options.most_words:
        return "longer than the most words"
    if len(instance.floats) > options.most_floats:
        return "about too many tables and figures"
    if sentences < _LEAST_SENTENCES:
        return "of one sentence only"
    if letters < _LEAST_LETTERS * len(text):
        return "of formulas or data rather than prose"
    if _CONTINUED.match(text):
        return "that begin in the middle of a sentence"
    if not _ENDING.search(text):
        return "that end in the middle of a sentence"
    if any(suspects_in(paper, span.start, span.end) or _recognised(paper, span) for span in instance.spans):
        return "with characters that cannot be trusted"
    if any(one.kind == "table" and lacks_content(paper.tables[one.index]) for one in instance.floats):
        return "about a table without content"
    if any(one.node in without_picture for one in instance.floats):
        return WITHOUT_PICTURE
    return ""


def _mentions(paper: Paper, graph: Graph, instance: Instance) -> list[int | None]:
    """For each sentence the characters before it first names one of the instance's floats; None where it does not."""
    own = {one.node for one in instance.floats}
    at = sorted(edge.start for node in instance.nodes for edge in graph.outgoing.get(node, ()) if edge.target in own)
    found: list[int | None] = []
    for span in instance.spans:
        edges = [span.start, *sentence_breaks(paper.text, span.start, span.end), span.end]
        for low, high in pairwise(edges):
            first = bisect_left(at, low)
            found.append(at[first] - low if first < bisect_left(at, high) else None)
    return found


def _aside(paper: Paper, instance: Instance, mentions: list[int | None]) -> str:
    """A reason where a passage is about something else than its floats: it names them once, not at the beginning, among
    many sentences; or it describes methods, and no sentence opens with them."""
    naming = len(mentions) - mentions.count(None)
    if naming < _OFTEN and mentions[0] is None and naming < _LEAST_NAMING * len(mentions):
        return "that name their tables and figures in passing"
    start = instance.spans[0].start
    around = [section.title for section in paper.sections if section.start <= start < section.end]
    opened = any(before is not None and before < _OPENING for before in mentions)
    if any(map(_METHODS.search, around)) and not opened:
        return "of methods that only point to their tables and figures"
    return ""


def _recognised(paper: Paper, span: Span) -> bool:
    """Whether a part of the span was read by OCR."""
    at = bisect_right(paper.recognised, span.start, key=lambda one: one.end)
    return at < bisect_left(paper.recognised, span.end, key=lambda one: one.start)
