"""Columns: lines that tesseract reads across the gap between two columns are parted and put where they belong."""

from dataclasses import replace

from pincite_papers.pdf.layout.fragments import WIDE_GAP
from pincite_papers.pdf.ocr.hocr import OcrLine, OcrWord

_REACH = 2.5
"""The next line of a column stands at most so many heights away."""


def part_lines(lines: list[OcrLine]) -> list[OcrLine]:
    """The lines in reading order, parted at wide gaps; what continues another column goes there.

    Parts without a whole line above or below them, such as the cells of a table, stay in their row.
    """
    parted = [_parts(line) for line in lines]
    whole = [parts[0] for parts in parted if len(parts) == 1]
    before: dict[int, list[OcrLine]] = {}
    after: dict[int, list[OcrLine]] = {}
    rows: list[list[OcrLine]] = []
    for parts in parted:
        row = parts[:1]
        for part in parts[1:]:
            below = _nearest(part, whole, downwards=True)
            above = None if below is not None else _nearest(part, whole, downwards=False)
            if below is not None:
                before.setdefault(id(below), []).append(part)
            elif above is not None:
                after.setdefault(id(above), []).append(part)
            else:
                row.append(part)
        rows.append(row)
    return [
        line for row in rows for part in row for line in (*before.get(id(part), ()), part, *after.get(id(part), ()))
    ]


def _parts(line: OcrLine) -> list[OcrLine]:
    """The line cut at gaps as wide as those between columns."""
    if line.angle:
        return [line]
    groups: list[list[OcrWord]] = []
    for word in line.words:
        if groups and word.box[0] - groups[-1][-1].box[2] <= WIDE_GAP * line.height:
            groups[-1].append(word)
        else:
            groups.append([word])
    if len(groups) == 1:
        return [line]
    return [_part(line, group) for group in groups]


def _part(line: OcrLine, words: list[OcrWord]) -> OcrLine:
    x0, x1 = words[0].box[0], max(word.box[2] for word in words)
    offset = line.offset + line.slope * (x0 - line.box[0])
    return replace(line, words=tuple(words), box=(x0, line.box[1], x1, line.box[3]), offset=offset)


def _nearest(part: OcrLine, whole: list[OcrLine], *, downwards: bool) -> OcrLine | None:
    """The next whole line of the part's column, starting or ending about where it does."""
    found: tuple[float, OcrLine] | None = None
    x0, y0, x1, y1 = part.box
    for line in whole:
        left, top, right, bottom = line.box
        gap = top - y1 if downwards else y0 - bottom
        aligned = abs(left - x0) < 2 * part.height and min(right, x1) > max(left, x0)
        if aligned and -0.5 * part.height < gap < _REACH * part.height and (found is None or gap < found[0]):
            found = gap, line
    return found[1] if found is not None else None
