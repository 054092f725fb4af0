"""Work: what a build has done so far, a folder with one result a paper; each appears whole or not at all."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from pincite_core.errors import PinciteError
from pincite_harness.curation.building.tasks import Made
from pincite_tasks.files import read_json, write_atomic, write_json

Outcome = Literal["built", "left_out", "failed"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one paper. ``reason`` says why it has no tasks; a failed one that may do better is tried again."""

    paper: str
    outcome: Outcome
    reason: str = ""
    paper_id: str = ""
    doi: str = ""
    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    files: dict[str, str] = field(default_factory=dict[str, str])
    """Where each file of the family lies in the work folder."""
    dropped: dict[str, int] = field(default_factory=dict[str, int])


class Work:
    """The work folder; ``key`` is the digest of the options: results of other ones are not taken."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder = folder
        self._key = key

    def find(self, name: str, digest: str) -> Result | None:
        """The result of a paper with these bytes; None where there is none yet, or it failed."""
        path = self._place(digest)
        try:
            kept = cast("dict[str, Any]", read_json(path))
        except PinciteError:
            return None
        if kept.get("key") != self._key or kept.get("outcome") == "failed" or kept.get("paper") != name:
            return None
        result = Result(**{name: kept[name] for name in Result.__slots__ if name in kept})
        return result if all((self.folder / place).is_file() for place in result.files.values()) else None

    def place(self, digest: str, made: Made) -> dict[str, str]:
        """Write the files of a paper's tasks: where each lies."""
        folder = digest.removeprefix("sha256:")[:16]
        for name, data in made.files.items():
            write_atomic(self.folder / folder / name, data)
        return {name: f"{folder}/{name}" for name in made.files}

    def keep(self, digest: str, result: Result) -> None:
        """Write a paper's result, whose files are placed."""
        fields = {name: getattr(result, name) for name in Result.__slots__}
        write_json(self._place(digest), {"key": self._key, **fields})

    def _place(self, digest: str) -> Path:
        return self.folder / f"{digest.removeprefix('sha256:')[:16]}.json"
