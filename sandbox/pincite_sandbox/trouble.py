"""From what a sandbox says went wrong to the error of pincite's tree."""

import errno
from collections.abc import Mapping, Sequence
from typing import Any

from pincite_core.errors import (
    BadInputError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    PinciteError,
    UnavailableError,
)

from .linter import lint_words, refuse
from .output import Output

_WORD_LIMIT = 120_000
"""Linux takes 128 KiB."""

_KINDS: dict[str, type[PinciteError]] = {
    "not_found": NotFoundError,
    "forbidden": ForbiddenError,
    "limit_reached": LimitReachedError,
    "bad_input": BadInputError,
}


def check_command(argv: Sequence[str], env: Mapping[str, str]) -> None:
    """BadInputError for what no system could run, ForbiddenError for keys in its words or variables."""
    if not argv or any("\0" in word for word in argv):
        raise BadInputError("A command needs at least one word, and no NUL character in any.")
    if any(len(word) > _WORD_LIMIT for word in (*argv, *env.values())):
        raise BadInputError(f"A word of the command or its environment is longer than {_WORD_LIMIT} characters.")
    refuse(lint_words(env, argv))
    for name, value in env.items():
        if not name or "=" in name or "\0" in name + value:
            raise BadInputError(f"{name!r} cannot be an environment variable.", next="no = in names, no NUL character")


def file_error(answer: Mapping[str, Any]) -> PinciteError:
    """The error for a failed put or get."""
    return _KINDS.get(str(answer["error"]), UnavailableError)(str(answer["what"]))


def start_error(number: int, step: str, program: str, cwd: str) -> PinciteError:
    """The error for a command that could not be started: errno and the step that failed."""
    if number in (errno.ENOENT, errno.ENOTDIR):
        missing = f"the folder {cwd}" if step == "cwd" else f"the program {program}"
        return NotFoundError(f"The command cannot start: {missing} is not in the sandbox.")
    if number in (errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.EISDIR):
        return BadInputError(f"The command cannot start: {program} (in {cwd}) is not executable.", seen=step)
    if number == errno.E2BIG:
        return BadInputError("The command cannot start: its arguments and environment are too long.")
    if number in (errno.EAGAIN, errno.ENOMEM):
        return LimitReachedError("The command cannot start: no process or memory is left in the sandbox.", seen=step)
    return UnavailableError(f"The command {program} cannot start.", seen=f"{step} (errno {number})")


def docker_refusal(code: int | None, pid: int, output: Output, program: str) -> str:
    """The runtime's words when it could not start a command; empty when the command ran."""
    said = (output.bytes_of("stdout") + output.bytes_of("stderr")).decode("utf-8", "replace").strip()
    if code in (126, 127) and pid == 0:
        return said or f"exit {code}"
    # Found out only by the last step, when the exec already counts as started.
    return said if code == 1 and said == f"exec {program}: exec format error" else ""


def docker_start_error(said: str, program: str, cwd: str) -> PinciteError:
    """The error for a command that the runtime could not start, by its words: its exit code says little."""
    if "chdir to cwd" in said or "mkdir" in said or "Cwd" in said:
        return start_error(errno.ENOENT, "cwd", program, cwd)
    if "not found" in said or "no such file" in said:
        return start_error(errno.ENOENT, said, program, cwd)
    if "permission denied" in said or "is a directory" in said or "exec format error" in said:
        return start_error(errno.EACCES, said, program, cwd)
    if "argument list too long" in said:
        return start_error(errno.E2BIG, said, program, cwd)
    if "resource temporarily unavailable" in said or "cannot allocate memory" in said:
        return start_error(errno.EAGAIN, said, program, cwd)
    return start_error(0, said, program, cwd)
