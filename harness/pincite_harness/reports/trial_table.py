"""The table of a family's trials, with their means."""

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.outcome_words import in_words, kind_of
from pincite_harness.reports.statistics import show
from pincite_harness.reports.tables import cell_head
from pincite_harness.reports.trials import PAGES, page_name
from pincite_scoring.scorer import Metric
from pincite_tasks.plural import plural

_MOST_TITLES = 6
"""Metrics whose titles fit beside each other; more are told by their headings."""
_MOST_OPEN = 60
"""Trials of a table that is not folded away."""


def trial_tables(group: Group, heading: str, base: Path, anchor: str | None) -> Markup:
    """A table for each run, folded away where it is long; links to trial files are relative to ``base``."""
    parts = [tag(heading, "Trials"), *[_table(measured, group, base) for measured in group.measured]]
    return tag("section", parts, id=anchor)


def _table(measured: Measured, group: Group, base: Path) -> Markup:
    outcome = ["Outcome"] if measured.outcome else []
    first = [cell_head(title, number=False) for title in ("Task", "Status", *outcome)]
    headline = [metric for metric in group.headline if metric.name in measured.estimates]
    metrics = [_metric_head(metric, short=len(headline) > _MOST_TITLES) for metric in headline]
    last = [cell_head(title, number=title != "Files") for title in ("Seconds", "Calls", "Files")]
    head = tag("tr", [*first, *metrics, *last])
    rows = [_trial(measured, trial, headline, base) for trial in measured.trials]
    caption = tag("caption", f"{measured.run.name}: the trials.")
    foot = tag("tfoot", _means(measured, headline))
    drawn = tag("div", tag("table", caption, tag("thead", head), tag("tbody", rows), foot), class_="scroll")
    if len(rows) <= _MOST_OPEN:
        return drawn
    return tag("details", tag("summary", f"{measured.run.name}: {plural(len(rows), 'trial')}"), drawn, class_="more")


def _metric_head(metric: Metric, *, short: bool) -> Markup:
    if not short:
        return cell_head(metric.title, number=True)
    heading = metric.heading.replace("-\n", "").replace("\n", " ")
    return cell_head(heading, number=True, about=metric.title)


def _trial(measured: Measured, trial: TrialRow, headline: Sequence[Metric], base: Path) -> Markup:
    name = trial.task if trial.attempt == 1 else f"{trial.task} (attempt {trial.attempt})"
    numbers = [*[show(trial.metrics.get(metric.name)) for metric in headline], show(trial.seconds, 1)]
    calls = "–" if trial.tool_calls is None else str(trial.tool_calls)
    odd = tag("span", trial.odd_calls, class_="why") if trial.odd_calls else Markup("")
    return tag(
        "tr",
        tag("th", _page(measured.run, trial, name, base), scope="row"),
        _status(trial),
        _outcome(measured, trial),
        [tag("td", number, class_="number") for number in numbers],
        tag("td", calls, odd, class_="number"),
        tag("td", join([_link(measured.run, trial, file, base) for file in trial.files], " "), class_="files"),
    )


def _status(trial: TrialRow) -> Markup:
    status = trial.cause or trial.status
    kind = {"not finished": "unfinished"}.get(trial.status, trial.status)
    why = Markup("")
    if not trial.scored or trial.cause:
        status += "" if trial.scored or trial.record is None else ", unscored"
        kind = "unscored" if kind == "completed" else kind
        why = tag("span", trial.reason or "", class_="why")
    elif trial.unreadable:
        status, kind = f"{status}, no answer that can be read", "failed"
        why = tag("span", trial.unreadable, class_="why")
    return tag("td", status.replace("_", " "), why, class_=kind)


def _outcome(measured: Measured, trial: TrialRow) -> Markup:
    """The cell of the trial's outcome, where trials have one."""
    if not measured.outcome:
        return Markup("")
    outcome = measured.outcome.get(trial.name)
    return tag("td", in_words(outcome), class_=kind_of(outcome)) if outcome is not None else tag("td", "–")


def _means(measured: Measured, headline: Sequence[Metric]) -> Markup:
    means = [measured.mean(metric.name) for metric in headline]
    seconds, calls = measured.spent.get("seconds"), measured.spent.get("tool_calls")
    shown = [(mean, 3) for mean in means] + [(seconds, 1), (calls, 1)]
    cells = [
        tag("td", show(mean.mean, digits) if mean else "–", class_="number", title=f"n = {mean.n}" if mean else None)
        for mean, digits in shown
    ]
    empty = [tag("td")] if measured.outcome else []
    return tag(
        "tr", tag("th", "Mean", scope="row"), tag("td", f"n = {measured.scored} scored"), empty, cells, tag("td")
    )


def _page(run: RunReport, trial: TrialRow, name: str, base: Path) -> str | Markup:
    """The trial's name, with a link to its page where it has one."""
    path = run.path / PAGES / page_name(trial)
    if not path.is_file():
        return name
    return tag("a", name, href=quote(Path(os.path.relpath(path, base)).as_posix()))


def _link(run: RunReport, trial: TrialRow, file: str, base: Path) -> Markup:
    target = os.path.relpath(run.path / "trials" / trial.name / file, base)
    return tag("a", file, href=quote(Path(target).as_posix()))
