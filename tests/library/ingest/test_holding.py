import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite_core.errors import UnavailableError
from pincite_library.ingest.holding import hold_library

_HOLDER = """
import sys
from pathlib import Path
from pincite_library.ingest.holding import hold_library
with hold_library(Path(sys.argv[1]), "adding papers"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> "Iterator[subprocess.Popen[str]]":
    """Another process that holds the library until its stdin closes."""
    command = [sys.executable, "-c", _HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_writer_is_told_who_holds_the_library_and_waits(
    tmp_path: Path, holder: "subprocess.Popen[str]"
) -> None:
    told: list[str] = []

    def let_go(who: str) -> None:
        told.append(who)
        assert holder.stdin is not None
        holder.stdin.close()

    with hold_library(tmp_path, "removing papers", told=let_go):
        assert holder.wait(10) == 0
    (who,) = told
    assert f"process {holder.pid}, adding papers since 20" in who


def test_the_wait_ends_when_it_is_stopped_or_too_long(tmp_path: Path, holder: "subprocess.Popen[str]") -> None:
    with pytest.raises(UnavailableError) as late, hold_library(tmp_path, "embedding", most_seconds=0):
        pass
    assert str(holder.pid) in late.value.seen
    stop = threading.Event()
    stop.set()
    with pytest.raises(UnavailableError), hold_library(tmp_path, "embedding", stop=stop):
        pass


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path, holder: "subprocess.Popen[str]") -> None:
    holder.kill()
    holder.wait()
    with hold_library(tmp_path, "embedding", most_seconds=5):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnavailableError), hold_library(tmp_path / "file" / "library", "embedding"):
        pass
