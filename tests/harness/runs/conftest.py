"""Both engines, on one Ray that the module's tests share."""

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pincite_core.cluster.connection import connect, disconnect
from pincite_harness.runs.engine import Engine, LocalEngine, surroundings_of
from pincite_harness.runs.job import Job, JobEvents
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.servers import SERVERS
from pincite_scoring import ScoringOptions
from pincite_tasks.trial_record import TrialRecord

SLOTS = 2


@pytest.fixture(scope="module")
def planted() -> Iterator[str]:
    """A key in this process's environment from before Ray starts."""
    key = f"sk-ant-{secrets.token_hex(24)}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_MODEL_API_KEY", key)
        yield key


@pytest.fixture(scope="module")
def cluster(planted: str) -> Iterator[None]:
    connect("", SLOTS)
    yield
    disconnect()


@dataclass
class Rig:
    """Jobs of one engine on a run's folder; ``told`` is what they tell, ``said`` what the engine says."""

    kind: str
    folder: RunFolder
    servers: Any
    told: list[tuple[str, str]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    on_start: Callable[[TrialPlan], None] = lambda _: None

    def engine(self, plans: Sequence[TrialPlan]) -> Engine:
        specification = RunSpecification(sandbox="local", unsafe=True, engine="local")
        servers = {**SERVERS, **self.servers}
        if self.kind == "local":
            marker = Marker([plan.task for plan in plans], ScoringOptions())
            return LocalEngine(surroundings_of(specification, marker, servers))
        from pincite_harness.runs.cluster.engine import RayEngine, variables_for

        engine = RayEngine(specification, variables_for(plans), servers=servers, say=self.said.append)
        engine.prepare(plans)
        return engine

    async def run(self, plans: Sequence[TrialPlan], **options: int) -> dict[str, TrialRecord]:
        engine = self.engine(plans)
        try:
            return await self.job(plans, engine, **options).run()
        finally:
            await engine.close()

    def job(self, plans: Sequence[TrialPlan], engine: Engine, concurrency: int = SLOTS, retries: int = 0) -> Job:
        events = JobEvents(self._started, self._retried, self._ended)
        return Job(self.folder, plans, engine, events, concurrency=concurrency, retries=retries)

    def _started(self, plan: TrialPlan) -> None:
        self.told.append(("started", plan.name))
        self.on_start(plan)

    def _retried(self, plan: TrialPlan, record: TrialRecord) -> None:
        self.told.append((f"retried {record.cause}", plan.name))

    def _ended(self, plan: TrialPlan, record: TrialRecord) -> None:
        self.told.append((record.status, plan.name))


@pytest.fixture(params=["local", "ray"])
def rig(request: pytest.FixtureRequest, tmp_path: Path, servers: Any) -> Rig:
    if request.param == "ray":
        request.getfixturevalue("cluster")
    return Rig(request.param, RunFolder(tmp_path / request.param), servers)


@pytest.fixture
def rays(cluster: None, tmp_path: Path, servers: Any) -> Rig:
    """The Ray engine alone."""
    return Rig("ray", RunFolder(tmp_path / "ray"), servers)


def below(root: int, words: str) -> list[int]:
    """Processes that descend from ``root`` and whose command begins with ``words``."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            commands[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
    found: list[int] = []
    layer = {root}
    while layer := {number for number, parent in parents.items() if parent in layer}:
        found += [number for number in layer if commands.get(number, "").startswith(words)]
    return found


@pytest.fixture
def trial_workers() -> Callable[[], list[int]]:
    """The worker processes of this test's Ray that run a trial now."""
    return lambda: below(os.getpid(), "ray::run_trial")
