"""Evidence: does the quote stand in the paper, on that page, and does it hold the value?"""

from collections.abc import Mapping
from typing import Literal

from pincite_harness.scoring.property_extraction.compare import stated
from pincite_harness.scoring.property_extraction.records import Record
from pincite_materials.comparing import category_form
from pincite_materials.symmetry import space_group_number, symbol_key
from pincite_materials.values import find_numbers
from pincite_papers.model import Paper
from pincite_papers.quotes import MAX_QUOTE_CHARS, find_quote

Standing = Literal["verified", "wrong_page", "absent", "no_evidence", "no_such_page"]

_SAME = 1e-9


class Library:
    """The papers of a task. Quotes are looked for as the provenance server does (``pincite_papers.quotes``)."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._papers = dict(papers)

    def standing(self, record: Record) -> Standing:
        """Whether the record's quote stands on its page, in the paper it names or in any.

        A quote that runs over a page boundary counts for either page; one longer than MAX_QUOTE_CHARS is none.
        """
        quote, named = record.location.evidence, record.location.paper
        if not quote.strip():
            return "no_evidence"
        chosen = [self._papers[named]] if named in self._papers else list(self._papers.values())
        found = {_standing(paper, quote, record.location.page) for paper in chosen}
        order: tuple[Standing, ...] = ("verified", "wrong_page", "no_such_page", "absent")
        for standing in order:
            if standing in found:
                return standing
        return "absent"


def _standing(paper: Paper, quote: str, number: int) -> Standing:
    match = find_quote(paper, quote, number) if len(quote) <= MAX_QUOTE_CHARS else None
    stands = match is not None and match.stands
    if all(page.number != number for page in paper.pages):
        return "wrong_page" if stands else "no_such_page"
    if match is None or not stands:
        return "absent"
    return "wrong_page" if match.wrong_page else "verified"


def value_in_quote(record: Record) -> bool:
    """Whether the record's number (every number of a range or tuple) or category is printed in its quote.

    Numbers are compared as numbers, so that 1.2e-3 is found in ``1.2 × 10^-3``; nothing is converted. A power of ten
    that a table's header holds may stand in the unit. Space groups may be printed in any spelling of the symbol.
    """
    quote = record.location.evidence
    value, _ = stated(record).quantity()
    wanted = category_form(record.value_string)
    if value is None or not quote:
        symbol = symbol_key(record.value_string)
        printed = bool(wanted) and wanted in category_form(quote)
        return printed or (space_group_number(record.value_string) is not None and symbol in symbol_key(quote))
    numbers = find_numbers(quote)
    if all(any(abs(n - m) <= _SAME * max(abs(n), abs(m)) for m in numbers) for n in value.numbers):
        return True
    return bool(wanted) and wanted in category_form(quote) and not wanted[:1].isdigit()
