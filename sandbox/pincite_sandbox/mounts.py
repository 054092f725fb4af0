"""What of this machine a bubblewrap sandbox shows, as arguments of ``bwrap``: read-only all of it, and little."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from pincite_core.errors import ForbiddenError, NotFoundError

from .local import MIB, PACKAGE
from .process import BASE_PYTHON

HOME = "/home/agent"
INSIDE = "/run/pincite"
"""Where the guest programs and the doors' sockets are, read-only."""

SHARED = ("/dev/shm", "/tmp")  # noqa: S108
"""Scratch folders beside the working folder and the home, for all users inside."""

_WORKDIRS = ("/work", "/workspace", "/pincite")
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = (
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/certs",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/nix/store",
)
"""What programs need of the machine's settings: nothing that names its users, its network or its keys."""

_SETTINGS_OF_KERNEL = "/proc/sys"
"""Some settings belong to a namespace's owner, which in a user namespace is the agent's user."""

SYSTEM = ("/usr", _SETTINGS_OF_KERNEL, *_SYSTEM, *_SETTINGS)
"""What every bubblewrap sandbox shows of the machine."""


def workdir(programs: Iterable[Path]) -> str:
    """The working folder inside: the first name that no program's folder lies in."""
    taken = [str(program) for program in programs]
    return next(name for name in _WORKDIRS if not any(f"{path}/".startswith(f"{name}/") for path in taken))


def system_mounts(scratch_mb: int, work: str) -> list[str]:
    """The system, the interpreter, the guest programs, and scratch folders in memory of ``scratch_mb`` MiB each."""
    mounts = ["--ro-bind", "/usr", "/usr", "--proc", "/proc", "--ro-bind", _SETTINGS_OF_KERNEL, _SETTINGS_OF_KERNEL]
    mounts += ["--dev", "/dev"]
    for name in _SYSTEM:
        path = Path(name)
        if path.is_symlink():
            mounts += ["--symlink", str(path.readlink()), name]
        elif path.is_dir():
            mounts += ["--ro-bind", name, name]
    mounts += [*_folder(Path("/etc")), *_folder(Path("/run"))]
    for name in filter(os.path.exists, _SETTINGS):
        # Bubblewrap's own parents would be closed to the commands' user.
        for parent in reversed(Path(name).parents[:-2]):
            mounts += _folder(parent)
        mounts += ["--ro-bind", name, name]
    mounts += [*_folder(Path(INSIDE)), "--ro-bind", str(PACKAGE / "guest"), f"{INSIDE}/guest"]
    for folder in (work, HOME, *SHARED):
        mounts += [
            "--perms",
            "1777" if folder in SHARED else "0755",
            "--size",
            str(scratch_mb * MIB),
            "--tmpfs",
            folder,
        ]
    return mounts


def program_mounts(programs: Sequence[Path], hidden: Sequence[Path]) -> list[str]:
    """The interpreter's folder and those of the programs at the paths that they have on this machine, then nothing
    in the places of what is ``hidden`` in them.

    They come after the scratch folders, which may hold their paths. NotFoundError for a folder that is not there,
    ForbiddenError for one that is itself hidden.
    """
    mounts: list[str] = []
    shown = [Path("/usr")]
    for folder in (BASE_PYTHON.parent.parent, *programs):
        path = folder.absolute()
        if not path.is_dir():
            raise NotFoundError(f"The folder of programs {path} is not there.", next="Install what it should hold.")
        if any(path.is_relative_to(parent) for parent in shown):
            continue
        shown.append(path)
        for parent in reversed(path.parents[:-1]):
            mounts += _folder(parent)
        mounts += ["--ro-bind", str(path), str(path)]
    return [*mounts, *_covers(hidden, shown)]


def _covers(hidden: Sequence[Path], shown: Sequence[Path]) -> list[str]:
    """An empty folder or file over each hidden one, by every path under which it is shown."""
    covers: list[str] = []
    places = {path.resolve(): path for path in hidden}
    outermost = [real for real in places if not any(other in places for other in real.parents)]
    for real in outermost:
        path = places[real]
        for parent in shown:
            root = parent.resolve()
            if root.is_relative_to(real):
                raise ForbiddenError(
                    f"The folder of programs {parent} lies in {path}, which must not be seen in a sandbox.",
                    next="Install the program elsewhere.",
                )
            if not real.is_relative_to(root) or not real.exists():
                continue
            place = str(parent / real.relative_to(root))
            covers += ["--tmpfs", place, "--remount-ro", place] if real.is_dir() else ["--ro-bind", "/dev/null", place]
    return covers


def _folder(path: Path) -> list[str]:
    return ["--perms", "0755", "--dir", str(path)]
