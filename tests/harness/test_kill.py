"""kill -9 of the harness in the middle of a run: nothing finished is lost or repeated, nothing is left behind.

``tests/benchmarks/kill_soak.py`` is the long version: ten kills of a 20-trial run.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite_doors.models.meter import ModelMeter
from pincite_doors.testing import ScriptedModel, Usage, hang, say, turn
from pincite_harness.reports.console import told_earlier
from pincite_tasks.family import FamilyLimits
from pincite_tasks.files import read_json
from pincite_tasks.spending import SPENT_FILE, SpendingLog, Spent, read_spending
from pincite_tasks.trial_record import earlier_spending, parse_record, sum_spending

KILLS = 3
USED = Usage(1000, 50)
ASKER = Path(__file__).parent / "programs" / "asker.py"
PINCITE = [sys.executable, "-P", "-m", "pincite_harness"]


@pytest.fixture(scope="session")
def kill_run() -> Any:
    path = Path(__file__).with_name("kill_run.py")
    specification = importlib.util.spec_from_file_location("kill_run", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["kill_run"] = module
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("sandbox", ["local", pytest.param("docker", marks=pytest.mark.docker)])
def test_killed_again_and_again(kill_run: Any, make_family: Any, tmp_path: Path, sandbox: str, request: Any) -> None:
    if sandbox == "docker":
        request.getfixturevalue("docker_ready")
    folder = make_family(tasks=5, servers='["documents"]')
    command = [folder.name, "--tasks", str(folder), "--agent", "nop", "--sandbox", sandbox, "-n", "2"]
    command += ["--out", str(tmp_path / "runs"), "--name", "killed"]
    run = kill_run.KillRun(command, tmp_path / "runs" / "killed", seed=os.getpid())
    report = run.go(KILLS, trials=5, longest=3.0)
    assert report.kills, "the first kill always comes before the end"
    assert report.broken == []
    assert report.trials == 5


def test_what_a_killed_attempt_spent_is_added_up(make_family: Any, tmp_path: Path) -> None:
    """One call of the killed attempt was paid, one was under way: the sum is what the endpoint served."""
    folder, run = make_family(servers="[]"), tmp_path / "runs" / "killed"
    asked = turn(say("So it is."), usage=USED)
    with ScriptedModel([asked, turn(hang(), say("So it is."), usage=USED), asked, asked]) as model:
        command = ["run", folder.name, "--tasks", str(folder), "--agent", str(ASKER), "--unsafe", "--sandbox", "local"]
        command += [
            "--agent-option",
            "dialect=openai.chat",
            "--model",
            "scripted",
            "--model-url",
            model.url,
            "--out",
            str(tmp_path / "runs"),
            "--name",
            "killed",
        ]
        process = subprocess.Popen([*PINCITE, *command], stdout=subprocess.DEVNULL)
        assert model.wait_for(lambda: len(model.requests) == 2, 60), process.poll()
        process.kill()
        process.wait()
        told = subprocess.run([*PINCITE, "resume", str(run)], capture_output=True, text=True, timeout=120).stdout
        served = model.usage.input_tokens + model.usage.output_tokens
    record = parse_record(read_json(run / "trials" / "t1__1" / "trial.json"), "")
    assert record.tokens is not None
    assert record.earlier is not None
    assert (record.tokens.input, record.tokens.output, record.model_calls) == (3000, 150, 3)
    assert (record.earlier.tokens.input, record.earlier.tokens.output, record.earlier.model_calls) == (1000, 50, 2)
    assert (record.earlier.attempts, record.earlier.unknown_calls) == (1, 1)
    spent = read_spending(run / "trials" / "t1__1" / SPENT_FILE)
    assert spent.tokens == served == 4 * 1050
    assert "by attempts that were killed, stopped or tried again: 2 model calls of 1 attempt, 1,050 tokens" in told


def test_earlier_attempts_without_a_known_price_have_no_cost() -> None:
    rows = [
        ("none of whose calls has a price", Spent(1, 2, unpriced_calls=2, usage=USED), None),
        ("that was killed within its only call", Spent(1, 1, unknown_calls=1), None),
        ("some of whose calls have one", Spent(1, 2, unpriced_calls=1, usage=USED, cost_usd=0.5), 0.5),
        ("of a model that costs nothing", Spent(1, 2, usage=USED), 0.0),
    ]
    wrong = [words for words, spent, cost in rows if earlier_spending(spent).cost_usd != cost]
    assert not wrong
    made = [earlier_spending(spent) for _, spent, _ in rows]
    assert sum_spending(made[:2]).cost_usd is None
    assert sum_spending(made[1:]).cost_usd == 0.5
    assert "US dollars" not in told_earlier(sum_spending(made[:2]))


def test_limits_count_what_earlier_attempts_spent(tmp_path: Path) -> None:
    log = SpendingLog(tmp_path / SPENT_FILE)
    for cost in (0.25, None):
        log.called()
        log.ended(USED, cost)
    log.called()
    log.close()
    with (tmp_path / SPENT_FILE).open("ab") as file:
        file.write(b'{"kind":"end","usage":{"inp')
    SpendingLog(tmp_path / SPENT_FILE).close()
    spent = read_spending(tmp_path / SPENT_FILE)
    assert (spent.attempts, spent.model_calls, spent.unknown_calls, spent.unpriced_calls) == (2, 3, 1, 1)
    assert (spent.tokens, spent.cost_usd) == (2100, 0.25)

    assert earlier_spending(spent).cost_usd == 0.25

    meter = ModelMeter(FamilyLimits(tokens=3000), lambda *_: 0.5, spent)
    assert meter.take()
    meter.add("m", USED)
    assert meter.exceeded == "tokens: 3000 (2100 of it by earlier attempts)"
    assert not meter.take()
    assert ModelMeter(FamilyLimits(cost_usd=0.2), lambda *_: 0.5, spent).exceeded is not None
    assert ModelMeter(FamilyLimits(cost_usd=0.3, model_calls=3), lambda *_: 0.5, spent).exceeded is None
