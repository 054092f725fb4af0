"""SourceQuantities: every quantity of a paper with the words around it, so that one is found by number and by words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, Any

from pincite_materials.units import parse_unit, to_base
from pincite_papers.model import BlockKind, Paper, Span
from pincite_papers.passages import PerPaper, locate, section_at, sentence_breaks
from pincite_provenance.audit.context_words import ContextWord, TextWords, label_words, once
from pincite_provenance.audit.finding import SourcePassage
from pincite_provenance.audit.unit_readings import unit_readings
from pincite_provenance.claims.quantities import Quantity, find_quantities
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.tablecells import Grid, Place, place_of, units_of, without_units

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

_SKIPPED = frozenset({BlockKind.REFERENCE, BlockKind.AUTHORS})
"""Blocks whose numbers say nothing that a report could claim."""
_LONGEST = 3000
"""Characters of a sentence; a longer one is a list without marks, and is cut."""
NEAR, FAR = 1.0, 0.35
"""How much a word counts that stands in the sentence or the labels of a number, and one in its paragraph, its caption
or the heading above it."""


@dataclass(frozen=True, slots=True)
class SourceQuantity:
    """A quantity that stands in ``text[start:end]`` of the paper: a sentence or a cell. ``units`` are those that its
    number may be read in; ``beside`` are the words of its clause, ``near`` those of its sentence (both: its labels in a
    table), ``far`` those of its paragraph, caption and heading."""

    quantity: Quantity
    units: tuple[str, ...]
    start: int
    end: int
    beside: tuple[ContextWord, ...]
    near: tuple[ContextWord, ...]
    far: tuple[ContextWord, ...]
    labels: tuple[str, ...] = ()
    """Of a cell: what its row and its column are called."""
    row: tuple[str, ...] = ()
    column: tuple[str, ...] = ()
    table: int = -1
    """Which table of the paper the cell is of, from 0."""

    @property
    def unit(self) -> str:
        return self.units[0] if self.units else ""


class SourceQuantities:
    """The quantities of one paper. What is asked of numbers is answered for all of them at once."""

    def __init__(self, paper: Paper) -> None:
        self.entries: tuple[SourceQuantity, ...] = tuple(_quantities(paper))
        self._stood: dict[frozenset[str], tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]] = {}

    @cached_property
    def values(self) -> "Numbers":
        """The numbers as printed."""
        import numpy as np

        return np.array([entry.quantity.value for entry in self.entries], dtype=np.float64)

    @cached_property
    def bases(self) -> "Numbers":
        """The numbers in SI base units; not a number where the unit is not known."""
        import numpy as np

        found = [to_base(entry.quantity.value, entry.unit) for entry in self.entries]
        return np.array([np.nan if base is None else base for base in found], dtype=np.float64)

    @cached_property
    def _dimensions(self) -> dict[Any, list[int]]:
        found: dict[Any, list[int]] = {}
        for number, entry in enumerate(self.entries):
            for reading in parse_unit(entry.unit):
                found.setdefault(reading.dimensions, []).append(number)
        return found

    def of_kind(self, unit: str) -> list[int]:
        """The places of the quantities whose unit has the dimensions of this one."""
        found = {number for reading in parse_unit(unit) for number in self._dimensions.get(reading.dimensions, ())}
        return sorted(found)

    def place_beside(self, key: str) -> int | None:
        """The first quantity in whose sentence or labels the quantity of this key stands."""
        places = self._places.get(key)
        if places is None or not (places >= 0).any():
            return None
        return int(places[places >= 0][0])

    def place_labelled(self, key: str) -> int | None:
        """The first cell in whose labels the quantity of this key stands."""
        places = self._places.get(key)
        if places is None:
            return None
        cells = [at for at in map(int, places) if at >= 0 and self.entries[at].table >= 0]
        return cells[0] if cells else None

    def in_column_of(self, at: int) -> list[int]:
        """The places of the quantities in other rows of the same column of a table."""
        entry = self.entries[at]
        if entry.table < 0:
            return []
        column = self._columns.get((entry.table, entry.column), [])
        return [other for other in column if self.entries[other].row != entry.row]

    def in_row_of(self, at: int) -> list[int]:
        """The places of the quantities in other columns of the same row of a table."""
        entry = self.entries[at]
        if entry.table < 0:
            return []
        row = self._rows.get((entry.table, entry.row), [])
        return [other for other in row if self.entries[other].column != entry.column]

    @cached_property
    def _rows(self) -> dict[tuple[int, tuple[str, ...]], list[int]]:
        found: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        for number, entry in enumerate(self.entries):
            if entry.table >= 0:
                found.setdefault((entry.table, entry.row), []).append(number)
        return found

    @cached_property
    def _columns(self) -> dict[tuple[int, tuple[str, ...]], list[int]]:
        found: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        for number, entry in enumerate(self.entries):
            if entry.table >= 0:
                found.setdefault((entry.table, entry.column), []).append(number)
        return found

    def beside_of(self, at: int) -> Iterator[int]:
        """The places of the other quantities of the same sentence or cell."""
        entry = self.entries[at]
        for step in (-1, 1):
            other = at + step
            while 0 <= other < len(self.entries) and self.entries[other].start == entry.start:
                yield other
                other += step

    def like(self, value: float, unit: str, tolerance: float) -> list[int]:
        """The places of the quantities whose number is this one as printed, or in SI units within ``tolerance`` (a
        share of it)."""
        import numpy as np

        if not self.entries:
            return []
        slack = tolerance * abs(value) + 1e-300
        same = np.abs(self.values - value) <= slack
        base = to_base(value, unit)
        if base is not None:
            with np.errstate(invalid="ignore"):
                same |= np.abs(self.bases - base) <= tolerance * abs(base) + 1e-300
        return np.flatnonzero(same).tolist()

    @cached_property
    def _places(self) -> "dict[str, npt.NDArray[np.int64]]":
        """The places of the quantities that a word stands near to, by its keys; one far is counted from -1 down."""
        import numpy as np

        found: dict[str, list[int]] = {}
        for number, entry in enumerate(self.entries):
            for word in entry.near:
                for key in word.keys:
                    found.setdefault(key, []).append(number)
            for word in entry.far:
                for key in word.keys:
                    found.setdefault(key, []).append(-1 - number)
        return {key: np.unique(np.array(places, dtype=np.int64)) for key, places in found.items()}

    def scores(self, words: Sequence[tuple[ContextWord, float]]) -> "Numbers":
        """How well each quantity fits words with their weights: the rarer a word of the paper, the more it counts."""
        import numpy as np

        total = np.zeros(len(self.entries))
        for word, weight in words:
            near, far = self._standing(word)
            if not len(near) and not len(far):
                continue
            rarity = log(1 + len(self.entries) / max(len(near), 1))
            gain = weight * word.weight * rarity
            total[far] += FAR * gain
            total[near] += NEAR * gain
        return total

    def rarity(self, word: ContextWord) -> float:
        """What a word counts at most; 0 where the paper has it beside no quantity."""
        near, far = self._standing(word)
        if not len(near) and not len(far):
            return 0.0
        return word.weight * log(1 + len(self.entries) / max(len(near), 1))

    def _standing(self, word: ContextWord) -> "tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]":
        """Places of the quantities near to a word, and of the others far from it."""
        import numpy as np

        known = self._stood.get(word.keys)
        if known is not None:
            return known
        parts = [self._places[key] for key in word.keys if key in self._places]
        places = np.unique(np.concatenate(parts)) if parts else np.zeros(0, dtype=np.int64)
        near, far = places[places >= 0], -1 - places[places < 0]
        self._stood[word.keys] = near, far[~np.isin(far, near)]
        return self._stood[word.keys]


quantities_of = PerPaper(SourceQuantities)
"""The quantities of a paper, found once."""


def _quantities(paper: Paper) -> Iterator[SourceQuantity]:
    yield from _in_prose(paper)
    yield from _in_tables(paper)


def _in_prose(paper: Paper) -> Iterator[SourceQuantity]:
    for block in _prose(paper):
        if not any(character.isdigit() for character in paper.text[block.start : block.end]):
            continue
        heading = section_at(paper, block.start)
        paragraph = clean(f"{heading}. {paper.text[block.start : min(block.end, block.start + _LONGEST)]}")
        far = TextWords(paragraph).within(0, len(paragraph))
        edges = [block.start, *sentence_breaks(paper.text, block.start, block.end), block.end]
        for low, high in pairwise(edges):
            for start in range(low, high, _LONGEST):
                end = min(start + _LONGEST, high)
                words = TextWords(clean(paper.text[start:end]))
                for quantity in words.quantities:
                    units = unit_readings(quantity.unit)
                    near, beside = words.around(quantity), words.beside(quantity)
                    yield SourceQuantity(quantity, units, start, end, beside, near, far)


def _prose(paper: Paper) -> Iterator[Span]:
    """The blocks without those whose numbers are read cell by cell; of a plain text, which has none, its paragraphs."""
    skipped = _SKIPPED | ({BlockKind.TABLE} if paper.tables else frozenset[BlockKind]())
    if any(block.kind is not BlockKind.TABLE for block in paper.blocks):
        for block in paper.blocks:
            if block.kind not in skipped and block.end > block.start:
                yield Span(block.start, block.end)
        return
    start = 0
    for match in _PARAGRAPH_END.finditer(paper.text):
        yield Span(start, match.start())
        start = match.end()
    yield Span(start, len(paper.text))


def _in_tables(paper: Paper) -> Iterator[SourceQuantity]:
    for number, table in enumerate(paper.tables):
        for_all: list[str] | None = None
        counted: dict[int, int] = {}
        for cell in table.cells:
            if not any(character.isdigit() for character in cell.text):
                continue
            place = place_of(paper, table, cell)
            if _is_index(place, counted):
                continue
            if for_all is None:
                for_all = _units_of_caption(place.grid)
            labels = [label for label in (*place.row, *place.column) if label != place.text]
            near = once(word for label in labels for word in label_words(without_units(label)))
            far = label_words(place.grid.caption)
            for quantity in find_quantities(place.text):
                units = (quantity.unit,) if quantity.unit else tuple(_units_of(place) or for_all)
                row, column = tuple(place.row), tuple(place.column)
                yield SourceQuantity(
                    quantity, units, cell.start, cell.end, near, near, far, tuple(labels), row, column, number
                )


def _is_index(place: Place, counted: dict[int, int]) -> bool:
    """Whether a cell numbers its row; ``counted`` has the last number of each column that does so far."""
    column = place.cell.column
    if not place.text.strip().isdigit() or not any(_INDEX.fullmatch(label.strip()) for label in place.column):
        return False
    number = int(place.text)
    if number != counted.get(column, 0) + 1:
        return False
    counted[column] = number
    return True


_INDEX = re.compile(r"no\.?|nos?\.?|nr\.?|number|#|№|entry|peak(?: (?:no\.?|number))?|rank", re.IGNORECASE)
"""Headings of a column that numbers the rows."""
_UNIT_COLUMN = re.compile(r"units?", re.IGNORECASE)
_TIMES = re.compile(r"\b(second|minute|hour|day|week|month|year)s\b", re.IGNORECASE)
"""Times that a heading counts without brackets: "Days to closure", "Age, years"."""


def _units_of(place: Place) -> list[str]:
    """The units that a cell's labels give: in brackets, or in a column that is headed "Unit"."""
    labels = place.grid.names.get(place.cell.row, {})
    named = [
        label
        for column, label in labels.items()
        if any(_UNIT_COLUMN.fullmatch(head) for head in place.grid.columns.get(column, ()))
    ]
    return named or _times_of(place) or place.units()


def _times_of(place: Place) -> list[str]:
    """The one unit of time that the headings of a cell's column count, where they give no unit in brackets."""
    found = {match[1].lower() for label in place.column for match in _TIMES.finditer(label)}
    return list(found) if len(found) == 1 else []


def _units_of_caption(grid: Grid) -> list[str]:
    """The one unit that a caption gives in brackets for a whole table none of whose labels has any."""
    labels = {label for labels in (*grid.rows.values(), *grid.columns.values()) for label in labels}
    given = list(dict.fromkeys(units_of(grid.caption)))
    if len(given) != 1 or any(unit for label in labels for unit in units_of(label)):
        return []
    return given


_PARAGRAPH_END = re.compile(r"\n\s*\n")
_BLANK = re.compile(r"\s+")


def passage_of(paper: Paper, entry: SourceQuantity, longest: int = 400) -> str:
    """What stands in the paper around a quantity, white space as single blanks."""
    return _BLANK.sub(" ", paper.text[entry.start : entry.end]).strip()[:longest]


def made_passage(name: str, paper: Paper, entry: SourceQuantity) -> SourcePassage:
    """The passage of a quantity, in the paper that the report's reader knows as ``name``."""
    locator, page = locate(paper, entry.start, entry.end), paper.page_at(entry.start)
    text = passage_of(paper, entry)
    return SourcePassage(name, paper.paper_id, locator, text, page, entry.start, entry.end)
