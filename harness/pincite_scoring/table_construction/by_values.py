"""Columns by their values: a column of an answer under a name that nobody knows, whose numbers are a gold column's."""

import re
from collections.abc import Iterable, Sequence

from pincite_scoring.table_construction.amounts import header_unit, read_amount, same_kind
from pincite_scoring.table_construction.cells import Column, in_unit_of, printed_alike
from pincite_scoring.table_construction.columns import Alignment
from pincite_scoring.table_construction.concepts import concept_form, concepts_of
from pincite_scoring.table_construction.forms import numbers, words
from pincite_scoring.table_construction.gold import GoldTable
from pincite_scoring.table_construction.reading import Table
from pincite_scoring.table_construction.rows import Match

VALUES = "values"
"""How such a column was found, for score.json."""
_LEAST_ROWS = 2
"""Rows that must be there, and values that must differ among them, before numbers tell a column."""
_MOST_WORDS = 12
"""Words of a name; a longer one is a sentence."""
_OTHER_QUANTITY = re.compile(
    r"\b(?:growth|change|increase|decrease|prior|previous|preceding|last|before|diluted|average|forecast|expected"
    r"|target|budget|quarter|half|month|parent)\b|增长|上年|去年|上期|稀释|预计|季度|母公司"
)
"""Words that make another quantity of a name; they stand in both names or in none."""

_LITTLE = frozenset(
    {"a", "an", "at", "by", "for", "in", "of", "on", "per", "the", "to", "cny", "rmb", "usd", "%", "的"}
)
"""Words that two names may share by chance."""


def align_by_values(gold: GoldTable, answer: Table, alignment: Alignment, matches: Sequence[Match]) -> Alignment:
    """The alignment with the gold columns of numbers that no name found and one column's numbers are.

    All matched rows must agree, at least two values differ, and no other column of the answer have these numbers. The
    name must say something of the gold column or what it is computed of, and nothing of another quantity.
    """
    columns, via = dict(alignment.columns), dict(alignment.via)
    left = [name for name in gold.targets if name in gold.numeric and name not in columns]
    free = [place for place in range(len(answer.headers)) if place not in columns.values()]
    if not left or not free or len(matches) < _LEAST_ROWS:
        return alignment
    for name in left:
        same = [place for place in range(len(answer.headers)) if _same_numbers(gold, name, answer, place, matches)]
        if len(same) == 1 and same[0] in free and _may_be(gold, name, answer.headers[same[0]]):
            columns[name], via[name] = same[0], VALUES
            free.remove(same[0])
    return Alignment(columns, via, alignment.verdict)


def _same_numbers(gold: GoldTable, name: str, answer: Table, place: int, matches: Sequence[Match]) -> bool:
    column = Column(name, answer.headers[place], numeric=True, list_cells=False)
    if not same_kind(header_unit(name), header_unit(column.header)):
        return False
    found: set[object] = set()
    for match in matches:
        cell = gold.rows[match.gold][name]
        true, mine = read_amount(cell) if isinstance(cell, str) else None, read_amount(answer.rows[match.answer][place])
        if true is None or mine is None:
            return False
        values = in_unit_of(mine, header_unit(column.header), true, header_unit(name))
        if values is None or not any(printed_alike(true, mine, value) for value in values):
            return False
        found.add(true.number)
    return len(found) >= _LEAST_ROWS


def _may_be(gold: GoldTable, name: str, header: str) -> bool:
    """Whether a header names nothing but the gold column, or what it is computed of, and the same year of it."""
    names = (name, *gold.names.get(name, ()))
    if concepts_of(header) and not any(concepts_of(header) & concepts_of(each) for each in names):
        return False
    if numbers(words(header)) != numbers(words(name)) or _others(header) - _others(" ".join(names)):
        return False
    formula = gold.derived.get(name, "")
    used = [other for other in gold.columns if f"{{{other}}}" in formula]
    meant = [*names, *used]
    own = _named_in(header)
    shared = {*words(header)} & {word for each in meant for word in words(each)} - _LITTLE
    return bool(own or shared) and own <= _parts(concept for each in meant for concept in _all_concepts(each))


def _others(name: str) -> set[str]:
    return set(_OTHER_QUANTITY.findall(name.casefold()))


def _all_concepts(name: str) -> frozenset[str]:
    return concepts_of(name) | _named_in(name)


def _named_in(header: str) -> frozenset[str]:
    """The concepts that runs of a header's words name, ratios by their two sides."""
    found = concept_form(header).split()[:_MOST_WORDS]
    runs = (" ".join(found[i:j]) for i in range(len(found)) for j in range(i + 1, len(found) + 1))
    return _parts(concept for run in runs for concept in concepts_of(run))


def _parts(concepts: Iterable[str]) -> frozenset[str]:
    return frozenset(part for concept in concepts for part in concept.split("/"))
