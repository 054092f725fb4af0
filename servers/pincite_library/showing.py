"""Showing: one passage by its locator, or one paper."""

from typing import TYPE_CHECKING

import typer

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.locator import digest_of, parse_locator
from pincite_library.marks import ocr_in, shown, unreliable_in
from pincite_library.printing import paper_lines, put_json
from pincite_library.standing import status_of

if TYPE_CHECKING:
    from pincite_core.settings import Settings
    from pincite_library.model import StoredChunk
    from pincite_library.store.store import Store


def show_passage(store: "Store", locator: str, context: int, *, as_json: bool) -> None:
    """Print the canonical text that a locator names, marked where it cannot be trusted.

    Raises NotFoundError where the paper is not in the library, BadInputError where its text does not reach so far.
    """
    asked = parse_locator(locator)
    entry = store.paper(f"sha256:{asked.paper_prefix}")
    if entry is None:
        raise NotFoundError(f"The paper of {locator} is not in the library.", next="`pincite library list` names all.")
    text = store.text(entry.paper_id)
    if asked.end > len(text):
        raise BadInputError(
            f"{locator} lies beyond the paper's text.",
            seen=f"the text has {len(text)} characters",
            next="It may have changed since: search again.",
        )
    chunk = _chunk_at(store.chunks_of(entry.paper_id), asked.start, asked.end)
    start, end = max(asked.start - context, 0), asked.end + context
    unreliable = unreliable_in(entry.marks, text[asked.start : asked.end], asked.start)
    ocr = ocr_in(entry.marks, asked.start, asked.end)
    passage = {
        "locator": locator,
        "paper": entry.paper_id,
        "title": entry.title,
        "status": status_of(entry),
        "section": chunk.chunk.section if chunk is not None else "",
        "chunk": chunk.locator if chunk is not None else "",
        "unreliable": unreliable,
        "ocr": ocr,
        "text": shown(entry.marks, text[start:end], start),
    }
    if as_json:
        put_json(passage)
        return
    typer.echo(f"{locator}  {entry.title}")
    for name in ("status", "section", "chunk", "unreliable", "ocr"):
        if passage[name]:
            typer.echo(f"  {name}: {passage[name]}")
    typer.echo(f"\n{passage['text']}")


def show_paper(settings: "Settings", store: "Store", paper_id: str, *, whole: bool, as_json: bool) -> None:
    """Print what is known of a paper, or its whole text."""
    from pincite_library.ingest.journal import Journal

    entry = store.paper(paper_id)
    if entry is None:
        raise NotFoundError(f"The paper {paper_id} was removed in the meantime.")
    if whole:
        text = store.text(paper_id)
        put_json({"paper": paper_id, "text": text}) if as_json else typer.echo(text)
        return
    with Journal(settings.library_dir, writable=False) as journal:
        sources = [known.name for known in journal.of_paper(digest_of(paper_id))]
    chunks = store.chunks_of(paper_id)
    if as_json:
        locators = [{"locator": stored.locator, "kind": stored.chunk.kind.value} for stored in chunks]
        put_json({"paper": entry, "sources": sources, "chunks": locators})
        return
    for line in paper_lines(entry, sources, chunks):
        typer.echo(line)


def _chunk_at(chunks: "list[StoredChunk]", start: int, end: int) -> "StoredChunk | None":
    """The chunk that is the range, else the smallest that holds it."""
    holding = [stored for stored in chunks if stored.chunk.start <= start and end <= stored.chunk.end]
    return min(holding, key=lambda stored: stored.chunk.end - stored.chunk.start, default=None)
