"""The Ray engine alone: lost workers, keys, and what comes back of a trial."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag

from pincite_core.cluster.connection import connect
from pincite_core.cluster.sealing import Receiver, seal
from pincite_core.cluster.untyped import ray
from pincite_core.errors import BadInputError, MissingExtraError, UnavailableError
from pincite_doors.testing import ScriptedModel, hang, say, turn
from pincite_harness.agents.own import own_agent
from pincite_harness.runs.cluster.engine import variables_for
from pincite_harness.runs.cluster.frames import Chunk, Done, chunks_of
from pincite_harness.runs.cluster.landing import Landing
from pincite_harness.runs.cluster.shipping import InputFolder, pack, unpack
from pincite_harness.trial.plan import plan_trials
from pincite_models.choice import ModelChoice
from pincite_tasks.family import load_family
from pincite_tasks.spending import SPENT_FILE, read_spending

PROGRAMS = Path(__file__).parents[1] / "programs"


def plans_of(folder: Path, agent: Any, model: ModelChoice | None = None) -> list[Any]:
    family = load_family(folder)
    return plan_trials([(family, task) for task in family.tasks], agent, 1, model)


@pytest.mark.anyio
async def test_a_killed_worker_loses_no_trial_no_spending_and_no_key(
    rays: Any, make_family: Any, planted: str, trial_workers: Any
) -> None:
    """Its worker is killed while it waits for its model. The second try ends, and knows what the first one spent; the
    key that both used is in no file of Ray's."""
    folder = make_family(servers="[]")
    script = [turn(say("So.")), turn(hang()), turn(say("So.")), turn(say("So.")), turn(say("So."))]
    with ScriptedModel(script, key=planted) as model:
        choice = ModelChoice.parse("scripted", model.url)
        agent = own_agent(PROGRAMS / "asker.py", {"dialect": "openai.chat"})
        running = asyncio.create_task(rays.run(plans_of(folder, agent, choice)))
        assert await asyncio.to_thread(model.wait_for, lambda: len(model.requests) == 2, 120), running
        await asyncio.sleep(0.5)  # the account of the second call is on its way
        [worker] = trial_workers()
        assert planted.encode() not in Path(f"/proc/{worker}/environ").read_bytes()
        os.kill(worker, signal.SIGKILL)
        [record] = (await running).values()
        assert all(request.headers["authorization"] == f"Bearer {planted}" for request in model.requests)
    assert record.status == "completed", record
    assert [line for line in rays.said if "begun again" in line]
    assert record.earlier is not None
    assert (record.model_calls, record.earlier.model_calls) == (3, 2)
    place = rays.folder.trial(record.name)
    spent = read_spending(place / SPENT_FILE)
    assert (spent.attempts, spent.model_calls, spent.unknown_calls) == (2, 5, 1)

    session = Path(ray.get_runtime_context().worker.node.get_session_dir_path())
    searched = 0
    for path in [*session.rglob("*"), *rays.folder.path.rglob("*")]:
        if path.is_file() and not path.is_symlink():
            searched += 1
            assert planted.encode() not in path.read_bytes(), path
    assert searched > 20


@pytest.mark.anyio
async def test_a_lost_control_costs_no_trial(rays: Any, make_family: Any, planted: str) -> None:
    """The run's actor is lost with its node while a trial waits for its model: the trial is begun again with a new one,
    which has the key, too."""
    folder = make_family(servers="[]")
    script = [turn(hang()), turn(say("So.")), turn(say("So.")), turn(say("So."))]
    with ScriptedModel(script, key=planted) as model:
        choice = ModelChoice.parse("scripted", model.url)
        plans = plans_of(folder, own_agent(PROGRAMS / "asker.py", {"dialect": "openai.chat"}), choice)
        engine = rays.engine(plans)
        running = asyncio.create_task(rays.job(plans, engine).run())
        try:
            assert await asyncio.to_thread(model.wait_for, lambda: len(model.requests) == 1, 120), running
            ray.kill(engine._control)
            [record] = (await running).values()
        finally:
            await engine.close()
    assert record.status == "completed", record
    assert [line for line in rays.said if "begun again" in line]


def test_sealed_for_one_receiver() -> None:
    receiver, other = Receiver(), Receiver()
    sealed = seal(receiver.public, b"sk-ant-secret")
    assert receiver.open(sealed) == b"sk-ant-secret"
    assert b"sk-ant" not in sealed
    assert sealed != seal(receiver.public, b"sk-ant-secret")
    broken = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for who, message in ((other, sealed), (receiver, broken)):
        with pytest.raises(InvalidTag):
            who.open(message)


def test_plans_go_with_their_files(make_family: Any, actor: Any, tmp_path: Path) -> None:
    """Papers and programs come by their digests, packages' files by their names, and other tasks stay behind."""
    [plan, other] = plans_of(make_family(tasks=2), actor("answer", "{}"))
    shipment = pack(plan)
    fetched: list[str] = []

    def fetch(digest: str) -> bytes:
        fetched.append(digest)
        return shipment.files[digest].read_bytes()

    inputs = InputFolder(tmp_path / "inputs", fetch)
    there = unpack(shipment.packed, inputs)
    assert (there.name, there.prompt, there.family.tasks) == (plan.name, plan.prompt, (there.task,))
    assert other.task.task_id.encode() not in shipment.packed
    [paper] = there.task.papers
    assert paper.is_relative_to(tmp_path / "inputs")
    assert (paper.name, paper.read_bytes()) == ("a.pdf", plan.task.papers[0].read_bytes())
    assert there.agent.digests() == plan.agent.digests()
    assert there.task.file_digests() == plan.task.file_digests()
    once = len(fetched)
    unpack(shipment.packed, inputs)
    assert len(fetched) == once == len(shipment.files)
    with pytest.raises(UnavailableError, match="came damaged"):
        unpack(shipment.packed, InputFolder(tmp_path / "others", lambda _: b"other bytes"))


def test_a_trial_lands_whole_or_not_at_all(tmp_path: Path) -> None:
    made, folder = tmp_path / "made", tmp_path / "run" / "t1__1"
    (made / "agent" / "empty").mkdir(parents=True)
    (made / "wire").mkdir()
    contents = {"trial.json": b"{}", "score.json": b"[]", "wire/mcp.jsonl": os.urandom(9 << 20), "empty.log": b""}
    for name, data in contents.items():
        (made / name).write_bytes(data)
    (made / "link").symlink_to("/etc/passwd")
    (made / SPENT_FILE).write_bytes(b"came before")
    frames = list(chunks_of(made, SPENT_FILE))
    done = frames.pop()
    assert isinstance(done, Done)

    landing = Landing(folder)
    for frame in frames[:-1]:
        assert isinstance(frame, Chunk)
        landing.take(frame)
    with pytest.raises(UnavailableError, match="did not come back whole"):
        landing.finish(done)
    landing.abandon()
    assert list(folder.iterdir()) == []

    landing = Landing(folder)
    for frame in frames:
        assert isinstance(frame, Chunk)
        landing.take(frame)
    assert not (folder / "trial.json").exists()
    landing.finish(done)
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert {name: path.read_bytes() for name, path in found.items()} == contents
    assert (folder / "agent" / "empty").is_dir()
    for path in ("../../run.json", "/etc/cron.d/x", "a/../../b"):
        with pytest.raises(UnavailableError, match="outside its trial's folder"):
            Landing(folder).take(Chunk(path, b"x"))


def test_what_a_node_is_sent_and_what_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"PINCITE_CACHE_DIR": "/here", "PINCITE_DPI": "90", "COHERE_API_KEY": "k", "OTHER": "o"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    sent = variables_for([])
    assert {name: sent[name] for name in given if name in sent} == {"PINCITE_DPI": "90", "COHERE_API_KEY": "k"}
    with pytest.raises(BadInputError, match="Ray Client"):
        connect("ray://head:10001", 1)
    monkeypatch.setitem(sys.modules, "pincite_core.cluster.untyped", None)
    with pytest.raises(MissingExtraError, match=r"pincite\[cluster\]|'cluster' extra"):
        connect("", 1)
