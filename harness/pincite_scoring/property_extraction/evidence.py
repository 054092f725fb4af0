"""Evidence: does the quote stand in the paper, on that page, and does it hold the value?"""

import re
from collections.abc import Mapping

from pincite_materials.categories import category_form, written_out
from pincite_materials.name_parts import take_apart
from pincite_materials.symmetry import space_group_number, symbol_key
from pincite_materials.text import plain
from pincite_materials.units import convert, known
from pincite_materials.values import scan_numbers, spell
from pincite_papers.model import Paper
from pincite_scoring.property_extraction.compare import stated
from pincite_scoring.property_extraction.records import Record
from pincite_scoring.quotations import MOST_EVIDENCE, Checked, QuoteStanding, check_quote
from pincite_scoring.shown import NOTHING_SHOWN, Shown

_SAME = 1e-9
"""Relative difference of one number read twice: the rounding of doubles."""

_NEAR = 600
"""Characters around a quote in which its paper may name what it is of: a paragraph, or a table with its caption."""

_FURTHEST, _UNIT_LENGTH = 60, 4
"""Characters behind a number, and words of them, in which its unit stands."""

_UNIT_WORDS = frozenset({"in", "at", "a", "as", "and", "to", "of", "per", "by", "is", "for", "or", "mol", "no"})
"""Words that also name units: behind a number in a sentence they are words."""


class Library:
    """The papers of a task, and where the quotes of records stand in them (``scoring.quotations``)."""

    def __init__(self, papers: Mapping[str, Paper], shown: Shown = NOTHING_SHOWN) -> None:
        self.papers = dict(papers)
        self._shown = shown
        self._checked: dict[tuple[str, int | None, str], Checked] = {}

    def check(self, record: Record) -> Checked:
        """Where the record's quote stands: on its page, in the paper it names or in any. One of more than
        MOST_EVIDENCE characters is evidence for no single value."""
        place = record.location
        key = (place.evidence, place.page, place.paper)
        if key not in self._checked:
            self._checked[key] = check_quote(
                self.papers, place.evidence, place.page, place.paper, MOST_EVIDENCE, self._shown
            )
        return self._checked[key]

    def standing(self, record: Record) -> QuoteStanding:
        """How the record's quote stands."""
        return self.check(record).standing

    def overlap(self, a: Record, b: Record) -> bool:
        """Whether the quotes of two records overlap at one place of a paper; of papers that are not there, whether one
        quote holds the other on one page."""
        first, second = self.check(a), self.check(b)
        if first.standing == "too_long" or second.standing == "too_long":
            return False
        if first.located and second.located:
            return first.paper == second.paper and first.start < second.end and second.start < first.end
        one, other = (category_form(record.location.evidence) for record in (a, b))
        return bool(one and other) and a.location.page == b.location.page and (one in other or other in one)

    def names_another(self, name: str, gold: Record) -> bool:
        """Whether the papers use a name of two words or more, and never near what the gold record quotes: it is then
        the name of something else there."""
        words = re.findall(r"\w+", plain(take_apart(name).quantity))
        checked = self.check(gold)
        if len(words) < 2 or not checked.located:
            return False
        pattern = re.compile(r"\b" + r"[\s\-]+".join(map(re.escape, words)) + r"s?\b", re.IGNORECASE)
        places = [match.start() for match in pattern.finditer(self.papers[checked.paper].text)]
        near = [at for at in places if checked.start - _NEAR <= at <= checked.end + _NEAR]
        return bool(places) and not near


def value_in_quote(record: Record) -> bool:
    """Whether the record's number (every number of a range or tuple) or category is printed in its quote.

    Numbers are compared as numbers, so that 1.2e-3 is found in ``1.2 × 10^-3``; nothing is converted. A number that is
    printed with a unit of another quantity is another value; a power of ten that a table's header holds may stand in
    the unit. Space groups may be printed in any spelling. A quote of more than MOST_EVIDENCE characters holds anything
    and counts for nothing.
    """
    quote = record.location.evidence
    if len(quote.strip()) > MOST_EVIDENCE:
        return False
    value, unit = stated(record).quantity()
    wanted = category_form(record.value_string)
    if value is None or not quote:
        symbol = symbol_key(record.value_string)
        printed = bool(wanted) and (
            wanted in category_form(quote) or written_out(record.value_string) in written_out(quote)
        )
        return printed or (space_group_number(record.value_string) is not None and symbol in symbol_key(quote))
    numbers = _numbers_of(quote, unit)
    if all(any(abs(n - m) <= _SAME * max(abs(n), abs(m)) for m in numbers) for n in value.numbers):
        return True
    return bool(wanted) and wanted in category_form(quote) and not wanted[:1].isdigit()


def misread(answer: Record, gold: Record) -> bool:
    """Whether an answer's own quote prints the gold's number, to no more digits and in the answer's unit, and not the
    answer's: a digit is then misread, and nothing rounded or converted."""
    quote = answer.location.evidence
    (mine, unit), (true, true_unit) = stated(answer).quantity(), stated(gold).quantity()
    if mine is None or true is None or len(mine.numbers) != 1 or len(true.numbers) != 1 or len(quote) > MOST_EVIDENCE:
        return False
    if mine.numbers == true.numbers or convert(1.0, unit, true_unit) != 1.0 or _decimals(answer) < _decimals(gold):
        return False
    numbers = _numbers_of(quote, unit)
    return true.numbers[0] in numbers and mine.numbers[0] not in numbers


def _decimals(record: Record) -> int:
    """The decimals of a record's number as printed."""
    printed = re.search(r"\d(?:[\d,]*\d)?(?:\.(\d+))?", spell(record.value_string))
    return len(printed[1] or "") if printed else 0


def _numbers_of(quote: str, unit: str) -> list[float]:
    """The numbers of a quote but for those whose unit measures something else than ``unit``."""
    text = spell(quote)
    return [number.value for number in scan_numbers(text) if not _other_unit(text[number.end :], unit)]


def _other_unit(behind: str, unit: str) -> bool:
    """Whether what stands behind a number in its cell or line is a unit, and not one that compares with ``unit``."""
    cell = re.split(r"[\t\n]", behind[:_FURTHEST], maxsplit=1)[0]
    words = [word.rstrip(".,;:)") for word in cell.split()[:_UNIT_LENGTH]]
    if not unit or not words or words[0].lower() in _UNIT_WORDS or not words[0][:1].isalpha() or not known(unit):
        return False
    units = [" ".join(words[: length + 1]) for length in range(len(words))]
    read = [each for each in units if known(each)]
    return bool(read) and all(convert(1.0, each, unit, energies=True) is None for each in read)
