"""A Harbor task's container: a Docker sandbox on the task's own image, with folders going in and out as archives."""

import asyncio
import io
import tarfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from pincite_core.errors import LimitReachedError, PinciteError, UnavailableError
from pincite_doors.redactor import Redactor
from pincite_sandbox.base import ExecResult, OpenImage, SandboxSpec
from pincite_sandbox.commands import Commands
from pincite_sandbox.daemon import connect, socket_path
from pincite_sandbox.docker import DockerSandbox
from pincite_sandbox.output import Output

ROOT = "0"
_OUTPUT_BYTES = 1_000_000
"""Bytes of a command's output that are kept."""
_COPY_SECONDS = 300.0
"""Seconds to copy a folder. Set by judgement."""
_NOT_THERE = 44
"""Exit code by which the packing program says that there is no such folder."""
MAX_ARCHIVE = 200_000_000
"""Bytes of a folder that is copied out. Set by judgement."""

_PUT = """
import io, sys, tarfile
data = sys.stdin.buffer.read(int(sys.argv[2]))
how = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
tarfile.open(fileobj=io.BytesIO(data)).extractall(sys.argv[1], **how)
"""
_GET = f"""
import os, sys, tarfile
if not os.path.lexists(sys.argv[1]):
    sys.exit({_NOT_THERE})
archive = tarfile.open(fileobj=sys.stdout.buffer, mode="w|")
archive.add(sys.argv[1], "x")
archive.close()
"""


class HarborContainer:
    """``sandbox`` once it has started. ``copy_in`` and ``copy_out`` go by commands of root: the daemon's own archives
    want every mount, and the control socket is gone by then."""

    def __init__(self, spec: SandboxSpec) -> None:
        assert isinstance(spec.open_image, OpenImage)
        self.sandbox = DockerSandbox(spec)
        self.user = spec.open_image.user
        self._client: Any = None

    async def start(self) -> None:
        """Start it; PinciteError when it does not come up."""
        await self.sandbox.start()
        self._client = await asyncio.to_thread(connect)

    async def stop(self) -> None:
        """Remove it; safe to call twice."""
        client, self._client = self._client, None
        if client is not None:
            client.close()
        await self.sandbox.stop()

    def begin(self, argv: list[str], env: Mapping[str, str]) -> asyncio.Task[None]:
        """Start a command that goes on beside the others; its output is dropped."""
        return asyncio.create_task(self._attend(argv, env))

    async def _attend(self, argv: list[str], env: Mapping[str, str]) -> None:
        with suppress(PinciteError):
            # It ends with the container, which is not a fault.
            await self._commands(self.user).run(argv, self.sandbox.workdir, env, Output(0, None))

    async def shell(
        self, command: str, *, user: str | int | None = None, env: Mapping[str, str] | None = None, seconds: float
    ) -> ExecResult:
        """Run a shell's command line to its end as ``user`` (by default the image's); one that takes longer than
        ``seconds`` is left behind and told as timed out."""
        output = Output(_OUTPUT_BYTES, None)
        began = asyncio.get_running_loop().time()
        commands = self._commands(str(user) if user is not None else self.user)
        code: int | None = None
        try:
            async with asyncio.timeout(seconds):
                state = await commands.run(["/bin/sh", "-c", command], self.sandbox.workdir, env or {}, output)
                code = int(state["ExitCode"])
        except TimeoutError:
            pass
        took = asyncio.get_running_loop().time() - began
        out, err = output.bytes_of("stdout"), output.bytes_of("stderr")
        return ExecResult(code, out, err, took, timed_out=code is None)

    async def copy_in(self, source: Path, target: str) -> None:
        """The file or the content of the folder ``source`` at the path ``target``, whose folders are made."""
        alone = await asyncio.to_thread(source.is_file)
        folder = str(PurePosixPath(target).parent) if alone else target
        made = await self.shell(f"mkdir -p -- {_quoted(folder)}", user=ROOT, seconds=60)
        if made.exit_code != 0:
            raise UnavailableError(f"The folder {folder} cannot be made in the container.", seen=made.stderr.decode())
        data = await asyncio.to_thread(_packed, source, PurePosixPath(target).name)
        output = Output(_OUTPUT_BYTES, None)
        code = await self._python(_PUT, [folder, str(len(data))], output, data)
        if code != 0:
            said = output.bytes_of("stderr").decode("utf-8", "replace").strip()[-500:]
            raise UnavailableError(f"Files could not be put at {target}.", seen=said or f"exit code {code}")

    async def copy_out(self, source: str, target: Path, *, max_bytes: int = MAX_ARCHIVE) -> list[str] | None:
        """The file or folder at ``source`` as ``target``; None where there is none, else the names of what was left
        out: links, devices and what leads elsewhere. LimitReachedError beyond ``max_bytes``."""
        output = Output(max_bytes, None)
        code = await self._python(_GET, [source], output)
        if code == _NOT_THERE:
            return None
        if output.truncated:
            raise LimitReachedError(f"{source} holds more than {max_bytes} bytes.")
        if code != 0:
            said = output.bytes_of("stderr").decode("utf-8", "replace").strip()[-500:]
            raise UnavailableError(f"{source} could not be read.", seen=said or f"exit code {code}")
        return await asyncio.to_thread(_unpacked, output.bytes_of("stdout"), target)

    async def _python(self, program: str, words: list[str], output: Output, stdin: bytes | None = None) -> int:
        command = ["python3", "-I", "-S", "-c", program, *words]
        try:
            async with asyncio.timeout(_COPY_SECONDS):
                state = await self._commands(ROOT).run(command, "/", {}, output, stdin)
        except TimeoutError:
            raise UnavailableError(f"Copying files took more than {_COPY_SECONDS:g} s.") from None
        return int(state["ExitCode"])

    def _commands(self, user: str) -> Commands:
        return Commands(self._running(), socket_path(), self.sandbox.container, user)

    def _running(self) -> Any:
        if self._client is None:
            raise UnavailableError("The container is not running.")
        return self._client


def clean_files(folder: Path, redactor: Redactor) -> None:
    """Take secrets out of all files below a folder."""
    for path in folder.rglob("*"):
        if path.is_file() and (clean := redactor.clean(data := path.read_bytes())) != data:
            path.write_bytes(clean)


def _quoted(path: str) -> str:
    return "'" + path.replace("'", "'\\''") + "'"


def _packed(source: Path, name: str) -> bytes:
    """A tar archive of a folder's content, or of one file under ``name``; everything belongs to root."""

    def owned(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mode |= 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        if source.is_file():
            archive.add(source, name, filter=owned)
        else:
            for path in sorted(source.iterdir()):
                archive.add(path, path.name, filter=owned)
    return buffer.getvalue()


def _unpacked(data: bytes, target: Path) -> list[str]:
    """Write the regular files and folders of an archive whose first name is ``target``'s; what is left out. What an
    agent left is untrusted."""
    left_out: list[str] = []
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|") as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts[1:]
            place = target.joinpath(*parts)
            if ".." in parts or member.name.startswith("/"):
                left_out.append(member.name)
            elif member.isdir():
                place.mkdir(parents=True, exist_ok=True)
            elif member.isreg() and (content := archive.extractfile(member)) is not None:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content.read())
                place.chmod(0o755 if member.mode & 0o100 else 0o644)
            else:
                left_out.append(member.name)
    return left_out
