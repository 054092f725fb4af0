"""The property_extraction scorer: precision, recall and F1 of records, and whether their evidence holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pincite_core.errors import BadInputError
from pincite_materials.comparing import TOLERANCES
from pincite_materials.property_names import similarity
from pincite_scoring.case import Case
from pincite_scoring.given import SHOWN
from pincite_scoring.judging.judge import RuleJudge
from pincite_scoring.outcomes import Outcomes
from pincite_scoring.property_extraction import reference
from pincite_scoring.property_extraction.candidates import candidate_pairs
from pincite_scoring.property_extraction.evidence import Library
from pincite_scoring.property_extraction.gold import validate_gold
from pincite_scoring.property_extraction.judged import JudgeMatcher
from pincite_scoring.property_extraction.likeness import likeness_of
from pincite_scoring.property_extraction.matcher import LexiconMatcher, Matcher
from pincite_scoring.property_extraction.materials import Materials
from pincite_scoring.property_extraction.pairing import Nearest, Pairer
from pincite_scoring.property_extraction.records import Problem, Reading, Record, read_records
from pincite_scoring.property_extraction.rows import (
    Row,
    answer_of,
    answer_row,
    compared,
    evidence_metrics,
    evidence_of,
    gold_part,
    invalid_rows,
    pair_rows,
)
from pincite_scoring.result import Score, ScoringOptions
from pincite_scoring.scorer import Column, GoldProblem, Metric
from pincite_scoring.shares import f1, share
from pincite_scoring.shown import shown_in

_CURVE = "Mean F1 by tolerance of the value"


@dataclass(frozen=True, slots=True)
class Counts:
    """Shares of right values by tolerance and of matches, over all answers and over all gold; rows for score.json."""

    precision: Mapping[str, float]
    recall: Mapping[str, float]
    match_precision: float
    match_recall: float
    rows: list[Row]
    by_evidence: int = 0
    """Pairs whose names no rule knew, told by their evidence."""


class PropertyScorer:
    """Scores answers of property_extraction; the package's docstring has the definitions."""

    name = "property_extraction"
    version = "2"
    headline = (
        Metric("f1_0.1%", "F1 at 0.1 %", "F1\n0.1%", curve=_CURVE, step="0.1 %"),
        Metric("f1_1%", "F1 at 1 %", "F1\n1%", curve=_CURVE, step="1 %"),
        Metric("f1_10%", "F1 at 10 %", "F1\n10%", curve=_CURVE, step="10 %"),
        Metric("match_f1", "Match F1", "match\nF1"),
        Metric("evidence_verified", "Evidence verified", "evid.\nverif."),
        Metric("value_in_quote", "Value in quote", "value\nquoted"),
        SHOWN,
    )
    columns = (
        Column("material", "Material"),
        Column("property", "Property"),
        Column("value", "Value", unit="unit"),
        Column("against", "Compared with"),
        Column("gold_value", "Gold value", unit="gold_unit"),
        Column("via", "Matched by"),
        Column("reason", "Why not"),
        Column("page", "Page"),
        Column("evidence", "Evidence"),
        Column("value_in_quote", "Value in quote"),
        Column("quote", "Quote", quoted=True),
    )
    outcomes = (
        Outcomes("Records", ("correct", "wrong_value", "unmatched", "invalid", "missed")),
        Outcomes("Names matched by", ("direct", "synonym", "abbreviation", "words", "judge", "evidence"), key="via"),
        Outcomes("Evidence", ("verified", "unverifiable", "too_long", "wrong_page", "absent"), key="evidence"),
    )

    def score(self, case: Case, options: ScoringOptions) -> Score:
        """Score one answer against its gold records.

        Without gold the score is unscored, its evidence metrics stand all the same. An answer that is not an object
        with a list ``properties`` is unscored as ``invalid_answer``; no answer (None) is an empty one: precision,
        recall and F1 are 0, evidence undefined. Broken gold is a BadInputError.
        """
        answer, gold = case.answer, case.gold
        golds = _golds(gold)
        matcher = _matcher(case, golds, options)
        placed = golds is None or golds.placed
        reading = read_records({"properties": []} if answer is None else answer, placed=placed)
        if isinstance(reading, Problem):
            return _score(matcher, options, "unscored", f"invalid_answer: {reading.message}", {}, [])
        library = Library(case.papers, shown_in(case.trial))
        evidence = evidence_of(reading, library)
        shown = evidence_metrics(reading, evidence)
        if golds is None:
            rows = [answer_row(i, reading.records[i], "unscored", evidence) for i in reading.records]
            rows += invalid_rows(reading)
            return _score(matcher, options, "unscored", "no gold records", {**_undefined(), **shown}, rows)
        materials = Materials(case.papers, [record.material_or_system for record in golds.records.values()])
        if options.compat == "strict":
            pairer = Pairer(reading.records, golds.records, matcher, library, materials)
            counts = _strict(reading, pairer, evidence)
        else:
            counts = _reference(reading, golds.records, matcher, evidence)
        metrics = {**_metrics(counts), **shown, "n_gold": golds.total, "n_by_evidence": counts.by_evidence}
        reason = "no answer" if answer is None else None
        return _score(matcher, options, "scored", reason, metrics, counts.rows + invalid_rows(reading))

    def check(self, case: Case) -> list[GoldProblem]:
        """See ``gold.validate_gold``."""
        return validate_gold(case.gold, papers=case.papers)

    def ideal(self, gold: Any) -> Any:
        """The gold as an answer: without rubrics, other columns of a published list, and places that it does not
        have."""
        return {"properties": [answer_of(record) for record in gold["properties"]]}


SCORER = PropertyScorer()


def _golds(gold: Any) -> Reading | None:
    """The gold records, None without; BadInputError where they are broken."""
    if gold is None:
        return None
    golds = read_records(gold, placed=False)
    if isinstance(golds, Problem) or golds.problems:
        problem = golds if isinstance(golds, Problem) else golds.problems[0]
        raise BadInputError(
            f"The gold records are broken: {problem.message} (record {problem.index}).",
            next="Run pincite tasks validate on the task family.",
        )
    return golds


def _matcher(case: Case, golds: Reading | None, options: ScoringOptions) -> Matcher:
    """The rules, with a judge for what they leave undecided; for ``reference`` the judge alone, where one judges."""
    if isinstance(options.judge, RuleJudge):
        return LexiconMatcher()
    if options.compat == "reference":
        return JudgeMatcher(options.judge, reference.same_published_material)
    names = [record.material_or_system for record in golds.records.values()] if golds is not None else []
    return JudgeMatcher(options.judge, Materials(case.papers, names).same, rules=LexiconMatcher())


def _strict(reading: Reading, pairer: Pairer, evidence: Mapping[int, Row]) -> Counts:
    outcome = pairer.pair_up()
    if isinstance(pairer.matcher, JudgeMatcher):
        left = {("answer", i) for i in reading.records} | {("gold", j) for j in pairer.golds}
        left -= {("answer", pair.answer) for pair in outcome.pairs} | {("gold", pair.gold) for pair in outcome.pairs}
        pairs = [(i, j) for i, j in _candidates(reading.records, pairer.golds) if {("answer", i), ("gold", j)} <= left]
        asked = [(reading.records[i], pairer.golds[j]) for i, j in pairs if pairer.left_open(i, j)]
        pairer.matcher.foresee(asked)
        outcome = pairer.pair_up() if asked else outcome
    right = {name: sum(pair.comparison.within(t) for pair in outcome.pairs) for name, t in TOLERANCES.items()}
    n_answer, n_gold = reading.total, len(pairer.golds)
    return Counts(
        precision={name: share(n, n_answer, n_gold) for name, n in right.items()},
        recall={name: share(n, n_gold, n_answer) for name, n in right.items()},
        match_precision=share(len(outcome.pairs), n_answer, n_gold),
        match_recall=share(len(outcome.pairs), n_gold, n_answer),
        rows=pair_rows(reading, pairer.golds, outcome, evidence),
        by_evidence=sum(pair.verdict.via == "evidence" for pair in outcome.pairs),
    )


def _candidates(answers: Mapping[int, Record], golds: Mapping[int, Record]) -> list[tuple[int, int]]:
    """The pairs that a judge may be asked about, by the likeness of an embedder where one is set."""
    names = [record.property_name for side in (answers, golds) for record in side.values()]
    return candidate_pairs(answers, golds, likeness_of(names))


def _reference(reading: Reading, golds: Mapping[int, Record], matcher: Matcher, evidence: Mapping[int, Row]) -> Counts:
    answers = reading.records
    if isinstance(matcher, JudgeMatcher):
        matcher.foresee((answers[i], golds[j]) for i, j in _candidates(answers, golds))

    def decide(i: int, j: int) -> bool:
        return matcher.decide(answers[i], golds[j]).match

    likeness = likeness_of([record.property_name for side in (answers, golds) for record in side.values()])
    of_gold = reference.score_direction(answers, golds, decide, likeness, scored_is_gold=True)
    of_answer = reference.score_direction(golds, answers, decide, likeness, scored_is_gold=False)
    first = next(iter(TOLERANCES))
    rows: list[Row] = []
    for i, record in answers.items():
        matches = of_answer.matches[i]
        status = "correct" if of_answer.best[i][first] else "wrong_value" if matches else "unmatched"
        row = answer_row(i, record, status, evidence) | {"golds": matches}
        rows.append(row if matches or not golds else row | compared(_nearest(record, golds, matcher), golds))
    for j, record in golds.items():
        if not of_gold.matches[j]:
            rows.append({"answer": None, "status": "missed", "reason": ""} | gold_part(j, record))
    n_answer, n_gold = reading.total, len(golds)
    return Counts(
        precision={k: _part(sum(b[k] for b in of_answer.best.values()), n_answer) for k in TOLERANCES},
        recall={k: _part(sum(b[k] for b in of_gold.best.values()), n_gold) for k in TOLERANCES},
        match_precision=_part(sum(map(bool, of_answer.matches.values())), n_answer),
        match_recall=_part(sum(map(bool, of_gold.matches.values())), n_gold),
        rows=rows,
    )


def _nearest(answer: Record, golds: Mapping[int, Record], matcher: Matcher) -> Nearest:
    """The gold record that an answer comes nearest to by material and name, and why it is not a match."""

    def closeness(j: int) -> float:
        material = reference.same_published_material(answer.material_or_system, golds[j].material_or_system)
        return similarity(answer.property_name, golds[j].property_name) + material

    near = max(golds, key=closeness)
    gold = golds[near]
    if not reference.same_published_material(answer.material_or_system, gold.material_or_system):
        return Nearest(near, f"the material differs: {answer.material_or_system} against {gold.material_or_system}")
    return Nearest(near, matcher.decide(answer, gold).reason or "it is not among the nearest names")


def _part(right: float, of: int) -> float:
    """The published share: of nothing it is 0, also where there was nothing to find."""
    return right / of if of else 0.0


def _metrics(counts: Counts) -> dict[str, float | None]:
    first = next(iter(TOLERANCES))
    metrics: dict[str, float | None] = {
        "precision": counts.precision[first],
        "recall": counts.recall[first],
        "f1": f1(counts.precision[first], counts.recall[first]),
    }
    for name in TOLERANCES:
        metrics[f"f1_{name}"] = f1(counts.precision[name], counts.recall[name])
    metrics["match_precision"] = counts.match_precision
    metrics["match_recall"] = counts.match_recall
    metrics["match_f1"] = f1(counts.match_precision, counts.match_recall)
    return metrics


def _undefined() -> dict[str, float | None]:
    names = (
        "precision",
        "recall",
        "f1",
        *(f"f1_{n}" for n in TOLERANCES),
        "match_precision",
        "match_recall",
        "match_f1",
    )
    return dict.fromkeys(names) | {"n_gold": None, "n_by_evidence": None}


def _score(
    matcher: Matcher,
    options: ScoringOptions,
    status: Any,
    reason: str | None,
    metrics: Mapping[str, float | None],
    rows: list[Row],
) -> Score:
    return Score(
        SCORER.name, SCORER.name, SCORER.version, matcher.name, status, reason, dict(metrics), rows, options.compat
    )
