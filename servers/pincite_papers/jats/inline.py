"""Inline content of a JATS article as runs: scripts, formulas, links, and citations with the entries they name."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pincite_core.characters import DASHES, HYPHENS, MINUS
from pincite_papers.jats.formulas import formula_run, is_formula
from pincite_papers.jats.sink import Sink
from pincite_papers.jats.tex import TexFormulas
from pincite_papers.markup import Run
from pincite_papers.markup.elements import Element, href, plain_text

_RANGE = re.compile(rf"[\s\])]*[-{HYPHENS}{DASHES}{MINUS}][\s\[(]*")
_WIDEST_RANGE = 200
"""Entries of a range of citations; a wider one is not one. Set by judgement."""
_NAMED = re.compile(r"(?:doi|pmid|pmcid|arxiv)\W*$", re.IGNORECASE)
IDENTIFIERS = {"doi": "doi:", "pmid": "PMID: ", "pmcid": "PMCID: ", "pmc": "PMCID: ", "arxiv": "arXiv:"}
"""What print sets before an identifier of each kind."""

# fmt: off
BLOCKS = frozenset({
    "list", "def-list", "preformat", "code", "disp-quote", "disp-formula", "disp-formula-group", "boxed-text",
    "statement", "verse-group", "speech", "table-wrap", "table-wrap-group", "fig", "fig-group",
    "supplementary-material", "media", "fn", "fn-group", "array", "question-wrap", "graphic", "chem-struct-wrap",
})
"""What ends a paragraph that it stands in (floats and notes: what is put behind it)."""
_SILENT = frozenset({
    "object-id", "alt-text", "long-desc", "permissions", "index-term", "index-term-range-end", "glyph-data",
    "processing-meta", "attrib-ref", "journal-id", "issue-title-ref", "textual-form-ref",
})
# fmt: on


@dataclass(slots=True)
class Inline:
    """Turns inline content into runs. ``entries`` are the anchors of the reference list in order.

    ``lost`` counts pictures that stand for text and have none.
    """

    entries: dict[str, int]
    labels: Callable[[str], str]
    lost: int = 0
    tex: TexFormulas = field(default_factory=TexFormulas)
    _order: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self._order = list(self.entries)

    def run(self, element: Element, *, without: Sequence[str] = ()) -> Run:
        """The whole content of an element; block elements in it are made inline."""
        sink = Sink()
        self.fill(element, sink, without=without)
        return sink.run

    def fill(self, element: Element, sink: Sink, *, italic: bool = False, without: Sequence[str] = ()) -> None:
        """Append the content of an element, its own tail left out."""
        if element.text:
            sink.run.add(element.text, italic=italic)
        children = list(element)
        index = 0
        while index < len(children):
            child = children[index]
            if child.tag == "xref" and self._anchors(child):
                index = self._cite(children, index, sink)
                child = children[index]
            elif child.tag not in without:
                self.fill_child(child, sink, italic=italic)
            if child.tail:
                sink.run.add(child.tail, italic=italic)
            index += 1

    def fill_child(self, child: Element, sink: Sink, *, italic: bool = False) -> None:
        """Append a child, its tail left out."""
        tag = child.tag
        if tag in ("italic", "i", "em"):
            self.fill(child, sink, italic=True)
        elif tag in ("sup", "sub"):
            inner = Sink()
            self.fill(child, inner, italic=italic)
            sink.run.add_script(1 if tag == "sup" else -1, inner.run)
        elif tag in BLOCKS and sink.block is not None:
            sink.block(child)
        elif is_formula(child):
            self._formula(child, sink)
        elif tag in ("pub-id", "object-id") and (name := _identifier_name(child)):
            sink.run.add(name + plain_text(child))
        elif tag in _SILENT:
            return
        elif tag in ("inline-graphic", "graphic", "inline-media", "chem-struct-wrap") and not len(child):
            self.lost += 1
            sink.run.add("[image]")
        else:
            self._other(child, sink, italic=italic)

    def _other(self, child: Element, sink: Sink, *, italic: bool) -> None:
        tag = child.tag
        if tag in ("break", "br"):
            sink.run.add(" ")
        elif tag in ("p", "list", "list-item", "def-list", "def-item", "title", "td", "th", "tr", "disp-quote", "fn"):
            sink.run.add(" ")
            self.fill(child, sink, italic=italic)
            sink.run.add(" ")
        elif tag == "alternatives":
            self.fill(_best(child), sink, italic=italic)
        elif tag in ("inline-graphic", "graphic", "inline-media"):
            sink.run.add(plain_text(child.find("alt-text")) or "[image]")
        elif tag in ("ext-link", "uri", "xref") and not plain_text(child):
            sink.run.add(self.labels(child.get("rid", "")) if tag == "xref" else href(child))
        elif tag == "name":
            sink.run.add_run(self.name(child))
        elif tag == "person-group" and not (child.text or "").strip():
            self._people(child, sink)
        elif tag == "rt":
            sink.run.add("(")
            self.fill(child, sink, italic=italic)
            sink.run.add(")")
        else:
            self.fill(child, sink, italic=italic)

    def _formula(self, child: Element, sink: Sink) -> None:
        run = formula_run(child, self)
        if run:
            sink.run.add_run(run)
        else:
            self.lost += 1
            sink.run.add("[formula]")

    def name(self, name: Element) -> Run:
        """A personal name in the order of the source, its parts parted by spaces."""
        run = Run().add(name.text or "")
        for part in name:
            if len(part):
                run.add_run(self.run(part).stripped())
            else:
                run.add((part.text or "").strip())
            run.add(part.tail or ("" if part.getnext() is None else " "))
        return run.stripped()

    def _people(self, group: Element, sink: Sink) -> None:
        """A group of names, parted by commas where the source sets nothing between them."""
        bare = not any((member.tail or "").strip() for member in group)
        for member in group:
            if bare and not plain_text(member) and member.tag != "etal":
                continue
            if bare and member.getprevious() is not None:
                sink.run.add(", ")
            self.fill_child(member, sink)
            sink.run.add("" if bare else member.tail or "")

    def _anchors(self, xref: Element) -> list[str]:
        if xref.get("ref-type", "bibr") != "bibr":
            return []
        return [rid for rid in xref.get("rid", "").split() if rid in self.entries]

    def _cite(self, children: Sequence[Element], index: int, sink: Sink) -> int:
        """Append the citation at ``index`` and, of a range, what stands up to its end; returns the last one's index."""
        last = self._range_end(children, index)
        anchors = self._anchors(children[index])
        members = children[index : last + 1]
        if last > index:
            anchors = self._between(anchors[-1], self._anchors(children[last])[0]) or anchors
            anchors = list(dict.fromkeys([*self._anchors(children[index]), *anchors, *self._anchors(children[last])]))
        raised = [_raised(member) for member in members]
        inner = Sink()
        for member, up in zip(members, raised, strict=True):
            self.fill(up if up is not None and all(one is not None for one in raised) else member, inner)
            if not plain_text(member):
                inner.run.add(self.labels(member.get("rid", "")))
            if member is not members[-1]:
                inner.run.add(member.tail or "")
        cited = Run().add_citation(anchors, inner.run)
        if all(one is not None for one in raised):
            sink.run.add_script(1, cited)
        else:
            sink.run.add_run(cited)
        return last

    def _range_end(self, children: Sequence[Element], index: int) -> int:
        """The index of the citation that ends the range begun at ``index``; ``index`` itself where it begins none."""
        between = children[index].tail or ""
        for at in range(index + 1, min(index + 3, len(children))):
            child = children[at]
            if child.tag == "xref" and _RANGE.fullmatch(between):
                return at if self._anchors(child) else index
            if child.tag != "sup" or len(child):
                return index
            between += (child.text or "") + (child.tail or "")
        return index

    def _between(self, first: str, last: str) -> list[str]:
        low, high = self.entries[first], self.entries[last]
        return self._order[low : high + 1] if 0 < high - low < _WIDEST_RANGE else []


def _identifier_name(identifier: Element) -> str:
    """What to write before an identifier in a citation, "" where it stands there already or it is in none."""
    name = IDENTIFIERS.get(identifier.get("pub-id-type", "").lower(), "")
    parent, previous = identifier.getparent(), identifier.getprevious()
    if not name or parent is None or not parent.tag.endswith("citation"):
        return ""
    before = (previous.tail if previous is not None else parent.text) or ""
    return "" if _NAMED.search(before) else name


def _raised(element: Element) -> Element | None:
    """The ``sup`` that is all that an element holds, or the element itself if it is such a ``sup``."""
    if element.tag == "sup":
        return element
    if len(element) != 1 or (element.text or "").strip() or (element[0].tail or "").strip():
        return None
    return element[0] if element[0].tag == "sup" else None


def _best(alternatives: Element) -> Element:
    """The alternative that reads best: text before a picture."""
    for child in alternatives:
        if child.tag not in ("graphic", "inline-graphic", "media", "inline-media", "inline-supplementary-material"):
            return child
    return alternatives[0] if len(alternatives) else alternatives
