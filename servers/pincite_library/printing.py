"""Printing: what ``pincite library`` shows, as lines for people or as JSON for machines."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import orjson
import typer

from pincite_library.ingest.outcome import Outcome, Report, State, say_counts
from pincite_library.standing import status_of

if TYPE_CHECKING:
    from pincite_core.settings import Settings
    from pincite_library.ingest.journal import Known
    from pincite_library.model import PaperEntry, StoredChunk
    from pincite_library.ranking.ranked import Found, Ranked
    from pincite_library.store.store import Store

_TITLE = 100
"""Characters of a title in a list."""
_DIGITS = 12
"""Hexadecimal digits of a paper's id in a list."""


def put_json(value: object) -> None:
    """Print a value as indented JSON."""
    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def report_lines(report: Report) -> list[str]:
    """The end of a call: counts, speed, vectors, and what to do next."""
    lines = [f"{say_counts(report.outcomes)} in {report.seconds:.1f} s"]
    if report.pages and report.seconds:
        lines[0] += f" ({report.pages:,} pages, {report.pages / report.seconds:.0f} a second)"
    before = [each for each in report.outcomes if each.state is State.SKIPPED and not each.foreign and each.code]
    if before:
        lines.append(f"{len(before)} failed before and are unchanged: `pincite library list --failed` says why.")
    if any(outcome.state is State.GONE for outcome in report.outcomes):
        lines.append("What is gone stays in the library until you add its folder with --prune.")
    if report.stopped:
        lines.append("Stopped before the end: the same command goes on from there.")
    return [*lines, *embedding_lines(report)]


def embedding_lines(report: Report) -> list[str]:
    """What became of the vectors."""
    lines: list[str] = []
    if report.embedded:
        lines.append(f"{report.embedded:,} chunks got their vectors.")
    if report.unembedded:
        lines.append(f"{report.unembedded:,} chunks have no vector yet: `pincite library embed` goes on.")
    if report.embedding_error is not None:
        lines.append(str(report.embedding_error))
    return lines


def report_json(report: Report) -> dict[str, Any]:
    """A report for machines: what is not a paper is counted, not listed."""
    error = report.embedding_error
    return {
        "counts": {state.value: count for state, count in report.counts.items()},
        "not_papers": sum(outcome.foreign for outcome in report.outcomes),
        "pages": report.pages,
        "seconds": round(report.seconds, 3),
        "stopped": report.stopped,
        "embedded": report.embedded,
        "unembedded": report.unembedded,
        "embedding_error": None if error is None else {"what": error.what, "seen": error.seen, "next": error.next},
        "sources": [outcome_json(outcome) for outcome in report.outcomes if not outcome.foreign],
    }


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome without what it has not."""
    return {name: value for name, value in asdict(outcome).items() if value or name in ("name", "state")}


def paper_line(entry: "PaperEntry") -> str:
    """A paper in one line: the start of its id, year, pages, chunks, title and source."""
    title = entry.title if len(entry.title) <= _TITLE else f"{entry.title[: _TITLE - 1]}…"
    pages = f"{entry.pages} p" if entry.pages else "-"
    return "  ".join((
        entry.paper_id[7 : 7 + _DIGITS], str(entry.year or "----"), f"{pages:>6}", f"{entry.chunks:>4} chunks",
        title or "(no title)", *([f"[{status_of(entry)}]"] if status_of(entry) else []), entry.source,
    ))  # fmt: skip


def paper_lines(entry: "PaperEntry", sources: Sequence[str], chunks: "Iterable[StoredChunk]") -> list[str]:
    """All that is known of a paper but its text."""
    kinds = Counter(stored.chunk.kind.value for stored in chunks)
    listed = {
        "id": entry.paper_id,
        "title": entry.title,
        "status": status_of(entry),
        "authors": ", ".join(entry.authors),
        "year": str(entry.year or ""),
        "journal": entry.journal,
        "doi": entry.doi or "",
        "format": entry.format,
        "pages": str(entry.pages or ""),
        "chunks": ", ".join(f"{count} {kind}" for kind, count in kinds.items()),
        "sources": ", ".join(dict.fromkeys((entry.source, *sources))),
        "added": entry.added,
        "made by": f"{entry.parser}, {entry.chunker}",
        "warnings": " ".join(entry.warnings),
        "abstract": " ".join(entry.abstract.split()),
    }
    return [f"{name:>9}: {value}" for name, value in listed.items() if value]


def failed_lines(known: "Known") -> list[str]:
    """A source that failed: when, why, what to do."""
    lines = [f"{known.name}", f"  {known.at[:10]} {known.code}: {known.why}"]
    return [*lines, f"  {known.next}"] if known.next else lines


def found_lines(number: int, found: "Found", entry: "PaperEntry | None", most: int) -> list[str]:
    """A passage that was found: locator, where, its place in every ranking, and the passage."""
    chunk = found.stored.chunk
    year = f" ({entry.year})" if entry is not None and entry.year else ""
    title = f"{entry.title or '(no title)'}{year}" if entry is not None else ""
    title += f" [{status}]" if (status := status_of(entry)) else ""
    head = f"{number}. {found.stored.locator}  [{chunk.kind.value}]  {title}"
    where = " · ".join(filter(None, (chunk.label, chunk.section, scores(found))))
    text = " ".join(chunk.text.split()) if chunk.exact else chunk.text
    shown = text if len(text) <= most else f"{text[:most]}…"
    return [head, f"   {where}", *(f"   {line}" for line in shown.splitlines())]


def scores(found: "Found") -> str:
    """The places and scores of a passage in every ranking that has it."""
    places = {"bm25": found.bm25, "dense": found.dense}
    said = [f"{name} #{place.rank} ({place.score:.3g})" for name, place in places.items() if place]
    if found.rerank is not None:
        said.append(f"reranker {found.rerank:.3g}")
    if found.judgement is not None:
        said.append(f"answers {found.judgement.answers}/10, figure {found.judgement.figure}/10")
    return ", ".join(said)


def found_json(found: "Found", entry: "PaperEntry | None") -> dict[str, Any]:
    """A passage that was found, for machines."""
    chunk = found.stored.chunk
    return {
        "locator": found.stored.locator,
        "paper": found.stored.paper_id,
        "title": entry.title if entry is not None else "",
        "status": status_of(entry),
        "year": entry.year if entry is not None else None,
        "doi": entry.doi if entry is not None else None,
        "kind": chunk.kind.value,
        "section": chunk.section,
        "label": chunk.label,
        "page": chunk.page,
        "start": chunk.start,
        "end": chunk.end,
        "exact": chunk.exact,
        "text": chunk.text,
        "fused": found.fused,
        "bm25": found.bm25,
        "dense": found.dense,
        "rerank": found.rerank,
        "judgement": found.judgement,
    }


def ranking_notes(ranked: "Ranked") -> list[str]:
    """What a search could not do: rankers that failed, chunks that have no vector."""
    notes = [f"{run.ranker} failed: {run.reason}" for run in ranked.failures]
    if ranked.without_vectors:
        notes.append(f"{ranked.without_vectors:,} chunks have no vector yet, so the dense ranking cannot find them")
    return notes


def size(count: int) -> str:
    """Bytes in words."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.2f} GB"


def table(values: Mapping[str, object]) -> list[str]:
    """Names and values, aligned."""
    width = max(map(len, values))
    return [f"{name:>{width}}: {value}" for name, value in values.items()]


def library_stats(settings: "Settings", store: "Store", sources: Mapping[str, int]) -> dict[str, Any]:
    """What is in a library and what it was made with."""
    entries, counts, space = store.papers(), store.counts(), store.space()
    made = "none" if space is None else f"{space.model}, {space.dimension} dimensions, {space.text_version}"
    years = [entry.year for entry in entries if entry.year]
    return {
        "library": settings.library_uri or str(settings.library_dir),
        "store": settings.library_store,
        "papers": counts["papers"],
        "pages": sum(entry.pages for entry in entries),
        "chunks": counts["chunks"],
        "vectors": counts["vectors"],
        "vector space": made,
        "formats": _counted(entry.format for entry in entries),
        "years": f"{min(years)}-{max(years)}" if years else "",
        "made by": _counted(entry.chunker for entry in entries),
        "sources": ", ".join(f"{count} {name}" for name, count in sources.items()),
        "size": size(counts["bytes"]),
    }


def _counted(names: Iterable[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in Counter(names).most_common())
