"""Rate limits hold under 50 callers in several processes, measured at the server."""

import itertools
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("limited_callers.py")
Start = Callable[..., "subprocess.Popen[str]"]


class Gauge:
    """Answers, and counts how many requests are unanswered at once."""

    def __init__(self, given: Any, after: float) -> None:
        self._given, self.after = given, after
        self._lock = threading.Lock()
        self._now = self.most = 0

    def __call__(self, _asked: Any) -> Any:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(self.after)
        with self._lock:
            self._now -= 1
        return self._given({})


@pytest.fixture
def gauge(source_servers: ModuleType) -> Gauge:
    return Gauge(source_servers.Given, 0.01)


@pytest.fixture
def server(source_servers: ModuleType, gauge: Gauge) -> Iterator[Any]:
    with source_servers.SourceServer(gauge) as made:
        yield made


@pytest.fixture
def start(server: Any, tmp_path: Path) -> Iterator[Start]:
    """Starts a process of callers that is ready to ask."""
    started: list[subprocess.Popen[str]] = []

    def begin(**told: Any) -> "subprocess.Popen[str]":
        whole = {"url": server.url, "cache": str(tmp_path / "cache"), "lookups": 1, "patience": 60.0} | told
        process = subprocess.Popen(
            [sys.executable, str(SCRIPT), json.dumps(whole)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def _go(*processes: "subprocess.Popen[str]") -> None:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()


def _outcome(process: "subprocess.Popen[str]") -> dict[str, Any]:
    output, complaints = process.communicate(timeout=120)
    assert (process.returncode, complaints) == (0, "")
    return json.loads(output)


def _shortest_window(times: list[float], requests: int) -> float:
    """The shortest time in which one more than ``requests`` arrived."""
    ordered = sorted(times)
    return min(after - before for before, after in zip(ordered, ordered[requests:], strict=False))


def test_fifty_callers_in_five_processes_keep_the_rate(server: Any, gauge: Gauge, start: Start) -> None:
    processes = [start(requests=20, seconds=1.5, at_once=6, callers=10) for _ in range(5)]
    _go(*processes)
    assert [_outcome(process) for process in processes] == [{"answered": 10, "failed": []}] * 5
    times = [asked.at for asked in server.asked]
    assert len(times) == 50
    assert _shortest_window(times, 20) > 1.5
    assert 1 < gauge.most <= 6


def test_one_at_a_time_means_one_for_all_processes(server: Any, gauge: Gauge, start: Start) -> None:
    processes = [start(requests=1, seconds=0.2, at_once=1, callers=2) for _ in range(3)]
    _go(*processes)
    assert [_outcome(process)["answered"] for process in processes] == [2, 2, 2]
    assert _shortest_window([asked.at for asked in server.asked], 1) > 0.2
    assert gauge.most == 1


def test_callers_whose_turn_would_come_too_late_are_told_at_once(server: Any, start: Start) -> None:
    process = start(requests=2, seconds=30.0, at_once=2, callers=5, patience=5.0)
    _go(process)
    assert _outcome(process) == {"answered": 2, "failed": ["rate_limited"] * 3}
    assert len(server.asked) == 2


def test_a_process_that_is_killed_holds_nobody_up(server: Any, gauge: Gauge, start: Start) -> None:
    gauge.after = 1.0
    killed = start(requests=2, seconds=0.5, at_once=1, callers=8, lookups=100)
    _go(killed)
    while len(server.asked) < 3:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    gauge.after = 0.01
    others = start(requests=2, seconds=0.5, at_once=1, callers=3, patience=20.0)
    _go(others)
    assert _outcome(others) == {"answered": 3, "failed": []}
    times = sorted(asked.at for asked in server.asked)
    assert all(after - before > 0.5 for before, after in zip(times, itertools.islice(times, 2, None), strict=False))


def test_a_process_that_was_stopped_takes_its_place_again(server: Any, start: Start) -> None:
    stopped = start(requests=1, seconds=0.3, at_once=1, callers=3)
    others = start(requests=1, seconds=0.3, at_once=1, callers=3)
    _go(stopped)
    while not server.asked:
        time.sleep(0.01)
    stopped.send_signal(signal.SIGSTOP)
    _go(others)
    time.sleep(3.0)
    stopped.send_signal(signal.SIGCONT)
    assert [_outcome(process)["answered"] for process in (stopped, others)] == [3, 3]
    assert _shortest_window([asked.at for asked in server.asked], 1) > 0.3
