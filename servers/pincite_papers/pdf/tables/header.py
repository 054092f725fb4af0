"""Headers: the levels of a table's head, with cells that span columns or levels."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from math import inf

from pincite_papers.pdf.elements import Word
from pincite_papers.pdf.tables.columns import Columns
from pincite_papers.pdf.tables.rulings import Ruling
from pincite_papers.pdf.tables.textrows import WHOLE_LINE, Run, TextRow, run_of

_SAME_HEIGHT = 3.0
"""Points: rules whose heights differ by no more are at one height; also what a phrase may reach out over the ends of
the rule under it. Set by judgement."""
_CENTRED = 0.6
"""Type sizes that the middle of a head may be off the middle of the columns that it stands over."""
_CENTRED_SHARE = 0.06
"""The same as a share of the width of those columns, whose heads may not reach their edges."""
_MIDDLE = 1.0
"""Type sizes that a phrase may be off the middle of the rule under it."""
_FLUSH = 1.5
"""Points within which two lines start, or end, at one place."""
_SAME_LINE = 0.35
"""Type sizes that the baselines, or the middles, of heads may differ where they are set to one height. Set by
judgement, as ``textrows._SAME_ROW``."""
_ROOM = 1.5
"""Type sizes of white that a head on one line would leave beside its neighbours."""


@dataclass(frozen=True, slots=True)
class _Head:
    """A head of the lower of two rows with the columns that it stands over, from ``x0`` to ``x1``."""

    first: int
    last: int
    x0: float
    x1: float
    run: Run


@dataclass(slots=True)
class Level:
    """A cell of the head: its place on the head's own levels, counted from 0, and its print lines."""

    row: int
    column: int
    row_span: int
    column_span: int
    lines: list[list[Word]] = field(default_factory=list[list[Word]])


def split_head(rows: Sequence[TextRow], columns: Columns, partial: Sequence[Ruling]) -> list[TextRow]:
    """The head's rows with their runs parted by column, but for what stands alone over a rule: that spans columns."""
    found: list[TextRow] = []
    for number, row in enumerate(rows):
        whole = _over_rules(row, rows[number + 1 :], partial)
        words = {id(word) for run in whole for word in run.words}
        rest = replace(row, runs=[run for run in row.runs if id(run.words[0]) not in words])
        runs = [*whole, *columns.split(rest).runs]
        found.append(replace(row, runs=sorted(runs, key=lambda run: run.x0)))
    return found


def _over_rules(row: TextRow, lower: Sequence[TextRow], partial: Sequence[Ruling]) -> list[Run]:
    """The print right over each short rule that is one phrase in the middle, or at the start, of the rule."""
    found: list[Run] = []
    for ruling in partial:
        over = [run for run in row.runs if _is_at(run, ruling)]
        if not over or row.baseline > ruling.at or any(b.x0 - a.x1 > row.size for a, b in pairwise(over)):
            continue
        next_row = next((each for each in lower if any(_is_at(run, ruling) for run in each.runs)), None)
        if next_row is None or next_row.baseline < ruling.at or sum(_is_at(run, ruling) for run in next_row.runs) < 2:
            continue
        phrase = run_of([word for run in over for word in run.words])
        off = abs(phrase.x0 + phrase.x1 - ruling.start - ruling.end) / 2
        inside = ruling.start - _SAME_HEIGHT < phrase.x0 and phrase.x1 < ruling.end + _SAME_HEIGHT
        if inside and (off < _MIDDLE * row.size or phrase.x0 - ruling.start < row.size):
            found.append(phrase)
    return found


def _is_at(run: Run, ruling: Ruling) -> bool:
    """Whether the middle of a run stands over, or under, a rule."""
    return ruling.start < (run.x0 + run.x1) / 2 < ruling.end


def header_levels(rows: Sequence[TextRow], columns: Columns, partial: Sequence[Ruling]) -> list[Level]:
    """The cells of the head's text ``rows``.

    A rule over some columns parts two levels and spans the cell above it; without such rules a run over several columns
    parts the rows above and below it. All other lines of the head make one level.
    """
    cuts = _rule_cuts(rows, partial)
    spans: dict[int, tuple[int, int]] = {}
    if not cuts:
        cuts, spans = _centred(rows, columns)
    cuts = cuts or _span_cuts(rows, columns)
    levels = len(cuts) + 1
    cells: dict[tuple[int, int], Level] = {}
    for row in rows:
        level = sum(row.baseline > cut for cut in cuts)
        for run, *own in columns.place(row):
            cut = cuts[level] if level < len(cuts) else None
            ruled = _ruled_columns(run, row, cut, columns, partial)
            first, last = ruled or spans.get(id(run)) or (own[0], own[1])
            spot = next((cell for cell in cells.values() if _meets(cell, level, first, last)), None)
            if spot is None:
                cells[level, first] = Level(level, first, 1, last - first + 1, [list(run.words)])
            else:
                _add(spot, run, first, last)
    ordered = sorted(cells.values(), key=lambda cell: (cell.row, cell.column))
    return _stretch(_merge_upright(ordered, levels, partial, columns, cuts), levels)


def _rule_cuts(rows: Sequence[TextRow], partial: Sequence[Ruling]) -> list[float]:
    """The heights of partial rules that stand between two rows of the head, each once."""
    cuts: list[float] = []
    for ruling in sorted(partial, key=lambda r: r.at):
        between = rows[0].baseline < ruling.at < rows[-1].baseline
        if between and (not cuts or ruling.at - cuts[-1] > _SAME_HEIGHT):
            cuts.append(ruling.at)
    return cuts


def _span_cuts(rows: Sequence[TextRow], columns: Columns) -> list[float]:
    """Where a row with a run over several columns ends and a row with a run for each of them begins."""
    for upper, lower in pairwise(rows):
        below = [column for _, column, _ in columns.place(lower)]
        for _, first, last in columns.place(upper):
            if last > first and sum(first <= column <= last for column in below) > 1:
                return [_between(upper, lower)]
    return []


def _between(upper: TextRow, lower: TextRow) -> float:
    """The height at which one row ends and the next begins."""
    return (upper.baseline + lower.y0) / 2 if lower.y0 > upper.baseline else upper.baseline + 1


def _centred(rows: Sequence[TextRow], columns: Columns) -> tuple[list[float], dict[int, tuple[int, int]]]:
    """Where rows whose runs are centred over several columns end, and the columns of each such run by its id.

    A run that is the first line of the head below it was broken for want of room: where both would fit on one line,
    and it starts elsewhere than the line below, or where it lies over two heads, it stands above several heads. So it
    does where the heads, taken as one level, are set neither to one height, nor to one foot, nor to one middle.
    """
    cuts: list[float] = []
    found: dict[int, tuple[int, int]] = {}
    wide: dict[int, _Head] = {}
    named = _whole_lines([row for row in rows if _is_beyond_stub(row, columns)])
    uneven = not _is_one_level(rows, columns)
    for upper, lower in reversed(list(pairwise(named))):
        heads = [
            wide.get(id(run)) or _Head(column, column, run.x0, run.x1, run) for run, column, _ in columns.place(lower)
        ]
        spans = _spans_over(upper, heads, uneven=uneven)
        stub = min(head.run.x1 for head in heads)
        others = [run for run in upper.runs if id(run) not in spans and run.x0 > stub]
        if spans and all(_heads_one(run, heads, upper.size) for run in others):
            cuts.insert(0, _between(upper, lower))
            found |= spans
            wide |= {id(run): _over(run, spans[id(run)], heads) for run in upper.runs if id(run) in spans}
    return cuts, found


def _is_beyond_stub(row: TextRow, columns: Columns) -> bool:
    """Whether a row has print over a column other than the first."""
    return any(column for _, column, _ in columns.place(row))


def _whole_lines(rows: Sequence[TextRow]) -> list[TextRow]:
    """The rows without those between two lines, which are heads set to half the height of their neighbours."""
    return [
        row
        for number, row in enumerate(rows)
        if not 0 < number < len(rows) - 1
        or row.baseline - rows[number - 1].baseline > WHOLE_LINE * row.size
        or rows[number + 1].baseline - row.baseline > WHOLE_LINE * row.size
    ]


def _heads_one(run: Run, heads: Sequence[_Head], size: float) -> bool:
    """Whether a run is the upper line of one head: centred over it."""
    under = [head for head in heads if head.run.x0 < run.x1 and run.x0 < head.run.x1]
    return len(under) == 1 and abs(under[0].run.x0 + under[0].run.x1 - run.x0 - run.x1) < 2 * _CENTRED * size


def _over(run: Run, span: tuple[int, int], heads: Sequence[_Head]) -> _Head:
    """The head that a run makes with those below it."""
    below = [head for head in heads if span[0] <= head.first <= span[1]]
    x0, x1 = min(run.x0, *(head.x0 for head in below)), max(run.x1, *(head.x1 for head in below))
    return _Head(span[0], span[1], x0, x1, run)


def _is_one_level(rows: Sequence[TextRow], columns: Columns) -> bool:
    """Whether the heads, each all print in its column, start at one height, end at one, or have one middle."""
    heights: dict[int, list[float]] = {}
    for row in rows:
        for _, first, last in columns.place(row):
            if first == last:
                heights.setdefault(first, []).append(row.baseline)
    off = _SAME_LINE * max(row.size for row in rows)
    places = [(own[0], own[-1], (own[0] + own[-1]) / 2) for own in heights.values()]
    return any(max(place) - min(place) < off for place in zip(*places, strict=True))


def _spans_over(upper: TextRow, heads: Sequence[_Head], *, uneven: bool) -> dict[int, tuple[int, int]]:
    """The columns of each run of a row that stands above several of the ``heads`` below it, by the run's id."""
    choices: list[list[tuple[int, int]]] = []
    for number, run in enumerate(upper.runs):
        left = upper.runs[number - 1].x1 if number else -inf
        right = upper.runs[number + 1].x0 if number + 1 < len(upper.runs) else inf
        free = [head for head in heads if left < head.run.x0 and head.run.x1 < right]
        over = sum(min(run.x1, head.x1) - max(run.x0, head.x0) > _FLUSH for head in free)
        several = over > 1 or uneven or _has_room(run, heads, upper.size)
        choices.append(_spans_under(run, free, upper.size) if several else [])
    return {id(run): span for run, span in zip(upper.runs, _disjoint(choices), strict=True) if span is not None}


def _spans_under(run: Run, heads: Sequence[_Head], size: float) -> list[tuple[int, int]]:
    """The columns side by side that a run is centred over, all that could be meant.

    It reaches beyond them only where it lies over the first and the last.
    """
    middle = (run.x0 + run.x1) / 2
    found: list[tuple[int, int]] = []
    for first, last in combinations(range(len(heads)), 2):
        left, right = heads[first].x0, heads[last].x1
        unbroken = all(a.last + 1 == b.first for a, b in pairwise(heads[first : last + 1]))
        centred = abs((left + right) / 2 - middle) < max(_CENTRED * size, _CENTRED_SHARE * (right - left))
        inside = left < run.x0 and run.x1 < right
        covers = min(run.x1, heads[first].x1) > max(run.x0, left) and min(run.x1, right) > max(run.x0, heads[last].x0)
        if unbroken and centred and (inside or covers):
            found.append((heads[first].first, heads[last].last))
    return found


def _disjoint(choices: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int] | None]:
    """Of the spans that each run of a row could have, those that cover most columns and share none."""
    best: dict[int, tuple[int, list[tuple[int, int] | None]]] = {-1: (0, [])}
    for spans in choices:
        after: dict[int, tuple[int, list[tuple[int, int] | None]]] = {}
        for end, (covered, chosen) in best.items():
            for span in (None, *spans):
                if span is not None and span[0] <= end:
                    continue
                now = covered + (span[1] - span[0] + 1 if span is not None else 0)
                reach = span[1] if span is not None else end
                if reach not in after or now > after[reach][0]:
                    after[reach] = now, [*chosen, span]
        best = after
    return max(best.values(), key=lambda each: each[0])[1]


def _has_room(run: Run, heads: Sequence[_Head], size: float) -> bool:
    """Whether a run would have fitted beside the head below it, and does not start or end where that one does."""
    order = [head.run for head in heads]
    under = next((k for k, head in enumerate(order) if head.x0 < run.x1 and run.x0 < head.x1), None)
    if under is None:
        return True
    own = order[under]
    if min(abs(own.x0 - run.x0), abs(own.x1 - run.x1)) < _FLUSH:
        return False
    left = order[under - 1].x1 if under else own.x0
    right = order[under + 1].x0 if under + 1 < len(order) else own.x1
    return (own.x1 - own.x0) + (run.x1 - run.x0) + _ROOM * size < right - left


def _ruled_columns(
    run: Run, row: TextRow, cut: float | None, columns: Columns, partial: Sequence[Ruling]
) -> tuple[int, int] | None:
    """The columns of the short rule right under a run, None where there is none.

    Short rules of neighbours may touch: runs over one rule share its columns, each those nearest to it.
    """
    if cut is None:
        return None
    over = [r for r in partial if abs(r.at - cut) <= _SAME_HEIGHT and r.start < run.x1 and r.end > run.x0]
    if not over:
        return None
    first, last = columns.between(over[0].start, over[0].end)
    beside = [each for each in row.runs if over[0].start < (each.x0 + each.x1) / 2 < over[0].end]
    if len(beside) < 2:
        return first, last
    middles = columns.middles()
    own = [c for c in range(first, last + 1) if min(beside, key=lambda each: _apart(each, middles[c])) is run]
    return (own[0], own[-1]) if own else None


def _apart(run: Run, middle: float) -> float:
    return abs((run.x0 + run.x1) / 2 - middle)


def _meets(cell: Level, level: int, first: int, last: int) -> bool:
    return cell.row == level and first < cell.column + cell.column_span and last >= cell.column


def _add(cell: Level, run: Run, first: int, last: int) -> None:
    """Put a run into a cell, on its last line where it stands beside that line's words, else on a new one."""
    end = max(cell.column + cell.column_span - 1, last)
    cell.column = min(cell.column, first)
    cell.column_span = end - cell.column + 1
    tail = cell.lines[-1][-1]
    if tail.y0 < (run.words[0].y0 + run.words[0].y1) / 2 < tail.y1 and run.x0 >= tail.x1:
        cell.lines[-1].extend(run.words)
    else:
        cell.lines.append(list(run.words))


def _merge_upright(
    cells: list[Level], levels: int, partial: Sequence[Ruling], columns: Columns, cuts: Sequence[float]
) -> list[Level]:
    """Cells of one column above each other with no rule between are one cell over several levels."""
    if levels == 1:
        return cells
    kept: list[Level] = []
    for cell in cells:
        above = next(
            (k for k in kept if k.column == cell.column and k.column_span == cell.column_span == 1 and _under(k, cell)),
            None,
        )
        if above is None or _parted(above, partial, columns, cuts):
            kept.append(cell)
        else:
            above.row_span = cell.row + cell.row_span - above.row
            above.lines += cell.lines
    return kept


def _under(upper: Level, lower: Level) -> bool:
    return upper.row + upper.row_span == lower.row


def _parted(cell: Level, partial: Sequence[Ruling], columns: Columns, cuts: Sequence[float]) -> bool:
    cut = cuts[min(cell.row + cell.row_span - 1, len(cuts) - 1)]
    for ruling in partial:
        if abs(ruling.at - cut) <= _SAME_HEIGHT:
            first, last = columns.between(ruling.start, ruling.end)
            if first <= cell.column <= last:
                return True
    return False


def _stretch(cells: list[Level], levels: int) -> list[Level]:
    """A cell that is alone in its column stretches over all levels; the others stay on theirs."""
    for cell in cells:
        columns = set(range(cell.column, cell.column + cell.column_span))
        others = [c for c in cells if c is not cell and columns & set(range(c.column, c.column + c.column_span))]
        if not others and levels > 1:
            cell.row, cell.row_span = 0, levels
    return cells
