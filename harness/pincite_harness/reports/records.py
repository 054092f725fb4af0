"""The records of a trial, one by one, in the columns that its scorer names: what was right, wrong or missed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.outcome_words import in_words, kind_of
from pincite_scoring.scorer import Column
from pincite_tasks.plural import plural

MOST_TRIALS = 100
"""Trials whose records are on the page."""
_LONGEST = 500
"""Characters of a cell."""


def records_section(group: Group, heading: str) -> Markup:
    """The records of every trial that has any, each trial folded away; nothing where there are none."""
    shown = [(run, trial) for run in group.runs for trial in run.trials if trial.score and trial.score.records]
    if not shown:
        return Markup("")
    if len(shown) > MOST_TRIALS:
        left = (
            f"The records of {plural(len(shown), 'trial')} would make the page too large: each score.json has its own."
        )
        return tag("section", tag(heading, "Records"), tag("p", left))
    parts = [_trial(run, trial, group.columns, named=len(group.runs) > 1) for run, trial in shown]
    return tag("section", tag(heading, "Records"), parts)


def _trial(run: RunReport, trial: TrialRow, columns: Sequence[Column], *, named: bool) -> Markup:
    records = trial.score.records if trial.score is not None else []
    counts = Counter(str(record.get("status", "")) for record in records)
    listed = ", ".join(f"{number} {_outcome(status)}" for status, number in counts.items())
    name = f"{run.name}: {trial.name}" if named else trial.name
    summary = tag("summary", tag("b", name), f" ({listed})")
    return tag("details", summary, records_table(records, columns), class_="records")


def records_table(records: Sequence[Mapping[str, Any]], columns: Sequence[Column]) -> Markup:
    """The rows of a score in the columns of its scorer."""
    head = tag("tr", [tag("th", title, scope="col") for title in ("Outcome", *[column.title for column in columns])])
    table = tag("table", tag("thead", head), tag("tbody", [_row(record, columns) for record in records]))
    return tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="Records")


def _row(record: Mapping[str, Any], columns: Sequence[Column]) -> Markup:
    status = str(record.get("status", ""))
    keys = {column.key for column in columns}
    reason = "" if "reason" in keys else str(record.get("reason") or "")
    first = tag("td", _outcome(status), tag("span", reason, class_="why"), class_=f"outcome {kind_of(status)}")
    return tag("tr", first, [_cell(record, column, keys) for column in columns])


def _cell(record: Mapping[str, Any], column: Column, keys: set[str]) -> Markup:
    value = record.get(column.key)
    gold = f"gold_{column.key}"
    if value is None and gold in record and gold not in keys:
        return tag("td", _text(record[gold]), class_="of-gold")
    shown = _text(value)
    if shown and column.unit:
        shown = f"{shown} {_text(record.get(column.unit))}".strip()
    if column.quoted:
        return tag("td", tag("q", shown) if shown else "", class_="quote")
    return tag("td", shown)


def _text(value: Any) -> str:
    """A value in a few words: states with blanks, lists with commas, a judge's verdict by its labels."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        held = cast("Mapping[str, Any]", value)
        inner = held.get("labels", held)
        shown = cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else held
        return _short("; ".join(f"{name}: {_text(each)}" for name, each in shown.items()))
    if isinstance(value, list):
        return _short(", ".join(_text(each) for each in cast("list[Any]", value)))
    text = str(value)
    return _short(text.replace("_", " ") if text.isidentifier() and text.islower() else text)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _outcome(status: str) -> str:
    return "no gold to compare" if status == "unscored" else in_words(status)
