"""The table_construction scorer: pass rate, and precision, recall and F1 of columns, rows and cells."""

from typing import Any

from pincite_core.errors import BadInputError
from pincite_scoring.case import Case
from pincite_scoring.given import SHOWN
from pincite_scoring.outcomes import Outcomes
from pincite_scoring.result import Score, ScoringOptions
from pincite_scoring.scorer import Column, GoldProblem, Metric
from pincite_scoring.table_construction import quality, reference, strict
from pincite_scoring.table_construction.checks import problems_of
from pincite_scoring.table_construction.counting import Metrics, rates
from pincite_scoring.table_construction.details import documents_of
from pincite_scoring.table_construction.gold import GoldTable, read_gold, to_csv
from pincite_scoring.table_construction.reading import Unreadable, read_table

_STEP = {"strict": 10, "reference": 1}
"""Steps of the quality rating, of 100."""


class TableScorer:
    """Scores CSV tables of table_construction; the package's docstring has the definitions."""

    name = "table_construction"
    version = "3"
    headline = (
        Metric("cell_f1", "Cell F1", "cell\nF1"),
        Metric("cell_f1_given_pass", "Cell F1 of tables that pass", "cell F1\npassing"),
        Metric("row_f1", "Row F1", "row\nF1"),
        Metric("column_f1", "Column F1", "column\nF1"),
        Metric("pass", "Pass rate", "pass\nrate"),
        Metric("derived_recall", "Computed cells right", "comp.\ncells"),
        Metric("quality", "Quality (judged)", "quality"),
        SHOWN,
    )
    columns = (
        Column("row", "Row"),
        Column("column", "Column"),
        Column("gold", "Gold"),
        Column("answer", "Answer"),
        Column("score", "Score"),
        Column("how", "How"),
    )
    outcomes = (
        Outcomes(
            "Cells", ("correct", "partial", "wrong", "missed"), where=lambda record: {"row", "column"} <= {*record}
        ),
    )

    def score(self, case: Case, options: ScoringOptions) -> Score:
        """Score one CSV text; a text that pandas cannot read is unscored as ``invalid_answer``."""
        if case.gold is None:
            return _score(options, "unscored", "no gold table", {}, [])
        gold = read_gold(case.gold)
        if case.answer is None:
            return _nothing(case, gold, options)
        if not isinstance(case.answer, str):
            return _score(options, "unscored", "invalid_answer: the answer is not text", {}, [])
        compared = _compare(gold, case.answer, case, options)
        if isinstance(compared, Unreadable):
            return _score(options, "unscored", f"invalid_answer: {compared.reason}", {}, [])
        metrics, rows = compared
        rated, row = _rate(case, gold, case.answer, options)
        return _score(options, "scored", None, metrics | rated, [*rows, row])

    def check(self, case: Case) -> list[GoldProblem]:
        """See ``checks.problems_of``."""
        try:
            gold = read_gold(case.gold)
        except BadInputError as error:
            return [GoldProblem(None, "", error.seen)]
        return problems_of(gold, case.papers, case.parameters)

    def ideal(self, gold: Any) -> str:
        """The gold table as CSV."""
        return to_csv(read_gold(gold))


SCORER = TableScorer()


def _compare(
    gold: GoldTable, text: str, case: Case, options: ScoringOptions
) -> tuple[Metrics, list[dict[str, Any]]] | Unreadable:
    if options.compat == "reference":
        return reference.compare(gold, text, options.judge)
    table = read_table(text)
    if isinstance(table, Unreadable):
        return table
    return strict.compare(gold, table, options.judge, documents_of(case.papers, case.corpus))


def _nothing(case: Case, gold: GoldTable, options: ScoringOptions) -> Score:
    """No answer: 0 of everything that the definitions have; the published code leaves it out of its means."""
    metrics: Metrics = {"pass": 0.0}
    for name in ("column", "row", "cell"):
        metrics |= rates(name, 0, 0, len(gold.rows))
    metrics |= {"cell_f1_given_pass": None, "cell_score": None, "derived_recall": 0.0 if gold.derived else None}
    if options.compat == "reference":
        metrics |= dict.fromkeys(reference.UNDEFINED)
    metrics |= {"n_gold_rows": float(len(gold.rows)), "n_answer_rows": 0.0}
    rated, row = _rate(case, gold, None, options)
    rows = [{"status": "missed", "row": " | ".join(gold.key(index)), "score": 0.0} for index in range(len(gold.rows))]
    return _score(options, "scored", "no answer", metrics | rated, [*rows, row])


def _rate(case: Case, gold: GoldTable, answer: str | None, options: ScoringOptions) -> tuple[Metrics, dict[str, Any]]:
    query = str(case.parameters.get("query", ""))
    return quality.rate(query, to_csv(gold), answer, options.judge, step=_STEP[options.compat])


def _score(
    options: ScoringOptions, status: Any, reason: str | None, metrics: Metrics, rows: list[dict[str, Any]]
) -> Score:
    return Score(
        SCORER.name, SCORER.name, SCORER.version, options.judge.name, status, reason, metrics, rows, options.compat
    )
