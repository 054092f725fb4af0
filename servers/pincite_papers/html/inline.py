"""Inline content of a page as runs: scripts, formulas, links, notes, and citations with the entries they name."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from pincite_core.characters import DASHES, HYPHENS, MINUS
from pincite_papers.html.classes import classes
from pincite_papers.html.formulas import math_of, tex_run
from pincite_papers.html.tree import HIDDEN
from pincite_papers.markup import Run
from pincite_papers.markup.elements import Element, plain_text

_RANGE = re.compile(rf"[\s\])]*[-{HYPHENS}{DASHES}{MINUS}][\s\[(]*")
_WIDEST_RANGE = 200
"""Entries of a range of citations; a wider one is not one. Set by judgement."""
_ITALIC = frozenset({"i", "em", "var", "dfn", "cite"})
_SILENT = frozenset({"button", "rp", "rt", "object", "source", "track", "param", "annotation", "annotation-xml"})
_ARROWS = frozenset("⇓⇑↓↑↵")
"""Links that are only a sign beside another one to the same place."""
_NOTE, _ERROR = "ltx_note", "ltx_ERROR"
_TEX = re.compile(r"\\\((.{1,4000}?)\\\)|\$\$(.{1,4000}?)\$\$|\\\[(.{1,4000}?)\\\]", re.DOTALL)


@dataclass(slots=True)
class Inline:
    """Turns inline content into runs. ``entries`` are the anchors of the reference list with their places in it.

    ``hidden`` counts the characters that a reader of the page does not see, by the reason; ``lost`` formulas that are
    pictures without a text; ``notes`` the footnotes that were met, until they are written.
    """

    entries: Mapping[str, int]
    hidden: dict[str, int] = field(default_factory=dict[str, int])
    lost: int = 0
    notes: list[Element] = field(default_factory=list[Element])
    _last: int | None = None
    _since: str = ""

    def run(self, element: Element, *, without: Callable[[Element], bool] | None = None) -> Run:
        """The whole content of an element, elements for which ``without`` holds left out."""
        run = Run()
        self._last = None
        self.fill(element, run, without)
        return run

    def fill(self, element: Element, run: Run, without: Callable[[Element], bool] | None = None) -> None:
        """Append the content of an element, its own tail left out."""
        italic = element.tag in _ITALIC
        self.text(element.text, run, italic=italic)
        for child in element:
            if without is None or not without(child):
                self.child(child, run, without)
            elif run:
                run.add(" ")
            self.text(child.tail, run, italic=italic)

    def text(self, text: str | None, run: Run, *, italic: bool = False) -> None:
        """Append plain text; formulas between the marks of MathJax are read."""
        if not text:
            return
        self._since += text
        if "\\(" not in text and "$$" not in text and "\\[" not in text:
            run.add(text, italic=italic)
            return
        done = 0
        for match in _TEX.finditer(text):
            run.add(text[done : match.start()]).add_run(tex_run(next(part for part in match.groups() if part)))
            done = match.end()
        run.add(text[done:])

    def child(self, child: Element, run: Run, without: Callable[[Element], bool] | None = None) -> None:
        """Append an element inside of inline content."""
        tag = child.tag
        if tag in _SILENT or _ERROR in classes(child) or self.skips(child):
            return
        if tag in ("sup", "sub"):
            self._script(child, run, without)
        elif tag == "math":
            run.add_run(math_of(child))
        elif tag == "script":
            run.add_run(tex_run(child.text or ""))
        elif tag == "br" or tag == "hr":
            run.add(" ")
        elif tag == "img":
            self._picture(child, run)
        elif tag == "a":
            self._link(child, run, without)
        elif _NOTE in classes(child):
            self._note(child, run)
        else:
            spaced = tag in _SPACED
            if spaced:
                run.add(" ")
            self.fill(child, run, without)
            if spaced:
                run.add(" ")

    def skips(self, element: Element) -> bool:
        """Whether an element is hidden; what it hides is counted, unless it is a formula that is shown otherwise."""
        reason = element.get(HIDDEN)
        if reason is None:
            return False
        if element.tag == "math" or element.find(".//math") is not None:
            return False
        if reason != "for screen readers":
            count = len(plain_text(element))
            if count:
                self.hidden[reason] = self.hidden.get(reason, 0) + count
        return True

    def _script(self, element: Element, run: Run, without: Callable[[Element], bool] | None) -> None:
        body = Run()
        self.fill(element, body, without)
        run.add_script(1 if element.tag == "sup" else -1, body)
        if str(body)[-1:].isalnum() and "".join(element.itertext())[-1:].isspace():
            run.add(" ")

    def _picture(self, element: Element, run: Run) -> None:
        """A picture in the text: its alternative text where it stands for a formula or a letter."""
        text = (element.get("alt") or "").strip()
        names = classes(element)
        if "tex" in names or "latex" in names or text.startswith(("\\", "$", "{\\")):
            run.add_run(tex_run(text.strip("$")))
        elif 0 < len(text) <= 3:
            run.add(text)
        elif any("math" in name or "formula" in name or "equation" in name or "inline" in name for name in names):
            self.lost += 1
            run.add("[formula]")

    def _link(self, element: Element, run: Run, without: Callable[[Element], bool] | None) -> None:
        places = self._cited(element)
        body = Run()
        since = self._since
        self.fill(element, body, without)
        if str(body).strip() in _ARROWS:
            return
        if not places:
            run.add_run(body)
            return
        last = self._last
        if last is not None and _RANGE.fullmatch(since) and 0 < places[0] - last <= _WIDEST_RANGE:
            places = [*range(last + 1, places[0]), *places]
        run.add_citation([anchor_of(place) for place in places], body)
        self._last, self._since = places[-1], ""

    def _cited(self, element: Element) -> list[int]:
        """The places of the entries that a link points to; none for any other link."""
        for name in ("href", "data-rid", "rid", "data-bib-id", "data-target", "reveal-id", "data-open"):
            target = element.get(name) or ""
            _, mark, anchor = target.rpartition("#")
            anchor = unquote(anchor) if mark or name != "href" else ""
            if found := [self.entries[one] for one in anchor.split() if one in self.entries]:
                return found
        return []

    def _note(self, element: Element, run: Run) -> None:
        """A footnote of LaTeXML: its mark stays where it is."""
        mark = element.find(".//sup")
        if mark is not None:
            run.add_script(1, Run().add(plain_text(mark)))
        self.notes.append(element)


_SPACED = frozenset({
    "p", "div", "li", "td", "th", "tr", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table",
    "section", "article", "blockquote", "figure", "figcaption",
})  # fmt: skip


def anchor_of(place: int) -> str:
    """The name by which runs cite the entry at a place of the reference list."""
    return f"entry {place}"
