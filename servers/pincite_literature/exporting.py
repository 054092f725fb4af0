"""export_citations: works for a reference manager."""

import re
from typing import Annotated

import anyio
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_literature.date_cutoff import Cleared
from pincite_literature.entries import SourceEntry, without_url
from pincite_literature.export.formats import CitationFormat, export
from pincite_literature.identifiers import identify
from pincite_literature.lookup import Looked, look_up, name_work
from pincite_literature.state import LiteratureState, none_answered

_MOST = 20
"""Works of one call: each is looked up at several sources. Set by judgement."""
_MOST_CHARS = 9_000
"""Characters of one result, below the 10,000 that tools give by default."""
_AT_ONCE = 4
"""Works that are looked up at once. Set by judgement."""


class Exported(TypedDict):
    """``text`` in the format asked for; what could not be exported is in ``missing``, with the reason. A source that
    failed for one of the works, so that its entry may lack something, is in ``sources``."""

    format: str
    text: str
    count: int
    missing: list[str]
    sources: list[SourceEntry]


async def export_citations(
    state: LiteratureState,
    ids: Annotated[str, Field(max_length=4000, description="Identifiers or titles, one a line or with semicolons")],
    format: CitationFormat = "bibtex",  # noqa: A002
) -> Exported:
    """Write citations of up to 20 works as BibTeX, RIS or CSL-JSON, from what all sources know of them."""
    names = split_names(ids)
    outcomes: dict[str, Looked | PinciteError] = {}
    limiter = anyio.CapacityLimiter(_AT_ONCE)

    async def look(name: str) -> None:
        async with limiter:
            try:
                outcomes[name] = await look_up(state, name, brief=True)
            except PinciteError as error:
                outcomes[name] = error

    async with anyio.create_task_group() as tasks:
        for name in names:
            tasks.start_soon(look, name)
    found = [looked for name in names if isinstance(looked := outcomes[name], Looked)]
    errors = [error for name in names if isinstance(error := outcomes[name], PinciteError)]
    if not found and not any(isinstance(error, NotFoundError) for error in errors):
        raise errors[0] if len(errors) == 1 else none_answered(errors)
    works = {(looked.work.ids, looked.work.title): looked.work for looked in found}
    text, count = _written(list(works.values()), format)
    missing = [f"{name}: {error.what}" for name in names if isinstance(error := outcomes[name], PinciteError)]
    missing += [f"{name_work(work)}: no room was left, ask for it again" for work in list(works.values())[count:]]
    return Exported(format=format, text=text, count=count, missing=missing, sources=_sources(found))


def split_names(text: str) -> list[str]:
    """The names of a list: one a line or parted by semicolons, or identifiers parted by commas or blanks.

    The semicolon inside a DOI of the old kind (``…3.0.CO;2-O``, ``…2.0.CO;2``) parts nothing.
    """
    names = [part.strip() for part in re.split(r"\n|(?<!\d\.\d\.[A-Za-z]{2});", text) if part.strip()]
    if len(names) == 1:
        parts = [part for part in re.split(r"[,\s]+", names[0]) if part]
        if len(parts) > 1 and all(identify(part) for part in parts):
            names = parts
    names = list(dict.fromkeys(names))
    if not names:
        raise BadInputError("No work was named.", next="Give identifiers, one a line or parted by semicolons.")
    if len(names) > _MOST:
        raise BadInputError(f"{len(names)} works are too many.", next=f"Give at most {_MOST} at a time.")
    return names


def _written(works: list[Cleared], format: CitationFormat) -> tuple[str, int]:  # noqa: A002
    """The first works, as many as fit in a result, and how many they are; one at least."""
    count = len(works)
    while count > 1 and len(export(works[:count], format)) > _MOST_CHARS:
        count -= 1
    return (export(works[:count], format), count) if works else ("", 0)


def _sources(found: list[Looked]) -> list[SourceEntry]:
    """One entry a source: failed if it failed for any of the works."""
    entries: dict[str, SourceEntry] = {}
    for entry in (entry for looked in found for entry in looked.entries):
        kept = entries.get(entry["source"])
        if kept is None or kept["state"] == "answered":
            given = (kept.get("found", 0) if kept is not None else 0) + entry.get("found", 0)
            entries[entry["source"]] = SourceEntry(**{**entry, **({"found": given} if "found" in entry else {})})  # pyright: ignore[reportArgumentType]
    return without_url(list(entries.values()))
