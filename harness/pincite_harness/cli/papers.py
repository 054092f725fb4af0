"""What the commands on papers have in common: files, folders and globs become papers, one after the other."""

import glob
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite_core.errors import BadInputError, PinciteError

if TYPE_CHECKING:
    from pincite import Paper

SUFFIXES = (".pdf", ".xml", ".nxml", ".tex", ".tar.gz", ".tgz", ".zip", ".html", ".htm")
"""Files of a folder that may be papers."""

EXIT_NOTHING, EXIT_FAILED = 1, 2
"""As grep ends: nothing found (or not so), and a paper that could not be read."""

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Sources = Annotated[
    list[str], typer.Argument(metavar="PAPER…", help="Files, folders, globs or addresses.", show_default=False)
]
Source = Annotated[str, typer.Argument(metavar="PAPER", help="A file or an address.", show_default=False)]


def sources_of(given: Sequence[str]) -> list[str]:
    """The papers that are meant, in order; BadInputError for a folder or a glob without any."""
    found: dict[str, None] = {}
    for name in given:
        found.update(dict.fromkeys(_meant(name)))
    return list(found)


class Reading:
    """Papers opened one after the other; one that cannot be read is told on stderr, and the others go on."""

    def __init__(self, given: Sequence[str]) -> None:
        self.sources = sources_of(given)
        self.failed = 0

    def papers(self) -> "Iterator[tuple[str, Paper]]":
        """Each paper with the name that it was given by."""
        import pincite

        for number, source in enumerate(self.sources, 1):
            self._tell(f"{number}/{len(self.sources)} {source}")
            try:
                paper = pincite.open_paper(source)
            except PinciteError as error:
                self.failed += 1
                typer.echo(f"{source}: {error}", err=True)
                continue
            yield source, paper

    def end(self, *, found: bool) -> None:
        """End the command: 2 where a paper could not be read, 1 where nothing was found."""
        if self.failed:
            raise typer.Exit(EXIT_FAILED)
        if not found:
            raise typer.Exit(EXIT_NOTHING)

    def _tell(self, what: str) -> None:
        """Progress, for a person who waits for many papers."""
        if len(self.sources) > 1 and sys.stderr.isatty():
            typer.echo(what, err=True)


def _meant(name: str) -> list[str]:
    path = Path(name)
    if path.is_dir():
        files = sorted(str(file) for file in path.rglob("*") if file.is_file() and _may_be_paper(file))
        if not files:
            raise BadInputError(f"The folder {name} holds no papers.", next=f"Files of papers end in {_LISTED}.")
        return files
    if path.exists() or not glob.has_magic(name) or "://" in name:
        return [name]
    files = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - a pattern may be absolute
    if not files:
        raise BadInputError(f"No file fits {name}.", next="Check the pattern.")
    return files


_LISTED = ", ".join(SUFFIXES)


def _may_be_paper(file: Path) -> bool:
    return file.name.lower().endswith(SUFFIXES) and not file.name.startswith(".")
