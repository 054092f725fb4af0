"""Artifacts: what a task wants to be collected after the agent, in the trial's folder and again before a verifier."""

import asyncio
import fnmatch
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite_core.errors import PinciteError
from pincite_doors.redactor import Redactor
from pincite_harness.harbor.config import MAIN, Artifact
from pincite_harness.harbor.container import ROOT, HarborContainer, clean_files
from pincite_tasks.answer import MAX_BYTES
from pincite_tasks.files import write_json

FOLDER = "artifacts"
_MANIFEST = "manifest.json"


async def collect(container: HarborContainer, wanted: Sequence[Artifact], folder: Path, redactor: Redactor) -> None:
    """Copy what is there below ``folder``, without secrets, with a ``manifest.json`` of every source: ok, failed, empty
    (there is nothing) or skipped (its place is taken by an earlier one)."""
    rows: list[dict[str, Any]] = []
    taken: list[Path] = []
    for artifact in wanted:
        place = folder / artifact.place
        if any(place == other or place in other.parents or other in place.parents for other in taken):
            status, kind = "skipped", None
        else:
            status, kind = await _collect_one(container, artifact, place)
        taken.append(place)
        rows.append(
            {
                "source": artifact.source,
                "destination": artifact.place.as_posix(),
                "type": kind,
                "status": status,
                "service": artifact.service or MAIN,
                "exclude": artifact.exclude,
            }
        )
    await asyncio.to_thread(clean_files, folder, redactor)
    write_json(folder / _MANIFEST, rows)


async def _collect_one(container: HarborContainer, artifact: Artifact, place: Path) -> tuple[str, str | None]:
    try:
        found = await container.copy_out(_absolute(container, artifact), place)
    except (PinciteError, OSError):
        return "failed", None
    return await asyncio.to_thread(_outcome, place, artifact.exclude) if found is not None else ("empty", None)


def _outcome(place: Path, exclude: Sequence[str]) -> tuple[str, str | None]:
    """What was collected, after what is excluded was taken out."""
    if place.is_file():
        return "ok", "file"
    if not place.is_dir():
        return "empty", None
    _exclude(place, exclude)
    return ("ok" if any(place.iterdir()) else "empty"), "directory"


def _exclude(folder: Path, patterns: Sequence[str]) -> None:
    """Remove what a pattern matches by its name or by its path in the folder, as tar's --exclude does."""
    for path in sorted(folder.rglob("*"), reverse=True):
        inside = path.relative_to(folder).as_posix()
        if any(fnmatch.fnmatch(name, pattern) for pattern in patterns for name in (inside, path.name)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def find_answer(wanted: Sequence[Artifact], folder: Path, name: str) -> bytes | None:
    """What was collected under the name of the answer's file; None where there is none, or one too long for one."""
    places = [folder / artifact.place for artifact in wanted if artifact.place.name == name]
    found = next((place for place in places if place.is_file() and place.stat().st_size <= MAX_BYTES), None)
    return found.read_bytes() if found is not None else None


async def hand_over(container: HarborContainer, wanted: Sequence[Artifact], folder: Path) -> None:
    """Put what was collected at its original path in a verifier's container, whose own files there go first."""
    for artifact in wanted:
        place = folder / artifact.place
        target = _absolute(container, artifact)
        if await asyncio.to_thread(place.is_dir):
            await container.shell(f"rm -rf -- {shlex.quote(target)}", user=ROOT, seconds=60)
        elif not await asyncio.to_thread(place.is_file):
            continue
        await container.copy_in(place, target)


def _absolute(container: HarborContainer, artifact: Artifact) -> str:
    """The path in the container; a relative one counts from the working folder."""
    return artifact.source if artifact.source.startswith("/") else f"{container.sandbox.workdir}/{artifact.source}"
