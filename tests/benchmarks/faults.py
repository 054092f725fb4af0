"""Makes models, servers, sandboxes and the Docker daemon fail in the midst of trials, many times, and counts what
``trial.json`` says: the right cause, tokens once, the wall clock kept, nothing left behind.

    python tests/benchmarks/faults.py [--times 20] [--only NAME] [--sandbox docker|bubblewrap] [--workers 3]

Bar: every trial has the right cause, its tokens counted once, ends within 5 s of its wall clock and leaves nothing.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parts.fault_trials import ANSWER, Actor, FaultTrials, leftovers

from pincite_doors.testing import ScriptedModel, Usage, cut, drip, drop, fail, garble, hang, say, stumble, turn
from pincite_doors.testing.faults import Fault
from pincite_sandbox.container import LABEL_OWNER
from pincite_sandbox.daemon import connect
from pincite_sandbox.images import DEFAULT_IMAGE
from pincite_sandbox.owner import owner_label

SPENT = Usage(1000, 50)
WALL_CLOCK = 5.0
GRACE = 5.0
_ATTEMPTS = 3
_DAEMON_SECONDS = 60
_DOCKER_ONLY = ("daemon_restarts",)


@dataclass(frozen=True)
class Case:
    """A fault: what the agent does, what its model does, and what ``trial.json`` must say.

    ``wire`` are the causes of the model calls in the record, in order; ``tokens`` those of the trial."""

    name: str
    words: Sequence[str]
    cause: str | None
    detail: str = ""
    script: Sequence[Any] = ()
    wire: Sequence[str | None] = ()
    tokens: int = 0
    seconds: float = WALL_CLOCK
    servers: Sequence[str] = ()
    heavy: bool = False
    """Whether it fills memory, processes or space: one at a time."""


def _model_cases() -> Iterator[Case]:
    """Each fault of a model once, after which the agent's next attempt goes well, and for ever."""
    faults: dict[str, tuple[Callable[[int | None], Fault], str]] = {
        "429": (lambda times: fail(429, times=times), "rate_limited"),
        "500": (lambda times: fail(500, times=times), "server_error"),
        "529": (lambda times: fail(529, times=times), "overloaded"),
        "half_stream": (lambda times: cut(times=times), "cut_stream"),
        "bad_json": (lambda times: garble(times=times), "malformed"),
        "error_in_stream": (lambda times: stumble(times=times), "overloaded"),
        "no_answer": (lambda times: drop(times=times), "connection"),
    }
    asking = ("model", str(_ATTEMPTS), "answer", ANSWER)
    for name, (fault, cause) in faults.items():
        good = turn(fault(1), say("Go on."), usage=SPENT)
        yield Case(f"{name}_once", asking, None, script=[good], wire=[cause, None], tokens=1050, seconds=30)
        lasting = [turn(fault(None), say("never"))]
        yield Case(f"{name}_for_ever", asking, "model_failed", script=lasting, wire=[cause] * _ATTEMPTS, seconds=30)
    silent = [turn(say("Go on."), usage=SPENT), turn(hang(times=None), say("never"))]
    words = ("model", "1", "model", "1")
    yield Case("hang", words, "model_failed", "sent nothing", silent, [None, "cancelled"], 1050)
    midway = [turn(say("Go on."), usage=SPENT), turn(hang(times=None, after=200), say("never"))]
    yield Case("hang_in_stream", words, "model_failed", "sent nothing", midway, [None, "cancelled"], 1050)
    dripping = [turn(say("Go on."), usage=SPENT), turn(drip(0.2, times=None), say("never"))]
    yield Case("drip", words, "model_failed", "sent nothing, or next to nothing", dripping, [None, "cancelled"], 1050)
    asleep = [turn(say("Go on."), usage=SPENT)]
    yield Case("agent_hangs", ("model", "1", "sleep", "600"), "limit_reached", "wall clock", asleep, [None], 1050)


def _other_cases() -> Iterator[Case]:
    tools = {"servers": ("demo",), "seconds": 30.0}
    yield Case("server_crash", ("call", "die", "answer", ANSWER), "server_failed", "demo", **tools)
    slow = 'slow {"seconds": 600}'
    yield Case("server_hang", ("call", slow, "answer", ANSWER), "limit_reached", "wall clock", servers=("demo",))
    noise = ("call", 'garbage {"text": "{\\"jsonrpc\\": 7"}', "call", 'echo {"text": "on"}', "answer", ANSWER)
    yield Case("server_garbage", noise, None, **tools)
    yield Case("server_10_mb", ("call", 'huge {"mebibytes": 10}', "answer", ANSWER), None, **tools)
    yield Case("out_of_memory", ("memory", "4000"), "limit_reached", "memory", seconds=60, heavy=True)
    yield Case("fork_bomb", ("forks", "5000"), "limit_reached", "processes", seconds=60, heavy=True)
    yield Case("disk_full", ("disk", "4000"), "limit_reached", "space", seconds=60, heavy=True)


def all_cases() -> list[Case]:
    """Every fault but the daemon's."""
    return [*_model_cases(), *_other_cases()]


@dataclass
class Tally:
    """Of one case: trials, and those that kept each promise; ``words`` say what did not."""

    trials: int = 0
    causes: int = 0
    tokens: int = 0
    wire: int = 0
    clock: int = 0
    clean: int = 0
    longest: float = 0.0
    words: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether every trial kept every promise."""
        return {self.causes, self.tokens, self.wire, self.clock, self.clean} == {self.trials}


async def run_case(case: Case, trials: FaultTrials, times: int, workers: int) -> Tally:
    """Run one fault ``times`` times; at most ``workers`` at once."""
    tally = Tally()
    before = leftovers()
    gate = asyncio.Semaphore(1 if case.heavy else workers)

    async def one(number: int) -> None:
        async with gate:
            await _run_one(case, trials, f"{case.name}-{number}", tally)

    await asyncio.gather(*(one(number) for number in range(times)))
    await asyncio.to_thread(trials.rest)
    left = await _what_is_left(before)
    tally.clean = times if not left else 0
    tally.words += left[:3]
    return tally


async def _run_one(case: Case, trials: FaultTrials, name: str, tally: Tally) -> None:
    with ScriptedModel(case.script) as model:
        url = model.url if case.script else ""
        record = await trials.run(name, Actor(case.words), model_url=url, seconds=case.seconds, servers=case.servers)
    tally.trials += 1
    written = json.loads((trials.runs / name / "trial.json").read_text())
    right = written["cause"] == case.cause and re.search(case.detail, written["detail"] or "")
    tally.causes += bool(right)
    causes = [line["cause"] for line in trials.wire(name, "response")]
    tally.wire += causes == list(case.wire)
    counted = sum((written["tokens"] or {}).get(kind) or 0 for kind in ("input", "output"))
    tally.tokens += counted == case.tokens
    stage = record.stages.get("agent")
    seconds = stage.seconds if stage is not None else 0.0
    tally.longest = max(tally.longest, seconds)
    tally.clock += seconds <= case.seconds + GRACE
    if not right or causes != list(case.wire) or counted != case.tokens:
        tally.words.append(f"{written['cause']}: {written['detail']}; wire {causes}; {counted} tokens")


async def _what_is_left(before: set[str]) -> list[str]:
    """What a case left, looked at until it is gone or two seconds are over: servers close their ends in their time."""
    for _ in range(20):
        # The Docker SDK's sockets that met no daemon are held by their errors' tracebacks.
        gc.collect()
        left = sorted(leftovers() - before) + await asyncio.to_thread(_containers)
        if not left:
            return []
        await asyncio.sleep(0.1)
    return left


def _containers() -> list[str]:
    try:
        client = connect(timeout=10)
    except Exception:  # noqa: BLE001 - no daemon: no containers
        return []
    try:
        listing = client.api.containers(all=True, filters={"label": f"{LABEL_OWNER}={owner_label()}"})
        return [f"container {each['Id'][:12]}" for each in listing]
    finally:
        client.close()


class OwnDaemon:
    """A second Docker daemon with folders and sockets of its own, for a test that kills it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.socket = folder / "d.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        (self._folder / "pid").unlink(missing_ok=True)
        own = ["--data-root", "data", "--exec-root", "exec", "--pidfile", "pid"]
        own = [str(self._folder / word) if not word.startswith("-") else word for word in own]
        with (self._folder / "log").open("ab") as log:
            command = ["dockerd", *own, "-H", f"unix://{self.socket}", "--bridge=none", "--iptables=false"]
            self._process = subprocess.Popen(
                [*command, "--ip6tables=false"], stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + _DAEMON_SECONDS
        while subprocess.run(self._client("version"), capture_output=True).returncode != 0:
            if time.monotonic() > deadline:
                raise TimeoutError((self._folder / "log").read_text()[-2000:])
            time.sleep(0.1)

    def load(self, image: str) -> None:
        """Bring an image of the shared daemon here."""
        with subprocess.Popen(["docker", "save", image], stdout=subprocess.PIPE) as saving:
            subprocess.run(self._client("load", "-q"), stdin=saving.stdout, check=True, capture_output=True)

    def kill(self) -> None:
        """Kill it and its containerd, as a crash would; the containers live on, and the next start finds them."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        number = self._folder / "exec" / "containerd" / "containerd.pid"
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(number.read_text()), signal.SIGKILL)
        # A dead process that nobody waits for looks alive to the next daemon.
        number.unlink(missing_ok=True)

    def containers(self) -> list[str]:
        """Ids of all containers that it knows."""
        listing = subprocess.run(self._client("ps", "-aq"), capture_output=True, text=True, check=True)
        return listing.stdout.split()

    def stop(self) -> None:
        """End it and remove its folders."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(30)
            self._process.kill()
            self._process.wait()
        for number in _processes_of(self._folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        for mount in sorted(_mounts_below(self._folder), reverse=True):
            subprocess.run(["umount", "-l", mount], check=False, capture_output=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _client(self, *words: str) -> list[str]:
        return ["docker", "-H", f"unix://{self.socket}", *words]


def _processes_of(folder: Path) -> list[int]:
    """Processes with the folder in their command line: containerd and its shims."""
    found: list[int] = []
    for path in (each / "cmdline" for each in Path("/proc").glob("[0-9]*")):
        with contextlib.suppress(OSError):
            if f"{folder}/".encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                found.append(int(path.parent.name))
    return found


def _mounts_below(folder: Path) -> list[str]:
    lines = Path("/proc/self/mounts").read_text().splitlines()
    return [words[1] for words in map(str.split, lines) if words[1].startswith(f"{folder}/")]


@contextlib.asynccontextmanager
async def own_daemon() -> AsyncIterator[OwnDaemon]:
    """A second daemon that has the image, and to which everything here speaks while this is entered."""
    daemon = OwnDaemon(Path(tempfile.mkdtemp(prefix="pincite-dockerd-")))
    before = os.environ.get("DOCKER_HOST")
    try:
        await asyncio.to_thread(daemon.start)
        await asyncio.to_thread(daemon.load, DEFAULT_IMAGE)
        os.environ["DOCKER_HOST"] = f"unix://{daemon.socket}"
        yield daemon
    finally:
        os.environ.pop("DOCKER_HOST", None)
        if before is not None:
            os.environ["DOCKER_HOST"] = before
        await asyncio.to_thread(daemon.stop)


async def restart_daemon(runs: Path, times: int) -> Tally:
    """Kill the daemon while an agent runs, and start it again."""
    tally = Tally()
    async with own_daemon() as daemon:
        trials = FaultTrials(runs, "docker")
        try:
            for number in range(times):
                before = leftovers()
                await _through_a_restart(daemon, trials, f"restart-{number}", tally)
                await asyncio.to_thread(trials.rest)
                left = [each for each in await _what_is_left(before) if "dockerd" not in each]
                left += [f"container {each}" for each in await asyncio.to_thread(_settled, daemon)]
                tally.clean += not left
                tally.words += left[:3]
        finally:
            trials.close()
    return tally


async def _through_a_restart(daemon: OwnDaemon, trials: FaultTrials, name: str, tally: Tally) -> None:
    words = ("model", "1", "sleep", "20")
    with ScriptedModel([turn(say("Go on."), usage=SPENT)]) as model:
        running = asyncio.create_task(trials.run(name, Actor(words), model_url=model.url, seconds=WALL_CLOCK + 20))
        log = trials.runs / name / "agent.log"
        while not running.done() and not (log.exists() and "Go on." in log.read_text()):
            await asyncio.sleep(0.02)
        daemon.kill()
        await asyncio.sleep(0.3)
        await asyncio.to_thread(daemon.start)
        record = await running
    tally.trials += 1
    tally.causes += record.cause == "sandbox_failed"
    tally.wire += [line["cause"] for line in trials.wire(name, "response")] == [None]
    tally.tokens += record.tokens is not None and record.tokens.input + record.tokens.output == 1050
    stage = record.stages["agent"]
    tally.longest = max(tally.longest, stage.seconds)
    tally.clock += stage.seconds <= WALL_CLOCK + 20 + GRACE
    if record.cause != "sandbox_failed":
        tally.words.append(f"{record.cause}: {record.detail}")


def _settled(daemon: OwnDaemon) -> list[str]:
    """Containers that stay although they were given time to go."""
    for _ in range(50):
        left = daemon.containers()
        if not left:
            return []
        time.sleep(0.1)
    return left


def report(name: str, tally: Tally) -> None:
    """One line of the table, and what went wrong."""
    n = tally.trials
    print(
        f"{name:28} {tally.causes:>3}/{n:<3} {tally.wire:>3}/{n:<3} {tally.tokens:>3}/{n:<3} {tally.clock:>3}/{n:<3} "
        f"{tally.clean:>3}/{n:<3} {tally.longest:6.1f} s  {'' if tally.good else 'FAILED'}",
        flush=True,
    )
    for words in tally.words[:3]:
        print(f"    {words[:240]}")


async def measure(times: int, only: str, sandbox: str, workers: int) -> int:
    """Run and print; how many cases failed."""
    print(f"{times} trials of each in {sandbox}\n{'fault':28} cause   wire    tokens  clock   clean   longest")
    cases = [case for case in all_cases() if only in case.name]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        trials = FaultTrials(Path(folder), sandbox)
        try:
            for case in cases:
                tally = await run_case(case, trials, times, workers)
                report(case.name, tally)
                failed += not tally.good
        finally:
            trials.close()
        if only in _DOCKER_ONLY[0] and sandbox == "docker":
            tally = await restart_daemon(Path(folder, "restarts"), times)
            report("daemon_restarts", tally)
            failed += not tally.good
    print(f"{failed} faults failed (bar: 0)")
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Faults in the midst of trials.")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--sandbox", default="docker", choices=["docker", "bubblewrap"])
    parser.add_argument("--workers", type=int, default=3)
    options = parser.parse_args()
    raise SystemExit(asyncio.run(measure(options.times, options.only, options.sandbox, options.workers)) > 0)
