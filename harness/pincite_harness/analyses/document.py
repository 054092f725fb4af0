"""A7: score against the document: its length, what there is to find in it, and where that stands."""

import math
from collections.abc import Sequence

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import TrialRow
from pincite_harness.reports.markup import Markup, join
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.pictures import Axis, Dot, dots
from pincite_harness.reports.statistics import task_means

_FOUND = frozenset({"correct", "wrong_value", "wrong"})
"""What becomes of a gold record that the answer has, right or wrong."""
_MOST_PAGES = 40
"""Bars that are drawn; the table has all pages."""
_LEAST = 4
"""Tasks that a correlation needs: its interval has n - 3 in the denominator."""
_Z = 1.959964
"""Of a two-sided interval of 95 % of the normal distribution."""
_WHAT = {"pages": "pages", "characters": "characters of text", "gold": "gold records"}


def score_against_document(group: Group, data: TrialData) -> Analysis | None:
    """Spearman's rank correlation of the first metric with pages, characters and gold records of a task."""
    if not group.headline:
        return None
    metric = group.headline[0]
    rows: list[Row] = []
    pictures: list[Markup] = []
    for hue, measured in enumerate(group.measured):
        means = task_means(measured.run, metric.name)
        sizes = _sizes(measured, data)
        for name, words in _WHAT.items():
            pairs = [(sizes[task][name], means[task]) for task in means if name in sizes.get(task, {})]
            if len(pairs) < _LEAST or len({x for x, _ in pairs}) < 2:
                continue
            rho, interval = spearman([x for x, _ in pairs], [y for _, y in pairs])
            low, high = interval or (None, None)
            rows.append(
                {"run": measured.run.name, "against": words, "n": len(pairs), "rho": rho, "low": low, "high": high}
            )
            points = [Dot("", x, y, hue=hue) for x, y in pairs]
            x_axis = Axis.around(words, [x for x, _ in pairs])
            y_axis = Axis(metric.title, 0.0, (metric.top or max(y for _, y in pairs) or 1.0) * 1.02)
            title = f"{measured.run.name}: {metric.title} against {words}"
            pictures.append(dots(title, points, x_axis, y_axis, named=False))
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("against", "Against"),
        Column("n", "Tasks"),
        Column("rho", "Spearman's ρ", 2),
        Column("low", "95 % from", 2),
        Column("high", "to", 2),
    )
    about = (
        f"{metric.title}, mean over a task's attempts, against the pages and characters of its papers and the records"
        " of its gold; Spearman's rank correlation with Fisher's interval in the variance of Bonett and Wright (2000)"
    )
    return Analysis("document", "Score against the document", about, columns, tuple(rows), join(pictures))


def recall_by_page(group: Group, _data: TrialData) -> Analysis | None:
    """How many gold records of each page the answers have."""
    rows: list[Row] = []
    bars: list[tuple[str, dict[str, int]]] = []
    for measured in group.measured:
        found: dict[int, list[bool]] = {}
        for trial in measured.trials:
            for record in trial.score.records if trial.score is not None else []:
                page = record.get("gold_page")
                if isinstance(page, int) and record.get("gold") is not None:
                    found.setdefault(page, []).append(record.get("status") in _FOUND)
        for page, hits in sorted(found.items()):
            counted = {"gold": len(hits), "found": sum(hits), "recall": sum(hits) / len(hits)}
            rows.append({"run": measured.run.name, "page": page, **counted})
            label = f"{measured.run.name} p. {page}" if len(group.measured) > 1 else f"page {page}"
            bars.append((label, {"found": sum(hits), "missed": len(hits) - sum(hits)}))
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("page", "Page"),
        Column("gold", "Gold records"),
        Column("found", "Found"),
        Column("recall", "Recall", 3),
    )
    about = "gold records by the page on which they stand, over all trials, and how many an answer has, right or wrong"
    picture = stacks("Gold records found and missed by page", ("found", "missed"), bars[:_MOST_PAGES])
    return Analysis("pages", "Recall by page", about, columns, tuple(rows), picture)


def spearman(x: Sequence[float], y: Sequence[float]) -> tuple[float | None, tuple[float, float] | None]:
    """Spearman's rank correlation, ties with their mean rank, and its interval of 95 %; None where one side is all the
    same. No interval below four pairs and for a correlation of ±1."""
    a, b = ranks(x), ranks(y)
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    together = math.fsum((p - mean_a) * (q - mean_b) for p, q in zip(a, b, strict=True))
    spread = math.fsum((p - mean_a) ** 2 for p in a) * math.fsum((q - mean_b) ** 2 for q in b)
    if not spread:
        return None, None
    rho = max(-1.0, min(1.0, together / math.sqrt(spread)))
    if len(a) < _LEAST or abs(rho) >= 1 - 1e-12:
        return rho, None
    half = _Z * math.sqrt((1 + rho**2 / 2) / (len(a) - 3))
    return rho, (math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half))


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value from 1, equal ones with the mean of their ranks."""
    ordered = sorted(values)
    places = {value: ordered.index(value) + (ordered.count(value) + 1) / 2 for value in set(values)}
    return [places[value] for value in values]


def _sizes(measured: Measured, data: TrialData) -> dict[str, dict[str, float]]:
    """Pages, characters and gold records of each task, as far as they are known."""
    first: dict[str, TrialRow] = {}
    for trial in measured.trials:
        first.setdefault(trial.task, trial)
    subjects = {task: data.subject(measured.run, trial) for task, trial in first.items()}
    found: dict[str, dict[str, float]] = {}
    for task, subject in subjects.items():
        size: dict[str, float] = {}
        papers = [data.paper(path) for path in subject.papers.values()]
        if papers and all(paper is not None for paper in papers):
            size["pages"] = float(sum(len(paper.pages) for paper in papers if paper is not None))
            size["characters"] = float(sum(len(paper.text) for paper in papers if paper is not None))
        golds = {record["gold"] for record in _records(first[task]) if isinstance(record.get("gold"), int)}
        if golds:
            size["gold"] = float(len(golds))
        found[task] = size
    return found


def _records(trial: TrialRow) -> list[dict[str, object]]:
    return trial.score.records if trial.score is not None else []
