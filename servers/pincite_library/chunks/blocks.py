"""The blocks of a paper that are not floats, in runs that chunks are cut from."""

import re
from collections.abc import Collection, Iterator, Sequence

from pincite_library.chunks.draft import Draft, Role
from pincite_library.chunks.prose import pack
from pincite_library.chunks.sections import Outline
from pincite_library.model import ChunkKind
from pincite_papers.model import Block, BlockKind, Paper

_Nature = tuple[str, str | int]

_FRONT = frozenset((BlockKind.TITLE, BlockKind.AUTHORS))
_SMALL_NOTE = 200
"""Characters up to which a footnote joins the text above it. Set by judgement."""
_KEYWORDS = re.compile(r"(?:key\s?-?words|index terms|PACS|MSC|subject classification|abbreviations)\b", re.IGNORECASE)
_FRONT_CHARS = 400
"""Characters up to which authors are joined to the title: a short chunk is found by its title before others, which
have the title in their contexts."""
_ROLES = {
    BlockKind.TITLE: Role.FRONT,
    BlockKind.AUTHORS: Role.FRONT,
    BlockKind.FOOTNOTE: Role.FRONT,
    BlockKind.ABSTRACT: Role.ABSTRACT,
    BlockKind.REFERENCE: Role.REFERENCES,
}
_TITLE_PAGE, _FOOTNOTE = "Title page", "Footnote"
_LABELS = {BlockKind.TITLE: _TITLE_PAGE, BlockKind.AUTHORS: _TITLE_PAGE, BlockKind.FOOTNOTE: _FOOTNOTE}
_LABEL = re.compile(
    r"(?P<label>(?:Extended Data )?(?:(?P<table>Table)|Fig(?:ure|\.)?|Scheme)\s?(?:[A-Z]?\d{1,3}|[IVX]{1,5}\b))",
    re.IGNORECASE,
)


def text_drafts(paper: Paper, outline: Outline, taken: Collection[int]) -> list[Draft]:
    """The chunks of text and references: all blocks but those that start at an offset in ``taken``."""
    found: list[Draft] = []
    for run in _runs(paper, outline, taken):
        first = run[0]
        if first.kind is BlockKind.CAPTION and paper.pages:
            found += _lone_caption(paper, run)
            continue
        kind = ChunkKind.REFERENCE if first.kind is BlockKind.REFERENCE else ChunkKind.TEXT
        if first.kind in _FRONT:
            left, whole = _after_title(run)
            found += [Draft(kind, *whole, label=_TITLE_PAGE, role=Role.TITLE)] if whole is not None else []
        else:
            left = run
        role, label = _ROLES.get(first.kind, Role.BODY), _LABELS.get(first.kind, "")
        found += [Draft(kind, start, end, label=label, role=role) for start, end in pack(paper.text, left)]
    return found


def _after_title(run: Sequence[Block]) -> tuple[Sequence[Block], tuple[int, int] | None]:
    """The blocks behind the title and the authors that fit with it, and the range of those; None without a title."""
    at = next((k for k, block in enumerate(run) if block.kind is BlockKind.TITLE), None)
    if at is None or any(block.kind is BlockKind.TITLE for block in run[at + 1 :]):
        return run, None
    start, after = run[at].start, at + 1
    while after < len(run) and run[after].end - start <= _FRONT_CHARS:
        after += 1
    return run[after:], (run[0].start, run[after - 1].end)


def _runs(paper: Paper, outline: Outline, taken: Collection[int]) -> Iterator[Sequence[Block]]:
    """Blocks that may share a chunk: of one section and one nature, with nothing else between them."""
    headings = {section.start: section.end for section in paper.sections}
    run: list[Block] = []
    known: _Nature | None = None
    for number, block in enumerate(paper.blocks):
        ends = headings.get(block.start)
        if ends is not None:
            following = paper.blocks[number + 1 : number + 2]
            bare = not following or following[0].start >= ends
            nature = ("heading", block.start) if bare else None
        else:
            nature = None if block.start in taken else _nature(paper, block, outline, known)
        if nature != known and run:
            yield run
            run = []
        known = nature
        if nature is not None:
            run.append(block)
    if run:
        yield run


def _nature(paper: Paper, block: Block, outline: Outline, known: _Nature | None) -> _Nature:
    if block.kind is BlockKind.CAPTION and paper.pages:
        return "caption", block.start
    if block.kind is BlockKind.REFERENCE:
        return "references", ""
    path = outline.path(block.start)
    if block.kind in _FRONT:
        return "front", ""
    if block.kind is BlockKind.ABSTRACT:
        return "abstract", path
    if known is not None and known[0] == "abstract" and _KEYWORDS.match(paper.text, block.start, block.end):
        return known
    if block.kind is BlockKind.FOOTNOTE and (known != ("text", path) or block.end - block.start > _SMALL_NOTE):
        return "notes", path
    return "text", path


def _lone_caption(paper: Paper, run: Sequence[Block]) -> Iterator[Draft]:
    """A caption without its table or figure, as a chunk of the kind that its label names."""
    match = _LABEL.match(paper.text, run[0].start, run[0].end)
    kind = ChunkKind.TEXT if match is None else ChunkKind.TABLE if match["table"] else ChunkKind.FIGURE
    for start, end in pack(paper.text, run):
        yield Draft(kind, start, end, label="" if match is None else match["label"])
