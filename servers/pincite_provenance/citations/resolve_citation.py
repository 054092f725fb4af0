"""resolve_citation: whether a reference exists, and whether it says what the record of the work says."""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired

import anyio
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_literature.date_cutoff import Cleared
from pincite_literature.entries import SourceEntry, WorkEntry, shorten, without_url, work_entry
from pincite_literature.identifiers import cut_short
from pincite_literature.lookup import Looked, look_up
from pincite_literature.model import Identifiers
from pincite_provenance.citations.handles import is_registered, registry_has
from pincite_provenance.citations.reference import Agreement, Comparison, Reference, compare, read_reference
from pincite_provenance.citations.search import Found, find_meant
from pincite_provenance.state import ProvenanceState

Verdict = Literal["agrees", "differs", "not_found", "unknown"]
Registered = Literal["yes", "no", "unknown", "not asked"]

_LONGEST = 2000
_REASON_CHARS = 600

Citation = Annotated[
    str, Field(min_length=1, max_length=_LONGEST, description="A DOI, arXiv id or PMID, or a reference as written")
]
Title = Annotated[str, Field(max_length=500)]
Authors = Annotated[str, Field(max_length=1000)]
Year = Annotated[int, Field(ge=0, le=2100)]


class CitationCheck(TypedDict):
    """``agrees``: it exists and nothing stated contradicts its record. ``registered``: its DOI is, as doi.org or the
    registry's own record says. ``found`` is the work it was compared with, ``meant`` the one that bears its title where
    the identifier names another or none, ``closest`` where no title agrees the work that comes nearest, if any does."""

    verdict: Verdict
    reason: str
    registered: Registered
    same_by_published_rule: bool
    title: NotRequired[Agreement]
    title_similarity: NotRequired[float]
    authors: NotRequired[Agreement]
    not_among_the_authors: NotRequired[list[str]]
    year: NotRequired[Agreement]
    found: NotRequired[WorkEntry]
    meant: NotRequired[WorkEntry]
    closest: NotRequired[WorkEntry]
    sources: list[SourceEntry]


async def resolve_citation(
    state: ProvenanceState, citation: Citation, title: Title = "", authors: Authors = "", year: Year = 0
) -> CitationCheck:
    """Check that a reference is real before you cite it: is its DOI registered, and do title, authors and year agree
    with the record? Give these apart where the citation is a bare identifier.
    """
    reference = read_reference(citation, title=title, authors=authors, year=year or None)
    cut = cut_short(citation) if reference.ids is None else None
    if reference.ids is None and not reference.words and not reference.title:
        if cut is not None:
            raise cut
        raise BadInputError(
            "This does not identify a work.",
            seen=repr(citation[:80]),
            next="Give a DOI, or the reference with its title.",
        )
    if reference.ids is None:
        made = _by_title(await find_meant(state.literature, reference))
        if cut is not None:
            made["reason"] += f" {cut.what[:-1]} and was left out: {cut.seen}"
        return made
    return await _by_identifier(state, reference, reference.ids)


async def _by_identifier(state: ProvenanceState, reference: Reference, ids: Identifiers) -> CitationCheck:
    """Look the identifier up and ask doi.org at once; search by title where the two do not settle it."""
    name = next(iter(ids.known().values()))
    outcomes: list[Looked | PinciteError] = []
    said: list[Registered] = []

    async def look() -> None:
        try:
            outcomes.append(await look_up(state.literature, name))
        except PinciteError as error:
            outcomes.append(error)

    async def ask() -> None:
        # Under a cutoff the existence of a DOI would tell of later works.
        if ids.doi is not None and state.settings.before is None:
            try:
                said.append("yes" if await is_registered(state.literature.web, ids.doi) else "no")
            except PinciteError:
                said.append("unknown")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look)
        tasks.start_soon(ask)
    outcome, registered = outcomes[0], said[0] if said else "not asked"
    if isinstance(outcome, Looked):
        if registry_has(outcome.records.values(), ids.doi or outcome.work.ids.doi):
            registered = "yes"
        comparison = compare(reference, outcome.work)
        made = _compared(comparison, outcome.work, registered, outcome.entries)
        if comparison.title != "differs":
            return made
    else:
        made = _without_record(name, outcome, registered, under_cutoff=state.settings.before is not None)
    if reference.words or reference.title:
        await _add_meant(state, reference, made)
    return made


async def _add_meant(state: ProvenanceState, reference: Reference, made: CitationCheck) -> None:
    """The work that bears the stated title; no find changes no verdict."""
    meant = await find_meant(state.literature, reference)
    if meant.work is not None:
        made["meant"] = work_entry(meant.work, abstract_chars=0)
        made["reason"] += " Another work bears the title: see meant."
    else:
        made["sources"] += without_url(meant.entries)


def _by_title(found: Found) -> CitationCheck:
    """The check of a reference without identifier."""
    if found.work is not None and found.comparison is not None:
        return _compared(found.comparison, found.work, "yes" if found.registered else "not asked", found.entries)
    failed = [entry for entry in found.entries if entry["state"] == "failed"]
    reason = "No work with a title like this was found."
    if failed:
        reason = f"{reason} Not every source could be asked: {' '.join(e.get('reason', '') for e in failed)}"
    made = CitationCheck(
        verdict="unknown" if failed else "not_found",
        reason=shorten(reason, _REASON_CHARS),
        registered="not asked",
        same_by_published_rule=False,
        sources=without_url(found.entries),
    )
    if found.closest is not None:
        made["closest"] = work_entry(found.closest, abstract_chars=0)
    return made


def _compared(
    comparison: Comparison, work: Cleared, registered: Registered, entries: Sequence[SourceEntry]
) -> CitationCheck:
    """The check against a work that the reference's identifier names, or whose title is the reference's."""
    told = {"title": comparison.title, "authors": comparison.authors, "year": comparison.year}
    differing = [name for name, agreement in told.items() if agreement == "differs"]
    agreeing = [name for name, agreement in told.items() if agreement == "agrees"]
    if differing:
        verb = "differs" if len(differing) == 1 and differing != ["authors"] else "differ"
        reason = f"It exists, but {' and '.join(differing)} {verb} from the record."
    elif agreeing:
        reason = f"It exists; {', '.join(agreeing)} {'agree' if agreeing[1:] or agreeing == ['authors'] else 'agrees'}."
    else:
        reason = "It exists; nothing else was stated that could be compared: give its title."
    made = CitationCheck(
        verdict="differs" if differing else "agrees",
        reason=reason,
        registered=registered,
        same_by_published_rule=True,
        title=comparison.title,
        authors=comparison.authors,
        year=comparison.year,
        found=work_entry(work, abstract_chars=0),
        sources=without_url(entries),
    )
    if comparison.similarity is not None:
        made["title_similarity"] = round(comparison.similarity, 3)
    if comparison.strangers:
        made["not_among_the_authors"] = list(comparison.strangers)
    return made


def _without_record(name: str, error: PinciteError, registered: Registered, *, under_cutoff: bool) -> CitationCheck:
    """The check of an identifier of which no source gave a record."""
    said = error.short()
    verdict: Verdict = "unknown"
    if registered == "no":
        verdict, reason = "not_found", f"The DOI {name} is not registered: no such work exists."
    elif registered == "yes":
        reason = f"The DOI {name} is registered, but no source gave its record, so nothing could be compared. {said}"
    elif isinstance(error, NotFoundError) and not error.seen and not under_cutoff:
        verdict, reason = "not_found", said
    else:
        reason = f"Whether it exists is unknown. {said}"
    return CitationCheck(
        verdict=verdict,
        reason=shorten(reason.strip(), _REASON_CHARS),
        registered=registered,
        same_by_published_rule=False,
        sources=[],
    )
