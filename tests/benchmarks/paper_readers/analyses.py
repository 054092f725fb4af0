"""Write an analysis for a query of figure_analysis by rules: changes between two columns, extremes, corrections."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from paper_readers.pages import Grid, Reader, mean_of, rarity, words_of
from paper_readers.tables import corrected

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_UNIT = re.compile(r"\(([^()]+)\)\s*$")
LEAST_LIKE = 4.0
"""Likeness of a query and a table below which a reader has nothing to say about it."""
LEAST_HEAD = 4
"""Letters of a column's head that a query names by it: shorter ones are symbols."""
LOOK_ALIKE = 0.6
"""Share of the best table's likeness that a table with the same heads must have to be compared with it."""


@dataclass
class Series:
    """A column by row, with its unit and what is said of it."""

    name: str
    unit: str
    values: dict[str, float]
    digits: int
    mended: dict[str, str] = field(default_factory=dict[str, str])
    """What is printed in the cells that a correction changes, by row."""
    units: dict[str, str] = field(default_factory=dict[str, str])
    """The unit of each row, where the table has a column of units."""

    def unit_of(self, key: str) -> str:
        """The unit of a row."""
        return self.units.get(key, self.unit)


def answer(query: str, reader: Reader) -> str:
    """The analysis; empty where the reader has nothing to say."""
    said: list[str] = []
    chosen = [] if is_of_figure(query) else tables_for(query, reader)
    others = [table for table in reader.tables if "Ref." in table.heads]
    ends = ends_in(query, chosen[0]) if chosen else None
    if others and "other groups" in query:
        said += beside_others(reader, others[0])
    elif ends is not None:
        one, other = (series(reader, chosen[0], index) for index in ends)
        said += [*changes(one, other, chosen[0].label, chosen[0].label), *losses(one, other)]
    elif len(chosen) > 1:
        for index in columns_for(query, chosen[0]):
            one, other = series(reader, chosen[0], index), series(reader, chosen[1], index)
            said += changes(one, other, chosen[0].label, chosen[1].label)
    elif chosen:
        said += of_one(query, reader, chosen[0])
    else:
        said += mended_values(reader)
    return " ".join([*said, *told(query, reader)])


def is_of_figure(query: str) -> bool:
    """Whether a query is about figures alone."""
    return "figure" in query and "table" not in query


def likeness(query: str, table: Grid, rare: dict[str, float]) -> float:
    """How much of the query a table's caption and heads have."""
    mine = words_of(table.caption + " " + " ".join(table.heads))
    return sum(1 + rare.get(word, 0) for word in words_of(query) & mine)


def tables_for(query: str, reader: Reader) -> list[Grid]:
    """The table that is most like the query, then one with the same heads that is nearly as like; in reading order."""
    rare = dict(rarity(reader))
    wide = [table for table in reader.tables if len(table.heads) > 2 and table.rows]
    ranked = sorted(wide, key=lambda table: -likeness(query, table, rare))
    if not ranked or likeness(query, ranked[0], rare) < LEAST_LIKE:
        return []
    best = ranked[0]
    alike = [table for table in ranked[1:] if symbols_of(table) == symbols_of(best)]
    alike = [table for table in alike if likeness(query, table, rare) >= LOOK_ALIKE * likeness(query, best, rare)]
    here = reader.tables.index(best)
    alike.sort(key=lambda table: (-likeness(query, table, rare), abs(reader.tables.index(table) - here)))
    return sorted([best, *alike[:1]], key=reader.tables.index)


def ends_in(query: str, table: Grid) -> tuple[int, int] | None:
    """The two columns of a table that a query goes "from" and "to"."""
    ends = [re.search(rf"\b{way} ([\w-]+)", query) for way in ("from", "to")]
    named = [table.heads.index(end[1]) for end in ends if end is not None and end[1] in table.heads[1:]]
    return (named[0], named[1]) if len(named) == len(ends) else None


def columns_for(query: str, table: Grid) -> list[int]:
    """Those that the query names; else the first, and those with a word of the query that no other column has."""
    asked = words_of(query)
    heads = {index: symbol_of(table.heads[index]).lower() for index in range(1, len(table.heads))}
    named = [index for index, head in heads.items() if len(head) >= LEAST_HEAD and head in query.lower()]
    if named:
        return named
    words = {index: table.column_words(index) for index in range(1, len(table.heads))}
    own = {index: mine.difference(*(words[each] for each in words if each != index)) for index, mine in words.items()}
    if not any(symbol_of(head) in table.caption for head in table.heads[1:]):
        return list(words)
    return [index for index in words if index == 1 or own[index] & asked]


def symbol_of(head: str) -> str:
    """A head without its unit."""
    return _UNIT.sub("", head).strip()


def symbols_of(table: Grid) -> list[str]:
    """The heads of a table behind the first, which may hold codes of another kind, without their units."""
    return [symbol_of(head) for head in table.heads[1:]]


def beside_others(reader: Reader, others: Grid) -> list[str]:
    """Rows of other work beside ours of the same composition, from the table whose caption names their state."""
    said: list[str] = []
    for row in others.rows:
        code = next((own[0] for table in reader.tables for own in table.rows if own[1:2] == row[:1]), "")
        for table in reader.tables:
            if table is others or not code or table.find(code) is None or f"in the {row[1]} state" not in table.caption:
                continue
            for index in range(1, len(table.heads)):
                if table.heads[index] in others.heads[2:]:
                    theirs = row[others.heads.index(table.heads[index])]
                    said += beside(code, series(reader, table, index), theirs)
            break
    return said


def beside(code: str, own: Series, theirs: str) -> list[str]:
    """A value of ours beside that of others."""
    by = own.values[code] - float(theirs)
    unit = own.unit if own.unit != "%" else "points"
    percent = f" or {100 * abs(by) / float(theirs):.1f} %" if own.unit != "%" else ""
    way = "higher" if by > 0 else "lower"
    return [
        f"The {own.name} of {code} is {way} by {abs(by):g} {unit}{percent}.",
        f"{code} has {own.values[code]:g} {own.unit}.",
    ]


def series(reader: Reader, table: Grid, index: int) -> Series:
    """A column as numbers by row, corrections made; of a mean with its deviation, the mean."""
    unit = _UNIT.search(table.heads[index])
    values: dict[str, float] = {}
    mended: dict[str, str] = {}
    digits = 0
    for row in table.rows:
        key = translated(reader, row[0])
        cell = corrected(reader, (key, row[0]), table, index, row[index])
        if cell != mean_of(row[index]):
            mended[key] = mean_of(row[index])
        if _NUMBER.fullmatch(cell):
            values[key] = float(cell)
            digits = max(digits, len(cell.partition(".")[2]))
    symbol = _UNIT.sub("", table.heads[index]).strip()
    named = next(
        (part for part in re.split(r"[,:;]|\.\s|\band\b", table.caption) if part.strip().endswith(f" {symbol}")), ""
    )
    name = named.strip().removesuffix(symbol).strip() or symbol
    shown = unit[1] if unit else unit_in(table.caption)
    return Series(name, shown, values, digits, mended, units_by_row(table))


def unit_in(caption: str) -> str:
    """The unit that a caption gives for all columns: a hardness, or what stands first in brackets."""
    if re.search(r"\bin per cent\b", caption):
        return "%"
    hardness = re.search(r"\bHV\b", re.sub(r"\d", "", caption))
    bracket = re.search(r"\((?!Table|Fig)([^(),]+)[,)]", caption)
    return hardness[0] if hardness else bracket[1] if bracket else ""


def units_by_row(table: Grid) -> dict[str, str]:
    """The units of a table that has a column of them."""
    index = table.heads.index("Unit") if "Unit" in table.heads else None
    return {row[0]: row[index].removesuffix("s") for row in table.rows} if index is not None else {}


def translated(reader: Reader, key: str) -> str:
    """The name of a row in the paper's other tables, by a table of two columns."""
    for table in reader.tables:
        row = table.find(key) if len(table.heads) == 2 else None
        if row is not None:
            return row[1]
    return key


def of_one(query: str, reader: Reader, table: Grid) -> list[str]:
    """What one table says: two columns of one unit that the query names, else each column against its first row."""
    numbers = [index for index in range(1, len(table.heads)) if len(series(reader, table, index).values) > 2]
    columns = {index: series(reader, table, index) for index in numbers}
    named = [index for index in numbers if words_of(table.heads[index]) & words_of(query)]
    units = {columns[index].unit for index in named}
    if len(named) >= 2 and len(units) == 1 and "%" not in str(units):
        return changes(columns[named[0]], columns[named[-1]], table.label, table.label)
    said: list[str] = []
    for index in columns_for(query, table):
        if index in columns:
            said += extremes(columns[index], table.label)
        if index - 1 in columns and index in columns and columns[index - 1].unit == columns[index].unit != "at.%":
            said += changes(columns[index - 1], columns[index], table.label, table.label)
    return said


def changes(one: Series, other: Series, before: str, after: str) -> list[str]:
    """How each row changes from one column to the other, which change most and least, and what was corrected."""
    both = [key for key in one.values if other.values.get(key) and one.values[key]]
    if len(both) < 2:
        return []
    ratios = {key: other.values[key] / one.values[key] for key in both}
    least, most = min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__)
    said = [f"{before} and {after} are compared here."] if before != after else []
    said += [sentence for key in both for sentence in change_of(key, one, other)]
    if one.unit != "%":
        said += [f"{most} gains most and has the highest ratio.", f"{least} gains least and has the lowest ratio."]
    for each, label in ((one, before), (other, after)):
        fall = 100 * (1 - each.values[both[-1]] / each.values[both[0]])
        way = "decreases" if fall > 0 else "increases"
        said.append(f"From {both[0]} to {both[-1]} the {each.name} of {label} {way} by {abs(fall):.1f} %.")
    if min(ratios.values()) > 1 or max(ratios.values()) < 1:
        said.append(f"The {one.name} of {after} is {'higher' if ratios[least] > 1 else 'lower'} throughout.")
    for each in (one, other):
        said += [f"The corrected value of {key} is {each.values[key]:g} {each.unit_of(key)}." for key in each.mended]
    return said


def losses(one: Series, other: Series) -> list[str]:
    """Which row loses most and which least where all lose."""
    gone = {key: one.values[key] - other.values[key] for key in one.values if key in other.values}
    if len(gone) < 2 or min(gone.values()) <= 0:
        return []
    most, least = max(gone, key=gone.__getitem__), min(gone, key=gone.__getitem__)
    return [f"{most} loses most.", f"{least} loses least."]


def change_of(key: str, one: Series, other: Series) -> list[str]:
    """What is said of one row."""
    gain, ratio = other.values[key] - one.values[key], other.values[key] / one.values[key]
    word, unit = ("rises" if gain > 0 else "falls"), one.unit_of(key) if one.unit != "%" else "points"
    size = f"{abs(gain):.{one.digits}f} {unit}".strip()
    if one.unit == "%":
        return [f"The {one.name} of {key} {word} by {size}."]
    percent = f"{100 * abs(ratio - 1):.1f} %"
    return [f"{key} {word} by {size} or {percent}.", f"The ratio of {key} {word} to {ratio:.2f}."]


def extremes(one: Series, label: str) -> list[str]:
    """The highest and the lowest of a column, each against the first row."""
    first = next(iter(one.values))
    top = max(one.values, key=one.values.__getitem__)
    low = min(one.values, key=one.values.__getitem__)
    said = [f"In {label} {top} has the highest {one.name}, {one.values[top]:.{one.digits}f} {one.unit}."]
    for key in dict.fromkeys((top, low)):
        change = 100 * (one.values[key] / one.values[first] - 1) if one.values[first] else 0.0
        if key != first and change and one.unit != "%":
            said.append(f"{key} lies {abs(change):.1f} % {'above' if change > 0 else 'below'} {first}.")
    return [*said, f"{low} has the lowest {one.name}, {one.values[low]:.{one.digits}f} {one.unit}."]


def mended_values(reader: Reader) -> list[str]:
    """Every cell that a correction changes, with what was printed."""
    said: list[str] = []
    for table in reader.tables:
        for index in range(1, len(table.heads)):
            column = series(reader, table, index)
            for key, printed in column.mended.items():
                by = column.values[key] - float(printed)
                word = "rises" if by > 0 else "falls"
                said.append(f"{key} is printed as {printed} {column.unit}.")
                said.append(
                    f"As corrected {key} {word} by {abs(by):g} {column.unit} to {column.values[key]:g} {column.unit}."
                )
    return said


def told(query: str, reader: Reader) -> Sequence[str]:
    """The two sentences with an amount that have most words of the query."""
    asked = words_of(query)
    with_amounts = [
        each for each in reader.sentences if re.search(r"\d (?:MPa|HV|GPa)", each) and len(each) < MOST_CHARS
    ]
    plain = [each for each in with_amounts if len(_NUMBER.findall(each)) <= MOST_NUMBERS]
    ranked = sorted(plain, key=lambda each: -len(words_of(each) & asked))
    return [each for each in ranked[:2] if len(words_of(each) & asked) >= LEAST_SHARED]


MOST_CHARS = 200
"""Characters of a sentence; a longer one says more than one thing."""
MOST_NUMBERS = 4
"""Numbers of a sentence; more are the ticks of a figure."""
LEAST_SHARED = 3
"""Words that a sentence shares with a query that it answers."""
