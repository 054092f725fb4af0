"""A bubblewrap sandbox: namespaces of its own, a read-only system, scratch space in memory, no network."""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite_core.errors import PinciteError, UnavailableError

from .base import SHOWN, SandboxSpec
from .bubblewrap_linter import lint_bubblewrap
from .cgroup import ControlGroup
from .figures import Figures
from .gold import with_gold
from .linter import Known, lint_shown, lint_words, refuse
from .local import BOOT, MIB, PACKAGE, Launch, LocalSandbox
from .mounts import HOME, INSIDE, SHARED, program_mounts, system_mounts, workdir
from .process import BASE_PYTHON, OWNER_VARIABLE, next_uid

_UID = 1000
"""The agent's user id inside, where the harness is not root."""

CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_CHOWN", "CAP_KILL")
"""What the supervisor of a root harness needs to become the agent's user and to end what that user runs, even when no
process is left to do it as that user; no command has any."""

_PROBE_SECONDS = 20.0
"""Seconds in which bubblewrap must have shown that it works here. Set by judgement."""
_FILTERED = 2
"""SECCOMP_MODE_FILTER, as /proc/self/status has it."""
_WARNING = "bubblewrap: memory is limited per process, not in total, and processors are not limited"

INSTALL = "apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora)"


class BubblewrapSandbox(LocalSandbox):
    """Commands run below a supervisor that is process 1 of a namespace in which nothing of the machine is writable.

    A user namespace maps the harness's user to the agent's. A root harness would be root there too for whatever asks
    for its id only (/proc/sys does), so its supervisor stays outside of any and commands get a user id of their own.
    """

    backend = "bubblewrap"

    def __init__(self, spec: SandboxSpec) -> None:
        super().__init__(spec)
        self.workdir = workdir(spec.programs)
        self._group: ControlGroup | None = None

    async def prepare(self) -> Launch:
        """Build the command line; UnavailableError when bubblewrap is not there."""
        if shutil.which("bwrap") is None:
            raise UnavailableError("Bubblewrap is not installed.", next=INSTALL)
        # Before any of these folders is looked through for gold.
        programs = tuple(path.absolute() for path in self.spec.programs)
        refuse(lint_shown([(str(path), True) for path in programs], Known(programs=programs)))
        limits = self.spec.limits
        self._group = ControlGroup.make(self.spec.owner, limits)
        uid = next_uid() if os.geteuid() == 0 else None
        rules: dict[str, object] = {"whole_namespace": True, "filtered": True, "pids": limits.pids, "uid": uid}
        if self._group is None:
            rules["memory"] = limits.memory_mb * MIB
            self.warnings = (*self.warnings, _WARNING)
        command = _namespaces()
        command += system_mounts(limits.scratch_mb, self.workdir)
        command += program_mounts(self.spec.programs, self._hidden())
        doors: dict[str, str] = {}
        for number, (name, path) in enumerate(self.spec.doors.items()):
            doors[name] = f"{INSIDE}/doors/{number}"
            command += ["--ro-bind", str(path), doors[name]]
        if self.spec.shown is not None:
            command += ["--ro-bind", str(self.spec.shown), SHOWN]
        files = {path: _in_memory(content) for path, content in _accounts(uid or _UID).items()}
        for path, descriptor in files.items():
            command += ["--perms", "0644", "--ro-bind-data", str(descriptor), path]
        command += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", self.workdir, "--"]
        try:
            self._lint(command)
        except PinciteError:
            for descriptor in files.values():
                os.close(descriptor)
            raise
        command = [*(self._group.joining() if self._group else []), *command]
        command += [str(BASE_PYTHON), "-I", "-S", "-B", "-c", BOOT, INSIDE, "supervisor"]
        return Launch(
            command=command,
            config={
                "workdir": self.workdir,
                "doors": doors,
                "rules": rules,
                "owned": [self.workdir, HOME] if uid else [],
                "watched": [self.workdir, HOME, *SHARED],
            },
            env=_environment(self.spec.owner),
            inherited=tuple(files.values()),
        )

    def _hidden(self) -> tuple[Path, ...]:
        return with_gold(self.spec.hidden, self.spec.programs)

    def _lint(self, command: Sequence[str]) -> None:
        """ForbiddenError where the sandbox would not be sealed."""
        mounts = frozenset((PACKAGE / "guest", *self.spec.doors.values()))
        shown = (self.spec.shown,) if self.spec.shown is not None else ()
        programs = (BASE_PYTHON.parent.parent, *(path.absolute() for path in self.spec.programs), *shown)
        known = Known(mounts, supervisor=True, programs=programs, hidden=self._hidden())
        capabilities = CAPABILITIES if os.geteuid() == 0 else ()
        refuse([*lint_bubblewrap(command, known, capabilities), *lint_words(self.spec.env)])

    async def figures(self) -> Figures:
        """The supervisor sees the scratch space; the control group is out of its sight."""
        seen = await self.reported()
        return Figures.of({**seen, **self._group.figures()} if self._group is not None else seen)

    def doubts(self, figures: Figures, ready: Mapping[str, Any]) -> tuple[str, ...]:
        """Limits and confinement that were asked for and are not in force."""
        said = ready["confinement"]
        doubts: list[str] = []
        if self._group is None:
            # Without a group these two hold for each process, and processors are not limited: said already.
            figures = replace(figures, memory=said["memory"], pids=said["pids"], cpus=0)
        if said["capabilities"] or not said["no_new_privileges"]:
            doubts.append("bubblewrap: commands keep privileges on this machine")
        if said["filter"] != _FILTERED:
            doubts.append("bubblewrap: system calls are not filtered on this machine's kind of processor")
        return (*figures.unkept(self.spec.limits, self.backend), *doubts)

    async def clean_up(self) -> None:
        """Remove the control group."""
        if self._group is not None:
            await asyncio.to_thread(self._group.remove)


async def why_not() -> str:
    """Why bubblewrap cannot be used here, tried for real; empty when it can."""
    if shutil.which("bwrap") is None:
        return "bwrap is not installed"
    process = await asyncio.create_subprocess_exec(
        *_namespaces(), *system_mounts(1, workdir(())), *program_mounts((), ()),
        "--", str(BASE_PYTHON), "-I", "-S", "-c", "",
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        _, said = await asyncio.wait_for(process.communicate(), _PROBE_SECONDS)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        return f"bwrap did not come up in {_PROBE_SECONDS:.0f} s"
    return "" if process.returncode == 0 else said.decode("utf-8", "replace").strip() or f"exit {process.returncode}"


def _namespaces() -> list[str]:
    options = [
        "bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
        "--hostname", "sandbox", "--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL",
    ]  # fmt: skip
    if os.geteuid() != 0:
        return [*options, "--unshare-user", "--uid", str(_UID), "--gid", str(_UID)]
    for capability in CAPABILITIES:
        options += ["--cap-add", capability]
    return options


def _accounts(uid: int) -> dict[str, str]:
    """The accounts and names that programs ask for, by path."""
    nobody = "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
    return {
        "/etc/passwd": f"root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:{uid}:{uid}:agent:{HOME}:/bin/sh\n{nobody}",
        "/etc/group": f"root:x:0:\nagent:x:{uid}:\nnogroup:x:65534:\n",
        "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
    }


def _in_memory(content: str) -> int:
    """A descriptor of a nameless file that holds the text."""
    descriptor = os.memfd_create("pincite")
    os.write(descriptor, content.encode())
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _environment(owner: str) -> dict[str, str]:
    return {
        "PATH": f"{BASE_PYTHON.parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": HOME,
        "TMPDIR": "/tmp",  # noqa: S108
        "USER": "agent",
        "LANG": "C.UTF-8",
        OWNER_VARIABLE: owner,
    }
