"""The blocks of a JATS article, in reading order: sections, paragraphs, lists, quotations, boxes, notes, appendices."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from pincite_papers.jats.floats import add_figure, add_supplement, add_table_wrap, caption_run
from pincite_papers.jats.formulas import equation_run
from pincite_papers.jats.front import byline, write_abstracts
from pincite_papers.jats.inline import Inline
from pincite_papers.jats.markers import first_number, list_marker
from pincite_papers.jats.references import add_references
from pincite_papers.jats.sink import Sink
from pincite_papers.markup import PaperBuilder, Run
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.model import BlockKind

# fmt: off
_FLOATS = frozenset({
    "table-wrap", "table-wrap-group", "fig", "fig-group", "supplementary-material", "media", "fn", "fn-group",
    "graphic", "chem-struct-wrap",
})
_UNPRINTED = frozenset({
    "title", "label", "caption", "sec-meta", "object-id", "permissions", "alt-title", "kwd-group", "index",
    "index-term", "processing-meta", "counts", "related-article", "related-object", "front", "front-stub",
    "journal-meta",
})
# fmt: on
_PRINTED_TITLES = {"ack": "Acknowledgements", "ref-list": "References"}
"""Headings that print gives to parts without a title of their own."""
_NUMBERED = re.compile(
    r"(?:Appendix\s+)?(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}\.|[IVX]{1,5}\.|[A-Z]\.(?:\d{1,2}\.?)?)(?=\s)"
)
# fmt: off
_CONTAINERS = frozenset({
    "body", "back", "sec", "app", "app-group", "ack", "notes", "glossary", "bio", "boxed-text", "floats-group",
    "floats-wrap", "statement", "disp-quote", "ref-list", "fn-group", "sub-article", "response",
    "table-wrap-group", "fig-group", "list", "def-list", "dedication",
})
# fmt: on


@dataclass(slots=True)
class Body:
    """Writes block elements to the builder. ``level`` is that of the section around (0 outside of all)."""

    builder: PaperBuilder
    inline: Inline
    level: int = 0

    def children(self, element: Element, kind: BlockKind = BlockKind.PARAGRAPH, *, titled: bool = False) -> None:
        """Write the blocks in an element; text of its own is a paragraph, and so is its title unless ``titled``."""
        if (element.text or "").strip():
            self.flow(element, kind)
            return
        if not titled:
            self.builder.add_block(kind, caption_run(element, self.inline) or Run())
        for child in element:
            if child.tag not in _UNPRINTED:
                self.block(child, kind)

    def block(self, element: Element, kind: BlockKind = BlockKind.PARAGRAPH) -> None:
        """Write one block element; one of unknown name is a paragraph, or holds blocks."""
        tag = element.tag
        handler = _HANDLERS.get(tag)
        if handler is not None:
            handler(self, element, kind)
        elif tag in ("p", "attrib", "td", "verse-line"):
            self.flow(element, kind)
        elif any(child.tag in _CONTAINERS or child.tag in _HANDLERS or child.tag == "p" for child in element):
            self.children(element, kind)
        else:
            self.flow(element, kind)

    def flow(self, element: Element, kind: BlockKind, lead: Run | None = None) -> None:
        """Write a paragraph, cut where a block stands in it; floats and notes in it come behind it."""
        behind: list[Element] = []
        sink = Sink(lead if lead is not None else Run())

        def cut(block: Element) -> None:
            if block.tag in _FLOATS:
                behind.append(block)
                if block.tag == "fn" and (label := plain_text(block.find("label"))):
                    sink.run.add_script(1, Run().add(label))
                return
            self.builder.add_block(kind, sink.run)
            sink.run = Run()
            self.block(block, kind)

        sink.block = cut
        self.inline.fill(element, sink)
        self.builder.add_block(kind, sink.run)
        for one in behind:
            self.block(one, kind)

    def section(self, element: Element, kind: BlockKind) -> None:
        """Write a part with its heading, one level below the part around it."""
        outer, self.level = self.level, self.level + 1
        self._open(element)
        self.children(element, kind, titled=True)
        self.builder.end_section(self.level)
        self.level = outer

    def _open(self, element: Element) -> None:
        title, label = element.find("title"), plain_text(element.find("label"))
        if title is None and (caption := element.find("caption")) is not None:
            title = caption.find("title")
        run = self.inline.run(title) if title is not None else Run().add(_printed_title(element))
        numbered = None if label else _NUMBERED.match(str(run))
        self.builder.add_heading(run, level=self.level, number=label or (numbered.group() if numbered else ""))

    def part(self, element: Element, _kind: BlockKind) -> None:
        """Write a part of the article that stands outside of all sections."""
        outer, self.level = self.level, 0
        self.children(element)
        self.level = outer

    def box(self, element: Element, kind: BlockKind) -> None:
        """Write a box: a section of its own where it has a title."""
        caption = element.find("caption")
        titled = element.find("title") is not None or (caption is not None and caption.find("title") is not None)
        if not titled:
            self._boxed(element, kind)
            return
        outer, self.level = self.level, self.level + 1
        self._open(element)
        self._boxed(element, kind)
        self.builder.end_section(self.level)
        self.level = outer

    def _boxed(self, element: Element, kind: BlockKind) -> None:
        for child in element:
            if child.tag == "caption":
                for paragraph in child.findall("p"):
                    self.flow(paragraph, kind)
            elif child.tag not in _UNPRINTED:
                self.block(child, kind)

    def list(self, element: Element, _kind: BlockKind) -> None:
        """Write a list, an item a block behind its printed label, number or bullet."""
        title = element.find("title")
        if title is not None:
            self.flow(title, BlockKind.PARAGRAPH)
        mark = list_marker(element.get("list-type", ""))
        items = [child for child in element if child.tag in ("list-item", "li")]
        for number, item in enumerate(items, first_number(element)):
            label = plain_text(item.find("label")) or mark(number)
            lead = Run().add(f"{label} " if label else "")
            if (item.text or "").strip():
                self.flow(item, BlockKind.LIST, lead)
                continue
            for child in item:
                if child.tag in ("p", "title"):
                    self.flow(child, BlockKind.LIST, lead)
                    lead = Run()
                elif child.tag != "label":
                    self.builder.add_block(BlockKind.LIST, lead)
                    lead = Run()
                    self.block(child, BlockKind.LIST)

    def definitions(self, element: Element, _kind: BlockKind) -> None:
        """Write a list of definitions, "term: definition" a block."""
        for child in element:
            if child.tag in ("title", "term-head", "def-head"):
                self.flow(child, BlockKind.PARAGRAPH)
            elif child.tag == "def-list":
                self.definitions(child, BlockKind.LIST)
            elif child.tag == "def-item":
                self._definition(child)

    def _definition(self, item: Element) -> None:
        lead = Run()
        for term in item.findall("term"):
            lead = (lead.add(", ") if lead else lead).add_run(self.inline.run(term))
        if lead and str(lead)[-1:].isalnum():
            lead.add(":")
        lead.add(" ")
        for paragraph in [part for definition in item.findall("def") for part in definition]:
            if paragraph.tag == "p":
                self.flow(paragraph, BlockKind.LIST, lead)
            else:
                self.builder.add_block(BlockKind.LIST, lead)
                self.block(paragraph, BlockKind.LIST)
            lead = Run()
        self.builder.add_block(BlockKind.LIST, lead)

    def code(self, element: Element, _kind: BlockKind) -> None:
        """Write code or preformatted text, its lines kept."""
        self.builder.add_code("".join(element.itertext()))

    def equation(self, element: Element, _kind: BlockKind) -> None:
        """Write a displayed formula with its label."""
        self.builder.add_block(BlockKind.EQUATION, equation_run(element, self.inline))

    def statement(self, element: Element, kind: BlockKind) -> None:
        """Write a theorem or the like, its label and title before its first paragraph."""
        lead = Run()
        for part in (element.find("label"), element.find("title")):
            if part is not None:
                run = self.inline.run(part)
                lead.add_run(run).add(" " if str(run)[-1:] in ".:)" else ". ")
        for child in element:
            if child.tag == "p":
                self.flow(child, kind, lead)
                lead = Run()
            elif child.tag not in _UNPRINTED:
                self.builder.add_block(kind, lead)
                lead = Run()
                self.block(child, kind)
        self.builder.add_block(kind, lead)

    def note(self, element: Element, _kind: BlockKind) -> None:
        """Write a footnote behind its mark."""
        label = element.find("label")
        lead = self.inline.run(label).add(" ") if label is not None and plain_text(label) else Run()
        paragraphs = [child for child in element if child.tag != "label"]
        if not any(child.tag == "p" for child in paragraphs):
            lead.add_run(self.inline.run(element, without=("label",)))
            self.builder.add_block(BlockKind.FOOTNOTE, lead)
            return
        for child in paragraphs:
            if child.tag == "p":
                self.flow(child, BlockKind.FOOTNOTE, lead)
                lead = Run()
            else:
                self.block(child, BlockKind.FOOTNOTE)

    def speech(self, element: Element, kind: BlockKind) -> None:
        """Write what a speaker says behind the name."""
        speaker = element.find("speaker")
        lead = self.inline.run(speaker).add(": ") if speaker is not None else Run()
        for child in element:
            if child.tag != "speaker":
                self.flow(child, kind, lead)
                lead = Run()

    def entries(self, element: Element, kind: BlockKind) -> None:
        """Write a reference list under its heading; lists inside it are sections of it."""
        outer, self.level = self.level, self.level + 1
        self._open(element)
        add_references(element, self.builder, self.inline, lambda child: self.block(child, kind))
        self.builder.end_section(self.level)
        self.level = outer

    def subordinate(self, element: Element, _kind: BlockKind) -> None:
        """Write a sub-article or response: its title, authors and text, outside of the article's sections."""
        outer, self.level = self.level, 0
        front = element.find("front-stub")
        front = front if front is not None else element.find("front")
        title = front.find(".//article-title") if front is not None else None
        if title is not None:
            self.builder.add_heading(self.inline.run(title), level=1)
            self.level = 1
        if front is not None:
            self.builder.add_block(BlockKind.AUTHORS, Run().add(", ".join(byline(front))))
            write_abstracts(front, self.builder, self.inline, self.block, level=self.level + 1)
            for note in front.iter("fn"):
                self.note(note, BlockKind.FOOTNOTE)
        for child in element:
            if child.tag not in ("front-stub", "front", "processing-meta"):
                self.children(child) if child.tag in ("body", "back", "floats-group") else self.block(child)
        self.builder.end_section(1)
        self.level = outer

    def figure(self, element: Element, _kind: BlockKind) -> None:
        """Write a figure, a group of figures with its panels, or a picture that stands by itself."""
        add_figure(element, self.builder, self.inline, self._inside)

    def table(self, element: Element, _kind: BlockKind) -> None:
        """Write a table with its caption and notes."""
        add_table_wrap(element, self.builder, self.inline, self._inside)

    def supplement(self, element: Element, _kind: BlockKind) -> None:
        """Write the label and caption of supplementary material."""
        add_supplement(element, self.builder, self.inline, self._inside)

    def _inside(self, element: Element) -> None:
        """Write what stands in a float; a float with text of its own is a paragraph."""
        if (element.text or "").strip():
            self.flow(element, BlockKind.PARAGRAPH)
        else:
            self.block(element)


def _printed_title(element: Element) -> str:
    """The heading that print gives to a part without a title; none where a section in it has one."""
    titled = any(section.find("title") is not None for section in element.findall("sec"))
    return "" if titled else _PRINTED_TITLES.get(element.tag, "")


_HANDLERS: dict[str, Callable[[Body, Element, BlockKind], None]] = {
    **dict.fromkeys(("sec", "app", "ack", "notes", "glossary", "bio", "fn-group", "dedication"), Body.section),
    **dict.fromkeys(("app-group", "floats-group", "floats-wrap", "body", "back"), Body.part),
    **dict.fromkeys(("sub-article", "response"), Body.subordinate),
    **dict.fromkeys(("fig", "fig-group", "graphic", "chem-struct-wrap"), Body.figure),
    **dict.fromkeys(("table-wrap", "table-wrap-group", "table"), Body.table),
    **dict.fromkeys(("supplementary-material", "media"), Body.supplement),
    **dict.fromkeys(("preformat", "code"), Body.code),
    "disp-formula": Body.equation,
    "ref-list": Body.entries,
    "boxed-text": Body.box,
    "list": Body.list,
    "def-list": Body.definitions,
    "statement": Body.statement,
    "speech": Body.speech,
    "fn": Body.note,
}
