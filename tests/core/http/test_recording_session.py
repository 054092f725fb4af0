"""A recorded session of 100 mixed lookups replays byte-equal with the network off, from 4 processes at once."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PROCESSES = 4
SCRIPT = Path(__file__).with_name("recorded_session.py")


@pytest.fixture(scope="module")
def session() -> ModuleType:
    place = importlib.util.spec_from_file_location("recorded_session", SCRIPT)
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


@pytest.fixture
def servers(source_servers: ModuleType, session: ModuleType) -> Iterator[list[Any]]:
    made = [source_servers.SourceServer(session.answer(source_servers.Given)) for _ in session.POLICIES]
    yield made
    for server in made:
        server.close()


def _start(
    mode: str, store: Path, cache: Path, urls: list[str], *, network: bool, seconds: float = 1.0
) -> subprocess.Popen[str]:
    """A process that runs the session, whose sources have so many seconds to answer; without a network it has neither
    the right nor a way to reach one."""
    around = [] if network or not _can_unshare() else ["unshare", "-rn"]
    return subprocess.Popen(
        [*around, sys.executable, str(SCRIPT), mode, str(store), str(cache), *urls],
        env=os.environ | {"PINCITE_TEST_NO_NETWORK": "0" if network else "1", "PINCITE_TEST_SECONDS": str(seconds)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _can_unshare() -> bool:
    found = shutil.which("unshare")
    return (
        found is not None and subprocess.run([found, "-rn", "true"], capture_output=True, check=False).returncode == 0
    )


def _outputs(processes: list[subprocess.Popen[str]]) -> list[str]:
    outputs: list[str] = []
    for process in processes:
        output, complaints = process.communicate(timeout=120)
        assert (process.returncode, complaints) == (0, "")
        outputs.append(output)
    return outputs


def _files(store: Path) -> dict[str, bytes]:
    return {str(path.relative_to(store)): path.read_bytes() for path in store.rglob("*") if path.is_file()}


def test_a_session_replays_byte_equal_without_a_network(
    servers: list[Any], session: ModuleType, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    urls = [server.url for server in servers]
    (recorded,) = _outputs([_start("record", store, tmp_path / "cache", urls, network=True)])
    for server in servers:
        server.close()
        server.close = lambda: None
    kept = _files(store)
    replays = _outputs(
        [_start("replay", store, tmp_path / f"empty{number}", urls, network=False) for number in range(PROCESSES)]
    )
    assert replays == [recorded] * PROCESSES
    assert _files(store) == kept
    told = [json.loads(line) for line in recorded.splitlines()]
    assert len(told) == 100
    codes = [line[0] for line in told]
    assert {200, 204, 404, "not_found", "bad_input", "source"} <= set(codes)
    causes = {line[3] for line in told if line[0] == "source"}
    assert {"rate_limited", "server_error", "slow", "truncated", "refused", "down"} <= causes
    redirected = [line for line in told if line[0] == 200 and "/moved/" in line[2]]
    assert {"q=moved" in line[1] for line in redirected} == {True}
    everything = b"".join(kept.values()).decode("latin-1") + recorded
    assert [secret for secret in session.SECRETS if secret in everything] == []


def test_a_recording_replays_where_the_sources_have_other_addresses(
    servers: list[Any], session: ModuleType, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    urls = [server.url for server in servers]
    (recorded,) = _outputs([_start("record", store, tmp_path / "cache", urls, network=True)])
    moved = shutil.copytree(store, tmp_path / "copied to another machine")
    other = [
        "https://mirror.example",
        "http://10.0.0.1:8080",
        "https://gamma.example",
        "http://10.0.0.2",
        "http://10.0.0.2:81",
    ]
    (replay,) = _outputs([_start("replay", moved, tmp_path / "empty", other, network=False)])
    assert replay == recorded


def test_processes_that_record_the_same_session_all_answer_the_same(
    servers: list[Any], session: ModuleType, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    urls = [server.url for server in servers]
    # Time enough for a busy machine: a question that one process gave up and another did not would be told apart.
    started = [_start("record", store, tmp_path / f"c{n}", urls, network=True, seconds=4.0) for n in range(PROCESSES)]
    outputs = _outputs(started)
    assert outputs == [outputs[0]] * PROCESSES
    (replay,) = _outputs([_start("replay", store, tmp_path / "empty", urls, network=False)])
    assert replay == outputs[0]
    assert [name for name in _files(store) if Path(name).name.startswith(".")] == []


def test_without_a_recording_the_network_would_be_missed(servers: list[Any], tmp_path: Path) -> None:
    """The guard of these tests bites: the same session, live, ends at its first connection."""
    urls = [server.url for server in servers]
    process = _start("live", tmp_path / "store", tmp_path / "cache", urls, network=False)
    _, complaints = process.communicate(timeout=60)
    assert process.returncode == 9
    assert "socket.connect" in complaints or "socket.getaddrinfo" in complaints
