"""What every sandbox promises, whatever it is made of."""

import asyncio
import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from pincite_core.errors import (
    BadInputError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    PinciteError,
    UnavailableError,
)
from pincite_sandbox.container import LABEL_OWNER
from pincite_sandbox.daemon import connect
from pincite_sandbox.guest.process import descendants
from pincite_sandbox.reaper import reap

pytestmark = pytest.mark.anyio

MIB = 1 << 20


async def python(sandbox, program: str, *words: str, **options):
    return await sandbox.exec(["python3", "-c", program, *words], timeout=60, **options)


# Commands


async def test_a_command_returns_both_streams_and_its_exit_code(sandbox) -> None:
    result = await sandbox.exec(["sh", "-c", "echo out; echo err >&2; exit 3"])
    assert (result.exit_code, result.stdout, result.stderr) == (3, b"out\n", b"err\n")
    assert not result.timed_out
    assert not result.truncated
    assert 0 < result.seconds < 60


async def test_a_signal_is_128_and_its_number(sandbox) -> None:
    assert (await sandbox.exec(["sh", "-c", "kill -TERM $$"])).exit_code == 128 + signal.SIGTERM


async def test_binary_output_arrives_as_it_is(sandbox) -> None:
    result = await python(sandbox, "import sys; sys.stdout.buffer.write(bytes(range(256)) * 2048)")
    assert result.stdout == bytes(range(256)) * 2048


async def test_arguments_are_not_interpreted(sandbox) -> None:
    words = ["$HOME", "a b", "*", "'", '"', "", "é\n", "--"]
    result = await python(sandbox, "import sys, json; print(json.dumps(sys.argv[1:]))", *words)
    assert result.stdout.decode() == json.dumps(words) + "\n"


async def test_output_is_streamed_while_the_command_runs(sandbox) -> None:
    first = asyncio.Event()
    task = asyncio.create_task(
        sandbox.exec(["sh", "-c", "echo begun; until [ -e go ]; do sleep 0.05; done"], on_output=lambda *_: first.set())
    )
    await asyncio.wait_for(first.wait(), 60)
    assert not task.done()
    await sandbox.put("go", b"")
    assert (await asyncio.wait_for(task, 60)).stdout == b"begun\n"


async def test_output_beyond_the_cap_is_dropped_and_said(sandbox) -> None:
    seen = {"stdout": 0, "stderr": 0}

    def count(stream, data) -> None:
        seen[stream] += len(data)

    program = "import sys; sys.stdout.write('x' * 3_000_000); sys.stderr.write('y' * 10)"
    result = await python(sandbox, program, output_limit=1000, on_output=count)
    assert result.truncated
    assert (result.stdout, result.stderr) == (b"x" * 1000, b"y" * 10)
    assert seen == {"stdout": 3_000_000, "stderr": 10}


async def test_stdin_is_empty(sandbox) -> None:
    assert (await sandbox.exec(["cat"], timeout=30)).exit_code == 0


async def test_a_command_ends_when_what_it_left_holds_its_output(sandbox) -> None:
    async with asyncio.timeout(60):
        result = await sandbox.exec(["sh", "-c", "sleep 1000 & echo done"])
    assert (result.exit_code, result.stdout) == (0, b"done\n")


async def test_what_a_command_leaves_running_lives_on(sandbox) -> None:
    await sandbox.exec(["sh", "-c", "(while [ ! -e go ]; do sleep 0.05; done; echo ok > went) >/dev/null 2>&1 &"])
    await sandbox.put("go", b"")
    result = await sandbox.exec(["sh", "-c", "while [ ! -e went ]; do sleep 0.05; done; cat went"], timeout=60)
    assert result.stdout == b"ok\n"


async def test_commands_run_at_the_same_time(sandbox) -> None:
    program = "n=$1; touch at-$n; while [ $(ls at-* | wc -l) -lt 4 ]; do sleep 0.05; done; echo $n"
    results = await asyncio.gather(
        *(sandbox.exec(["sh", "-c", program, "sh", str(number)], timeout=60) for number in range(4))
    )
    assert [result.stdout for result in results] == [b"0\n", b"1\n", b"2\n", b"3\n"]


async def test_a_failing_callback_ends_the_command(sandbox, marker, running, until) -> None:
    def fail(_stream, _data) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await sandbox.exec(["sh", "-c", "echo x; sleep 1000", marker], on_output=fail)
    await until(lambda: not running(marker))


# Environment


async def test_nothing_of_the_harness_environment_is_inside(sandbox, kind, opener, monkeypatch) -> None:
    monkeypatch.setenv("SECRET_API_KEY", "hunter2")
    second = await opener(kind)
    program = (
        "import glob\nfor p in glob.glob('/proc/[0-9]*/environ'):\n try: print(open(p).read())\n except OSError: pass"
    )
    result = await python(second, f"import os; print(dict(os.environ))\n{program}")
    assert result.exit_code == 0
    assert b"hunter2" not in result.stdout
    assert b"PATH" in result.stdout


async def test_variables_come_from_the_spec_and_the_call(kind, opener) -> None:
    sandbox = await opener(kind, env={"A": "spec", "B": "spec é"})
    result = await sandbox.exec(["sh", "-c", 'echo "$A $B $C"'], env={"A": "call", "C": "3"})
    assert result.stdout.decode() == "call spec é 3\n"


async def test_the_work_folder_is_where_commands_run(sandbox) -> None:
    assert (await sandbox.exec(["pwd"])).stdout.decode() == f"{sandbox.workdir}\n"
    await sandbox.exec(["mkdir", "-p", "deep er"])
    for cwd in ("deep er", f"{sandbox.workdir}/deep er"):
        assert (await sandbox.exec(["pwd"], cwd=cwd)).stdout.decode() == f"{sandbox.workdir}/deep er\n"


async def test_home_temporary_and_work_folder_are_writable_and_the_agent_is_not_root(sandbox) -> None:
    command = 'touch "$HOME/a" "$TMPDIR/b" c && echo fine; id -u'
    result = await sandbox.exec(["sh", "-c", command])
    first, uid = result.stdout.decode().split()
    assert first == "fine"
    assert uid != "0"


async def test_the_agent_has_no_privilege_and_gains_none(sandbox, kind) -> None:
    result = await sandbox.exec(["cat", "/proc/self/status"])
    status = dict(line.split(":\t", 1) for line in result.stdout.decode().splitlines() if ":\t" in line)
    for held in ("CapEff", "CapPrm", "CapInh", "CapAmb"):
        assert int(status[held], 16) == 0, held
    if kind != "process":
        assert int(status["CapBnd"], 16) == 0
    assert status["NoNewPrivs"] == "1"


@pytest.mark.parametrize(
    ("argv", "cwd", "error"),
    [
        (["no-such-program"], None, NotFoundError),
        (["./missing"], None, NotFoundError),
        (["true"], "no-such-folder", NotFoundError),
        (["./plain"], None, BadInputError),
        (["./folder"], None, BadInputError),
        (["./no-program"], None, BadInputError),
        ([], None, BadInputError),
        (["a\0b"], None, BadInputError),
        (["true", "x" * 200_000], None, BadInputError),
    ],
)
async def test_a_command_that_cannot_start_is_a_typed_error(sandbox, argv, cwd, error) -> None:
    await sandbox.put("plain", b"text")
    await sandbox.exec(["sh", "-c", "printf '\\001\\002' > no-program; chmod +x no-program"])
    await sandbox.put("folder/file", b"")
    with pytest.raises(error):
        await sandbox.exec(argv, cwd=cwd)
    assert (await sandbox.exec(["true"])).exit_code == 0


@pytest.mark.parametrize("env", [{"": "x"}, {"A=B": "x"}, {"A": "\0"}])
async def test_a_variable_that_cannot_be_is_bad_input(sandbox, env) -> None:
    with pytest.raises(BadInputError):
        await sandbox.exec(["true"], env=env)


async def test_exit_126_and_127_of_a_command_are_no_errors(sandbox) -> None:
    for code in (126, 127):
        assert (await sandbox.exec(["sh", "-c", f"echo 'not found'; exit {code}"])).exit_code == code


# Ends


async def test_a_timeout_ends_every_process(sandbox, marker, running) -> None:
    program = (
        f"(setsid sh -c 'sleep 1000' {marker} &) ; setsid -f sh -c 'sleep 1000; true' {marker}; echo up; sleep 1000"
    )
    result = await sandbox.exec(["sh", "-c", program, marker], timeout=1.5)
    assert result.timed_out
    assert result.exit_code is None
    assert result.stdout == b"up\n"
    assert running(marker) == []
    assert (await sandbox.exec(["echo", "alive"])).stdout == b"alive\n"


async def test_a_timeout_ends_what_ignores_signals_and_forks_all_the_time(sandbox, marker, running) -> None:
    program = (
        "import os, signal, sys\n"
        "for n in range(1, 32):\n"
        "    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n"
        "while True:\n"
        "    try:\n"
        "        if os.fork() == 0: os.setsid()\n"
        "        else: os._exit(0)\n"
        "    except OSError: pass\n"
    )
    result = await sandbox.exec(["sh", "-c", 'python3 -c "$1" "$0"; sleep 1000', marker, program], timeout=1.5)
    assert result.timed_out
    assert running(marker) == []


async def test_cancelling_ends_every_process(sandbox, marker, running, until) -> None:
    task = asyncio.create_task(sandbox.exec(["sh", "-c", "setsid -f sleep 1000; sleep 1000", marker]))
    await until(lambda: bool(running(marker)))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running(marker) == []
    assert (await sandbox.exec(["echo", "alive"])).stdout == b"alive\n"


async def test_cancelling_while_a_command_starts_leaves_nothing_and_keeps_the_sandbox(sandbox, marker, running) -> None:
    for milliseconds in [*range(0, 40, 3), 60, 100]:
        task = asyncio.create_task(sandbox.exec(["sh", "-c", "sleep 1000; true", marker]))
        await asyncio.sleep(milliseconds / 1000)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await sandbox.exec(["sleep", "0.3"])).exit_code == 0
        assert running(marker) == []


async def test_ending_the_processes_leaves_the_files(sandbox, marker, running) -> None:
    await sandbox.exec(["sh", "-c", f"echo kept > file; setsid -f sh -c 'sleep 1000; true' {marker}"])
    assert running(marker)
    await sandbox.end_processes()
    assert running(marker) == []
    assert await sandbox.get("file") == b"kept\n"


async def test_several_files_are_put_in_one_go(sandbox) -> None:
    files = {"a": b"", "deep/er/b": b"\0\n\xff" * 1000, "ü": b"[[1]]\n"}
    await sandbox.put_all(files)
    assert {name: await sandbox.get(name) for name in files} == files
    with pytest.raises(ForbiddenError):
        await sandbox.put_all({"c": b"before", "../out": b""})
    assert await sandbox.get("c") == b"before"


async def test_a_command_finds_the_files_that_are_put_with_it(sandbox) -> None:
    heard: list[bytes] = []
    result = await sandbox.exec(
        ["sh", "-c", "cat deep/a; cat; yes | head -1; echo no >&2; exit 3"],
        files={"deep/a": b"1\n", "b": b"x" * 300_000},
        on_output=lambda stream, data: heard.append(data) if stream == "stdout" else None,
    )
    assert (result.exit_code, result.stdout, result.stderr) == (3, b"1\ny\n", b"no\n")
    assert b"".join(heard) == b"1\ny\n"
    assert len(await sandbox.get("b")) == 300_000


async def test_files_that_cannot_be_put_stop_their_command(sandbox) -> None:
    with pytest.raises(ForbiddenError):
        await sandbox.exec(["touch", "begun"], files={"../out": b""})
    with pytest.raises(NotFoundError):
        await sandbox.get("begun")
    with pytest.raises(NotFoundError, match="nowhere"):
        await sandbox.exec(["nowhere"], files={"a": b"1"}, output_limit=0)
    with pytest.raises(BadInputError):
        await sandbox.exec(["./a"], files={"a": b"1"}, output_limit=0)
    with pytest.raises(LimitReachedError):
        await sandbox.exec(["true"], files={"large": b"x" * (40 << 20)})


async def test_stop_ends_everything_and_may_be_called_twice(sandbox, kind, marker, running) -> None:
    await sandbox.exec(["sh", "-c", f"setsid -f sh -c 'sleep 1000; true' {marker}"])
    assert running(marker)
    await sandbox.stop()
    await sandbox.stop()
    assert running(marker) == []
    assert not left_of(os.getpid())
    for call in (sandbox.exec(["true"]), sandbox.put("a", b""), sandbox.get("a")):
        with pytest.raises(UnavailableError):
            await call
    assert not (await sandbox.health()).ok


async def test_stop_while_a_command_runs_is_an_outage_for_it(sandbox, marker, running, until) -> None:
    task = asyncio.create_task(sandbox.exec(["sh", "-c", "sleep 1000", marker]))
    await until(lambda: bool(running(marker)))
    await sandbox.stop()
    with pytest.raises(UnavailableError):
        await task
    assert running(marker) == []


async def test_a_sandbox_that_died_says_so(sandbox, kind, marker, running, until) -> None:
    assert (await sandbox.health()).ok
    task = asyncio.create_task(sandbox.exec(["sh", "-c", "sleep 1000", marker]))
    await until(lambda: bool(running(marker)))
    if kind == "docker":
        client = connect()
        client.api.kill(sandbox.container)
        client.close()
    for pid in set(descendants(os.getpid())) & set(running("from guest.main")):
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(UnavailableError):
        await asyncio.wait_for(task, 60)
    assert not (await sandbox.health()).ok
    with pytest.raises(UnavailableError):
        await sandbox.exec(["true"])
    await sandbox.stop()
    await until(lambda: not running(marker))


OWNER = """
import asyncio, sys
from pincite_sandbox.base import SandboxSpec
from pincite_sandbox.choose import open_sandbox
from pincite_sandbox.owner import owner_label

async def main():
    sandbox = await open_sandbox(sys.argv[1], SandboxSpec("owned", owner_label()))
    await sandbox.exec(["sh", "-c", "setsid -f sh -c 'sleep 1000; true' " + sys.argv[2]])
    await sandbox.exec(["sh", "-c", "echo; sleep 1000", sys.argv[2]], on_output=lambda *_: print("up", flush=True))

asyncio.run(main())
"""


def left_of(pid: int) -> list[Path]:
    """Folders and control groups of one harness."""
    groups = [*Path("/sys/fs/cgroup").glob(f"pincite-{pid}-*"), *Path("/sys/fs/cgroup").glob(f"*/pincite-{pid}-*")]
    return [*Path("/tmp").glob(f"pincite-sandbox-{pid}-*"), *groups]


async def test_kill_9_of_the_harness_leaves_nothing(kind, marker, running, until) -> None:
    name = f"owner-{marker}"
    command = [sys.executable, "-c", OWNER, kind, name]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as harness:
        assert harness.stdout is not None
        assert await asyncio.to_thread(harness.stdout.readline) == b"up\n"
        assert len(running(name)) > 2
        harness.kill()
    await until(lambda: not running(name))
    await until(lambda: not running(f"pincite-sandbox-{harness.pid}-"))
    await reap()
    assert not left_of(harness.pid)
    if kind == "docker":
        client = connect()
        labels = [each["Labels"].get(LABEL_OWNER, "") for each in client.api.containers(all=True)]
        client.close()
        assert not [label for label in labels if label.startswith(f"{harness.pid}:")]


# Files


@pytest.mark.parametrize("size", [0, 1, 70_000, 20 * MIB])
async def test_a_file_goes_in_and_out_unchanged(sandbox, size) -> None:
    data = os.urandom(size)
    await sandbox.put("in/deep er/é.bin", data)
    assert await sandbox.get("in/deep er/é.bin") == data
    counted = await sandbox.exec(["wc", "-c", "in/deep er/é.bin"])
    assert counted.stdout.split()[0] == str(size).encode()


async def test_put_replaces_and_the_agent_may_change_it(sandbox) -> None:
    await sandbox.put("a", b"first, longer")
    await sandbox.put(f"{sandbox.workdir}/a", b"second")
    assert await sandbox.get("a") == b"second"
    await sandbox.exec(["sh", "-c", "echo third >> a"])
    assert await sandbox.get("a") == b"secondthird\n"
    assert (await sandbox.exec(["ls", "-A"])).stdout == b"a\n"


async def test_get_of_nothing_and_of_too_much(sandbox) -> None:
    with pytest.raises(NotFoundError):
        await sandbox.get("missing")
    await sandbox.put("big", b"x" * 1001)
    with pytest.raises(LimitReachedError):
        await sandbox.get("big", max_bytes=1000)
    assert len(await sandbox.get("big", max_bytes=1001)) == 1001


async def test_get_of_a_sparse_giant_is_refused_by_its_size(sandbox) -> None:
    made = await sandbox.exec(["truncate", "-s", "30M", "giant"])
    assert made.exit_code == 0
    with pytest.raises(LimitReachedError):
        await sandbox.get("giant", max_bytes=MIB)


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/passwd", "/", "../../../../etc/passwd", "a/../b"])
async def test_a_path_that_leads_out_is_refused(sandbox, path) -> None:
    for call in (sandbox.get(path), sandbox.put(path, b"x")):
        with pytest.raises(ForbiddenError):
            await call


@pytest.mark.parametrize("path", ["", ".", "a\0b"])
async def test_a_path_that_names_no_file_is_bad_input(sandbox, path) -> None:
    for call in (sandbox.get(path), sandbox.put(path, b"x")):
        with pytest.raises(BadInputError):
            await call


async def test_links_and_special_files_are_not_followed(sandbox) -> None:
    await sandbox.exec(["sh", "-c", "ln -s /etc/passwd link; ln -s / root; mkfifo pipe; mkdir folder; echo x > file"])
    for path in ("link", "root/etc/passwd", "pipe", "folder", "file/below"):
        async with asyncio.timeout(60):
            with pytest.raises(ForbiddenError):
                await sandbox.get(path)
    for path in ("root/tmp/planted", "file/below"):
        with pytest.raises(ForbiddenError):
            await sandbox.put(path, b"x")
    with pytest.raises(BadInputError):
        await sandbox.put("folder", b"x")
    await sandbox.put("link", b"replaced, not followed")
    assert await sandbox.get("link") == b"replaced, not followed"


async def test_a_file_closed_to_the_agent_is_closed_to_get(sandbox) -> None:
    await sandbox.exec(["sh", "-c", "mkdir shut; echo x > shut/file; chmod 0 shut"])
    with pytest.raises(ForbiddenError):
        await sandbox.get("shut/file")


# Doors


async def test_a_door_is_reached_on_loopback(kind, opener, door) -> None:
    sandbox = await opener(kind, doors={"tools": door})
    url = await sandbox.door_url("tools")
    program = (
        "import sys, urllib.request as r\n"
        "print(r.urlopen(sys.argv[1] + '/mcp/documents').read().decode())\n"
        "body = b'0123456789' * 200_000\n"
        "print(r.urlopen(sys.argv[1], body).read() == body)\n"
    )
    result = await python(sandbox, program, url)
    assert result.stdout == b"/mcp/documents\nTrue\n", result.stderr


async def test_a_door_takes_many_connections_at_once(kind, opener, door) -> None:
    sandbox = await opener(kind, doors={"tools": door})
    program = (
        "import sys, http.client, urllib.parse\n"
        "host = urllib.parse.urlsplit(sys.argv[1]).netloc\n"
        "links = [http.client.HTTPConnection(host) for _ in range(100)]\n"
        "for n, link in enumerate(links): link.request('GET', f'/{n}')\n"
        "print(all(link.getresponse().read() == b'/%d' % n for n, link in enumerate(links)))\n"
    )
    result = await python(sandbox, program, await sandbox.door_url("tools"))
    assert result.stdout == b"True\n", result.stderr


async def test_several_doors_are_told_apart_and_an_unknown_one_is_an_error(kind, opener, door, tmp_path) -> None:
    other = tmp_path / "other.sock"

    async def greet(reader, writer) -> None:
        sent = await reader.read()
        writer.write(b"got " + sent)
        writer.close()

    async with await asyncio.start_unix_server(greet, other):
        sandbox = await opener(kind, doors={"tools": door, "model": other})
        program = (
            "import socket, sys, urllib.parse\n"
            "at = urllib.parse.urlsplit(sys.argv[1])\n"
            "link = socket.create_connection((at.hostname, at.port))\n"
            "link.sendall(b'half'); link.shutdown(socket.SHUT_WR)\n"
            "print(link.makefile('rb').read().decode())\n"
        )
        result = await python(sandbox, program, await sandbox.door_url("model"))
        assert result.stdout == b"got half\n", result.stderr
        with pytest.raises(NotFoundError):
            await sandbox.door_url("none")


async def test_a_door_that_has_closed_refuses_at_once(kind, opener, tmp_path) -> None:
    path = tmp_path / "gone.sock"
    server = await asyncio.start_unix_server(lambda _reader, writer: writer.close(), path)
    sandbox = await opener(kind, doors={"tools": path})
    server.close()
    program = (
        "import sys, urllib.request as r\ntry: r.urlopen(sys.argv[1], timeout=50)\nexcept OSError: print('refused')"
    )
    result = await python(sandbox, program, await sandbox.door_url("tools"))
    assert result.stdout == b"refused\n", result.stderr


async def test_a_door_that_is_not_there_is_an_error_at_start(kind, opener, tmp_path) -> None:
    with pytest.raises(NotFoundError, match="tools"):
        await opener(kind, doors={"tools": tmp_path / "none.sock"})
    assert not left_of(os.getpid())


# Limits


async def test_memory_is_limited_and_the_sandbox_survives(sandbox, kind) -> None:
    result = await python(sandbox, "b = bytearray(400 << 20)\nprint(len(b))")
    assert result.exit_code != 0
    assert result.stdout == b""
    if kind == "docker":
        assert result.out_of_memory
    assert not result.out_of_pids
    assert not result.out_of_space
    assert (await python(sandbox, "print(len(bytearray(40 << 20)))")).exit_code == 0
    assert (await sandbox.health()).ok


async def test_processes_are_limited_and_the_sandbox_survives(sandbox, kind) -> None:
    program = (
        "import os, time\n"
        "n = 0\n"
        "try:\n"
        "    while n < 150:\n"
        "        if os.fork() == 0: time.sleep(1000)\n"
        "        n += 1\n"
        "except BlockingIOError: print('refused', 20 < n < 150)\n"
        "os.kill(0, 9)\n"
    )
    result = await sandbox.exec(["python3", "-uc", program], timeout=60)
    assert result.stdout == b"refused True\n"
    if kind == "docker":
        assert result.out_of_pids
    assert not result.out_of_memory
    assert (await sandbox.exec(["echo", "alive"])).stdout == b"alive\n"


async def test_a_fork_bomb_is_ended_by_its_timeout(sandbox, kind, marker, running) -> None:
    bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    result = await sandbox.exec(["python3", "-c", bomb, marker], timeout=1)
    assert result.timed_out
    assert running(marker) == []
    if kind == "docker":
        assert result.out_of_pids
    assert (await sandbox.exec(["echo", "alive"])).stdout == b"alive\n"


async def test_scratch_space_is_limited(sandbox, kind) -> None:
    command = "dd if=/dev/zero of=full bs=1M count=80 status=none; s=$?; sleep 0.3; rm -f full; exit $s"
    result = await sandbox.exec(["sh", "-c", command])
    assert result.exit_code != 0
    if kind != "process":
        assert result.out_of_space
    assert not result.out_of_memory
    assert not (await sandbox.exec(["true"])).out_of_space
    await sandbox.exec(["dd", "if=/dev/zero", "of=full", "bs=1M", "count=80", "status=none"])
    with pytest.raises(LimitReachedError):
        await sandbox.put("more", b"x" * 40 * MIB)
    await sandbox.exec(["rm", "-f", "full"])
    await sandbox.put("more", b"x" * MIB)


# Isolation, where it is promised


async def test_only_the_door_leads_out(isolated) -> None:
    async def accept(_reader, writer) -> None:
        writer.write(b"reached")
        writer.close()

    abstract = f"\0pincite-test-{os.getpid()}"
    async with (
        await asyncio.start_server(accept, "127.0.0.1", 0) as server,
        await asyncio.start_unix_server(accept, abstract),
    ):
        port = server.sockets[0].getsockname()[1]
        program = (
            "import socket, sys\n"
            "print([name for _, name in socket.if_nameindex()])\n"
            "host, outside = ('127.0.0.1', int(sys.argv[1])), ('192.0.2.1', 80)\n"
            "for address in (host, outside, '\\0' + sys.argv[2]):\n"
            "    link = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)\n"
            "    link.settimeout(5)\n"
            "    try: link.connect(address); print('reached', address)\n"
            "    except OSError: print('refused')\n"
            "try: print(socket.getaddrinfo('localhost.localdomain.example', 80))\n"
            "except OSError: print('refused')\n"
        )
        result = await python(isolated, program, str(port), abstract[1:])
    assert result.stdout.decode().splitlines() == ["['lo']", "refused", "refused", "refused", "refused"], result.stderr


async def test_files_and_processes_of_the_machine_are_out_of_sight(isolated, tmp_path) -> None:
    (tmp_path / "secret").write_text("hunter2")
    result = await isolated.exec(["cat", str(tmp_path / "secret"), f"{Path.home()}/.bashrc", "/etc/shadow"])
    assert result.exit_code != 0
    assert result.stdout == b""
    result = await isolated.exec(["sh", "-c", "ls -d /proc/[0-9]* | wc -l; hostname"])
    count, name = result.stdout.decode().split()
    assert int(count) < 10
    assert name == "sandbox"


async def test_the_system_is_read_only(isolated) -> None:
    places = [
        "/x",
        "/usr/x",
        "/etc/x",
        "/run/x",
        "/run/pincite/x",
        "/run/pincite/guest/relay.py",
        "/dev/x",
        "/var/x",
        "/opt/x",
    ]
    for place in places:
        result = await isolated.exec(["sh", "-c", f"echo x >> {place}"])
        assert result.exit_code != 0, place
    for knob in ("/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/sys/fs/cgroup/x"):
        assert (await isolated.exec(["sh", "-c", f"echo x > {knob}"])).exit_code != 0, knob


async def test_the_supervisor_is_beyond_the_agents_reach(isolated) -> None:
    program = (
        "import os, signal\n"
        "try: os.kill(1, signal.SIGKILL)\n"
        "except PermissionError: pass\n"
        "for name in ('mem', 'environ', 'fd/0', 'fd/6'):\n"
        "    try: open(f'/proc/1/{name}', 'rb').read(1); print('read', name)\n"
        "    except OSError: print('refused')\n"
    )
    result = await python(isolated, program)
    assert result.stdout == b"refused\n" * 4
    assert (await isolated.health()).ok


async def test_no_new_namespace_is_had(isolated) -> None:
    result = await isolated.exec(["unshare", "--user", "--map-root-user", "true"])
    assert result.exit_code != 0


async def test_several_sandboxes_do_not_see_each_other(kind, opener) -> None:
    sandboxes = await asyncio.gather(*(opener(kind) for _ in range(4)))
    await asyncio.gather(*(box.put("mine", str(number).encode()) for number, box in enumerate(sandboxes)))
    results = await asyncio.gather(*(box.exec(["sh", "-c", "sleep 0.2; cat mine; ls"]) for box in sandboxes))
    assert [result.stdout for result in results] == [f"{number}mine\n".encode() for number in range(4)]


async def test_a_start_that_is_cancelled_leaves_nothing_open(kind, opener) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for milliseconds in [*range(0, 24, 2), 40, 80]:
            task = asyncio.create_task(opener(kind))
            await asyncio.sleep(milliseconds / 1000)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await asyncio.sleep(0.1)
        gc.collect()
    assert not [one.message for one in caught if one.category is ResourceWarning]


# Choice


async def test_an_unknown_kind_is_bad_input(opener) -> None:
    with pytest.raises(BadInputError):
        await opener("vm")


async def test_auto_opens_something_that_works(opener) -> None:
    sandbox = await opener("auto", unsafe=True)
    assert (await sandbox.exec(["echo", "x"])).stdout == b"x\n"
    assert sandbox.backend in ("docker", "bubblewrap", "process")
    if sandbox.backend != "docker":
        assert any("docker was passed over" in warning for warning in sandbox.warnings)


async def test_every_error_is_of_the_tree(sandbox) -> None:
    await sandbox.stop()
    with pytest.raises(PinciteError) as caught:
        await sandbox.exec(["true"])
    assert caught.value.what
    assert caught.value.next or caught.value.seen
