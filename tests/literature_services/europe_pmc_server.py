"""Europe PMC's Articles RESTful API over invented works."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from invented import Invented
from speaking import corpus_of, given, replying

from pincite_tasks.corpus.sources import europe_pmc
from source_server import Asked, Given

_MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def make_europe_pmc(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers ``/search`` and ``/SRC/ID/citations|references`` over the works with a PMID, a PMCID or a PPR id."""
    return replying(europe_pmc.answer, [work for work in works if work.pmid or work.pmcid or work.ppr], _own)


def record(work: Invented) -> dict[str, Any]:
    """The record of a work as resultType=core gives it; ``raw`` holds fields to change, or None to drop."""
    corpus = corpus_of([work], _own)
    return europe_pmc.record(corpus, corpus.works[0])


def refused(code: int, words: str, status: int = 200) -> Given:
    """An error: the API sends its own code in the body, with status 200."""
    return given(europe_pmc.refused(code, words, status))


def _own(work: Invented) -> Mapping[str, Any]:
    year, month, day = (*work.published.split("-"), "01", "01")[:3]
    known = len(work.published.split("-"))
    journal = {"title": work.journal, "medlineAbbreviation": "J Inv Res", "issn": "1234-5678", "essn": "8765-4321"}
    headings = [{"majorTopic_YN": "N", "descriptorName": subject} for subject in work.subjects]
    note = {"id": "1", "source": "MED", "type": "Retraction in", "note": "", "orderIn": 0}
    return {
        "journalInfo": None
        if work.ppr
        else {
            "issue": work.issue,
            "volume": work.volume,
            "journalIssueId": 1,
            "dateOfPublication": " ".join([year, _MONTHS[int(month)], str(int(day))][:known]),
            "monthOfPublication": int(month) if known > 1 else 0,
            "yearOfPublication": int(year),
            "printPublicationDate": f"{year}-{month}-{day}",
            "journal": journal,
        },
        "pubModel": "Print",
        "pubTypeList": {"pubType": ["Preprint"] if work.ppr else ["research-article", "Journal Article"]},
        "keywordList": None,
        "meshHeadingList": {"meshHeading": headings} if headings else None,
        "bookOrReportDetails": {"publisher": "bioRxiv", "yearOfPublication": int(year)} if work.ppr else None,
        "fullTextUrlList": {"fullTextUrl": _addresses(work)},
        "commentCorrectionList": {"commentCorrection": [note]} if work.retracted else None,
        "electronicPublicationDate": None,
        "license": "cc by" if work.open_access else None,
    }


def _addresses(work: Invented) -> list[dict[str, str]]:
    shut = {"availability": "Subscription required", "availabilityCode": "S", "documentStyle": "doi", "site": "DOI"}
    free = {"availability": "Open access", "availabilityCode": "OA", "site": "Europe_PMC"}
    listed = [{**shut, "url": f"https://doi.org/{work.doi}"}]
    if work.open_access:
        page = f"https://europepmc.org/articles/{work.pmcid}"
        listed += [{**free, "documentStyle": "html", "url": page}]
        listed += [{**free, "documentStyle": "pdf", "url": f"{page}?pdf=render"}]
    return listed
