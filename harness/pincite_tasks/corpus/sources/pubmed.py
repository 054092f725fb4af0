"""PubMed through NCBI's E-utilities (eutils.ncbi.nlm.nih.gov): works with a PMID; ESearch, EFetch and ELink.

All words are wanted, in metadata; words that no work has are left out and named, as PubMed does.
"""

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, AskedWronglyError, CorpusReply, missing
from pincite_tasks.corpus.index import ABSTRACT, AUTHORS, SUBJECTS, TITLE, VENUE
from pincite_tasks.corpus.query import QueryError
from pincite_tasks.corpus.sources.pubmed_term import Term
from pincite_tasks.corpus.work import CorpusWork

HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"'
    ' "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
_XML = "text/xml; charset=utf-8"
_MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_RANKED = (TITLE, ABSTRACT, AUTHORS, VENUE, SUBJECTS)
_LAST_START = 9_998
"""The deepest place in a list of results that ESearch gives."""
_TOP_SCORE = 90_000_000
"""Score of the nearest linked article, in the order of PubMed's own."""
_ARTICLE_PARTS = (
    "Journal", "ArticleTitle", "Pagination", "ELocationID", "Abstract", "AuthorList", "Language", "PublicationTypeList",
    "VernacularTitle", "ArticleDate",
)  # fmt: skip
_OUTSIDE = ("PubDate", "PubModel")
"""Raw fields that stand inside other elements."""


def answer(corpus: Corpus, asked: Asked) -> CorpusReply:
    """``esearch.fcgi``, ``efetch.fcgi`` and ``elink.fcgi``; errors of ESearch come with status 200."""
    tool = asked.path.rpartition("/")[2]
    if tool == "efetch.fcgi":
        return _fetched(corpus, asked)
    if tool == "elink.fcgi":
        return _linked(corpus, asked)
    if tool != "esearch.fcgi":
        return missing()
    try:
        return _search(corpus, asked)
    except (AskedWronglyError, QueryError) as error:
        return refused(str(error))


def refused(words: str) -> CorpusReply:
    """An error of ESearch: status 200, line breaks raw in the JSON."""
    return CorpusReply.of_text(
        '{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"' + words + '"}}'
    )


def articles(bodies: Sequence[str], head: str = HEAD) -> CorpusReply:
    """Records as EFetch gives them."""
    return CorpusReply.of_text(f"{head}<PubmedArticleSet>{''.join(bodies)}</PubmedArticleSet>", _XML)


def article(corpus: Corpus, work: CorpusWork) -> str:
    """The PubmedArticle of a work; its raw fields are XML in place of the element of that name."""
    title = f"RETRACTED: {work.title}" if work.labelled else work.title
    parts: dict[str, str] = {
        "PMID": f'<PMID Version="1">{work.pmid}</PMID>',
        "Journal": _journal(work),
        "ArticleTitle": f"<ArticleTitle>{escape(title)}.</ArticleTitle>",
        "Pagination": f"<Pagination><MedlinePgn>{escape(work.pages)}</MedlinePgn></Pagination>",
        "ELocationID": f'<ELocationID EIdType="doi" ValidYN="Y">{escape(work.doi)}</ELocationID>' if work.doi else "",
        "Abstract": _inside("Abstract", _inside("AbstractText", escape(work.abstract))),
        "AuthorList": _authors(work),
        "Language": "<Language>eng</Language>",
        "PublicationTypeList": _inside("PublicationTypeList", "".join(map(_type, _types(work)))),
        "CommentsCorrectionsList": _inside("CommentsCorrectionsList", _corrections(corpus, work)),
        "MeshHeadingList": _inside("MeshHeadingList", "".join(map(_heading, work.subjects))),
        "ArticleIdList": _article_ids(work),
    } | {name: str(text) for name, text in work.raw.items() if name not in _OUTSIDE}
    inside = "".join(parts.get(name, "") for name in _ARTICLE_PARTS)
    about = "".join(parts.get(name, "") for name in ("CommentsCorrectionsList", "MeshHeadingList", "KeywordList"))
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">{parts["PMID"]}'
        f'<Article PubModel="{work.raw.get("PubModel", "Print-Electronic")}">{inside}</Article><MedlineJournalInfo>'
        f"<MedlineTA>{escape(work.venue)}</MedlineTA></MedlineJournalInfo>{about}</MedlineCitation><PubmedData>"
        f"<PublicationStatus>ppublish</PublicationStatus>{parts['ArticleIdList']}{parts.get('ReferenceList', '')}"
        "</PubmedData></PubmedArticle>"
    )


def initials(given: str) -> str:
    """The first letters of given names."""
    return "".join(part[0] for part in given.split())


def _inside(tag: str, text: str) -> str:
    return f"<{tag}>{text}</{tag}>" if text else ""


def _journal(work: CorpusWork) -> str:
    year, *rest = work.published.split("-")
    month = _inside("Month", _MONTHS[int(rest[0])] if rest else "")
    day = _inside("Day", rest[1] if len(rest) > 1 else "")
    date = work.raw.get("PubDate", f"<PubDate><Year>{year}</Year>{month}{day}</PubDate>")
    issn = f'<ISSN IssnType="Electronic">{work.issn}</ISSN>' if work.issn else ""
    numbers = _inside("Volume", escape(work.volume)) + _inside("Issue", escape(work.issue))
    return (
        f'<Journal>{issn}<JournalIssue CitedMedium="Internet">{numbers}{date}</JournalIssue>'
        f"<Title>{escape(work.venue)}</Title></Journal>"
    )


def _authors(work: CorpusWork) -> str:
    listed = "".join(
        f'<Author ValidYN="Y"><LastName>{escape(family)}</LastName><ForeName>{escape(given)}</ForeName>'
        f"<Initials>{initials(given)}</Initials></Author>"
        for family, given in work.names
    )
    return f'<AuthorList CompleteYN="Y">{listed}</AuthorList>' if listed else ""


def _types(work: CorpusWork) -> list[str]:
    usual = {"review": "Review", "notice": "Retraction Notice"}.get(work.kind, "Journal Article")
    return [usual, *(["Retracted Publication"] if work.retracted is not None else [])]


def _type(kind: str) -> str:
    return f'<PublicationType UI="D016428">{kind}</PublicationType>'


def _heading(subject: str) -> str:
    name = f'<DescriptorName UI="D000001" MajorTopicYN="N">{escape(subject)}</DescriptorName>'
    return f"<MeshHeading>{name}</MeshHeading>"


def _corrections(corpus: Corpus, work: CorpusWork) -> str:
    notice = corpus.notice(work)
    pairs = [("RetractionIn", notice)] if notice is not None else []
    pairs += [("RetractionOf", other) for other in corpus.noticed(work)]
    pairs += [("ErratumIn", other) for other in corpus.correcting(work)]
    pairs += [("ErratumFor", other) for other in corpus.corrected(work)]
    listed = ""
    for kind, other in pairs:
        place = f"{other.venue}. {other.published[:4]};{other.volume}:{other.pages}. doi: {other.own_doi}"
        pmid = f'<PMID Version="1">{other.pmid}</PMID>' if other.pmid else ""
        listed += f'<CommentsCorrections RefType="{kind}"><RefSource>{escape(place)}</RefSource>{pmid}'
        listed += "</CommentsCorrections>"
    return listed


def _article_ids(work: CorpusWork) -> str:
    ids = [("pubmed", work.pmid), ("doi", work.doi), ("pmc", work.pmcid)]
    inside = "".join(f"<ArticleId IdType={quoteattr(kind)}>{escape(text)}</ArticleId>" for kind, text in ids if text)
    return f"<ArticleIdList>{inside}</ArticleIdList>"


def _held(corpus: Corpus) -> dict[str, CorpusWork]:
    return {work.pmid: work for work in corpus.works if work.pmid}


def _search(corpus: Corpus, asked: Asked) -> CorpusReply:
    start, size = asked.number("retstart", 0), asked.number("retmax", 20)
    if not asked.text("term"):
        raise AskedWronglyError("Empty term and query_key - nothing todo")
    if start > _LAST_START:
        raise AskedWronglyError(f"Search Backend failed: Exception:\n'retstart' cannot be larger than {_LAST_START}.")
    held = [number for number, work in enumerate(corpus.works) if work.pmid]
    term = Term.read(asked.text("term"), [corpus.subject(number) for number in held])
    fitting = [number for number in held if term.fits(corpus.subject(number))]
    found = corpus.index.rank(fitting, term.words, _RANKED)
    works = [corpus.works[number] for number in found if _between(corpus.works[number], asked)]
    if asked.text("sort") == "pub_date":
        works.sort(key=lambda work: work.first_day, reverse=True)
    shown = [work.pmid for work in works[start : start + size]]
    result: dict[str, Any] = {
        "count": str(len(works)),
        "retmax": str(len(shown)),
        "retstart": str(start),
        "idlist": shown,
        "translationset": [],
        "querytranslation": asked.text("term"),
    }
    if term.unknown or term.unknown_fields:
        result["errorlist"] = {"phrasesnotfound": term.unknown, "fieldsnotfound": term.unknown_fields}
    if not works:
        nothing: dict[str, list[str]] = {"phrasesignored": [], "quotedphrasesnotfound": []}
        result["warninglist"] = {**nothing, "outputmessages": ["No items found."]}
    return CorpusReply.json({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})


def _between(work: CorpusWork, asked: Asked) -> bool:
    first, last, day = asked.text("mindate"), asked.text("maxdate"), work.first_day.replace("-", "/")
    return (not first or day >= first) and (not last or day[: len(last)] <= last)


def _fetched(corpus: Corpus, asked: Asked) -> CorpusReply:
    named = [one for one in asked.text("id").split(",") if one]
    if not named:
        return CorpusReply.of_text(
            "<?xml version='1.0'?><eFetchResult><ERROR>Empty id list - nothing todo</ERROR></eFetchResult>", _XML
        )
    works = _held(corpus)
    there = [works[pmid] for pmid in named if pmid in works]
    return articles([str(work.raw.get("whole") or article(corpus, work)) for work in there])


def _linked(corpus: Corpus, asked: Asked) -> CorpusReply:
    pmid, name = asked.text("id"), asked.text("linkname")
    work = _held(corpus).get(pmid)
    linked = _links(corpus, work, name) if work is not None else []
    linkset: dict[str, Any] = {"dbfrom": "pubmed", "ids": [pmid]}
    if linked:
        links: list[Any] = list(linked)
        if asked.text("cmd") == "neighbor_score":
            links = [{"id": one, "score": str(_TOP_SCORE - place)} for place, one in enumerate(linked)]
            links.reverse()
        linkset["linksetdbs"] = [{"dbto": "pubmed", "linkname": name, "links": links}]
    return CorpusReply.json({"header": {"type": "elink", "version": "0.3"}, "linksets": [linkset]})


def _links(corpus: Corpus, work: CorpusWork, name: str) -> list[str]:
    if name == "pubmed_pubmed_citedin":
        return [other.pmid for other in corpus.citing(work) if other.pmid]
    if name == "pubmed_pubmed_refs":
        cited = [other if isinstance(other, str) else other.pmid for other in corpus.references(work)]
        return [pmid for pmid in cited if pmid]
    alike = [other.pmid for other in corpus.alike(work, corpus.works) if other.pmid]
    return [work.pmid, *alike] if name == "pubmed_pubmed" and alike else []
