"""search_papers: one search over every source, and query_source: one source in its own language."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import Field

from pincite_core.errors import BadInputError
from pincite_core.paging import decode_cursor
from pincite_literature.catalog import EXAMPLES, SOURCES, SourceName
from pincite_literature.identifiers import identify
from pincite_literature.listing import Limit, Works, skipped, works_page
from pincite_literature.model import Author, Work
from pincite_literature.sources.source import Page, Query, Sort, Source
from pincite_literature.state import LiteratureState
from pincite_literature.walk import Choice, Walk, walk_from
from pincite_papers.arguments import Cursor

_LONGEST_QUERY = 2000
"""Characters of a query; addresses of sources take about as much."""
_IS_A_NAME = "The query is an identifier: get_paper finds that very work."
_WORD = re.compile(r"\w+")
_YEARS = re.compile(r"(\d{4})?\s*([-–]?)\s*(\d{4})?")


async def search_papers(
    state: LiteratureState,
    query: Annotated[str, Field(max_length=_LONGEST_QUERY)],
    sources: Annotated[str, Field(description="Only these, comma-separated")] = "",
    year: Annotated[str, Field(description="2019, 2015-2020, 2018- or -2020")] = "",
    author: Annotated[str, Field(max_length=200, description="Family name, or full name")] = "",
    venue: Annotated[str, Field(max_length=200, description="Journal or conference")] = "",
    open_access: bool = False,
    sort: Sort = "relevance",
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Works:
    """Search arXiv, PubMed, Crossref, Semantic Scholar, OpenAlex and Europe PMC at once. The same work found in
    several is one entry with all its identifiers. For field queries: query_source.
    """
    names = _names(sources)
    first, last = parse_years(year)
    asked = Query(
        text=" ".join(query.split()),
        first_year=first,
        last_year=last,
        author=author.strip(),
        venue=venue.strip(),
        open_access=True if open_access else None,
        sort=sort,
        before=state.cutoff.before,
    )
    _check(state, asked)

    async def ask(source: Source, size: int, after: str | None) -> Page:
        return await source.search(asked, limit=size, cursor=after)

    call = ("search_papers", tuple(names), asked, limit)
    choice = Choice(fits=_fitting(asked), sort=sort)
    at = decode_cursor(cursor, *call)
    walk, place = await walk_from(
        state, call, names, at, lambda kept: Walk(state, kept, ask, size=limit, choice=choice), limit
    )
    notes = (_IS_A_NAME if identify(asked.text) else "", _words_note(walk), _filter_note(walk, asked))
    note = " ".join(part for part in notes if part)
    return works_page(state, walk, call, place, limit, skipped=skipped(names, cursor, place), note=note)


async def query_source(
    state: LiteratureState,
    source: SourceName,
    query: Annotated[str, Field(max_length=_LONGEST_QUERY, description=EXAMPLES)],
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Works:
    """Ask one source in its own query language, passed on as it is; an error says what the source takes."""
    text = query.strip()
    if not text:
        raise BadInputError("The query is empty.", next="Give a query in the source's own language.")

    async def ask(asked: Source, size: int, after: str | None) -> Page:
        return await asked.query(text, limit=size, cursor=after, before=state.cutoff.before)

    call = ("query_source", source, text, limit)
    walk, place = await walk_from(
        state, call, [source], decode_cursor(cursor, *call), lambda kept: Walk(state, kept, ask, size=limit), limit
    )
    return works_page(state, walk, call, place, limit)


def _check(state: LiteratureState, asked: Query) -> None:
    """BadInputError for a search that cannot be made."""
    if asked.sort == "cited":
        state.cutoff.refuse_counts("An order by citations")
    if not asked.text and not asked.author and not asked.venue:
        raise BadInputError("The search has no words.", next="Give words in query, an author or a venue.")


def parse_years(text: str) -> tuple[int | None, int | None]:
    """First and last year of "2019", "2015-2020", "2018-" or "-2020"; BadInputError for anything else."""
    match = _YEARS.fullmatch(text.strip())
    if match is None or (text.strip() and not match[1] and not match[3]):
        raise BadInputError(
            "This is not a year or a range of years.",
            seen=repr(text[:40]),
            next="Give 2019, 2015-2020, 2018- or -2020.",
        )
    first, dash, last = match[1], match[2], match[3]
    if first and last and int(first) > int(last):
        raise BadInputError("The first year is after the last.", seen=text.strip(), next=f"Give {last}-{first}.")
    if not dash:
        return (int(first), int(first)) if first else (None, None)
    return int(first) if first else None, int(last) if last else None


def _names(sources: str) -> list[str]:
    asked = [part.strip().lower().replace(" ", "_").replace("-", "_") for part in sources.split(",") if part.strip()]
    unknown = [name for name in asked if name not in SOURCES]
    if unknown:
        raise BadInputError(
            f"There is no source {', '.join(map(repr, unknown))}.", next=f"Choose from: {', '.join(SOURCES)}."
        )
    return [name for name in SOURCES if name in asked or not asked]


def _fitting(query: Query) -> Callable[[Work, Mapping[str, Page]], bool]:
    """Whether a work fits the filters that none of its sources kept, and the years: sources filter by other dates than
    that of the version cited, and a merged work has the dates of several."""
    checks = _checks(query)

    def fits(work: Work, pages: Mapping[str, Page]) -> bool:
        kept = [pages[name].unkept for name in work.sources if name in pages]
        unsure = [part for part in checks if part == "year" or all(part in unkept for unkept in kept)]
        return all(checks[part](work) for part in unsure)

    return fits


def _checks(query: Query) -> dict[str, Callable[[Work], bool]]:
    from pincite_literature.names import read_name, same_name

    checks: dict[str, Callable[[Work], bool]] = {}
    if query.first_year is not None or query.last_year is not None:
        checks["year"] = lambda work: (
            work.cited_as_of is not None
            and (query.first_year or 0) <= work.cited_as_of.year <= (query.last_year or 9999)
        )
    if query.author:
        wanted = read_name(Author(query.author))
        checks["author"] = lambda work: any(same_name(wanted, read_name(author)) for author in work.authors)
    if query.venue:
        checks["venue"] = lambda work: _same_venue(query.venue, work.venue)
    if query.open_access:
        checks["open_access"] = lambda work: bool(work.open_access or work.links or work.ids.arxiv or work.ids.pmcid)
    return checks


def _same_venue(wanted: str, venue: str) -> bool:
    """Whether each word of the one begins a word of the other, as "Phys. Rev. Lett." does."""
    from pincite_literature.titles import fold

    words = _WORD.findall(fold(venue))
    return all(any(word.startswith(part) for word in words) for part in _WORD.findall(fold(wanted)))


def _words_note(walk: Walk) -> str:
    """Which words of the query a source left out since it does not know them."""
    left = [f"{name} left out {part}" for name, page in walk.pages.items() for part in page.unkept if " " in part]
    return f"{'; '.join(left)}, which it does not know." if left else ""


def _filter_note(walk: Walk, query: Query) -> str:
    """Which filters were applied here, since sources cannot, and how many works that left out."""
    parts = [*_checks(query), *(["sort"] if query.sort != "relevance" else [])]
    unkept = {part: [name for name, page in walk.pages.items() if part in page.unkept] for part in parts}
    said = [f"{part} ({', '.join(names)})" for part, names in unkept.items() if names]
    if not said:
        one = walk.dropped == 1
        return f"{walk.dropped} {'work' if one else 'works'} left out: cited by another year." if walk.dropped else ""
    left_out = f"; {walk.dropped} works left out" if walk.dropped else ""
    return f"Filtered or sorted here, since the source cannot: {', '.join(said)}{left_out}."
