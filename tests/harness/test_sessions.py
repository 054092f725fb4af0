"""The files that an agent's program kept are taken out of the sandbox; what it made to harm is not."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pincite_doors.redactor import Redactor
from pincite_harness.trial import sessions
from pincite_harness.trial.sessions import keep_sessions
from pincite_sandbox.base import Sandbox, SandboxSpec
from pincite_sandbox.choose import open_sandbox
from pincite_sandbox.owner import owner_label

NOTHING = Redactor([])


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    opened = await open_sandbox("process", SandboxSpec("sessions", owner_label()))
    yield opened
    await opened.stop()


def kept(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_files_are_kept_without_secrets(sandbox: Sandbox, tmp_path: Path) -> None:
    await sandbox.put_all({".home/.claude/a/b.jsonl": b"one sesame two", ".home/secret": b"x", "log": b"l"})
    assert await keep_sessions(sandbox, [".home/.claude", "log"], tmp_path, Redactor(["sesame"])) is None
    assert kept(tmp_path) == {"agent/home/claude/a/b.jsonl": b"one [trial token] two", "agent/log": b"l"}


async def test_what_is_not_there_is_no_fault(sandbox: Sandbox, tmp_path: Path) -> None:
    await sandbox.put("here", b"1")
    assert await keep_sessions(sandbox, ["gone", "here", "also/gone"], tmp_path, NOTHING) is None
    assert kept(tmp_path) == {"agent/here": b"1"}
    assert await keep_sessions(sandbox, [], tmp_path / "none", NOTHING) is None
    assert not (tmp_path / "none").exists()


async def test_links_pipes_and_sparse_files_are_passed_over(sandbox: Sandbox, tmp_path: Path) -> None:
    await sandbox.put("log/good", b"good")
    made = await sandbox.exec(
        [
            "sh",
            "-c",
            "ln -s /etc/passwd log/a; ln -s ../.. log/b; mkfifo log/c; truncate -s 100M log/d; ln log/good log/e",
        ]
    )
    assert made.exit_code == 0
    await keep_sessions(sandbox, ["log"], tmp_path, NOTHING)
    assert list(kept(tmp_path).values()) == [b"good"]
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


async def test_more_than_the_bound_is_cut_and_said(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MAX_BYTES", 30_000)
    await sandbox.put_all({"log/1": b"y" * 90_000, "log/2": b"x" * 9_000})
    said = await keep_sessions(sandbox, ["log/1", "log/2"], tmp_path, NOTHING)
    assert said is not None
    assert "30000 bytes" in said
    assert "log/1 (90000 bytes) was cut after 18952" in said
    assert kept(tmp_path) == {"agent/log/1": b"y" * 18_952, "agent/log/2": b"x" * 9_000}


async def test_the_largest_file_is_not_what_is_lost(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MAX_BYTES", 100_000)
    await sandbox.put_all({f"log/{number}": b"y" * 30_000 for number in range(1, 6)} | {"log/0": b"x" * 40_000})
    said = await keep_sessions(sandbox, ["log"], tmp_path, NOTHING)
    assert said is not None
    assert "4 of 6 files were left out" in said
    assert kept(tmp_path) == {"agent/log/0": b"x" * 40_000, "agent/log/1": b"y" * 30_000}


async def test_files_with_strange_names_are_kept(sandbox: Sandbox, tmp_path: Path) -> None:
    names = ["log/a b", "log/-x", "log/ä\n*", "log/*"]
    await sandbox.put_all({name: name.encode() for name in names})
    assert await keep_sessions(sandbox, ["log"], tmp_path, NOTHING) is None
    assert sorted(kept(tmp_path).values()) == sorted(name.encode() for name in names)
