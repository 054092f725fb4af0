"""The blocks of a page's article, in reading order: sections, paragraphs, lists, formulas, code, floats, notes."""

import re
from dataclasses import dataclass, field

from pincite_papers.html.classes import classes, words
from pincite_papers.html.content import is_noise, is_own_doi
from pincite_papers.html.floats import LABEL, add_float, add_table, is_float
from pincite_papers.html.inline import Inline
from pincite_papers.html.kinds import (
    KEYWORDS,
    cut,
    heads_section,
    is_byline,
    is_equation,
    is_equation_number,
    is_keyword,
    is_keywords,
    is_loading,
    is_mark,
    is_menu,
    is_run_in,
    is_section_title,
    is_tag,
    is_title,
    label_of,
    section_depth,
    stands_alone,
)
from pincite_papers.html.references import Entries, add_entries
from pincite_papers.html.tables import is_layout, is_table
from pincite_papers.markup import PaperBuilder, Run
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.model import BlockKind

_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "li", "main",
    "ol", "p", "pre", "section", "summary", "table", "ul", "caption", "search", "marquee", "noframes", "listing",
    "xmp",
    "tbody", "thead", "tfoot", "tr", "td", "th",
})  # fmt: skip
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_LATEX_LEVELS = {
    "part": 1, "chapter": 1, "section": 1, "appendix": 1, "bibliography": 1, "acknowledgements": 1, "subsection": 2,
    "subsubsection": 3, "paragraph": 4, "subparagraph": 5, "abstract": 1, "keywords": 1, "index": 1, "glossary": 1,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?:Appendix\s+|Section\s+)?(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}\.|[IVX]{1,5}\.|[A-Z]\.(?:\d{1,2}\.?)*|\d{1,2}(?=\s+[A-Z]))"
    r"(?=\s)"
)
_ABSTRACT = re.compile(r"(?:abstract|summary|概要|摘要)\W*", re.IGNORECASE)
_CODE = frozenset({"pre", "listing", "xmp"})


@dataclass(slots=True)
class Blocks:
    """Writes the blocks of the article to the builder. ``top`` is the level of its highest headings (``h2`` is 2).

    ``viewers`` are the labels of tables that the page shows in viewers, apart from where their captions stand.
    ``front`` is True until the first section: bylines and notices of the page stand there.
    """

    builder: PaperBuilder
    inline: Inline
    entries: Entries
    top: int
    viewers: frozenset[str] = frozenset()
    front: bool = True
    abstract: int = 0
    loading: bool = False
    _seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    _lead: Run | None = None

    def children(self, element: Element, kind: BlockKind) -> None:
        """Write what is inside an element: blocks, and the text between them as paragraphs."""
        run = Run()
        self.inline.text(element.text, run)
        for child in element:
            if self.is_block(child):
                self._paragraph(run, kind)
                run = Run()
                self.block(child, kind)
            elif not is_own_doi(child):
                self.inline.child(child, run)
            self.inline.text(child.tail, run)
        self._paragraph(run, kind)

    def is_block(self, element: Element) -> bool:
        """Whether an element ends the paragraph that it stands in."""
        tag = element.tag
        if tag in _BLOCKS:
            return True
        names = classes(element)
        if tag == "math":
            return (element.get("display") or "") == "block" and stands_alone(element)
        if "ltx_tabular" in names or "ltx_eqn_table" in names or "ltx_listing" in names or "ltx_para" in names:
            return True
        if tag == "script":
            return "display" in (element.get("type") or "")
        if tag == "span" and "ltx_p" in names:
            return True
        if (
            tag == "span"
            and not {"display", "equation"}.isdisjoint(words(element))
            and element.find(".//math") is not None
        ):
            return element.find(".//span") is not None
        return tag not in ("a", "b", "i", "em", "strong", "sup", "sub", "script", "img") and any(
            child.tag in _BLOCKS for child in element
        )

    def block(self, element: Element, kind: BlockKind) -> None:
        """Write one block element."""
        if is_loading(element):
            self.loading = True
            return
        if self.inline.skips(element) or is_noise(element) or is_own_doi(element):
            return
        if element in self.entries.lists:
            self.front = False
            add_entries(element, self.entries, self.builder, self.inline)
        elif self.front and self._is_front(element):
            self.header(element)
        elif self.front and is_keywords(element):
            self.keywords(element)
        elif self.repeats(element) or (is_float(element) and add_float(element, self.builder, self.inline, self._seen)):
            return
        else:
            self._write(element, kind)

    def _is_front(self, element: Element) -> bool:
        """Whether an element before the first section is a byline, a menu or the like."""
        if element.tag == "header":
            return not heads_section(element, self.builder.title)
        return is_byline(element) or is_menu(element)

    def repeats(self, element: Element) -> bool:
        """Whether an element only has the caption of a table that a viewer elsewhere on the page shows whole."""
        if not self.viewers or element.tag != "div" or "table" not in words(element):
            return False
        match = LABEL.match(plain_text(element))
        return match is not None and match["label"].lower() in self.viewers and element.find(".//table") is None

    def _write(self, element: Element, kind: BlockKind) -> None:
        """Write a block element that is what its name says."""
        tag, names = element.tag, classes(element)
        if tag in _HEADINGS or is_section_title(element):
            self.heading(element)
        elif is_equation(element, names):
            self.equation(element)
        elif tag == "figcaption":
            self.builder.add_block(BlockKind.CAPTION, self.inline.run(element))
        elif is_table(element):
            self.table(element, kind)
        elif tag in _CODE or "ltx_listing" in names:
            self.code(element)
        elif tag in ("ul", "ol"):
            self.list(element)
        elif tag == "dl":
            self.definitions(element)
        else:
            self.children(element, self._kind(element, kind))

    def heading(self, element: Element) -> None:
        """Open a section, or write the title of a part of the abstract; a theorem's name leads its first paragraph."""
        if is_run_in(element):
            self._lead = self.inline.run(element).stripped().add(" ")
            return
        run = self.inline.run(element, without=is_tag).stripped()
        text = str(run)
        if not text or (self.front and is_title(element, text, self.builder.title)):
            self.inline.notes += [one for one in element.iter("span") if "ltx_note" in classes(one)]
            self._write_notes()
            return
        tag = next((one for one in element.iter("span") if is_tag(one)), None)
        number = plain_text(tag).strip() if tag is not None else ""
        level = self._level(element)
        if not number and (match := _NUMBER.match(text)) is not None:
            number = match.group()
            run = Run().add(text[match.end() :].strip())
        if self.abstract and level > self.abstract:
            self.builder.add_block(BlockKind.ABSTRACT, run)
            return
        if self.front and _ABSTRACT.fullmatch(text):
            level = 1
        self.abstract = level if self.front and _ABSTRACT.fullmatch(text) else 0
        self.front = self.front and bool(self.abstract)
        self.builder.add_heading(run, level=level, number=number)

    def _level(self, element: Element) -> int:
        for name in classes(element):
            if name.startswith("ltx_title_") and name[10:] in _LATEX_LEVELS:
                return _LATEX_LEVELS[name[10:]]
        if element.tag not in _HEADINGS:
            return section_depth(element)
        return max(_HEADINGS[element.tag] - self.top + 1, 1)

    def _kind(self, element: Element, kind: BlockKind) -> BlockKind:
        """The kind of the paragraphs in a container."""
        named = words(element)
        if "abstract" in named and self.front and len(plain_text(element)) < 20_000:
            return BlockKind.ABSTRACT
        if element.tag == "footer" or not named.isdisjoint(("footnote", "footnotes", "fn")):
            return BlockKind.FOOTNOTE
        return kind

    def _paragraph(self, run: Run, kind: BlockKind) -> None:
        if kind is BlockKind.PARAGRAPH and self.abstract:
            kind = BlockKind.ABSTRACT
        if run and self._lead is not None:
            run, self._lead = self._lead.add_run(run.stripped()), None
        self.builder.add_block(kind, run)
        if self.inline.notes:
            self._write_notes()

    def keywords(self, element: Element) -> None:
        """Write the keywords that stand before the first section."""
        single = [one for one in element.iter("div", "span", "li", "a") if is_keyword(one)]
        parts = [str(self.inline.run(one)) for one in single]
        text = "; ".join(parts) or KEYWORDS.sub("", str(self.inline.run(element)), count=1).strip()
        parts = parts or [part.strip(" .") for part in re.split(r"[;,·•|]\s+|\s{2,}", text)]
        if not self.builder.keywords and len(parts) > 1:
            self.builder.keywords = tuple(dict.fromkeys(part for part in parts if part))
        self.builder.add_block(BlockKind.PARAGRAPH, Run().add(f"Keywords: {text}" if text else ""))

    def _write_notes(self) -> None:
        """Write the footnotes that stand in the text behind the paragraph."""
        notes, self.inline.notes = self.inline.notes, []
        for note in notes:
            content = next((one for one in note.iter("span") if "ltx_note_content" in classes(one)), note)
            mark = next((plain_text(one) for one in content.iter("sup")), "")
            lead = Run().add_script(1, Run().add(mark)).add(" ") if mark else Run()
            body = self.inline.run(content, without=is_mark)
            self.builder.add_block(BlockKind.FOOTNOTE, lead.add_run(body))

    def equation(self, element: Element) -> None:
        """Write a displayed formula, or the rows of a group of them, with their numbers."""
        rows = [one for one in element.iter() if one.tag == "tr" or "ltx_eqn_row" in classes(one)]
        for row in rows or [element]:
            number = next((plain_text(one) for one in row.iter() if is_equation_number(one)), "")
            run = self.inline.run(row, without=is_equation_number).stripped()
            if number:
                run.add(f" {number}" if number.startswith("(") else f" ({number})")
            self.builder.add_block(BlockKind.EQUATION, run)

    def table(self, element: Element, kind: BlockKind) -> None:
        """Write a table that nothing wraps; one that only places things is taken apart."""
        if is_layout(element):
            self.children(element, kind)
            return
        add_table(element, self.builder, self.inline, label=label_of(element), caption=None, notes=[])

    def code(self, element: Element) -> None:
        """Write code, its lines kept."""
        lines = [one for one in element.iter() if "ltx_listingline" in classes(one)]
        if not lines:
            self.builder.add_code("".join(element.itertext()))
            return
        self.builder.add_code("\n".join(str(self.inline.run(line, without=is_tag)) for line in lines))

    def list(self, element: Element) -> None:
        """Write a list, an item a block behind its number or bullet."""
        first = element.get("start") or "1"
        number = int(first) if first.isdecimal() and len(first) < 7 else 1
        for item in element:
            if item.tag != "li":
                if self.is_block(item):
                    self.block(item, BlockKind.LIST)
                continue
            if self.inline.skips(item) or is_noise(item):
                continue
            tag = next((one for one in item if "ltx_tag_item" in classes(one)), None)
            label = plain_text(tag) if tag is not None else f"{number}." if element.tag == "ol" else "•"
            if tag is not None:
                cut(item, tag)
            self._led(item, Run().add(f"{label} "))
            number += 1

    def _led(self, element: Element, lead: Run) -> None:
        """Write what is inside an element of a list, its first paragraph behind ``lead``."""
        self._lead = lead
        self.children(element, BlockKind.LIST)
        self._lead = None

    def definitions(self, element: Element) -> None:
        """Write a list of definitions, "term: definition" a block."""
        lead = Run()
        for child in element.iter("dt", "dd"):
            if child.tag == "dt":
                lead = self.inline.run(child).stripped()
                lead.add(": " if str(lead)[-1:].isalnum() else " ")
            else:
                self._led(child, lead)
                lead = Run()

    def header(self, element: Element) -> None:
        """Take from the head of the article what is not a byline: its abstract, and figures in it."""
        for child in element.iter("section", "div"):
            if "abstract" in words(child) and not self.inline.skips(child):
                self.children(child, BlockKind.ABSTRACT)
                return
