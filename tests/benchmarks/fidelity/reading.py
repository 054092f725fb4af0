"""Reading: what any parser says of a paper, in one form for all; Markdown and plain text become it."""

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from html import unescape
from typing import Any

Rows = list[list[str]]

_HEADING = re.compile(r"#{1,6}\s+(?P<title>.+?)\s*#*$")
_RULE_ROW = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_MARKS = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"</?(?:sup|sub|b|i|u|em|strong|br|span|mark)\b[^>]*>"), ""),
    (re.compile(r"<!--.*?-->"), ""),
    (re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])"), r"\1"),
    (re.compile(r"`([^`]*)`"), r"\1"),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])"), r"\1"),
)


@dataclass(slots=True)
class Reading:
    """A parser's output: ``blocks`` of prose in order, ``headings`` and so on (None: it marks none).

    ``figures`` are the boxes of its captioned figures: page from 1, and points from the top left corner.
    ``plots`` are the series (points x, y) that are read off those figures, with the page.
    """

    blocks: list[str] = field(default_factory=list)
    headings: list[str] | None = None
    tables: list[Rows] | None = None
    references: list[str] | None = None
    captions: list[str] | None = None
    figures: list[tuple[int, list[float]]] | None = None
    plots: list[tuple[int, list[list[list[float]]]]] | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields as plain values."""
        return asdict(self)

    @property
    def text(self) -> str:
        """The prose in order."""
        return " ".join(self.blocks)

    @property
    def whole(self) -> str:
        """Everything it says, prose first: where a sentence is looked for."""
        tables = " ".join(cell for table in self.tables or [] for row in table for cell in row)
        parts = [self.text, *(self.headings or []), *(self.captions or []), *(self.references or []), tables]
        return " ".join(parts)


def from_plain(text: str) -> Reading:
    """Plain text: blocks stand between empty lines; line-end hyphens are resolved as kindly as can be."""
    return Reading([_joined(block.split("\n")) for block in re.split(r"\n\s*\n|\f", text) if block.strip()])


def from_markdown(text: str) -> Reading:
    """Markdown: headings (``#``), pipe tables, list items and paragraphs, with the marks of inline style removed."""
    reading = Reading(headings=[], tables=[])
    prose: list[str] = []
    table: Rows = []
    for line in [*text.split("\n"), ""]:
        if line.lstrip().startswith("|"):
            _flush(reading, prose)
            if not _RULE_ROW.match(line):
                table.append([plain(cell) for cell in line.strip().strip("|").split("|")])
            continue
        if table:
            reading.tables.append(table)
            table = []
        heading = _HEADING.match(line)
        if heading or not line.strip() or _ITEM.match(line):
            _flush(reading, prose)
        if heading:
            reading.headings.append(plain(heading["title"]))
        elif line.strip():
            prose.append(line)
    return reading


def plain(text: str) -> str:
    """The text without Markdown's and HTML's inline marks."""
    for mark, kept in _MARKS:
        text = mark.sub(kept, text)
    return unescape(text).strip()


def _flush(reading: Reading, prose: list[str]) -> None:
    if prose:
        reading.blocks.append(plain(_joined(prose)))
        prose.clear()


def _joined(lines: Iterable[str]) -> str:
    text = ""
    for line in (line.strip() for line in lines):
        cut = text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower()
        text = text[:-1] + line if cut else f"{text} {line}"
    return " ".join(text.split())
