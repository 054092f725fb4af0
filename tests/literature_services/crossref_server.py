"""The REST API of Crossref over invented works, with the limits of its pools."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from invented import Invented
from speaking import corpus_of, replying

from pincite_tasks.corpus.sources import crossref
from source_server import Asked, Given


def make_crossref(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers ``GET /works`` and ``GET /works/{doi}`` over the works that have a DOI."""
    answer = replying(crossref.answer, [work for work in works if work.doi], _own)

    def limited(asked: Asked) -> Given:
        kind = "array" if asked.path == "/works" else "single"
        polite = "mailto" in asked.params
        limits = {"polite-array": "3", "public-array": "1", "polite-single": "10", "public-single": "5"}
        pool = f"{'polite' if polite else 'public'}-{kind}"
        headers = {"x-api-pool": pool, "x-rate-limit-limit": limits[pool], "x-rate-limit-interval": "1s"}
        given = answer(asked)
        return replace(given, headers={**given.headers, **headers, "x-concurrency-limit": "3" if polite else "1"})

    return limited


def record(work: Invented) -> dict[str, Any]:
    """The record of a work as the API gives it; ``raw`` adds fields and changes them."""
    corpus = corpus_of([work], _own)
    return crossref.record(corpus, corpus.works[0])


def _own(work: Invented) -> Mapping[str, Any]:
    date = {"date-parts": [[int(part) for part in work.published.split("-")]]} if work.published else None
    created = {"date-parts": [[2030, 1, 1]], "date-time": "2030-01-01T00:00:00Z", "timestamp": 1893456000000}
    link = {"URL": work.pdf, "content-type": "application/pdf", "content-version": "vor"}
    abstract = f"<jats:title>Abstract</jats:title><jats:p>{work.abstract}</jats:p>" if work.abstract else None
    notice = {"DOI": f"{work.doi}.r", "type": "retraction", "label": "Retraction"}
    return {
        "updated-by": [notice] if work.retracted else None,
        "published-online": None,
        "published-print": date,
        "created": created,
        "ISSN": ["1234-5679", "8765-4321"],
        "abstract": abstract,
        "link": [{**link, "intended-application": "text-mining"}] if work.pdf else None,
        "subject": None,
        "relation": None,
        "language": "en",
        "member": "9999",
        "score": 1.0,
    }
