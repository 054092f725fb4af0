"""Documents: the papers of a folder by their names, so that the context of one may reach into works that it cites, and
into works that cite it."""

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


_WHOLE_PAPER = 2
"""Steps from a table or figure to a work that cites the paper: the paper that holds it, and the work. Stated here: a
citation from outside names the paper, not one of its figures."""


@dataclass(frozen=True, slots=True)
class Document:
    """A paper of the folder, as far as another one's context may show it."""

    paper_id: str
    title: str
    abstract: str
    names: frozenset[str]
    """DOI and arXiv number, in lower case."""
    cites: frozenset[str]
    """The same of the works in its reference list."""
    entries: tuple[str, ...]
    """Letters and digits of the entries of its reference list."""

    @classmethod
    def of(cls, paper: Paper) -> "Document":
        """Of an opened paper."""
        spans = (Span(block.start, block.end) for block in paper.blocks if block.kind is BlockKind.ABSTRACT)
        return cls(
            paper.paper_id,
            paper.title,
            "\n".join(on_one_line(paper, span) for span in spans),
            _names(paper.doi, paper.metadata.get("arxiv")),
            frozenset(name for entry in paper.references for name in _names(entry.doi, entry.arxiv)),
            tuple(_bare(paper.text[entry.start : entry.end]) for entry in paper.references),
        )


@dataclass(slots=True)
class Documents:
    """The documents of a folder; those without an abstract have nothing to show and are left out."""

    _all: list[Document] = field(default_factory=list[Document])
    _by_name: dict[str, Document] = field(default_factory=dict[str, Document])
    _by_title: dict[str, Document] = field(default_factory=dict[str, Document])

    @classmethod
    def of(cls, papers: Iterable[Paper]) -> "Documents":
        """Of opened papers; of two with one name the first counts."""
        made = cls()
        for document in map(Document.of, papers):
            if not document.abstract:
                continue
            made._all.append(document)
            for name in document.names:
                made._by_name.setdefault(name, document)
            if len(title := _bare(document.title)) >= _LEAST_TITLE:
                made._by_title.setdefault(title, document)
        return made

    def cited(self, paper: Paper, graph: Graph, reached: Mapping[int, int], depth: int) -> list[Document]:
        """The documents that the context of ``paper`` reaches within ``depth`` steps, in the order of its references:
        those that a node cites which is itself fewer steps away. A step into another document reaches its title and
        abstract (stated here)."""
        if not self._all:
            return []
        near = (node for node, steps in reached.items() if steps < depth)
        targets = {edge.target for node in near for edge in graph.outgoing.get(node, ())}
        starts = {span.start for node in targets if (span := graph.nodes[node].span) is not None}
        found = (self._find(paper, entry) for entry in paper.references if entry.start in starts)
        return list({one.paper_id: one for one in found if one is not None and one.paper_id != paper.paper_id}.values())

    def citing(self, paper: Paper, depth: int) -> list[Document]:
        """The documents that cite ``paper``, by their titles, where ``depth`` reaches them: an entry of their reference
        lists has its DOI or arXiv number, or its title."""
        if depth < _WHOLE_PAPER:
            return []
        names, title = _names(paper.doi, paper.metadata.get("arxiv")), _bare(paper.title)
        found: list[Document] = []
        for document in self._all:
            titled = len(title) >= _LEAST_TITLE and any(title in entry for entry in document.entries)
            another = document.paper_id != paper.paper_id and not names & document.names
            if another and (titled or names & document.cites):
                found.append(document)
        return sorted(found, key=lambda document: document.title)

    def _find(self, paper: Paper, entry: Reference) -> Document | None:
        for name in (entry.doi, entry.arxiv):
            if name and (document := self._by_name.get(name.casefold())):
                return document
        text = _bare(paper.text[entry.start : entry.end])
        return next((document for title, document in self._by_title.items() if title in text), None)


def _names(*names: str | None) -> frozenset[str]:
    """Those that are there, in lower case."""
    return frozenset(name.casefold() for name in names if name)


def _bare(text: str) -> str:
    """Letters and digits alone, without case."""
    return _OTHER.sub("", text.casefold())
