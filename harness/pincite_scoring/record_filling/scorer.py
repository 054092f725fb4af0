"""The record_filling scorer: values and rows of objects against their gold, and where the values stand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite_core.errors import BadInputError
from pincite_scoring.case import Case
from pincite_scoring.given import SHOWN
from pincite_scoring.judging.judge import Judge
from pincite_scoring.outcomes import Outcomes
from pincite_scoring.record_filling.dependencies import violations
from pincite_scoring.record_filling.fields import (
    F1,
    counted,
    field_metrics,
    macro,
    reference_parts,
    strict_parts,
)
from pincite_scoring.record_filling.gold import validate_gold
from pincite_scoring.record_filling.matching import Match, is_right, match_objects
from pincite_scoring.record_filling.naming import Context
from pincite_scoring.record_filling.objects import Filled, Problem, read_objects
from pincite_scoring.record_filling.reference import count_links, pooled, score_reference
from pincite_scoring.record_filling.rows import Row, object_status, value_rows
from pincite_scoring.record_filling.same_meaning import judge_values
from pincite_scoring.record_filling.schema import Schema, schema_of
from pincite_scoring.record_filling.spans import Evidences, overlap
from pincite_scoring.record_filling.tally import Part, Tally
from pincite_scoring.result import Score, ScoringOptions
from pincite_scoring.scorer import Column, GoldProblem, Metric
from pincite_scoring.shown import shown_in

Metrics = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The tally by the chosen definitions, metrics that go beyond it, and rows for score.json."""

    tally: Tally
    beyond: Metrics = field(default_factory=dict[str, float | None])
    rows: list[Row] = field(default_factory=list[Row])


@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared: the objects of the answer and of the gold, and what they are read with."""

    answers: list[Filled]
    golds: list[Filled]
    schema: Schema
    evidences: Evidences
    context: Context

    def matches(self) -> list[Match]:
        """The pairs of objects, by rules alone."""
        return match_objects(self.answers, self.golds, self.schema, self.context)


class RecordScorer:
    """Scores answers of record_filling; the package's docstring has the definitions."""

    name = "record_filling"
    version = "2"
    headline = (
        Metric("overall", "Overall", "overall"),
        Metric("entity_f1", "Entity F1", "entity\nF1"),
        Metric("row_f1", "Row F1", "row\nF1"),
        Metric("macro_f1", "Mean of the fields' F1 (macro)", "macro\nF1"),
        Metric("row_accuracy", "Row accuracy", "row\nacc."),
        Metric("evidence_verified", "Evidence verified", "evid.\nverif."),
        Metric("span_overlap_f1", "Overlap of evidence, F1", "span\nF1"),
        Metric("consistency", "Objects without contradiction", "consis-\ntent"),
        SHOWN,
    )
    columns = (
        Column("answer", "Object"),
        Column("gold", "Gold object"),
        Column("field", "Field"),
        Column("value", "Value"),
        Column("gold_value", "Gold value"),
        Column("evidence", "Evidence"),
    )
    outcomes = (Outcomes("Values", ("correct", "wrong", "spurious", "invalid", "missed")),)

    def score(self, case: Case, options: ScoringOptions) -> Score:
        """Score one answer against its gold objects.

        Without gold the score is unscored, what is said of evidence and consistency stands all the same. An answer
        that is not an object with a list ``objects`` is unscored as ``invalid_answer``; no answer scores 0.
        BadInputError for a broken schema or broken gold.
        """
        schema = schema_of(case.parameters)
        reading = read_objects({"objects": []} if case.answer is None else case.answer, schema)
        if isinstance(reading, Problem):
            return _score(options, "unscored", f"invalid_answer: {reading.message}", {}, [])
        evidences = Evidences.of(reading, case.papers, shown_in(case.trial))
        alone = _alone(reading, schema, evidences)
        if case.gold is None:
            rows = value_rows(reading, [], [], schema, evidences, {})
            return _score(options, "unscored", "no gold records", alone, [row | {"status": "unscored"} for row in rows])
        golds = _golds(case.gold, schema)
        compared = Compared(reading, golds, schema, evidences, Context.of(case.papers))
        outcome = _strict(compared, options.judge) if options.compat == "strict" else _reference(compared)
        shares = outcome.tally.shares()
        if case.answer is None:  # zero, also where there was nothing to find
            shares = dict.fromkeys(shares, 0.0)
        spans = _spans(evidences, Evidences.of(golds, case.papers))
        metrics = {**shares, **outcome.beyond, **spans, **alone, **outcome.tally.counts()}
        reason = "no answer" if case.answer is None else None
        return _score(options, "scored", reason, metrics, outcome.rows)

    def check(self, case: Case) -> list[GoldProblem]:
        """See ``gold.validate_gold``."""
        return validate_gold(case.gold, case.parameters, case.papers)

    def ideal(self, gold: Any) -> Any:
        """The gold is an answer."""
        return gold

    def micro(self, counts: Mapping[str, float]) -> dict[str, float]:
        """The shares of values and rows over all papers, and those of fields and links where all have counts."""
        links = Part.of(counts, "links").shares("link") if "n_links_right" in counts else {}
        fields = {name: value for name, value in macro(counted(counts)).items() if value is not None}
        return Tally.of(counts).shares() | links | fields

    def details(self, names: Iterable[str]) -> tuple[Metric, ...]:
        """The F1 of each field."""
        fields = [name.removeprefix(F1) for name in dict.fromkeys(names) if name.startswith(F1)]
        return tuple(Metric(f"{F1}{name}", f"F1 of {name}", name[:8], detail=True) for name in fields)


SCORER = RecordScorer()


def _golds(gold: object, schema: Schema) -> list[Filled]:
    golds = read_objects(gold, schema)
    broken = golds if isinstance(golds, Problem) else next((g for g in golds if g.strays or not g.entities), None)
    if isinstance(golds, Problem) or broken is not None:
        raise BadInputError(
            "The gold objects are broken.", seen=str(broken), next="Run pincite tasks validate on the task family."
        )
    return golds


def _strict(compared: Compared, judge: Judge) -> Outcome:
    answers, golds, schema = compared.answers, compared.golds, compared.schema
    matches, verdicts = judge_values(compared.matches(), answers, golds, schema, judge)
    right = sum(len(pairs) for match in matches for pairs in match.right.values())
    rows_right = sum(is_right(answers[m.answer], golds[m.gold], m.right) for m in matches)
    tally = Tally(
        Part(right, _entities(answers), right, _entities(golds)),
        Part(rows_right, len(answers), rows_right, len(golds)),
        len(answers) + len(golds) - len(matches),
    )
    flat, looser = pooled(answers, golds, schema), score_reference(answers, golds, schema)
    beyond: Metrics = {
        **field_metrics(strict_parts(answers, golds, matches, schema)),
        **flat.shares("pooled"),
        "reference_entity_f1": looser.entities.f1,
        "reference_row_f1": looser.rows.f1,
        "reference_overall": looser.overall,
    }
    by_answer = {match.answer: match for match in matches}
    rows = value_rows(answers, golds, matches, schema, compared.evidences, verdicts)
    for row in rows:
        i: int | None = row["answer"]
        row["object"] = "missed" if i is None else object_status(answers[i], by_answer.get(i), golds)
    return Outcome(tally, beyond, rows)


def _reference(compared: Compared) -> Outcome:
    answers, golds, schema = compared.answers, compared.golds, compared.schema
    tally = score_reference(answers, golds, schema)
    beyond = field_metrics(reference_parts(answers, golds, schema))
    if schema.reference.link:
        links = count_links(answers, golds, schema.reference.link)
        beyond |= {**links.shares("link"), **links.counts("links")}
    rows = value_rows(answers, golds, compared.matches(), schema, compared.evidences, {})
    return Outcome(tally, beyond, rows)


def _entities(objects: Sequence[Filled]) -> int:
    return sum(filled.entities for filled in objects)


def _alone(answers: Sequence[Filled], schema: Schema, evidences: Evidences) -> Metrics:
    """What can be said without gold: evidence that stands, values that have any, objects without contradiction."""
    pieces, values = len(evidences.located) - evidences.unverifiable, _entities(answers)
    backed = sum(len(held) for filled in answers for name, held in filled.values.items() if _has_evidence(filled, name))
    consistent = sum(not violations(filled, schema) for filled in answers)
    return {
        "evidence_verified": evidences.verified / pieces if pieces else None,
        "evidence_given": backed / values if values else None,
        "consistency": consistent / len(answers) if answers else None,
        "n_answer": len(answers),
        "n_unverifiable": evidences.unverifiable,
        "n_invalid": sum(bool(filled.faults or filled.strays) for filled in answers),
    }


def _has_evidence(filled: Filled, name: str) -> bool:
    return any(evidence.field == name for evidence in filled.evidence)


def _spans(answers: Evidences, golds: Evidences) -> Metrics:
    """Evidence against the gold's: exactly the same passage, and any overlap; undefined where the gold has none."""
    if not golds.places:
        return {}
    both = overlap(answers.places, golds.places)
    exact = Part(both.same, both.answers + answers.lost, both.same, both.golds)
    touching = Part(both.touching, both.answers + answers.lost, both.touching, both.golds)
    return {**exact.shares("span"), **touching.shares("span_overlap")}


def _score(options: ScoringOptions, status: Any, reason: str | None, metrics: Metrics, rows: list[Row]) -> Score:
    judge = options.judge.name
    return Score(SCORER.name, SCORER.name, SCORER.version, judge, status, reason, metrics, rows, options.compat)
