"""Trials on a tiny task whose model, server, sandbox or daemon fails as it is told, and what they leave behind.

Shared by the benchmarks of faults, of the planted key and of overhead, and by the tests of both.
"""

import dataclasses
import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite_doors.template import ServerTemplate
from pincite_harness.agents.agent import Agent, Briefing, Launch
from pincite_harness.agents.registry import PROGRAMS
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_models.choice import ModelChoice
from pincite_scoring import ScoringOptions
from pincite_tasks.family import Family, FamilyLimits, load_family
from pincite_tasks.trial_record import TrialRecord

REPOSITORY = Path(__file__).parents[3]
DEMO = REPOSITORY / "tests" / "harness" / "programs"
SERVERS = {"demo": (sys.executable, str(DEMO / "demo_server.py"))}
ANSWER = json.dumps({"properties": []})
_BUNDLED = REPOSITORY / "tasks" / "property_extraction"
_TASK = "ybco_oxygen"


class Actor(Agent):
    """A program of the tests with its words; it is told where its model is by two variables."""

    name = "actor"
    version = "1"
    dialect = "openai.chat"

    def __init__(self, words: Sequence[str], program: str = "actor.py") -> None:
        self._words = words
        self._program = program

    def launch(self, briefing: Briefing) -> Launch:
        """The program, and the tool door's client beside it."""
        files = {f".agent/{self._program}": DEMO / self._program, ".agent/door.py": PROGRAMS / "door.py"}
        env = {"MODEL_URL": briefing.model_url, "TOKEN": briefing.token}
        content = {name: path.read_bytes() for name, path in files.items()}
        return Launch(("python3", f".agent/{self._program}", *self._words), env, content)

    def digests(self) -> dict[str, str]:
        """None: these trials are not resumed."""
        return {}


class FaultTrials:
    """Runs trials into folders below ``runs``; until ``rest`` they share a marker, as a run's do. Close it."""

    def __init__(
        self,
        runs: Path,
        sandbox: Any,
        servers: Mapping[str, Sequence[str]] = SERVERS,
        template: ServerTemplate | None = None,
    ) -> None:
        self.runs = runs
        self.sandbox = sandbox
        self._servers = servers
        self._template = template
        self._bundled = load_family(_BUNDLED)
        self._task = self._bundled.task(_TASK)
        self._marker: Marker | None = None

    async def run(
        self, name: str, agent: Agent, *, model_url: str = "", seconds: float = 30, servers: Sequence[str] = ()
    ) -> TrialRecord:
        """One trial of ``agent``, in the folder ``name``; with a model where there is its address."""
        model = ModelChoice(provider="compatible", name="scripted", base_url=model_url) if model_url else None
        plan = TrialPlan(name, self._family(seconds, servers), self._task, agent, 1, model)
        if self._marker is None:
            self._marker = Marker([self._task], ScoringOptions())
        around = Surroundings(self.sandbox, self._marker, self._servers, template=self._template)
        return await TrialRun(plan, self.runs / name, around).run()

    def wire(self, name: str, kind: str) -> list[dict[str, Any]]:
        """Records of ``kind`` of the model door in the trial ``name``."""
        path = self.runs / name / "wire" / "llm.jsonl"
        lines = map(json.loads, path.read_bytes().splitlines()) if path.exists() else []
        return [line for line in lines if line["kind"] == kind]

    def rest(self) -> None:
        """End the processes that scored, as a run does at its end; the next trial starts others."""
        if self._marker is not None:
            self._marker.close()
            self._marker = None

    def close(self) -> None:
        """Rest for good."""
        self.rest()

    def _family(self, seconds: float, servers: Sequence[str]) -> Family:
        limits = FamilyLimits(wall_clock_seconds=seconds)
        settings = self._bundled.settings.model_copy(update={"servers": list(servers), "limits": limits, "tools": {}})
        return dataclasses.replace(self._bundled, settings=settings)


def leftovers() -> set[str]:
    """What trials of this process may leave: child processes, open sockets, scratch folders, containers' mounts."""
    found: set[str] = set()
    for stat in (folder / "stat" for folder in Path("/proc").glob("[0-9]*")):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            words = (stat.parent / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z" and b"--multiprocessing-fork" not in words:
            found.add(f"process {stat.parent.name} {b' '.join(words)[:80].decode(errors='replace')}")
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            target = str(descriptor.readlink())
        except OSError:
            continue
        if target.startswith("socket:"):
            found.add(target)
    own = f"-{os.getpid()}-"
    found |= {str(path) for path in Path(tempfile.gettempdir()).glob("pincite-*") if own in path.name}
    return found
