"""A job: trials side by side, retries with their evidence, stopping and going on."""

import asyncio
import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.runs.engine import LocalEngine
from pincite_harness.runs.job import Job, JobEvents
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import TrialPlan, plan_trials
from pincite_harness.trial.run import Surroundings
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord

pytestmark = pytest.mark.anyio

ANSWER = orjson.dumps({"properties": []}).decode()


class JobRig:
    """Jobs on one run folder; what they tell is kept."""

    def __init__(self, folder: Path, servers: Any) -> None:
        self.folder = RunFolder(folder)
        self.servers = servers
        self.told: list[tuple[str, str]] = []
        self.at_once = self.most = 0
        self.markers: list[Marker] = []
        self.on_start: Callable[[TrialPlan], None] = lambda _: None

    def plans(self, family_folder: Path, agent: Any, attempts: int = 1) -> list[TrialPlan]:
        family = load_family(family_folder)
        return plan_trials([(family, task) for task in family.tasks], agent, attempts)

    def job(self, plans: list[TrialPlan], *, concurrency: int = 1, retries: int = 0) -> Job:
        marker = Marker([plan.task for plan in plans], ScoringOptions())
        self.markers.append(marker)
        events = JobEvents(self._started, self._retried, self._ended)
        engine = LocalEngine(Surroundings("process", marker, self.servers))
        return Job(self.folder, plans, engine, events, concurrency=concurrency, retries=retries)

    def _started(self, plan: TrialPlan) -> None:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.told.append(("started", plan.name))
        self.on_start(plan)

    def _retried(self, plan: TrialPlan, record: TrialRecord) -> None:
        self.told.append((f"retried {record.cause}", plan.name))

    def _ended(self, plan: TrialPlan, record: TrialRecord) -> None:
        self.at_once -= 1
        self.told.append((record.status, plan.name))


@pytest.fixture
def rig(tmp_path: Path, servers: Any) -> Iterator[JobRig]:
    rig = JobRig(tmp_path / "run", servers)
    yield rig
    for marker in rig.markers:
        marker.close()


async def test_every_task_and_attempt_once(rig: JobRig, make_family: Any, actor: Any) -> None:
    plans = rig.plans(make_family(tasks=2), actor("answer", ANSWER), attempts=2)
    assert [plan.name for plan in plans] == ["t1__1", "t2__1", "t1__2", "t2__2"]
    records = await rig.job(plans, concurrency=3).run()
    assert {name: record.status.value for name, record in records.items()} == dict.fromkeys(records, "completed")
    assert set(records) == {plan.name for plan in plans}
    assert rig.most == 3


async def test_retries_end(rig: JobRig, make_family: Any, actor: Any) -> None:
    rig.servers = {"demo": (rig.servers["demo"][0], "-c", "")}
    records = await rig.job(rig.plans(make_family(), actor("answer", ANSWER)), retries=1).run()
    assert records["t1__1"].cause == "server_failed"
    assert records["t1__1"].retries == 1
    assert [kind for kind, _ in rig.told].count("retried server_failed") == 1


async def test_the_agents_own_failure_is_not_tried_again(rig: JobRig, make_family: Any, actor: Any) -> None:
    records = await rig.job(rig.plans(make_family(), actor("exit", "1")), retries=3).run()
    assert records["t1__1"].cause == "agent_failed"
    assert records["t1__1"].retries == 0


async def test_stop_cancels_and_the_next_job_goes_on(rig: JobRig, make_family: Any, actor: Any) -> None:
    folder = make_family(tasks=3)
    quick = actor("answer", ANSWER)
    slow = actor("answer", ANSWER, "sleep", "60")
    family = load_family(folder)
    plans = [
        *plan_trials([(family, family.tasks[0])], quick, 1),
        *plan_trials([(family, task) for task in family.tasks[1:]], slow, 1),
    ]
    job = rig.job(plans)

    def stop_soon(plan: TrialPlan) -> None:
        if plan.name == "t2__1":
            asyncio.get_running_loop().call_later(1.5, job.stop)

    rig.on_start = stop_soon
    records = await asyncio.wait_for(job.run(), 30)
    assert {name: record.status.value for name, record in records.items()} == {
        "t1__1": "completed",
        "t2__1": "cancelled",
    }
    first = (rig.folder.trial("t1__1") / "trial.json").read_bytes()

    rig.on_start = lambda _: None
    rig.told.clear()
    again = await rig.job(plan_trials([(family, task) for task in family.tasks], quick, 1)).run()
    assert [name for kind, name in rig.told if kind == "started"] == ["t2__1", "t3__1"], "finished trials stay"
    assert {record.status.value for record in again.values()} == {"completed"}
    assert len(again) == 3
    assert (rig.folder.trial("t1__1") / "trial.json").read_bytes() == first


async def test_a_trial_cut_short_is_run_again_and_keeps_its_retries(rig: JobRig, make_family: Any, actor: Any) -> None:
    plans = rig.plans(make_family(), actor("answer", ANSWER))
    folder = rig.folder.trial("t1__1")
    (folder / "retries" / "1").mkdir(parents=True)
    (folder / "retries" / "1" / "trial.json").write_text("{}")
    (folder / "wire").mkdir()
    (folder / "wire" / "mcp.jsonl").write_text('{"kind":"request"\n')
    records = await rig.job(plans).run()
    assert records["t1__1"].status == "completed"
    assert records["t1__1"].retries == 1
    assert (folder / "retries" / "1" / "trial.json").exists()
    assert not (folder / "wire" / "mcp.jsonl").read_text().startswith('{"kind":"request"\n')


async def test_a_folder_that_cannot_be_used_fails_its_trial_alone(rig: JobRig, make_family: Any, actor: Any) -> None:
    plans = rig.plans(make_family(tasks=2), actor("answer", ANSWER))
    rig.folder.trials.mkdir(parents=True)
    (rig.folder.trials / "t1__1").write_text("a file where the folder belongs")
    records = await asyncio.wait_for(rig.job(plans).run(), 30)
    assert records["t1__1"].cause == "sandbox_failed"
    assert records["t2__1"].status == "completed"
    assert (rig.folder.trials / "t1__1").read_text() == "a file where the folder belongs"


async def test_a_full_disk_stops_the_run(
    rig: JobRig, make_family: Any, actor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every other trial would meet it too; the others are stopped first."""
    plans = rig.plans(make_family(tasks=2), actor("sleep", "60"))
    real = RunFolder.discard

    def discard(folder: RunFolder, name: str) -> None:
        if name == "t2__1":
            raise OSError(errno.ENOSPC, "No space left on device")
        real(folder, name)

    monkeypatch.setattr(RunFolder, "discard", discard)
    with pytest.raises(OSError, match="No space left"):
        await asyncio.wait_for(rig.job(plans, concurrency=2).run(), 30)
    assert read_json(rig.folder.trial("t1__1") / "trial.json")["status"] in {"cancelled", "failed"}


async def test_a_damaged_record_is_kept_and_its_trial_run_again(rig: JobRig, make_family: Any, actor: Any) -> None:
    plans = rig.plans(make_family(), actor("answer", ANSWER))
    folder = rig.folder.trial("t1__1")
    folder.mkdir(parents=True)
    (folder / "trial.json").write_text('{"name": "t1__1", "status"')
    (folder / "retries" / "notes").mkdir(parents=True)
    records = await rig.job(plans).run()
    assert (records["t1__1"].status, records["t1__1"].retries) == ("completed", 1)
    assert (folder / "retries" / "1" / "trial.json").read_text() == '{"name": "t1__1", "status"'
