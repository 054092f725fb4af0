"""Chains: what an agent leaves in carry/ goes to the next trial, bounded, without secrets, and never the gold."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_doors.redactor import Redactor
from pincite_harness.agents.registry import get_agent
from pincite_harness.reports.loading import load_run
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.carrying import MOST_BYTES, Carried, keep_carried, place, read_carried
from pincite_harness.trial.plan import chained, plan_trials
from pincite_sandbox.base import SandboxSpec
from pincite_sandbox.choose import open_sandbox
from pincite_tasks.family import load_family
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord, parse_record

CARRIER = Path(__file__).parent / "programs" / "carrier.py"
PINCITE = [sys.executable, "-P", "-m", "pincite_harness"]
GOLD = {
    "properties": [
        {
            "material_or_system": "SECRETGOLDIUM",
            "property_name": "critical temperature",
            "value_string": "92 K",
            "location": {"page": 1, "evidence": "92 K", "source_type": "text"},
        }
    ]
}


def command(folder: Path, out: Path, name: str, *more: str) -> list[str]:
    given = ["run", folder.name, "--tasks", str(folder), "--agent", str(CARRIER), "--unsafe", "--sandbox", "local"]
    return [*PINCITE, *given, "--chain", "run", "-n", "2", "--out", str(out), "--name", name, *more]


def records_of(run: Path) -> list[TrialRecord]:
    found = [parse_record(read_json(path), "") for path in run.glob("trials/*/trial.json")]
    return sorted(found, key=lambda record: (record.chain or "", record.place or 0))


def test_nine_papers_in_a_chain_also_over_a_kill(make_family: Any, tmp_path: Path) -> None:
    """kill -9 in the middle, and a finished trial whose predecessor is run again: the digests are the same."""
    folder = make_family(tasks=9, gold=GOLD, servers='["materials"]')
    subprocess.run(command(folder, tmp_path, "whole"), capture_output=True, timeout=300, check=False)
    whole = records_of(tmp_path / "whole")
    assert [record.place for record in whole] == list(range(1, 10))
    assert [record.status for record in whole] == ["completed"] * 9
    assert [record.carry_in for record in whole[1:]] == [record.carry_out for record in whole[:-1]]
    assert whole[0].carry_in is None
    assert len({record.carry_out for record in whole}) == 9
    last = read_carried(tmp_path / "whole/trials" / whole[-1].name).files
    assert last["log.txt"].decode().split() == [f"t{number}" for number in range(1, 10)]
    assert set(last) == {"log.txt", "key.txt"}, "no link, no gold, no score"
    assert b"Bearer [trial token]" in last["key.txt"]
    for path in (tmp_path / "whole").rglob("carry/*"):
        assert b"SECRETGOLDIUM" not in path.read_bytes()

    run = tmp_path / "killed"
    process = subprocess.Popen(
        command(folder, tmp_path, "killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while len(list(run.glob("trials/*/trial.json"))) < 4 and process.poll() is None:
        time.sleep(0.05)
    process.kill()
    process.wait()
    finished = sorted(run.glob("trials/*/trial.json"))
    assert 4 <= len(finished) < 9
    (run / "trials" / whole[1].name / "trial.json").unlink()
    subprocess.run([*PINCITE, "resume", str(run)], capture_output=True, timeout=300, check=False)
    again = records_of(run)
    assert [record.carry_out for record in again] == [record.carry_out for record in whole]
    assert (run / "trials" / whole[2].name / "retries/1/trial.json").is_file(), "what came after is run again too"

    report = load_run(tmp_path / "whole")
    assert len({report.cluster(trial) for trial in report.trials}) == 1
    assert "by place in the chain" in (tmp_path / "whole/report.html").read_text()


def test_who_is_in_which_chain(make_family: Any) -> None:
    family = load_family(make_family(tasks=5))
    plans = plan_trials([(family, task) for task in family.tasks], get_agent("nop"), 2)
    found = chained(plans, 2)
    by_chain: dict[str, list[str]] = {}
    for plan in found:
        by_chain.setdefault(plan.chain, []).append(plan.name)
    assert by_chain == {
        "tiny__1.1": ["t1__1", "t3__1", "t5__1"],
        "tiny__1.2": ["t2__1", "t4__1"],
        "tiny__2.1": ["t1__2", "t3__2", "t5__2"],
        "tiny__2.2": ["t2__2", "t4__2"],
    }
    drawn = [[plan.name for plan in chained(plans, 1, seed) if plan.attempt == 1] for seed in (1, 2, 3, 4)]
    assert len({tuple(names) for names in drawn}) > 1
    assert all(sorted(names) == [f"t{number}__1" for number in range(1, 6)] for names in drawn)


def test_an_agent_that_is_given_the_gold_is_refused(make_family: Any) -> None:
    specification = RunSpecification(families={"tiny": str(make_family(servers="[]"))}, agent="oracle", chains=1)
    with pytest.raises(BadInputError, match="a chain would hand it on"):
        specification.plan(specification.load_families())


@pytest.mark.anyio
async def test_what_is_carried_is_bounded(tmp_path: Path) -> None:
    spec = SandboxSpec(name="carry", owner="test", doors={})
    sandbox = await open_sandbox("process", spec, unsafe=True)
    try:
        script = f"mkdir carry; head -c {MOST_BYTES} /dev/zero > carry/large"
        script += "; echo the-token-of-this-trial-0123456789 > carry/small"
        await sandbox.exec(["/bin/sh", "-c", script], timeout=30)
        said = await keep_carried(sandbox, tmp_path, Redactor(["the-token-of-this-trial-0123456789"]))
    finally:
        await sandbox.stop()
    assert said is not None
    assert "1 of 2 files are not carried on" in said
    kept = read_carried(tmp_path)
    assert list(kept.files) == ["small"]
    assert b"0123456789" not in kept.files["small"]
    Carried({"before.txt": b"as it was"}).write(tmp_path)
    assert [path.name for path in place(tmp_path).iterdir()] == ["before.txt"]
