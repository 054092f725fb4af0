"""What would not be sealed is refused before it is started, by the backends themselves."""

import socket
import sys
from pathlib import Path

import pytest

from pincite_core.errors import ForbiddenError, NotFoundError
from pincite_sandbox.keys import key_in, keys_in, own_keys
from pincite_sandbox.linter import Known, lint_container, lint_shown
from pincite_sandbox.probes.configuration import SEALED

pytestmark = pytest.mark.anyio

KEYS = [
    "sk-ant-api03-" + "a" * 24,
    "sk-proj-" + "b" * 24,
    "AIza" + "c" * 35,
    "ghp_" + "d" * 36,
    "AKIA" + "E" * 16,
    "hf_" + "f" * 34,
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "postgres://user:correcthorse@db.example/x",
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_told_by_its_look_and_not_shown(key) -> None:
    kind = key_in(f"x={key}", {})
    assert kind
    assert key not in kind


@pytest.mark.parametrize(
    "text", ["task-ant-colony", "a 40 character token of a trial, sk-", "http://agent:word-of-the-trial@127.0.0.1:1/"]
)
def test_what_only_resembles_a_key_is_let_through(text) -> None:
    assert key_in(text, {}) == ""


def test_the_harness_keys_are_told_by_their_value(monkeypatch) -> None:
    monkeypatch.setenv("MY_SERVICE_TOKEN", "plain-4711-words")
    assert keys_in({"A": "b"}, ["run", "--with=plain-4711-words"]) == [
        "word 2 of the command holds the value of the harness's MY_SERVICE_TOKEN"
    ]


def test_words_and_paths_are_no_keys_of_the_harness() -> None:
    variables = {"SSH_KEY": "/home/a/.ssh/id", "API_TOKEN": "undocumented", "SHORT_KEY": "a1b2", "KEYBOARD": "x" * 20}
    assert own_keys(variables) == {}


@pytest.mark.parametrize("where", ["env", "argv", "spec"])
async def test_a_key_is_not_let_in_with_a_command(kind, opener, where) -> None:
    if where == "spec" and kind != "process":
        with pytest.raises(ForbiddenError, match="the variable K"):
            await opener(kind, env={"K": KEYS[0]})
        return
    sandbox = await opener(kind, env={"K": KEYS[0]} if where == "spec" else {})
    argv = ["true", KEYS[0]] if where == "argv" else ["true"]
    with pytest.raises(ForbiddenError) as caught:
        await sandbox.exec(argv, env={"K": KEYS[0]} if where == "env" else {})
    assert KEYS[0] not in str(caught.value)


async def test_programs_are_seen_at_their_paths_and_cannot_be_changed(bubblewrap_ready, opener, tmp_path) -> None:
    for name in ("bin", "bin/inner"):
        (tmp_path / name).mkdir()
    tool = tmp_path / "bin" / "tool"
    tool.write_text("#!/bin/sh\necho tool: $1\n")
    tool.chmod(0o755)
    sandbox = await opener("bubblewrap", programs=(tmp_path / "bin", tmp_path / "bin" / "inner", Path(sys.prefix)))
    assert (await sandbox.exec([str(tool), "x"])).stdout == b"tool: x\n"
    assert (await sandbox.exec(["sh", "-c", f"echo y >> {tool}"])).exit_code != 0
    assert (await sandbox.exec([sys.executable, "-c", "import pydantic"])).exit_code == 0
    assert (await sandbox.exec(["ls", "-A", sandbox.workdir])).stdout == b""
    with pytest.raises(NotFoundError, match="is not there"):
        await opener("bubblewrap", programs=(tmp_path / "none",))


async def test_a_plain_process_reaches_its_programs(opener, tmp_path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\necho tool\n")
    (tmp_path / "tool").chmod(0o755)
    sandbox = await opener("process", programs=(tmp_path,))
    assert (await sandbox.exec([str(tmp_path / "tool")])).stdout == b"tool\n"


async def test_gold_and_what_is_hidden_is_covered_in_programs(bubblewrap_ready, opener, tmp_path) -> None:
    for name in (
        "family/family.toml",
        "family/records.jsonl",
        "deep/gold.json",
        "hidden/key",
        "hidden/deeper/key",
        "hidden.txt",
        "tool",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("answer")
    tmp_path.chmod(0o755)
    hidden = (tmp_path / "hidden", tmp_path / "hidden/deeper", tmp_path / "hidden.txt")
    sandbox = await opener("bubblewrap", programs=(tmp_path,), hidden=hidden)
    result = await sandbox.exec(["grep", "-rls", "answer", str(tmp_path)])
    assert sorted(result.stdout.decode().split()) == [f"{tmp_path}/family/family.toml", f"{tmp_path}/tool"]
    with pytest.raises(ForbiddenError, match=r"must not be seen|holds the answers"):
        await opener("bubblewrap", programs=(tmp_path / "deep",), hidden=(tmp_path,))


async def test_a_whole_home_or_a_folder_of_keys_is_no_program(bubblewrap_ready, opener, tmp_path) -> None:
    with pytest.raises(ForbiddenError, match="whole home"):
        await opener("bubblewrap", programs=(Path.home(),))
    (tmp_path / ".ssh").mkdir()
    with pytest.raises(ForbiddenError, match="holds keys"):
        await opener("bubblewrap", programs=(tmp_path,))


async def test_a_service_that_commands_the_machine_is_no_door(bubblewrap_ready, opener, tmp_path) -> None:
    path = tmp_path / "docker.sock"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        (tmp_path / "tools.sock").symlink_to(path)
        for door in (path, tmp_path / "tools.sock"):
            with pytest.raises(ForbiddenError, match="who speaks to it is root here"):
                await opener("bubblewrap", doors={"tools": door})


def test_all_that_is_wrong_is_said_at_once() -> None:
    config = SEALED | {"HostConfig": {"NetworkMode": "host", "Binds": ["/:/host"]}}
    rules = {finding.rule for finding in lint_container(config)}
    assert {"network", "host mount", "capabilities", "privileges", "system calls", "limits", "writable root"} <= rules


def test_our_own_mounts_must_be_read_only() -> None:
    path = Path("/somewhere/door.sock")
    known = Known(mounts=frozenset({path}))
    assert lint_shown([(str(path), True)], known) == []
    (finding,) = lint_shown([(str(path), False)], known)
    assert finding.rule == "writable mount"
