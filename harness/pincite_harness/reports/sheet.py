"""The report as CSV: one row a trial, every metric a column."""

import csv
import io
from collections.abc import Sequence

from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.statistics import metric_names
from pincite_tasks.trial_record import TrialRecord

_FIXED = (
    "run",
    "agent",
    "family",
    "task",
    "attempt",
    "status",
    "cause",
    "scored",
    "outcome",
    "reason",
    "matcher",
    "compat",
)
_SPENT = (
    *("seconds", "agent_seconds", "tool_calls"),
    *("failed_tool_calls", "refused_tool_calls", "unknown_tool_calls", "own_tool_calls", "hosted_tool_calls"),
    *("retries", "sandbox", "web", "before"),
)
_MODEL = ("model", "model_calls", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "cost_usd")
_EARLIER = ("earlier_model_calls", "earlier_input_tokens", "earlier_output_tokens", "earlier_cost_usd")
_JUDGE = ("judged_by", "judge_questions", "judge_input_tokens", "judge_output_tokens", "judge_cost_usd")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(runs: Sequence[RunReport], groups: Sequence[Group]) -> str:
    """The rows of all runs; what is not known stays empty, so that a trial without a score is not a zero."""
    metrics = metric_names(runs, [metric for group in groups for metric in group.metrics])
    outcomes = {
        (measured.run.name, measured.family): measured.outcome for group in groups for measured in group.measured
    }
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_FIXED, *metrics, *_SPENT, *_MODEL, *_EARLIER, *_JUDGE])
    for run in runs:
        for trial in run.trials:
            record = trial.record
            fixed = (
                run.name,
                run.agent,
                trial.family or None,
                trial.task,
                trial.attempt,
                trial.status,
                trial.cause,
                str(trial.scored).lower(),
                outcomes[run.name, trial.family].get(trial.name),
                trial.reason,
                trial.score.matcher if trial.score else None,
                trial.score.compat if trial.score and trial.scored else None,
            )
            spent = (
                trial.seconds,
                trial.agent_seconds,
                trial.tool_calls,
                *_calls(record),
                record.retries if record else None,
                record.sandbox.backend if record and record.sandbox else None,
                record.web if record else None,
                record.before if record else None,
            )
            measured = map(trial.metrics.get, metrics)
            model = (*_model(record), *_earlier(trial), *_judge(trial))
            writer.writerow([_cell(value) for value in (*fixed, *measured, *spent, *model)])
    return out.getvalue()


def _calls(record: TrialRecord | None) -> tuple[object, ...]:
    """The calls that are not good calls of a server, by kind."""
    if record is None:
        return (None,) * 5
    return (
        record.failed_tool_calls,
        record.refused_tool_calls,
        record.unknown_tool_calls,
        record.own_tool_calls,
        record.hosted_tool_calls,
    )


def _model(record: TrialRecord | None) -> tuple[object, ...]:
    """What the trial's model was and spent; empty where there was none."""
    if record is None or record.tokens is None:
        return (None,) * len(_MODEL)
    tokens = record.tokens
    counts = (tokens.input, tokens.cached, tokens.output, tokens.reasoning)
    return (record.model, record.model_calls, *counts, record.cost_usd)


def _earlier(trial: TrialRow) -> tuple[object, ...]:
    """What earlier attempts at the trial spent; empty where there were none."""
    spent = trial.earlier
    if spent is None:
        return (None,) * len(_EARLIER)
    return (spent.model_calls, spent.tokens.input, spent.tokens.output, spent.cost_usd)


def _judge(trial: TrialRow) -> tuple[object, ...]:
    """Who judged the trial's answer and what that took; empty where no model did."""
    note = trial.judging or {}
    return (note.get("judge"), *(note.get(name.removeprefix("judge_")) for name in _JUDGE[1:]))


def _cell(value: object) -> object:
    """Text that a spreadsheet would run as a formula is quoted (OWASP, CSV injection)."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return round(value, 6) if isinstance(value, float) else value
