"""Changes of a bundle, of every kind and at every file in turn: the file itself, what it was unpacked into, and a file
that was sealed again after the change."""

import io
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_harness.bundles.seal import unpack, write_sealed
from pincite_harness.bundles.verifying import VerifyOptions, verify_bundle

Files = dict[str, bytes]
"""The members of a bundle by name."""
FORMS = ("file", "folder", "sealed again")
_LIMIT = 10**9
"""Bytes that a bundle's members may have here."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed bundle: in which form, what was changed at which member, and where it lies."""

    form: str
    kind: str
    member: str
    path: Path


def one_byte(files: Files, name: str, draw: random.Random) -> None:
    """Another byte in place of one of the file's."""
    data = bytearray(files[name])
    if data:
        place = draw.randrange(len(data))
        data[place] = draw.choice([byte for byte in range(256) if byte != data[place]])
    else:
        data.append(draw.randrange(256))
    files[name] = bytes(data)


def cut(files: Files, name: str, draw: random.Random) -> None:
    """The file ends early; one that is empty has a byte more."""
    files[name] = files[name][: draw.randrange(len(files[name]))] if files[name] else b"x"


def longer(files: Files, name: str, draw: random.Random) -> None:
    """A byte is put in somewhere: a blank that JSON would not notice, or any."""
    place = draw.randrange(len(files[name]) + 1)
    more = draw.choice([b" ", b"\n", bytes([draw.randrange(256)])])
    files[name] = files[name][:place] + more + files[name][place:]


def removed(files: Files, name: str, _draw: random.Random) -> None:
    """The file is gone."""
    del files[name]


def added(files: Files, name: str, draw: random.Random) -> None:
    """Another file lies beside it, empty, or with its content."""
    files[f"{name}.more"] = draw.choice([b"", files[name]])


def renamed(files: Files, name: str, draw: random.Random) -> None:
    """The file has another name in the same folder."""
    files[f"{name}{draw.choice('xyz')}"] = files.pop(name)


def swapped(files: Files, name: str, draw: random.Random) -> None:
    """The file and another have each other's content."""
    other = draw.choice([each for each in files if files[each] != files[name]])
    files[name], files[other] = files[other], files[name]


KINDS: tuple[Callable[[Files, str, random.Random], None], ...] = (
    one_byte, cut, longer, removed, added, renamed, swapped,
)  # fmt: skip


class Mutants:
    """Draws mutants of one bundle and tries them; ``place`` is a folder for what is written."""

    def __init__(self, bundle: Path, place: Path, seed: int) -> None:
        self._bundle = bundle
        self._whole = bundle.read_bytes()
        self._draw = random.Random(seed)
        self._path = place / "mutant.zip"
        self._folder = place / "mutant"
        shutil.rmtree(self._folder, ignore_errors=True)
        unpack(bundle, self._folder, _LIMIT)
        lying = (path for path in self._folder.rglob("*") if path.is_file())
        self.files: Files = {path.relative_to(self._folder).as_posix(): path.read_bytes() for path in sorted(lying)}

    def draw(self, count: int, members: Sequence[str] = ()) -> Iterator[Mutant]:
        """``count`` mutants, over forms, kinds and ``members`` (all where none is named) in turn; each lies at its path
        until the next."""
        members = members or sorted(self.files)
        for number in range(count):
            form = FORMS[number % len(FORMS)]
            kind = KINDS[number // len(FORMS) % len(KINDS)]
            member = members[number // (len(FORMS) * len(KINDS)) % len(members)]
            if form == "file":
                self._path.write_bytes(self._changed_file(kind, member))
                yield Mutant(form, kind.__name__, member, self._path)
                continue
            files = dict(self.files)
            kind(files, member, self._draw)
            if form == "folder":
                touched = {name for name in {*files, *self.files} if files.get(name) != self.files.get(name)}
                self._write(touched, files)
                yield Mutant(form, kind.__name__, member, self._folder)
                self._write(touched, self.files)
            else:
                self._path.unlink(missing_ok=True)
                write_sealed(self._path, files)
                yield Mutant(form, kind.__name__, member, self._path)

    def _write(self, names: set[str], files: Files) -> None:
        for name in names:
            if name in files:
                (self._folder / name).write_bytes(files[name])
            else:
                (self._folder / name).unlink()

    def _changed_file(self, kind: Callable[[Files, str, random.Random], None], member: str) -> bytes:
        """The bundle's own bytes with a change where it keeps the member, or with other members and the old seal."""
        if kind in (one_byte, cut, longer):
            with zipfile.ZipFile(self._bundle) as archive:
                begins = sorted(entry.header_offset for entry in archive.infolist())
                begin = archive.getinfo(member).header_offset
            ends = [*begins, len(self._whole)]
            end = ends[ends.index(begin) + 1]
            part = {"": self._whole[begin:end]}
            kind(part, "", self._draw)
            return self._whole[:begin] + part[""] + self._whole[end:]
        files = dict(self.files)
        kind(files, member, self._draw)
        written = io.BytesIO()
        with zipfile.ZipFile(self._bundle) as before, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(files.items()):
                archive.writestr(name, content)
            archive.comment = before.comment
        return written.getvalue()


def is_found(mutant: Mutant) -> bool:
    """Whether verifying the mutant fails, or refuses to take it for a bundle."""
    try:
        return verify_bundle(mutant.path, VerifyOptions(replay=False)).failed
    except PinciteError:
        return True
