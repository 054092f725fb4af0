"""Runs on object storage, on a real local S3 server: what is complete there counts, whatever stops the writer."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, ForbiddenError, MissingExtraError, NotFoundError, UnavailableError
from pincite_core.object_storage import StorageAddress, parse_address
from pincite_harness.cli.main import load_command
from pincite_harness.runs.remote.folder import local_path
from pincite_harness.runs.remote.lease import Lease
from pincite_harness.runs.remote.mirror import Mirror, without_wire
from pincite_harness.runs.remote.objects import Objects, StoredObject

pytest.importorskip("obstore", reason="obstore is not installed: pip install 'pincite[storage]'")
PINCITE = [sys.executable, "-P", "-m", "pincite_harness"]
WAITER = """import pathlib, time
time.sleep(1)
pathlib.Path("answer.json").write_text('{"properties": []}')
"""


@pytest.fixture(autouse=True)
def _own_cache(bucket: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def place(request: pytest.FixtureRequest) -> StorageAddress:
    """A place in the bucket for this test."""
    return StorageAddress("papers", request.node.name)


def pincite(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PINCITE, *words], capture_output=True, text=True, timeout=300)


def here(command: str, *words: str) -> None:
    """The command in this process."""
    load_command(command).main([*words], standalone_mode=False)


def attempt(folder: Path, trial: str, label: str, files: Sequence[str]) -> dict[str, str]:
    """Write a trial's folder as an attempt leaves it; its files by their names in the run."""
    for path in sorted((folder / "trials" / trial).rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    made = {f"trials/{trial}/{name}": f"{label} {name}" for name in (*files, "trial.json")}
    for name, text in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return made


def content(folder: Path, trial: str) -> dict[str, str]:
    paths = (folder / "trials" / trial).rglob("*")
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths if path.is_file()}


class Dying(Objects):
    """Objects of a process that dies before its change number ``left``."""

    left = 0

    def _change(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt

    def upload(self, name: str, path: Path) -> str:
        self._change()
        return super().upload(name, path)

    def delete(self, names: Sequence[str]) -> None:
        if names:
            self._change()
        super().delete(names)


def test_a_reader_sees_a_trial_whole_or_not_at_all_wherever_its_writer_dies(
    place: StorageAddress, tmp_path: Path
) -> None:
    objects = Dying(place)
    writer = Mirror(objects, tmp_path / "writer")
    files = (["agent.log", "old.log", "wire/llm.jsonl"], ["agent.log", "media/new.png"])
    versions: list[dict[str, str]] = [{}]
    reader = Mirror(Objects(place), tmp_path / "reader")
    for number, names in enumerate(files):
        versions.append(attempt(writer.folder, "t__1", f"attempt {number}", names))
        deaths = 0
        while True:
            objects.left = deaths
            try:
                writer.publish("t__1")
                break
            except KeyboardInterrupt:
                deaths += 1
            for one in (reader, Mirror(Objects(place), tmp_path / f"fresh {number} {deaths}")):
                one.fetch()
                seen = content(one.folder, "t__1")
                assert "trials/t__1/trial.json" not in seen or seen in versions, (number, deaths)
        assert deaths > len(names)
        reader.fetch()
        assert content(reader.folder, "t__1") == versions[-1]


def test_what_is_the_same_is_not_fetched_again_and_what_changed_is(place: StorageAddress, tmp_path: Path) -> None:
    fetched: list[str] = []

    class Counting(Objects):
        def download(self, wanted: StoredObject, path: Path) -> None:
            fetched.append(wanted.name)
            super().download(wanted, path)

    writer, reader = Mirror(Objects(place), tmp_path / "a"), Mirror(Counting(place), tmp_path / "b")
    for trial in ("t__1", "t__2"):
        attempt(writer.folder, trial, "first", ["score.json", "wire/llm.jsonl", "wire/demo.log"])
        writer.publish(trial)
    reader.fetch(without_wire)
    assert len(fetched) == 6
    assert not [name for name in fetched if name.endswith("llm.jsonl")]
    assert [name.rpartition("/")[2] for name in fetched if "t__1" in name][-1] == "trial.json"
    fetched.clear()
    reader.fetch(without_wire)
    assert fetched == []
    (reader.folder / "trials/t__1/score.json").write_text("damaged")
    attempt(writer.folder, "t__2", "other", ["score.json"])
    writer.publish("t__2")
    reader.fetch(without_wire)
    assert sorted(fetched) == ["trials/t__1/score.json", "trials/t__2/score.json", "trials/t__2/trial.json"]
    assert content(reader.folder, "t__1")["trials/t__1/score.json"] == "first score.json"


def test_an_object_cannot_say_which_files_are_removed_here(place: StorageAddress, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    copied = {"../victim": {"etag": "", "size": 4, "mtime_ns": 0}}
    assert Objects(place).create(".mirror/trials/t__1.json", json.dumps(copied).encode())
    for _ in range(2):
        with pytest.raises(BadInputError, match="not one of a run"):
            Mirror(Objects(place), tmp_path / "mirror").fetch()
    assert victim.read_text() == "mine"


def test_a_run_is_read_on_a_machine_that_never_saw_it(
    place: StorageAddress,
    make_family: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    family = make_family(tasks=2, servers="[]")
    words = ["run", family.name, "--tasks", str(family), "--agent", "nop", "--sandbox", "local", "--unsafe"]
    done = pincite(*words, "--out", str(place), "--name", "one")
    assert done.returncode == 0, done.stdout + done.stderr
    names = {each.name for each in Objects(place / "one").list()}
    assert {"run.json", "report.html", "report.json", "trials/t1__1/trial.json", "trials/t2__1/score.json"} <= names
    assert not {name for name in names if "lock" in name or "mirror" in name}
    published = Objects(place / "one").read("report.csv")
    assert b"t2" in published
    with pytest.raises(BadInputError, match=f"There is a run in {place}/one already"):
        here(*words, "--out", str(place), "--name", "one")

    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "elsewhere"))
    here("report", str(place / "one"))
    mirror = tmp_path / "elsewhere" / "object-storage" / "papers" / place.prefix / "one"
    assert (mirror / "report.csv").read_bytes() == published
    assert not list(mirror.glob("trials/*/wire/*.jsonl"))
    capsys.readouterr()
    here("audit", str(place / "one" / "trials" / "t1__1"), "--json")
    assert json.loads(capsys.readouterr().out)
    here("view", str(place), "--export", str(tmp_path / "shown"))
    assert (tmp_path / "shown" / "index.html").is_file()
    assert "s3" not in {path.name for path in Path.cwd().iterdir()}


def test_killed_here_and_resumed_elsewhere(
    place: StorageAddress, make_family: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family, waiter = make_family(tasks=3, servers="[]"), tmp_path / "waiter.py"
    waiter.write_text(WAITER)
    words = ["run", family.name, "--tasks", str(family), "--agent", str(waiter), "--sandbox", "local", "--unsafe"]
    process = subprocess.Popen([*PINCITE, *words, "--out", str(place), "--name", "one"], stdout=subprocess.DEVNULL)
    objects = Objects(place / "one")
    until = time.monotonic() + 120
    while time.monotonic() < until and objects.find("trials/t1__1/trial.json") is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = objects.find("trials/t1__1/trial.json")
    assert before is not None
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "elsewhere"))
    done = pincite("resume", str(place / "one"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert objects.find("trials/t1__1/trial.json") == before
    assert {name.split("/")[1] for name in (each.name for each in objects.list()) if name.endswith("/trial.json")} == {
        "t1__1",
        "t2__1",
        "t3__1",
    }


def test_one_harness_at_a_time(place: StorageAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = Objects(place)
    holder = f"(?s)Another pincite is working.*process {os.getpid()} on"
    with Lease(objects).held(), pytest.raises(UnavailableError, match=holder), Lease(objects).held():
        pass
    assert objects.find(".lock") is None
    dead = {"process": "1:1", "pid": 1, "where": _where()}
    objects.create(".lock", json.dumps(dead).encode())
    monkeypatch.setattr("pincite_harness.runs.remote.lease._RENEW_SECONDS", 0.05)
    lease = Lease(objects)
    with lease.held():
        lease.check()
        objects.delete([".lock"])
        objects.create(".lock", json.dumps({"host": "another", "pid": 7}).encode())
        until = time.monotonic() + 30
        with pytest.raises(OSError, match="process 7 on another works on"):
            while time.monotonic() < until:
                lease.check()
                time.sleep(0.05)
    assert objects.find(".lock") is not None, "what another holds stays"


def test_errors_say_what_to_do(place: StorageAddress, monkeypatch: pytest.MonkeyPatch, refusing: str) -> None:
    with pytest.raises(NotFoundError, match="There is no run at"):
        local_path(str(place))
    with pytest.raises(NotFoundError, match="no bucket missing"):
        local_path("s3://missing/run")
    with pytest.raises(NotFoundError, match="no bucket missing"):
        Objects(parse_address("s3://missing/run")).create("x", b"x")
    for wrong in ("gs://bucket/run", "s3://", "s3://bucket/../run"):
        with pytest.raises(BadInputError, match="s3://BUCKET/PREFIX"):
            local_path(wrong)
    assert parse_address("s3:/bucket/a//b/") == parse_address("s3://bucket/a/b")
    monkeypatch.setenv("AWS_ENDPOINT_URL", refusing)
    with pytest.raises(ForbiddenError, match=r"(?s)refused the credentials.*AWS_ACCESS_KEY_ID"):
        local_path(str(place))
    monkeypatch.setattr("pincite_harness.runs.remote.objects._RETRIES", 0)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(UnavailableError, match="could not be used"):
        local_path(str(place))
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(MissingExtraError, match=r"pincite\[storage\]"):
        local_path(str(place))


@pytest.fixture
def refusing() -> Iterator[str]:
    """A service that refuses everybody."""

    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(403)
            self.end_headers()
            self.wfile.write(b"<Error><Code>InvalidAccessKeyId</Code></Error>")

        def do_HEAD(self) -> None:
            self.send_response(403)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def _where() -> str:
    from pincite_sandbox.owner import where

    return where()
