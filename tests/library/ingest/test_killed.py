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
from pincite_library.store.opening import open_store

COUNT = 36
KILLS = 3
ENDED = re.compile(r"\[\d+/\d+\] (added|updated): (\S+)")


@pytest.fixture
def many(settings: Settings, article: Callable[..., str]) -> Path:
    """A folder of many papers."""
    folder = settings.roots[0]
    for number in range(COUNT):
        text = " ".join(f"Sample {number}-{line} has a gap of {number}.{line} meV." for line in range(40))
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


def test_a_killed_ingest_loses_nothing_that_it_told_of(settings: Settings, many: Path) -> None:
    chance = random.Random(5)
    told: list[str] = []
    for _ in range(KILLS):
        with _start(settings, many) as process:
            assert process.stdout is not None
            lines: list[str] = []
            wanted = chance.randint(1, COUNT // (KILLS + 2))
            while len(_acknowledged(lines)) < wanted and (line := process.stdout.readline()):
                lines.append(line)
            time.sleep(chance.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
            lines += process.stdout.readlines()
        told += _acknowledged(lines)
        assert set(told) <= _sources(settings)
        deadline = time.monotonic() + 10
        while _parsers_of(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert _parsers_of(process.pid) == []
    # Only a paper that was put but not told of can be missing from what was told: one a kill.
    assert len(told) == len(set(told))
    assert len(_sources(settings)) <= len(told) + KILLS
    with _start(settings, many) as process:
        assert process.stdout is not None
        last = process.stdout.readlines()
    assert process.returncode == 0
    again = _acknowledged(last)
    assert not set(again) & set(told)
    assert _sources(settings) == {path.name for path in many.iterdir()}, "".join(last)
    with Journal(settings.library_dir) as journal:
        assert journal.counts() == {"kept": COUNT}


def test_two_ingests_at_once_take_turns(settings: Settings, many: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for path in sorted(many.iterdir())[: COUNT // 2]:
        path.rename(other / path.name)
    with _start(settings, many) as first, _start(settings, other) as second:
        said = [process.communicate(timeout=60)[0] for process in (first, second)]
    assert (first.returncode, second.returncode) == (0, 0)
    assert len(_sources(settings)) == COUNT
    assert any("waiting for process" in text and "adding papers since" in text for text in said)


def test_an_interrupted_ingest_says_how_to_go_on(settings: Settings, many: Path) -> None:
    with _start(settings, many) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        said = process.stdout.read()
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert 0 < len(_sources(settings)) < COUNT
