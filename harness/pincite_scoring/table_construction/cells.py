"""Cells: how much of a gold cell an answer's cell holds, from 0 to 1."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from pincite_scoring.judging.judge import Labels, Question, Verdict
from pincite_scoring.table_construction.amounts import (
    Amount,
    Unit,
    header_unit,
    read_amount,
    same_kind,
    without_unit,
)
from pincite_scoring.table_construction.concepts import concepts_of
from pincite_scoring.table_construction.forms import (
    content_form,
    content_words,
    is_empty,
    numbers,
    same_clauses,
    unmarked,
)
from pincite_scoring.table_construction.gold import Cell, cell_text
from pincite_scoring.table_construction.lists import items_of, list_score
from pincite_scoring.table_construction.periods import year_of
from pincite_scoring.table_construction.rubrics import cell_rubric

RELATIVE, ABSOLUTE = Fraction(1, 100_000), Fraction(1, 1_000_000)
"""Numbers are equal within ABSOLUTE + RELATIVE x the answer's, as the published ``numpy.isclose(…, atol=1e-6)``."""
NOISE = Fraction(1, 10**12)
"""Relative error of a sum in binary floating point, far below the last digit that any document prints."""
_PLAIN_YEAR = re.compile(r"(?:19|20)\d\d")
TENTHS = 10
"""Scores of cells are tenths, as published."""
_SOFT = frozenset({"about", "approximately", "approx", "approx.", "ca", "ca.", "circa", "roughly", "around", "~", "约"})
_MOST_WORDS = 8
"""Words of a cell in which a number is looked for."""
_LONGEST_SHORT = 4
"""Letters of a short name of a column."""
_COLUMN, _EXPECTED, _ANSWER = "column", "expected cell", "cell of the answer"


@dataclass(frozen=True, slots=True)
class Column:
    """A column to compare: its gold name, the answer's name for it, and what its cells are."""

    name: str
    header: str
    numeric: bool
    list_cells: bool
    also: tuple[str, ...] = ()
    """Other names that it may have."""
    row: tuple[str, ...] = ()
    """The row's key: what its cells are about."""


@dataclass(frozen=True, slots=True)
class CellScore:
    """A score from 0 to 1, how it came about, and the judge's verdict where one was asked."""

    score: float
    how: str
    verdict: Verdict | None = None


def compare_cell(column: Column, gold: Cell, answer: str, exact: Fraction | None) -> CellScore | Question:
    """Score one cell by rule, or give the question that a judge has to decide; ``exact`` is the unrounded value of a
    computed cell.

    Empty cells, numbers, lists and texts of the same words are decided by rule, all other texts are judged.
    """
    expected = cell_text(gold)
    if is_empty(expected) or is_empty(answer) or gold == []:
        both = (is_empty(expected) or gold == []) and is_empty(answer)
        return CellScore(float(both), "both are empty" if both else "one is empty")
    if column.numeric and isinstance(gold, str) and (amount := read_amount(gold)) is not None:
        return _number(column, amount, answer, exact)
    items = gold if isinstance(gold, list) else items_of(gold, commas=column.list_cells)
    if items is not None:
        value, found = list_score(items, items_of(answer, commas=True) or [answer], column.name)
        return CellScore(value, f"list: {found} of {len(items)}")
    return _text(column, expected, answer)


def _number(column: Column, gold: Amount, answer: str, exact: Fraction | None) -> CellScore:
    amount = read_amount(answer) or _named_amount(column, answer)
    if amount is None:
        same = _PLAIN_YEAR.fullmatch(str(gold.number)) and year_of(answer) == str(gold.number)
        return CellScore(1.0, "the same year") if same else CellScore(0.0, "no number")
    value = in_unit_of(amount, header_unit(column.header), gold, header_unit(column.name))
    if value is None:
        return CellScore(0.0, "another unit")
    if any(printed_alike(gold, amount, each) for each in value):
        return CellScore(1.0, "number")
    if exact is not None and any(rounds_to(each, exact, gold.number) for each in value):
        return CellScore(1.0, "number, recomputed")
    return CellScore(0.0, "other number")


def _named_amount(column: Column, answer: str) -> Amount | None:
    """The amount of a cell that repeats a name of its column: ``20.13 (perplexity)``, ``Perplexity: 20.13``."""
    plain = " ".join(answer.casefold().split())
    named = plain.split()[:_MOST_WORDS]
    for at in range(1, len(named)):
        for number, name in ((named[:at], named[at:]), (named[at:], named[:at])):
            amount = read_amount(" ".join(number))
            if amount is not None and _names_column(column, " ".join(name).strip(" :=()")):
                return amount
    for name in (column.name, column.header, *column.also):
        own = re.escape(without_unit(name))
        left = re.sub(rf"^{own}(?: ?[:=]| of| is)? ?(?=\S)|(?<=\S) ?(?:\({own}\)|{own})$", "", plain) if own else plain
        if left != plain and (amount := read_amount(left)) is not None:
            return amount
    return None


def _names_column(column: Column, words: str) -> bool:
    """Whether words beside a number say what the column holds: by the lexicon (``ordinary shares``), or by the first
    letters and more of its name (``PPL`` for perplexity); or soften it (``about``)."""
    if words in _SOFT:
        return True
    names = [column.name, column.header, *column.also]
    if any(concepts_of(words) & concepts_of(name) for name in names):
        return True
    letters = words.rstrip(".")
    return letters.isalpha() and 2 <= len(letters) <= _LONGEST_SHORT and any(_shortens(letters, n) for n in names)


def _shortens(letters: str, name: str) -> bool:
    """Whether letters stand in one word of a name in their order, the first at its beginning."""
    for word in without_unit(name).split():
        left = iter(word)
        if word[0] == letters[0] and len(word) >= 2 * len(letters) and all(letter in left for letter in letters):
            return True
    return False


def in_unit_of(answer: Amount, answer_header: Unit, gold: Amount, gold_header: Unit) -> list[Fraction] | None:
    """The answer's number in the gold cell's unit and scale; None where the two count different things.

    A cell that states a scale or unit stands for itself; a bare number has its header's, and without one the gold's.
    Two readings where the gold states no unit and the answer a percentage: 65.3 % is 0.653 or 65.3.
    """
    wanted = _effective(gold.unit, gold_header)
    said = _effective(answer.unit, answer_header)
    if not said.stated:
        return [Fraction(answer.number)]
    if not same_kind(wanted, said):
        return None
    number = Fraction(answer.number) * Fraction(said.scale)
    if said.name == "%" and wanted.name is None:
        return [number / 100 / Fraction(wanted.scale), number / Fraction(wanted.scale)]
    return [number / Fraction(wanted.scale)]


def close(gold: Fraction, answer: Fraction) -> bool:
    """Whether two numbers are equal within the published tolerance."""
    return abs(gold - answer) <= ABSOLUTE + RELATIVE * abs(answer)


def printed_alike(gold: Amount, answer: Amount, value: Fraction) -> bool:
    """Whether ``value``, the answer's number in the gold's unit, is the gold or the gold rounded to the places that the
    answer prints, within the published tolerance: 10,254.8 million is 10,254,770,000, and 10,254,780,000 is not."""
    wanted = Fraction(gold.number)
    scale = abs(value / Fraction(answer.number)) if answer.number else Fraction(1)
    place = half_unit(answer.number) * scale
    return close(wanted, value) and abs(wanted - value) <= max(place, NOISE * abs(wanted))


def rounds_to(answer: Fraction, exact: Fraction, gold: Decimal) -> bool:
    """Whether a computed number is within half a unit of the gold's last printed place of the unrounded value."""
    return abs(answer - exact) <= half_unit(gold)


def half_unit(number: Decimal) -> Fraction:
    """Half of what one more in the last printed place of ``number`` is worth."""
    exponent = number.as_tuple().exponent
    return Fraction(Decimal(5).scaleb(int(exponent) - 1))


def same_words(column: str, gold: str, answer: str) -> bool:
    """Whether two texts are equal after normalisation; signs without any word only as they stand."""
    form = content_form(gold, column)
    return form == content_form(answer, column) if form else gold.strip() == answer.strip()


def partial(column: str, gold: str, answer: str) -> float:
    """The deterministic score of two texts, in tenths.

    1 for the same words; 0 where their numbers differ or they share less than half of their words (Dice); else nine
    tenths of what they share, rounded down.
    """
    a, b = content_words(gold, column), content_words(answer, column)
    if same_words(column, gold, answer):
        return 1.0
    shared, total = (Counter(a) & Counter(b)).total(), len(a) + len(b)
    if numbers(a) != numbers(b) or 4 * shared < total:
        return 0.0
    return (9 * 2 * shared // total) / TENTHS


def cell_question(column: str, gold: str, answer: str, steps: int, score: float | None = None) -> Question:
    """What a judge is asked of two texts, in ``steps`` from 0 to 1; the rule gives ``score``, else ``cell_rule``."""
    subject = {_COLUMN: column, _EXPECTED: gold, _ANSWER: answer}

    def rule() -> Labels:
        return cell_rule(subject) if score is None else {"score": f"{score:.{len(str(steps)) - 1}f}"}

    return Question(cell_rubric(steps), subject, rule)


def cell_rule(texts: Mapping[str, str]) -> Labels:
    """The label of ``partial``, in tenths, for a question's texts."""
    return {"score": f"{partial(texts[_COLUMN], texts[_EXPECTED], texts[_ANSWER]):.1f}"}


def judged(verdict: Verdict) -> CellScore:
    """A judge's score of a cell; 0 for one that it left undecided, as the published code takes a failed judgement."""
    label = verdict.labels.get("score")
    return CellScore(float(label) if label is not None else 0.0, "judged", verdict)


def _text(column: Column, gold: str, answer: str) -> CellScore | Question:
    gold, answer = unmarked(gold, answer)
    if same_words(column.name, gold, answer):
        return CellScore(1.0, "same words")
    if same_clauses(column.name, gold, answer, column.row):
        return CellScore(1.0, "same clauses")
    a, b = read_amount(gold), read_amount(answer)
    if a is not None and b is not None:
        same = in_unit_of(b, header_unit(column.header), a, header_unit(column.name))
        right = same is not None and any(printed_alike(a, b, each) for each in same)
        return CellScore(float(right), "number" if right else "other number")
    return cell_question(column.name, gold, answer, TENTHS)


def _effective(cell: Unit, header: Unit) -> Unit:
    """The cell's own unit where it states one, else its header's; a scale alone takes the header's name."""
    if not cell.stated:
        return header
    return cell if cell.name is not None else Unit(cell.scale, header.name)
