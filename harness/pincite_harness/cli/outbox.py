"""Outbox: a folder that a command writes to, with an index of what was made of which bytes, so that it can go on."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from pincite_core.durable import write_whole
from pincite_core.errors import BadInputError
from pincite_harness.cli.papers import EXIT_INTERRUPTED, Named, Reading

INDEX = "index.jsonl"


class Outbox:
    """Files of papers in ``folder``; ``made`` says by which command and options: other options make them again.

    ``index.jsonl`` has a line a paper: its name, id, title, and ``files``. A line is added after its files are
    there whole, so that what an interrupt cut off is made again.
    """

    def __init__(self, folder: Path, made: str) -> None:
        import pincite
        from pincite_core.settings import load_settings

        with pincite.Session(load_settings()) as session:
            self._made = f"{made}, parser {session.parser}"
        self.folder = folder
        self._known: dict[str, dict[str, Any]] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            content = (folder / INDEX).read_bytes() if (folder / INDEX).exists() else b""
        except OSError as error:
            raise _unwritten(folder, error) from error
        self._torn = bool(content) and not content.endswith(b"\n")
        for line in content.splitlines():
            try:
                entry = json.loads(line)
                self._known[entry["paper"]] = entry
            except (ValueError, KeyError, TypeError):
                continue

    def has(self, source: Named) -> bool:
        """Whether the files of these very bytes, made in this way, are there; an address is never known before."""
        entry = self._known.get(source.name)
        if entry is None or entry.get("made") != self._made:
            return False
        files = [file["file"] for file in entry.get("files", ()) if file.get("file")]
        return all((self.folder / name).is_file() for name in files) and entry.get("id") == _digest(source.name)

    def write(self, name: str, content: bytes) -> str:
        """Write a file below the folder, whole or not at all; returns its name."""
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, path.with_name(f".{secrets.token_hex(6)}.part"), content)
        except OSError as error:
            raise _unwritten(path, error) from error
        return name

    def note(self, source: Named, paper_id: str, title: str, files: Sequence[Mapping[str, Any]]) -> None:
        """Add the line of a paper whose files are there."""
        entry = {"paper": source.name, "id": paper_id, "title": title, "made": self._made, "files": files}
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        try:
            with (self.folder / INDEX).open("ab") as file:
                file.write((("\n" if self._torn else "") + line).encode())
        except OSError as error:
            raise _unwritten(self.folder / INDEX, error) from error
        self._torn = False


def fill(outbox: Outbox, reading: Reading, make: Any) -> None:
    """Write what ``make`` (source, paper) gives of each paper that is not there yet, and end the command."""
    waiting = [source for source in reading.sources if not outbox.has(source)]
    there = len(reading.sources) - len(waiting)
    written = 0

    def work(source: Named, paper: Any) -> tuple[str, str, Sequence[Mapping[str, Any]]]:
        return paper.id, paper.title, make(source, paper)

    def counts() -> str:
        kept = f", {there} there before" if there else ""
        failed = f", {reading.failed} failed" if reading.failed else ""
        return f"{written} written{kept}{failed}: {outbox.folder / INDEX}"

    try:
        for source, (paper_id, title, files) in reading.each(work, waiting):
            outbox.note(source, paper_id, title, files)
            written += 1
    except KeyboardInterrupt:
        typer.echo(f"Stopped. {counts()}. The same command goes on from there.", err=True)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    typer.echo(counts(), err=True)
    reading.end()


def _digest(name: str) -> str | None:
    """The id of the paper in a file, None where there is no such file."""
    try:
        with Path(name).open("rb") as file:
            return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
    except OSError:
        return None


def _unwritten(path: Path, error: OSError) -> BadInputError:
    return BadInputError(f"{path} could not be written.", seen=str(error), next="Give another --out.")
