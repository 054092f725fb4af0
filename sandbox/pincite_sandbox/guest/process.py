"""Starting commands inside a sandbox and ending all of them."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from .filter import install

_PR_SET_PDEATHSIG = 1
"""Option of prctl(2): the signal when the parent dies."""
_PR_SET_DUMPABLE = 4
"""Option of prctl(2): whether others of the same user may look into the process."""
_PR_CAPBSET_DROP = 24
"""Option of prctl(2): a capability that no descendant can gain."""
_PR_SET_CHILD_SUBREAPER = 36
"""Option of prctl(2): orphans become children of this process."""
_PR_SET_NO_NEW_PRIVS = 38
"""Option of prctl(2): no program gives more rights, set-uid ones neither."""
_CAPABILITY_VERSION_3 = 0x20080522
"""Version of the structures of capset(2)."""
_CAPABILITIES = 64
"""Numbers of capabilities that capset(2) can name; the kernel refuses those that it does not know."""
_LINUX = sys.platform == "linux"
_libc = ctypes.CDLL(None) if _LINUX else None


@dataclass
class Confinement:
    """How commands run: as ``uid`` (None: as the supervisor does), with limits in bytes and processes."""

    uid: int | None = None
    memory: int | None = None
    pids: int | None = None
    file_size: int | None = None
    filtered: bool = False
    """System calls that reach for the kernel rather than for files and sockets are refused (``filter``)."""
    whole_namespace: bool = False
    """The supervisor is process 1 of its own namespace: every other process there is a command's."""
    groups: set[int] = field(default_factory=set[int])
    """Process groups of the commands started, for systems that do not know subreapers."""


def protect_supervisor() -> None:
    """Adopt orphans (a command cannot flee by forking twice) and close this process's memory to the commands."""
    if _libc is not None:
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def spawn(argv: list[str], cwd: str, env: dict[str, str], out: int, err: int, rules: Confinement) -> int:
    """Fork and run a command in a session of its own; OSError with the errno of the step that failed."""
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(told)
            _become(cwd, out, err, rules)
            os.execvpe(argv[0], argv, env)  # noqa: S606
        except BaseException as error:  # noqa: BLE001
            number = error.errno if isinstance(error, OSError) else 0
            os.write(tell, f"{number or 0}\n{_failed_step(error, cwd)}".encode("utf-8", "replace"))
        finally:
            os._exit(127)
    os.close(tell)
    with os.fdopen(told, "rb") as pipe:
        trouble = pipe.read()
    if trouble:
        number, _, step = trouble.decode("utf-8", "replace").partition("\n")
        raise OSError(int(number), step)
    rules.groups.add(pid)
    return pid


def _failed_step(error: BaseException, cwd: str) -> str:
    name = error.filename if isinstance(error, OSError) else None
    return "cwd" if name is not None and os.fsdecode(name) == cwd else str(error)


def _become(cwd: str, out: int, err: int, rules: Confinement) -> None:
    """Turn the forked child into what runs the command; the order of the steps matters."""
    os.setsid()
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.umask(0o022)
    # Where memory runs out, it is a command that is killed and never the supervisor.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
    enter(rules)
    os.chdir(cwd)


def enter(rules: Confinement) -> None:
    """Give up privileges and take on the limits."""
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_DATA, rules.memory),
        (resource.RLIMIT_NPROC, rules.pids),
        (resource.RLIMIT_FSIZE, rules.file_size),
    ):
        if value is not None:
            hard = resource.getrlimit(kind)[1]
            allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (allowed, allowed))
    if rules.uid is not None:
        _change_user(rules.uid)
    if _libc is not None:
        # After the change of user, which clears the death signal.
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if rules.filtered:
            install(_libc)


def confinement() -> dict[str, int | None]:
    """What the kernel says of this process: its limits in bytes and processes, its capabilities and its filters."""
    said: dict[str, int | None] = {}
    for name, kind in (("memory", resource.RLIMIT_DATA), ("pids", resource.RLIMIT_NPROC)):
        soft = resource.getrlimit(kind)[0]
        said[name] = None if soft == resource.RLIM_INFINITY else soft
    rows = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    said["capabilities"] = sum(int(rows[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"))
    said["no_new_privileges"], said["filter"] = int(rows["NoNewPrivs"]), int(rows["Seccomp"])
    return said


def _change_user(uid: int) -> None:
    """Become a user without any capability, now or through a program run later."""
    if _libc is not None:
        for capability in range(_CAPABILITIES):
            _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if _libc is not None:
        # The change of user clears all sets but the inheritable one.
        header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
        if _libc.capset(header, (ctypes.c_uint32 * 6)()) != 0:
            raise OSError(errno.EPERM, "capabilities could not be given up")


def kill_round(rules: Confinement) -> None:
    """Send SIGKILL once to every process of the commands; call again until no child is left."""
    if rules.whole_namespace:
        _kill(-1)
    elif rules.uid is not None:
        _kill_as(rules.uid)
    else:
        pids = descendants(os.getpid())
        # Stopped first: what forks while it is being killed would otherwise win the race.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in pids:
                _kill(pid, number)
        for group in rules.groups:
            _kill(-group)


def _kill(pid: int, number: int = signal.SIGKILL) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _kill_as(uid: int) -> None:
    """Kill every process of a user: only a process of that user may signal all of them and nobody else."""
    pid = os.fork()
    if pid == 0:
        try:
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        except OSError:
            pass
        finally:
            os._exit(0)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def descendants(root: int) -> list[int]:
    """Process ids below ``root``, parents first."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    waiting = [root]
    while waiting:
        for pid in children.get(waiting.pop(), []):
            found.append(pid)
            waiting.append(pid)
    return found


def _parents() -> list[tuple[int, int]]:
    if not Path("/proc/self").is_dir():
        listing = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, check=False).stdout
        rows = [line.split() for line in listing.splitlines()]
        return [(int(row[0]), int(row[1])) for row in rows if len(row) == 2]
    pairs: list[tuple[int, int]] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                # The command's name in brackets may itself hold brackets and blanks.
                fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
                pairs.append((int(folder.name), int(fields[1])))
            except (OSError, IndexError):
                continue
    return pairs
