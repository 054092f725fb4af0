"""What recorded answers say of works, read straight from their JSON and XML: nothing of this is pincite's own reading.

A reading is a dict by field of ``Work``. Texts are compared by their letters and digits, so that markup, entities and
punctuation count for nothing; ``letters`` makes them so.
"""

import calendar
import html
import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable
from typing import Any

Reading = dict[str, Any]
_ATOM = {"a": "http://www.w3.org/2005/Atom", "x": "http://arxiv.org/schemas/atom"}
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_ARXIV_DOI = "10.48550/arxiv."


def letters(text: str) -> str:
    """Letters and digits of a text without its markup, compatible forms made one."""
    for _ in range(3):
        text = html.unescape(re.sub(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>", "", text))
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if sign.isalnum())


# Dates: tuples of year, month, day as far as they are given.
Date = tuple[int, ...]


def iso(text: str | None) -> Date:
    return tuple(int(part) for part in (text or "")[:10].split("-") if part.isdigit())


def shown(date: Date) -> str:
    return "-".join([f"{date[0]:04d}", *(f"{part:02d}" for part in date[1:])]) if date else ""


def last_day(date: Date) -> Date:
    year, month = date[0], date[1] if len(date) > 1 else 12
    return (year, month, date[2] if len(date) > 2 else calendar.monthrange(year, month)[1])


def first_of(dates: Iterable[Date]) -> Date:
    """The date by whose end it had surely appeared; of two that end together the finer one."""
    return min((date for date in dates if date), key=lambda date: (last_day(date), -len(date)), default=())


def cited(issue: Date, online: Iterable[Date]) -> tuple[str, str]:
    """The date to cite and the first public one: an article goes by its issue, made finer by a day online within it."""
    days = [day for day in online if day]
    first = first_of([*days, issue])
    if not issue:
        return shown(first), shown(first)
    finer = sorted(day for day in days if len(day) > len(issue) and day[: len(issue)] == issue)
    return shown(finer[0] if finer else issue), shown(first)


# Crossref

_CROSSREF_KINDS = {
    "journal-article": "article", "posted-content": "preprint", "proceedings-article": "conference",
    "book-chapter": "chapter", "reference-entry": "chapter", "book": "book", "monograph": "book",
    "dissertation": "thesis", "report": "report", "dataset": "dataset",
}  # fmt: skip


_FORMATS = ("application/pdf", "text/html", "application/xml", "text/xml")


def crossref(body: str) -> list[Reading]:
    message = json.loads(body)["message"]
    items = message.get("items", [message])
    return [_crossref(item) for item in items]


def _crossref(item: dict[str, Any]) -> Reading:
    parts = {
        key: tuple(item[key]["date-parts"][0]) if item.get(key) and item[key]["date-parts"][0][0] else ()
        for key in ("issued", "published", "published-online", "published-print", "posted")
    }
    published, public = cited(parts.pop("published-print"), parts.values())
    title, subtitle = _one(item.get("title")) or _one(item.get("original-title")), _one(item.get("subtitle"))
    kind = "" if "type" not in item else _CROSSREF_KINDS.get(item["type"], "other")
    if kind == "preprint" and item.get("subtype") not in (None, "", "preprint"):
        kind = "other"
    licences = [one["URL"] for one in item.get("license", []) if "creativecommons.org/" in one["URL"]]
    links = [
        one["URL"]
        for one in item.get("link", [])
        if one["intended-application"] != "similarity-checking"
        and (one["content-type"] in _FORMATS or one["URL"].lower().endswith(".pdf"))
    ]
    institution = item.get("institution") or [{}]
    return {
        "title": letters(title) + ("" if letters(subtitle) in letters(title) else letters(subtitle)),
        "authors": [
            letters(f"{one.get('given', '')}{one.get('family', '')}{one.get('suffix', '')}" or one.get("name", ""))
            for one in item.get("author", [])
        ],
        "orcids": [one.get("ORCID", "").rpartition("/")[2] for one in item.get("author", [])],
        "published": published,
        "public": public,
        "doi": item["DOI"].lower(),
        "kind": kind,
        "venue": letters(
            _one(item.get("container-title"))
            or (item.get("event") or {}).get("name", "")
            or (institution[0].get("name") or "")
        ),
        "publisher": letters(item.get("publisher", "")),
        "volume": item.get("volume", ""),
        "issue": item.get("issue", ""),
        "pages": item.get("page") or item.get("article-number", ""),
        "issn": _one(item.get("ISSN")),
        "isbn": _one(item.get("ISBN")).rpartition("/")[2],
        "language": item.get("language") or "",
        "abstract": re.sub("^(?i:abstract|summary)", "", letters(item.get("abstract", ""))),
        "subjects": [letters(one) for one in item.get("subject", [])],
        "cited_by": item.get("is-referenced-by-count"),
        "licences": set(licences[:1]) if links and licences else set(),
        "links": set(links) if licences else set(),
        "open_access": True if licences else None,
        "notices": {(one["type"], one["DOI"].lower()) for one in item.get("updated-by", [])},
        "notice_of": {(one["type"], one["DOI"].lower()) for one in item.get("update-to", [])},
        "version_of": {
            one["id"].lower().removeprefix("https://doi.org/")
            for name, listed in item.get("relation", {}).items()
            if name in ("is-preprint-of", "has-preprint", "is-version-of", "has-version", "is-same-as")
            for one in listed
        }
        - {item["DOI"].lower()},
    }


def _one(listed: list[str] | None) -> str:
    return listed[0] if listed else ""


# Semantic Scholar

_S2_KINDS = (
    ("Review", "review"), ("MetaAnalysis", "review"), ("Dataset", "dataset"), ("BookSection", "chapter"),
    ("Book", "book"), ("Conference", "conference"), ("JournalArticle", "article"), ("CaseReport", "article"),
    ("ClinicalTrial", "article"), ("Study", "article"),
)  # fmt: skip


def semantic_scholar(body: str) -> list[Reading]:
    frame = json.loads(body)
    if isinstance(frame, list):
        papers = [one for one in frame if one]
    elif "recommendedPapers" in frame:
        papers = frame["recommendedPapers"]
    elif "paperId" in frame:
        papers = [frame]
    else:
        papers = [one.get("citingPaper") or one.get("citedPaper") or one for one in frame.get("data", [])]
    return [_semantic_scholar(paper) for paper in papers if paper.get("paperId") or paper.get("title")]


def _semantic_scholar(paper: dict[str, Any]) -> Reading:
    ids, journal = paper.get("externalIds") or {}, paper.get("journal") or {}
    venue = paper.get("publicationVenue") or {}
    doi = (ids.get("DOI") or "").lower()
    arxiv = ids.get("ArXiv") or (doi.removeprefix(_ARXIV_DOI) if doi.startswith(_ARXIV_DOI) else "")
    date = iso(paper.get("publicationDate")) or ((paper["year"],) if paper.get("year") else ())
    date = date[:1] if date[1:] == (1, 1) else date[:2] if date[2:] == (1,) else date
    named = (paper.get("venue") or journal.get("name") or "").lower()
    preprint = bool(arxiv) and (not doi or doi.startswith(_ARXIV_DOI)) and named in ("", "arxiv", "arxiv.org")
    article = (doi != "" and not doi.startswith((_ARXIV_DOI, "10.1101/20", "10.2139/ssrn"))) or (
        not preprint and bool(journal.get("volume"))
    )
    of_preprint = article and bool(arxiv) and bool(date) and _not_after_number(date, arxiv)
    types = paper.get("publicationTypes") or []
    kind = next((kind for name, kind in _S2_KINDS if name in types), "other" if types else "")
    pdf = (paper.get("openAccessPdf") or {}).get("url") or ""
    return {
        "title": letters(paper.get("title") or ""),
        "authors": [letters(one["name"]) for one in paper.get("authors") or [] if one.get("name")],
        "published": "" if of_preprint else shown(date),
        "public": shown(date),
        "s2": paper.get("paperId"),
        "doi": doi or None,
        "arxiv": arxiv or None,
        "pmid": ids.get("PubMed"),
        "pmcid": f"PMC{ids['PubMedCentral']}" if ids.get("PubMedCentral") else None,
        "kind": "preprint" if preprint else kind,
        "venue": "arXiv" if preprint else letters(venue.get("name") or paper.get("venue") or journal.get("name") or ""),
        "volume": "" if preprint else " ".join((journal.get("volume") or "").split()),
        "pages": "" if preprint else "".join((journal.get("pages") or "").split()),
        "issn": venue.get("issn") or "",
        "abstract": letters(paper.get("abstract") or ""),
        "subjects": [letters(one) for one in paper.get("fieldsOfStudy") or []],
        "cited_by": paper.get("citationCount"),
        "open_access": paper.get("isOpenAccess"),
        "links": {pdf} if pdf else set(),
    }


def _not_after_number(date: Date, arxiv: str) -> bool:
    digits = arxiv.rpartition("/")[2][:4]
    year = int(digits[:2])
    return date[:2] <= (year + (1900 if year >= 91 else 2000), int(digits[2:]))


# OpenAlex

_OPENALEX_KINDS = {"article": "article", "letter": "article", "review": "review", "preprint": "preprint"}
_OPENALEX_KINDS |= {"book-chapter": "chapter", "book": "book", "dissertation": "thesis", "report": "report"}


def openalex(body: str) -> list[Reading]:
    frame = json.loads(body)
    return [_openalex(one) for one in frame.get("results", [frame])]


def _openalex(work: dict[str, Any]) -> Reading:
    ids, main, biblio = work.get("ids") or {}, work.get("primary_location") or {}, work.get("biblio") or {}
    venue, places = main.get("source") or {}, work.get("locations") or []
    doi = (work.get("doi") or "").lower().removeprefix("https://doi.org/")
    pages = [place.get("landing_page_url") or "" for place in places]
    found = [re.search(r"arxiv\.(?:org/abs/|)(\d{4}\.\d{4,5}|[a-z-]+/\d{7})", page, re.IGNORECASE) for page in pages]
    arxiv = doi.removeprefix(_ARXIV_DOI) if doi.startswith(_ARXIV_DOI) else next((m[1] for m in found if m), None)
    date = iso(work.get("publication_date"))
    date = date[:1] if date[1:] == (1, 1) else date[:2] if date[2:] == (1,) else date
    kind = _OPENALEX_KINDS.get(work.get("type", ""), "other" if work.get("type") else "")
    if kind == "article" and main.get("version") == "submittedVersion":
        kind = "preprint"
    if kind == "article" and venue.get("type") == "conference":
        kind = "conference"
    article = kind != "preprint" and not doi.startswith(_ARXIV_DOI)
    of_preprint = article and bool(arxiv) and bool(date) and _not_after_number(date, arxiv or "")
    words: dict[int, str] = {}
    for word, at in (work.get("abstract_inverted_index") or {}).items():
        words |= dict.fromkeys(at, word)
    open_places = [place for place in [work.get("best_oa_location") or {}, *places] if place.get("is_oa")]
    return {
        "title": letters(work.get("title") or ""),
        "authors": [letters(one["author"]["display_name"]) for one in work.get("authorships") or []],
        "orcids": [(one["author"].get("orcid") or "").rpartition("/")[2] for one in work.get("authorships") or []],
        "published": "" if of_preprint else shown(date),
        "public": shown(date),
        "doi": doi or None,
        "arxiv": arxiv,
        "pmid": (ids.get("pmid") or "").rpartition("/")[2] or None,
        "pmcid": f"PMC{ids['pmcid'].rpartition('/')[2].removeprefix('PMC')}" if ids.get("pmcid") else None,
        "openalex": (work.get("id") or "").rpartition("/")[2] or None,
        "kind": kind,
        "venue": letters(venue.get("display_name") or ""),
        "publisher": "" if venue.get("type") == "repository" else letters(venue.get("host_organization_name") or ""),
        "volume": biblio.get("volume") or "",
        "issue": biblio.get("issue") or "",
        "pages": "-".join(dict.fromkeys(filter(None, (biblio.get("first_page"), biblio.get("last_page"))))),
        "issn": venue.get("issn_l") or "",
        "language": work.get("language") or "",
        "abstract": re.sub("^(?i:abstract)", "", letters(" ".join(words[at] for at in sorted(words)))),
        "subjects": [letters(one["display_name"]) for one in work.get("topics") or []],
        "cited_by": work.get("cited_by_count"),
        "open_access": (work.get("open_access") or {}).get("is_oa"),
        "retracted": work.get("is_retracted") is True,
        "links": {place[key] for place in open_places for key in ("pdf_url", "landing_page_url") if place.get(key)},
    }


# arXiv


def arxiv(body: str) -> list[Reading]:
    return [_arxiv(entry) for entry in ET.fromstring(body).iterfind("a:entry", _ATOM)]


def _arxiv(entry: ET.Element) -> Reading:
    named = (entry.findtext("a:id", "", _ATOM)).partition("/abs/")[2]
    number, version = re.sub(r"v\d+$", "", named), (re.findall(r"v\d+$", named) or [""])[0]
    categories = [one.get("term", "") for one in entry.iterfind("a:category", _ATOM)]
    primary = entry.find("x:primary_category", _ATOM)
    first = [primary.get("term", "")] if primary is not None else []
    doi = (entry.findtext("x:doi", "", _ATOM) or "").lower().strip()
    return {
        "title": letters(entry.findtext("a:title", "", _ATOM)),
        "authors": [letters(one.text or "") for one in entry.iterfind("a:author/a:name", _ATOM)],
        "published": (entry.findtext("a:published", "", _ATOM))[:10],
        "public": (entry.findtext("a:published", "", _ATOM))[:10],
        "updated": (entry.findtext("a:updated", "", _ATOM))[:10],
        "arxiv": number,
        "doi": f"{_ARXIV_DOI}{number}",
        "kind": "preprint",
        "venue": letters(entry.findtext("x:journal_ref", "", _ATOM)),
        "abstract": letters(entry.findtext("a:summary", "", _ATOM)),
        "subjects": [letters(one) for one in dict.fromkeys([*first, *categories])],
        "url": f"https://arxiv.org/abs/{number}{version}",
        "version_of": {doi} if doi else set(),
        "links": {f"https://arxiv.org/{kind}/{number}{version}" for kind in ("src", "html", "pdf")},
        "open_access": True,
    }


# PubMed

_PUBMED_KINDS = (
    ("Preprint", "preprint"), ("Review", "review"), ("Systematic Review", "review"), ("Scoping Review", "review"),
    ("Meta-Analysis", "review"), ("Dataset", "dataset"), ("Technical Report", "report"), ("Congress", "conference"),
    ("Journal Article", "article"), ("Letter", "article"), ("Case Reports", "article"),
)  # fmt: skip


_SUBJECTS = ("MeshHeadingList/MeshHeading/DescriptorName", "KeywordList/Keyword")


def pubmed(body: str) -> list[Reading]:
    return [_pubmed(article) for article in ET.fromstring(body).iterfind("PubmedArticle")]


def _pubmed(record: ET.Element) -> Reading:
    citation, article = record.find("MedlineCitation"), record.find("MedlineCitation/Article")
    assert citation is not None
    assert article is not None
    issue = article.find("Journal/JournalIssue")
    assert issue is not None
    online = [_pubmed_date(one) for one in article.iterfind("ArticleDate")]
    printed = _pubmed_date(issue.find("PubDate"))
    if article.get("PubModel") in ("Electronic", "Electronic-eCollection") and any(online):
        published, public = shown(first_of(online)), shown(first_of([*online, printed]))
    else:
        in_issue = issue.findtext("Volume") or issue.findtext("Issue")
        published, public = cited(printed if in_issue else (), [*online, () if in_issue else printed])
    own = list(record.iterfind("PubmedData/ArticleIdList/ArticleId"))
    own += [one for one in article.iterfind("ELocationID") if one.get("ValidYN") != "N"]
    ids = {(one.get("IdType") or one.get("EIdType")): (one.text or "").strip() for one in reversed(own)}
    types = [_inside(one) for one in article.iterfind("PublicationTypeList/PublicationType")]
    title = _inside(article.find("ArticleTitle"))
    pages = article.findtext("Pagination/MedlinePgn") or ""
    first, last = article.findtext("Pagination/StartPage") or "", article.findtext("Pagination/EndPage") or ""
    pages = f"{first}-{last}" if first and last and last != first else first or pages
    parts = re.fullmatch(r"([A-Za-z]*)(\d+)-([A-Za-z]*)(\d+)", pages)
    if parts and len(parts[4]) < len(parts[2]):
        pages = f"{parts[1]}{parts[2]}-{parts[3]}{parts[2][: -len(parts[4])]}{parts[4]}"
    if not pages:
        pages = next((one.text or "" for one in article.iterfind("ELocationID") if one.get("EIdType") == "pii"), "")
    notes = [(one.get("RefType"), one.findtext("PMID", "")) for one in citation.iterfind("CommentsCorrectionsList/*")]
    noticed = ("RetractionIn", "PartialRetractionIn", "ExpressionOfConcernIn", "ErratumIn", "CorrectedandRepublishedIn")
    return {
        "title": letters(title if letters(title) != "Notavailable" else article.findtext("VernacularTitle", "")),
        "authors": [_pubmed_author(one) for one in article.iterfind("AuthorList/Author")],
        "orcids": [_pubmed_orcid(one) for one in article.iterfind("AuthorList/Author")],
        "published": published,
        "public": public,
        "pmid": citation.findtext("PMID"),
        "doi": ids["doi"].lower() if "doi" in ids else None,
        "pmcid": ids["pmc"].partition(".")[0] if "pmc" in ids else None,
        "kind": next((kind for name, kind in _PUBMED_KINDS if name in types), "other" if types else ""),
        "venue": letters(article.findtext("Journal/Title", "")),
        "volume": issue.findtext("Volume", "").strip(),
        "issue": issue.findtext("Issue", "").strip(),
        "pages": pages,
        "issn": article.findtext("Journal/ISSN", ""),
        "language": ", ".join(one.text or "" for one in article.iterfind("Language")),
        "abstract": "".join(
            ("" if one.get("Label", "UNLABELLED") == "UNLABELLED" else letters(one.get("Label", "")))
            + letters(_inside(one))
            for one in article.iterfind("Abstract/AbstractText")
            if letters(_inside(one))
        ),
        "subjects": list(dict.fromkeys(letters(_inside(one)) for path in _SUBJECTS for one in citation.iterfind(path))),
        "retracted": "Retracted Publication" in types or any(kind == "RetractionIn" for kind, _ in notes),
        "notices": {note for note in notes if note[0] in noticed},
    }


def _pubmed_date(date: ET.Element | None) -> Date:
    if date is None:
        return ()
    words = date.findtext("MedlineDate")
    if words:
        found = re.match(r"(\d{4})(?: ([A-Z][a-z]{2})(?: (\d+))?)?$", words)
        second = re.match(r"(\d{4})\D*?-(\d{4})$", words)
        if second:
            return (int(second[2]),)
        return _numbers(found[1], found[2], found[3]) if found else (int(words[:4]),)
    return _numbers(date.findtext("Year"), date.findtext("Month"), date.findtext("Day"))


def _numbers(year: str | None, month: str | None, day: str | None) -> Date:
    if not year:
        return ()
    number = _MONTHS.get((month or "").lower()[:3]) or (int(month) if month and month.isdigit() else 0)
    return (int(year), number, int(day)) if number and day else (int(year), number) if number else (int(year),)


def _pubmed_author(author: ET.Element) -> str:
    family = author.findtext("LastName", "")
    given = author.findtext("ForeName") or author.findtext("Initials") or ""
    name = f"{given}{family}{author.findtext('Suffix', '')}" if family else _inside(author.find("CollectiveName"))
    return letters(name)


def _pubmed_orcid(author: ET.Element) -> str:
    found = next((one.text or "" for one in author.iterfind("Identifier") if one.get("Source") == "ORCID"), "")
    digits = re.sub(r"[^\dX]", "", found.rpartition("/")[2])
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4)) if len(digits) == 16 else ""


def _inside(element: ET.Element | None) -> str:
    return "".join(element.itertext()) if element is not None else ""


# Europe PMC


def europe_pmc(body: str) -> list[Reading]:
    return [_europe_pmc(one) for one in json.loads(body)["resultList"]["result"]]


def _europe_pmc(record: dict[str, Any]) -> Reading:
    journal = record.get("journalInfo") or {}
    types = [one.lower() for one in (record.get("pubTypeList") or {}).get("pubType", [])]
    types = types or [one.strip().lower() for one in (record.get("pubType") or "").split(";") if one.strip()]
    online, first = iso(record.get("electronicPublicationDate")), iso(record.get("firstPublicationDate"))
    printed = (
        _pubmed_words(journal.get("dateOfPublication", "")) if journal.get("volume") or journal.get("issue") else ()
    )
    if first and first != online and first[2:] == (1,):
        issue = _pubmed_words(journal.get("dateOfPublication", ""))
        first = issue if issue and issue[:2] == first[: len(issue[:2])] and len(issue) < 3 else first
        if not journal.get("dateOfPublication"):  # The first of a month, of January, stands for the month, the year.
            first = first[:1] if first[1:] == (1, 1) else first[:2]
    year = (int(record["pubYear"]),) if record.get("pubYear") else ()
    public = first or year
    if record.get("pubModel") in ("Electronic", "Electronic-eCollection") and online:
        published, shown_first = shown(online), shown(public)
    else:
        published, shown_first = cited(printed, [public])
    authors = (record.get("authorList") or {}).get("author", [])
    names = [letters(f"{one.get('firstName') or one.get('initials') or ''}{one.get('lastName', '')}") or letters(
        one.get("fullName") or one.get("collectiveName", "")) for one in authors]  # fmt: skip
    return {
        "title": letters(record.get("title", "")),
        **({"authors": names} if authors else {}),
        "published": published,
        "public": shown_first,
        "pmid": record.get("pmid") or (record["id"] if record["source"] == "MED" else None),
        "pmcid": record.get("pmcid"),
        "doi": record["doi"].lower() if record.get("doi") else None,
        "kind": _europe_pmc_kind(types),
        "venue": letters((journal.get("journal") or {}).get("title", "")),
        "volume": journal.get("volume") or record.get("journalVolume") or "",
        "issue": journal.get("issue") or record.get("issue") or "",
        "pages": record.get("pageInfo", ""),
        "issn": (journal.get("journal") or {}).get("issn") or (journal.get("journal") or {}).get("essn") or "",
        "language": record.get("language", ""),
        "abstract": letters(record.get("abstractText", "")),
        "cited_by": record.get("citedByCount"),
        "open_access": {"Y": True, "N": False}.get(record.get("isOpenAccess", "")),
        "retracted": "retracted publication" in types,
    }


def _europe_pmc_kind(types: list[str]) -> str:
    said = ";".join(types)
    for word, kind in (("preprint", "preprint"), ("review", "review"), ("meta-analysis", "review")):
        if word in said:
            return kind
    return "article" if "article" in said else "other" if said else ""


def _pubmed_words(words: str) -> Date:
    found = re.match(r"(\d{4})(?: ([A-Z][a-z]{2})(?: (\d+))?)?$", words)
    return _numbers(found[1], found[2], found[3]) if found else ((int(words[:4]),) if words[:4].isdigit() else ())


# Unpaywall


def unpaywall(body: str) -> list[str]:
    """The addresses of the open places."""
    record = json.loads(body)
    places = [record["best_oa_location"] or {}, *record["oa_locations"]]
    named = [place.get(key) for place in places for key in ("url_for_pdf", "url_for_landing_page") if place.get(key)]
    return [url for url in dict.fromkeys(named) if url]


READERS: dict[str, Callable[[str], list[Reading]]] = {
    "crossref": crossref,
    "semantic_scholar": semantic_scholar,
    "openalex": openalex,
    "arxiv": arxiv,
    "pubmed": pubmed,
    "europe_pmc": europe_pmc,
}
