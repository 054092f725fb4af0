"""Sessions: the files that an agent's own program kept, taken out of the sandbox as evidence."""

import io
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pincite_core.errors import PinciteError
from pincite_doors.redactor import Redactor
from pincite_sandbox.base import Sandbox
from pincite_tasks.files import write_atomic

FOLDER = "agent"
MAX_BYTES = 50_000_000
"""Bytes of the session files of one trial. Set by judgement."""
_MAX_FILES = 5000
"""Session files of one trial. Set by judgement."""
_LISTING_BYTES = 4_000_000
"""Bytes of the list of these files."""
_ARCHIVE_SHARE = 2048
"""Bytes of an archive beside each file's content: its headers, long names among them, and padding."""
_NAMES_BYTES = 100_000
"""Of file names in one command: the kernel takes a little more than a hundred thousand bytes a word, all of two
million."""
_SECONDS = 60.0
"""Seconds to list or pack them. Set by judgement."""


@dataclass(frozen=True, slots=True)
class _Listed:
    path: str
    size: int


async def keep_sessions(sandbox: Sandbox, paths: Sequence[str], trial_folder: Path, redactor: Redactor) -> str | None:
    """Copy regular files below ``paths`` into ``<trial>/agent``, without secrets; says what could not be kept.

    What the agent left is untrusted: links, devices and paths that lead out are passed over, and all files together
    have ``MAX_BYTES``. The largest, mostly the session itself, keeps at least half of that, cut at its end where it is
    larger; of the others the smallest come first.
    """
    if not paths:
        return None
    try:
        listed = await _list(sandbox, paths)
        if listed is None:
            return await _keep_unlisted(sandbox, paths, trial_folder / FOLDER, redactor)
        return await _keep_listed(sandbox, listed, trial_folder / FOLDER, redactor)
    except PinciteError as error:
        return f"the agent's own session files could not be read: {error}"


async def _list(sandbox: Sandbox, paths: Sequence[str]) -> list[_Listed] | None:
    """Regular files below the paths with their sizes, each once, but for those with holes and those whose names are not
    UTF-8; None where the sandbox cannot tell."""
    command = ["/usr/bin/find", *paths, "-type", "f", "-printf", r"%D:%i %s %b %p\0"]
    try:
        result = await sandbox.exec(command, timeout=_SECONDS, output_limit=_LISTING_BYTES)
    except PinciteError:
        return None
    if b"\0" not in result.stdout and result.exit_code not in (0, 1):
        return None
    found: dict[str, _Listed] = {}
    for line in result.stdout.split(b"\0")[:-1]:
        identity, size, blocks, path = line.decode("utf-8", "replace").split(" ", 3)
        # A file with holes is larger than what it holds; small files may lie in no block of their own.
        holes = int(blocks) * 512 < int(size) // 2 and int(size) > 1 << 20
        if not holes and _is_inside(path) and "\ufffd" not in path:
            found.setdefault(identity, _Listed(path, int(size)))
    return list(found.values())


async def _keep_listed(sandbox: Sandbox, listed: Sequence[_Listed], folder: Path, redactor: Redactor) -> str | None:
    if not listed:
        return None
    by_size = sorted(listed, key=lambda file: (file.size, file.path))
    largest, others = by_size[-1], by_size[:-1]
    taken = sum(file.size + _ARCHIVE_SHARE for file in others)
    whole = min(largest.size, MAX_BYTES - min(taken, MAX_BYTES // 2))
    chosen = _smallest(others, MAX_BYTES - whole, _MAX_FILES - 1)
    await _keep_largest(sandbox, largest, whole, folder, redactor)
    for group in _by_names(chosen):
        names = [file.path for file in group]
        await _unpack(sandbox, names, sum(file.size + _ARCHIVE_SHARE for file in group), folder, redactor)
    said: list[str] = []
    if whole < largest.size:
        said.append(f"{largest.path} ({largest.size} bytes) was cut after {whole}")
    if left := len(others) - len(chosen):
        said.append(f"{left} of {len(listed)} files were left out")
    return f"the agent's own session files exceed {MAX_BYTES} bytes: {'; '.join(said)}" if said else None


async def _keep_largest(sandbox: Sandbox, file: _Listed, most: int, folder: Path, redactor: Redactor) -> None:
    """Keep the beginning of the largest file, mostly all of it."""
    if most == file.size:
        return await _unpack(sandbox, [file.path], file.size + _ARCHIVE_SHARE, folder, redactor)
    command = ["/usr/bin/head", "-c", str(most), "--", file.path]
    result = await sandbox.exec(command, timeout=_SECONDS, output_limit=most)
    write_atomic(_target(folder, file.path), redactor.clean(result.stdout))
    return None


async def _unpack(sandbox: Sandbox, names: Sequence[str], most: int, folder: Path, redactor: Redactor) -> None:
    command = ["/bin/tar", "--ignore-failed-read", "--warning=none", "--sparse", "--no-recursion", "-cf", "-", "--"]
    # Blocks of an archive come in twenties.
    result = await sandbox.exec([*command, *names], timeout=_SECONDS, output_limit=most + (1 << 16))
    _extract(result.stdout, folder, redactor)


async def _keep_unlisted(sandbox: Sandbox, paths: Sequence[str], folder: Path, redactor: Redactor) -> str | None:
    """All files as they come, up to the bound: for a sandbox whose image has no ``find`` that tells sizes."""
    command = ["/bin/tar", "--ignore-failed-read", "--warning=none", "--sparse", "-cf", "-", "--", *paths]
    result = await sandbox.exec(command, timeout=_SECONDS, output_limit=MAX_BYTES)
    kept = _extract(result.stdout, folder, redactor)
    if result.truncated:
        return f"the agent's own session files exceed {MAX_BYTES} bytes: the first {kept} were kept"
    return None


def _smallest(files: Sequence[_Listed], room: int, most: int) -> list[_Listed]:
    """As many as fit, of files in the order of their sizes."""
    chosen: list[_Listed] = []
    for file in files[:most]:
        room -= file.size + _ARCHIVE_SHARE
        if room < 0:
            break
        chosen.append(file)
    return chosen


def _by_names(files: Sequence[_Listed]) -> list[list[_Listed]]:
    """Groups whose names fit into one command."""
    groups: list[list[_Listed]] = []
    length = _NAMES_BYTES
    for file in files:
        length += len(file.path) + 1
        if length > _NAMES_BYTES:
            groups.append([])
            length = len(file.path) + 1
        groups[-1].append(file)
    return groups


def _is_inside(path: str) -> bool:
    return not path.startswith("/") and ".." not in PurePosixPath(path).parts


def _target(folder: Path, name: str) -> Path:
    return folder.joinpath(*(part.lstrip(".") or "_" for part in PurePosixPath(name).parts))


def _extract(archive: bytes, folder: Path, redactor: Redactor) -> int:
    """Write the archive's regular files; how many. A broken end (what was not there, what was cut) ends it, but what
    had come of a file that it cuts is kept."""
    kept = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as tar:
            for member in tar:
                if not member.isreg() or member.issparse() or not _is_inside(member.name) or kept == _MAX_FILES:
                    continue
                content = archive[member.offset_data : member.offset_data + member.size]
                write_atomic(_target(folder, member.name), redactor.clean(content))
                kept += 1
    except (tarfile.TarError, OSError):
        return kept
    return kept
