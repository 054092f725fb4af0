"""Whether a rate limit holds for 50 callers in several processes, measured at the server, and what it costs.

    python tests/benchmarks/rate_limits.py [--processes 5]

Each case prints the shortest window that held one request more than allowed (it must be longer than the limit's), the
most requests unanswered at once, and the time that all requests took against the ideal: that of a limiter that knows
when each request reaches the server. The exit status is 1 when a limit was passed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
CALLERS = TESTS / "core" / "http" / "limited_callers.py"
ALL_CALLERS = 50
sys.path.insert(0, str(TESTS))

from source_server import Given, SourceServer  # noqa: E402


@dataclass(frozen=True)
class Case:
    """A limit, how long the server takes to answer, and how often each caller asks."""

    requests: int
    seconds: float
    at_once: int
    after: float
    lookups: int


CASES = (
    Case(requests=20, seconds=1.0, at_once=10, after=0.005, lookups=2),
    Case(requests=10, seconds=0.5, at_once=10, after=0.2, lookups=2),
    Case(requests=50, seconds=1.0, at_once=25, after=0.05, lookups=4),
    Case(requests=1, seconds=0.1, at_once=1, after=0.005, lookups=1),
)


class Gauge:
    """Answers after a while, and counts the unanswered requests."""

    def __init__(self, after: float) -> None:
        self.after = after
        self.lock = threading.Lock()
        self.now = self.most = 0

    def __call__(self, _asked: Any) -> Given:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.after)
        with self.lock:
            self.now -= 1
        return Given({})


def run(case: Case, processes: int) -> bool:
    """Run a case and print it; whether its limit held."""
    gauge = Gauge(case.after)
    with SourceServer(gauge) as server, tempfile.TemporaryDirectory() as cache:
        told = {
            "url": server.url,
            "cache": cache,
            "requests": case.requests,
            "seconds": case.seconds,
            "at_once": case.at_once,
            "callers": ALL_CALLERS // processes,
            "lookups": case.lookups,
            "patience": 60.0,
        }
        started = [_start(told) for _ in range(processes)]
        for process in started:
            process.stdin.write("\n")
            process.stdin.flush()
        answered = sum(json.loads(process.communicate()[0])["answered"] for process in started)
        times = sorted(asked.at for asked in server.asked)
    pairs = zip(times, times[case.requests :], strict=False)
    shortest = min(after - before for before, after in pairs)
    ideal = (len(times) - 1) // case.requests * case.seconds
    took = times[-1] - times[0]
    print(
        f"{case.requests:3d} in {case.seconds:g} s, {case.at_once} at once, answers in {case.after * 1000:g} ms: "
        f"{answered} answered, shortest window {shortest:.3f} s, at most {gauge.most} at once, "
        f"took {took:.2f} s, {took / ideal:.2f}x the ideal"
    )
    return shortest > case.seconds and gauge.most <= case.at_once and answered == ALL_CALLERS * case.lookups


def _start(told: dict[str, Any]) -> Any:
    process = subprocess.Popen(
        [sys.executable, str(CALLERS), json.dumps(told)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=5)
    processes = parser.parse_args().processes
    print(f"{ALL_CALLERS} callers in {processes} processes")
    held = [run(case, processes) for case in CASES]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
