"""RunFolder: where a run keeps its specification and its trials, and the lock against a second harness."""

import fcntl
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.durable import sync_folder
from pincite_core.errors import BadInputError, NotFoundError, UnavailableError
from pincite_harness.runs.lock import Lock
from pincite_harness.runs.specification import RunSpecification
from pincite_tasks.files import read_json, write_json
from pincite_tasks.spending import SPENT_FILE
from pincite_tasks.task import describe_validation
from pincite_tasks.trial_record import TRIAL_FILE, TrialRecord, parse_record

RUN_FILE = "run.json"
RETRIES = "retries"
_LOCK_FILE = ".lock"


class RunDocument(BaseModel):
    """run.json."""

    model_config = ConfigDict(extra="forbid")

    schema_version: Literal["pincite-run/1"] = "pincite-run/1"
    name: str
    created_at: str
    specification: RunSpecification
    lock: Lock
    trials: list[str]
    """Names of all trials of the run, in order, run or not yet."""
    task_counts: dict[str, int] = Field(default_factory=dict)
    """How many tasks each family had when the run began, in its sample or not."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """``runs/<name>``."""

    path: Path

    @property
    def address(self) -> str:
        """What names the run on the command line."""
        return str(self.path)

    @property
    def trials(self) -> Path:
        """The folder of the trials' folders."""
        return self.path / "trials"

    def trial(self, name: str) -> Path:
        """The folder of one trial."""
        return self.trials / name

    def create(self, document: RunDocument) -> None:
        """Make the folder and write run.json; BadInputError when a run already exists."""
        if (self.path / RUN_FILE).exists():
            raise BadInputError(
                f"There is a run in {self.path} already.",
                next=f"pincite resume {self.path} goes on with it; another --name starts a new one.",
            )
        self.trials.mkdir(parents=True, exist_ok=True)
        write_json(self.path / RUN_FILE, document.model_dump(mode="json"))

    def read(self) -> RunDocument:
        """run.json; NotFoundError without it, BadInputError when it is none."""
        if not (self.path / RUN_FILE).is_file():
            raise NotFoundError(f"{self.path} is not a run: it has no {RUN_FILE}.", next="Name a run's folder.")
        try:
            return RunDocument.model_validate(read_json(self.path / RUN_FILE))
        except ValidationError as error:
            raise BadInputError(f"{self.path / RUN_FILE} is not a run.", seen=describe_validation(error)) from error

    def record(self, name: str) -> TrialRecord | None:
        """A trial's record; None while its folder is not complete."""
        path = self.trial(name) / TRIAL_FILE
        return parse_record(read_json(path), str(path)) if path.is_file() else None

    def set_aside(self, name: str) -> int:
        """Move what an earlier attempt left into ``retries/<k>`` as evidence; the number of those set aside so far."""
        folder = self.trial(name)
        retries = folder / RETRIES
        entries = list(retries.iterdir()) if retries.is_dir() else []
        done = sorted(int(entry.name) for entry in entries if entry.name.isdecimal())
        left = self._left(name)
        if not left:
            return len(done)
        target = retries / str(done[-1] + 1 if done else 1)
        target.mkdir(parents=True)
        for entry in left:
            entry.rename(target / entry.name)
        sync_folder(folder)
        return len(done) + 1

    def publish(self, name: str) -> None:
        """A trial's folder is complete: bring it to where the run is read, if that is elsewhere. OSError where that
        cannot be."""

    def publish_rest(self) -> None:
        """The same of the run's own files, its reports among them."""

    def _left(self, name: str) -> list[Path]:
        """What is in a trial's folder but for its retries and what all attempts spent. The record is first: a folder
        that loses the others later is not taken for a complete one meanwhile."""
        folder = self.trial(name)
        if not folder.is_dir():
            return []
        left = [entry for entry in folder.iterdir() if entry.name not in (RETRIES, SPENT_FILE)]
        return sorted(left, key=lambda entry: (entry.name != TRIAL_FILE, entry.name))

    def discard(self, name: str) -> None:
        """Remove a trial that was killed before its end, but keep its failed attempts and what all of them spent."""
        for entry in self._left(name):
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()

    @contextmanager
    def held(self) -> Generator[None]:
        """Hold the run against another harness; UnavailableError while one has it. A killed harness lets go."""
        with self.locked() as handle:
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
            yield

    @contextmanager
    def locked(self) -> Generator[int]:
        """Keep harnesses off without being one: the handle of the lock's file; UnavailableError while one has it."""
        self.path.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UnavailableError(
                    f"Another pincite is working on {self.path}.",
                    seen=f"process {os.read(handle, 32).decode() or 'unknown'}",
                    next="Wait for it, or stop it.",
                ) from None
            yield handle
        finally:
            os.close(handle)
