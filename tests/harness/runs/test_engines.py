"""One suite for both engines: what a run comes to does not depend on where its trials take place."""

import asyncio
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.agents.own import own_agent
from pincite_harness.agents.registry import get_agent
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.trial.carrying import read_carried
from pincite_harness.trial.plan import chained, plan_trials
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.family import load_family
from pincite_tasks.files import read_json

pytestmark = pytest.mark.anyio

ANSWER = orjson.dumps({"properties": []}).decode()
CARRIER = Path(__file__).parents[1] / "programs" / "carrier.py"


def plans_of(folder: Path, agent: Any, attempts: int = 1) -> list[Any]:
    family = load_family(folder)
    return plan_trials([(family, task) for task in family.tasks], agent, attempts)


async def test_every_attempt_once_and_whole(rig: Any, make_family: Any, actor: Any) -> None:
    plans = plans_of(make_family(tasks=2), actor("call", "echo {}", "answer", ANSWER), attempts=2)
    records = await rig.run(plans)
    assert {name: record.status.value for name, record in records.items()} == dict.fromkeys(
        ["t1__1", "t2__1", "t1__2", "t2__2"], "completed"
    )
    for plan in plans:
        folder = rig.folder.trial(plan.name)
        assert rig.folder.record(plan.name) == records[plan.name]
        files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert files >= {"agent.log", "answer.json", "score.json", "trajectory.json", "trial.json", "wire/mcp.jsonl"}
        assert not [name for name in files if "arriving" in name or name.endswith(".part")]


async def test_an_outage_is_tried_again_and_leaves_its_evidence(
    rig: Any, make_family: Any, actor: Any, tmp_path: Path
) -> None:
    """The server works only once a file is there, and making that file is what its first start does."""
    flag = tmp_path / "second"
    real = rig.servers["demo"]
    code = (
        f"import os, pathlib, sys; p = pathlib.Path({str(flag)!r})\n"
        f"if p.exists(): os.execv({real[0]!r}, {list(real)!r})\n"
        "p.touch(); sys.exit('not yet')"
    )
    rig.servers = {"demo": (real[0], "-c", code)}
    records = await rig.run(plans_of(make_family(), actor("answer", ANSWER)), retries=2)
    assert [kind for kind, _ in rig.told] == ["started", "retried server_failed", "completed"]
    assert records["t1__1"].retries == 1
    evidence = rig.folder.trial("t1__1") / "retries" / "1"
    assert read_json(evidence / "trial.json")["cause"] == "server_failed"
    assert "not yet" in (evidence / "wire" / "demo.stderr.log").read_text()
    assert not (rig.folder.trial("t1__1") / "retries" / "2").exists()


async def test_stopped_and_gone_on_with(rig: Any, make_family: Any, actor: Any) -> None:
    folder = make_family(tasks=3)
    quick, slow = plans_of(folder, actor("answer", ANSWER)), plans_of(folder, actor("sleep", "60"))
    plans = [quick[0], *slow[1:]]
    engine = rig.engine(plans)
    job = rig.job(plans, engine, concurrency=1)
    rig.on_start = lambda plan: plan.name == "t2__1" and asyncio.get_running_loop().call_later(2, job.stop)
    records = await asyncio.wait_for(job.run(), 120)
    await engine.close()
    assert {name: record.status.value for name, record in records.items()} == {
        "t1__1": "completed",
        "t2__1": "cancelled",
    }
    assert rig.folder.record("t2__1") == records["t2__1"]
    first = (rig.folder.trial("t1__1") / "trial.json").read_bytes()

    rig.on_start = lambda _: None
    rig.told.clear()
    again = await rig.run(quick)
    assert sorted(name for kind, name in rig.told if kind == "started") == ["t2__1", "t3__1"], "finished trials stay"
    assert {record.status.value for record in again.values()} == {"completed"}
    assert (rig.folder.trial("t1__1") / "trial.json").read_bytes() == first


async def test_a_chain_hands_on(rig: Any, make_family: Any) -> None:
    plans = chained(plans_of(make_family(tasks=3), own_agent(CARRIER, {})), 1)
    records = await rig.run(plans)
    ordered = [records[plan.name] for plan in plans]
    assert [record.place for record in ordered] == [1, 2, 3]
    assert [record.carry_in for record in ordered[1:]] == [record.carry_out for record in ordered[:-1]]
    last = read_carried(rig.folder.trial(plans[-1].name)).files
    assert last["log.txt"].decode().split() == ["t1", "t2", "t3"]


async def test_scores_are_the_same_bytes(rays: Any, make_family: Any, tmp_path: Path) -> None:
    bundled = load_family(bundled_folder() / "property_extraction")
    smallest = min(bundled.tasks, key=lambda task: task.papers[0].stat().st_size)
    tiny = load_family(make_family(servers="[]"))
    rows = {"nop": (tiny, tiny.tasks[0]), "baseline": (bundled, smallest)}
    for name, pair in rows.items():
        plans = plan_trials([pair], get_agent(name), 1)
        found: list[dict[str, bytes]] = []
        for kind in ("local", "ray"):
            rays.kind, rays.folder = kind, RunFolder(tmp_path / name / kind)
            [record] = (await rays.run(plans)).values()
            assert record.status == "completed", record
            place = rays.folder.trial(record.name)
            found.append({each: (place / each).read_bytes() for each in ("answer.json", "score.json")})
        assert found[0] == found[1], name
