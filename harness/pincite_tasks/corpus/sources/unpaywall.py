"""Unpaywall (v2 of api.unpaywall.org): where the works of a corpus can be read for free."""

from typing import Any

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, CorpusReply
from pincite_tasks.corpus.work import CorpusWork


def answer(corpus: Corpus, asked: Asked) -> CorpusReply:
    """``/v2/DOI``: the record of a work that has the DOI; it knows none of preprints."""
    doi = asked.path.removeprefix("/v2/").lower()
    work = corpus.find(lambda each: bool(each.doi) and each.doi.lower() == doi)
    if work is None:
        return failed(404, f"'{doi}' isn't in Unpaywall. See https://support.unpaywall.org/ to learn more.")
    return CorpusReply.json(record(work))


def failed(status: int, words: str) -> CorpusReply:
    """What Unpaywall answers to a question that it does not take."""
    return CorpusReply.json({"HTTP_status_code": status, "error": True, "message": words}, status)


def record(work: CorpusWork) -> dict[str, Any]:
    """The DOI object of a work."""
    places = _places(work)
    if places:
        places[0]["is_best"] = True
    best = places[0] if places else None
    return {
        "doi": work.doi.lower(),
        "doi_url": f"https://doi.org/{work.doi}",
        "title": work.title,
        "genre": "journal-article",
        "is_paratext": False,
        "published_date": work.first_day,
        "year": work.year,
        "journal_name": work.venue,
        "journal_issns": work.issn or None,
        "journal_is_oa": work.open,
        "publisher": work.publisher,
        "is_oa": bool(places),
        "oa_status": "gold" if places else "closed",
        "has_repository_copy": any(place["host_type"] == "repository" for place in places),
        "best_oa_location": best,
        "first_oa_location": best,
        "oa_locations": places,
        "oa_locations_embargoed": [],
        "updated": "2026-01-01T00:00:00.000000",
        "data_standard": 2,
        "z_authors": [{"family": family, "given": given, "sequence": "first"} for family, given in work.names],
        **work.raw,
    }


def _places(work: CorpusWork) -> list[dict[str, Any]]:
    places: list[dict[str, Any]] = []
    if work.publisher_pdf:
        page = f"https://doi.org/{work.doi}"
        places.append(_place(work, work.publisher_pdf, page, "publisher", "publishedVersion"))
    elif work.open and work.pmcid:
        page = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{work.pmcid[3:]}"
        places.append(_place(work, None, page, "repository", None))
    if work.arxiv:
        pdf, page = f"https://arxiv.org/pdf/{work.arxiv}", f"https://arxiv.org/abs/{work.arxiv}"
        places.append(_place(work, pdf, page, "repository", "submittedVersion"))
    return places


def _place(work: CorpusWork, pdf: str | None, page: str, host: str, version: str | None) -> dict[str, Any]:
    return {
        "url": pdf or page,
        "url_for_pdf": pdf,
        "url_for_landing_page": page,
        "host_type": host,
        "version": version,
        "license": work.publisher_licence or None,
        "evidence": "open (via page says license)",
        "is_best": False,
        "pmh_id": None,
        "endpoint_id": None,
        "repository_institution": None,
        "oa_date": work.first_day,
        "updated": "2026-01-01T00:00:00",
    }
