"""Two Ray nodes on this machine against the local engine: the same scores, throughput, and kills at random moments.

    python tests/benchmarks/ray_soak.py [--parts pace equality kills] [--nops 200] [--baselines 20] [--kills 20]
        [--waits 100] [--seed N]

1. No-op trials (without servers) and baseline trials on two raylets and on the local engine: scores byte for byte,
   seconds a trial of each engine.
2. Trials of an agent that waits 3 s, as for a model, on one node of two slots and on two: throughput.
3. kill -9 of a worker, a raylet (which comes back as a new node) or the driver (which is resumed), chance says which
   and when: no finished trial lost or repeated, nothing left behind, a planted key in no file of Ray's or the run's.

Prints figures and each broken promise; exits with 1 when there is one.
"""

import argparse
import os
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster

from pincite_sandbox.owner import is_alive
from pincite_tasks.files import read_json

PINCITE = [sys.executable, "-P", "-m", "pincite_harness"]
SLOTS = 2
TASKS = 10
_STARTS = 4
PARTS = ("pace", "equality", "kills")
WAITER = """import json, pathlib, time
time.sleep(3)
pathlib.Path("answer.json").write_text('{"properties": []}')
"""
FAMILY = "property_extraction"
BARE = ["--without", "documents", "--sandbox", "local", "--unsafe"]


class Machine:
    """A head without slots and nodes with two each, on this machine."""

    def __init__(self, nodes: int) -> None:
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
        head: dict[str, Any] = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 256 << 20}
        self._cluster = _started("the head", lambda: Cluster(initialize_head=True, head_node_args=head))
        self.nodes = [self._add() for _ in range(nodes)]
        self._cluster.wait_for_nodes()

    @property
    def address(self) -> str:
        return self._cluster.address

    @property
    def session(self) -> Path:
        return Path(self._cluster.head_node.get_session_dir_path())

    def replace(self, chance: random.Random) -> None:
        """kill -9 of a raylet; a new node takes its place."""
        node = self.nodes.pop(chance.randrange(len(self.nodes)))
        self._cluster.remove_node(node, allow_graceful=False)
        self.nodes.append(self._add())

    def close(self) -> None:
        self._cluster.shutdown()

    def _add(self) -> Any:
        options: dict[str, Any] = {"num_cpus": SLOTS, "resources": {"trial_slot": SLOTS}}
        options |= {"object_store_memory": 256 << 20, "include_dashboard": False}
        return _started("a node", lambda: self._cluster.add_node(**options))


def _started(what: str, start: Callable[[], Any]) -> Any:
    """What ``start`` starts; Ray gives it 30 s, which a busy machine may need more of."""
    for _ in range(_STARTS - 1):
        try:
            return start()
        except Exception as error:  # noqa: BLE001 - Ray raises nothing more specific
            print(f"{what} did not start: {error}", flush=True)
    return start()


class Soak:
    def __init__(self, out: Path, seed: int) -> None:
        self.out = out
        self.chance = random.Random(seed)
        self.broken: list[str] = []
        self.key = f"sk-ant-{secrets.token_hex(24)}"
        self.finished: dict[str, tuple[bytes, int]] = {}

    def run(self, name: str, words: list[str], address: str = "") -> tuple[float, float]:
        """One run to its end: wall seconds, and seconds a trial between the first and the last end."""
        started = time.monotonic()
        done = subprocess.run(
            self.command(name, words, address), capture_output=True, text=True, env=self.environment()
        )
        if done.returncode:
            self.broken.append(f"{name} ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-1500:]}")
        ends = sorted(_end(path) for path in (self.out / name).glob("trials/*/trial.json"))
        pace = (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else 0.0
        return time.monotonic() - started, pace

    def command(self, name: str, words: list[str], address: str = "") -> list[str]:
        engine = ["--engine", "ray", "--ray-address", address] if address else []
        return [*PINCITE, "run", FAMILY, *words, *engine, "--out", str(self.out), "--name", name]

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PINCITE_MODEL_API_KEY": self.key}

    def compare(self, one: str, other: str) -> int:
        """How many scores of two runs are the same bytes."""
        names = {path.parent.name for path in self.out.glob(f"{one}/trials/*/score.json")}
        names |= {path.parent.name for path in self.out.glob(f"{other}/trials/*/score.json")}
        same = 0
        for name in sorted(names):
            pair = [self.out / run / "trials" / name / "score.json" for run in (one, other)]
            if all(path.is_file() for path in pair) and pair[0].read_bytes() == pair[1].read_bytes():
                same += 1
            else:
                self.broken.append(f"{name}: {one} and {other} differ")
        return same

    def kill_at_random(self, machine: Machine, kills: int, words: list[str]) -> dict[str, int]:
        """A run with ``kills`` kills; how many of each kind."""
        name, counts = "killed", dict.fromkeys(("worker", "raylet", "driver"), 0)
        folder = self.out / name
        command = self.command(name, words, machine.address)
        log = (self.out / "killed.log").open("ab")
        process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment())
        while sum(counts.values()) < kills:
            # A moment within trials: a driver that has not begun any has nothing to lose.
            while process.poll() is None and not _processes(b"ray::run_trial"):
                time.sleep(0.2)
            time.sleep(self.chance.uniform(0, 6))
            self.look(folder)
            if process.poll() is None:
                counts[self._kill(machine, process)] += 1
                self.look(folder)
            if process.poll() is not None:
                resumed = [*PINCITE, "resume", str(folder)] if (folder / "run.json").is_file() else command
                process = subprocess.Popen(resumed, stdout=log, stderr=log, env=self.environment())
        process.wait()
        last = subprocess.run([*PINCITE, "resume", str(folder)], capture_output=True, text=True, env=self.environment())
        if last.returncode:
            self.broken.append(
                f"the last resume ended with {last.returncode}: {last.stdout[-300:]}{last.stderr[-900:]}"
            )
        self.look(folder)
        log.close()
        return counts

    def look(self, folder: Path) -> None:
        """Compare finished trials with those seen before."""
        now = {
            path.parent.name: (path.read_bytes(), path.stat().st_mtime_ns)
            for path in folder.glob("trials/*/trial.json")
            if read_json(path)["status"] == "completed"
        }
        for name, before in self.finished.items():
            if name not in now:
                self.broken.append(f"the finished trial {name} is lost")
            elif now[name] != before:
                self.broken.append(f"the finished trial {name} was run again")
        self.finished |= now

    def look_for_what_is_left(self, folder: Path) -> None:
        """Workspaces and sandboxes of dead processes, parts of files, arriving folders."""
        for path in Path(tempfile.gettempdir()).glob("pincite-*-*-*"):
            match = re.match(r"pincite-\w+-(\d+)-(\d+)-", path.name)
            if match and not is_alive(f"{match[1]}:{match[2]}"):
                self.broken.append(f"left behind: {path}")
        for path in folder.rglob("*"):
            if path.name.endswith(".part") or path.name == ".arriving":
                self.broken.append(f"left behind: {path}")
        for environ in Path("/proc").glob("[0-9]*/environ"):
            try:
                variables = dict(part.partition(b"=")[::2] for part in environ.read_bytes().split(b"\0"))
            except OSError:
                continue
            owner = variables.get(b"PINCITE_SANDBOX_OWNER", b"").decode()
            if owner and not is_alive(owner):
                self.broken.append(f"left behind: process {environ.parent.name}")

    def look_for_the_key(self, *folders: Path) -> int:
        """How many files were read; the key must be in none."""
        read = 0
        for path in (path for folder in folders for path in folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                read += 1
                if self.key.encode() in path.read_bytes():
                    self.broken.append(f"the key stands in {path}")
        return read

    def _kill(self, machine: Machine, driver: subprocess.Popen[bytes]) -> str:
        kind = self.chance.choice(["worker", "raylet", "driver"])
        if kind == "raylet":
            machine.replace(self.chance)
        elif kind == "driver":
            driver.kill()
            driver.wait()
        else:
            workers = _processes(b"ray::run_trial")
            if not workers:
                return self._kill(machine, driver)
            os.kill(self.chance.choice(workers), signal.SIGKILL)
        return kind


def _processes(title: bytes) -> list[int]:
    """Processes of that title which descend from this one."""
    titles: dict[int, bytes] = {}
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            titles[int(folder.name)] = (folder / "cmdline").read_bytes()
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found: list[int] = []
    for number, words in titles.items():
        above = number
        while above not in (0, 1, os.getpid()):
            above = parents.get(above, 0)
        if words.startswith(title) and above == os.getpid():
            found.append(number)
    return found


def _end(path: Path) -> float:
    return datetime.fromisoformat(read_json(path)["stages"]["write"]["finished_at"]).timestamp()


def pace(soak: Soak, waits: list[str], wide: list[str]) -> None:
    """Throughput of one node and of two."""
    found: list[float] = []
    for nodes in (1, 2):
        machine = Machine(nodes)
        try:
            at_once = wide if nodes == 2 else ["-n", str(SLOTS)]
            found.append(1 / soak.run(f"waits-{nodes}", [*waits, *at_once], machine.address)[1])
        finally:
            machine.close()
    print(f"an agent that waits 3 s: {found[0]:.2f} trials/s on one node, {found[1]:.2f} on two", flush=True)


def equality(soak: Soak, options: argparse.Namespace, wide: list[str]) -> None:
    """The same trials on two nodes and on the local engine."""
    machine = Machine(2)
    try:
        for agent, count, more in (("nop", options.nops, BARE), ("baseline", options.baselines, BARE[2:])):
            words = ["--agent", agent, *more, "--attempts", str(max(count // TASKS, 1)), *wide]
            wall, each = soak.run(f"{agent}-local", words)
            ray_wall, ray_each = soak.run(f"{agent}-ray", words, machine.address)
            same = soak.compare(f"{agent}-local", f"{agent}-ray")
            over = (ray_each - each) * 2 * SLOTS * 1000
            print(f"{agent}: {same} scores the same; wall {wall:.0f} s local, {ray_wall:.0f} s Ray;", end=" ")
            print(f"a trial every {each:.3f} s and {ray_each:.3f} s: {over:+.0f} ms a trial", flush=True)
    finally:
        machine.close()


def killing(soak: Soak, kills: int, waits: list[str], wide: list[str]) -> None:
    """Kills at random moments, then a look for what was lost, repeated, left or leaked."""
    machine = Machine(2)
    try:
        counts = soak.kill_at_random(machine, kills, [*waits, *wide])
        read = soak.look_for_the_key(machine.session, soak.out)
    finally:
        machine.close()
    soak.look_for_what_is_left(soak.out / "killed")
    trials = len(list((soak.out / "killed").glob("trials/*/trial.json")))
    print(f"killed {counts}, {trials} trials, {len(soak.finished)} completed; {read} files without the key", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--nops", type=int, default=200)
    parser.add_argument("--baselines", type=int, default=20)
    parser.add_argument("--waits", type=int, default=100)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), options.seed)
        waiter = Path(folder) / "waiter.py"
        waiter.write_text(WAITER)
        waits = ["--agent", str(waiter), *BARE, "--attempts", str(max(options.waits // TASKS, 1))]
        wide = ["-n", str(2 * SLOTS)]
        if "pace" in options.parts:
            pace(soak, waits, wide)
        if "equality" in options.parts:
            equality(soak, options, wide)
        if "kills" in options.parts:
            killing(soak, options.kills, waits, wide)
    print(f"seed {options.seed}: {len(soak.broken)} broken promises")
    for promise in soak.broken:
        print("  BROKEN:", promise)
    return 1 if soak.broken else 0


if __name__ == "__main__":
    sys.exit(main())
