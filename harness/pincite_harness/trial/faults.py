"""Faults: an error that nobody expected in a stage of a trial is that trial's failure, told with its traceback."""

import errno
import traceback
from pathlib import Path

from pincite_doors.redactor import Redactor
from pincite_harness.trial.stages import now
from pincite_tasks.failure import Cause

FAULTS_FILE = "faults.log"
_MACHINE = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENODEV)
)
"""A full or broken disk, no more files or memory: every other trial would meet the same."""
_TOLD_CHARACTERS = 300
"""Characters of an error's words in a failure."""


def is_of_machine(error: BaseException) -> bool:
    """Whether an error is of the machine and not of one trial: the run stops at it."""
    return isinstance(error, OSError) and error.errno in _MACHINE


def cause_of(stage: str) -> Cause:
    """The cause that a fault in a stage stands under: up to the answer it is an outage, afterwards the scorer's."""
    return Cause.SCORER_FAILED if stage in {"validate", "score"} else Cause.SANDBOX_FAILED


def describe_fault(stage: str, error: BaseException) -> str:
    """One line: where, what."""
    words = " ".join(str(error).split())[:_TOLD_CHARACTERS]
    return f"{stage}: {type(error).__name__}: {words}".removesuffix(": ")


def write_fault(folder: Path, stage: str, error: BaseException, redactor: Redactor, trace: str = "") -> None:
    """Append the traceback to the trial's faults.log; a disk that does not take it is not a second fault."""
    told = trace or "".join(traceback.format_exception(error))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / FAULTS_FILE).open("ab") as file:
            file.write(redactor.clean(f"{now()} {stage}\n{told.rstrip()}\n\n".encode("utf-8", "replace")))
    except OSError:
        return
