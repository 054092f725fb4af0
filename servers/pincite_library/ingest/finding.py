"""Finding: the files under what was named, and the identifiers and addresses among it."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from pincite_core.errors import BadInputError, ForbiddenError, NotFoundError, PinciteError
from pincite_literature.identifiers import cut_short, identified
from pincite_papers.opening.roots import no_roots

_TEMPORARY = ("~", ".part", ".crdownload", ".download")
_LONGEST_PATH = 4096
"""Bytes of a path that Linux takes (PATH_MAX)."""


class Kind(StrEnum):
    """What a source is."""

    FILE = "file"
    IDENTIFIER = "identifier"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A source that may give a paper. ``name`` is a real path, an address, or an identifier ("doi:10.1000/x").

    ``direct``: named itself, not found in a folder. ``problem``: why it cannot be looked at.
    """

    name: str
    kind: Kind = Kind.FILE
    direct: bool = False
    problem: PinciteError | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What was found: candidates, each once, in order; the folders that were walked, and those that hid a part."""

    candidates: list[Candidate] = field(default_factory=list[Candidate])
    folders: list[str] = field(default_factory=list[str])
    unseen: list[str] = field(default_factory=list[str])
    """Folders that could not be listed: what is known in them is not gone."""
    missing: list[str] = field(default_factory=list[str])
    """Paths that were named and are not there."""

    def pass_over(self, names: Iterable[str]) -> None:
        """Drop the candidates with these names."""
        dropped = set(names)
        self.candidates[:] = [candidate for candidate in self.candidates if candidate.name not in dropped]


class Finder:
    """Finds what sources name: under ``roots``, to which relative paths belong too, or anywhere for None.

    ``apart``: folders that are passed over in others, such as the library's own. ``unset``: the user set no folder, and
    errors say so.
    """

    def __init__(self, roots: Sequence[Path] | None = None, *, apart: Sequence[Path] = (), unset: bool = False) -> None:
        self._unset = unset
        self._roots = None if roots is None else tuple(Path(os.path.realpath(root)) for root in roots)
        self._apart = {os.path.realpath(folder) for folder in apart}

    def find(self, sources: Sequence[str]) -> Found:
        """All that the sources name; what cannot be looked at is a candidate with its problem."""
        found = Found()
        seen: set[str] = set()
        for source in sources:
            for candidate in self._of(source.strip(), found):
                if candidate.name not in seen:
                    seen.add(candidate.name)
                    found.candidates.append(candidate)
        return found

    def _of(self, source: str, found: Found) -> Iterator[Candidate]:
        try:
            path = self._located(source)
        except PinciteError as error:
            yield Candidate(source, direct=True, problem=error)
            return
        if path is None:
            yield self._named(source, found)
        elif path.is_dir():
            found.folders.append(str(path))
            yield from self._walk(path, found)
        else:
            yield _checked(Candidate(str(path), direct=True))

    def _located(self, source: str) -> Path | None:
        """The real path of what is there under this name; None for nothing."""
        if not source:
            raise BadInputError(
                "No source was named.", next="Give a file, a folder, a DOI, an arXiv id, PMID or PMCID."
            )
        if len(source) > _LONGEST_PATH or "\0" in source or "://" in source:
            return None
        path = Path(source)
        if source.startswith("~"):
            path = Path(os.path.expanduser(source))  # noqa: PTH111 - it leaves a name without a user as it is
        bases = self._roots if self._roots is not None and not path.is_absolute() else (Path.cwd(),)
        for base in bases:
            real = Path(os.path.realpath(base / path))
            there = os.path.lexists(base / path)
            if there and self._allows(real):
                return real
            # Whether a file outside is there is not told either.
            if not self._allows(real) and (there or identified(source) is None):
                raise self._outside(source)
        if self._unset and identified(source) is None:
            raise no_roots(source)
        return None

    def _outside(self, source: str) -> ForbiddenError:
        if self._unset:
            return no_roots(source)
        return ForbiddenError(
            f"{source!r} is outside the folders that papers may be read from.",
            seen=f"allowed: {', '.join(map(str, self._roots or ()))}",
            next="Give a path inside these folders, or let the user add a folder to PINCITE_ROOTS.",
        )

    def _named(self, source: str, found: Found) -> Candidate:
        """What is not a path that exists: an identifier, an address, or a path that is not there."""
        identifier = None if source.startswith(("/", "./", "../", "~")) else identified(source)
        if identifier is not None:
            return Candidate(identifier, Kind.IDENTIFIER, direct=True)
        if source.lower().startswith(("http://", "https://")):
            return Candidate(source, Kind.ADDRESS, direct=True)
        path = os.path.abspath(os.path.expanduser(source))  # noqa: PTH100, PTH111
        found.missing.append(path)
        problem = cut_short(source) or NotFoundError(
            f"There is no file or folder {source!r}, and it is not an identifier.",
            next="Give a path that exists, a DOI, an arXiv id, a PMID or a PMCID.",
        )
        return Candidate(path, direct=True, problem=problem)

    def _walk(self, folder: Path, found: Found) -> Iterator[Candidate]:
        """The files under a folder in the order of their names, hidden ones and links to folders left out."""

        def unlisted(error: OSError) -> None:
            found.unseen.append(str(error.filename))

        for place, folders, names in os.walk(folder, onerror=unlisted):
            folders[:] = sorted(
                name for name in folders if not name.startswith(".") and f"{place}/{name}" not in self._apart
            )
            for name in sorted(names):
                if not name.startswith(".") and not name.endswith(_TEMPORARY):
                    yield from self._entry(Path(place, name), folder)

    def _entry(self, path: Path, folder: Path) -> Iterator[Candidate]:
        """The file at a path that was found in ``folder``; nothing for what is not a file."""
        real = Path(os.path.realpath(path)) if path.is_symlink() else path
        if not real.is_file():
            return
        inside = real.is_relative_to(folder) if self._roots is None else self._allows(real)
        if inside:
            yield _checked(Candidate(str(real)))
            return
        problem = ForbiddenError(
            f"{str(path)!r} is a link that leads out of the folder.",
            seen=str(real),
            next="Add that file by its own path.",
        )
        yield _checked(Candidate(str(path), problem=problem))

    def _allows(self, path: Path) -> bool:
        return self._roots is None or any(path.is_relative_to(root) for root in self._roots)


def _checked(candidate: Candidate) -> Candidate:
    """The candidate, with its problem where its name cannot be kept."""
    try:
        candidate.name.encode()
    except UnicodeEncodeError:
        shown = candidate.name.encode(errors="surrogateescape").decode(errors="replace")
        problem = BadInputError(f"The name of {shown!r} is not UTF-8.", next="Rename the file.")
        return Candidate(shown, direct=candidate.direct, problem=problem)
    return candidate
