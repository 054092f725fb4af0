"""(a) Body text: similarity of the paragraphs in reading order."""

import re
from dataclasses import dataclass

from normalise import normalise
from rapidfuzz.distance import Levenshtein
from truth import Truth

from pincite_papers.model import BlockKind, Paper

BODY_KINDS = (BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.CODE)
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class BodyScore:
    """``similarity`` = 1 - distance / length of the longer text; ``whole_paragraphs`` stand in one block each."""

    similarity: float
    distance: int
    length: int
    whole_paragraphs: int
    paragraphs: int
    misses: tuple[str, ...]


def body_text(paper: Paper) -> str:
    """The body of a Paper: its paragraphs, lists and code, in order; nothing is aligned, trimmed or reordered."""
    return " ".join(paper.text[block.start : block.end] for block in paper.blocks if block.kind in BODY_KINDS)


def without_outside(truth: Truth, seen: str) -> str:
    """Normalised text without the paragraphs that the XML keeps outside the body: each once, where it stands whole."""
    for text in truth.outside:
        seen = re.sub(re.escape(normalise(text)), "", seen, count=1, flags=re.IGNORECASE)
    return " ".join(seen.split())


def score_body(truth: Truth, text: str, blocks: list[str]) -> BodyScore:
    """Compare all paragraphs of ``truth`` with the body ``text`` and look for each one whole in ``blocks``."""
    expected, seen = normalise(" ".join(truth.paragraphs)), without_outside(truth, normalise(text))
    longer = max(len(expected), len(seen), 1)
    distance = Levenshtein.distance(expected, seen)
    normal_blocks = [normalise(block) for block in blocks]
    whole = sum(any(normalise(each) in block for block in normal_blocks) for each in truth.paragraphs)
    misses = _differences(expected, seen)
    return BodyScore(1 - distance / longer, distance, longer, whole, len(truth.paragraphs), misses)


def _differences(expected: str, seen: str) -> tuple[str, ...]:
    """Runs of edits, largest first, each with what the XML and what the Paper says."""
    runs: list[tuple[int, str]] = []
    merged: list[list[int]] = []
    for code in Levenshtein.opcodes(expected, seen):
        if code.tag == "equal":
            continue
        if merged and code.src_start - merged[-1][1] <= 2 and code.dest_start - merged[-1][3] <= 2:
            merged[-1][1], merged[-1][3] = code.src_end, code.dest_end
        else:
            merged.append([code.src_start, code.src_end, code.dest_start, code.dest_end])
    for a, b, c, d in merged:
        context = expected[max(a - 20, 0) : a]
        runs.append((max(b - a, d - c), f"…{context}⟦xml: {_cut(expected[a:b])!r} paper: {_cut(seen[c:d])!r}⟧"))
    runs.sort(key=lambda run: -run[0])
    return tuple(f"body {size}: {text}" for size, text in runs)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…({len(text)})"
