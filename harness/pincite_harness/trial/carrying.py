"""Carrying: what an agent leaves in ``carry/`` goes to the next trial of its chain, bounded and without secrets."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pincite_doors.redactor import Redactor
from pincite_harness.trial.sessions import FOLDER, keep_sessions
from pincite_sandbox.base import Sandbox
from pincite_tasks.files import digest_bytes, digest_json, write_atomic

CARRY = "carry"
"""The folder below the working folder that is carried on."""
MOST_BYTES = 5_000_000
"""Bytes of all files that are carried on: records of some thousand papers. They are put into every trial's working
folder, which is memory, at most 1 GiB with all else."""
MOST_FILES = 200
"""Files that go from trial to trial. Set by judgement."""
NOTE = f"""

The folder `{CARRY}/` below the working folder holds what you left there in earlier tasks of this series; in the first
one it is not there yet. What you leave in it is there in the next task, up to {MOST_BYTES // 1_000_000} MB.
"""
"""Stands at the end of the prompt of a trial in a chain."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Files by their path below ``carry/``."""

    files: Mapping[str, bytes]

    @property
    def digest(self) -> str | None:
        """The digest of the names and contents; None for nothing."""
        contents = {name: digest_bytes(data) for name, data in self.files.items()}
        return digest_json(contents) if contents else None

    def briefed(self) -> dict[str, bytes]:
        """The files as they are put into a working folder."""
        return {f"{CARRY}/{name}": data for name, data in self.files.items()}

    def write(self, trial_folder: Path) -> None:
        """Write them as what this trial passes on, in place of what its agent left."""
        for path in _files(trial_folder):
            path.unlink()
        for name, data in self.files.items():
            write_atomic(place(trial_folder) / name, data)


NOTHING = Carried({})


def place(trial_folder: Path) -> Path:
    """Where a trial's folder has what it passes on."""
    return trial_folder / FOLDER / CARRY


async def keep_carried(sandbox: Sandbox, trial_folder: Path, redactor: Redactor) -> str | None:
    """Take ``carry/`` out of the sandbox into the trial's folder: regular files alone, without secrets, the smallest
    first up to the limits. Says what could not be kept."""
    said = await keep_sessions(sandbox, (CARRY,), trial_folder, redactor)
    found = sorted(_files(trial_folder), key=lambda path: (path.stat().st_size, str(path)))
    room, left = MOST_BYTES, 0
    for number, path in enumerate(found):
        room -= path.stat().st_size
        if room < 0 or number >= MOST_FILES:
            path.unlink()
            left += 1
    if left:
        limits = f"{MOST_BYTES} bytes and {MOST_FILES} files"
        return f"{CARRY}/ exceeds {limits}: {left} of {len(found)} files are not carried on"
    return said


def read_carried(trial_folder: Path) -> Carried:
    """What a finished trial passes on; nothing where its folder is not there."""
    base = place(trial_folder)
    return Carried({str(path.relative_to(base)): path.read_bytes() for path in _files(trial_folder)})


def _files(trial_folder: Path) -> list[Path]:
    base = place(trial_folder)
    return sorted(path for path in base.rglob("*") if path.is_file() and not path.is_symlink())
