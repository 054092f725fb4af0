"""Plants a key where a user's keys are, lets agents look for it in trials, and looks for it wherever a run could leave
it: files, logs, trajectories, ``docker inspect``, images, processes and their variables.

    python tests/benchmarks/planted_key.py [--times 10]

Bar: it is found nowhere.
"""

import argparse
import asyncio
import contextlib
import json
import os
import secrets
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parts.fault_trials import Actor, FaultTrials

from pincite_doors.testing import Request, ScriptedModel, say
from pincite_models.choice import KEY_VARIABLE
from pincite_sandbox.container import LABEL_OWNER
from pincite_sandbox.daemon import connect
from pincite_sandbox.images import AGENTS_IMAGE, DEFAULT_IMAGE
from pincite_sandbox.owner import owner_label

VARIABLES = (KEY_VARIABLE, "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@contextlib.contextmanager
def planted() -> Iterator[str]:
    """A key in every variable where one may stand, while this is entered."""
    key = f"sk-ant-api03-{secrets.token_urlsafe(48)}"
    before = {name: os.environ.get(name) for name in VARIABLES}
    os.environ.update(dict.fromkeys(VARIABLES, key))
    try:
        yield key
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Snooped:
    """One trial of ``snoop.py`` with the planted key; ``found`` names the places where the key was seen."""

    def __init__(self, trials: FaultTrials, key: str) -> None:
        self._trials = trials
        self._key = key
        self._looked = threading.Event()
        self.found: list[str] = []
        self.places = 0
        """How many places were looked at."""

    async def run(self, name: str) -> None:
        """Run the trial; look at its processes and its container while it waits for its model."""
        # One request more is a list of models.
        script = [self._echo, self._echo, lambda _: self._wait()]
        with ScriptedModel(script, key=self._key) as model:
            agent = Actor((), "snoop.py")
            running = asyncio.create_task(self._trials.run(name, agent, model_url=model.url, servers=["demo"]))
            waiting = asyncio.to_thread(model.wait_for, lambda: len(model.requests) > len(script), 60)
            try:
                if not await waiting:
                    self.found.append(f"{name}: the agent did not come to its last call")
                self._look_at_processes()
                if self._trials.sandbox == "docker":
                    await asyncio.to_thread(self._look_at_docker)
            finally:
                self._looked.set()
            await running
        self._look_at_files(self._trials.runs / name)
        for folder in Path(tempfile.gettempdir()).glob(f"pincite-*-{os.getpid()}-*"):
            self._look_at_files(folder)

    def _echo(self, request: Request) -> Any:
        """A provider that repeats the key."""
        given = request.headers["authorization"]
        assert given == f"Bearer {self._key}"
        return say(f"You sent {given} and the key is {self._key}.")

    def _wait(self) -> Any:
        self._looked.wait(60)
        return say("enough")

    def _see(self, where: str, content: bytes) -> None:
        self.places += 1
        if self._key.encode() in content:
            self.found.append(where)

    def _look_at_files(self, folder: Path) -> None:
        for path in folder.rglob("*"):
            self._see(f"name of {path}", str(path).encode())
            if path.is_file():
                self._see(str(path), path.read_bytes())

    def _look_at_processes(self) -> None:
        """Command lines and variables of all that this process started; a parser of papers is this program itself."""
        for number in descendants(os.getpid()):
            for name in ("cmdline", "environ"):
                with contextlib.suppress(OSError):
                    self._see(f"/proc/{number}/{name}", Path(f"/proc/{number}/{name}").read_bytes())

    def _look_at_docker(self) -> None:
        client = connect()
        try:
            for container in client.containers.list(all=True, filters={"label": f"{LABEL_OWNER}={owner_label()}"}):
                self._see(f"docker inspect {container.short_id}", json.dumps(container.attrs).encode())
                self._see(f"docker top {container.short_id}", json.dumps(container.top()).encode())
                self._see(f"docker logs {container.short_id}", json.dumps(container.diff()).encode())
                numbers = [int(row[0]) for row in container.top(ps_args="-o pid,args")["Processes"]]
                for number in numbers:
                    for name in ("cmdline", "environ"):
                        with contextlib.suppress(OSError):
                            path = Path(f"/proc/{number}/{name}")
                            self._see(f"{path} in the container", path.read_bytes())
            for image in client.images.list():
                if any(tag in (DEFAULT_IMAGE, AGENTS_IMAGE) for tag in image.tags):
                    self._see(f"image {image.tags}", json.dumps([image.attrs, image.history()]).encode())
        finally:
            client.close()


def descendants(root: int) -> list[int]:
    """Processes below ``root``, without the workers that parse papers for the scorer: they run outside."""
    parents: dict[int, int] = {}
    for stat in (folder / "stat" for folder in Path("/proc").glob("[0-9]*")):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found: list[int] = []
    layer = {root}
    while layer := {number for number, parent in parents.items() if parent in layer}:
        found += layer
    return [number for number in found if b"multiprocessing" not in _command(number)]


def _command(number: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{number}/cmdline").read_bytes()
    return b""


async def measure(times: int) -> int:
    """Run and print; how often the key was found."""
    found: list[str] = []
    places = 0
    with planted() as key, tempfile.TemporaryDirectory() as folder:
        for sandbox in ("docker", "bubblewrap"):
            trials = FaultTrials(Path(folder, sandbox), sandbox)
            for number in range(times):
                snooped = Snooped(trials, key)
                await snooped.run(str(number))
                found += snooped.found
                places += snooped.places
            trials.close()
    print(f"{2 * times} trials, {places} places looked at, found {len(found)} times (bar: 0)")
    for where in found[:20]:
        print(f"  {where}")
    return len(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Look for a planted key.")
    parser.add_argument("--times", type=int, default=10)
    raise SystemExit(asyncio.run(measure(parser.parse_args().times)) > 0)
