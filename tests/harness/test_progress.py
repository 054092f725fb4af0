"""What a person sees of a run: lines in a file, a live display on a terminal."""

import io
from typing import Any

import pytest
from rich.console import Console

from pincite_harness.runs.progress import watch
from pincite_harness.trial.plan import plan_trials
from pincite_tasks.failure import Cause, Status
from pincite_tasks.family import load_family
from pincite_tasks.trial_record import TrialRecord


def record(name: str, **fields: Any) -> TrialRecord:
    known = {"task_id": "t", "family": "f", "attempt": 1, "agent": "a", "agent_version": "1", "tool_calls": 3}
    return TrialRecord.model_validate({"name": name, **known, **fields})


@pytest.mark.parametrize("terminal", [False, True])
def test_every_end_is_told(make_family: Any, actor: Any, terminal: bool) -> None:
    family = load_family(make_family(tasks=2))
    plans = plan_trials([(family, task) for task in family.tasks], actor(), 1)
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=100)
    with watch(console, total=4, finished=1) as events:
        for plan in plans:
            events.started(plan)
        failed = {"status": Status.FAILED, "cause": Cause.SERVER_FAILED, "detail": "[died] here\nand more"}
        events.retried(plans[0], record(plans[0].name, **failed))
        events.ended(plans[0], record(plans[0].name, status=Status.COMPLETED))
        events.ended(plans[1], record(plans[1].name, **failed))
        events.started(plans[1])
        events.ended(plans[1], record("late", status=Status.CANCELLED, cause=Cause.CANCELLED))
    text = file.getvalue()
    assert "t1__1 completed 0.0 s, 3 tool calls" in text
    assert "t2__1 failed (server_failed) 0.0 s, 3 tool calls: [died] here" in text
    assert "and more" not in text
    assert "again" in text
    assert ("\x1b[" in text) is terminal
    assert ("[3/4] late cancelled 0.0 s" in text) is not terminal, "what is cancelled is not done"
    assert "4/4" not in text
