"""A plain process as a sandbox: the fallback where neither Docker nor bubblewrap is there."""

import asyncio
import itertools
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .base import SandboxSpec
from .guest.files import remove_tree
from .local import BOOT, MIB, PACKAGE, Launch, LocalSandbox

SCRATCH_PREFIX = "pincite-sandbox-"
OWNER_VARIABLE = "PINCITE_SANDBOX_OWNER"
"""In the environment of every process of a plain sandbox, so that a reaper finds what a dead harness left."""

_FIRST_UID, _UIDS = 1_879_048_192, 268_435_455
"""User ids that systemd's table of ranges leaves unused."""
_UIDS_A_PROCESS = 64
"""User ids that one harness hands out in turn, so that harnesses beside each other seldom share one."""
BASE_PYTHON = Path(sys.executable).resolve()
"""The interpreter below any virtual environment."""

_counter = itertools.count()

_WARNING = "plain process: files and network of this machine are within the agent's reach; use Docker or bubblewrap"
_WARNING_SCRATCH = "plain process: scratch space is limited per file, not in total"
_WARNING_MEMORY = "plain process: memory is limited per process, not in total, and processors are not limited"


class ProcessSandbox(LocalSandbox):
    """Commands run in sessions of their own below a supervisor, in a temporary folder, with a minimal environment.

    Where the harness is root they run as a user id of their own, which owns nothing else on the machine.
    """

    backend = "process"

    def __init__(self, spec: SandboxSpec) -> None:
        super().__init__(spec)
        self._scratch: Path | None = None

    async def prepare(self) -> Launch:
        """Make the scratch folder, and look whether a user of its own can work in it."""
        folder = tempfile.mkdtemp(prefix=f"{SCRATCH_PREFIX}{self.spec.owner.replace(':', '-')}-")
        self._scratch = Path(folder)
        work = self._scratch / "work"
        for path in (work, self._scratch / "tmp", self._scratch / "home"):
            path.mkdir()
        self.workdir = str(work)
        uid, python = await self._user()
        limits = self.spec.limits
        warnings = [_WARNING, _WARNING_MEMORY, _WARNING_SCRATCH]
        if uid is None and os.geteuid() == 0:
            warnings.append(
                "plain process: the agent runs as root, for Python or its programs are out of reach of another user"
            )
        self.warnings = (*self.warnings, *warnings)
        rules = {"uid": uid, "memory": limits.memory_mb * MIB, "file_size": limits.scratch_mb * MIB}
        rules["pids"] = limits.pids if uid is not None else limits.pids + _processes_of(os.getuid())
        return Launch(
            command=[sys.executable, "-I", "-S", "-B", "-c", BOOT, str(PACKAGE), "supervisor"],
            config={
                "workdir": self.workdir,
                "scratch": str(self._scratch),
                "doors": {name: str(path.resolve()) for name, path in self.spec.doors.items()},
                "rules": rules,
            },
            env={
                "PATH": f"{Path(python).parent}{os.pathsep}/usr/local/bin{os.pathsep}/usr/bin{os.pathsep}/bin",
                "HOME": str(self._scratch / "home"),
                "TMPDIR": str(self._scratch / "tmp"),
                "LANG": "C.UTF-8",
                OWNER_VARIABLE: self.spec.owner,
            },
        )

    async def _user(self) -> tuple[int | None, str]:
        """The user id that commands run as (None: the harness's own) and the Python within its reach."""
        assert self._scratch is not None
        own = str(BASE_PYTHON)
        if os.geteuid() != 0:
            return None, own
        uid = next_uid()
        for path in (self._scratch, *self._scratch.iterdir()):
            os.chown(path, uid, uid)
        for python in dict.fromkeys((own, "/usr/bin/python3", "/usr/local/bin/python3")):
            if await _runs_as(uid, python, self.workdir, self.spec.programs):
                return uid, python
        for path in (self._scratch, *self._scratch.iterdir()):
            os.chown(path, 0, 0)
        return None, own

    async def clean_up(self) -> None:
        """Remove the scratch folder where the supervisor could not."""
        if self._scratch is not None:
            await asyncio.to_thread(remove_tree, str(self._scratch))


def next_uid() -> int:
    """A user id that owns nothing on the machine, different for each of the last 64 sandboxes of this process."""
    return _FIRST_UID + (os.getpid() * _UIDS_A_PROCESS + next(_counter) % _UIDS_A_PROCESS) % _UIDS


async def _runs_as(uid: int, python: str, folder: str, programs: Sequence[Path]) -> bool:
    null = asyncio.subprocess.DEVNULL
    look = "import ssl, os, sys; [os.listdir(folder) for folder in ('.', *sys.argv[1:])]"
    command = [python, "-I", "-c", look, *map(str, programs)]
    try:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, env={}, stdin=null, stdout=null, stderr=null, user=uid, group=uid, extra_groups=()
        )
    except OSError:
        return False
    return await process.wait() == 0


def _processes_of(uid: int) -> int:
    """Threads that a user runs already: the kernel's limit counts them all."""
    count = 0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if entry.stat().st_uid == uid:
                count += sum(1 for _ in (entry / "task").iterdir())
        except OSError:
            continue
    return count
