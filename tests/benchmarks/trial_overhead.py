"""What a trial costs beyond its container: trials of an agent that does nothing, against the bare Docker SDK.

    python tests/benchmarks/trial_overhead.py [--trials 200] [--workers 8] [--servers warm|fresh] [--profile]

Bars: at most 100 ms a trial (median, one after another) beyond creating, starting, executing in and removing the same
container by the SDK; with 8 workers at least 85 % of the SDK's throughput where it does all of the trial's work in the
container: start, put the files, run the agent, end its processes, get the answer, remove.
With ``--servers`` each trial has the servers of property_extraction (documents, figures): ``warm`` as a run starts
them, forked from their template, ``fresh`` each by its command. The bars are then 150 ms and 80 %.
"""

import argparse
import asyncio
import cProfile
import io
import pstats
import statistics
import sys
import tarfile
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from parts.fault_trials import FaultTrials

from pincite_harness.agents.registry import get_agent
from pincite_harness.trial.servers import SERVERS, template_of
from pincite_sandbox.container import environment
from pincite_sandbox.daemon import connect
from pincite_sandbox.images import DEFAULT_IMAGE
from pincite_sandbox.seccomp import profile
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.family import load_family

OVERHEAD_BARS = {"": 0.100, "warm": 0.150, "fresh": 0.150}
THROUGHPUT_BARS = {"": 0.85, "warm": 0.80, "fresh": 0.80}
FAMILY = load_family(bundled_folder() / "property_extraction")
_TMPFS = "rw,exec,nosuid,nodev,size=1024m,uid=1000,gid=1000,mode=0755"
_FILES = dict.fromkeys((".agent/nop.py", "task.json", "prompt.md", "schema.json", "mcp.json"), b"x" * 2000)


class BareContainer:
    """The container of a trial as a user of the SDK would make it, with what sleeps as its process 1."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, *, whole: bool) -> None:
        """Create, start, execute, remove; ``whole`` puts files, ends processes and gets a file as well."""
        api = self._client.api
        tmpfs = dict.fromkeys(("/work", "/home/agent", "/tmp"), _TMPFS)
        host = api.create_host_config(
            cap_drop=["ALL"], ipc_mode="private", mem_limit="2g", memswap_limit="2g", nano_cpus=int(2e9),
            network_mode="none", pids_limit=512, read_only=True, tmpfs=tmpfs, shm_size="64m",
            security_opt=["no-new-privileges:true", f"seccomp={profile()}"],
            log_config={"type": "none", "config": {}},
        )  # fmt: skip
        created = api.create_container(
            DEFAULT_IMAGE, ["sleep", "600"], user="0:0", working_dir="/", environment=environment(), host_config=host
        )
        number = created["Id"]
        try:
            api.start(number)
            if whole:
                self._put(number)
            self._execute(number, ["python3", "-c", "pass"])
            if whole:
                self._execute(number, ["/bin/sh", "-c", "kill -9 -1"])
                self._execute(number, ["cat", "/work/task.json"])
        finally:
            api.remove_container(number, force=True)

    def _execute(self, number: str, argv: list[str]) -> None:
        api = self._client.api
        made = api.exec_create(number, argv, user="1000:1000", workdir="/work")
        api.exec_start(made["Id"])
        api.exec_inspect(made["Id"])

    def _put(self, number: str) -> None:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for name, content in _FILES.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        api = self._client.api
        made = api.exec_create(number, ["tar", "-x", "-C", "/work"], user="1000:1000", stdin=True)
        link = api.exec_start(made["Id"], socket=True)
        link._sock.sendall(packed.getvalue())
        while link._sock.recv(1 << 16):
            pass
        link.close()
        api.exec_inspect(made["Id"])


async def one_by_one(work: Callable[[int], Awaitable[None]], times: int) -> list[float]:
    """Seconds of each."""
    taken: list[float] = []
    for number in range(times):
        began = time.monotonic()
        await work(number)
        taken.append(time.monotonic() - began)
    return taken


async def in_parallel(work: Callable[[int], Awaitable[None]], times: int, workers: int) -> float:
    """How many a second."""
    gate = asyncio.Semaphore(workers)

    async def one(number: int) -> None:
        async with gate:
            await work(number)

    began = time.monotonic()
    await asyncio.gather(*(one(number) for number in range(times)))
    return times / (time.monotonic() - began)


async def measure(times: int, workers: int, profiled: bool, servers: str) -> bool:
    """Run and print; whether the bars hold."""
    client = connect()
    bare = BareContainer(client)
    agent = get_agent("nop")
    pool = ThreadPoolExecutor(workers)
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(max(32, workers)))
    with tempfile.TemporaryDirectory(prefix="overhead-") as folder:
        template = template_of([FAMILY]) if servers == "warm" else None
        trials = FaultTrials(Path(folder), "docker", SERVERS, template)
        names = FAMILY.settings.own_servers if servers else ()

        async def trial(number: int) -> None:
            record = await trials.run(f"t{time.monotonic_ns()}-{number}", agent, servers=names)
            if record.sandbox is None or record.exit_code != 0:
                sys.exit(f"a trial failed: {record.cause}: {record.detail}")

        async def container(_: int) -> None:
            await loop.run_in_executor(pool, lambda: bare.run(whole=False))

        async def work(_: int) -> None:
            await loop.run_in_executor(pool, lambda: bare.run(whole=True))

        try:
            await one_by_one(trial, 3)
            # Turn and turn about: a machine's mood is the same for both.
            alone, whole, least = [], [], []
            profiler = cProfile.Profile()
            for _ in range(max(1, times // 10)):
                least += await one_by_one(container, 5)
                whole += await one_by_one(work, 5)
                if profiled:
                    profiler.enable()
                alone += await one_by_one(trial, 5)
                profiler.disable()
            rounds = [await _race(trial, work, times // 4, workers) for _ in range(2)]
        finally:
            trials.close()
            if template is not None:
                template.close()
            pool.shutdown()
            client.close()
    if profiled:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)
    return report(least, whole, alone, rounds, servers)


async def _race(
    trial: Callable[[int], Awaitable[None]], work: Callable[[int], Awaitable[None]], times: int, workers: int
) -> tuple[float, float]:
    return await in_parallel(trial, times, workers), await in_parallel(work, times, workers)


def report(
    least: list[float], whole: list[float], alone: list[float], rounds: list[tuple[float, float]], servers: str
) -> bool:
    """Print the figures beside their bars; whether they hold."""
    overhead_bar, throughput_bar = OVERHEAD_BARS[servers], THROUGHPUT_BARS[servers]
    for name, taken in (("SDK: start+exec+remove", least), ("SDK: the trial's whole work", whole), ("trial", alone)):
        print(f"{name:28} p50 {statistics.median(taken) * 1000:6.0f} ms, mean {statistics.mean(taken) * 1000:6.0f} ms")
    overhead = statistics.median(alone) - statistics.median(least)
    print(f"overhead a trial: {overhead * 1000:.0f} ms (bar: {overhead_bar * 1000:.0f} ms)")
    for trials, bare in rounds:
        print(f"throughput: {trials:.2f} trials/s, SDK {bare:.2f}/s")
    share = statistics.mean(trials for trials, _ in rounds) / statistics.mean(bare for _, bare in rounds)
    print(f"throughput of trials: {share:.0%} of the SDK's (bar: {throughput_bar:.0%})")
    return overhead <= overhead_bar and share >= throughput_bar


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What a trial costs beyond its container.")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--servers", choices=("warm", "fresh"), default="")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    raise SystemExit(not asyncio.run(measure(options.trials, options.workers, options.profile, options.servers)))
