"""Files of a container: read by its supervisor where that may, else read and written by a command as the agent."""

import asyncio
import json
from collections.abc import Mapping

from pincite_core.errors import BadInputError, UnavailableError

from .commands import Commands
from .container import guest_command
from .control import Control
from .guest.files import pack_files
from .output import Output
from .trouble import file_error

_SECONDS = 300.0
"""Seconds to move one file, hundreds of megabytes included. Set by judgement."""
_WORDS_LIMIT = 10_000
"""Bytes of a command's complaints that are kept."""


class ContainerFiles:
    """Files below the working folder of one container; see ``base.Sandbox`` for the methods."""

    def __init__(self, commands: Commands, control: Control, workdir: str) -> None:
        self._commands = commands
        self._control = control
        self._workdir = workdir

    async def put(self, path: str, data: bytes) -> None:
        """Write a file."""
        await self._command(["put", self._workdir, path, str(len(data))], data, 0)

    async def put_all(self, files: Mapping[str, bytes]) -> None:
        """Write several files with one command of the daemon."""
        packed = pack_files(files)
        await self._command(["put_all", self._workdir, "-", str(len(packed))], packed, 0)

    async def get(self, path: str, max_bytes: int) -> bytes:
        """Read a regular file: by the supervisor, which needs no command of the daemon for it; what only the agent may
        read, by a command as the agent."""
        try:
            async with asyncio.timeout(_SECONDS):
                answer, data = await self._control.request({"op": "get", "path": path, "max_bytes": max_bytes})
        except TimeoutError:
            raise UnavailableError(f"The sandbox did not get {path} in {_SECONDS:.0f} s.") from None
        if answer.get("error") == "forbidden":
            return await self._command(["get", self._workdir, path, str(max_bytes)], None, max_bytes)
        if "error" in answer:
            raise file_error(answer)
        return data

    async def _command(self, words: list[str], stdin: bytes | None, limit: int) -> bytes:
        """Run the guest's file program as the agent's user: it reaches no more than the agent does."""
        if any("\0" in word for word in words):
            raise BadInputError("A path cannot hold a NUL character.")
        output = Output(max(limit, _WORDS_LIMIT), None)
        try:
            async with asyncio.timeout(_SECONDS):
                state = await self._commands.run(guest_command("files", *words), "/", {}, output, stdin)
        except TimeoutError:
            raise UnavailableError(f"The sandbox did not {words[0]} {words[2]} in {_SECONDS:.0f} s.") from None
        if state["ExitCode"] == 0:
            return output.bytes_of("stdout")
        said = output.bytes_of("stderr").decode("utf-8", "replace")
        try:
            raise file_error(json.loads(said))
        except (ValueError, KeyError, TypeError):
            seen = said or f"exit {state['ExitCode']}"
            raise UnavailableError(f"The sandbox could not {words[0]} {words[2]}.", seen=seen) from None
