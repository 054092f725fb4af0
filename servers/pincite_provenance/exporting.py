"""export_claims: the ledger as a file that others can read; its text, and the file itself as a resource."""

import hashlib
import re
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired

import anyio.to_thread
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError, UnavailableError
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor
from pincite_papers.arguments import Cursor, MaxChars
from pincite_provenance.state import ProvenanceState

if TYPE_CHECKING:
    from pincite_provenance.export.exporting import Export, Written

Format = Literal["web-annotation", "prov", "ro-crate", "pdf", "markdown"]

URI = "claims://exports/{name}"
"""Where a client reads an exported file."""

_FOLDER = "exports"
_NAMES = {
    "web-annotation": "claims.jsonld",
    "prov": "claims.prov.json",
    "ro-crate": "claims.ro-crate.zip",
    "markdown": "claims.md",
}
_TYPES = {
    ".jsonld": "application/ld+json",
    ".json": "application/json",
    ".zip": "application/zip",
    ".pdf": "application/pdf",
    ".md": "text/markdown",
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,60}")
_FRAME_CHARS = 800
"""Room for what stands beside the content."""


class ExportedFile(TypedDict):
    """A file that was written; ``uri`` is the resource that holds it."""

    name: str
    media_type: str
    bytes: int
    sha256: str
    uri: str


class Exported(TypedDict):
    """``content`` is the text of a JSON or markdown file, page by page; ``facts`` in how many claims quote, value and
    claim stand; ``notes`` what was left out, and a source that had to be rewritten."""

    format: str
    claims: int
    facts: str
    files: list[ExportedFile]
    notes: NotRequired[list[str]]
    content: NotRequired[str]
    next_cursor: str | None


async def export_claims(
    state: ProvenanceState,
    format: Annotated[Format, Field(description="pdf: the papers with their quotes marked")] = "web-annotation",  # noqa: A002
    paper: Annotated[str, Field(description="Id, DOI or part of the title")] = "",
    everything: Annotated[bool, Field(description="Superseded and retracted ones too")] = False,
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Exported:
    """Export the recorded claims, with quote, locator and verdict, to hand in or keep. JSON comes as text here too;
    every file is a resource to read."""

    def export() -> Exported:
        from pincite_provenance.export.exporting import Export
        from pincite_provenance.ledger.entry import read_ledger

        audited, entries = read_ledger(state.ledger)
        chosen = Export(audited, entries, paper=paper, everything=everything, settings=state.settings, files=False)
        try:
            written = _write(chosen, format, export_folder(state))
        except OSError as error:
            raise UnavailableError("The export could not be written.", seen=str(error.strerror)) from error
        count, facts = chosen.tally(format)
        files = [each.file for each in written if each.file is not None]
        made = Exported(
            format=format, claims=count, facts=facts, files=[_described(file) for file in files], next_cursor=None
        )
        notes = [note for each in written for note in _notes(each)]
        if notes:
            made["notes"] = notes
        if format in ("web-annotation", "prov", "markdown"):
            query = ("export_claims", format, paper, everything, audited.head)
            _add_content(made, files[0].read_text("utf-8"), cursor, max_chars, query)
        return made

    return await anyio.to_thread.run_sync(export)


def export_folder(state: ProvenanceState) -> Path:
    """The folder beside the ledger where exports are kept, the last one of each format."""
    return state.settings.ledger.parent / _FOLDER


def read_export(state: ProvenanceState, name: str) -> bytes:
    """An exported file by its name; NotFoundError for any other."""
    file = export_folder(state) / name
    if not _NAME.fullmatch(name) or file.suffix not in _TYPES or file.is_symlink() or not file.is_file():
        raise NotFoundError(f"There is no export {name[:60]!r}.", next="Export with export_claims, and read its uri.")
    return file.read_bytes()


def _write(chosen: "Export", kind: Format, folder: Path) -> "list[Written]":
    if kind == "pdf":
        folder.mkdir(parents=True, exist_ok=True)
        return chosen.write(kind, folder)
    file = folder / _NAMES[kind]
    return chosen.write(kind, file) if kind != "ro-crate" else [_zipped(chosen, file)]


def _zipped(chosen: "Export", file: Path) -> "Written":
    """The crate as one file."""
    import zipfile

    from pincite_provenance.export.exporting import Written

    crate = file.with_name(f"{secrets.token_hex(4)}.crate")
    beside = file.with_name(f"{secrets.token_hex(4)}.tmp")
    try:
        chosen.write("ro-crate", crate)
        with zipfile.ZipFile(beside, "x", zipfile.ZIP_DEFLATED) as archive:
            for each in sorted(crate.iterdir()):
                archive.write(each, each.name)
        beside.replace(file)
    finally:
        shutil.rmtree(crate, ignore_errors=True)
        beside.unlink(missing_ok=True)
    return Written("", file)


def _notes(written: "Written") -> list[str]:
    """What is to be said of one file, or of a paper that has none."""
    if written.file is None:
        return [written.said, *written.notes]
    return [f"{written.file.name}: {note}" for note in written.notes]


def _described(file: Path) -> ExportedFile:
    data = file.read_bytes()
    return ExportedFile(
        name=file.name,
        media_type=_TYPES[file.suffix],
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        uri=URI.format(name=file.name),
    )


def _add_content(made: Exported, text: str, cursor: str, max_chars: int, query: tuple[object, ...]) -> None:
    """A page of the text, and where the next one begins."""
    start = decode_cursor(cursor, *query)
    end = start + max_chars - _FRAME_CHARS
    made["content"] = text[start:end]
    if end < len(text):
        made["next_cursor"] = encode_cursor(end, *query)
