"""Reference sections: the blocks of a reference list, under its heading or without one, cut into its entries."""

import re
from collections import Counter
from itertools import pairwise

from pincite_papers.model import BlockKind
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.sectionnames import is_references
from pincite_papers.pdf.references.split import split_references

_TEXT = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST))
_SMALL = _TEXT | {BlockKind.FOOTNOTE}
_FIRST = re.compile(r"^(?:\[1\]|\(1\)|1\.|\^?\{?1\}?)\s(?=\S)")
_DATED = re.compile(r"\b(?:1[89]|20)\d\d\b")
_FEWEST = 5
"""Entries of a list that is known without a heading. Set by judgement."""
_MOSTLY = 0.6
"""Share of these entries that must have a year. Set by judgement."""


def cut_references(flow: list[Draft]) -> list[Draft]:
    """The flow with the text of each reference section cut into its entries."""
    headed = any(draft.kind is BlockKind.HEADING and is_references(draft.text) for draft in flow)
    return _split_references(flow) if headed else _split_unheaded(flow)


def _split_unheaded(flow: list[Draft]) -> list[Draft]:
    """The flow with a list that counts from 1 and cites dated works, without a heading, cut into its entries."""
    starts = [k for k, draft in enumerate(flow) if draft.kind in _SMALL and _FIRST.match(draft.text)]
    for start in reversed(starts):
        end = next((k for k in range(start, len(flow)) if flow[k].kind is BlockKind.HEADING), len(flow))
        section = flow[start:end]
        if _is_list_of_works(section):
            for draft in section:
                draft.kind = BlockKind.PARAGRAPH if draft.kind is BlockKind.FOOTNOTE else draft.kind
            return [*flow[:start], *_entries(section), *flow[end:]]
    return flow


def _is_list_of_works(section: list[Draft]) -> bool:
    """Whether blocks hold a numbered list from 1 on of which most entries are dated."""
    lines = [line for draft in section if draft.kind in _SMALL for _, line in draft.lines]
    entries = split_references(lines)
    dated = sum(bool(_DATED.search(" ".join(line.text for line in lines[e.start : e.end]))) for e in entries)
    return len(entries) >= _FEWEST and dated >= _MOSTLY * len(entries) and [e.key for e in entries[:2]] == ["1", "2"]


def _split_references(flow: list[Draft]) -> list[Draft]:
    """The flow with the text of each reference section cut into its entries."""
    result: list[Draft] = []
    section: list[Draft] | None = None
    for draft in flow:
        if draft.kind is BlockKind.HEADING:
            if section is not None:
                result.extend(_entries(section))
            result.append(draft)
            section = [] if is_references(draft.text) else None
        elif section is not None:
            section.append(draft)
        else:
            result.append(draft)
    return result + (_entries(section) if section is not None else [])


def _entries(section: list[Draft]) -> list[Draft]:
    """The drafts of a reference section, its text cut into entries; floats stand before the entries of their page."""
    _set_notes_apart(section)
    lines = [placed for draft in section if draft.kind in _TEXT for placed in draft.lines]
    found = split_references([line for _, line in lines])
    if not found:
        return section
    entries = [
        Draft(BlockKind.REFERENCE, lines[entry.start : entry.end], source=entry)
        for entry in found
        if entry.end > entry.start
    ]
    before = lines[: found[0].start]
    head = [Draft(BlockKind.PARAGRAPH, before)] if before else []
    others = [draft for draft in section if draft.kind not in _TEXT]
    return sorted([*others, *head, *entries], key=lambda draft: (draft.page, draft.kind is BlockKind.REFERENCE))


def _set_notes_apart(section: list[Draft]) -> None:
    """A short block in another size, or the last far under the others, is a note of the page and no entry."""
    texts = [draft for draft in section if draft.kind in _TEXT]
    sizes = Counter(round(line.style.size, 1) for draft in texts for _, line in draft.lines)
    usual = max(sizes, key=lambda size: (sizes[size], size), default=0.0)
    gaps = [_gap(one, other) for one, other in pairwise(texts)]
    for k, draft in enumerate(texts):
        short = len(draft.lines) <= 3
        far = 0 < k == len(texts) - 1 and gaps[-1] > 2 * usual + 2 * max([*gaps[:-1], 0.0])
        if short and (far or draft.lines[0][1].style.size < 0.9 * usual):
            draft.kind = BlockKind.FOOTNOTE


def _gap(one: Draft, other: Draft) -> float:
    """The room between two blocks of a page that follow each other downwards, in points, else 0."""
    (page, upper), (next_page, lower) = one.lines[-1], other.lines[0]
    return max(lower.y0 - upper.y1, 0.0) if page == next_page else 0.0
