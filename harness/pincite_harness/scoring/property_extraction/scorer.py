"""The property_extraction scorer: precision, recall and F1 of records, and whether their evidence holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pincite_core.errors import BadInputError
from pincite_harness.judging.judge import RuleJudge
from pincite_harness.scoring.case import Case
from pincite_harness.scoring.outcomes import Outcomes
from pincite_harness.scoring.property_extraction import reference
from pincite_harness.scoring.property_extraction.candidates import candidate_pairs
from pincite_harness.scoring.property_extraction.evidence import Library, value_in_quote
from pincite_harness.scoring.property_extraction.gold import validate_gold
from pincite_harness.scoring.property_extraction.judged import JudgeMatcher
from pincite_harness.scoring.property_extraction.matcher import LexiconMatcher, Matcher
from pincite_harness.scoring.property_extraction.pairing import pair_up, same_materials
from pincite_harness.scoring.property_extraction.records import Problem, Reading, Record, read_records
from pincite_harness.scoring.result import Score, ScoringOptions
from pincite_harness.scoring.scorer import Column, GoldProblem, Metric
from pincite_harness.scoring.shares import f1, share
from pincite_materials.comparing import TOLERANCES
from pincite_materials.formulas import published_same_formula

Row = dict[str, Any]
_CURVE = "Mean F1 by tolerance of the value"
_QUOTE_CHARS = 500
"""Of a quote in score.json."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Shares of right values by tolerance and of matches, over all answers and over all gold; rows for score.json."""

    precision: Mapping[str, float]
    recall: Mapping[str, float]
    match_precision: float
    match_recall: float
    rows: list[Row]


class PropertyScorer:
    """Scores answers of property_extraction; the package's docstring has the definitions."""

    name = "property_extraction"
    version = "1"
    headline = (
        Metric("f1_0.1%", "F1 at 0.1 %", "F1\n0.1%", curve=_CURVE, step="0.1 %"),
        Metric("f1_1%", "F1 at 1 %", "F1\n1%", curve=_CURVE, step="1 %"),
        Metric("f1_10%", "F1 at 10 %", "F1\n10%", curve=_CURVE, step="10 %"),
        Metric("match_f1", "Match F1", "match\nF1"),
        Metric("evidence_verified", "Evidence verified", "evid.\nverif."),
        Metric("value_in_quote", "Value in quote", "value\nquoted"),
    )
    columns = (
        Column("material", "Material"),
        Column("property", "Property"),
        Column("value", "Value", unit="unit"),
        Column("gold_value", "Gold value", unit="gold_unit"),
        Column("page", "Page"),
        Column("evidence", "Evidence"),
        Column("value_in_quote", "Value in quote"),
        Column("quote", "Quote", quoted=True),
    )
    outcomes = (Outcomes("Records", ("correct", "wrong_value", "unmatched", "invalid", "missed")),)

    def score(self, case: Case, options: ScoringOptions) -> Score:
        """Score one answer against its gold records.

        Without gold the score is unscored, its evidence metrics stand all the same. An answer that is no object with a
        list ``properties`` is unscored as ``invalid_answer``; no answer (None) is an empty one: precision, recall and
        F1 are 0, evidence undefined. Broken gold is a BadInputError.
        """
        answer, gold = case.answer, case.gold
        matcher = _matcher(options)
        reading = read_records({"properties": []} if answer is None else answer)
        if isinstance(reading, Problem):
            return _score(matcher, options, "unscored", f"invalid_answer: {reading.message}", {}, [])
        evidence = _evidence(reading, Library(case.papers))
        if gold is None:
            rows = [_answer_row(i, reading.records[i], "unscored", evidence) for i in reading.records]
            metrics = {**_undefined(), **_evidence_metrics(reading, evidence)}
            return _score(matcher, options, "unscored", "no gold records", metrics, rows + _invalid(reading))
        golds = read_records(gold)
        if isinstance(golds, Problem) or golds.problems:
            problem = golds if isinstance(golds, Problem) else golds.problems[0]
            raise BadInputError(
                f"The gold records are broken: {problem.message} (record {problem.index}).",
                next="Run pincite tasks validate on the task family.",
            )
        if isinstance(matcher, JudgeMatcher):
            pairs = candidate_pairs(reading.records, golds.records)
            matcher.foresee((reading.records[i], golds.records[j]) for i, j in pairs)
        count = _strict if options.compat == "strict" else _reference
        counts = count(reading, golds.records, matcher, evidence)
        metrics = {**_metrics(counts), **_evidence_metrics(reading, evidence), "n_gold": golds.total}
        reason = "no answer" if answer is None else None
        return _score(matcher, options, "scored", reason, metrics, counts.rows + _invalid(reading))

    def check(self, case: Case) -> list[GoldProblem]:
        """See ``gold.validate_gold``."""
        return validate_gold(case.gold, papers=case.papers)

    def ideal(self, gold: Any) -> Any:
        """The gold is an answer."""
        return gold


SCORER = PropertyScorer()


def _matcher(options: ScoringOptions) -> Matcher:
    """The lexicon, unless a model judges."""
    if isinstance(options.judge, RuleJudge):
        return LexiconMatcher()
    return JudgeMatcher(options.judge, same_materials if options.compat == "strict" else published_same_formula)


def _strict(reading: Reading, golds: Mapping[int, Record], matcher: Matcher, evidence: Mapping[int, Row]) -> Counts:
    outcome = pair_up(reading.records, golds, matcher)
    by_answer = {pair.answer: pair for pair in outcome.pairs}
    rows: list[Row] = []
    for i, record in reading.records.items():
        pair = by_answer.get(i)
        if pair is None:
            reason = outcome.reasons.get(("answer", i), "no gold record has a property name like it")
            rows.append(_answer_row(i, record, "unmatched", evidence) | {"reason": reason})
            continue
        within = next((name for name, t in TOLERANCES.items() if pair.comparison.within(t)), None)
        rows.append(
            _answer_row(i, record, "correct" if within == next(iter(TOLERANCES)) else "wrong_value", evidence)
            | _gold_part(pair.gold, golds[pair.gold])
            | {
                "via": pair.verdict.via,
                "reason": pair.comparison.note,
                "relative_error": _finite(pair.comparison.error),
                "within": within,
                "kind": pair.comparison.kind,
            }
            | ({"verdict": pair.verdict.judged.to_json()} if pair.verdict.judged is not None else {})
        )
    taken = {pair.gold for pair in outcome.pairs}
    for j in golds:
        if j not in taken:
            reason = outcome.reasons.get(("gold", j), "no answer record has a property name like it")
            rows.append({"answer": None, "status": "missed", "reason": reason} | _gold_part(j, golds[j]))
    right = {name: sum(pair.comparison.within(t) for pair in outcome.pairs) for name, t in TOLERANCES.items()}
    return Counts(
        precision={name: share(n, reading.total, len(golds)) for name, n in right.items()},
        recall={name: share(n, len(golds), reading.total) for name, n in right.items()},
        match_precision=share(len(outcome.pairs), reading.total, len(golds)),
        match_recall=share(len(outcome.pairs), len(golds), reading.total),
        rows=rows,
    )


def _reference(reading: Reading, golds: Mapping[int, Record], matcher: Matcher, evidence: Mapping[int, Row]) -> Counts:
    answers = reading.records

    def decide(i: int, j: int) -> bool:
        return matcher.decide(answers[i], golds[j]).match

    of_gold = reference.score_direction(answers, golds, decide, scored_is_gold=True)
    of_answer = reference.score_direction(golds, answers, decide, scored_is_gold=False)
    first = next(iter(TOLERANCES))
    rows: list[Row] = []
    for i, record in answers.items():
        matches = of_answer.matches[i]
        status = "correct" if of_answer.best[i][first] else "wrong_value" if matches else "unmatched"
        rows.append(_answer_row(i, record, status, evidence) | {"golds": matches})
    for j, record in golds.items():
        if not of_gold.matches[j]:
            rows.append({"answer": None, "status": "missed", "reason": ""} | _gold_part(j, record))
    n_answer, n_gold = reading.total, len(golds)
    return Counts(
        precision={k: share(sum(b[k] for b in of_answer.best.values()), n_answer, n_gold) for k in TOLERANCES},
        recall={k: share(sum(b[k] for b in of_gold.best.values()), n_gold, n_answer) for k in TOLERANCES},
        match_precision=share(sum(map(bool, of_answer.matches.values())), n_answer, n_gold),
        match_recall=share(sum(map(bool, of_gold.matches.values())), n_gold, n_answer),
        rows=rows,
    )


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
    return dict.fromkeys(names) | {"n_gold": None}


def _evidence(reading: Reading, library: Library) -> dict[int, Row]:
    return {
        i: {"evidence": library.standing(record), "value_in_quote": value_in_quote(record)}
        for i, record in reading.records.items()
    }


def _evidence_metrics(reading: Reading, evidence: Mapping[int, Row]) -> dict[str, float | None]:
    """Shares over all answer records, broken ones included; undefined without any."""
    n = reading.total
    verified = sum(row["evidence"] == "verified" for row in evidence.values())
    held = sum(row["value_in_quote"] for row in evidence.values())
    return {
        "evidence_verified": verified / n if n else None,
        "value_in_quote": held / n if n else None,
        "n_answer": n,
        "n_invalid": len(reading.problems),
    }


def _answer_row(index: int, record: Record, status: str, evidence: Mapping[int, Row]) -> Row:
    return {
        "answer": index,
        "gold": None,
        "status": status,
        "material": record.material_or_system,
        "property": record.property_name,
        "value": record.value_string,
        "unit": record.value_unit,
        "page": record.location.page,
        "quote": " · ".join(record.location.evidence.split("\t"))[:_QUOTE_CHARS],
        **evidence[index],
    }


def _gold_part(index: int, record: Record) -> Row:
    return {
        "gold": index,
        "gold_material": record.material_or_system,
        "gold_property": record.property_name,
        "gold_value": record.value_string,
        "gold_unit": record.value_unit,
        "gold_page": record.location.page,
    }


def _invalid(reading: Reading) -> list[Row]:
    return [{"answer": p.index, "gold": None, "status": "invalid", "reason": p.message} for p in reading.problems]


def _finite(error: float | None) -> float | None:
    return error if error is not None and error != float("inf") else None


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
