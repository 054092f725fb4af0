"""What a scripted reader has before it: the tables and sentences of all pages of some papers, or of one page."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pincite_papers.model import Paper, Table

_WORD = re.compile(r"[A-Za-zµΩαρκν]+(?:'s)?|\d+(?:\.\d+)?")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_ENDING = re.compile(r"(?<=[a-z]{4})(?:s|ed|ing|er)$")
_LIKE_BEFORE = re.compile(r"\b[Aa]s (?:in )?(?:the )?(?:preceding|previous)\b")
_REPLACING = re.compile(r"\breplaces? the row of the same name in (Table \w+)")
_CORRECTING = re.compile(r"\b(?:corrected|correction|erratum|in proof|should read|copied from)\b", re.IGNORECASE)
EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "and",
        "or",
        "as",
        "by",
        "for",
        "with",
        "from",
        "is",
        "that",
        "which",
        "what",
        "it",
        "one",
        "this",
    ]
)


def words_of(text: str) -> frozenset[str]:
    """The words of a text without endings and fillers."""
    found = (_ENDING.sub("", word.lower()) for word in _WORD.findall(text.replace("_", "")))
    return frozenset(found) - EMPTY


def mean_of(cell: str) -> str:
    """A cell without the deviation behind its ±."""
    return cell.partition("±")[0].strip()


def deviation_of(cell: str) -> str:
    """What stands behind the ± of a cell; nothing where it has none."""
    return cell.partition("±")[2].strip()


@dataclass
class Grid:
    """A table: caption, heads and rows, all as texts."""

    label: str
    caption: str
    heads: list[str]
    rows: list[list[str]]
    paper: str = ""

    def column_words(self, index: int) -> frozenset[str]:
        """The words of a column: its head, and what the caption says of the symbol in it."""
        head = self.heads[index]
        symbol = re.sub(r"\s*\([^)]*\)", "", head).strip()
        parts = re.split(r"[,:;]|\.\s|\band\b", self.caption) if symbol else []
        named = [part for part in parts if re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)", part)]
        return words_of(" ".join([head, *named]))

    def find(self, key: str) -> list[str] | None:
        """The row that begins with ``key``."""
        return next((row for row in self.rows if row[0] == key), None)


@dataclass
class Reader:
    """The tables and sentences that a reader has read."""

    tables: list[Grid] = field(default_factory=list[Grid])
    sentences: list[str] = field(default_factory=list[str])

    @classmethod
    def of_all(cls, papers: Mapping[str, Paper]) -> "Reader":
        """All pages of all papers."""
        made = cls()
        for name, paper in papers.items():
            made._add(name, paper, None)
        return made

    @classmethod
    def of_one_page(cls, papers: Mapping[str, Paper], query: str) -> "Reader":
        """The one page of all papers that has most words of the query."""
        wanted = words_of(query)
        best: tuple[int, str, int] = (-1, "", 0)
        for name, paper in papers.items():
            for page in paper.pages:
                count = len(wanted & words_of(paper.text[page.start : page.end]))
                best = max(best, (count, name, -page.number))
        made = cls()
        made._add(best[1], papers[best[1]], -best[2])
        return made

    @cached_property
    def corrections(self) -> list[str]:
        """The sentences of corrections, each with the two after it; as they stand when they are first asked for."""
        starts = [index for index, sentence in enumerate(self.sentences) if _CORRECTING.search(sentence)]
        return [" ".join(self.sentences[index : index + 3]) for index in starts]

    def _add(self, name: str, paper: Paper, page: int | None) -> None:
        caption = ""
        for table in paper.tables:
            own = caption_of(paper, table)
            caption = f"{own} {caption}" if _LIKE_BEFORE.search(own) else own
            if page is not None and table.page != page:
                continue
            grid: list[list[str]] = [[""] * table.columns for _ in range(table.rows)]
            for cell in table.cells:
                grid[cell.row][cell.column] = re.sub(r"(?<=\d)\^[a-z]$", "", cell.text).replace("\u2212", "-")
            headless = [row for row in grid if sum(map(bool, row)) < MOST_MERGED]
            extra = " ".join(cell for row in headless[:1] for cell in row)
            grid = [row for row in grid if row not in headless]
            if not grid:
                continue
            before = next((each for each in self.tables if each.label == table.label and each.paper == name), None)
            if before is not None and before.heads == grid[0]:
                before.rows += grid[1:]
            else:
                self.tables.append(Grid(table.label or "", f"{caption} {extra}", grid[0], grid[1:], name))
        self._replace_rows()
        for each in paper.pages:
            if page is None or each.number == page:
                self.sentences += _SENTENCE.split(" ".join(paper.text[each.start : each.end].split()))

    def _replace_rows(self) -> None:
        """Put the rows of tables that say that they replace others in their place."""
        for table in list(self.tables):
            said = _REPLACING.search(table.caption)
            if said is None:
                continue
            self.tables.remove(table)
            for other in self.tables:
                if other.label == said[1] and other.heads == table.heads:
                    other.rows = [table.find(row[0]) or row for row in other.rows]


def caption_of(paper: Paper, table: Table) -> str:
    """A table's caption without its label, with what follows it up to the table: lines set far apart are paragraphs."""
    if table.caption is None:
        return ""
    end = table.start if 0 < table.start - table.caption.end < MOST_CAPTION else table.caption.end
    return " ".join(paper.text[table.caption.start : end].removeprefix(table.label or "").lstrip(". ").split())


MOST_CAPTION = 400
"""Characters between a caption's first line and its table that are still the caption."""
MOST_MERGED = 2
"""Cells with text that a row of a table has at least; one alone is a line of the caption or a span."""


def rarity(reader: Reader) -> Mapping[str, float]:
    """How much a word tells among the tables: 1 for one that a single table has, less for common ones."""
    counts = Counter(word for table in reader.tables for word in words_of(table.caption + " " + " ".join(table.heads)))
    return {word: 1 / count for word, count in counts.items()}
