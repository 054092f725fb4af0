"""The API of OpenAlex over invented works, with merges, keys and the wildcards that it refuses."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from invented import Invented
from speaking import corpus_of, replying

from pincite_tasks.corpus.sources import openalex
from source_server import Asked, Given


def make_openalex(works: Sequence[Invented], *, merged: Mapping[str, str] | None = None) -> Callable[[Asked], Given]:
    """Answers ``GET /works`` and ``GET /works/{id}`` over the works that have an OpenAlex id; ids that are keys of
    ``merged`` redirect to their values.
    """
    answer = replying(openalex.answer, [work for work in works if work.openalex], _own)

    def around(asked: Asked) -> Given:
        name, query = unquote(asked.path.removeprefix("/works/")), asked.params.get("select", "")
        if merged and name in merged:
            address = f"/works/{merged[name]}{f'?select={query}' if query else ''}"
            return Given("", status=301, headers={"Location": address})
        if "cursor" in asked.params and "api_key" not in asked.params:
            return Given({"error": "API key required", "message": "Cursor paging requires an API key."}, status=401)
        if int(asked.params.get("per_page", "25")) > 100:
            return _refused("per_page parameter must be between 1 and 100")
        if re.search(r"[*?]", asked.params.get("search", "")):
            return _refused("Wildcards are not supported in stemmed search. Use search.exact.")
        return answer(asked)

    return around


def record(work: Invented) -> dict[str, Any]:
    """The work as the API gives it: unknown days and months are ones; ``raw`` adds fields and changes them."""
    corpus = corpus_of([work], _own)
    return openalex.record(corpus, corpus.works[0])


def _refused(words: str) -> Given:
    return Given({"error": "Invalid query parameters error.", "message": words}, status=400)


def _own(work: Invented) -> Mapping[str, Any]:
    places = _places(work)
    best = next((place for place in places if place["is_oa"]), None)
    status = "gold" if work.open_access else "closed"
    return {
        "primary_location": places[0] if places else None,
        "locations": places,
        "best_oa_location": best,
        "open_access": {"is_oa": work.open_access, "oa_status": status, "oa_url": None},
        "is_retracted": work.retracted,
    }


def _places(work: Invented) -> list[dict[str, Any]]:
    """A publisher's page where there is a DOI, arXiv's where there is a number."""
    places: list[dict[str, Any]] = []
    if work.doi:
        source = {"id": "https://openalex.org/S1", "display_name": work.journal, "issn_l": "1234-5679"}
        place = {
            "is_oa": work.open_access,
            "landing_page_url": f"https://doi.org/{work.doi}",
            "pdf_url": work.pdf or None,
            "source": {**source, "type": "journal", "host_organization_name": "Invented Press"},
            "license": work.licence or None,
            "version": "publishedVersion",
        }
        places.append(place)
    if work.arxiv:
        source = {"id": "https://openalex.org/S4306400194", "display_name": "arXiv (Cornell University)"}
        place = {
            "is_oa": True,
            "landing_page_url": f"http://arxiv.org/abs/{work.arxiv}",
            "pdf_url": f"https://arxiv.org/pdf/{work.arxiv}",
            "source": {**source, "type": "repository", "host_organization_name": "Cornell University"},
            "license": None,
            "version": "submittedVersion",
        }
        places.append(place)
    return places
