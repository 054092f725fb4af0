"""run_python, list_files and read_file."""

from typing import Annotated, Any

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent
from pydantic import Field

from pincite_core.client_roots import folders_of
from pincite_core.errors import BadInputError, PinciteError
from pincite_core.paging import DEFAULT_CHARS
from pincite_papers.opening.opener import reporting
from pincite_sandbox.base import SHOWN
from pincite_workbench.bench import Bench
from pincite_workbench.benches import Benches
from pincite_workbench.files import bring, listed
from pincite_workbench.showing import ended, is_picture, middle_cut, named, new_pictures, picture

_MOST_CODE = 100_000
"""Characters of a program: the words of a command hold about 128 KiB."""
_MOST_READ = 5_000_000
"""Bytes of a text file that is read: more is for a program to read."""
_LOST = "The working folder was lost with the sandbox, which was started again."


async def run_python(
    benches: Benches,
    calling: Context[Any, Any],
    code: Annotated[str, Field(min_length=1, max_length=_MOST_CODE)],
    files: Annotated[list[str], Field(max_length=50, description="Files of the task to show at /files/NAME")] = [],  # noqa: B006
    seconds: Annotated[float, Field(gt=0, le=300)] = 60,
) -> CallToolResult:
    """Run Python without a network, in a fresh process; print what you want to see. Files written to the working folder
    stay for later calls, new pictures are shown."""
    async with benches.bench(calling) as bench, reporting(calling, "running"):
        outcome = await _outcome(bench, benches, calling, code, files, seconds)
    if isinstance(outcome, PinciteError):
        raise outcome
    return outcome


async def _outcome(
    bench: Bench, benches: Benches, calling: Context[Any, Any], code: str, files: list[str], seconds: float
) -> CallToolResult | PinciteError:
    """The result or why there is none: returned, since a task group would wrap what is raised."""
    try:
        await bring(bench, files, benches.settings, calling)
        result = await bench.run(code, seconds)
        now, new = await bench.listing()
        pictures = await new_pictures(bench, new)
    except PinciteError as error:
        return error
    lines = [_LOST] if bench.lost() else []
    lines.append(ended(result, seconds, benches.settings.workbench_memory_mb))
    if result.stdout:
        lines.append(f"stdout:\n{middle_cut(result.stdout, DEFAULT_CHARS)}")
    if result.stderr:
        lines.append(f"stderr:\n{middle_cut(result.stderr, DEFAULT_CHARS // 2)}")
    if new:
        lines.append(f"new files: {named(new)}")
    if not now.whole:
        lines.append("The working folder holds more files than are listed.")
    return CallToolResult(content=[TextContent(text="\n".join(lines)), *pictures])


async def list_files(benches: Benches, calling: Context[Any, Any]) -> str:
    """List the task's files and those of the working folder."""
    folders = await folders_of(benches.settings, calling)
    given, all_given = await anyio.to_thread.run_sync(listed, folders)
    async with benches.bench(calling) as bench:
        written = await bench.written()
    lines = ["Files of the task:"]
    lines += [f"{path} ({size:,} bytes)" for path, size in given] or ["none"]
    if not all_given:
        lines.append("… and more, which are not listed")
    lines.append("Working folder:")
    lines += [f"{entry.path} ({entry.size:,} bytes)" for entry in written.files.values()] or ["empty"]
    if not written.whole:
        lines.append("… and more, which are not listed")
    return "\n".join(lines)


async def read_file(
    benches: Benches,
    calling: Context[Any, Any],
    file: Annotated[str, Field(min_length=1, description="Path as listed; /files/NAME for a file of the task")],
    start: Annotated[int, Field(ge=0, description="First character")] = 0,
    max_chars: Annotated[int, Field(ge=100, le=100_000)] = DEFAULT_CHARS,
) -> CallToolResult | str:
    """Read a text file or look at a picture."""
    given = file.startswith(f"{SHOWN}/")
    name = file.rpartition("/")[2]
    async with benches.bench(calling) as bench:
        if given and not bench.has(name):
            await bring(bench, [file.removeprefix(f"{SHOWN}/")], benches.settings, calling)
        if is_picture(file):
            content = await picture(bench, f"{SHOWN}/{name}" if given else file)
            return CallToolResult(content=[content, TextContent(text=file)])
        data = bench.brought(name, _MOST_READ) if given else await bench.read(file, _MOST_READ)
    return _page(data, file, start, max_chars)


def _page(data: bytes, file: str, start: int, max_chars: int) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise BadInputError(f"{file!r} is not a text file.", seen=f"{len(data):,} bytes", next="Read it by run_python.")
    shown = text[start : start + max_chars]
    rest = len(text) - start - len(shown)
    if not shown:
        return f"[nothing from character {start} on: the file has {len(text):,}]"
    return shown if rest <= 0 else f"{shown}\n[{rest:,} more characters: start={start + len(shown)}]"
