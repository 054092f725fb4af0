"""10,000 trials on 64 nodes by a fake clock: what the head machine itself takes, and how long the run would take.

    python tests/benchmarks/ray_schedule.py [--trials 10000] [--nodes 64] [--slots 4] [--losses 20] [--seed 1]

The run's own scheduler, plans and folders, with an engine that sleeps in place of trials (log-normal, median 300 s) and
loses nodes at random moments. Prints simulated hours beside the ideal, the head's CPU a trial for scheduling and for
packing a plan, bytes sent a trial, and the head's memory. Ray's own part is not in it: see ray_soak.
"""

import argparse
import asyncio
import random
import resource
import selectors
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pincite_harness.agents.registry import get_agent
from pincite_harness.runs.cluster.shipping import pack
from pincite_harness.runs.engine import faulty
from pincite_harness.runs.job import Job, JobEvents
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.trial.carrying import Carried
from pincite_harness.trial.plan import TrialPlan, plan_trials
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.failure import Status
from pincite_tasks.family import load_family
from pincite_tasks.trial_record import TrialRecord

MEDIAN_SECONDS = 300.0
SPREAD = 0.5
REPAIR_SECONDS = 600.0


class FakeClock(selectors.DefaultSelector):
    """A selector that does not wait: the loop's time jumps to its next timer."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += timeout or 0.0
        return super().select(0)


class FakeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._fake = FakeClock()
        super().__init__(self._fake)

    def time(self) -> float:
        return self._fake.now


class FakeCluster:
    """An engine of nodes that can be lost and come back later; a lost trial begins again."""

    def __init__(self, nodes: int, slots: int, chance: random.Random) -> None:
        self.slots = nodes * slots
        self._chance = chance
        self._free: asyncio.Queue[int] = asyncio.Queue()
        self._lost = [asyncio.Event() for _ in range(nodes)]
        for slot in range(nodes * slots):
            self._free.put_nowait(slot % nodes)
        self.begun = self.worked = 0.0

    async def run(self, plan: TrialPlan, folder: Path, *, retries: int, carried: Carried) -> TrialRecord | None:
        seconds = self._chance.lognormvariate(0, SPREAD) * MEDIAN_SECONDS
        self.worked += seconds
        while True:
            node = await self._free.get()
            self.begun += 1
            lost = False
            try:
                await asyncio.wait_for(self._lost[node].wait(), seconds)
                lost = True
                await asyncio.sleep(REPAIR_SECONDS)
            except TimeoutError:
                pass
            self._free.put_nowait(node)
            if not lost:
                return faulty(plan, "").model_copy(update={"status": Status.COMPLETED, "cause": None})

    def lose(self) -> None:
        node = self._chance.randrange(len(self._lost))
        self._lost[node].set()
        self._lost[node] = asyncio.Event()

    async def close(self) -> None:
        return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=64)
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--losses", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    family = load_family(bundled_folder() / "property_extraction")
    attempts = options.trials // len(family.tasks)
    plans = plan_trials([(family, task) for task in family.tasks], get_agent("baseline"), attempts)
    nothing: Any = lambda *_: None  # noqa: E731 - nobody watches

    started = time.process_time()
    packed = [len(pack(plan).packed) for plan in plans[:200]]
    packing = (time.process_time() - started) / len(packed)
    shipment = pack(plans[0])
    files = sum(path.stat().st_size for plan in plans[: len(family.tasks)] for path in plan.task.papers)

    async def run(folder: str) -> tuple[float, dict[str, TrialRecord], FakeCluster]:
        cluster = FakeCluster(options.nodes, options.slots, chance)
        loop = asyncio.get_running_loop()
        span = len(plans) * MEDIAN_SECONDS / cluster.slots
        for _ in range(options.losses):
            loop.call_later(chance.uniform(0, span), cluster.lose)
        events = JobEvents(nothing, nothing, nothing)
        job = Job(RunFolder(Path(folder)), plans, cluster, events, concurrency=cluster.slots, retries=1)
        return loop.time(), await job.run(), cluster

    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=FakeLoop) as runner:
        started = time.process_time()
        _, records, cluster = runner.run(run(folder))
        scheduling = (time.process_time() - started) / len(plans)
        hours = runner.get_loop().time() / 3600
    done = sum(record.status == "completed" for record in records.values())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ideal = cluster.worked / cluster.slots / 3600
    print(f"{done} of {len(plans)} trials on {options.nodes} nodes: {hours:.2f} h, {ideal:.2f} h without idle slots")
    print(f"{cluster.begun:.0f} begun, {options.losses} nodes lost")
    print(f"head: {scheduling * 1000:.2f} ms CPU a trial to schedule, {packing * 1000:.2f} ms to pack its plan")
    print(f"sent: {max(packed):,} bytes a trial at most, {len(shipment.files)} files once; papers {files:,} bytes")
    print(f"head's memory: {memory:.0f} MB at most")
    return 0 if done == len(plans) else 1


if __name__ == "__main__":
    sys.exit(main())
