import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite_core.settings import Settings
from pincite_library.ingest.journal import Journal
from pincite_library.ingest.outcome import Watcher
from pincite_library.ingest.pipeline import Ingest
from pincite_library.store.opening import open_store

COUNT = 60
ENDS = (signal.SIGINT, signal.SIGKILL, signal.SIGKILL)
"""What interrupts the ingests, one after the other."""
ENDED = re.compile(r"\[\d+/\d+\] (added|updated): (\S+)")


@pytest.fixture
def many(settings: Settings, article: Callable[..., str]) -> Path:
    """A folder of many papers."""
    folder = settings.roots[0]
    for number in range(COUNT):
        text = " ".join(f"Sample {number}-{line} has a gap of {number}.{line} meV." for line in range(120))
        (folder / f"{number:02}.xml").write_text(article(f"made{number}", text=text))
    return folder


def _start(settings: Settings, *sources: Path) -> "subprocess.Popen[str]":
    """``pincite library add`` in a process of its own."""
    own = {
        "PINCITE_CACHE_DIR": str(settings.cache_dir),
        "PINCITE_PAPERS_DIR": str(settings.papers_dir),
        "PINCITE_LIBRARY_DIR": str(settings.library_dir),
        "PINCITE_PARSE_WORKERS": "1",
    }
    command = [sys.executable, "-m", "pincite_harness", "library", "add", *map(str, sources)]
    return subprocess.Popen(command, env=os.environ | own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _acknowledged(lines: list[str]) -> list[str]:
    return [Path(match[2]).name for line in lines if (match := ENDED.match(line))]


def _sources(settings: Settings) -> set[str]:
    """The names of the files that the library's papers were read from; nothing is wrong with it."""
    store = open_store(settings)
    try:
        assert store.check() == []
        return {Path(entry.source).name for entry in store.papers()}
    finally:
        store.close()


def _parsers_of(pid: int) -> list[str]:
    """The parsing processes that a process started."""
    found: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"pincite_library.ingest.worker" in words and str(pid).encode() in words:
            found.append(path.parent.name)
    return found


def test_an_ingest_that_is_killed_loses_nothing_that_it_told_of(settings: Settings, many: Path) -> None:
    chance = random.Random(5)
    told: list[str] = []
    for number in ENDS:
        lines = _interrupted(settings, many, number, chance)
        told += _acknowledged(lines)
        assert set(told) <= _sources(settings)
        if number is signal.SIGINT:
            assert "the same command goes on from there" in lines[-1]
            assert not any("Traceback" in line for line in lines)
    # Only a paper that was put but not told of can be missing from what was told: one a kill.
    assert len(told) == len(set(told)) < COUNT
    assert len(_sources(settings)) <= len(told) + len(ENDS)
    with _start(settings, many) as process:
        assert process.stdout is not None
        last = process.stdout.readlines()
    assert process.returncode == 0
    assert not set(_acknowledged(last)) & set(told)
    assert _sources(settings) == {path.name for path in many.iterdir()}, "".join(last)
    with Journal(settings.library_dir) as journal:
        assert journal.counts() == {"kept": COUNT}


def _interrupted(settings: Settings, folder: Path, number: signal.Signals, chance: random.Random) -> list[str]:
    """What an ingest said that was interrupted after a few papers; it leaves no process behind."""
    with _start(settings, folder) as process:
        assert process.stdout is not None
        lines: list[str] = []
        wanted = chance.randint(1, 6)
        while len(_acknowledged(lines)) < wanted and (line := process.stdout.readline()):
            lines.append(line)
        time.sleep(chance.uniform(0, 0.02))
        process.send_signal(number)
        lines += process.stdout.readlines()
    assert process.returncode == (130 if number is signal.SIGINT else -number)
    deadline = time.monotonic() + 10
    while _parsers_of(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _parsers_of(process.pid) == []
    return lines


class _Told(Watcher):
    """What a second ingest is told of the first."""

    def __init__(self) -> None:
        self.holders: list[str] = []

    def waiting(self, holder: str) -> None:
        self.holders.append(holder)


def test_two_ingests_at_once_take_turns(settings: Settings, many: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for path in sorted(many.iterdir())[: COUNT // 2]:
        path.rename(other / path.name)
    with _start(settings, many) as first:
        assert first.stdout is not None
        first.stdout.readline()
        told = _Told()
        with Ingest(settings) as ingest:
            second = ingest.add([str(other)], watcher=told)
        first.stdout.read()
    assert first.returncode == 0
    assert len(second.written) == COUNT // 2
    assert len(_sources(settings)) == COUNT
    (holder,) = told.holders
    assert f"process {first.pid}, adding papers since" in holder
