"""Europe PMC (www.ebi.ac.uk/europepmc): works with a PMID or PMCID; all words are wanted, in open full texts too."""

import re
from collections.abc import Sequence
from typing import Any

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, AskedWronglyError, CorpusReply, missing
from pincite_tasks.corpus.fulltext import as_jats
from pincite_tasks.corpus.index import ABSTRACT, AUTHORS, FIELDS, SUBJECTS, TEXT, TITLE, VENUE
from pincite_tasks.corpus.query import QueryError, Syntax
from pincite_tasks.corpus.work import CorpusWork

_BASE = "/europepmc/webservices/rest"
_LINKS = re.compile(r"/(?P<source>[A-Z]{3})/(?P<id>[\w-]+)/(?P<part>citations|references)")
_TEXT = re.compile(r"/(?P<pmcid>PMC\d+)/fullTextXML")
_XML = "application/xml; charset=utf-8"


def _dated(work: CorpusWork, first: str, last: str) -> bool:
    return work.first_day[: len(first)] >= first and work.first_day[: len(last)] <= last


_SYNTAX = Syntax(
    usual=FIELDS,
    fields={
        "TITLE": (TITLE,),
        "ABSTRACT": (ABSTRACT,),
        "TITLE_ABS": (TITLE, ABSTRACT),
        "AUTH": (AUTHORS,),
        "JOURNAL": (VENUE,),
        "KW": (SUBJECTS,),
        "BODY": (TEXT,),
    },
    facts={
        "EXT_ID": lambda work, value, _: source_of(work)[1] == value,
        "SRC": lambda work, value, _: source_of(work)[0] == value.upper(),
        "PMCID": lambda work, value, _: work.pmcid == value.upper(),
        "DOI": lambda work, value, _: bool(work.doi) and work.doi.lower() == value.lower(),
        "OPEN_ACCESS": lambda work, value, _: work.in_europe_pmc == (value.lower() == "y"),
        "HAS_FT": lambda work, value, _: work.in_europe_pmc == (value.lower() == "y"),
        "IN_EPMC": lambda work, value, _: work.in_europe_pmc == (value.lower() == "y"),
        "PUB_TYPE": lambda work, value, _: value.lower() in " ".join(_types(work)).lower(),
        "FIRST_PDATE": _dated,
        "PUB_YEAR": lambda work, first, last: first <= work.published[:4] <= last,
    },
)


def answer(corpus: Corpus, asked: Asked) -> CorpusReply:
    """``/search``, ``/SRC/ID/citations|references`` and ``/PMCID/fullTextXML``; errors come with status 200."""
    try:
        return _answer(corpus, asked)
    except (AskedWronglyError, QueryError) as error:
        return refused(404, str(error))


def refused(code: int, words: str, status: int = 200) -> CorpusReply:
    """An error: the API sends its own code in the body."""
    return CorpusReply.json({"version": "6.9", "errCode": code, "errMsg": words}, status)


def _answer(corpus: Corpus, asked: Asked) -> CorpusReply:
    path = asked.path.removeprefix(_BASE)
    if path == "/search":
        return _search(corpus, asked)
    if found := _LINKS.fullmatch(path):
        work = corpus.find(lambda each: source_of(each) == (found["source"], found["id"]))
        return _linked(corpus, work, found["part"], asked)
    if found := _TEXT.fullmatch(path):
        text = jats(corpus, found["pmcid"])
        return missing() if text is None else CorpusReply.of_text(text, _XML)
    return missing()


def jats(corpus: Corpus, pmcid: str) -> str | None:
    """The open full text of a PMCID as JATS, None where there is none."""
    work = corpus.find(lambda each: bool(each.pmcid) and each.pmcid == pmcid)
    if work is None or not work.in_europe_pmc:
        return None
    text = corpus.text(work)
    return text if work.text.endswith(".xml") else as_jats(work, text, corpus.cited(work))


def source_of(work: CorpusWork) -> tuple[str, str]:
    """Source and id of a work, ("", "") for one that is not there."""
    if work.pmid:
        return "MED", work.pmid
    if work.ppr:
        return "PPR", work.ppr
    return ("PMC", work.pmcid) if work.pmcid else ("", "")


def record(corpus: Corpus, work: CorpusWork) -> dict[str, Any]:
    """The record of a work as resultType=core gives it."""
    source, own = source_of(work)
    held = "Y" if work.in_europe_pmc else "N"
    fields: dict[str, Any] = {
        "id": own,
        "source": source,
        "pmid": work.pmid,
        "pmcid": work.pmcid,
        "doi": work.doi,
        "title": f"{work.title}.",
        "authorList": {
            "author": [
                {"fullName": f"{family} {_initials(given)}", "firstName": given, "lastName": family}
                for family, given in work.names
            ]
        },
        "journalInfo": {
            "volume": work.volume,
            "issue": work.issue,
            "yearOfPublication": work.year,
            "journal": {"title": work.venue, "issn": work.issn},
        },
        "pubYear": work.published[:4],
        "pageInfo": work.pages,
        "abstractText": work.abstract,
        "language": "eng",
        "pubTypeList": {"pubType": _types(work)},
        "keywordList": {"keyword": work.subjects} if work.subjects else None,
        "commentCorrectionList": {"commentCorrection": _notes(corpus, work)} if _notes(corpus, work) else None,
        "isOpenAccess": held,
        "inEPMC": held,
        "inPMC": "Y" if work.pmcid else "N",
        "citedByCount": len(corpus.citing(work)),
        "hasReferences": "Y" if work.references else "N",
        "license": work.licence.replace("-", " ") if work.in_europe_pmc else None,
        "firstPublicationDate": work.first_day,
        "electronicPublicationDate": work.first_day if work.published == work.first_day else None,
    }
    fields |= work.raw
    return {name: value for name, value in fields.items() if value not in ("", None)}


def _types(work: CorpusWork) -> list[str]:
    usual = {"review": "review-article", "notice": "Retraction of Publication"}.get(work.kind, "research-article")
    return [usual, "Journal Article", *(["Retracted Publication"] if work.retracted is not None else [])]


def _notes(corpus: Corpus, work: CorpusWork) -> list[dict[str, Any]]:
    notice = corpus.notice(work)
    pairs = [("Retraction in", notice)] if notice is not None else []
    pairs += [("Retraction of", other) for other in corpus.noticed(work)]
    pairs += [("Erratum in", other) for other in corpus.correcting(work)]
    pairs += [("Erratum for", other) for other in corpus.corrected(work)]
    return [
        {
            "id": other.pmid or None,
            "source": "MED" if other.pmid else None,
            "type": kind,
            "reference": f"{other.venue}. {other.published[:4]};{other.volume}:{other.pages}. doi: {other.own_doi}",
        }
        for kind, other in pairs
    ]


def _initials(given: str) -> str:
    return "".join(part[0] for part in given.split())


def _search(corpus: Corpus, asked: Asked) -> CorpusReply:
    size = asked.number("pageSize", 25, least=1, most=1000)
    mark = asked.text("cursorMark") or "*"
    if mark != "*" and not (mark.isascii() and mark.isdigit()):
        raise AskedWronglyError("The cursorMark parameter is not valid.")
    start = int(mark) if mark != "*" else 0
    if not asked.text("query"):
        raise AskedWronglyError("No query parameter found.")
    query = _SYNTAX.read(asked.text("query"))
    held = [number for number, work in enumerate(corpus.works) if source_of(work)[0]]
    found = corpus.index.rank([at for at in held if query.fits(corpus.subject(at))], query.words, FIELDS)
    name, _, order = asked.text("sort").partition(" ")
    if name in ("FIRST_PDATE_D", "P_PDATE_D"):
        found.sort(key=lambda at: corpus.works[at].first_day, reverse=order == "desc")
    elif name == "CITED":
        found.sort(key=lambda at: len(corpus.citing(corpus.works[at])), reverse=order == "desc")
    shown = found[start : start + size]
    return CorpusReply.json(
        {
            "version": "6.9",
            "hitCount": len(found),
            "nextCursorMark": str(start + len(shown)) if shown else mark,
            "resultList": {"result": [record(corpus, corpus.works[at]) for at in shown]},
        }
    )


def _linked(corpus: Corpus, work: CorpusWork | None, part: str, asked: Asked) -> CorpusReply:
    works: Sequence[CorpusWork | str] = []
    if work is not None:
        works = corpus.citing(work) if part == "citations" else corpus.references(work)
    page, size = asked.number("page", 1, least=1), asked.number("pageSize", 25, least=1, most=1000)
    first = (page - 1) * size
    rows = [_short(one) | {"citedOrder": at} for at, one in enumerate(works[first : first + size], first + 1)]
    one = part[:-1]
    return CorpusReply.json({"version": "6.9", "hitCount": len(works), f"{one}List": {one: rows}})


def _short(work: CorpusWork | str) -> dict[str, Any]:
    if isinstance(work, str):
        return {"title": f"Cited work {work}", "match": "N", "pubYear": 1990}
    source, own = source_of(work)
    named = ", ".join(f"{family} {_initials(given)}" for family, given in work.names)
    fields = {"id": own, "source": source, "doi": work.doi, "citationType": "journal article"}
    fields |= {"title": f"{work.title}.", "authorString": f"{named}.", "journalAbbreviation": work.venue}
    return {name: value for name, value in fields.items() if value} | {
        "volume": work.volume,
        "issue": work.issue,
        "pageInfo": work.pages,
        "pubYear": work.year,
        "match": "Y" if source else "N",
    }
