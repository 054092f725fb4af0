"""What every sandbox promises of commands, files and ends, tried from the harness's side."""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable

from pincite_core.errors import (
    BadInputError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    PinciteError,
)

from ..base import ExecResult, Sandbox
from .result import Broken

Promise = Callable[[Sandbox], Awaitable[None]]

_SECONDS = 60
"""Seconds of one command of these trials. Set by judgement."""
_HIDING_SECONDS = 4
"""Long enough for Python to start on a busy machine."""
_SEEN = """
import glob, sys
found = 0
for path in glob.glob("/proc/[0-9]*/cmdline"):
    try:
        words = open(path, "rb").read()
    except OSError:
        continue
    found += sys.argv[1].encode() in words and b"import glob" not in words
print(found)
"""
_FLEEING = """
import os, signal, sys, time
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)
print("up", flush=True)
time.sleep(1000 if sys.argv[2] == "stay" else 0)
"""


def _hold(kept: bool, said: object) -> None:
    if not kept:
        raise Broken(str(said))


async def python(sandbox: Sandbox, program: str, *words: str, seconds: float = _SECONDS) -> ExecResult:
    """Run a Python program inside."""
    return await sandbox.exec(["python3", "-c", program, *words], timeout=seconds)


async def _refused(call: Awaitable[object], *kinds: type[PinciteError]) -> None:
    try:
        said = await call
    except kinds:
        return
    raise Broken(f"it was let through: {said!r}"[:200])


async def both_streams(sandbox: Sandbox) -> None:
    """A command returns both streams and its exit code."""
    result = await sandbox.exec(["sh", "-c", "echo out; echo err >&2; exit 3"], timeout=_SECONDS)
    _hold((result.exit_code, result.stdout, result.stderr) == (3, b"out\n", b"err\n"), result)


async def literal_arguments(sandbox: Sandbox) -> None:
    """Arguments arrive as they are, whatever they hold."""
    words = ["$HOME", "a b", "*", "'", "", "é\n", "--"]
    result = await python(sandbox, "import json, sys; print(json.dumps(sys.argv[1:]))", *words)
    _hold(result.stdout.decode() == json.dumps(words) + "\n", result)


async def silent_stdin(sandbox: Sandbox) -> None:
    """A command that reads gets an end at once."""
    _hold((await sandbox.exec(["cat"], timeout=_SECONDS)).exit_code == 0, "cat did not end")


async def capped_output(sandbox: Sandbox) -> None:
    """A flood of output is cut, and said to be."""
    result = await sandbox.exec(
        ["python3", "-c", "import sys; sys.stdout.write('x' * 30_000_000)"], timeout=_SECONDS, output_limit=1000
    )
    _hold(result.truncated and len(result.stdout) == 1000, f"{len(result.stdout)} bytes were kept")


async def missing_program(sandbox: Sandbox) -> None:
    """A program that is not there is an error, not a result."""
    await _refused(sandbox.exec(["no-such-program"], timeout=_SECONDS), NotFoundError)


async def files_in_and_out(sandbox: Sandbox) -> None:
    """A file comes back as it went in."""
    data = secrets.token_bytes(1 << 20)
    await sandbox.put("in/deep er/é.bin", data)
    _hold(await sandbox.get("in/deep er/é.bin") == data, "the file came back changed")


async def paths_that_lead_out(sandbox: Sandbox) -> None:
    """No path leads out of the working folder."""
    for path in ("../x", "/etc/passwd", "a/../../x", "/"):
        await _refused(sandbox.get(path), ForbiddenError, BadInputError)
        await _refused(sandbox.put(path, b"x"), ForbiddenError, BadInputError)


async def linked_answers(sandbox: Sandbox) -> None:
    """An answer that is a link, or lies behind one, is not followed."""
    await sandbox.exec(["sh", "-c", "ln -sf /etc/passwd link; ln -sfn / root; ln -sf link chain"], timeout=_SECONDS)
    for path in ("link", "chain", "root/etc/passwd"):
        await _refused(sandbox.get(path), ForbiddenError)
    await _refused(sandbox.put("root/tmp/planted", b"x"), ForbiddenError)


async def special_answers(sandbox: Sandbox) -> None:
    """An answer that is a pipe, a socket or a folder is refused at once."""
    program = "import os, socket; os.mkfifo('pipe'); s = socket.socket(socket.AF_UNIX); s.bind('sock'); os.mkdir('dir')"
    await python(sandbox, program)
    for path in ("pipe", "sock", "dir"):
        async with asyncio.timeout(_SECONDS):
            await _refused(sandbox.get(path), ForbiddenError)


async def huge_answers(sandbox: Sandbox) -> None:
    """An answer beyond the limit is refused by its size, a sparse one too."""
    await sandbox.exec(["truncate", "-s", "12M", "giant"], timeout=_SECONDS)
    await _refused(sandbox.get("giant", max_bytes=1 << 20), LimitReachedError)


async def growing_answers(sandbox: Sandbox) -> None:
    """An answer is not more than the limit although it grows while it is read."""
    await sandbox.exec(
        ["sh", "-c", "(while :; do echo xxxxxxxxxxxxxxxx >> grow; done) >/dev/null 2>&1 &"], timeout=_SECONDS
    )
    try:
        data = await sandbox.get("grow", max_bytes=100_000)
        _hold(len(data) <= 100_000, f"{len(data)} bytes came")
    except (LimitReachedError, NotFoundError):
        pass
    finally:
        await sandbox.end_processes()
        await sandbox.exec(["rm", "-f", "grow"], timeout=_SECONDS)


async def _seen(sandbox: Sandbox, marker: str) -> int:
    return int((await python(sandbox, _SEEN, marker)).stdout or b"-1")


async def hidden_processes(sandbox: Sandbox) -> None:
    """A timeout ends what hides: forked twice, in sessions of its own, deaf to signals."""
    marker = f"hidden-{secrets.token_hex(4)}"
    result = await python(sandbox, _FLEEING, marker, "stay", seconds=_HIDING_SECONDS)
    _hold(result.timed_out and result.stdout == b"up\n", f"the program did not hide: {result}")
    _hold(await _seen(sandbox, marker) == 0, f"{await _seen(sandbox, marker)} of its processes live on")


async def daemons_left(sandbox: Sandbox) -> None:
    """What a command leaves running is gone when the agent's phase ends."""
    marker = f"left-{secrets.token_hex(4)}"
    await python(sandbox, _FLEEING, marker, "go")
    _hold(await _seen(sandbox, marker) > 0, "the program left nothing")
    await sandbox.end_processes()
    _hold(await _seen(sandbox, marker) == 0, f"{await _seen(sandbox, marker)} of its processes live on")


async def alive(sandbox: Sandbox) -> None:
    """After all of it the sandbox still works."""
    health = await sandbox.health()
    _hold(health.ok, health.detail)


PROMISES: dict[str, Promise] = {
    "streams": both_streams,
    "arguments": literal_arguments,
    "stdin": silent_stdin,
    "output-flood": capped_output,
    "missing-program": missing_program,
    "files": files_in_and_out,
    "paths-out": paths_that_lead_out,
    "linked-answers": linked_answers,
    "special-answers": special_answers,
    "huge-answers": huge_answers,
    "growing-answers": growing_answers,
    "hidden-processes": hidden_processes,
    "daemons-left": daemons_left,
    "alive": alive,
}
