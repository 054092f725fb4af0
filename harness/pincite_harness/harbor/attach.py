"""Attach: a process of this machine whose standard streams are those of a command in a container.

``python -m pincite_harness.harbor.attach CONTAINER USER FOLDER COMMAND…``: so an MCP server that a task starts inside
stands behind the tool door like one of ours.
"""

import asyncio
import sys
from typing import BinaryIO

from pincite_core.errors import PinciteError
from pincite_sandbox.base import Stream
from pincite_sandbox.commands import Commands
from pincite_sandbox.daemon import connect, socket_path
from pincite_sandbox.hijack import Hijacked
from pincite_sandbox.output import Output

_PIECE = 1 << 16
"""Bytes that are passed on at once."""


async def attach(container: str, user: str, folder: str, command: list[str]) -> int:
    """Run the command until it ends or our own stdin does; its exit code."""
    client = connect()
    try:
        begun = await Commands(client, socket_path(), container, user).begin(command, folder, {}, stdin=True)
        output = Output(0, _pass_on)
        hearing = asyncio.create_task(begun.stream.read(output.feed))
        telling = asyncio.create_task(_tell(begun.stream))
        await asyncio.wait({hearing, telling}, return_when=asyncio.FIRST_COMPLETED)
        for task in (hearing, telling):
            task.cancel()
        await asyncio.gather(hearing, telling, return_exceptions=True)
        begun.stream.close()
        return int(client.api.exec_inspect(begun.number)["ExitCode"] or 0)
    finally:
        client.close()


def _pass_on(stream: Stream, data: bytes) -> None:
    place: BinaryIO = sys.stdout.buffer if stream == "stdout" else sys.stderr.buffer
    place.write(data)
    place.flush()


async def _tell(stream: Hijacked) -> None:
    """Send what comes on our stdin, until it ends."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while data := await reader.read(_PIECE):
        await stream.send(data)


def main(arguments: list[str]) -> int:
    """The program of this module."""
    container, user, folder, *command = arguments
    try:
        return asyncio.run(attach(container, user, folder, command))
    except PinciteError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
