"""The precedent_search scorer: right class and value, and whether the precedent itself is cited."""

from collections.abc import Sequence
from typing import Any

from pincite_core.errors import BadInputError
from pincite_scoring.case import Case
from pincite_scoring.details import DETAILS
from pincite_scoring.outcomes import Outcomes
from pincite_scoring.precedent_search.answer import Answer, Source, read_answer
from pincite_scoring.precedent_search.beyond import beyond_metrics
from pincite_scoring.precedent_search.citations import match
from pincite_scoring.precedent_search.complete import values_all
from pincite_scoring.precedent_search.gold import check_gold
from pincite_scoring.precedent_search.literature import Evidence, open_literature
from pincite_scoring.precedent_search.metrics import trial_metrics
from pincite_scoring.precedent_search.rows import CITED, MEASURED, rows_of
from pincite_scoring.precedent_search.values import Frame, pair_up
from pincite_scoring.precedent_search.verdict import DIAGNOSES, judge
from pincite_scoring.result import Score, ScoringOptions
from pincite_scoring.scorer import Column, GoldProblem, Metric
from pincite_scoring.shown import shown_in

_DETAILS = tuple(
    Metric(name, title, heading, top=2.0 if name == "score_given_retrieval" else 1.0, detail=True)
    for name, title, heading in (
        ("title_match", "Precedent cited by title", "title"),
        ("precision_1", "Class alone right, of the answered", "class\nansw."),
        ("precision_0", "Class wrong, of the answered", "wrong\nansw."),
        ("citation_quality_2", "Class and value right, given a cited precedent", "correct\ncited"),
        ("citation_quality_1", "Class alone right, given a cited precedent", "class\ncited"),
        ("citation_quality_0", "Neither right, given a cited precedent", "wrong\ncited"),
        ("attribution_quality_2", "Precedent cited, given class and value right", "cited\ncorrect"),
        ("attribution_quality_1", "Precedent cited, given class alone right", "cited\nclass"),
        ("attribution_quality_0", "Precedent cited, given neither right", "cited\nwrong"),
        ("doi_match_given_correct", "Precedent cited by DOI, given class and value right", "DOI\ncorrect"),
        ("score_given_retrieval", "Score (0 to 2), given a cited precedent", "score\ncited"),
        ("values_found", "Gold measurements found", "values\nfound"),
        ("values_right", "Answered measurements right", "values\nright"),
        ("conditions_agree", "Conditions agree, of the measurements found", "condi-\ntions"),
        ("related_found", "Related materials found", "related"),
        ("phases_found", "Phases found", "phases"),
        ("values_carried", "Answered measurements carried by a verified quote", "values\nquoted"),
        ("sources_real", "Cited works that exist", "real"),
        ("sources_standing", "Cited works not retracted", "standing"),
    )
)


class PrecedentScorer:
    """Scores answers of precedent_search; the package's docstring has the definitions."""

    name = "precedent_search"
    version = "1"
    headline = (
        Metric("score", "Score (0 to 2)", "score", top=2.0),
        Metric("values_all", "All values, with conditions and quotes (F1)", "values\nall"),
        Metric("accuracy_strict", "Class and value right", "correct"),
        Metric("accuracy_loose", "Class right", "class"),
        Metric("coverage", "Coverage", "cover."),
        Metric("precision_2", "Class and value right, of the answered", "correct\nansw."),
        Metric("doi_match", "Precedent cited by DOI", "DOI"),
        Metric("any_match", "Precedent cited by DOI or title", "cited"),
        Metric("quotes_verified", "Quoted spans verified", "quotes"),
        *_DETAILS,
        *DETAILS,
    )
    columns = (
        Column("kind", "What"),
        Column("material", "Material"),
        Column("value", "Value"),
        Column("gold_value", "Gold value"),
        Column("work", "Cited work"),
        Column("span", "Quoted span", quoted=True),
        Column("reason", "Why"),
    )
    outcomes = (
        Outcomes("Diagnosis", DIAGNOSES, where=lambda record: record.get("kind") == "class", single=True),
        Outcomes("Measurements", MEASURED, where=lambda record: record.get("kind") == "measurement"),
        Outcomes("Cited sources", CITED, where=lambda record: record.get("kind") == "source"),
    )

    def score(self, case: Case, options: ScoringOptions) -> Score:
        """Score one answer against the gold answer.

        No answer (None) is a failed trial: 0. An answer that cannot be read is unscored as ``invalid_answer``. Without
        gold the score is unscored. Broken gold is a BadInputError.
        """
        answer = read_answer(case.answer) if case.answer is not None else None
        if isinstance(answer, str):
            return _score(options, "unscored", f"invalid_answer: {answer}", {}, [])
        if case.gold is None:
            return _score(options, "unscored", "no gold answer", {}, [])
        gold, frame = _gold(case)
        literature = open_literature(case.corpus) if case.corpus is not None else None
        evidence = Evidence(literature, shown_in(case.trial))
        sources = gold_sources(gold)
        verdict = judge(answer, gold, frame, options.compat)
        matches = match(answer, sources, options.compat)
        pairs = pair_up(answer.counted, gold.counted, frame) if answer is not None and verdict.score else []
        metrics = trial_metrics(verdict, matches) | beyond_metrics(answer, gold, frame, pairs, evidence)
        right = verdict.score > 0
        metrics["values_all"] = values_all(answer, gold, frame, right, evidence.stands if evidence.at_hand else None)
        rows = rows_of(verdict, answer, gold, frame, pairs, sources, evidence, options.compat)
        return _score(options, "scored", verdict.reason or None, metrics, rows)

    def check(self, case: Case) -> list[GoldProblem]:
        """See ``gold.check_gold``."""
        gold = read_answer(case.gold)
        if isinstance(gold, str):
            return [GoldProblem(None, "", gold)]
        return check_gold(gold, frame_of(case, gold), case.corpus)

    def ideal(self, gold: Any) -> Any:
        """The gold is an answer."""
        return gold


SCORER = PrecedentScorer()


def gold_sources(gold: Answer) -> Sequence[Source]:
    """The works that report the precedent."""
    return list(gold.claims())


def frame_of(case: Case, gold: Answer) -> Frame:
    """How the case's measurements are read; BadInputError where the task names no material."""
    material, unit = case.parameters.get("material"), case.parameters.get("unit", "")
    if not isinstance(material, str) or not material.strip():
        raise BadInputError(
            "The task names no material.", next='Give parameters.material, and "unit" where it has one.'
        )
    return Frame(
        material, str(unit), positive=gold.reported == "Yes", property=str(case.parameters.get("property", ""))
    )


def _gold(case: Case) -> tuple[Answer, Frame]:
    gold = read_answer(case.gold)
    if isinstance(gold, str) or gold.reported == "Unknown":
        message = gold if isinstance(gold, str) else "reported is Unknown"
        raise BadInputError(f"The gold is broken: {message}.", next="Run pincite tasks validate on the task family.")
    return gold, frame_of(case, gold)


def _score(
    options: ScoringOptions,
    status: Any,
    reason: str | None,
    metrics: dict[str, float | None],
    rows: list[dict[str, Any]],
) -> Score:
    matcher = "reference" if options.compat == "reference" else "composition/1"
    return Score(SCORER.name, SCORER.name, SCORER.version, matcher, status, reason, metrics, rows, options.compat)
