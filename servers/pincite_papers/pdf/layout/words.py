"""Words: runs of printed glyphs without a space, with their script marks, and the lines that they make."""

import unicodedata
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.elements import Line, Style, Word
from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.layout.characters import characters, compose, composing, normal
from pincite_papers.pdf.layout.fragments import Printed, fragment_starts, printed
from pincite_papers.pdf.layout.leftwards import settle_brackets
from pincite_papers.pdf.layout.letterspaced import join_letters
from pincite_papers.pdf.layout.lines import Fragment, fragments_of, group_lines
from pincite_papers.pdf.layout.suspects import settle
from pincite_papers.pdf.scriptcodes import EAST_ASIAN, HANGUL, LEFTWARDS, CodeSet, is_east_asian, is_hangul
from pincite_papers.scripts import Piece, mark

_WORD_GAP = 0.45
"""Type sizes of the smaller print: wider white between two glyphs parts words even where PDFium sees no space. Set by
judgement."""
_BREAK_GAP = 0.15
"""Type sizes of the larger print: white that PDFium takes for a space parts words only where it is wider. Set by
judgement."""
_FIXED_STEP = 0.85
"""Type sizes from middle to middle of two letters of a font of one width: nearer ones have no space between them. Set
by judgement."""
_ASIAN_GAP, _ASIAN_GAP_AT_MARK = 0.9, 1.4
_FIRST_KANA, _FIRST_WIDE = 0x3041, 0xFF00
_HANGUL_GAP = 0.13
"""Type sizes by which a gap between Korean syllables exceeds the usual one of its line, to part words. Set by
judgement."""
_BRACKETS = CodeSet(map(ord, "()[]{}"))
_BRACKET_GAP = 0.25
"""Type sizes of white beside a bracket of leftward print: more parts words. Set by judgement."""
_CLOSING = CodeSet(map(ord, ")],.;:"))
_SCRIPT = 0.85
"""Times the size of the sign that follows: smaller print before it is a script, whose closing sign may stand off
without parting words. Set by judgement."""
_CLOSING_GAP = 0.25
"""Type sizes between a script mark and a bracket or stop after it, as in ``(s^−1)``: side bearings and no space."""


def build_lines(glyphs: Glyphs, *, keep: npt.NDArray[np.bool_]) -> list[Line]:
    """The lines of the glyphs that ``keep`` marks, in the order of the content stream."""
    ink = printed(glyphs, keep=keep)
    grouped = group_lines(fragments_of(ink, fragment_starts(ink)))
    if not grouped:
        return []
    every = characters(glyphs)
    settle(glyphs, every)
    if glyphs.scripts & LEFTWARDS:
        settle_brackets(glyphs.codes, every)
    numbers: list[int] = ink.glyphs.tolist()
    if composing(glyphs):
        compose(every, glyphs.boxes, numbers)
    texts = [every[i] for i in numbers]
    starts = [line[0].start for line in grouped]
    words = _words(glyphs, ink, texts, numbers, grouped, _word_starts(ink, glyphs, starts))
    boxes = glyphs.boxes[ink.glyphs]
    edges: list[list[float]] = [
        np.minimum.reduceat(boxes[:, 0], starts).tolist(),
        np.minimum.reduceat(boxes[:, 1], starts).tolist(),
        np.maximum.reduceat(boxes[:, 2], starts).tolist(),
        np.maximum.reduceat(boxes[:, 3], starts).tolist(),
    ]
    lines: list[Line] = []
    for parts, line_words, x0, y0, x1, y1 in zip(grouped, words, *edges, strict=True):
        if line_words:
            style, base = _style_and_base(parts, ink, glyphs)
            lines.append(Line(line_words, x0, y0, x1, y1, base, style, parts[0].turn * 90))
            join_letters(lines[-1])
    return lines


def _word_starts(ink: Printed, glyphs: Glyphs, line_starts: list[int]) -> npt.NDArray[np.int64]:
    """The positions at which a word starts."""
    size = np.minimum(ink.size[1:], ink.size[:-1])
    step = ink.x0[1:] - ink.x1[:-1]
    parted = np.ones(len(ink.glyphs), np.bool_)
    larger = np.maximum(ink.size[1:], ink.size[:-1])
    parted[1:] = (ink.gap[1:] == 2) | ((ink.gap[1:] == 1) & (step > _BREAK_GAP * larger)) | (step > _WORD_GAP * size)
    after_script = (ink.size[:-1] < _SCRIPT * ink.size[1:]) & _CLOSING.among(glyphs.codes[ink.glyphs[1:]])
    parted[1:] &= ~(after_script & (ink.gap[1:] != 2) & (step < _CLOSING_GAP * larger))
    _close_up(parted, ink, glyphs)
    if glyphs.scripts & (EAST_ASIAN | HANGUL):
        _part_asian(parted, ink, glyphs, line_starts)
    if glyphs.scripts & LEFTWARDS:
        _part_leftwards(parted, ink, glyphs)
    parted[line_starts] = True
    return np.flatnonzero(parted)


def _close_up(parted: npt.NDArray[np.bool_], ink: Printed, glyphs: Glyphs) -> None:
    """Undo the spaces that PDFium sees between narrow letters of a font of one width, in place."""
    fixed = np.array([run.fixed for run in glyphs.objects], np.bool_)
    if fixed.any():
        both = fixed[glyphs.runs[ink.glyphs]]
        centre = (ink.x0 + ink.x1) / 2
        near = np.abs(np.diff(centre)) < _FIXED_STEP * np.minimum(ink.size[1:], ink.size[:-1])
        parted[1:] &= ~(both[1:] & both[:-1] & near)


def _part_asian(parted: npt.NDArray[np.bool_], ink: Printed, glyphs: Glyphs, line_starts: list[int]) -> None:
    """Part Chinese and Japanese only at spaces and wide gaps, Korean at gaps wider than usual in its line, in place."""
    codes = glyphs.codes[ink.glyphs]
    asian, hangul = is_east_asian(codes), is_hangul(codes)
    step = (ink.x0[1:] - ink.x1[:-1]) / np.minimum(ink.size[1:], ink.size[:-1])
    if asian.any():
        either = asian[1:] | asian[:-1]
        mark = asian & ((codes < _FIRST_KANA) | (codes >= _FIRST_WIDE))
        least = np.where(mark[1:] | mark[:-1], _ASIAN_GAP_AT_MARK, _ASIAN_GAP)
        parted[1:] = np.where(either, (ink.gap[1:] == 2) | (step > least), parted[1:])
    if hangul.any():
        both, either = hangul[1:] & hangul[:-1], hangul[1:] | hangul[:-1]
        for start, end in pairwise([*line_starts, len(codes)]):
            inner = slice(start, end - 1)
            if both[inner].any():
                usual = float(np.median(step[inner][both[inner]]))
                apart = (ink.gap[start + 1 : end] == 2) | (step[inner] > usual + _HANGUL_GAP)
                parted[start + 1 : end] = np.where(either[inner], apart, parted[start + 1 : end])


def _part_leftwards(parted: npt.NDArray[np.bool_], ink: Printed, glyphs: Glyphs) -> None:
    """Part words of leftward scripts, and the brackets beside them, by the gaps that are printed, in place.

    Where the direction changes, PDFium puts a space on the wrong side of a bracket.
    """
    codes = glyphs.codes[ink.glyphs]
    bracket = _BRACKETS.among(codes)
    step = (ink.x0[1:] - ink.x1[:-1]) / np.minimum(ink.size[1:], ink.size[:-1])
    beside = (bracket[1:] | bracket[:-1]) & (ink.gap[1:] != 1)
    parted[1:] = np.where(beside, step > _BRACKET_GAP, parted[1:])


def _words(
    glyphs: Glyphs,
    ink: Printed,
    texts: list[str],
    numbers: list[int],
    lines: list[list[Fragment]],
    starts: npt.NDArray[np.int64],
) -> list[list[Word]]:
    """The words of each line."""
    boxes = glyphs.boxes[ink.glyphs]
    edges = [
        np.minimum.reduceat(boxes[:, 0], starts),
        np.minimum.reduceat(boxes[:, 1], starts),
        np.maximum.reduceat(boxes[:, 2], starts),
        np.maximum.reduceat(boxes[:, 3], starts),
    ]
    ends = np.append(starts[1:], len(numbers))
    levels = np.zeros(len(numbers), np.int8)
    for line in lines:
        for fragment in line:
            if fragment.level:
                levels[fragment.start : fragment.end] = fragment.level
    runs: list[int] = glyphs.runs[ink.glyphs].tolist()
    styles: list[Style] = [run.style for run in glyphs.objects]
    firsts: list[int] = starts.tolist()
    parts = list(zip(firsts, ends.tolist(), strict=True))
    page_text = "".join(texts)
    if len(page_text) == len(texts):
        spelled = [page_text[a:b] for a, b in parts]
        sources = [numbers[a:b] for a, b in parts]
    else:
        spelled = ["".join(texts[a:b]) for a, b in parts]
        sources = [[numbers[k] for k in range(a, b) for _ in texts[k]] for a, b in parts]
    words = list(map(Word, spelled, *(edge.tolist() for edge in edges), [styles[runs[a]] for a in firsts], sources))
    if levels.any():
        for k in np.flatnonzero(np.add.reduceat(np.abs(levels), starts)).tolist():
            a, b = parts[k]
            words[k].text, words[k].glyphs = mark(_pieces(a, b, levels, ink, texts, numbers, runs, styles))
            words[k].style = styles[runs[next((j for j in range(a, b) if not levels[j]), a)]]
    if not unicodedata.is_normalized("NFC", page_text):
        for word in words:
            word.text, word.glyphs = normal(word.text, word.glyphs)
    cuts = np.searchsorted(starts, [line[0].start for line in lines]).tolist()
    return [[word for word in words[a:b] if word.text] for a, b in pairwise([*cuts, len(words)])]


def _pieces(
    start: int,
    end: int,
    levels: npt.NDArray[np.int8],
    ink: Printed,
    texts: list[str],
    numbers: list[int],
    runs: list[int],
    styles: list[Style],
) -> list[Piece]:
    """A word's characters parted by level; a script that runs on over a space neither closes nor opens again."""
    part = levels[start:end]
    cuts = [start, *(start + 1 + np.flatnonzero(part[1:] != part[:-1])).tolist(), end]
    pieces: list[Piece] = []
    for a, b in pairwise(cuts):
        level = int(levels[a])
        opens = not (level and a > 0 and a == start and _runs_on(a, levels, ink))
        closes = not (level and b < len(numbers) and b == end and _runs_on(b, levels, ink))
        pieces.append(Piece(level, texts[a:b], numbers[a:b], styles[runs[b - 1]].italic, opens, closes))
    return pieces


def _runs_on(k: int, levels: npt.NDArray[np.int8], ink: Printed) -> bool:
    """Whether the script at glyph ``k`` continues the one before it over a mere space."""
    step = float(ink.x0[k] - ink.x1[k - 1])
    return bool(
        levels[k] == levels[k - 1]
        and abs(ink.base[k] - ink.base[k - 1]) < 0.05 * ink.size[k]
        and ink.turn[k] == ink.turn[k - 1]
        and 0 <= step < 0.8 * float(ink.size[k])
    )


def _style_and_base(parts: list[Fragment], ink: Printed, glyphs: Glyphs) -> tuple[Style, float]:
    """The style of a line's longest fragment on the baseline, and the baseline in page coordinates."""
    first = parts[0]
    if len(parts) > 1:
        longest = max(parts, key=lambda part: (part.level == 0, part.end - part.start))
        base = next((part.base for part in parts if part.level == 0), first.base)
    else:
        longest, base = first, first.base
    style = glyphs.objects[int(glyphs.runs[ink.glyphs[longest.start]])].style
    return style, base if first.turn < 2 else -base
