"""The report as one HTML page: no script, nothing fetched from anywhere."""

import os
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from pincite_harness.reports.charts import Series, bars, curve, legend
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.records import records_section
from pincite_harness.reports.statistics import (
    HEADLINE,
    TOLERANCES,
    failure_rate,
    failures,
    mean_of,
    metric_mean,
    show,
    task_names,
)
from pincite_harness.scoring.statistics import Mean

_MOST_BARS = 60
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(runs: Sequence[RunReport], base: Path) -> str:
    """The page of one or several runs; links to trial files are relative to ``base``, the folder of the page."""
    title = "pincite report: " + ", ".join(run.name for run in runs)
    style = files("pincite_harness.reports").joinpath("report.css").read_text(encoding="utf-8")
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        tag("title", title),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        tag("a", "Skip to the trials", href="#trials", class_="skip"),
        tag(
            "main",
            _heading(runs),
            _tiles(runs),
            _charts(runs),
            _failures(runs),
            _trials(runs, base),
            records_section(list(runs)),
            _footer(runs),
        ),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _heading(runs: Sequence[RunReport]) -> Markup:
    if len(runs) > 1:
        names = "; ".join(f"{run.name} ({run.agent}, {len(run.trials)} trials)" for run in runs)
        return join([tag("h1", "Runs side by side"), tag("p", names, class_="sub")])
    run = runs[0]
    families = ", ".join(run.document.specification.families)
    started = run.document.created_at[:16].replace("T", " ")
    about = f"Agent {run.agent} on {families}, started {started} UTC"
    return join([tag("h1", run.name), tag("p", about, class_="sub")])


def _tiles(runs: Sequence[RunReport]) -> Markup:
    parts: list[Markup] = []
    for run in runs:
        if len(runs) > 1:
            parts.append(tag("h2", run.name))
        scored = sum(trial.scored for trial in run.trials)
        tiles = [_tile(title, metric_mean(run.trials, metric), 3) for metric, title in HEADLINE]
        tiles.append(
            _text_tile("Trials scored", f"{scored} of {len(run.trials)}", "a trial without a score is no zero")
        )
        tiles.append(_tile("Failure rate", failure_rate(run), 2))
        tiles.append(_tile("Seconds a trial", mean_of(trial.seconds for trial in run.trials), 1))
        tiles.append(_tile("Tool calls a trial", mean_of(_calls(trial) for trial in run.trials), 1))
        if run.document.specification.model is not None:
            tiles.append(_tile("Tokens a trial", mean_of(trial.tokens for trial in run.trials), 0))
            tiles.append(_tile("US dollars a trial", mean_of(trial.cost_usd for trial in run.trials), 4))
        parts.append(tag("div", tiles, class_="tiles"))
    return join(parts)


def _tile(title: str, mean: Mean | None, digits: int) -> Markup:
    if mean is None:
        return _text_tile(title, "–", "no value")
    error = f"± {mean.standard_error:.{digits}f} standard error, " if mean.standard_error is not None else ""
    return _text_tile(title, show(mean.mean, digits), f"{error}n = {mean.n}")


def _text_tile(title: str, value: str, note: str) -> Markup:
    return tag("dl", tag("dt", title), tag("dd", value, tag("small", note)), class_="tile")


def _charts(runs: Sequence[RunReport]) -> Markup:
    tasks = task_names(runs)
    drawn_tasks = tasks[:_MOST_BARS]
    names = [run.name for run in runs]

    def by_task(value: Callable[[TrialRow], float | None]) -> list[Series]:
        return [
            Series(
                run.name, [mean_of(value(trial) for trial in run.trials if trial.task == task) for task in drawn_tasks]
            )
            for run in runs
        ]

    def of(metric: str) -> Callable[[TrialRow], float | None]:
        return lambda trial: trial.metrics.get(metric)

    left = len(tasks) - _MOST_BARS
    steps = [label for _, label in TOLERANCES]
    curves = [Series(run.name, [metric_mean(run.trials, metric) for metric, _ in TOLERANCES]) for run in runs]
    drawn = [
        bars("F1 at 0.1 % by task", drawn_tasks, by_task(of("f1_0.1%")), top=1, digits=3),
        curve("Mean F1 by tolerance of the value", steps, curves),
        bars(
            "Evidence verified, share of the answer's records",
            drawn_tasks,
            by_task(of("evidence_verified")),
            top=1,
            digits=3,
        ),
        bars(
            "Value in its quote, share of the answer's records",
            drawn_tasks,
            by_task(of("value_in_quote")),
            top=1,
            digits=3,
        ),
        bars("Seconds", drawn_tasks, by_task(lambda trial: trial.seconds), top=None, digits=1),
        bars("Tool calls", drawn_tasks, by_task(_calls), top=None, digits=0),
    ]
    shown = legend(names) if len(runs) > 1 else Markup("")
    note = (
        tag("p", f"The bars show the first {_MOST_BARS} tasks; {left} more are in the table.")
        if left > 0
        else Markup("")
    )
    return tag("section", tag("h2", "Charts"), shown, note, tag("div", drawn, class_="charts"))


def _failures(runs: Sequence[RunReport]) -> Markup:
    counts = [failures(run.finished) for run in runs]
    causes = sorted({cause for count in counts for cause in count})
    if not causes:
        return tag("section", tag("h2", "Failures"), tag("p", "No trial failed."))
    rows = [[cause, *[str(count[cause]) for count in counts]] for cause in causes]
    return tag(
        "section", tag("h2", "Failures"), _table("Trials by cause of failure", ["Cause", *[r.name for r in runs]], rows)
    )


def _table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    head = tag("tr", [_cell_head(title, number=k > 0) for k, title in enumerate(header)])
    body = [tag("tr", tag("th", row[0], scope="row"), [tag("td", v, class_="number") for v in row[1:]]) for row in rows]
    return tag("div", tag("table", tag("caption", caption), tag("thead", head), tag("tbody", body)), class_="scroll")


def _cell_head(title: str, *, number: bool) -> Markup:
    return tag("th", title, scope="col", class_="number" if number else None)


def _trials(runs: Sequence[RunReport], base: Path) -> Markup:
    parts = [tag("h2", "Trials")]
    for run in runs:
        titles = [("Task", False), ("Status", False), *[(title, True) for _, title in HEADLINE]]
        titles += [("Records", True), ("Seconds", True), ("Calls", True), ("Files", False)]
        head = tag("tr", [_cell_head(title, number=number) for title, number in titles])
        rows = [_trial(run, trial, base) for trial in run.trials]
        caption = f"{run.name}: the trials. Records are those of the answer and of the gold."
        table = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", rows), tag("tfoot", _means(run)))
        parts.append(tag("div", table, class_="scroll"))
    return tag("section", parts, id="trials")


def _trial(run: RunReport, trial: TrialRow, base: Path) -> Markup:
    name = trial.task if trial.attempt == 1 else f"{trial.task} (attempt {trial.attempt})"
    status = trial.cause or trial.status
    kind = {"not finished": "unfinished"}.get(trial.status, trial.status)
    why = Markup("")
    if not trial.scored or trial.cause:
        status += "" if trial.scored or trial.record is None else ", unscored"
        kind = "unscored" if kind == "completed" else kind
        why = tag("span", trial.reason or "", class_="why")
    records = f"{_count(trial, 'n_answer')} / {_count(trial, 'n_gold')}"
    numbers = [*[show(trial.metrics.get(metric)) for metric, _ in HEADLINE], records, show(trial.seconds, 1)]
    numbers.append("–" if trial.tool_calls is None else str(trial.tool_calls))
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", status, why, class_=kind),
        [tag("td", number, class_="number") for number in numbers],
        tag("td", join([_link(run, trial, file, base) for file in trial.files], " "), class_="files"),
    )


def _means(run: RunReport) -> Markup:
    means = [metric_mean(run.trials, metric) for metric, _ in HEADLINE]
    seconds, calls = mean_of(t.seconds for t in run.trials), mean_of(_calls(t) for t in run.trials)
    shown = [show(mean.mean if mean else None) for mean in means]
    shown += ["", show(seconds.mean if seconds else None, 1), show(calls.mean if calls else None, 1)]
    counted = f"n = {sum(trial.scored for trial in run.trials)} scored"
    cells = [tag("td", value, class_="number") for value in shown]
    return tag("tr", tag("th", "Mean", scope="row"), tag("td", counted), cells, tag("td"))


def _link(run: RunReport, trial: TrialRow, file: str, base: Path) -> Markup:
    target = os.path.relpath(run.path / "trials" / trial.name / file, base)
    return tag("a", file, href=quote(Path(target).as_posix()))


def _footer(runs: Sequence[RunReport]) -> Markup:
    matchers = sorted({t.score.matcher for run in runs for t in run.trials if t.score and t.score.matcher})
    scorers = sorted(
        {f"{t.score.scorer} {t.score.scorer_version}" for run in runs for t in run.trials if t.score and t.scored}
    )
    said = f"Scorer {', '.join(scorers) or 'none'}; matcher {', '.join(matchers) or 'none'}."
    note = "Means are over the trials that have the value; ± is the standard error of the mean."
    return tag("footer", tag("p", said, " ", note))


def _count(trial: TrialRow, metric: str) -> str:
    value = trial.metrics.get(metric)
    return "–" if value is None else f"{value:.0f}"


def _calls(trial: TrialRow) -> float | None:
    return None if trial.tool_calls is None else float(trial.tool_calls)
