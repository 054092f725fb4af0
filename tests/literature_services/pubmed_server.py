"""NCBI's E-utilities for PubMed over invented works: ESearch (tags, phrases, AND/OR/NOT, dates, retstart) as JSON,
EFetch as XML of the DTD of 2025, ELink as JSON, errors as NCBI sends them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl
from xml.sax.saxutils import escape, quoteattr

from invented import Invented

from source_server import Asked, Given

HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"'
    ' "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
_TOKEN = re.compile(
    r'\s*(?:(?P<paren>[()])|(?P<op>AND|OR|NOT)\b|"(?P<phrase>[^"]*)"(?:\[(?P<tag>[^\]]*)\])?|'
    r"(?P<word>[^\s()\"\[]+(?: (?!AND |OR |NOT )[^\s()\"\[]+)*?)(?:\[(?P<tag2>[^\]]*)\])|(?P<bare>[^\s()\"\[]+))"
)
_MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TAGS = ("ti", "tiab", "au", "ta", "mh", "dp", "doi", "aid", "lid", "pmid", "uid", "sb", "pt", "all")

Fits = Callable[[Invented], bool]


def make_pubmed(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers esearch, efetch and elink over the works with a PMID; GET and POST alike."""
    kept = {work.pmid: work for work in works if work.pmid}

    def answer(asked: Asked) -> Given:
        params = asked.params | dict(parse_qsl(asked.body.decode()))
        if params.get("api_key") == "wrong":
            return Given(
                {"error": "API key invalid", "api-key": "wrong", "type": "client", "status": "unknown"}, status=400
            )
        if asked.path == "/esearch.fcgi":
            return _search(kept, params)
        if asked.path == "/efetch.fcgi":
            return _fetched(kept, params)
        if asked.path == "/elink.fcgi":
            return _linked(kept, params)
        return Given("<html>Not Found</html>", status=404)

    return answer


def refused(words: str) -> Given:
    """An error of ESearch: status 200, line breaks raw in the JSON."""
    return Given('{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"' + words + '"}}')


def articles(bodies: Sequence[str], head: str = HEAD) -> Given:
    return Given(f"{head}<PubmedArticleSet>{''.join(bodies)}</PubmedArticleSet>", headers={"Content-Type": "text/xml"})


def article(work: Invented) -> str:
    """The PubmedArticle of a work; ``raw`` holds XML instead of an element, by its name ("" to drop it)."""
    parts = {
        "PMID": f'<PMID Version="1">{work.pmid}</PMID>',
        "Journal": (
            f'<Journal><ISSN IssnType="Electronic">1234-5678</ISSN><JournalIssue CitedMedium="Internet">'
            f"<Volume>{work.volume}</Volume><Issue>{work.issue}</Issue>{work.raw.get('PubDate', _date(work.published))}"
            f"</JournalIssue><Title>{escape(work.journal)}</Title>"
            "<ISOAbbreviation>J Inv Res</ISOAbbreviation></Journal>"
        ),
        "ArticleTitle": f"<ArticleTitle>{escape(work.title)}.</ArticleTitle>",
        "Pagination": f"<Pagination><MedlinePgn>{work.pages}</MedlinePgn></Pagination>",
        "ELocationID": f'<ELocationID EIdType="doi" ValidYN="Y">{escape(work.doi)}</ELocationID>' if work.doi else "",
        "Abstract": f"<Abstract><AbstractText>{escape(work.abstract)}</AbstractText></Abstract>"
        if work.abstract
        else "",
        "AuthorList": _author_list(work),
        "Language": "<Language>eng</Language>",
        "PublicationTypeList": "<PublicationTypeList>"
        + "".join(f'<PublicationType UI="D016428">{kind}</PublicationType>' for kind in _types(work))
        + "</PublicationTypeList>",
        "VernacularTitle": "",
        "ArticleDate": "",
        "CommentsCorrectionsList": "",
        "MeshHeadingList": _mesh(work),
        "KeywordList": "",
        "ArticleIdList": _article_ids(work),
        "ReferenceList": "",
    } | {name: text for name, text in work.raw.items() if name not in ("PubDate", "PubModel")}
    inside = "".join(parts[name] for name in _ARTICLE_PARTS)
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">{parts["PMID"]}'
        "<DateRevised><Year>2024</Year><Month>01</Month><Day>02</Day></DateRevised>"
        f'<Article PubModel="{work.raw.get("PubModel", "Print-Electronic")}">{inside}</Article><MedlineJournalInfo>'
        "<Country>United States</Country>"
        "<MedlineTA>J Inv Res</MedlineTA><NlmUniqueID>0000001</NlmUniqueID></MedlineJournalInfo>"
        f"<CitationSubset>IM</CitationSubset>{parts['CommentsCorrectionsList']}{parts['MeshHeadingList']}"
        f"{parts['KeywordList']}</MedlineCitation><PubmedData><History>"
        '<PubMedPubDate PubStatus="entrez"><Year>2024</Year><Month>1</Month><Day>1</Day></PubMedPubDate></History>'
        f"<PublicationStatus>ppublish</PublicationStatus>{parts['ArticleIdList']}{parts['ReferenceList']}</PubmedData>"
        "</PubmedArticle>"
    )


_ARTICLE_PARTS = (
    "Journal", "ArticleTitle", "Pagination", "ELocationID", "Abstract", "AuthorList", "Language", "PublicationTypeList",
    "VernacularTitle", "ArticleDate",
)  # fmt: skip


def _date(published: str) -> str:
    year, *rest = published.split("-")
    month = f"<Month>{_MONTHS[int(rest[0])]}</Month>" if rest else ""
    day = f"<Day>{rest[1]}</Day>" if len(rest) > 1 else ""
    return f"<PubDate><Year>{year}</Year>{month}{day}</PubDate>"


def _author_list(work: Invented) -> str:
    authors = "".join(
        f'<Author ValidYN="Y"><LastName>{escape(family)}</LastName><ForeName>{escape(given)}</ForeName>'
        f"<Initials>{''.join(part[0] for part in given.split())}</Initials><AffiliationInfo>"
        "<Affiliation>Institute of Invention.</Affiliation></AffiliationInfo></Author>"
        for family, given in work.authors
    )
    return f'<AuthorList CompleteYN="Y">{authors}</AuthorList>' if authors else ""


def _types(work: Invented) -> list[str]:
    return ["Journal Article", *(["Retracted Publication"] if work.retracted else [])]


def _mesh(work: Invented) -> str:
    headings = "".join(
        f'<MeshHeading><DescriptorName UI="D000001" MajorTopicYN="N">{escape(subject)}</DescriptorName>'
        '<QualifierName UI="Q000001" MajorTopicYN="Y">methods</QualifierName></MeshHeading>'
        for subject in work.subjects
    )
    return f"<MeshHeadingList>{headings}</MeshHeadingList>" if headings else ""


def _article_ids(work: Invented) -> str:
    ids = [("pubmed", work.pmid), ("doi", work.doi), ("pmc", work.pmcid)]
    inside = "".join(f"<ArticleId IdType={quoteattr(kind)}>{escape(text)}</ArticleId>" for kind, text in ids if text)
    return f"<ArticleIdList>{inside}</ArticleIdList>"


def _search(works: dict[str, Invented], params: dict[str, str]) -> Given:
    start, size = int(params.get("retstart", "0")), int(params.get("retmax", "20"))
    if not params.get("term"):
        return refused("Empty term and query_key - nothing todo")
    if start > 9998:
        return refused("Search Backend failed: Exception:\n'retstart' cannot be larger than 9998.")
    reader = _Reader(params["term"], list(works.values()))
    try:
        fits = reader.read()
    except ValueError:
        return refused("Invalid query: it cannot be parsed")
    found = [work for work in works.values() if fits(work) and _between(work, params)]
    if params.get("sort") == "pub_date":
        found.sort(key=lambda work: work.published, reverse=True)
    shown = [work.pmid for work in found[start : start + size]]
    result: dict[str, Any] = {
        "count": str(len(found)),
        "retmax": str(len(shown)),
        "retstart": str(start),
        "idlist": shown,
        "translationset": [],
        "querytranslation": params["term"],
    }
    if reader.unknown or reader.unknown_fields:
        result["errorlist"] = {"phrasesnotfound": reader.unknown, "fieldsnotfound": reader.unknown_fields}
    if not found:
        result["warninglist"] = {
            "phrasesignored": [],
            "quotedphrasesnotfound": [],
            "outputmessages": ["No items found."],
        }
    return Given({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})


def _between(work: Invented, params: dict[str, str]) -> bool:
    if "mindate" not in params:
        return True
    day = "/".join((*work.published.split("-"), "01", "01")[:3])
    return params["mindate"] <= day <= params["maxdate"]


def _fetched(works: dict[str, Invented], params: dict[str, str]) -> Given:
    named = [one for one in params.get("id", "").split(",") if one]
    if not named:
        return Given("<?xml version='1.0'?><eFetchResult><ERROR>Empty id list - nothing todo</ERROR></eFetchResult>")
    return articles([works[pmid].raw.get("whole") or article(works[pmid]) for pmid in named if pmid in works])


def _linked(works: dict[str, Invented], params: dict[str, str]) -> Given:
    pmid, name = params.get("id", ""), params.get("linkname", "")
    work = works.get(pmid)
    linked: list[str] = []
    if work is not None:
        linked = {
            "pubmed_pubmed_citedin": [one.pmid for one in works.values() if pmid in one.cites],
            "pubmed_pubmed_refs": list(work.cites),
            "pubmed_pubmed": [pmid, *work.like] if work.like else [],
        }[name]
    linkset: dict[str, Any] = {"dbfrom": "pubmed", "ids": [pmid]}
    if linked:
        links: list[Any] = linked
        if params.get("cmd") == "neighbor_score":
            links = [{"id": one, "score": str(90_000_000 - place)} for place, one in enumerate(linked)]
            links.reverse()
        linkset["linksetdbs"] = [{"dbto": "pubmed", "linkname": name, "links": links}]
    return Given({"header": {"type": "elink", "version": "0.3"}, "linksets": [linkset]})


class _Reader:
    """A term of PubMed: words that no work holds are left out and named in ``unknown``, so are tags."""

    def __init__(self, text: str, works: Sequence[Invented]) -> None:
        self.unknown: list[str] = []
        self.unknown_fields: list[str] = []
        self._tokens = list(_tokens(text))
        self._works = works
        self._at = 0

    def read(self) -> Fits:
        fits = self._any()
        if self._at < len(self._tokens):
            raise ValueError("the query cannot be parsed")
        return fits or _nothing

    def _any(self) -> Fits | None:
        fits = self._one()
        while self._at < len(self._tokens) and self._tokens[self._at]["paren"] != ")":
            operator = self._tokens[self._at]["op"]
            self._at += 1 if operator else 0
            fits = _joined(operator or "AND", fits, self._one())
        return fits

    def _one(self) -> Fits | None:
        if self._at >= len(self._tokens):
            raise ValueError("the query ends early")
        token = self._tokens[self._at]
        self._at += 1
        if token["paren"] == "(":
            fits = self._any()
            if self._at >= len(self._tokens):
                raise ValueError("a parenthesis is not closed")
            self._at += 1
            return fits
        if token["paren"] or token["op"]:
            raise ValueError("an operator stands alone")
        words = (token["phrase"] or token["word"] or token["bare"] or "").lower()
        tag = (token["tag"] or token["tag2"] or "all").lower()
        if tag not in _TAGS:
            self.unknown_fields.append(tag)
            tag = "all"
        if tag == "all" and not any(_holds(work, tag, words) for work in self._works):
            self.unknown.append(words)
            return None
        return lambda work: _holds(work, tag, words)


def _joined(operator: str, left: Fits | None, right: Fits | None) -> Fits | None:
    if left is None or right is None:
        return left or right
    if operator == "AND":
        return lambda work: left(work) and right(work)
    if operator == "OR":
        return lambda work: left(work) or right(work)
    return lambda work: left(work) and not right(work)


def _nothing(work: Invented) -> bool:
    return False


def _tokens(text: str) -> Iterator[dict[str, Any]]:
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError("the query cannot be parsed")
        at = match.end()
        yield match.groupdict()


def _holds(work: Invented, tag: str, words: str) -> bool:
    exact = {"lid": work.doi, "doi": work.doi, "pmid": work.pmid, "uid": work.pmid}
    if tag in exact:
        return exact[tag].lower() == words
    if tag == "sb":
        return work.open_access
    names = " ; ".join(f"{family} {''.join(part[0] for part in given.split())}" for family, given in work.authors)
    if tag == "au":
        return any(name.lower().startswith(words) for name in names.split(" ; "))
    if tag == "aid":
        return words in (work.doi.lower(), work.pmcid.lower())
    if re.fullmatch(r"pmc\d+", words):
        return work.pmcid.lower() == words
    if tag == "dp":
        return work.published.startswith(words)
    inside = {
        "ti": work.title,
        "tiab": f"{work.title} {work.abstract}",
        "ta": work.journal,
        "mh": " ".join(work.subjects),
    }
    split = re.compile(r"[\w.]+")
    have, wanted = split.findall(inside.get(tag, work.words).lower()), split.findall(words)
    return any(have[at : at + len(wanted)] == wanted for at in range(len(have)))
