"""Naming: the papers of a library that a person means by an id, a locator, a path or an identifier."""

import os
from typing import TYPE_CHECKING

from pincite_core.errors import NotFoundError
from pincite_core.locator import PAPER_NAME
from pincite_literature.identifiers import identified

if TYPE_CHECKING:
    from pincite_library.ingest.journal import Journal
    from pincite_library.store.store import Store


def named_papers(store: "Store", journal: "Journal | None", name: str) -> list[str]:
    """The ids of the papers that ``name`` means: one, or all from a folder.

    NotFoundError for none, BadInputError for the start of several ids.
    """
    match = PAPER_NAME.fullmatch(name.strip())
    entry = store.paper(f"sha256:{match['digest']}") if match else None
    if entry is not None:
        return [entry.paper_id]
    found = _by_source(journal, name) if journal is not None else []
    wanted = [paper_id for paper_id in found if store.paper(paper_id) is not None]
    wanted = wanted or _by_entry(store, name.strip())
    if not wanted:
        raise NotFoundError(
            f"The library has no paper {name!r}.",
            next="`pincite library list` names all: give an id or a path.",
        )
    return wanted


def _by_source(journal: "Journal", name: str) -> list[str]:
    path = os.path.realpath(os.path.expanduser(name))  # noqa: PTH111
    known = journal.of(path) or journal.of(identified(name) or name)
    sources = [known] if known is not None else journal.under(path)
    return list(dict.fromkeys(source.paper_id for source in sources if source.paper_id))


def _by_entry(store: "Store", name: str) -> list[str]:
    """Papers by their DOI or source: where the journal was lost, or is another machine's."""
    doi = name.removeprefix("doi:").casefold()
    entries = store.papers()
    return [entry.paper_id for entry in entries if (entry.doi or "").casefold() == doi or entry.source == name]
