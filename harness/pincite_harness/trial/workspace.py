"""Workspace: a trial's scratch folder on the host: the task's papers for the servers, and the doors' socket.

Its name says whose it is, so that what a killed harness left behind is found and removed.
"""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pincite_sandbox.owner import is_alive, owner_label
from pincite_tasks.task import Task

WORKSPACE_PREFIX = "pincite-trial-"

LEDGER_FILE = "claims.db"
"""The claims that a trial's agent recorded, in the trial's folder; its head lies beside it."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """``papers`` holds copies of the task's papers and nothing else, ``files`` those of its files, ``fetched`` and
    ``library`` what servers fetch and index for this trial, ``scratch`` the folders that third-party servers run in;
    ``doors`` is the folder of the doors' sockets. ``ledger`` lies in the trial's folder: the claims outlive the
    workspace."""

    papers: Path
    files: Path
    fetched: Path
    library: Path
    scratch: Path
    doors: Path
    ledger: Path

    def socket(self, door: str) -> Path:
        """Where a door listens; short enough for a Unix socket."""
        return self.doors / f"{door}.sock"


@contextmanager
def open_workspace(task: Task, trial_folder: Path) -> Generator[Workspace]:
    """A fresh workspace with the task's papers; removed at the end."""
    owner = owner_label().replace(":", "-")
    folder = Path(tempfile.mkdtemp(prefix=f"{WORKSPACE_PREFIX}{owner}-"))
    try:
        # The sandbox's user passes through to the socket, but cannot list.
        folder.chmod(0o711)
        papers, files, fetched, doors = (folder / name for name in ("papers", "files", "fetched", "doors"))
        papers.mkdir(mode=0o700)
        files.mkdir(mode=0o700)
        fetched.mkdir(mode=0o700)
        doors.mkdir(mode=0o711)
        doors.chmod(0o711)
        for paper in task.papers:
            shutil.copyfile(paper, papers / paper.name)
        for file in task.files:
            shutil.copyfile(file, files / file.name)
        ledger = trial_folder.resolve() / LEDGER_FILE
        yield Workspace(papers, files, fetched, folder / "library", folder / "scratch", doors, ledger)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def reap_workspaces() -> list[Path]:
    """Remove the workspaces of harnesses that no longer run, and say which."""
    reaped: list[Path] = []
    for folder in Path(tempfile.gettempdir()).glob(f"{WORKSPACE_PREFIX}*-*-*"):
        pid, started, *_ = folder.name.removeprefix(WORKSPACE_PREFIX).split("-", 2)
        if not is_alive(f"{pid}:{started}"):
            shutil.rmtree(folder, ignore_errors=True)
            reaped.append(folder)
    return reaped
