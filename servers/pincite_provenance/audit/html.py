"""HTML as a ReportText: what a browser shows, each character with its place in the file."""

from html import unescape
from html.parser import HTMLParser

from pincite_provenance.audit.text import BlockKind, ReportText, TextBuilder

_BLOCKS: dict[str, BlockKind] = {
    **dict.fromkeys(("p", "div", "section", "article", "dd", "dt"), "paragraph"),
    **dict.fromkeys(("figcaption", "caption", "body", "main"), "paragraph"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    "li": "item",
    "blockquote": "quotation",
    "table": "table",
}
_HIDDEN = frozenset({"script", "style", "head", "template", "noscript", "svg"})
_CELLS = frozenset({"td", "th"})


def read_html(source: str) -> ReportText:
    """The text of an HTML page; scripts, styles and the head are left out, links keep their address in brackets."""
    parser = _Parser(source)
    parser.feed(source)
    parser.close()
    return parser.builder.built()


class _Parser(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=False)
        self.builder = TextBuilder(source)
        self._starts = [0]
        for line in source.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._hidden = 0
        self._quotations = 0
        self._numbers: list[int | None] = []
        """The number of the last item of each list around; None of a list without numbers."""
        self._address = ""

    @property
    def _at(self) -> int:
        line, column = self.getpos()
        return self._starts[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif self._hidden:
            return
        elif tag in ("ol", "ul"):
            self._numbers.append(0 if tag == "ol" else None)
        elif tag in _BLOCKS:
            self._begin(tag)
        elif tag == "tr":
            self.builder.begin_row()
        elif tag in _CELLS:
            self.builder.begin_cell()
        elif tag == "sup":
            self.builder.stand_in("^{", self._at)
        elif tag == "br":
            self.builder.stand_in("\n", self._at)
        elif tag == "a":
            self._address = dict(attrs).get("href") or ""

    def _begin(self, tag: str) -> None:
        if tag == "blockquote":
            self._quotations += 1
        kind = _BLOCKS[tag]
        if kind == "paragraph" and self._quotations:
            kind = "quotation"
        marker = ""
        if tag == "li":
            marker = "-"
            if self._numbers and self._numbers[-1] is not None:
                number = self._numbers[-1] + 1
                self._numbers[-1] = number
                marker = f"{number}."
        if self.builder.kind != "table":
            self.builder.begin(kind, marker)

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(self._hidden - 1, 0)
        elif self._hidden:
            return
        elif tag in ("ol", "ul"):
            self._numbers = self._numbers[:-1]
        elif tag in _CELLS:
            self.builder.end_cell()
        elif tag == "sup":
            self.builder.stand_in("}", self._at)
        elif tag == "a":
            if self._address.startswith("http"):
                self.builder.stand_in(f" ({self._address})", self._at)
            self._address = ""
        elif tag in _BLOCKS and (self.builder.kind != "table" or tag == "table"):
            self.builder.end()
        if tag == "blockquote":
            self._quotations = max(self._quotations - 1, 0)

    def handle_data(self, data: str) -> None:
        if self._hidden or (not data.strip() and not self.builder.is_open):
            return
        if self.builder.kind == "table" and not data.strip():
            return
        self.builder.put(data, self._at)

    def handle_entityref(self, name: str) -> None:
        self._reference(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._reference(f"&#{name};")

    def _reference(self, written: str) -> None:
        if not self._hidden:
            self.builder.stand_in(unescape(written), self._at)
