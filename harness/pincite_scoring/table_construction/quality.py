"""Quality: the published four-part rating of a whole table, which only a model can give."""

from pincite_scoring.judging.judge import Judge, Question
from pincite_scoring.table_construction.counting import Metrics
from pincite_scoring.table_construction.rubrics import quality_rubric

PARTS = ("intent", "schema", "content", "format")
MAX_CHARS = 60_000
"""A longer table is shown to the judge up to here."""


def rate(query: str, gold: str, answer: str | None, judge: Judge, *, step: int) -> tuple[Metrics, dict[str, object]]:
    """``quality_<part>`` and their mean ``quality`` as shares of 100, and a row for score.json.

    Without a model they are not computed (None). Without an answer they are 0 where a model would be asked.
    """
    subject = {"query": query, "expected table": gold[:MAX_CHARS], "answer": (answer or "")[:MAX_CHARS]}
    verdict = judge.decide(Question(quality_rubric(step), subject))
    metrics: Metrics = {}
    for part in PARTS:
        label = verdict.labels.get(part)
        metrics[f"quality_{part}"] = None if label is None else 0.0 if answer is None else int(label) / 100
    rated = [value for value in metrics.values() if value is not None]
    metrics["quality"] = sum(rated) / len(PARTS) if len(rated) == len(PARTS) else None
    status = "rated" if metrics["quality"] is not None else "not_rated"
    return metrics, {
        "status": status,
        "column": "quality of the whole table",
        "how": verdict.reason,
        "verdict": verdict.to_json(),
    }
