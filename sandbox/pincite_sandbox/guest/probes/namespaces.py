"""Probes of mounts and namespaces: a machine of one's own within this one."""

from __future__ import annotations

import ctypes
import os
import signal
import tempfile

from .attempt import Attempt, Refused, Targets
from .calls import call, heard

_NEW = {"user": 0x10000000, "mount": 0x00020000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x08000000,
        "uts": 0x04000000, "cgroup": 0x02000000}  # fmt: skip
_REMOUNT, _BIND = 32, 4096
"""Flags of mount(2)."""


def _mount(source: bytes, target: bytes, kind: bytes, flags: int, data: bytes = b"") -> str:
    call("mount", source, target, kind, flags, data or None)
    return f"{kind.decode() or source.decode()} was mounted on {target.decode()}"


def _folder() -> bytes:
    return tempfile.mkdtemp().encode()


def mount_scratch(_targets: Targets) -> str:
    """Mount a file system of our own."""
    return _mount(b"none", _folder(), b"tmpfs", 0)


def mount_proc(_targets: Targets) -> str:
    """Mount a second /proc, without what hides parts of it."""
    return _mount(b"proc", _folder(), b"proc", 0)


def mount_cgroup(_targets: Targets) -> str:
    """Mount the control groups, whose release agent runs outside."""
    try:
        return _mount(b"cgroup", _folder(), b"cgroup2", 0)
    except PermissionError:
        return _mount(b"cgroup", _folder(), b"cgroup", 0, b"memory")


def remount_root(_targets: Targets) -> str:
    """Make the root writable."""
    return _mount(b"none", b"/", b"", _REMOUNT | _BIND)


def bind_root(_targets: Targets) -> str:
    """Show the root in another place."""
    return _mount(b"/", _folder(), b"", _BIND)


def new_mount_calls(_targets: Targets) -> str:
    """The newer way to mount."""
    try:
        return heard("fsopen", b"tmpfs", 0)
    except Refused:
        return heard("open_tree", -100, b"/", 1)


def new_user_namespace(_targets: Targets) -> str:
    """Become root of a user namespace of our own."""
    call("unshare", _NEW["user"])
    return "a new user namespace was made"


def new_namespaces(_targets: Targets) -> str:
    """Any other namespace of our own."""
    for name, flag in _NEW.items():
        try:
            call("unshare", flag)
        except OSError:
            continue
        return f"a new {name} namespace was made"
    raise Refused("none is made")


def cloned_namespace(_targets: Targets) -> str:
    """A child in a user namespace of its own, by either call."""
    for name, words in (("clone", (_NEW["user"] | signal.SIGCHLD, 0, 0, 0, 0)), ("clone3", None)):
        try:
            if words is None:
                block = (ctypes.c_uint64 * 11)(_NEW["user"], 0, 0, 0, signal.SIGCHLD)
                child = call(name, ctypes.byref(block), 88)
            else:
                child = call(name, *words)
        except OSError:
            continue
        if child == 0:
            os._exit(0)
        return f"{name} made a child in a new user namespace"
    raise Refused("neither call makes one")


def enter_namespace(_targets: Targets) -> str:
    """Enter the namespaces of process 1."""
    done: list[str] = []
    for name in ("mnt", "pid", "net", "ipc", "uts"):
        try:
            descriptor = os.open(f"/proc/1/ns/{name}", os.O_RDONLY)
            call("setns", descriptor, 0)
        except OSError:
            continue
        done.append(name)
    if not done:
        raise Refused("none can be entered")
    return f"entered: {', '.join(done)}"


def change_root(_targets: Targets) -> str:
    """Change the root folder."""
    call("chroot", b"/")
    return "the root was changed"


def pivot(_targets: Targets) -> str:
    """Swap the root file system."""
    return heard("pivot_root", b"/no-such-folder", b"/no-such-folder")


def by_handle(_targets: Targets) -> str:
    """Open a file by its number on the disk, whatever is mounted."""
    handle = (ctypes.c_uint32 * 8)(8, 1, 2, 0)
    folder = os.open("/", os.O_RDONLY)
    return heard("open_by_handle_at", folder, ctypes.byref(handle), 0)


NAMESPACES = [
    Attempt("mount", "a file system of its own", mount_scratch),
    Attempt("mount-proc", "a second /proc mounted", mount_proc),
    Attempt("mount-cgroup", "control groups mounted (release_agent)", mount_cgroup),
    Attempt("mount-bind", "the root in another place", bind_root),
    Attempt("mount-new-calls", "mounting by fsopen and open_tree", new_mount_calls),
    Attempt("remount-root", "the root made writable", remount_root),
    Attempt("unshare-user", "a user namespace", new_user_namespace),
    Attempt("unshare", "any other namespace", new_namespaces),
    Attempt("clone-user", "a child in a user namespace", cloned_namespace),
    Attempt("setns", "the namespaces of process 1", enter_namespace),
    Attempt("chroot", "another root", change_root),
    Attempt("pivot-root", "another root file system", pivot),
    Attempt("open-by-handle", "files by their number on the disk", by_handle),
]
