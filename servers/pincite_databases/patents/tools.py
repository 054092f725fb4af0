"""search_patents and get_patent."""

import re
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, decode_token, encode_cursor, encode_token
from pincite_databases.arguments import Cursor, Limit, MaxChars
from pincite_databases.patents.epo import Epo
from pincite_databases.patents.europe_pmc import EuropePmcPatents
from pincite_databases.patents.google import GooglePatents
from pincite_databases.patents.numbers import parse_number
from pincite_databases.patents.record import Patent, PatentText
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.state import DatabasesState

_YEARS = re.compile(r"(\d{4})?\s*(-)?\s*(\d{4})?")
_LIMITS = {
    "epo": "Open Patent Services: titles, abstracts and bibliography worldwide; the first 2,000 results of a search.",
    "europe_pmc": "Europe PMC: titles and abstracts, mostly of the life sciences and chemistry; applicants are often "
    "missing. With PINCITE_EPO_KEY (free) the EPO's worldwide collection is searched instead.",
}
_ABSTRACT_CHARS = 600
"""Characters of an abstract that are shown."""
_MOST_NAMES = 10
"""Names of a list that are shown; of the rest the number is said."""


class PatentEntry(TypedDict):
    """A patent publication; dates as the source gives them."""

    number: str
    title: str
    applicants: list[str]
    inventors: list[str]
    published: str
    filed: NotRequired[str]
    priority: NotRequired[str]
    classes: NotRequired[list[str]]
    family: NotRequired[str]
    abstract: str
    url: str


class Patents(TypedDict):
    """Patents in the source's order; ``limits`` says what the source does not have."""

    patents: list[PatentEntry]
    found: int | None
    source: str
    limits: str
    sources: list[Provenance]
    next_cursor: str | None


class PatentDetails(TypedDict):
    """A patent and the part of its text that was asked for, as published unless ``note`` says otherwise."""

    patent: PatentEntry
    part: str
    text: str
    note: NotRequired[str]
    sources: list[Provenance]
    next_cursor: str | None


async def search_patents(
    state: DatabasesState,
    query: Annotated[str, Field(max_length=400, description="words of title and abstract")],
    applicant: Annotated[str, Field(max_length=200)] = "",
    inventor: Annotated[str, Field(max_length=200)] = "",
    year: Annotated[str, Field(max_length=20, description='of publication: "2019", "2015-2020", "2018-"')] = "",
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Patents:
    """Find patents at the EPO where a key is set, else among the abstracts in Europe PMC. Read one with get_patent."""
    years = _years(year)
    source = _epo(state) or EuropePmcPatents(state.web)
    name = "epo" if isinstance(source, Epo) else "europe_pmc"
    asked = ("search_patents", name, query, applicant, inventor, year, limit)
    found = await source.search(
        query,
        applicant=applicant,
        inventor=inventor,
        years=years,
        limit=limit,
        page=decode_token(cursor, *asked) or None,
    )
    before = state.settings.before
    shown = [patent for patent in found.patents if patent.surely_before(before)]
    withheld = f" Patents not surely published before {before} are withheld." if before is not None else ""
    return Patents(
        patents=[_entry(patent, _ABSTRACT_CHARS) for patent in shown],
        found=found.total if before is None else None,
        source=source.policy.title,
        limits=_LIMITS[name] + withheld,
        sources=[provenance(found.response, "patents")] if found.response is not None else [],
        next_cursor=encode_token(found.next_page, *asked) if found.next_page else None,
    )


async def get_patent(
    state: DatabasesState,
    number: Annotated[str, Field(max_length=120, description='as "US7654321B2", "EP1000000A1"')],
    part: Literal["abstract", "claims", "description"] = "abstract",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> PatentDetails:
    """Read one patent: bibliography with abstract, claims or description."""
    asked = parse_number(number)
    sources: list[Provenance] = []
    patent: Patent | None = None
    note = ""
    epo = _epo(state)
    if epo is not None:
        try:
            found = await epo.patent(asked)
        except PinciteError as error:
            note = f"The EPO could not be asked: {error.what}"
            found = None
        if found is not None:
            patent = found[0]
            sources.append(provenance(found[1], "bibliography"))
    text = PatentText((), "")
    if patent is None or part != "abstract":
        page = await GooglePatents(state.web).patent(asked)
        if page is not None:
            text = page[1]
            sources.append(provenance(page[2], part if patent is not None else f"bibliography, {part}"))
            patent = patent or page[0]
    if patent is None:
        raise NotFoundError(
            f"There is no patent {asked} in the sources that were asked.",
            seen="Google Patents" + ("" if epo is None else " and the EPO"),
            next="Check number and kind code, or find it with search_patents.",
        )
    if not patent.surely_before(state.settings.before):
        raise NotFoundError(f"{asked} is not available under the cutoff {state.settings.before}.")
    return _details(patent, text, part, sources, note, cursor, max_chars)


def _epo(state: DatabasesState) -> Epo | None:
    """The server's client of the EPO; None without a key."""
    key = state.settings.epo_key
    return state.client(Epo, lambda: Epo(state.web, key)) if key is not None else None


def _details(
    patent: Patent, text: PatentText, part: str, sources: list[Provenance], note: str, cursor: str, max_chars: int
) -> PatentDetails:
    whole = {"abstract": patent.abstract, "claims": "\n\n".join(text.claims), "description": text.description}[part]
    query = ("get_patent", patent.number, part)
    start = decode_cursor(cursor, *query)
    piece = whole[start : start + max_chars]
    details = PatentDetails(
        patent=_entry(patent, 0),
        part=part,
        text=piece,
        sources=sources,
        next_cursor=encode_cursor(start + len(piece), *query) if start + len(piece) < len(whole) else None,
    )
    said = (
        note + ("" if whole else f"No {part} is given there. ") + (text.note if part != "abstract" or text.note else "")
    )
    if said.strip():
        details["note"] = said.strip()
    return details


def _years(year: str) -> tuple[int, int] | None:
    if not year.strip():
        return None
    match = _YEARS.fullmatch(year.strip())
    if match is None or not (match[1] or match[3]) or (match[1] and match[3] and not match[2]):
        raise BadInputError(f"{year!r} is not a year.", next='Give "2019", "2015-2020", "2018-" or "-2010".')
    first = int(match[1] or 1700)
    last = int(match[3]) if match[3] else 9999 if match[2] else first
    if first > last:
        raise BadInputError(f"{year!r} ends before it begins.")
    return first, last


def _entry(patent: Patent, abstract_chars: int) -> PatentEntry:
    abstract = patent.abstract if len(patent.abstract) <= abstract_chars else f"{patent.abstract[:abstract_chars]}…"
    entry = PatentEntry(
        number=patent.number,
        title=patent.title,
        applicants=_shortened(patent.applicants),
        inventors=_shortened(patent.inventors),
        published=patent.published,
        abstract=abstract if abstract_chars else "",
        url=patent.url,
    )
    if patent.filed:
        entry["filed"] = patent.filed
    if patent.priority:
        entry["priority"] = patent.priority
    if patent.family:
        entry["family"] = patent.family
    if patent.classes:
        entry["classes"] = _shortened(patent.classes)
    return entry


def _shortened(names: tuple[str, ...]) -> list[str]:
    more = len(names) - _MOST_NAMES
    return [*names[:_MOST_NAMES], *([f"and {more} more"] if more > 0 else [])]
