"""Excerpt: the copy of a paper that a task gives: the context of its floats without the reference analysis."""

import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from html import escape

from pincite_harness.curation.building.documents import Document
from pincite_harness.curation.building.floats import Float, on_one_line, table_html
from pincite_papers.graph import Graph
from pincite_papers.model import BlockKind, Paper, Span

CITED = "Abstracts of works that are cited here"
CITING = "Abstracts of works that cite this paper"
"""The headings above what stands in other documents."""
_PART = re.compile(r"\([a-z]\)")
_FRONT = frozenset({BlockKind.ABSTRACT})


def write_excerpt(
    paper: Paper,
    graph: Graph,
    floats: Mapping[int, Float],
    reached: Container[int],
    hidden: Container[int],
    pictures: Mapping[int, Sequence[str]],
    others: Mapping[str, Sequence[Document]],
) -> str:
    """The excerpt as HTML that the documents server opens: title, abstract, headings, and the nodes ``reached`` but not
    ``hidden``, in the paper's order, with the entries of the reference list that any of them cites, and the abstracts
    of ``others``, the documents that the context reaches, by the heading above them.

    ``pictures`` are the names of the figures' files by node. A heading stands where something of its section does.
    """
    parts = sorted(_parts(paper, graph, floats, reached, hidden, pictures))
    head = [f"<title>{escape(paper.title)}</title>", f'<meta name="citation_title" content="{escape(paper.title)}">']
    head += [f'<meta name="citation_author" content="{escape(author)}">' for author in paper.authors]
    body = [f"<h1>{escape(paper.title)}</h1>"]
    body += [f"<p>{_flowing(paper, Span(b.start, b.end))}</p>" for b in paper.blocks if b.kind in _FRONT]
    open_section = None
    for start, html in parts:
        inside = [section for section in paper.sections if section.start <= start < section.end]
        section = inside[-1] if inside else None
        if section is not None and section is not open_section:
            level = min(section.level + 1, 6)
            heading = on_one_line(paper, Span(section.start, section.heading_end))
            body.append(f"<h{level}>{escape(heading)}</h{level}>")
        open_section = section
        body.append(html)
    for heading, documents in others.items():
        if documents:
            body.append(f"<h2>{escape(heading)}</h2>")
        for document in documents:
            body += [f"<h3>{escape(document.title)}</h3>", f"<p>{escape(document.abstract)}</p>"]
    cited = _cited(graph, reached)
    if cited:
        body += ["<h2>References</h2>", "<ul>", *(f"<li>{_flowing(paper, span)}</li>" for span in cited), "</ul>"]
    lines = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">', *head, "</head>"]
    return "\n".join([*lines, "<body>", "<article>", *body, "</article>", "</body>", "</html>", ""])


def _parts(
    paper: Paper,
    graph: Graph,
    floats: Mapping[int, Float],
    reached: Container[int],
    hidden: Container[int],
    pictures: Mapping[int, Sequence[str]],
) -> list[tuple[int, str]]:
    """Paragraphs and floats as HTML, each with where it stands."""
    found: list[tuple[int, str]] = []
    for index, node in enumerate(graph.nodes):
        if node.span is None or index not in reached or index in hidden:
            continue
        if index in floats:
            one = floats[index]
            found.append((one.caption.start, _float(paper, one, pictures.get(index, ()))))
        elif node.kind == "passage" and not _is_front(paper, node.span):
            found.append((node.span.start, f"<p>{_flowing(paper, node.span)}</p>"))
    return found


def _cited(graph: Graph, reached: Container[int]) -> list[Span]:
    """The entries of the reference list that nodes of the context name, in order."""
    edges = (edge for node, edges in graph.outgoing.items() if node in reached for edge in edges)
    nodes = (graph.nodes[edge.target] for edge in edges)
    spans = {node.span for node in nodes if node.kind == "reference" and node.span is not None}
    return sorted(spans, key=lambda span: span.start)


def _float(paper: Paper, one: Float, pictures: Sequence[str]) -> str:
    caption = " ".join(on_one_line(paper, span) for span in _captions(paper, one))
    if one.kind == "table":
        return table_html(paper.tables[one.index], caption)
    images = "".join(f'<img src="{escape(name)}" alt="">' for name in pictures)
    return f"<figure>{images}<figcaption>{escape(caption)}</figcaption></figure>"


def _captions(paper: Paper, one: Float) -> Iterator[Span]:
    """The caption, and those of the parts that follow it, as LaTeX's "(a) Mice"."""
    yield one.caption
    after = bisect_right(paper.blocks, one.caption.start, key=lambda block: block.start)
    for block in paper.blocks[after:]:
        if block.kind is not BlockKind.CAPTION or not _PART.match(paper.text, block.start):
            return
        yield Span(block.start, block.end)


def _is_front(paper: Paper, span: Span) -> bool:
    return any(block.start == span.start and block.kind in _FRONT for block in paper.blocks)


def _flowing(paper: Paper, span: Span) -> str:
    return escape(on_one_line(paper, span))
