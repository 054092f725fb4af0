"""The report on the terminal: by family one row a trial, then what they add up to; several runs stand side by side."""

from collections import Counter
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincite_harness.reports.attempts import brief_attempts
from pincite_harness.reports.breakdown_tables import header_of, rows_of
from pincite_harness.reports.comparing import BRIEF, Comparison, brief_row
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.means import further
from pincite_harness.reports.measured import Estimate, Measured
from pincite_harness.reports.outcome_words import in_words
from pincite_harness.reports.outcomes import told
from pincite_harness.reports.roles import HEADER, MODEL_HEADER, model_rows, role_rows
from pincite_harness.reports.statistics import (
    failures,
    show,
    show_interval,
    show_mean,
    task_means,
    task_names,
)
from pincite_scoring.scorer import Metric
from pincite_scoring.statistics import Mean
from pincite_tasks.plural import plural
from pincite_tasks.trial_record import EarlierSpending

_STYLES = {"completed": "green", "limit_reached": "yellow", "failed": "red", "cancelled": "red", "not finished": "dim"}
_SHORT = {"completed": "done", "limit_reached": "limit"}
_MOST = 6
"""Metrics whose attempts and comparison are told; the page has them all."""
_MOST_ROWS = 60
"""Trials or tasks that are listed; of more the files have all of them."""
_TASK, _STATUS, _NUMBERS = 18, 9, 14
"""Characters of the task, the status, and seconds with calls."""


def print_run(run: RunReport, measured: Sequence[Measured], screen: Console) -> None:
    """Print the trials of one run by family, and what they add up to."""
    for part in measured:
        _print_trials(part, f" · {part.family}" if len(measured) > 1 else "", screen)
        _print_means(part, screen)
        for counted in part.counted:
            if counted.n or counted.unscored:
                _say(told(counted), screen)
        header, rows = brief_attempts(part, _MOST)
        if rows:
            print_table("Attempts", header, rows, screen)
        for breakdown in part.breakdowns:
            print_table(f"By {breakdown.key}", header_of(breakdown), rows_of(breakdown), screen)
    if rows := role_rows(run):
        print_table("Roles", HEADER, rows, screen)
    if rows := model_rows(run):
        print_table("Models", MODEL_HEADER, rows, screen)
    _print_spent(run, screen)


def print_comparison(groups: Sequence[Group], screen: Console) -> None:
    """Print runs side by side by family: the first metric by task, the means of the headline, the paired tests."""
    for group in groups:
        if group.headline:
            _print_side_by_side(group, screen)
        for comparison in group.comparisons:
            _print_paired(group.family, comparison, screen)


def _print_trials(measured: Measured, family: str, screen: Console) -> None:
    run, trials = measured.run, measured.trials
    title = _plain(f"{run.name} · agent {run.agent}{family}")
    if len(trials) > _MOST_ROWS:
        screen.print(Text.assemble(title, f": {len(trials)} trials, listed in the report"), soft_wrap=True)
        return
    headline = _fitting(measured, screen.width)
    table = Table(title=title, title_justify="left", show_footer=True, box=SIMPLE_HEAD, padding=0)
    table.add_column("task", footer=f"mean of {measured.scored} scored", overflow="fold", min_width=_TASK)
    table.add_column("status", overflow="fold", max_width=_STATUS)
    for metric in headline:
        mean = measured.mean(metric.name)
        table.add_column(_plain(metric.heading), justify="right", footer=show(mean.mean if mean else None))
    for heading, name in (("sec-\nonds", "seconds"), ("calls", "tool_calls")):
        mean = measured.spent.get(name)
        table.add_column(heading, justify="right", footer=show(mean.mean if mean else None, 1), no_wrap=True)
    for trial in trials:
        table.add_row(*_row(measured, trial, headline))
    screen.print(table)


def _fitting(measured: Measured, width: int) -> list[Metric]:
    """The metrics of the headline that were measured, as many as fit beside each other."""
    left = width - _TASK - _STATUS - _NUMBERS - 4
    found: list[Metric] = []
    for metric in (estimate.metric for estimate in measured.estimates.values() if not estimate.metric.detail):
        left -= max(*map(len, metric.heading.split("\n")), 5) + 1
        if left < 0:
            break
        found.append(metric)
    return found


def _print_means(measured: Measured, screen: Console) -> None:
    """The means of the headline, each with its n."""
    estimates = [estimate for estimate in measured.estimates.values() if not estimate.metric.detail]
    if not estimates:
        return
    more = further(measured)
    header = ("Metric", "n", "Mean ± std. error", "95 %: t", *more)
    rows = [(*_means_row(e), *[cells.get(e.metric.name, "–") for cells in more.values()]) for e in estimates]
    print_table("Means", header, rows, screen)


def _means_row(estimate: Estimate) -> tuple[str, ...]:
    metric, mean = estimate.metric, estimate.mean
    return (metric.title, str(mean.n), show_mean(mean), show_interval(metric, mean.interval))


def _print_side_by_side(group: Group, screen: Console) -> None:
    leading = group.headline[0]
    tasks = task_names(group.runs)
    title = f"{group.family}: {leading.title}, mean over attempts"
    if len(tasks) > _MOST_ROWS:
        apart = dict.fromkeys(task for comparison in group.comparisons for task, *_ in comparison.apart)
        title += f"; {min(len(apart), _MOST_ROWS // 3)} of {len(tasks)} tasks, those that differ most"
        tasks = list(apart)[: _MOST_ROWS // 3]
    table = Table(title=_plain(title), title_justify="left", box=SIMPLE_HEAD, padding=(0, 2, 0, 0))
    table.add_column("task", overflow="fold")
    for run in group.runs:
        table.add_column(_plain(f"{run.name}\n{run.agent}"), justify="right", overflow="fold")
    means = [task_means(run, leading.name) for run in group.runs]
    for task in tasks:
        table.add_row(_plain(task), *[show(own.get(task)) for own in means])
    table.add_section()
    for metric in group.headline:
        table.add_row(_plain(metric.title), *[_with_n(one.mean(metric.name)) for one in group.measured])
    table.add_row("failure rate", *[_with_n(one.failure_rate) for one in group.measured])
    table.add_row("trials scored", *[f"{one.scored} of {len(one.trials)}" for one in group.measured])
    screen.print(table)


def _with_n(mean: Mean | None) -> str:
    return show_mean(mean) + (f" (n = {mean.n})" if mean is not None else "")


def _print_paired(family: str, comparison: Comparison, screen: Console) -> None:
    names = f"{comparison.first.run.name} (first) and {comparison.second.run.name} (second)"
    rows = [brief_row(*pair) for pair in comparison.pairs[:_MOST]]
    if rows:
        print_table(f"{family}: {names}", BRIEF, rows, screen)
        for note in comparison.notes:
            _say(f"Not the same: {note}", screen)


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]], screen: Console) -> None:
    """Print a table whose first column holds words and the others numbers."""
    table = Table(title=_plain(title), title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, heading in enumerate(header):
        table.add_column(heading, justify="right" if number else "left", overflow="fold")
    for cells in rows:
        table.add_row(*[_plain(cell) for cell in cells])
    screen.print(table)


def _row(measured: Measured, trial: TrialRow, headline: Sequence[Metric]) -> list[Text]:
    name = trial.task if trial.attempt == 1 else f"{trial.task} #{trial.attempt}"
    status = trial.cause or (_ended(measured, trial) if trial.scored else _unscored(trial))
    calls = "–" if trial.tool_calls is None else str(trial.tool_calls)
    return [
        _plain(name),
        Text(status.replace("_", " "), style=_STYLES.get(trial.status, "")),
        *[_plain(show(trial.metrics.get(metric.name))) for metric in headline],
        _plain(show(trial.seconds, 1)),
        _plain(calls),
    ]


def _ended(measured: Measured, trial: TrialRow) -> str:
    """The trial's outcome, where it has one."""
    outcome = measured.outcome.get(trial.name)
    return in_words(outcome) if outcome is not None else _SHORT.get(trial.status, trial.status)


def _unscored(trial: TrialRow) -> str:
    return "unscored" if trial.status == "completed" else trial.status


def _print_spent(run: RunReport, screen: Console) -> None:
    """Of which tasks it was, what the models took, and what went wrong."""
    if run.sample:
        _say(run.sample, screen)
    if run.document.specification.model is not None:
        _say(_spent(run), screen)
    if run.earlier is not None:
        _say(told_earlier(run.earlier), screen)
    for trial in run.trials:
        if trial.damage:
            _say(f"Damaged: {trial.name}: {trial.damage}", screen)
    judged = [trial.judging for trial in run.trials if trial.judging is not None]
    if judged:
        asked, kept = sum(note["questions"] for note in judged), sum(note["kept"] for note in judged)
        _say(f"Judge: {judged[0]['judge']}; {plural(asked, 'question')}, {kept} known already", screen)
    finished = run.finished
    rows = [row for trial in finished if trial.score is not None for row in trial.score.records]
    if undecided := [row for row in rows if row.get("status") == "undecided"]:
        thing = "claim" if all("claim" in row for row in undecided) else "answer"
        _say(f"Undecided: {plural(len(undecided), thing)}; a model decides: pincite score {run.path} --judge …", screen)
    causes = failures(trial for trial in finished if trial.status == "failed")
    if causes:
        listed = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
        _say(f"Failed: {causes.total()} of {plural(len(finished), 'finished trial')}; causes: {listed}", screen)
    if limited := sum(trial.status == "limit_reached" for trial in finished):
        _say(f"Reached a limit: {plural(limited, 'trial')}", screen)
    unscored = Counter(trial.reason for trial in finished if not trial.scored and trial.reason)
    for reason, count in unscored.most_common(5):
        _say(f"Unscored: {plural(count, 'trial')}: {reason}", screen)


def _spent(run: RunReport) -> str:
    """What the model of a run used, and what it cost as far as that is known."""
    counted = [trial for trial in run.trials if trial.tokens is not None]
    tokens = f"Model: {sum(trial.tokens or 0 for trial in counted):,.0f} tokens in {plural(len(counted), 'trial')}"
    costs = [trial.cost_usd for trial in counted if trial.cost_usd is not None]
    cost = f"{sum(costs):.4f} US dollars" if costs else "cost not known"
    missing = f" (not known of {len(counted) - len(costs)})" if costs and len(costs) < len(counted) else ""
    return f"{tokens}, {cost}{missing}"


def told_earlier(spent: EarlierSpending) -> str:
    """The line about attempts that stand in no other number."""
    tokens = spent.tokens.input + spent.tokens.output
    calls = f"{plural(spent.model_calls, 'model call')} of {plural(spent.attempts, 'attempt')}"
    line = f"Spent beside that, by attempts that were killed, stopped or tried again: {calls}, {tokens:,} tokens"
    line += f", {spent.cost_usd:.4f} US dollars" if spent.cost_usd else ""
    line += f" ({plural(spent.unpriced_calls, 'call')} of unknown price)" if spent.unpriced_calls else ""
    return line + (f"; of {plural(spent.unknown_calls, 'call')} nothing is known" if spent.unknown_calls else "")


def _say(line: str, screen: Console) -> None:
    screen.print(_plain(line), soft_wrap=True)


def _plain(text: str) -> Text:
    """Text without markup: names and reasons come from outside."""
    return Text(text)
