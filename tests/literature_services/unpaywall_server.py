"""The API of Unpaywall (v2) over invented works: it wants an e-mail address and knows Crossref's DOIs only."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import unquote

from invented import Invented

from source_server import Asked, Given


def make_unpaywall(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers ``GET /v2/{doi}?email=…`` over the works that have a DOI."""
    kept = [work for work in works if work.doi]

    def answer(asked: Asked) -> Given:
        email = asked.params.get("email", "")
        if "@" not in email or email.endswith("@example.com"):
            words = (
                f"Please use your own email address in API calls, not {email}. See http://unpaywall.org/products/api"
            )
            return _error(422, words)
        doi = unquote(asked.path.removeprefix("/v2/")).lower()
        work = next((one for one in kept if one.doi.lower() == doi), None)
        if work is None:
            return _error(404, f"'{doi}' isn't in Unpaywall. See https://support.unpaywall.org/ to learn more.")
        return Given(record(work))

    return answer


def record(work: Invented) -> dict[str, Any]:
    """The DOI object of a work; ``raw`` adds fields and changes them."""
    places = [
        *([_place(work.pdf, f"https://doi.org/{work.doi}", "publisher", "publishedVersion", work)] if work.pdf else []),
        *(
            [
                _place(
                    f"https://arxiv.org/pdf/{work.arxiv}",
                    f"https://arxiv.org/abs/{work.arxiv}",
                    "repository",
                    "submittedVersion",
                    work,
                )
            ]
            if work.arxiv
            else []
        ),
    ]
    best = places[0] | {"is_best": True} if places else None
    return {
        "doi": work.doi.lower(),
        "doi_url": f"https://doi.org/{work.doi}",
        "title": work.title,
        "genre": "journal-article",
        "is_paratext": False,
        "published_date": work.published,
        "year": int(work.published[:4]),
        "journal_name": work.journal,
        "journal_issns": "1234-5679",
        "journal_is_oa": work.open_access,
        "publisher": "Invented Press",
        "is_oa": bool(places),
        "oa_status": "gold" if places else "closed",
        "has_repository_copy": bool(work.arxiv),
        "best_oa_location": best,
        "first_oa_location": best,
        "oa_locations": [*([best] if best else []), *places[1:]],
        "oa_locations_embargoed": [],
        "updated": "2026-01-01T00:00:00.000000",
        "data_standard": 2,
        "z_authors": [{"family": family, "given": given, "sequence": "first"} for family, given in work.authors],
    } | dict(work.raw)


def _place(pdf: str, page: str, host: str, version: str, work: Invented) -> dict[str, Any]:
    return {
        "url": pdf,
        "url_for_pdf": pdf,
        "url_for_landing_page": page,
        "host_type": host,
        "version": version,
        "license": work.licence or None,
        "evidence": "open (via page says license)",
        "is_best": False,
        "pmh_id": None,
        "endpoint_id": None,
        "repository_institution": None,
        "oa_date": work.published,
        "updated": "2026-01-01T00:00:00",
    }


def _error(status: int, words: str) -> Given:
    return Given({"HTTP_status_code": status, "error": True, "message": words}, status=status)
