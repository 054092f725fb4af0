"""Evidence: a claim as the state holds it, with the words of the page that it stands on."""

import re

from crew.evidence import capped, check, folded
from locators import LOCATOR

from .records import Place, Stated
from .rubric import CANDIDATE, tenth
from .said import Claim
from .schema import Schema
from .team import Sheet

_PLACE = re.compile(rf"\[?{LOCATOR.pattern}[^\]\n]*\]?")


def stated(claim: Claim, sheet: Sheet, schema: Schema, *, checking: bool) -> Stated | None:
    """A page agent's claim; None where it states no value. A quote that does not stand on the page leaves at most 0.3
    (``checking``)."""
    sure = tenth(claim.confidence)
    if sure < CANDIDATE or schema.is_empty(claim.value):
        return None
    place = placed(claim, sheet)
    if checking and place.stands is False:
        sure = capped(sure, check(place.quote, place.page, sheet.text))
    return Stated(object=claim.object.strip() or "*", value=claim.value.strip(), confidence=sure, evidence=place)


def placed(claim: Claim, sheet: Sheet) -> Place:
    """The evidence of a claim: its quote, or for a cell of a table the row that holds it."""
    quote = claim.quote.strip()
    found = check(quote, sheet.number, sheet.text)
    if not found.stands and claim.source == "table":
        row = table_row(sheet.text.text, claim.value, claim.object)
        if row:
            quote, found = row, check(row, sheet.number, sheet.text)
    return Place(
        paper=sheet.paper, page=sheet.number, quote=quote, kind=claim.source, where=claim.place, stands=found.stands
    )


def quoted(quote: str, sheet: Sheet) -> Place:
    """The evidence of an objection."""
    if not quote.strip():
        return Place(paper=sheet.paper, page=sheet.number)
    stands = check(quote, sheet.number, sheet.text).stands
    return Place(paper=sheet.paper, page=sheet.number, quote=quote.strip(), stands=stands)


def table_row(text: str, value: str, name: str) -> str:
    """The one row of a table on the page that has a cell with the value, and the object's name in another; empty where
    there is none, or several."""
    rows: list[str] = []
    for line in text.splitlines():
        cells = [folded(cell) for cell in _PLACE.sub("", line).split("\t")]
        if len(cells) < 2 or not any(folded(value) in cell for cell in cells):
            continue
        if name.strip() in ("", "*") or any(cell and cell in folded(name) for cell in cells):
            rows.append(_PLACE.sub("", line).strip())
    return rows[0] if len(rows) == 1 else ""
