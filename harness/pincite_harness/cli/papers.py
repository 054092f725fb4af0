"""What the commands on papers have in common: names become papers, opened several at once and given in order."""

import glob
import hashlib
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.cli.progress import Bar, bar

if TYPE_CHECKING:
    from pincite import Paper

SUFFIXES = (".pdf", ".xml", ".nxml", ".tex", ".tar.gz", ".tgz", ".zip", ".html", ".htm", ".docx", ".xlsx", ".epub")
"""Files of a folder that may be papers."""

EXIT_NOTHING, EXIT_FAILED, EXIT_INTERRUPTED = 1, 2, 130
"""As grep ends: nothing found (or not so), and a paper that could not be read; as a shell says it: Ctrl-C."""

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Sources = Annotated[
    list[str],
    typer.Argument(metavar="PAPER…", help="Files, folders, globs, addresses, DOIs, arXiv ids.", show_default=False),
]
Source = Annotated[
    str, typer.Argument(metavar="PAPER", help="A file, an address, a DOI or an arXiv id.", show_default=False)
]

_AHEAD = 2
"""Threads beyond the parsing processes, so that these have work while papers are shown."""
_MOST_BEGUN = 32
"""Papers begun and not yet given: those behind a long one go on while it is read."""
_MOST_STEM = 80
"""Characters of a file name that is made of an address."""

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Named:
    """A paper that is meant: ``name`` as it is opened, ``stem`` for what is written of it, with folders below."""

    name: str
    stem: str


def sources_of(given: Sequence[str]) -> list[Named]:
    """The papers that are meant, in order; BadInputError for a folder or a glob without any."""
    found: dict[str, str] = {}
    for name in given:
        for source, stem in _meant(name):
            found.setdefault(source, stem)
    taken: set[str] = set()
    made: list[Named] = []
    for source, stem in found.items():
        unique = stem if stem not in taken else f"{stem}-{hashlib.sha256(source.encode()).hexdigest()[:8]}"
        taken.add(unique)
        made.append(Named(source, unique))
    return made


class Reading:
    """Papers opened several at once and given in order; one that fails is told on stderr, and the others go on.

    ``quiet``: nothing is printed while they are read, so that a terminal has room for a bar.
    """

    def __init__(self, given: Sequence[str], *, quiet: bool = False) -> None:
        self.sources = sources_of(given)
        self.failed = 0
        self._shows = len(self.sources) > 1 and sys.stderr.isatty() and (quiet or not sys.stdout.isatty())

    def papers(self) -> "Iterator[tuple[str, Paper]]":
        """Each paper with the name that it is opened by."""
        for source, paper in self.each(lambda _, paper: paper):
            yield source.name, paper

    def each(
        self, work: "Callable[[Named, Paper], _Made]", sources: Sequence[Named] | None = None
    ) -> Iterator[tuple[Named, _Made]]:
        """What ``work`` makes of each paper, in a thread beside that of others; its PinciteError is the paper's."""
        import pincite
        from pincite_core.settings import load_settings

        settings = load_settings()
        named = self.sources if sources is None else sources
        # Left from the last to the first: work that waits is dropped, processes end, and then the threads have nothing.
        with (
            ThreadPoolExecutor(settings.parse_workers + _AHEAD) as pool,
            pincite.Session(settings) as session,
            _dropping(pool),
            bar(len(named), shown=self._shows) as watcher,
        ):

            def begin(source: Named) -> Future[_Made]:
                return pool.submit(self._one, session.open, source, work, watcher)

            yield from self._in_order(named, begin, settings.parse_workers + _MOST_BEGUN, watcher)

    def _one(
        self,
        open_paper: "Callable[[str], Paper]",
        source: Named,
        work: "Callable[[Named, Paper], _Made]",
        watcher: Bar,
    ) -> _Made:
        paper = open_paper(source.name)
        made = work(source, paper)
        watcher.read(len(paper.pages))
        return made

    def _in_order(
        self, named: Sequence[Named], begin: Callable[[Named], Future[_Made]], most: int, watcher: Bar
    ) -> Iterator[tuple[Named, _Made]]:
        """The results in the order of the sources, ``most`` begun at a time: what is done early waits."""
        going: deque[tuple[Named, Future[_Made]]] = deque()
        rest = iter(named)
        while True:
            while len(going) < most and (source := next(rest, None)) is not None:
                going.append((source, begin(source)))
            if not going:
                return
            source, future = going.popleft()
            try:
                made = future.result()
            except PinciteError as error:
                self.failed += 1
                watcher.say(f"{source.name}: {error}")
            else:
                yield source, made
            watcher.advance()

    def end(self, *, found: bool = True) -> None:
        """End the command: 2 where a paper could not be read, 1 where nothing was found."""
        if self.failed:
            raise typer.Exit(EXIT_FAILED)
        if not found:
            raise typer.Exit(EXIT_NOTHING)


@contextmanager
def one_paper(source: str) -> "Generator[Paper]":
    """The paper of a command on one; an error with it is printed on stderr, and the exit code is 2."""
    import pincite
    from pincite_core.settings import load_settings

    with pincite.Session(load_settings()) as session:
        try:
            yield session.open(source)
        except PinciteError as error:
            typer.echo(f"{source}: {error}", err=True)
            raise typer.Exit(EXIT_FAILED) from error


@contextmanager
def _dropping(pool: ThreadPoolExecutor) -> Generator[None]:
    """Drop what waits when the body is left early."""
    try:
        yield
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _meant(name: str) -> list[tuple[str, str]]:
    """The names of papers, each with the stem of what is written of it."""
    path = Path(name)
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file() and _may_be_paper(file))
        if not files:
            raise BadInputError(f"The folder {name} holds no papers.", next=f"Files of papers end in {_LISTED}.")
        return [(str(file), file.relative_to(path).as_posix()) for file in files]
    if path.exists():
        return [(name, path.name)]
    if not glob.has_magic(name) or "://" in name:
        return [(name, _stem(name))]
    found = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - a pattern may be absolute
    if not found:
        raise BadInputError(f"No file fits {name}.", next="Check the pattern.")
    return [(file, Path(file).name) for file in found]


def _stem(name: str) -> str:
    """A file name for a paper that has none: the letters, digits, dots and dashes of its address or identifier."""
    kept = "".join(char if char.isalnum() or char in ".-" else "_" for char in name.partition("://")[2] or name)
    return kept.strip("._")[:_MOST_STEM] or "paper"


_LISTED = ", ".join(SUFFIXES)


def _may_be_paper(file: Path) -> bool:
    return file.name.lower().endswith(SUFFIXES) and not file.name.startswith(".")
