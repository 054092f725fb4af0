"""Paragraphs: the running lines of a page parted into blocks by leading, indents, styles and list marks."""

import re
from collections import Counter

from pincite_papers.model import BlockKind
from pincite_papers.pdf.elements import Line
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.measures import Leading
from pincite_papers.pdf.layout.sectionnames import is_lexical, is_ornamented, split_number

_BULLET = re.compile(r"^(?:[•◦▪▸►‣●○■□∙·–—*-]|[\uf0b7])$")
_ITEM = re.compile(r"^(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,5})[.)]|\[\d{1,3}\])$")
_ENDS = (".", "?", "!", ":", ".”", ".)", ";", "。", "！", "？", "：", "；", "。」", "۔", "؟")
_STOPS = (".", "?", "!", ":", "。", "！", "？", "：", "۔", "؟")
_FEWEST_LETTERS = 3
"""Letters and digits of a block that a paragraph on the next page may carry on; a block of fewer is a mark. Set by
judgement."""
_SLANTED = 0.6
"""Share of the words of a slanted title that are slanted at least: names of genes and species may stand upright."""
_FEWEST_CAPITALS = 5
"""Letters of a line in capitals that may be a title: fewer are an abbreviation."""
_ROOM = 1.3
"""Times the usual leading, and half a point: a wider step between two lines parts paragraphs. Set by judgement."""
_FAR = 1.05
"""Times the usual leading, and one type size: a wider step parts paragraphs where the leading is large. Set by
judgement."""


def split_paragraphs(page: int, lines: list[tuple[int, Line]], leading: Leading) -> list[Draft]:
    """The blocks of a page's running lines, given as (place among the page's lines, line) in reading order."""
    drafts: list[Draft] = []
    for column in _columns(_rejoin(lines)):
        drafts.extend(_split_column(page, column, leading))
    return drafts


def _rejoin(lines: list[tuple[int, Line]]) -> list[tuple[int, Line]]:
    """Lines that follow each other on one baseline over a wide space, made one."""
    joined: list[tuple[int, Line]] = []
    for place, line in lines:
        if joined:
            before = joined[-1][1]
            size = max(before.style.size, line.style.size)
            level = abs(before.baseline - line.baseline) < 0.25 * size
            if level and -0.3 * size <= line.x0 - before.x1 < 4 * size and before.rotation == line.rotation:
                joined[-1] = joined[-1][0], _merge(before, line)
                continue
        joined.append((place, line))
    return joined


def _merge(one: Line, other: Line) -> Line:
    words = one.words + other.words
    style = one.style if one.x1 - one.x0 >= other.x1 - other.x0 else other.style
    return Line(
        words,
        min(one.x0, other.x0),
        min(one.y0, other.y0),
        max(one.x1, other.x1),
        max(one.y1, other.y1),
        one.baseline,
        style,
        one.rotation,
    )


def _columns(lines: list[tuple[int, Line]]) -> list[list[tuple[int, Line]]]:
    """Runs of lines that go down one column."""
    columns: list[list[tuple[int, Line]]] = []
    for place, line in lines:
        if columns:
            before = columns[-1][-1][1]
            size = max(before.style.size, line.style.size)
            down = line.baseline - before.baseline > -0.9 * size and before.rotation == line.rotation
            over = min(before.x1, line.x1) - max(before.x0, line.x0)
            if down and (over > 0 or abs(line.baseline - before.baseline) < 0.9 * size):
                columns[-1].append((place, line))
                continue
        columns.append([(place, line)])
    return columns


def _edges(lines: list[Line]) -> tuple[float, float, bool]:
    """The left and right edge that most long lines of a column share, and whether its lines are justified."""
    widest = max(line.x1 - line.x0 for line in lines)
    lines = [line for line in lines if line.x1 - line.x0 > 0.4 * widest]
    lefts = Counter(round(line.x0) for line in lines)
    left = min(lefts, key=lambda x: (-(lefts[x - 1] + lefts[x] + lefts[x + 1]), x))
    near = [line.x0 for line in lines if abs(line.x0 - left) <= 1.5]
    rights = Counter(round(line.x1) for line in lines)
    right = max(rights, key=lambda x: (rights[x - 1] + rights[x] + rights[x + 1], x))
    share = sum(abs(line.x1 - right) <= 2 for line in lines) / len(lines)
    return min(near), float(right), share > 0.45 and len(lines) >= 3


def _split_column(page: int, column: list[tuple[int, Line]], leading: Leading) -> list[Draft]:
    left, right, justified = _edges([line for _, line in column])
    fonts = Counter(line.style.font for _, line in column)
    font = max(fonts, key=lambda name: (fonts[name], name))
    groups: list[list[tuple[int, Line]]] = []
    for place, line in column:
        if groups and not _parted(groups[-1], line, left, right, justified, font, leading):
            groups[-1].append((place, line))
        else:
            groups.append([(place, line)])
    drafts: list[Draft] = []
    for group in groups:
        lines = [line for _, line in group]
        titled = is_ornamented(lines[0].text) and is_lexical(split_number(lines[0].text)[1])
        kind = BlockKind.LIST if is_item(lines[0]) and not titled else BlockKind.PARAGRAPH
        draft = Draft(kind, [(page, line) for line in lines], order=group[0][0])
        size = lines[-1].style.size
        draft.full = lines[-1].x1 > right - 1.2 * size
        draft.indented = lines[0].x0 > left + 0.6 * size
        drafts.append(draft)
    return drafts


def _parted(
    group: list[tuple[int, Line]], line: Line, left: float, right: float, justified: bool, font: str, leading: Leading
) -> bool:
    """Whether ``line`` starts a block of its own after the lines of ``group``."""
    before = group[-1][1]
    size = max(before.style.size, line.style.size)
    step = line.baseline - before.baseline
    if abs(step) < 0.6 * min(before.style.size, line.style.size):
        return False
    if _other_size(before, line) or step > _ROOM * leading.of(size) + 0.5 or step > _FAR * leading.of(size) + size:
        return True
    if _all_bold(before) != _all_bold(line) and (_all_bold(before) or (_all_bold(line) and _ended(before, right))):
        return True
    if _is_titled(group, line, right, font):
        return True
    apart = before.x1 < right - 2 * size or (len(group) == 1 and before.style.font != font == line.style.font)
    if apart and _other_font(before, line) and not line.text[0].islower():
        return True
    if is_item(line) and (_ended(before, right) or is_item(group[0][1])):
        return True
    first = group[0][1]
    hanging = is_item(first) or (len(group) > 1 and group[1][1].x0 > first.x0 + 0.6 * size)
    indent = line.x0 - left
    if 0.6 * size < indent < 5 * size and before.x0 < line.x0 - 0.5 * size and not hanging:
        return len(group) > 1 or _ended(before, right) or before.x0 > left - 0.5 * size
    if hanging and line.x0 < before.x0 - 0.6 * size:
        return True
    short = before.x1 < right - 2.5 * size
    return justified and short and before.text.rstrip("^0123456789,–-[]").endswith(_ENDS) and line.x1 > right - 2 * size


def _is_titled(group: list[tuple[int, Line]], line: Line, right: float, font: str) -> bool:
    """Whether a title in a font of its own, or in capitals, ends or starts between a group's lines and the next."""
    before = group[-1][1]
    room = before.x1 < right - 2 * before.style.size
    inside = line.x0 < before.x0 and before.x1 < line.x1 - 2 * before.style.size
    if len(group) == 1 and (room or inside) and is_lexical(split_number(before.text)[1]) and not line.text[0].islower():
        return True
    if all(_is_title(each, font) for _, each in group):
        return room and not _is_title(line, font) and line.style.font == font
    opens = not line.text[0].islower() and line.x1 < right - line.style.size
    return opens and _is_title(line, font) and not _is_title(before, font) and before.text.endswith(_STOPS)


def _is_title(line: Line, font: str) -> bool:
    """Whether a line is in capitals, or its words are not in its column's font; names may stand upright where they are
    in one other font, and slanted where none is in the column's."""
    fonts = {word.style.font for word in line.words if word.style.font != font}
    other = sum(word.style.font != font for word in line.words)
    capitals = line.text.isupper() and sum(map(str.isalpha, line.text)) >= _FEWEST_CAPITALS
    apart = other == len(line.words) or (len(fonts) == 1 and other > _SLANTED * len(line.words))
    return capitals or (apart and line.words[0].style.font != font)


def is_item(line: Line) -> bool:
    """Whether a line starts with a bullet or the number of a list item."""
    first = line.words[0].text
    return bool(_BULLET.match(first) or _ITEM.match(first)) and len(line.words) > 1


def _ended(line: Line, right: float) -> bool:
    return line.text.endswith(_ENDS) or line.x1 < right - 2 * line.style.size


def _other_size(one: Line, other: Line) -> bool:
    """Whether two lines are set in different sizes throughout."""
    if abs(one.style.size - other.style.size) <= 0.08 * max(one.style.size, other.style.size):
        return False
    shared = {round(word.style.size * 4) for word in one.words} & {round(word.style.size * 4) for word in other.words}
    return not shared


def _other_font(one: Line, other: Line) -> bool:
    """Whether a line is set throughout in one font and the next mostly in another."""
    fonts = {word.style.font for word in one.words}
    return len(fonts) == 1 and other.style.font not in fonts


def _all_bold(line: Line) -> bool:
    return line.style.bold and all(word.style.bold for word in line.words)


def continues(open_draft: Draft, draft: Draft) -> bool:
    """Whether a paragraph that starts a column or page carries on the one that ended the last."""
    if draft.kind is not BlockKind.PARAGRAPH or open_draft.kind not in {BlockKind.PARAGRAPH, BlockKind.LIST}:
        return False
    before, line = open_draft.lines[-1][1], draft.lines[0][1]
    if abs(before.style.size - line.style.size) > 0.06 * before.style.size or is_item(line):
        return False
    tail, head = before.text, line.text
    if sum(map(str.isalnum, open_draft.text)) < _FEWEST_LETTERS or is_lexical(split_number(open_draft.text)[1]):
        return False
    if tail.endswith("-") and len(tail) > 1:
        return head[:1].isalnum()
    ended = tail.rstrip('^0123456789,–-[]{}”’")').endswith(_STOPS)
    if head[:1].islower():
        return not ended or open_draft.full
    if not ended:
        return open_draft.full and not draft.indented
    return False
