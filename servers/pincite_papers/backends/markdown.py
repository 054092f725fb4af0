"""Markdown of pages, as a model writes it, becomes a Paper with pages and without boxes."""

import re
from dataclasses import dataclass, replace
from typing import Any

import orjson

from pincite_papers.codec import decode_paper, encode_paper
from pincite_papers.labels import read_label
from pincite_papers.markup import CellDraft, PaperBuilder, Run
from pincite_papers.model import BlockKind, Page, Paper, SourceFormat

PARSER = "pincite-vision/1"

_HEADING = re.compile(r"(#{1,6})\s+(?P<number>(?:\d+(?:\.\d+)*|[IVX]+)\.?(?=\s))?\s*(?P<title>.*?)\s*#*\s*$")
_CAPTION = re.compile(r"(?:\*\*|__|\*)?(?P<label>(?:Fig(?:ure)?|FIG(?:URE)?|Table|TABLE)\.?\s*S?\d{1,3})\b")
_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+")
_ENTRY = re.compile(r"(?:[-*+]\s+)?(?:\[(?P<bracket>\d{1,4})\]|(?P<plain>\d{1,4})[.)])\s+")
_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*$")
_REFERENCES = re.compile(r"(?:\d+\.?\s*)?(?:references|bibliography|literature cited)$", re.IGNORECASE)
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1|(?<!\w)([*_])(?=\S)([^*_]+?)(?<=\S)\3(?!\w)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|~$])")
_FENCE = "```"


def merge_job(header: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """The encoded paper of the Markdown (a JSON list of pages) behind our own encoded paper."""
    split = header["split"]
    pages: list[str] = orjson.loads(data[split:])
    return {}, encode_paper(read_markdown(pages, decode_paper(data[:split]), header["described"]))


def read_markdown(pages: list[str], paper: Paper, described: str) -> Paper:
    """The paper that the pages give, with the identity, the page sizes and the metadata of our own reading."""
    builder = PaperBuilder(SourceFormat.PDF, PARSER, doi=paper.doi, title=paper.title, authors=paper.authors)
    builder.journal, builder.year = paper.journal, paper.year
    builder.metadata = {**paper.metadata, "backend": described}
    builder.warnings.append(
        f"All text was read by the {described} from pictures of the pages: it has no boxes, and may say what is not "
        "printed. Look at the page before quoting it."
    )
    reader = _MarkdownReader(builder)
    firsts: list[int | None] = []
    for page in pages:
        reader.first = None
        reader.read(page)
        firsts.append(reader.first)
    made = builder.build(b"")
    return _paged(replace(made, paper_id=paper.paper_id), paper.pages, firsts)


def _paged(paper: Paper, shown: tuple[Page, ...], firsts: list[int | None]) -> Paper:
    """The paper with its pages, and each of its parts on the page where it starts."""
    starts: list[int] = []
    following = len(paper.text)
    for first in reversed(firsts):
        following = following if first is None else first
        starts.insert(0, following)
    starts[0] = 0
    ends = [*starts[1:], len(paper.text)]
    pages = tuple(
        replace(page, start=start, end=end, furniture=()) for page, start, end in zip(shown, starts, ends, strict=True)
    )
    paper = replace(paper, pages=pages)

    def at(offset: int) -> int | None:
        return paper.page_at(offset)

    return replace(
        paper,
        blocks=tuple(replace(block, page=at(block.start)) for block in paper.blocks),
        sections=tuple(replace(section, page=at(section.start)) for section in paper.sections),
        tables=tuple(
            replace(
                table,
                page=at(table.start),
                cells=tuple(replace(cell, page=at(cell.start)) for cell in table.cells),
            )
            for table in paper.tables
        ),
        figures=tuple(
            replace(figure, page=at(figure.caption.start) if figure.caption is not None else None)
            for figure in paper.figures
        ),
        references=tuple(replace(reference, page=at(reference.start)) for reference in paper.references),
    )


@dataclass(slots=True)
class _MarkdownReader:
    """Reads pages of Markdown into a builder; ``first`` is where the first block of the page starts."""

    builder: PaperBuilder
    first: int | None = None
    in_references: bool = False
    caption: tuple[str, Run] | None = None

    def read(self, page: str) -> None:
        """Add the blocks of a page."""
        for block in _blocks(page):
            self._add(block)
        self._close_caption()

    def _add(self, lines: list[str]) -> None:
        text = " ".join(line.strip() for line in lines)
        heading = _HEADING.match(lines[0])
        if heading is not None and len(lines) == 1:
            self._add_heading(heading)
        elif len(lines) > 1 and _RULE.match(lines[1]) and "|" in lines[0]:
            self._add_table(lines)
        elif (match := _CAPTION.match(text)) is not None:
            self._close_caption()
            self.caption = match["label"], _inline(text)
            if not match["label"].casefold().startswith("tab"):
                self._close_caption()
        elif self.in_references:
            self._add_entries(lines)
        else:
            self._close_caption()
            kind = BlockKind.EQUATION if text.startswith("$$") else BlockKind.PARAGRAPH
            kind = BlockKind.LIST if _ITEM.match(text) else kind
            self._note(self.builder.add_block(kind, _inline(text)))

    def _add_heading(self, heading: re.Match[str]) -> None:
        self._close_caption()
        level, title = len(heading[1]), heading["title"]
        self.in_references = _REFERENCES.match(title) is not None
        if level == 1 and not heading["number"] and not self.in_references and self.first is None:
            self.builder.title = self.builder.title or str(_inline(title))
            self._note(self.builder.add_block(BlockKind.TITLE, _inline(title)))
            return
        number = (heading["number"] or "").rstrip(".")
        self._note(self.builder.add_heading(_inline(title), level=max(level - 1, 1), number=number))

    def _add_table(self, lines: list[str]) -> None:
        label, caption = self.caption if self.caption is not None else ("", None)
        self.caption = None
        rows = [_cells(line) for line in (lines[0], *lines[2:])]
        cells = [
            CellDraft(r, c, _inline(cell), header=r == 0) for r, row in enumerate(rows) for c, cell in enumerate(row)
        ]
        table = self.builder.add_table(cells, label=label, caption=caption)
        if table is not None:
            self._note(table.caption or table)

    def _add_entries(self, lines: list[str]) -> None:
        """Entries of the reference list: each number opens one."""
        entries: list[list[str]] = []
        for line in lines:
            if _ENTRY.match(line.strip()) or not entries:
                entries.append([])
            entries[-1].append(line.strip())
        for entry in entries:
            text = " ".join(entry)
            match = _ENTRY.match(text)
            key = (match["bracket"] or match["plain"]) if match is not None else ""
            self._note(self.builder.add_reference(_inline(text), key=key))

    def _close_caption(self) -> None:
        """A caption that no table follows: a figure's, or a table's whose body was not written as one."""
        if self.caption is None:
            return
        label, run = self.caption
        self.caption = None
        known = read_label(label)
        if known is not None and label.casefold().startswith("fig"):
            self._note(self.builder.add_figure(label=label, caption=run).caption)
        else:
            self._note(self.builder.add_block(BlockKind.CAPTION, run))

    def _note(self, span: Any) -> None:
        if span is not None and self.first is None:
            self.first = span.start


def _blocks(page: str) -> list[list[str]]:
    """Lines between blank ones; a heading and a fence's marks stand alone, so do a table's lines together."""
    blocks: list[list[str]] = [[]]
    for line in page.replace("\r\n", "\n").split("\n"):
        bare = line.strip()
        if bare.startswith(_FENCE) or not bare:
            blocks.append([])
        elif _HEADING.match(bare):
            blocks += [[bare], []]
        elif blocks[-1] and ("|" in bare) != ("|" in blocks[-1][-1]) and bare.startswith("|"):
            blocks.append([bare])
        else:
            blocks[-1].append(bare)
    return [block for block in blocks if block]


def _cells(line: str) -> list[str]:
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _inline(text: str) -> Run:
    """The words of Markdown without its marks of emphasis and escape."""
    plain = _EMPHASIS.sub(lambda match: match[2] or match[4], text)
    return Run().add(_ESCAPED.sub(r"\1", plain.replace("$$", "").replace("$", "")))
