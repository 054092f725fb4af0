"""Results of the workbench: output cut in the middle, files by name, pictures."""

import base64
from collections.abc import Sequence
from pathlib import PurePosixPath

from mcp_types import ImageContent, TextContent

from pincite_core.errors import PinciteError
from pincite_sandbox.base import ExecResult
from pincite_workbench.bench import OUTPUT_BYTES, Bench, FileEntry

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")
"""How files of pictures are named that are shown."""
MOST_PICTURES = 4
"""Pictures of one result: as many pages as a model is shown at once elsewhere."""
SIDE = 1200
"""Longest side of a shown picture in pixels, as the figures server's."""
_MOST_NAMED = 50
"""Files that one result names."""


def is_picture(name: str) -> bool:
    """Whether a file's name says that it is a picture."""
    return PurePosixPath(name).suffix.lower() in PICTURES


def ended(result: ExecResult, seconds: float, memory_mb: int) -> str:
    """How a program ended, and which of its limits it met."""
    how = f"exit {result.exit_code} after {result.seconds:.1f} s"
    if result.timed_out:
        how = f"stopped after {seconds:g} s (seconds), with all its processes"
    met = {
        f"memory ran out ({memory_mb} MiB)": result.out_of_memory,
        "no more processes could be made": result.out_of_pids,
        "the working folder is full": result.out_of_space,
        f"output beyond {OUTPUT_BYTES:,} bytes was dropped": result.truncated,
    }
    return "; ".join([how, *(text for text, is_so in met.items() if is_so)])


def middle_cut(data: bytes, most: int) -> str:
    """The text of an output, its middle left out where it is longer than ``most`` characters."""
    text = data.decode("utf-8", "replace")
    if len(text) <= most:
        return text
    head = most * 2 // 3
    tail = most - head
    return f"{text[:head]}\n[… {len(text) - most:,} characters left out …]\n{text[-tail:]}"


def named(entries: Sequence[FileEntry]) -> str:
    """Files with their sizes on one line."""
    shown = [f"{entry.path} ({entry.size:,} bytes)" for entry in entries[:_MOST_NAMED]]
    more = len(entries) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


async def picture(bench: Bench, path: str) -> ImageContent:
    """A picture of the sandbox as a result holds it; errors of ``Bench.picture``."""
    data = await bench.picture(path, SIDE)
    kind = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
    return ImageContent(data=base64.b64encode(data).decode(), mime_type=kind)


async def new_pictures(bench: Bench, entries: Sequence[FileEntry]) -> list[ImageContent | TextContent]:
    """The pictures among new files, at most four; a sentence for each that cannot be shown or is too much."""
    shown: list[ImageContent | TextContent] = []
    paths = [entry.path for entry in entries if is_picture(entry.path)]
    for path in paths[:MOST_PICTURES]:
        try:
            shown.append(await picture(bench, path))
        except PinciteError as error:
            shown.append(TextContent(text=error.short()))
    if len(paths) > MOST_PICTURES:
        shown.append(TextContent(text=f"Not shown: {', '.join(paths[MOST_PICTURES:])[:1000]} (read_file shows one)."))
    return shown
