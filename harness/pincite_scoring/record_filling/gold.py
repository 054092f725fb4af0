"""Checks of gold objects before anything is scored against them."""

from collections.abc import Mapping
from typing import Any

from pincite_core.errors import BadInputError
from pincite_papers.model import Paper
from pincite_scoring.record_filling.dependencies import violations
from pincite_scoring.record_filling.objects import Filled, Problem, read_objects
from pincite_scoring.record_filling.schema import Schema, schema_of
from pincite_scoring.record_filling.spans import Located, locate
from pincite_scoring.scorer import GoldProblem

_STANDINGS = {
    "absent": "the quote does not stand in the paper",
    "wrong_page": "the quote does not stand on page {page}",
    "unverifiable": "the quote cannot be verified: its page was read poorly",
    "no_such_paper": "the task has no paper",
    "no_evidence": "there is neither a quote nor offsets that lie in the paper",
}


def validate_gold(gold: object, parameters: Mapping[str, Any], papers: Mapping[str, Paper]) -> list[GoldProblem]:
    """Everything wrong with the gold of one task beyond its JSON Schema.

    Fatal: a broken schema; an object without values or with stray ones; a label, a number of values or a dependency
    that the schema forbids; an empty identity; two objects that are the same; evidence that does not stand where it
    says. Not fatal, because it may be meant: values without evidence.
    """
    try:
        schema = schema_of(parameters)
    except BadInputError as error:
        return [GoldProblem(None, "schema", str(error))]
    objects = read_objects(gold, schema)
    if isinstance(objects, Problem):
        return [GoldProblem(None, "", objects.message)]
    found: list[GoldProblem] = []
    seen: dict[str, int] = {}
    for index, filled in enumerate(objects):
        found += _of_object(index, filled, schema, papers)
        first = seen.setdefault(filled.model_dump_json(include={"values"}), index)
        if first != index:
            found.append(GoldProblem(index, "", f"the same as record {first}"))
    unproved = sum(len(set(filled.values) - {piece.field for piece in filled.evidence}) for filled in objects)
    if unproved:
        message = f"{unproved} fields of {len(objects)} records have none"
        found.append(GoldProblem(None, "evidence", message, fatal=False))
    return found


def _of_object(index: int, filled: Filled, schema: Schema, papers: Mapping[str, Paper]) -> list[GoldProblem]:
    found = [GoldProblem(index, "", fault) for fault in [*filled.faults, *violations(filled, schema)]]
    if not filled.values:
        found.append(GoldProblem(index, "", "it has no values"))
    if schema.identity and not set(schema.identity) & set(filled.values):
        found.append(GoldProblem(index, schema.identity[0], "no field of the identity is filled"))
    for evidence in filled.evidence:
        located = locate(evidence, papers)
        if evidence.paper and evidence.paper not in papers:
            found.append(GoldProblem(index, evidence.field, f"the task has no paper {evidence.paper!r}"))
        if evidence.field not in filled.values:
            found.append(GoldProblem(index, evidence.field, "evidence for a field that is empty"))
        if located.standing != "verified":
            message = _STANDINGS[located.standing].format(page=evidence.page)
            fatal = located.standing != "unverifiable"
            found.append(GoldProblem(index, evidence.field, f"{message}: {evidence.quote[:80]!r}", fatal=fatal))
        elif _elsewhere(evidence.start, located):
            found.append(
                GoldProblem(index, evidence.field, f"the offsets do not hold the quote {evidence.quote[:80]!r}")
            )
    return found


def _elsewhere(start: int | None, located: Located) -> bool:
    return start is not None and located.place is not None and located.place.start != start
