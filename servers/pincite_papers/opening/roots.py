"""The folders that papers may be read from."""

import difflib
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import (
    BadInputError,
    EmptySourceError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    PinciteError,
    UnavailableError,
)
from pincite_core.platform import BINARY, CLOEXEC, NO_FOLLOW, NONBLOCK

SUFFIXES = (
    ".pdf", ".xml", ".nxml", ".tex", ".tar.gz", ".tgz", ".tar", ".zip", ".gz", ".html", ".htm", ".xhtml",
    ".docx", ".xlsx", ".epub",
)  # fmt: skip
"""The endings that files of papers usually have; their format is told from the bytes all the same."""
_SUGGESTIONS = 5
"""Names that an error suggests."""
_ALIKE = 0.6
"""Similarity of 0 to 1 (difflib) from which a name is suggested. Set by judgement."""
_FOLDER_ENTRIES = 10_000
"""Entries of a folder that are looked at. Set by judgement."""
_REMEMBERED = 1000
"""Files whose place is remembered."""


@dataclass(frozen=True, slots=True)
class FileState:
    """The identity of a file's content: an equal state means equal bytes."""

    path: str
    device: int
    inode: int
    size: int
    mtime_ns: int


class Roots:
    """Allowed folders; every path is checked after its symbolic links are resolved.

    ``unset`` says that the user set none, and none could be taken for granted: errors then say what to set.
    """

    def __init__(self, folders: Sequence[Path], *, unset: bool = False) -> None:
        self._unset = unset
        self.folders = tuple(Path(os.path.realpath(folder)) for folder in folders)
        self._located: dict[str, tuple[str, FileState]] = {}

    def locate(self, source: str) -> FileState:
        """The regular file that ``source`` names, absolute or relative to a root (the first that has it).

        ForbiddenError outside the roots, whether or not it exists there; NotFoundError with similar names. A file that
        was located before costs one look at the disk: the same file, unchanged, is still the one that was allowed.
        """
        before = self._located.get(source)
        if before is not None and _is_still(*before):
            return before[1]
        state = self._search(source)
        first = str(self._places(source)[0])
        if _is_still(first, state):
            if len(self._located) >= _REMEMBERED:
                self._located.clear()
            self._located[source] = first, state
        return state

    def _search(self, source: str) -> FileState:
        candidates = self._candidates(source)
        inside = [path for path in candidates if self._allows(path)]
        for path in inside:
            try:
                return _state(path, source)
            except NotFoundError:
                continue
        if self._unset:
            raise no_roots(source)
        if candidates[0] in inside:
            raise self._not_found(source, inside[0])
        raise ForbiddenError(
            f"{source!r} is outside the folders that papers may be read from.",
            seen=f"allowed: {', '.join(str(folder) for folder in self.folders)}",
            next="Give a path inside these folders, or let the user add a folder to PINCITE_ROOTS.",
        )

    def read(self, source: str, most: int) -> tuple[FileState, bytes]:
        """The bytes of the file and its state; LimitReachedError beyond ``most`` bytes, EmptySourceError for none."""
        path = self._search(source).path
        try:
            descriptor = os.open(path, os.O_RDONLY | CLOEXEC | NO_FOLLOW | NONBLOCK | BINARY)
            with os.fdopen(descriptor, "rb") as file:
                state = _as_state(Path(path), os.fstat(descriptor))
                if state.size > most:
                    raise LimitReachedError(
                        f"{source!r} is larger than the limit of {most} bytes.",
                        seen=f"{state.size} bytes",
                        next="If you trust it, raise PINCITE_MAX_SOURCE_BYTES.",
                    )
                data = file.read(most)
        except OSError as error:
            raise _unopened(source, error) from error
        if not data:
            raise EmptySourceError(f"{source!r} is an empty file.", next="Get the file again.")
        return state, data

    def _candidates(self, source: str) -> list[Path]:
        """Where the file may be, symbolic links resolved."""
        try:
            return [Path(os.path.realpath(place)) for place in self._places(source)]
        except (OSError, ValueError) as error:
            raise BadInputError(f"{source!r} is not a path.", seen=str(error)) from error

    def _places(self, source: str) -> list[Path]:
        """Where the file is looked for, in order, symbolic links not resolved."""
        path = Path(source)
        if source.startswith("~"):
            with suppress(RuntimeError):  # there is no such user: a file may have such a name
                path = path.expanduser()
        return [path] if path.is_absolute() else [folder / path for folder in self.folders]

    def _allows(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.folders)

    def _not_found(self, source: str, path: Path) -> NotFoundError:
        folder = path.parent
        while not folder.is_dir() and self._allows(folder.parent):
            folder = folder.parent
        names = _names(folder)
        close = _similar(path.stem, names)
        papers = [name for name in names if name.lower().endswith(SUFFIXES)]
        seen = "similar names" if close else f"{len(papers)} files that may be papers"
        listed = ", ".join(close or papers[:_SUGGESTIONS]) or "none"
        place = next((str(folder.relative_to(root)) for root in self.folders if folder.is_relative_to(root)), ".")
        return NotFoundError(
            f"There is no file {source!r}.",
            seen=f"{seen} in {'the root folder' if place == '.' else place}: {listed}",
            next="Give one of the paths that exist, or an id that open_paper returned.",
        )


def no_roots(source: str) -> ForbiddenError:
    """The error for a file argument when no folder may be read."""
    return ForbiddenError(
        f"{source!r} cannot be opened: no folder is set that papers may be read from.",
        seen=f"the server was started in {Path.cwd()}, which is not taken as it holds the user's home folder",
        next="Let the user set PINCITE_ROOTS to the folders with papers (PINCITE_ROOTS=/path/to/papers), or start the "
        "server inside such a folder.",
    )


def _similar(stem: str, names: Sequence[str]) -> list[str]:
    """The names whose stems are most like ``stem``, best first; case and suffix do not count."""
    matcher = difflib.SequenceMatcher(b=stem.casefold())
    scored: list[tuple[float, str]] = []
    for name in names:
        matcher.set_seq1(Path(name).stem.casefold())
        if matcher.real_quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE:
            scored.append((-matcher.ratio(), name))
    return [name for _, name in sorted(scored)[:_SUGGESTIONS]]


def _names(folder: Path) -> list[str]:
    """The names in a folder, in order; none when it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(_FOLDER_ENTRIES), strict=False))
    except OSError:
        return []


def _state(path: Path, source: str) -> FileState:
    try:
        status = path.stat()
    except OSError as error:
        raise _unopened(source, error) from error
    if stat.S_ISDIR(status.st_mode):
        names = [name for name in _names(path) if name.lower().endswith(SUFFIXES)]
        raise BadInputError(
            f"{source!r} is a folder.",
            seen=f"files in it that may be papers: {', '.join(names[:_SUGGESTIONS]) or 'none'}",
            next="Give the path of one file.",
        )
    if not stat.S_ISREG(status.st_mode):
        raise BadInputError(f"{source!r} is not a regular file.", next="Give the path of a file.")
    return _as_state(path, status)


def _is_still(path: str, state: FileState) -> bool:
    """Whether ``path``, its symbolic links followed, leads to the very file of ``state``, unchanged."""
    try:
        now = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return False
    return (now.st_ino, now.st_mtime_ns, now.st_size, now.st_dev) == (
        state.inode,
        state.mtime_ns,
        state.size,
        state.device,
    )


def _as_state(path: Path, status: os.stat_result) -> FileState:
    return FileState(str(path), status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _unopened(source: str, error: OSError) -> PinciteError:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return NotFoundError(f"There is no file {source!r}.")
    if isinstance(error, PermissionError):
        return ForbiddenError(f"{source!r} may not be read.", seen=error.strerror or "", next="Change its permissions.")
    return UnavailableError(f"{source!r} could not be read.", seen=str(error))
