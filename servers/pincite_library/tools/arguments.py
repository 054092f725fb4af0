"""The arguments that several tools share, and the papers and filters that they mean."""

import re
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pincite_core.errors import BadInputError, NotFoundError
from pincite_library.model import ChunkKind, Filters, PaperEntry

if TYPE_CHECKING:
    from pincite_library.store.store import Store

PaperFilter = Annotated[str, Field(description="Only these: 8-digit ids, DOIs or sources")]
Year = Annotated[str, Field(description="2020, 2015-2020, 2018- or -2019")]
Journal = Annotated[str, Field(description="Part of its name")]

_YEARS = re.compile(r"(?P<from>\d{4})?\s*(?P<dash>[-\u2013])?\s*(?P<to>\d{4})?")
_PARTS = re.compile(r"[\s,;]+")


def parse_years(year: str) -> tuple[int | None, int | None]:
    """First and last year, both inclusive; (None, None) for an empty text, BadInputError for what is none."""
    match = _YEARS.fullmatch(year.strip())
    if (
        match is None
        or (match["from"] and match["to"] and not match["dash"])
        or (match["dash"] and not any((match["from"], match["to"])))
    ):
        raise BadInputError(
            f"{year[:40]!r} is not a year or a range of years.", next="Write 2020, 2015-2020, 2018- or -2019."
        )
    first = int(match["from"]) if match["from"] else None
    last = int(match["to"]) if match["to"] else None if match["dash"] else first
    if first is not None and last is not None and last < first:
        raise BadInputError(f"The years {year.strip()!r} end before they start.", next="Write the earlier year first.")
    return first, last


def parse_kinds(kind: str) -> frozenset[ChunkKind]:
    """The kinds that ``kind`` names; text, table and figure for an empty one."""
    names = [name.rstrip("s") for name in _PARTS.split(kind.lower()) if name]
    known = {found.value for found in ChunkKind}
    unknown = sorted(set(names) - known)
    if unknown:
        raise BadInputError(f"There is no kind {unknown[0]!r}.", next=f"Give some of: {', '.join(sorted(known))}.")
    return frozenset(map(ChunkKind, names)) or Filters().kinds


def papers_named(store: "Store", names: str) -> frozenset[str]:
    """The ids of the papers that ``names`` means, an empty set for all; NotFoundError for a name of none."""
    if not names.strip():
        return frozenset()
    try:
        return frozenset(_named(store, names.strip()))
    except NotFoundError:
        parts = [part for part in _PARTS.split(names.strip()) if part]
        if len(parts) < 2:
            raise
        return frozenset(paper_id for part in parts for paper_id in _named(store, part))


def papers_of(store: "Store", names: str, year: str, journal: str = "") -> frozenset[str] | None:
    """The ids of the papers that all three filters let pass; None where there is no filter."""
    years = parse_years(year)
    named = papers_named(store, names)
    if years == (None, None) and not journal.strip():
        return named or None
    entries = (entry for entry in store.papers() if not named or entry.paper_id in named)
    return frozenset(entry.paper_id for entry in entries if passes(entry, years, journal))


def passes(entry: PaperEntry, years: tuple[int | None, int | None], journal: str) -> bool:
    """Whether a paper is of these years and of a journal with this in its name."""
    first, last = years
    if (first, last) != (None, None) and entry.year is None:
        return False
    if entry.year is not None and not (first or entry.year) <= entry.year <= (last or entry.year):
        return False
    return journal.strip().casefold() in entry.journal.casefold()


def _named(store: "Store", name: str) -> list[str]:
    from pincite_library.ingest.naming import named_papers

    try:
        return named_papers(store, None, name)
    except NotFoundError as error:
        raise NotFoundError(
            f"The library has no paper {name[:100]!r}.",
            next="list_papers names all: give an id (8 digits), a DOI or a source as it shows them.",
        ) from error
