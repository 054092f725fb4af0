"""search_passages: the passages that answer a question best."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NotRequired

import anyio.to_thread
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_library.model import Filters, PaperEntry
from pincite_library.state import LibraryState, check_filled
from pincite_library.tools.arguments import Journal, PaperFilter, Year, papers_named, parse_kinds, parse_years
from pincite_library.tools.passage import Passage, passage
from pincite_papers.arguments import Cursor, MaxChars

if TYPE_CHECKING:
    from pincite_library.ranking.ranked import Found, Ranked, RankerRun
    from pincite_library.store.store import Store

MOST_QUERY_CHARS = 2000
"""Characters of a question. Set by judgement."""
_FRAME_CHARS = 900
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_PASSAGE_FRAME = 500
"""Characters of a passage around its text, an upper estimate."""
_DIGITS = 3
"""Decimals of a score."""


class RankedPassage(Passage):
    """A passage with its places: ranks from 1 in BM25 and in the dense ranking, scores of reranker and judge (0-10)."""

    score: float
    bm25_rank: NotRequired[int]
    dense_rank: NotRequired[int]
    rerank_score: NotRequired[float]
    answers: NotRequired[int]
    look_at_figure: NotRequired[int]


class RankerReport(TypedDict):
    """What became of a ranker: ran, failed or skipped, and why."""

    ranker: str
    state: str
    model: NotRequired[str]
    reason: NotRequired[str]


class Passages(TypedDict):
    """Passages, best first; ``ranking`` says who ordered them."""

    passages: list[RankedPassage]
    ranking: list[RankerReport]
    without_vectors: NotRequired[int]
    next_cursor: str | None
    note: NotRequired[str]


async def search_passages(
    state: LibraryState,
    query: Annotated[str, Field(description="A question or keywords")],
    k: Annotated[int, Field(ge=1, le=50)] = 5,
    paper: PaperFilter = "",
    year: Year = "",
    section: Annotated[str, Field(description="Part of the section's heading")] = "",
    kind: Annotated[str, Field(description="Some of text, table, figure, reference (default: all but reference)")] = "",
    journal: Journal = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Passages:
    """Find the passages of the library that answer a question: text, tables and figures by meaning and by words. For an
    exact string or number use grep_chunks.
    """
    query = query.strip()
    if not query:
        raise BadInputError("The query is empty.", next="Ask a question or give some keywords.")
    if len(query) > MOST_QUERY_CHARS:
        raise BadInputError(
            f"The query is longer than {MOST_QUERY_CHARS} characters.", next="Ask in a sentence or two."
        )
    asked = ("search_passages", query, k, paper, year, section, kind, journal)
    start = decode_cursor(cursor, *asked)
    filters = await state.work(lambda store: _filters(store, paper, year, section, kind, journal))
    kept = state.searches.get(asked) if cursor else None
    ranked = kept or await _ranked(state, query, k, filters)
    state.searches.put(asked, ranked)
    entries = await state.work(lambda store: _entries(store, ranked))
    room = max(max_chars - _FRAME_CHARS, 500)
    shown, after = fill_page(
        ranked.found,
        start,
        lambda found: _shown(found, entries.get(found.stored.paper_id), max(room - _PASSAGE_FRAME, 300)),
        max_chars=room,
        max_items=k,
    )
    result = Passages(
        passages=shown, ranking=[_report(run) for run in ranked.rankers if run.state != "skipped"], next_cursor=None
    )
    if after < len(ranked.found):
        result["next_cursor"] = encode_cursor(after, *asked)
    if ranked.without_vectors:
        result["without_vectors"] = ranked.without_vectors
    note = _note(ranked)
    if note:
        result["note"] = note
    return result


async def _ranked(state: LibraryState, query: str, k: int, filters: Filters) -> "Ranked":
    from pincite_library.ranking.search import search

    rankers = await anyio.to_thread.run_sync(state.rankers)
    store = await state.work(lambda store: store)
    ranked = await search(
        store,
        query,
        k,
        filters,
        embedder=rankers.embedder,
        reranker=rankers.reranker,
        judge=rankers.judge,
        by_ranks=state.settings.library_fusion == "rrf",
    )
    if not rankers.failed:
        return ranked
    runs = (
        replace(run, state="failed", reason=rankers.failed[run.ranker].bracketed())
        if run.ranker in rankers.failed
        else run
        for run in ranked.rankers
    )
    return replace(ranked, rankers=tuple(runs))


def _filters(store: "Store", paper: str, year: str, section: str, kind: str, journal: str) -> Filters:
    check_filled(store)
    return Filters(
        papers=papers_named(store, paper),
        years=parse_years(year),
        journal=journal.strip(),
        section=section.strip(),
        kinds=parse_kinds(kind),
    )


def _entries(store: "Store", ranked: "Ranked") -> dict[str, PaperEntry]:
    ids = dict.fromkeys(found.stored.paper_id for found in ranked.found)
    return {paper_id: entry for paper_id in ids if (entry := store.paper(paper_id)) is not None}


def _shown(found: "Found", entry: PaperEntry | None, most_chars: int) -> RankedPassage:
    shown = RankedPassage(**passage(found.stored, entry, most_chars), score=round(found.fused, _DIGITS))
    if found.bm25 is not None:
        shown["bm25_rank"] = found.bm25.rank
    if found.dense is not None:
        shown["dense_rank"] = found.dense.rank
    if found.rerank is not None:
        shown["rerank_score"] = round(found.rerank, _DIGITS)
    if found.judgement is not None:
        shown["answers"] = found.judgement.answers
        shown["look_at_figure"] = found.judgement.figure
    return shown


def _report(run: "RankerRun") -> RankerReport:
    report = RankerReport(ranker=run.ranker, state=run.state)
    if run.model:
        report["model"] = run.model
    if run.reason:
        report["reason"] = run.reason
    return report


def _note(ranked: "Ranked") -> str:
    notes: list[str] = []
    failed = [run.ranker for run in ranked.failures]
    if failed:
        notes.append(f"Without {' and '.join(failed)}, which failed, the order is that of the other rankers.")
    if not ranked.found:
        words = f"any of {', '.join(ranked.terms[:12])}" if ranked.terms else "words that say what it is about"
        notes.append(f"Nothing was found: no passage that the filters let pass has {words}. Try other words.")
    if ranked.without_vectors:
        notes.append(f"{ranked.without_vectors} chunks have no vector yet and are found by their words alone.")
    return " ".join(notes)
