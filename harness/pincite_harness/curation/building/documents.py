"""Documents: the papers of a folder by their names, so that the context of one may reach into works that it cites."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pincite_harness.curation.building.floats import on_one_line
from pincite_papers.graph import Graph
from pincite_papers.model import BlockKind, Paper, Reference, Span

_LEAST_TITLE = 25
"""Letters and digits of a title from which it tells a work in an entry of a reference list that has no identifier: the
titles of two works of one folder that share so much were not met (set by judgement)."""
_OTHER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Document:
    """A paper of the folder, as far as another one's context may show it."""

    paper_id: str
    title: str
    abstract: str
    names: frozenset[str]
    """DOI and arXiv number, in lower case."""

    @classmethod
    def of(cls, paper: Paper) -> "Document":
        """Of an opened paper."""
        spans = (Span(block.start, block.end) for block in paper.blocks if block.kind is BlockKind.ABSTRACT)
        names = (paper.doi, paper.metadata.get("arxiv"))
        known = frozenset(name.casefold() for name in names if name)
        return cls(paper.paper_id, paper.title, "\n".join(on_one_line(paper, span) for span in spans), known)


@dataclass(slots=True)
class Documents:
    """The documents of a folder; those without an abstract have nothing to show and are left out."""

    _by_name: dict[str, Document] = field(default_factory=dict[str, Document])
    _by_title: dict[str, Document] = field(default_factory=dict[str, Document])

    @classmethod
    def of(cls, papers: Iterable[Paper]) -> "Documents":
        """Of opened papers; of two with one name the first counts."""
        made = cls()
        for document in map(Document.of, papers):
            if not document.abstract:
                continue
            for name in document.names:
                made._by_name.setdefault(name, document)
            if len(title := _bare(document.title)) >= _LEAST_TITLE:
                made._by_title.setdefault(title, document)
        return made

    def cited(self, paper: Paper, graph: Graph, reached: Mapping[int, int], depth: int) -> list[Document]:
        """The documents that the context of ``paper`` reaches within ``depth`` steps, in the order of its references:
        those that a node cites which is itself fewer steps away. A step into another document reaches its title and
        abstract (stated here)."""
        if not self._by_name and not self._by_title:
            return []
        near = (node for node, steps in reached.items() if steps < depth)
        targets = {edge.target for node in near for edge in graph.outgoing.get(node, ())}
        starts = {span.start for node in targets if (span := graph.nodes[node].span) is not None}
        found = (self._find(paper, entry) for entry in paper.references if entry.start in starts)
        return list({one.paper_id: one for one in found if one is not None and one.paper_id != paper.paper_id}.values())

    def _find(self, paper: Paper, entry: Reference) -> Document | None:
        for name in (entry.doi, entry.arxiv):
            if name and (document := self._by_name.get(name.casefold())):
                return document
        text = _bare(paper.text[entry.start : entry.end])
        return next((document for title, document in self._by_title.items() if title in text), None)


def _bare(text: str) -> str:
    """Letters and digits alone, without case."""
    return _OTHER.sub("", text.casefold())
