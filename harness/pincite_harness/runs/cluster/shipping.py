"""Shipping: a trial's plan as bytes for another machine, with the files that it names by their digests."""

import importlib.util
import io
import pickle
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pincite_core.errors import UnavailableError
from pincite_harness.trial.plan import TrialPlan
from pincite_tasks.corpus.corpus import WORKS_FILE
from pincite_tasks.files import digest_bytes, digest_file, write_atomic

_PACKAGES = ("pincite_harness", "pincite_tasks")
"""Packages whose files are on every node: the same version of pincite is installed there."""
_KEPT_SECONDS = 7 * 24 * 3600.0
"""Seconds that a node keeps a file after a trial last used it; set by judgement."""

_Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shipment:
    """A packed plan and the files to send with it, by digest."""

    packed: bytes
    files: Mapping[str, Path]


class InputFolder:
    """Files that trials on this machine were sent, by digest; ``fetch`` gives the bytes of one that is missing."""

    def __init__(self, folder: Path, fetch: Callable[[str], bytes]) -> None:
        self.folder = folder
        self._fetch = fetch

    def path(self, digest: str, name: str) -> Path:
        """The file ``name`` with that content; UnavailableError where other bytes came."""
        place = self.folder / digest.replace(":", "-")
        path = place / name
        if not path.is_file():
            data = self._fetch(digest)
            if digest_bytes(data) != digest:
                raise UnavailableError(f"The file {name} came damaged.", seen=digest_bytes(data), next="Try again.")
            write_atomic(path, data)
        place.touch()
        return path

    def tree(self, files: Mapping[str, str]) -> Path:
        """A folder with files of these relative paths and digests."""
        place = self.folder / digest_bytes(repr(sorted(files.items())).encode()).replace(":", "-")
        for name, digest in files.items():
            path = place / name
            if not path.is_file():
                write_atomic(path, self.path(digest, path.name).read_bytes())
        place.touch()
        return place

    def prune(self) -> None:
        """Remove what no trial has used for a week."""
        oldest = time.time() - _KEPT_SECONDS
        for place in self.folder.iterdir() if self.folder.is_dir() else ():
            if place.stat().st_mtime < oldest:
                shutil.rmtree(place, ignore_errors=True)


def pack(plan: TrialPlan) -> Shipment:
    """The plan without the other tasks of its family."""
    alone = replace(plan, family=replace(plan.family, tasks=(plan.task,)))
    buffer = io.BytesIO()
    packer = _Packer(buffer)
    packer.dump(alone)
    return Shipment(buffer.getvalue(), packer.files)


def unpack(packed: bytes, inputs: InputFolder) -> TrialPlan:
    """The plan with the paths of this machine."""
    return _Unpacker(io.BytesIO(packed), inputs).load()


class _Packer(pickle.Pickler):
    """Writes paths as places: in a package, a file or a corpus by digest, or as they are."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self.files: dict[str, Path] = {}

    def persistent_id(self, obj: Any) -> Any:
        return self._place(obj) if isinstance(obj, Path) else None

    def _place(self, path: Path) -> tuple[Any, ...]:
        for package in _PACKAGES:
            folder = _folder_of(package)
            if path.is_relative_to(folder):
                return ("package", package, path.relative_to(folder).as_posix())
        if path.is_file():
            return ("file", self._sent(path), path.name)
        if (path / WORKS_FILE).is_file():
            inside = sorted(each for each in path.rglob("*") if each.is_file())
            return ("tree", {each.relative_to(path).as_posix(): self._sent(each) for each in inside})
        return ("path", str(path))

    def _sent(self, path: Path) -> str:
        digest = digest_file(path)
        self.files[digest] = path
        return digest


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, inputs: InputFolder) -> None:
        super().__init__(file)
        self._inputs = inputs

    def persistent_load(self, pid: Any) -> Path:
        match pid:
            case ("package", package, relative):
                return _folder_of(package) / relative
            case ("file", digest, name):
                return self._inputs.path(digest, name)
            case ("tree", files):
                return self._inputs.tree(files)
            case (_, path):
                return Path(path)
            case _:
                raise pickle.UnpicklingError(f"no place: {pid!r}")


def _folder_of(package: str) -> Path:
    found = importlib.util.find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent
