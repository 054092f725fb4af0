"""Mirror: a run on object storage as a local folder, of which what is complete is published.

Object storage has no rename, but an object appears whole or not at all. A trial counts, there as in a folder, once its
``trial.json`` is there: it is written after the trial's other files and removed before any of them changes.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from pincite_core.errors import BadInputError, NotFoundError, UnavailableError
from pincite_harness.runs.remote.objects import Objects, StoredObject
from pincite_tasks.files import read_json, write_json
from pincite_tasks.trial_record import TRIAL_FILE

LOCK = ".lock"
"""What says who works on a run: a file here, an object there; neither is copied."""
TRIALS = "trials"
_SEEN = ".mirror"
"""Folder of what is known of the objects, a file a trial."""
_AT_ONCE = 8
"""Trials that are fetched at once; set by judgement."""
_TRIES = 3
"""Times that a trial is listed again because it changed while it was fetched; set by judgement."""

Wanted = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Copied:
    """An object and the file that is the same: the file's size and time tell whether it was changed since."""

    etag: str
    size: int
    mtime_ns: int


def without_wire(name: str) -> bool:
    """What reports, audits and analyses read of a run: not the raw requests and responses, which are most of it."""
    parts = PurePosixPath(name).parts
    return "wire" not in parts[2:-1] or name.endswith(".log")


class Mirror:
    """The run at the address of ``objects``, in ``folder``; one process at a time changes it."""

    def __init__(self, objects: Objects, folder: Path) -> None:
        self.objects = objects
        self.folder = folder

    def fetch(self, wanted: Wanted = lambda _: True, trial: str = "") -> None:
        """Bring what is not here as it is there: what of ``wanted`` is new or has changed, of one trial where it is
        named. A trial that is complete here alone stays: it is still to be published."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if trial:
            groups = {trial: self.objects.list(f"{TRIALS}/{trial}")}
        else:
            groups = _by_trial(self.objects.list())
            for path in (self.folder / _SEEN / TRIALS).glob("*.json"):
                groups.setdefault(path.stem, [])
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="pincite-fetch") as executor:
            fetching = [executor.submit(self._fetch_group, name, group, wanted) for name, group in groups.items()]
        for future in fetching:
            future.result()

    def fetch_file(self, name: str) -> None:
        """Bring one of the run's own files."""
        found = self.objects.find(name)
        if found is None:
            raise NotFoundError(f"There is no {self.objects.address / name}.", next="Check the address.")
        seen = self._seen("")
        self._download([found], seen)
        self._note("", seen)

    def publish(self, trial: str) -> None:
        """Write a complete trial's files there, remove what else is there of it, and write its record last."""
        prefix = f"{TRIALS}/{trial}"
        names = [name for name in self._files(prefix) if name != _record(trial)]
        there = {each.name: each.etag for each in self.objects.list(prefix)}
        if there.pop(_record(trial), None) is not None:
            self._withdraw(trial)
        seen = self._seen(trial)
        self._upload((name for name in names if there.get(name) != seen.get(name, _NOTHING).etag), names, seen)
        gone = sorted(there.keys() - set(names))
        self.objects.delete(gone)
        for name in gone:
            seen.pop(name, None)
        self._note(trial, seen)
        self._upload([_record(trial)], [_record(trial)], seen)
        self._note(trial, seen)

    def withdraw(self, trial: str) -> None:
        """Remove a trial's record there: it no longer counts as complete."""
        if _record(trial) in self._seen(trial):
            self._withdraw(trial)

    def _withdraw(self, trial: str) -> None:
        """Noted before, so that after a kill between the two the attempt here is not taken for one that another
        machine withdrew."""
        seen = self._seen(trial)
        seen[_record(trial)] = _NOTHING
        self._note(trial, seen)
        self.objects.delete([_record(trial)])
        del seen[_record(trial)]
        self._note(trial, seen)

    def publish_unpublished(self, trials: Iterable[str]) -> None:
        """Publish the trials that are complete here and not there, as a killed process leaves them."""
        for trial in trials:
            record = _record(trial)
            copied = self._seen(trial).get(record)
            if (self.folder / record).is_file() and (copied is None or not self._is_same(record, copied)):
                self.publish(trial)

    def publish_rest(self) -> None:
        """Write the run's other files there: run.json, reports, analyses."""
        seen = self._seen("")
        names = [name for name in self._files("") if not name.startswith(f"{TRIALS}/")]
        self._upload((), names, seen)
        self._note("", seen)

    def create(self, name: str, data: bytes) -> bool:
        """Write a new object; False where one of that name is there already."""
        return bool(self.objects.create(name, data))

    def _fetch_group(self, trial: str, listed: Sequence[StoredObject], wanted: Wanted) -> None:
        for left in range(_TRIES, 0, -1):
            try:
                self._bring(trial, listed, wanted)
                return
            except (NotFoundError, UnavailableError):
                if left == 1:
                    raise
                groups = _by_trial(self.objects.list(f"{TRIALS}/{trial}" if trial else ""))
                listed = groups.get(trial, [])

    def _bring(self, trial: str, listed: Sequence[StoredObject], wanted: Wanted) -> None:
        """Make a trial's files, or the run's own, as those that are listed."""
        seen = self._seen(trial)
        record = _record(trial) if trial else ""
        names = {each.name for each in listed}
        if record and record not in names:
            withdrawn_here = seen.get(record, _NOTHING) == _NOTHING
            if withdrawn_here and (self.folder / record).is_file():
                return  # complete here, and still to be published
            (self.folder / record).unlink(missing_ok=True)
            if withdrawn_here:  # what the killed attempt has written here since is newer
                listed = [each for each in listed if not (self.folder / each.name).exists()]
        for name in seen.keys() - names:
            (self.folder / name).unlink(missing_ok=True)
            del seen[name]
        stale = [each for each in listed if wanted(each.name) and not self._is_held(each, seen)]
        if stale:
            if record in {each.name for each in stale}:
                self._clear(trial, names)
            self._download(sorted(stale, key=lambda each: each.name == record), seen)
        for each in listed:
            (self.folder / each.name).parent.mkdir(parents=True, exist_ok=True)
        self._note(trial, seen)

    def _clear(self, trial: str, names: set[str]) -> None:
        """Remove a trial's record here, and what is of another attempt than the one that is there."""
        (self.folder / _record(trial)).unlink(missing_ok=True)
        for name in self._files(f"{TRIALS}/{trial}"):
            if name not in names:
                (self.folder / name).unlink()

    def _download(self, objects: Sequence[StoredObject], seen: dict[str, Copied]) -> None:
        for each in objects:
            parts = PurePosixPath(each.name).parts
            if ".." in parts or parts[0] in ("/", _SEEN):  # what is noted there says which files are removed here
                raise BadInputError("An object's name is not one of a run.", seen=each.name, next="Remove the object.")
            path = self.folder / each.name
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            try:
                self.objects.download(each, part)
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
            seen[each.name] = self._copied(each.name, each.etag)

    def _upload(self, missing: Iterable[str], names: Sequence[str], seen: dict[str, Copied]) -> None:
        """Write the files among ``names`` that are missing there or have changed here."""
        absent = set(missing)
        for name in names:
            copied = seen.get(name)
            if name in absent or copied is None or not self._is_same(name, copied):
                seen[name] = self._copied(name, self.objects.upload(name, self.folder / name))

    def _is_held(self, each: StoredObject, seen: dict[str, Copied]) -> bool:
        copied = seen.get(each.name)
        return copied is not None and copied.etag == each.etag and self._is_same(each.name, copied)

    def _is_same(self, name: str, copied: Copied) -> bool:
        path = self.folder / name
        return path.is_file() and self._copied(name, copied.etag) == copied

    def _copied(self, name: str, etag: str) -> Copied:
        state = (self.folder / name).stat()
        return Copied(etag, state.st_size, state.st_mtime_ns)

    def _files(self, below: str) -> list[str]:
        """The files below a folder here, relative to the run, but for what belongs to this machine."""
        root = self.folder / below
        found = sorted(path.relative_to(self.folder) for path in root.rglob("*") if path.is_file())
        return [path.as_posix() for path in found if path.parts[0] not in (_SEEN, LOCK) and path.suffix != ".part"]

    def _seen(self, trial: str) -> dict[str, Copied]:
        path = self._seen_file(trial)
        if not path.is_file():
            return {}
        return {name: Copied(**copied) for name, copied in read_json(path).items()}

    def _note(self, trial: str, seen: dict[str, Copied]) -> None:
        write_json(self._seen_file(trial), {name: asdict(copied) for name, copied in sorted(seen.items())})

    def _seen_file(self, trial: str) -> Path:
        return self.folder / _SEEN / (f"{TRIALS}/{trial}.json" if trial else "run.json")

    def drop(self) -> None:
        """Remove the mirror."""
        shutil.rmtree(self.folder, ignore_errors=True)


_NOTHING = Copied("", 0, 0)


def _record(trial: str) -> str:
    return f"{TRIALS}/{trial}/{TRIAL_FILE}"


def _by_trial(listed: Iterable[StoredObject]) -> dict[str, list[StoredObject]]:
    """Objects by the trial that they belong to; "" for the run's own, which come last."""
    groups: dict[str, list[StoredObject]] = {}
    own: list[StoredObject] = []
    for each in listed:
        parts = each.name.split("/")
        if parts[0] == TRIALS and len(parts) > 2:
            groups.setdefault(parts[1], []).append(each)
        elif each.name != LOCK:
            own.append(each)
    return groups | {"": own}
