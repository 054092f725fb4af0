"""The files of a task: what lies in the folders that a call may read, by name."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio.to_thread
from mcp.server.mcpserver import Context

from pincite_core.client_roots import folders_of
from pincite_core.settings import Settings
from pincite_papers.opening.roots import Roots
from pincite_workbench.bench import Bench

MOST_LISTED = 200
"""Files of the task that are listed: more are a library's folder, not a task's."""
_MOST_FOLDERS = 1000
"""Folders that are looked into for that."""


async def bring(bench: Bench, names: Sequence[str], settings: Settings, calling: Context[Any, Any]) -> None:
    """Show files of the task at ``/files``; errors of ``Roots`` for those that may not be read."""
    if not names:
        return
    roots = Roots(await folders_of(settings, calling), unset=not settings.roots)
    for name in names:
        state, data = await anyio.to_thread.run_sync(roots.read, name, settings.max_source_bytes)
        await bench.bring(Path(name).name, state.path, data)


def listed(folders: Sequence[Path]) -> tuple[list[tuple[str, int]], bool]:
    """Path and bytes of the files below the folders, as run_python takes them, and whether that is all of them. Hidden
    files and symbolic links are left out."""
    found: list[tuple[str, int]] = []
    looked = 0
    for root in folders:
        for folder, names, files in os.walk(root):
            looked += 1
            names[:] = sorted(name for name in names if not name.startswith("."))
            found += _visible(root, Path(folder), files)
            if len(found) > MOST_LISTED or looked > _MOST_FOLDERS:
                return found[:MOST_LISTED], False
    return found, True


def _visible(root: Path, folder: Path, names: Sequence[str]) -> list[tuple[str, int]]:
    paths = [folder / name for name in sorted(names) if not name.startswith(".")]
    regular = [path for path in paths if path.is_file() and not path.is_symlink()]
    return [(path.relative_to(root).as_posix(), path.stat().st_size) for path in regular]
