"""Values of a report: its numbers with units, and those without one that do not number a thing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite_papers.doi import IN_TEXT
from pincite_papers.model import Span
from pincite_papers.passages import sentence_breaks
from pincite_provenance.audit.context_words import ContextWord, TextWords, label_words, once
from pincite_provenance.audit.places import PLACE
from pincite_provenance.audit.spelled import Spelled
from pincite_provenance.audit.text import ReportText, TextBlock
from pincite_provenance.audit.unit_readings import counts_things, unit_readings
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.tablecells import units_of, without_units

_LABELLED = re.compile(
    r"\b(?:fig(?:ure|s)?|tab(?:le)?s?|eqs?|equations?|sections?|sect?|chapters?|refs?|references?|pages?|pp?|appendix|step"
    r"|steps|no|nos|vol|volume|issue|item|line|row|column|sample|group|grade|phase|version|part|question|claim|note|day"
    r"|week|cycle|experiment|trial|run|task|python|issn|isbn|arxiv|pmid|pmc|grant|§)\.?\s?#?(?:\d+\s?(?:,|and|to|-|&)\s?)*$",
    re.IGNORECASE,
)
"""What makes a bare number the name of a thing, and no value."""
_FORMULA = (")", "]")
"""What a number of a formula stands behind, without a blank: ``(CrCoNi)97Al3``."""
_ADDRESS = re.compile(
    rf"https?://\S+|{IN_TEXT.pattern}|\bpc:[0-9a-f]{{8}}#\S+|\barXiv:\S+|\[[@^][^\]]{{1,80}}\]"
    r"|\b[A-Za-z]{2,12}:\s?\d{4}\.\d{4,5}(?:v\d+)?\b|\b[A-Za-z]{2,12}:\s?\d{5,}\b"
)
"""Addresses and identifiers: what stands behind a word and a colon with as many digits names a work."""
_ACCESSION = re.compile(
    r"\b(?:ATCC|BCRC|CBS|CCM|CCUG|CECT|CGMCC|CIP|DSMZ?|IFO|JCM|KACC|KCTC|LMG|MTCC|NBRC|NCIMB|NCPF|NCTC|NCYC|NRRL|PTCC"
    r"|CAS|PDB|CCDC|ICSD|ISRCTN|NCT|ACTRN|JRCT[sS]?|UMIN)\s?(?:No\.?\s)?[A-Z]{0,3}[-\d]+"
)
"""Strains of culture collections, entries of databases and registered trials."""
_DATE = re.compile(
    r"\b\d{1,2}\.? (?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\.? \d{1,2}"
    r"(?:, \d{4})?"
    r"|\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}/\d{1,2}/\d{4}\b",
    re.IGNORECASE,
)
_YEARS = (1500, 2100)
_LEAST_BARE = 13
"""Whole numbers without a unit below this are counts that a report makes itself ("3 findings"), not values."""
_BOUNDED = re.compile(
    r"\s(?:and|or|but|to)\s(?:at (?:least|most)|(?:less|more|fewer|greater|lower|higher) than|not (?:more|less) than"
    r"|below|under|above|over|up to)\s"
)
"""What stands between the two bounds of a quantity."""
_THOUSANDS = re.compile(r"\s\d{3}\b(?!\s?[%.])")
"""The rest of a number whose thousands are parted by a blank (47 000)."""
_DERIVED = re.compile(
    r"\b(?:factors? of|times|\w*fold|ratios?|twice|doubl\w+|tripl\w+|differences?|differ(?:s|ed)? by|sum of|in total"
    r"|altogether|combined|on average|(?:mean|average|sum|total) of (?:the|all|both|these))\b",
    re.IGNORECASE,
)
"""What says that a number may be the report's own sum of others."""
_CHANGED = re.compile(
    r"\bby (?:about |some |around |~)?$|\b(?:more|less|higher|lower|larger|smaller|longer|shorter)\b", re.IGNORECASE
)
"""What says so where the number is also the difference or the ratio of others beside it."""


@dataclass(frozen=True, slots=True)
class ReportValue:
    """A quantity at ``[start:end]`` of the report's plain text. ``digits`` is the number as printed, in the spelling of
    ``clean``; ``units`` those that it may be read in.

    ``words`` are those around it with their weights: of its clause, its sentence or row, its heading.
    """

    start: int
    end: int
    quantity: Quantity
    digits: str
    units: tuple[str, ...]
    around: Span
    words: tuple[tuple[ContextWord, float], ...]
    derived: bool = False
    """Whether its clause says that it may be calculated."""
    sentence: str = ""
    """Its sentence in the spelling of ``clean``, in which the quantity has its place; "" in a table."""
    labels: tuple[str, ...] = ()
    """In a table, what its row and column are called."""
    group: int = 0
    """Where its sentence or its table begins."""


CLAUSE, SENTENCE, BEFORE, HEADING = 1.0, 0.5, 0.25, 0.2
"""How much a word counts that stands in the clause of a number, elsewhere in its sentence, in the sentence before, in
the heading above."""


def find_values(report: ReportText, without: Sequence[Span]) -> Iterator[ReportValue]:
    """The values of all blocks but headings; what overlaps a span of ``without`` (references, quotations) is none."""
    heading = ""
    for block in report.blocks:
        if block.kind == "heading":
            heading = clean(report.text[block.start : block.end])
        elif block.kind == "table":
            yield from _in_table(report, block, heading, without)
        else:
            yield from _in_prose(report, block, heading, without)


def _in_prose(report: ReportText, block: TextBlock, heading: str, without: Sequence[Span]) -> Iterator[ReportValue]:
    edges = [block.start, *sentence_breaks(report.text, block.start, block.end), block.end]
    before = ""
    for low, high in pairwise(edges):
        piece = report.text[low:high]
        spelled = Spelled.of(piece)
        if any(character.isdigit() for character in piece):
            yield from _in_sentence(spelled, low, high, (heading, before), without)
        before = spelled.text


def _in_sentence(
    spelled: Spelled, low: int, high: int, other: tuple[str, str], without: Sequence[Span]
) -> Iterator[ReportValue]:
    text = spelled.text
    addresses = [match.span() for pattern in (_ADDRESS, _DATE, PLACE, _ACCESSION) for match in pattern.finditer(text)]
    inside = TextWords(text)
    named = (label_words(other[0]), label_words(other[1]))
    for quantity in inside.quantities:
        start, end = spelled.back(quantity.start, _end_of(text, quantity))
        if quantity.word or any(low + start < span.end and span.start < low + end for span in without):
            continue
        if any(a < quantity.end and quantity.start < b for a, b in addresses) or not _is_value(text, quantity):
            continue
        lists = (inside.beside(quantity), inside.around(quantity), named[1], named[0])
        words = _weighted(zip(lists, (CLAUSE, SENTENCE, BEFORE, HEADING), strict=True))
        derived = _is_derived(text, inside.clause(quantity), quantity, inside.quantities)
        units = unit_readings(quantity.unit or _shared_unit(text, quantity, inside.quantities))
        digits = text[quantity.start : quantity.end]
        yield ReportValue(
            low + start, low + end, quantity, digits, units, Span(low, high), words, derived, text, (), low
        )


def _shared_unit(text: str, quantity: Quantity, quantities: Sequence[Quantity]) -> str:
    """The unit behind the next number where that bounds the same quantity: at least 20 and less than 75 years."""
    later = (each for each in quantities if each.start >= quantity.end)
    following = next(later, None)
    if following is None or _BOUNDED.fullmatch(text, quantity.end, following.start) is None:
        return ""
    return following.unit


def _end_of(text: str, quantity: Quantity) -> int:
    """Where a quantity ends, without the point of its sentence."""
    return quantity.end - 1 if text[quantity.start : quantity.end].endswith(".") else quantity.end


def _is_derived(text: str, clause: tuple[int, int], quantity: Quantity, quantities: Sequence[Quantity]) -> bool:
    """Whether a number may be calculated: its clause says so, or it is what others of its sentence give."""
    if _DERIVED.search(text, max(clause[0], quantity.start - 60), min(clause[1], quantity.end + 30)):
        return True
    before, behind = text[max(quantity.start - 12, 0) : quantity.start], text[quantity.end : quantity.end + 14]
    if not _CHANGED.search(before) and not _CHANGED.search(behind):
        return False
    others = [each.value for each in quantities if each is not quantity]
    return any(_gives(a, b, quantity.value) for a in others for b in others if a != b)


_NEARLY = 0.02
"""Share by which a sum of others may miss the printed number, which is rounded."""


def _gives(a: float, b: float, number: float) -> bool:
    """Whether the difference, the ratio or the change in per cent of two numbers is the third."""
    sums = [a - b, a + b]
    if b:
        sums += [a / b, 100 * (a - b) / b]
    return any(abs(abs(each) - abs(number)) <= _NEARLY * abs(number) for each in sums)


def _weighted(
    lists: Iterable[tuple[Iterable[ContextWord], float]],
) -> tuple[tuple[ContextWord, float], ...]:
    """The words of lists, each with the weight of the first list that has it."""
    found: dict[frozenset[str], tuple[ContextWord, float]] = {}
    for words, weight in lists:
        for word in words:
            found.setdefault(word.keys, (word, weight))
    return tuple(found.values())


def _is_value(text: str, quantity: Quantity) -> bool:
    """Whether a number is a value: it has a unit, or is none of a year, a label or a small count."""
    if text[: quantity.start].endswith(_FORMULA) or _is_part(text, quantity):
        return False
    if quantity.unit:
        return True
    if _LABELLED.search(text, max(quantity.start - 40, 0), quantity.start):
        return False
    value = quantity.value
    digits = text[quantity.start : _end_of(text, quantity)]
    if not value.is_integer() or "." in digits or "^" in digits:
        return True
    is_year = _YEARS[0] <= value <= _YEARS[1] and "," not in digits
    return abs(value) >= _LEAST_BARE and not is_year


def _is_part(text: str, quantity: Quantity) -> bool:
    """Whether a number is the first figures of one whose thousands are parted by a blank, or its last ones."""
    digits = text[quantity.start : quantity.end]
    if quantity.unit or not digits.isdigit():
        return False
    if len(digits) <= 3 and _THOUSANDS.match(text, quantity.end) is not None:
        return True
    return len(digits) == 3 and re.search(r"(?<![\d.])\d{1,3}\s$", text[: quantity.start]) is not None


def _in_table(report: ReportText, block: TextBlock, heading: str, without: Sequence[Span]) -> Iterator[ReportValue]:
    """The numbers of a table's cells, with the units of its head and of the row's label."""
    if not block.rows or any(block.start < span.end and span.start < block.end for span in without):
        return
    head = [clean(report.text[start:end]).strip() for start, end in block.rows[0]]
    for row in block.rows[1:]:
        cells = [report.text[start:end] for start, end in row]
        labels = [clean(cell).strip() for cell in cells if _is_label(cell)]
        for column, (start, end) in enumerate(row):
            if _is_label(cells[column]):
                continue
            title = head[column] if column < len(head) else ""
            yield from _in_cell(Spelled.of(cells[column]), start, end, (title, labels, heading), block.start)


def _in_cell(
    spelled: Spelled, low: int, high: int, named: tuple[str, list[str], str], group: int
) -> Iterator[ReportValue]:
    title, labels, heading = named
    text = spelled.text
    inside = TextWords(text)
    for quantity in inside.quantities:
        if quantity.word or _DATE.search(text):
            continue
        given = [unit for label in (title, *labels) for unit in units_of(label)]
        own = () if given and counts_things(quantity.unit) else unit_readings(quantity.unit)
        units = own or tuple(dict.fromkeys(given))
        start, end = spelled.back(quantity.start, _end_of(text, quantity))
        label = label_words(without_units(" ; ".join((title, *labels))))
        near = once((*label, *inside.around(quantity)))
        words = _weighted(((near, CLAUSE), (label_words(heading), HEADING)))
        digits = text[quantity.start : quantity.end]
        derived = _DERIVED.search(f"{title} {' '.join(labels)}") is not None
        around, called = Span(low, high), tuple(without_units(each) for each in (*labels, title))
        yield ReportValue(low + start, low + end, quantity, digits, units, around, words, derived, "", called, group)


def _is_label(cell: str) -> bool:
    """Whether a cell names its row: it has letters before any number, or no number."""
    text = cell.strip()
    return not any(character.isdigit() for character in text) or text[:1].isalpha() or text[:1] in "(["
