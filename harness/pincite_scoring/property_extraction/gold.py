"""Checks of gold records before anything is scored against them."""

from collections.abc import Mapping

from pincite_materials.formulas import parse_formula
from pincite_materials.units import known
from pincite_papers.model import Paper
from pincite_scoring.property_extraction.compare import kind_of, stated
from pincite_scoring.property_extraction.evidence import Library, value_in_quote
from pincite_scoring.property_extraction.records import Problem, Record, read_records
from pincite_scoring.quotations import MOST_EVIDENCE
from pincite_scoring.scorer import GoldProblem

_STANDINGS = {
    "absent": "the evidence does not stand in the paper",
    "wrong_page": "the evidence does not stand on page {page}",
    "no_such_page": "the paper has no page {page}, and the evidence stands nowhere in it",
    "no_quote": "there is no evidence",
    "too_long": f"the evidence has more than {MOST_EVIDENCE} characters: quote the clause, the sentence or the row",
    "unverifiable": "the evidence cannot be verified here: {note}",
}


def validate_gold(gold: object, papers: Mapping[str, Paper] | None = None) -> list[GoldProblem]:
    """Everything wrong with the gold of one property_extraction task beyond its schema, in the order of its records.

    Fatal: a record cannot be read; a unit nobody knows; evidence that does not stand in ``papers`` on its page. Not
    fatal, because it may be meant: a material that is a name rather than a formula, evidence without the value or on a
    page that was read poorly, no evidence at all in gold published without, and then units that nobody knows.
    """
    problems: list[GoldProblem] = []
    reading = read_records(gold, placed=False)
    if isinstance(reading, Problem):
        return [*problems, GoldProblem(None, "", reading.message)]
    problems += [GoldProblem(problem.index, "", problem.message) for problem in reading.problems]
    library = Library(papers) if papers is not None else None
    for index, record in reading.records.items():
        problems += _of_record(index, record, library)
    unplaced = sum(not record.placed for record in reading.records.values())
    if unplaced:
        message = f"{unplaced} of {reading.total} records give no page: values are scored, evidence is not known"
        problems.append(GoldProblem(None, "location", message, fatal=False))
    return problems


def _of_record(index: int, record: Record, library: Library | None) -> list[GoldProblem]:
    found: list[GoldProblem] = []
    value, unit = stated(record).quantity()
    if kind_of(record) == "number" and value is not None and not known(unit):
        found.append(GoldProblem(index, "value_unit", f"nobody knows the unit {unit!r}", fatal=record.placed))
    if parse_formula(record.material_or_system) is None:
        message = f"{record.material_or_system!r} is not a formula and will be compared as a name"
        found.append(GoldProblem(index, "material_or_system", message, fatal=False))
    if not record.placed:
        return found
    if not value_in_quote(record):
        found.append(GoldProblem(index, "location.evidence", "the value is not printed in the evidence", fatal=False))
    if library is not None and (checked := library.check(record)).standing != "verified":
        message = _STANDINGS[checked.standing].format(page=record.location.page, note=checked.note)
        found.append(GoldProblem(index, "location.evidence", message, fatal=checked.standing != "unverifiable"))
    return found
