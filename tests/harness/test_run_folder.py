"""A run's folder: whole files, the lock against a second harness, set aside and discarded trials."""

import subprocess
import sys
from pathlib import Path

import pytest

from pincite_core.errors import BadInputError, NotFoundError, UnavailableError
from pincite_harness.runs.run_folder import RunFolder
from pincite_tasks.files import read_json, write_atomic, write_json

HOLD = """
import sys, time
from pathlib import Path
from pincite_harness.runs.run_folder import RunFolder
with RunFolder(Path(sys.argv[1])).held():
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"old": True})
    with pytest.raises(TypeError):
        write_json(path, {"new": object()})
    with pytest.raises(TypeError):
        write_atomic(path, "text")  # pyright: ignore[reportArgumentType]
    assert read_json(path) == {"old": True}
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]


def test_one_harness_at_a_time_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    other = subprocess.Popen([sys.executable, "-c", HOLD, str(folder.path)], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    with other, other.stdout:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(UnavailableError, match="Another pincite") as caught, folder.held():
            pytest.fail("two harnesses hold one run")
        assert str(other.pid) in caught.value.seen
        other.kill()
        other.wait()
    with folder.held():
        pass


def test_setting_aside_counts_up_and_keeps_everything(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    assert folder.set_aside("t__1") == 0
    for attempt in (1, 2):
        write_json(folder.trial("t__1") / "trial.json", {"attempt": attempt})
        write_json(folder.trial("t__1") / "wire" / "x.json", attempt)
        assert folder.set_aside("t__1") == attempt
    assert [entry.name for entry in folder.trial("t__1").iterdir()] == ["retries"]
    assert read_json(folder.trial("t__1") / "retries" / "2" / "trial.json") == {"attempt": 2}
    assert read_json(folder.trial("t__1") / "retries" / "1" / "wire" / "x.json") == 1
    assert folder.set_aside("t__1") == 2, "nothing new to set aside"


def test_discarding_keeps_the_retries(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.discard("never")
    write_json(folder.trial("t__1") / "retries" / "1" / "trial.json", {})
    write_json(folder.trial("t__1") / "trial.json", {})
    write_json(folder.trial("t__1") / "wire" / "x.json", {})
    folder.discard("t__1")
    assert [entry.name for entry in folder.trial("t__1").iterdir()] == ["retries"]
    assert folder.record("t__1") is None


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="not a run"):
        RunFolder(tmp_path).read()
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(BadInputError, match="not a run"):
        RunFolder(tmp_path).read()
    write_json(tmp_path / "trials" / "t__1" / "trial.json", {"status": "splendid"})
    with pytest.raises(BadInputError, match="not a trial's record"):
        RunFolder(tmp_path).record("t__1")
