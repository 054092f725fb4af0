"""The report on the terminal: one row a trial, then the means; several runs stand side by side."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.statistics import (
    HEADLINE,
    failure_rate,
    failures,
    mean_of,
    metric_mean,
    show,
    show_mean,
    task_names,
)
from pincite_harness.scoring.statistics import Mean

_STYLES = {"completed": "green", "limit_reached": "yellow", "failed": "red", "cancelled": "red", "not finished": "dim"}
_SHORT = {"completed": "done", "limit_reached": "limit"}
_COLUMNS = ("F1\n0.1%", "F1\n1%", "F1\n10%", "match\nF1", "evid.\nverif.", "value\nquoted")


def print_run(run: RunReport, screen: Console) -> None:
    """Print the trials of one run and what they add up to."""
    title = _plain(f"{run.name} · agent {run.agent}")
    table = Table(title=title, title_justify="left", show_footer=True, box=SIMPLE_HEAD, padding=0)
    table.add_column(
        "task", footer=f"mean of {sum(trial.scored for trial in run.trials)} scored", overflow="fold", min_width=18
    )
    table.add_column("status", overflow="fold", max_width=9)
    for (metric, _), heading in zip(HEADLINE, _COLUMNS, strict=True):
        mean = metric_mean(run.trials, metric)
        table.add_column(heading, justify="right", footer=show(mean.mean if mean else None))
    for heading, mean in (("sec-\nonds", mean_of(t.seconds for t in run.trials)), ("calls", _calls(run))):
        table.add_column(heading, justify="right", footer=show(mean.mean if mean else None, 1))
    for trial in run.trials:
        table.add_row(*_row(trial))
    screen.print(table)
    _print_totals(run, screen)


def print_comparison(runs: Sequence[RunReport], screen: Console) -> None:
    """Print runs side by side: F1 at 0.1 % by task, then the means of every headline metric."""
    title = "F1 at 0.1 %, mean over attempts"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 2, 0, 0))
    table.add_column("task", overflow="fold")
    for run in runs:
        table.add_column(_plain(f"{run.name}\n{run.agent}"), justify="right")
    for task in task_names(runs):
        cells = [show_mean(metric_mean((t for t in run.trials if t.task == task), HEADLINE[0][0])) for run in runs]
        table.add_row(_plain(task), *cells)
    table.add_section()
    for metric, title in HEADLINE:
        table.add_row(title, *[show_mean(metric_mean(run.trials, metric)) for run in runs])
    table.add_row("failure rate", *[show_mean(failure_rate(run)) for run in runs])
    table.add_row("trials scored", *[f"{sum(t.scored for t in run.trials)} of {len(run.trials)}" for run in runs])
    screen.print(table)


def _row(trial: TrialRow) -> list[Text]:
    name = trial.task if trial.attempt == 1 else f"{trial.task} #{trial.attempt}"
    status = trial.cause or (_SHORT.get(trial.status, trial.status) if trial.scored else _unscored(trial))
    calls = "–" if trial.tool_calls is None else str(trial.tool_calls)
    return [
        _plain(name),
        Text(status.replace("_", " "), style=_STYLES.get(trial.status, "")),
        *[_plain(show(trial.metrics.get(metric))) for metric, _ in HEADLINE],
        _plain(show(trial.seconds, 1)),
        _plain(calls),
    ]


def _unscored(trial: TrialRow) -> str:
    return "unscored" if trial.status == "completed" else trial.status


def _print_totals(run: RunReport, screen: Console) -> None:
    finished = run.finished
    parts = [
        f"{title} {show_mean(mean)} (n = {mean.n})"
        for metric, title in HEADLINE
        if (mean := metric_mean(finished, metric))
    ]
    if parts:
        screen.print(_plain("Mean ± standard error: " + "; ".join(parts)), soft_wrap=True)
    if run.document.specification.model is not None:
        screen.print(_plain(_spent(run)), soft_wrap=True)
    rate = failure_rate(run)
    causes = failures(finished)
    if rate is not None and causes:
        listed = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
        screen.print(_plain(f"Failed: {show(rate.mean)} of {rate.n} finished trials; causes: {listed}"), soft_wrap=True)
    unscored = {trial.reason for trial in finished if not trial.scored and trial.reason}
    for reason in sorted(unscored)[:5]:
        screen.print(_plain(f"Unscored: {reason}"), soft_wrap=True)


def _spent(run: RunReport) -> str:
    """What the model of a run used, and what it cost as far as that is known."""
    counted = [trial for trial in run.trials if trial.tokens is not None]
    tokens = f"Model: {sum(trial.tokens or 0 for trial in counted):,.0f} tokens in {len(counted)} trials"
    costs = [trial.cost_usd for trial in counted if trial.cost_usd is not None]
    cost = f"{sum(costs):.4f} US dollars" if costs else "cost not known"
    missing = f" (not known of {len(counted) - len(costs)})" if costs and len(costs) < len(counted) else ""
    return f"{tokens}, {cost}{missing}"


def _calls(run: RunReport) -> Mean | None:
    return mean_of(float(t.tool_calls) if t.tool_calls is not None else None for t in run.trials)


def _plain(text: str) -> Text:
    """Text without markup: names and reasons come from outside."""
    return Text(text)
