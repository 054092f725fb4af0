"""Agents that cheat score nothing, and the harness that they meet goes on: real trials in real sandboxes."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.agents.agent import Program
from pincite_harness.agents.registry import PROGRAMS
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_scoring import ScoringOptions
from pincite_tasks.family import Family, load_family
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord

pytestmark = pytest.mark.anyio

CHEAT = Path(__file__).parents[1] / "programs" / "cheat.py"
BUNDLED = Path(__file__).parents[3] / "tasks" / "property_extraction"
TASK = "ybco_oxygen"
LEFT_OVER = "invalid_answer"
CHEATS = {
    "prewritten_scores": LEFT_OVER,
    "hard_links": LEFT_OVER,
    "link_inside": LEFT_OVER,
    "unix_socket": LEFT_OVER,
    "folder": LEFT_OVER,
    "huge_answer": LEFT_OVER,
    "deep_answer": LEFT_OVER,
    "deeper_answer": LEFT_OVER,
    "not_a_number": LEFT_OVER,
    "doubled_keys": None,
    "breaks_the_scorer": None,
    "too_many_records": LEFT_OVER,
    "tampered_task": LEFT_OVER,
}
"""Cheats by what is in the answer or beside it, and the cause that the trial's record names."""
DEEDS = {
    "daemon": LEFT_OVER,
    "fleeing_daemon": LEFT_OVER,
    "late_answer": "limit_reached",
    "programs_in_the_way": LEFT_OVER,
    "preloaded_library": LEFT_OVER,
    "modules_in_the_way": LEFT_OVER,
    "symbolic_links": LEFT_OVER,
    "pipe": LEFT_OVER,
    "device": LEFT_OVER,
    "sparse_answer": LEFT_OVER,
    "reads_the_gold": LEFT_OVER,
    "sessions_that_lead_out": LEFT_OVER,
    "ends_the_sandbox": "agent_failed",
    "fills_every_folder": "limit_reached",
    "shuts_the_folder": LEFT_OVER,
    "moves_the_folder": LEFT_OVER,
}
"""Cheats that only a sandbox keeps from succeeding: tried in each."""
OUTCOMES = CHEATS | DEEDS


class Arena:
    """Trials of cheats on a bundled task; another trial with the right answer lies beside theirs."""

    def __init__(self, runs: Path, servers: tuple[str, ...] = ()) -> None:
        family = load_family(BUNDLED)
        limits = family.settings.limits.model_copy(update={"wall_clock_seconds": 60.0})
        settings = family.settings.model_copy(update={"servers": list(servers), "limits": limits})
        self._family = dataclasses.replace(family, settings=settings)
        self._task = next(task for task in family.tasks if task.task_id == TASK)
        self._marker = Marker([self._task], ScoringOptions())
        self._right = json.dumps(self._task.gold)
        self.runs = runs
        neighbour = runs / "t1__9"
        neighbour.mkdir(parents=True)
        (neighbour / "answer.json").write_text(self._right)
        self._places = [BUNDLED / "records.jsonl", BUNDLED, neighbour / "answer.json", runs]

    async def run(self, cheat: str, sandbox: Any) -> tuple[TrialRecord, dict[str, Any]]:
        """The record and the score of a trial of ``cheat``, in the folder of its name."""
        words = (cheat, self._right, json.dumps([str(place) for place in self._places]))
        files = {".agent/cheat.py": CHEAT, ".agent/door.py": PROGRAMS / "door.py"}
        agent = Program("cheat", "1", ("python3", ".agent/cheat.py", *words), files)
        object.__setattr__(agent, "sessions", (".sessions", ".more"))
        [plan] = plan_trials([(self._hurried(cheat), self._task)], agent, 1)
        folder = self.runs / cheat
        record = await TrialRun(plan, folder, Surroundings(sandbox, self._marker, SERVERS)).run()
        return record, read_json(folder / "score.json")

    def _hurried(self, cheat: str) -> Family:
        """The family, with little time for who would outlive it."""
        if cheat != "late_answer":
            return self._family
        limits = self._family.settings.limits.model_copy(update={"wall_clock_seconds": 2.0})
        return dataclasses.replace(self._family, settings=self._family.settings.model_copy(update={"limits": limits}))

    def close(self) -> None:
        self._marker.close()


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    made = Arena(tmp_path / "runs")
    yield made
    made.close()


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox(request: pytest.FixtureRequest) -> str:
    """Both backends that isolate."""
    request.getfixturevalue(f"{request.param}_ready")
    return request.param


async def scores_nothing(arena: Arena, cheat: str, sandbox: str) -> None:
    record, score = await arena.run(cheat, sandbox)
    assert (record.cause, score["status"]) == (OUTCOMES[cheat], "scored"), record.detail
    assert score["metrics"]["f1"] == 0.0
    kept = [path.relative_to(arena.runs) for path in arena.runs.rglob("*") if path.is_file()]
    assert {path.parts[0] for path in kept} == {"t1__9", cheat}
    assert not any(path.is_symlink() for path in arena.runs.rglob("*"))


async def test_the_right_answer_scores(arena: Arena, sandbox: str) -> None:
    """What follows could not fail where nobody scores."""
    record, score = await arena.run("right", sandbox)
    assert (record.cause, score["metrics"]["f1"]) == (None, 1.0)


@pytest.mark.parametrize("cheat", list(CHEATS))
async def test_an_answer_that_cheats_scores_nothing(arena: Arena, cheat: str, bubblewrap_ready: None) -> None:
    await scores_nothing(arena, cheat, "bubblewrap")


@pytest.mark.parametrize("cheat", list(DEEDS))
async def test_a_deed_that_cheats_scores_nothing(arena: Arena, cheat: str, sandbox: str) -> None:
    await scores_nothing(arena, cheat, sandbox)


async def test_the_doors_do_not_give_the_gold_away(tmp_path: Path, bubblewrap_ready: None) -> None:
    arena = Arena(tmp_path / "runs", ("documents",))
    try:
        record, score = await arena.run("asks_the_doors", "bubblewrap")
    finally:
        arena.close()
    assert (record.cause, score["metrics"]["f1"]) == ("invalid_answer", 0.0)
    assert record.tool_calls > 20
