"""Read the session that a CLI agent left, whichever it was."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from pincite_core.errors import BadInputError, NotFoundError
from pincite_doors.media import MediaStore
from pincite_trajectory.atif import Trajectory
from pincite_trajectory.sessions import claude_code, codex, gemini_cli, qwen_code
from pincite_trajectory.sessions.records import SessionFile, read_file
from pincite_trajectory.sessions.story import Story


class _Kind(NamedTuple):
    source: str
    is_mine: Callable[[SessionFile], bool]
    is_subagent: Callable[[SessionFile], bool]
    read: Callable[[SessionFile], Story]


_KINDS = (
    _Kind(codex.SOURCE, codex.is_codex, codex.is_subagent, codex.read_codex),
    _Kind(claude_code.SOURCE, claude_code.is_claude_code, claude_code.is_subagent, claude_code.read_claude_code),
    _Kind(qwen_code.SOURCE, qwen_code.is_qwen_code, qwen_code.is_subagent, qwen_code.read_qwen_code),
    _Kind(gemini_cli.SOURCE, gemini_cli.is_gemini_cli, gemini_cli.is_subagent, gemini_cli.read_gemini_cli),
)
_KNOWN = "Give a session file of Claude Code, Codex, Gemini CLI or Qwen Code."


def read_session(path: Path, out_folder: Path) -> Trajectory:
    """The trajectory of a session file, or of the one session in a folder, with its sub-agents; images become files
    under ``out_folder/media``. What tells the kind is what the file holds.

    NotFoundError where nothing is there, BadInputError where it is not a session of Claude Code, Codex, Gemini CLI or
    Qwen Code, holds no step, or where a folder holds several.
    """
    media = MediaStore(out_folder)
    file, kind = _only(path, media) if path.is_dir() else _recognised(read_file(path, media))
    story = kind.read(file)
    if not story.scenes:
        raise BadInputError(f"{path} is a {kind.source} in which nothing was said.", next="Choose another session.")
    return story.trajectory(kind.source)


def _recognised(file: SessionFile) -> tuple[SessionFile, _Kind]:
    kind = _kind_of(file)
    if kind is None:
        seen = ", ".join(sorted(file.records[0])) if file.records else "no JSON objects"
        raise BadInputError(f"{file.path} is not a session of a known agent.", seen=seen, next=_KNOWN)
    return file, kind


def _only(folder: Path, media: MediaStore) -> tuple[SessionFile, _Kind]:
    """The one session below a folder that is not a sub-agent's."""
    files = [read_file(path, media) for path in sorted(folder.rglob("*.json*")) if path.is_file()]
    found = [(file, kind) for file in files if (kind := _kind_of(file)) is not None and not kind.is_subagent(file)]
    if not found:
        raise NotFoundError(f"There is no session of a known agent below {folder}.", next=_KNOWN)
    if len(found) > 1:
        names = ", ".join(str(file.path.relative_to(folder)) for file, _ in found)
        raise BadInputError(f"There are {len(found)} sessions below {folder}.", seen=names, next="Name one of them.")
    return found[0]


def _kind_of(file: SessionFile) -> _Kind | None:
    return next((kind for kind in _KINDS if kind.is_mine(file)), None)
