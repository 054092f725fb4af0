"""PubMed over a server that speaks E-utilities: search, paging, lookups, links, oddities and failures."""

import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import SecretStr

from pincite_core.errors import BadInputError, LimitReachedError, SourceError
from pincite_literature.model import FulltextLink, Identifiers
from pincite_literature.sources.pubmed import PubMed
from pincite_literature.sources.source import Citing, Query, Recommending, Source

Opened = Callable[..., Any]


@pytest.fixture
def works(invented: ModuleType) -> list[Any]:
    make = invented.Invented
    return [
        make(
            "Kinases & p < 0.05",
            (("Curie", "Marie Salomea"), ("van der Waals", "Johannes D")),
            "An abstract of µ-kinases.",
            "2018-05-20",
            doi="10.1016/j.inv.2018.05.001",
            pmid="29000001",
            pmcid="PMC6000001",
            subjects=("Protein Kinases", "Humans"),
            cites=("29000002",),
            like=("29000002", "29000003"),
            open_access=True,
        ),
        make("Kinases reviewed", published="2016-11", pmid="29000002", doi="10.1016/j.inv.2016.11.001"),
        make("Old kinases", published="1985", pmid="29000003", cites=("29000002",), retracted=True),
    ]


@pytest.fixture
def opened(asking: Opened, pubmed_server: ModuleType, works: list[Any]) -> Opened:
    """Opens PubMed over the works, or over the function given."""

    @asynccontextmanager
    async def open_over(answer: Any = None, **others: Any) -> AsyncGenerator[tuple[PubMed, Any]]:
        async with asking(PubMed, answer or pubmed_server.make_pubmed(works), **others) as both:
            yield both

    return open_over


@pytest.fixture
def read(asking: Opened, pubmed_server: ModuleType, invented: ModuleType) -> Callable[..., Any]:
    """Reads the work of one odd record: ``raw`` elements, or fields of the invented work."""

    async def read_one(raw: dict[str, str] | None = None, **fields: Any) -> Any:
        odd = invented.Invented("Odd", **{"pmid": "1", **fields}, raw=raw or {})
        async with asking(PubMed, pubmed_server.make_pubmed([odd])) as (source, _):
            return await source.work(Identifiers(pmid="1"))

    return read_one


async def test_is_a_source(opened: Opened) -> None:
    async with opened(unhurried=True) as (pubmed, _):
        source: Source = pubmed
        assert source.policy.name == "pubmed"
        assert isinstance(pubmed, Citing)
        assert isinstance(pubmed, Recommending)
        assert (source.policy.rate.requests, source.policy.rate.seconds) == (3, 1)
    async with opened(unhurried=True, ncbi_api_key=SecretStr("k")) as (pubmed, _):
        assert (pubmed.policy.rate.requests, pubmed.policy.rate.seconds) == (10, 1)


async def test_says_who_asks(opened: Opened) -> None:
    async with opened(contact="ada@example.org", ncbi_api_key=SecretStr("key-1")) as (pubmed, server):
        await pubmed.search(Query("kinases"), limit=5)
    for asked in server.asked:
        assert asked.params["tool"] == "pincite"
        assert asked.params["email"] == "ada@example.org"
        assert asked.params["api_key"] == "key-1"


async def test_found(opened: Opened) -> None:
    async with opened() as (pubmed, server):
        page = await pubmed.search(Query("protein kinases curie"), limit=10)
    (work,) = page.works
    assert (page.total, page.cursor, page.unkept) == (1, None, ())
    assert work.title == "Kinases & p < 0.05"
    assert work.ids == Identifiers(doi="10.1016/j.inv.2018.05.001", pmid="29000001", pmcid="PMC6000001")
    assert [(author.name, author.family, author.given) for author in work.authors] == [
        ("Marie Salomea Curie", "Curie", "Marie Salomea"),
        ("Johannes D van der Waals", "van der Waals", "Johannes D"),
    ]
    assert work.abstract == "An abstract of µ-kinases."
    assert str(work.published) == "2018-05-20"
    assert work.venue == "Journal of Invented Results"
    assert (work.volume, work.issue, work.pages, work.issn) == ("12", "3", "101-110", "1234-5679")
    assert work.subjects == ("Protein Kinases", "Humans")
    assert (work.kind, work.language, work.open_access, work.retracted) == ("article", "eng", True, False)
    assert work.url == "https://pubmed.ncbi.nlm.nih.gov/29000001/"
    assert work.links == (FulltextLink("html", "https://pmc.ncbi.nlm.nih.gov/articles/PMC6000001/", "PMC"),)
    assert work.sources == ("pubmed",)
    search, fetch = server.asked
    assert search.params["term"] == "protein kinases curie"
    assert search.params["retmode"] == "json"
    assert fetch.params["id"] == "29000001"


async def test_nothing_found(opened: Opened) -> None:
    async with opened() as (pubmed, server):
        page = await pubmed.search(Query("unobtainium"), limit=10)
    assert (page.works, page.total, page.cursor) == ((), 0, None)
    assert len(server.asked) == 1


async def test_words_that_pubmed_leaves_out_are_named(opened: Opened) -> None:
    async with opened() as (pubmed, _):
        page = await pubmed.search(Query("kinases unobtainium"), limit=10)
    assert page.total == 3
    assert page.unkept == ("the words 'unobtainium'",)


async def test_pages_to_the_end(asking: Opened, pubmed_server: ModuleType, invented: ModuleType) -> None:
    many = [invented.Invented(f"Kinase {n}", pmid=str(1000 + n)) for n in range(23)]
    seen: list[str | None] = []
    async with asking(PubMed, pubmed_server.make_pubmed(many)) as (pubmed, server):
        cursor = None
        while True:
            page = await pubmed.search(Query("kinase"), limit=10, cursor=cursor)
            seen += [work.ids.pmid for work in page.works]
            cursor = page.cursor
            if cursor is None:
                break
    assert seen == [work.pmid for work in many]
    assert [one.params["retstart"] for one in server.asked if one.path == "/esearch.fcgi"] == ["0", "10", "20"]


async def test_works_keep_the_order_of_the_search(opened: Opened, pubmed_server: ModuleType, works: list[Any]) -> None:
    honest = pubmed_server.make_pubmed(works)

    def backwards(asked: Any) -> Any:
        if asked.path == "/efetch.fcgi":
            return pubmed_server.articles([pubmed_server.article(work) for work in reversed(works)])
        return honest(asked)

    async with opened(backwards) as (pubmed, _):
        page = await pubmed.search(Query("kinases"), limit=10)
    assert [work.ids.pmid for work in page.works] == ["29000001", "29000002", "29000003"]


async def test_filters_and_sorts(opened: Opened) -> None:
    async with opened() as (pubmed, server):
        page = await pubmed.search(Query("kinases", first_year=2016, last_year=2018, sort="newest"), limit=5)
        assert [work.ids.pmid for work in page.works] == ["29000001", "29000002"]
        page = await pubmed.search(Query("kinases", before=date(2018, 5, 20)), limit=5)
        assert [work.ids.pmid for work in page.works] == ["29000002", "29000003"]
        page = await pubmed.search(Query("kinases", author="Johannes D. van der Waals", open_access=True), limit=5)
        assert [work.ids.pmid for work in page.works] == ["29000001"]
        assert page.unkept == ("author",)
        page = await pubmed.search(Query("kinases", venue="Journal of Invented Results", sort="oldest"), limit=5)
        assert page.total == 3
        assert page.unkept == ("sort",)
        await pubmed.search(Query("kinases", open_access=False, sort="cited"), limit=5)
        nothing = await pubmed.search(Query("kinases", first_year=2020, before=date(2019, 1, 1)), limit=5)
        assert nothing.works == ()
    asked = [one.params for one in server.asked if one.path == "/esearch.fcgi"]
    assert (asked[0]["mindate"], asked[0]["maxdate"], asked[0]["datetype"]) == ("2016/01/01", "2018/12/31", "pdat")
    assert asked[0]["sort"] == "pub_date"
    assert (asked[1]["mindate"], asked[1]["maxdate"]) == ("1000/01/01", "2018/05/19")
    assert asked[2]["term"] == "(kinases) AND van der Waals J[au] AND free full text[sb]"
    assert asked[3]["term"] == '(kinases) AND "Journal of Invented Results"[ta]'
    assert asked[4]["term"] == "(kinases) NOT free full text[sb]"
    assert len(asked) == 5


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("kinase[ti]", '"kinase ti"'),
        ("kinases OR cells NOT mice", "kinases cells mice"),
        ("a1) OR (b", '"a1" "b"'),
        ('"heat shock" TGF-β1', '"heat shock" TGF-β1'),
        ("La1.85Sr0.15CuO4 5'-AMP Ca2+", "La1.85Sr0.15CuO4 5'-AMP Ca2+"),
        ("2-(4-chlorophenyl)", '"2- 4-chlorophenyl"'),
        ("1990:2000 #1 cell*", '"1990 2000" "1" "cell"'),
        ("he & she | her", "he she her"),
        ('un"closed', "un closed"),
        ("- kinase -", "kinase"),
    ],
)
async def test_words_stay_words(opened: Opened, words: str, asked: str) -> None:
    async with opened() as (pubmed, server):
        await pubmed.search(Query(words), limit=5)
    assert server.asked[0].params["term"] == asked


@pytest.mark.parametrize("text", ["", " ", "?", "x" * 3000])
async def test_refuses_empty_and_endless_queries(opened: Opened, text: str) -> None:
    async with opened() as (pubmed, server):
        with pytest.raises(BadInputError):
            await pubmed.search(Query(text), limit=5)
        with pytest.raises(BadInputError):
            await pubmed.query(text, limit=5)
    assert server.asked == []


async def test_takes_queries_of_its_own_language(opened: Opened) -> None:
    async with opened() as (pubmed, server):
        page = await pubmed.query("kinases[ti] NOT reviewed[ti] AND Protein Kinases[mh]", limit=5)
        assert [work.ids.pmid for work in page.works] == ["29000001"]
        page = await pubmed.query("kinases[ti]", limit=5, before=date(2017, 1, 1))
        assert [work.ids.pmid for work in page.works] == ["29000002", "29000003"]
        with pytest.raises(BadInputError, match="does not know a field") as caught:
            await pubmed.query("kinases[titel]", limit=5)
        assert "titel" in caught.value.seen
        with pytest.raises(BadInputError, match="does not close"):
            await pubmed.query("kinases) OR (cells", limit=5, before=date(2017, 1, 1))
    dated = [one.params for one in server.asked if "maxdate" in one.params]
    assert dated[0]["maxdate"] == "2016/12/31"
    assert dated[0]["term"] == "kinases[ti]"


async def test_long_queries_are_posted(opened: Opened) -> None:
    async with opened() as (pubmed, server):
        page = await pubmed.query("kinases[ti] OR " + " OR ".join(f"gene{n}[ti]" for n in range(120)), limit=5)
    assert page.total == 3
    assert server.asked[0].method == "POST"
    assert "gene119" in server.asked[0].body.decode()
    assert server.asked[0].headers["content-type"] == "application/x-www-form-urlencoded"


async def test_works_by_id(opened: Opened) -> None:
    async with opened() as (pubmed, server):
        for ids, title in (
            (Identifiers(pmid="29000002"), "Kinases reviewed"),
            (Identifiers(pmcid="PMC6000001"), "Kinases & p < 0.05"),
            (Identifiers(doi="10.1016/j.inv.2016.11.001"), "Kinases reviewed"),
            (Identifiers(pmid="5", doi="10.1016/j.inv.2016.11.001"), "Kinases reviewed"),
        ):
            work = await pubmed.work(ids)
            assert work is not None
            assert work.title == title
        assert await pubmed.work(Identifiers(pmid="99999999")) is None
        assert await pubmed.work(Identifiers(doi="10.1016/unknown")) is None
        assert await pubmed.work(Identifiers(pmcid="PMC1")) is None
        asked = len(server.asked)
        assert await pubmed.work(Identifiers(arxiv="2001.00001", openalex="W1")) is None
    assert len(server.asked) == asked


async def test_gives_no_other_work(opened: Opened, pubmed_server: ModuleType, works: list[Any]) -> None:
    """PubMed falls back on words where it does not find an identifier."""
    honest = pubmed_server.make_pubmed(works)

    def loose(asked: Any) -> Any:
        if asked.path == "/esearch.fcgi":
            return {"esearchresult": {"count": "1", "idlist": ["29000001"]}}
        return honest(asked)

    async with opened(loose) as (pubmed, _):
        assert await pubmed.work(Identifiers(doi="10.1016/another")) is None
        assert await pubmed.work(Identifiers(pmcid="PMC9")) is None


async def test_citations_references_and_similar_works(opened: Opened) -> None:
    async with opened() as (pubmed, server):
        cited = await pubmed.citations(Identifiers(pmid="29000002"), limit=1)
        assert cited is not None
        assert (cited.total, [link.work.ids.pmid for link in cited.links]) == (2, ["29000001"])
        more = await pubmed.citations(Identifiers(pmid="29000002"), limit=1, cursor=cited.cursor)
        assert more is not None
        assert ([link.work.ids.pmid for link in more.links], more.cursor) == (["29000003"], None)
        references = await pubmed.references(Identifiers(doi="10.1016/j.inv.2018.05.001"), limit=5)
        assert references is not None
        assert [link.work.title for link in references.links] == ["Kinases reviewed"]
        similar = await pubmed.similar(Identifiers(pmid="29000001"), limit=5)
        assert similar is not None
        assert [work.ids.pmid for work in similar] == ["29000002", "29000003"]
        one = await pubmed.similar(Identifiers(pmid="29000001"), limit=1)
        assert one is not None
        assert len(one) == 1
    names = [asked.params["linkname"] for asked in server.asked if asked.path == "/elink.fcgi"]
    assert names == ["pubmed_pubmed_citedin"] * 2 + ["pubmed_pubmed_refs"] + ["pubmed_pubmed"] * 2


async def test_uncited_is_not_unknown(opened: Opened) -> None:
    async with opened() as (pubmed, _):
        uncited = await pubmed.citations(Identifiers(pmid="29000001"), limit=5)
        assert uncited is not None
        assert (uncited.links, uncited.total) == ((), 0)
        assert await pubmed.citations(Identifiers(pmid="5"), limit=5) is None
        assert await pubmed.citations(Identifiers(doi="10.1016/unknown"), limit=5) is None
        assert await pubmed.references(Identifiers(pmid="29000002"), limit=5) is None
        assert await pubmed.similar(Identifiers(pmid="29000002"), limit=5) == ()
        assert await pubmed.similar(Identifiers(pmid="5"), limit=5) is None
        with pytest.raises(BadInputError, match="cursor"):
            await pubmed.citations(Identifiers(pmid="29000001"), limit=5, cursor="next")


SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
MATHML = "http://www.w3.org/1998/Math/MathML"
DATES = [
    ("<PubDate><Year>2020</Year></PubDate>", "", "2020"),
    ("<PubDate><Year>2020</Year><Month>Mar</Month></PubDate>", "", "2020-03"),
    ("<PubDate><Year>2020</Year><Month>03</Month><Day>05</Day></PubDate>", "", "2020-03-05"),
    ("<PubDate><Year>2020</Year><Season>Spring</Season></PubDate>", "", "2020"),
    ("<PubDate><Year>2020</Year><Month>Feb</Month><Day>31</Day></PubDate>", "", "2020-02"),
    ("<PubDate><MedlineDate>1998 Dec-1999 Jan</MedlineDate></PubDate>", "", "1999-01"),
    ("<PubDate><MedlineDate>2000 Mar-Apr</MedlineDate></PubDate>", "", "2000"),
    ("<PubDate><MedlineDate>2000 Spring-Summer</MedlineDate></PubDate>", "", "2000"),
    ("<PubDate><MedlineDate>1998-1999</MedlineDate></PubDate>", "", "1999"),
    ("<PubDate><MedlineDate>2015 Nov-Dec</MedlineDate></PubDate>", "", "2015"),
    ("<PubDate><MedlineDate>2001 Jun 15-21</MedlineDate></PubDate>", "", "2001-06"),
    ("<PubDate><MedlineDate>2001 Jun 29-Jul 5</MedlineDate></PubDate>", "", "2001"),
    ("<PubDate><MedlineDate>2001 Jun 15-Jun 21</MedlineDate></PubDate>", "", "2001-06"),
    ("<PubDate><MedlineDate>Winter</MedlineDate></PubDate>", "", "None"),
    ("<PubDate><MedlineDate>2000 Dec 23-30, 2001</MedlineDate></PubDate>", "", "2000-12"),
    ("", "", "None"),
    ("<PubDate><Year>2021</Year><Month>Jan</Month></PubDate>", "2020-11-03", "2020-11-03"),
    ("<PubDate><Year>2020</Year></PubDate>", "2020-11-03", "2020-11-03"),
    ("<PubDate><Year>2020</Year><Month>Mar</Month></PubDate>", "2020-11-03", "2020-03"),
    ("<PubDate><MedlineDate>2019 Nov-Dec</MedlineDate></PubDate>", "2020-01-02", "2019"),
]


@pytest.mark.parametrize(("printed", "electronic", "day"), DATES)
async def test_the_earliest_certain_date(read: Callable[..., Any], printed: str, electronic: str, day: str) -> None:
    raw = {"PubDate": printed}
    if electronic:
        year, month, number = electronic.split("-")
        raw["ArticleDate"] = (
            f'<ArticleDate DateType="Electronic"><Year>{year}</Year><Month>{month}</Month><Day>{number}</Day>'
            "</ArticleDate>"
        )
    assert str((await read(raw)).public) == day


CITED = [
    ("Print-Electronic", "2021 Jan", "2020-11-03", "2021-01", "2020-11-03"),
    ("Print-Electronic", "2020", "2020-11-03", "2020-11-03", "None"),
    ("Electronic-eCollection", "2021", "2020-11-03", "2020-11-03", "None"),
    ("Electronic-eCollection", "2019 Dec", "2020-01-15", "2020-01-15", "2019-12"),
    ("Electronic-Print", "2024 Aug", "2024-06-05", "2024-08", "2024-06-05"),
    ("Electronic", "2021 Dec 15", "2021-12-15", "2021-12-15", "None"),
    ("Print", "2001", "", "2001", "None"),
]
"""PubModel, date of the issue, electronic date: the date to cite, and the first public one where it is another."""


async def test_the_date_to_cite(read: Callable[..., Any]) -> None:
    wrong: list[Any] = []
    for model, issue, electronic, cited, first in CITED:
        raw = {"PubDate": f"<PubDate><MedlineDate>{issue}</MedlineDate></PubDate>", "PubModel": model}
        if electronic:
            year, month, day = electronic.split("-")
            raw["ArticleDate"] = f"<ArticleDate><Year>{year}</Year><Month>{month}</Month><Day>{day}</Day></ArticleDate>"
        work = await read(raw)
        if (str(work.published), str(work.first_public)) != (cited, first):
            wrong.append((model, issue, electronic, str(work.published), str(work.first_public)))
    assert not wrong


async def test_an_article_ahead_of_its_issue_goes_by_its_electronic_date(read: Callable[..., Any]) -> None:
    raw = {
        "PubDate": "<PubDate><Year>2021</Year><Month>Jan</Month></PubDate>",
        "ArticleDate": "<ArticleDate><Year>2020</Year><Month>11</Month><Day>03</Day></ArticleDate>",
    }
    work = await read(raw, volume="", issue="")
    assert (str(work.published), work.dated_by, work.first_public) == ("2020-11-03", "online", None)


@pytest.mark.parametrize(
    ("titles", "title"),
    [
        ("<ArticleTitle>[Kinasen und ihre Welt].</ArticleTitle>", "Kinasen und ihre Welt"),
        ("<ArticleTitle>A <i>x</i><sub>2</sub> &amp; &lt;b&gt; story.</ArticleTitle>", "A x2 & story"),
        ("<ArticleTitle>What is it?</ArticleTitle>", "What is it?"),
        ("<ArticleTitle>And so on...</ArticleTitle>", "And so on..."),
        (
            "<ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>La vie.</VernacularTitle>",
            "La vie",
        ),
        ("<ArticleTitle/><VernacularTitle>Das Leben.</VernacularTitle>", "Das Leben"),
        ("<ArticleTitle/>", ""),
        (
            f'<ArticleTitle>Of <mml:math xmlns:mml="{MATHML}"><mml:mi>x</mml:mi></mml:math> decay.</ArticleTitle>',
            "Of x decay",
        ),
    ],
)
async def test_titles(read: Callable[..., Any], titles: str, title: str) -> None:
    assert (await read({"ArticleTitle": titles})).title == title


async def test_abstracts_in_parts(read: Callable[..., Any]) -> None:
    raw = {
        "Abstract": '<Abstract><AbstractText Label="BACKGROUND" NlmCategory="METHODS">Why <i>we</i> ask.</AbstractText>'
        '<AbstractText Label="UNLABELLED">Nothing.</AbstractText><AbstractText Label="RESULTS"/>'
        "<AbstractText>More, p &lt; 0.05.</AbstractText>"
        "<CopyrightInformation>© Nobody</CopyrightInformation></Abstract>"
    }
    assert (await read(raw)).abstract == "BACKGROUND: Why we ask.\nNothing.\nMore, p < 0.05."


@pytest.mark.parametrize(
    ("pages", "shown"),
    [
        ("<Pagination><MedlinePgn>421-44</MedlinePgn></Pagination>", "421-444"),
        ("<Pagination><MedlinePgn>S12-5</MedlinePgn></Pagination>", "S12-15"),
        ("<Pagination><MedlinePgn>e1002</MedlinePgn></Pagination>", "e1002"),
        (
            "<Pagination><StartPage>1201</StartPage><EndPage>1210</EndPage><MedlinePgn>1201-10</MedlinePgn></Pagination>",
            "1201-1210",
        ),
        ("<Pagination><StartPage>7</StartPage><EndPage>7</EndPage></Pagination>", "7"),
        ('<ELocationID EIdType="pii" ValidYN="Y">104321</ELocationID>', "104321"),
        ("", ""),
    ],
)
async def test_pages_in_full(read: Callable[..., Any], pages: str, shown: str) -> None:
    raw = {"Pagination": pages}
    assert (await read(raw)).pages == shown


async def test_authors_of_every_kind(read: Callable[..., Any]) -> None:
    raw = {
        "AuthorList": '<AuthorList CompleteYN="Y"><Author><CollectiveName>The Group</CollectiveName></Author>'
        '<Author ValidYN="Y"><LastName>Plato</LastName></Author>'
        '<Author ValidYN="Y"><LastName>King</LastName><ForeName>Martin L</ForeName><Initials>ML</Initials>'
        '<Suffix>Jr</Suffix><Identifier Source="ORCID">http://orcid.org/0000-0001-2345-678X</Identifier></Author>'
        '<Author ValidYN="Y"><LastName>Núñez</LastName><Initials>A</Initials>'
        '<Identifier Source="ORCID">0000000123456789</Identifier></Author></AuthorList>'
    }
    authors = (await read(raw)).authors
    assert [author.name for author in authors] == ["The Group", "Plato", "Martin L King Jr", "A Núñez"]
    assert [author.orcid for author in authors] == ["", "", "0000-0001-2345-678X", "0000-0001-2345-6789"]
    many = await read(authors=tuple((f"Author{n}", "A") for n in range(3000)))
    assert len(many.authors) == 3000


async def test_identifiers_are_its_own(read: Callable[..., Any]) -> None:
    """A record also holds identifiers of the works that it cites."""
    raw = {
        "ArticleIdList": '<ArticleIdList><ArticleId IdType="pubmed">1</ArticleId><ArticleId IdType="pii">x</ArticleId>'
        '<ArticleId IdType="pmc">PMC77</ArticleId></ArticleIdList>',
        "ELocationID": '<ELocationID EIdType="doi" ValidYN="N">10.1016/wrong</ELocationID>'
        '<ELocationID EIdType="doi" ValidYN="Y">10.1016/RIGHT</ELocationID>'
        '<ELocationID EIdType="pii" ValidYN="Y">arXiv:2301.00001v2</ELocationID>',
        "ReferenceList": "<ReferenceList><Reference><Citation>Other</Citation><ArticleIdList>"
        '<ArticleId IdType="doi">10.1016/cited</ArticleId><ArticleId IdType="pubmed">9</ArticleId></ArticleIdList>'
        "</Reference></ReferenceList>",
    }
    assert (await read(raw)).ids == Identifiers(doi="10.1016/right", arxiv="2301.00001", pmid="1", pmcid="PMC77")


NOTES = (
    '<CommentsCorrectionsList><CommentsCorrections RefType="UpdateOf">'
    "<RefSource>bioRxiv. 2020 Mar 27:2020.03.22.1. doi: 10.1101/2020.03.22.1.</RefSource>"
    '<PMID Version="1">8</PMID></CommentsCorrections><CommentsCorrections RefType="ErratumIn"><RefSource>J Inv. doi: '
    '10.1000/erratum</RefSource></CommentsCorrections><CommentsCorrections RefType="RetractionIn">'
    "<RefSource>J Inv. 2021</RefSource></CommentsCorrections></CommentsCorrectionsList>"
)


async def test_versions_and_retractions(read: Callable[..., Any]) -> None:
    noted = await read({"CommentsCorrectionsList": NOTES})
    assert noted.version_of == ("10.1101/2020.03.22.1", "8")
    updated = NOTES.replace("10.1101/2020.03.22.1", "10.1002/14651858.x.pub2")
    assert (await read({"CommentsCorrectionsList": updated})).version_of == ()
    kind = "<PublicationType>Preprint</PublicationType>"
    preprint = {"PublicationTypeList": f"<PublicationTypeList>{kind}</PublicationTypeList>"}
    updated = updated.replace("UpdateOf", "UpdateIn")
    assert (await read({"CommentsCorrectionsList": updated, **preprint})).version_of == ("10.1002/14651858.x.pub2", "8")
    assert noted.retracted
    assert (await read(retracted=True)).retracted
    notice = NOTES.replace("RetractionIn", "RetractionOf")
    assert not (await read({"CommentsCorrectionsList": notice})).retracted


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [
        (["Journal Article", "Review"], "review"),
        (["Preprint"], "preprint"),
        (["Retraction of Publication"], "other"),
        (["Journal Article"], "article"),
        ([], ""),
    ],
)
async def test_kinds(read: Callable[..., Any], kinds: list[str], kind: str) -> None:
    inside = "".join(f'<PublicationType UI="D1">{one}</PublicationType>' for one in kinds)
    raw = {"PublicationTypeList": f"<PublicationTypeList>{inside}</PublicationTypeList>" if kinds else ""}
    assert (await read(raw)).kind == kind


async def test_subjects_and_keywords(read: Callable[..., Any]) -> None:
    raw = {
        "KeywordList": '<KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">kinase <i>A</i></Keyword>'
        '<Keyword MajorTopicYN="N">Humans</Keyword></KeywordList>'
    }
    assert (await read(raw, subjects=("Humans",))).subjects == ("Humans", "kinase A")


BOOK = (
    '<PubmedBookArticle><BookDocument><PMID Version="1">1</PMID><ArticleIdList><ArticleId IdType="bookaccession">NBK1'
    "</ArticleId></ArticleIdList><Book><Publisher><PublisherName>University of Nowhere</PublisherName>"
    '<PublisherLocation>Nowhere</PublisherLocation></Publisher><BookTitle book="gene">GeneInventions<sup>®</sup>'
    '</BookTitle><PubDate><Year>1993</Year></PubDate><AuthorList Type="editors" CompleteYN="Y"><Author ValidYN="Y">'
    "<LastName>Editor</LastName><ForeName>Eva</ForeName></Author></AuthorList><Isbn>9780000000000</Isbn></Book>"
    '{chapter}<Language>eng</Language><Abstract><AbstractText Label="CLINICAL">Text.</AbstractText></Abstract>'
    "<ContributionDate><Year>1998</Year><Month>10</Month><Day>28</Day></ContributionDate><DateRevised><Year>2020</Year>"
    "<Month>5</Month><Day>21</Day></DateRevised></BookDocument><PubmedBookData><PublicationStatus>ppublish"
    '</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">1</ArticleId></ArticleIdList></PubmedBookData>'
    "</PubmedBookArticle>"
)
CHAPTER = (
    '<ArticleTitle book="gene" part="x">Invented syndrome</ArticleTitle><AuthorList Type="authors" CompleteYN="Y">'
    '<Author ValidYN="Y"><LastName>Writer</LastName><ForeName>Will</ForeName></Author></AuthorList>'
)


async def test_books_and_chapters(read: Callable[..., Any]) -> None:
    chapter = await read({"whole": BOOK.replace("{chapter}", CHAPTER)})
    assert (chapter.title, chapter.venue, chapter.kind) == ("Invented syndrome", "GeneInventions®", "chapter")
    assert [author.name for author in chapter.authors] == ["Will Writer"]
    assert (str(chapter.published), str(chapter.updated)) == ("1998-10-28", "2020-05-21")
    assert chapter.abstract == "CLINICAL: Text."
    assert (chapter.publisher, chapter.isbn) == ("University of Nowhere", "9780000000000")
    book = await read({"whole": BOOK.replace("{chapter}", "")})
    assert (book.title, book.venue, book.kind) == ("GeneInventions®", "", "book")
    assert [author.name for author in book.authors] == ["Eva Editor"]


async def test_elements_that_are_new_are_skipped(read: Callable[..., Any]) -> None:
    work = await read({"Language": "<Language>eng</Language><Invention Of='2027'>x<y/></Invention>"})
    assert work.title == "Odd"
    assert work.kind == "article"


async def test_an_unknown_dtd_is_not_fetched(opened: Opened, pubmed_server: ModuleType, works: list[Any]) -> None:
    head = pubmed_server.HEAD.replace("pubmed_250101", "pubmed_990101")
    honest = pubmed_server.make_pubmed(works)

    def newer(asked: Any) -> Any:
        if asked.path == "/efetch.fcgi":
            return pubmed_server.articles([pubmed_server.article(works[0])], head=head)
        return honest(asked)

    async with opened(newer) as (pubmed, _):
        work = await pubmed.work(Identifiers(pmid="29000001"))
    assert work is not None
    assert work.title == "Kinases & p < 0.05"


async def test_one_odd_record_does_not_take_the_others_away(
    opened: Opened, pubmed_server: ModuleType, works: list[Any]
) -> None:
    """A known element in a place where the DTD does not have it makes biopython refuse the whole set."""
    odd = pubmed_server.article(works[1]).replace("<PublicationStatus>", "<ISSN>1</ISSN><PublicationStatus>")
    honest = pubmed_server.make_pubmed(works)

    def half(asked: Any) -> Any:
        if asked.path == "/efetch.fcgi":
            bodies = [pubmed_server.article(works[0]), odd, "<PubmedArticle/>", pubmed_server.article(works[2])]
            return pubmed_server.articles([*bodies, "<DeleteCitation><PMID Version='1'>3</PMID></DeleteCitation>"])
        return honest(asked)

    async with opened(half) as (pubmed, _):
        page = await pubmed.search(Query("kinases"), limit=5)
    assert [work.ids.pmid for work in page.works] == ["29000001", "29000003"]


@pytest.mark.parametrize(
    ("words", "error", "says"),
    [
        ("Empty term and query_key - nothing todo", BadInputError, "rejected this query"),
        ("Search Backend failed: Exception:\n'retstart' cannot be larger than 9998.", BadInputError, "rejected this"),
        ("Search Backend failed: Database is not supported", SourceError, "answered with an error"),
        ("Search Backend failed: Couldn't resolve\tthe address", SourceError, "answered with an error"),
        ("temporarily unavailable", SourceError, "answered with an error"),
    ],
)
async def test_errors_with_status_200(
    opened: Opened, pubmed_server: ModuleType, words: str, error: type[Exception], says: str
) -> None:
    async with opened(lambda asked: pubmed_server.refused(words)) as (pubmed, _):
        with pytest.raises(error, match=says):
            await pubmed.search(Query("x1"), limit=5)


async def test_a_rate_limit_told_with_status_200(opened: Opened) -> None:
    body = {"error": "API rate limit exceeded", "api-key": "198.51.100.7", "count": "4", "limit": "3"}
    async with opened(lambda asked: body) as (pubmed, _):
        for question in (pubmed.search(Query("x1"), limit=5), pubmed.citations(Identifiers(pmid="1"), limit=5)):
            with pytest.raises(SourceError, match="asks to wait") as caught:
                await question
            assert caught.value.cause == "rate_limited"


async def test_errors_of_efetch_and_elink(opened: Opened, pubmed_server: ModuleType, works: list[Any]) -> None:
    honest = pubmed_server.make_pubmed(works)
    fetched: Any = "<?xml version='1.0'?><eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>"
    linked: Any = {"header": {"type": "elink"}, "linksets": [{"dbfrom": "pubmed", "ids": [], "ERROR": "server down"}]}

    def failing(asked: Any) -> Any:
        return {"/efetch.fcgi": fetched, "/elink.fcgi": linked}.get(asked.path) or honest(asked)

    async with opened(failing) as (pubmed, _):
        for question in (pubmed.search(Query("kinases"), limit=5), pubmed.citations(Identifiers(pmid="1"), limit=5)):
            with pytest.raises(SourceError, match="answered with an error") as caught:
                await question
            assert caught.value.cause == "server_error"


async def test_an_outage_is_not_kept(opened: Opened, pubmed_server: ModuleType, works: list[Any]) -> None:
    """One of ESearch and one of EFetch, both with status 200; then all is well, and only then it is kept."""
    honest = pubmed_server.make_pubmed(works)
    down: Any = "<?xml version='1.0'?><eFetchResult><ERROR>Server is busy</ERROR></eFetchResult>"
    first = {"/esearch.fcgi": pubmed_server.refused("Search Backend failed: timeout"), "/efetch.fcgi": down}

    async with opened(lambda asked: first.pop(asked.path, None) or honest(asked), cached=True) as (pubmed, server):
        for _ in range(2):
            with pytest.raises(SourceError, match="answered with an error"):
                await pubmed.search(Query("kinases"), limit=5)
        for _ in range(3):
            assert (await pubmed.search(Query("kinases"), limit=5)).total == 3
    assert [asked.path for asked in server.asked] == ["/esearch.fcgi"] * 2 + ["/efetch.fcgi"] * 2


async def test_a_wrong_key_is_no_wrong_query(opened: Opened) -> None:
    async with opened(ncbi_api_key=SecretStr("wrong")) as (pubmed, _):
        with pytest.raises(SourceError, match="refused access") as caught:
            await pubmed.search(Query("kinases"), limit=5)
    assert caught.value.cause == "refused"
    assert "PINCITE_NCBI_API_KEY" in caught.value.next
    assert "wrong" not in str(caught.value)


async def test_says_how_deep_it_goes(opened: Opened) -> None:
    async with opened() as (pubmed, server):
        with pytest.raises(LimitReachedError, match="9,999"):
            await pubmed.search(Query("kinases"), limit=5, cursor="9999")
        await pubmed.search(Query("kinases"), limit=50, cursor="9990")
        for cursor in ("x", "-5"):
            with pytest.raises(BadInputError, match="cursor"):
                await pubmed.search(Query("kinases"), limit=5, cursor=cursor)
    assert [(one.params["retstart"], one.params["retmax"]) for one in server.asked] == [("9990", "9")]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        "null",
        {},
        {"esearchresult": {}},
        {"esearchresult": {"count": "3"}},
        {"esearchresult": {"count": "3", "idlist": []}},
        {"esearchresult": {"count": "3", "idlist": {"id": "1"}}},
        {"esearchresult": {"count": "-3", "idlist": ["1"]}},
        {"esearchresult": {"count": "3", "idlist": ["1 OR 2", None]}},
        "[" * 100_000,
        "<html>Down for maintenance</html>",
    ],
)
async def test_what_is_no_answer_of_esearch(opened: Opened, source_servers: ModuleType, body: Any) -> None:
    async with opened(lambda asked: source_servers.Given(body)) as (pubmed, _):
        with pytest.raises(SourceError, match="cannot be read"):
            await pubmed.search(Query("x1"), limit=5)


BOMB = (
    '<!DOCTYPE PubmedArticleSet [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" if n else "&a;"}{f"&a{n - 1};" if n else "&a;"}">' for n in range(25))
    + "]><PubmedArticleSet><PubmedArticle>&a24;</PubmedArticle></PubmedArticleSet>"
)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<PubmedArticleSet>",
        "<html><body>Bad gateway</body></html>",
        "<PubmedArticleSet><PubmedArticle><MedlineCitation></PubmedArticle></PubmedArticleSet>",
        "<PubmedArticleSet></PubmedArticleSet>",
        "<PubmedArticleSet><PubmedArticle><Rubbish/></PubmedArticle></PubmedArticleSet>",
        BOMB,
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><PubmedArticleSet>&e;</PubmedArticleSet>',
        f"<PubmedArticleSet>{'<a>' * 5000}{'</a>' * 5000}</PubmedArticleSet>",
        f"<PubmedArticleSet>{'<PubmedArticle>' * 80}{'</PubmedArticle>' * 80}</PubmedArticleSet>",
    ],
)
async def test_what_is_no_answer_of_efetch(
    opened: Opened, pubmed_server: ModuleType, works: list[Any], body: str
) -> None:
    honest = pubmed_server.make_pubmed(works)

    def hostile(asked: Any) -> Any:
        return body if asked.path == "/efetch.fcgi" else honest(asked)

    async with opened(hostile) as (pubmed, _):
        with pytest.raises(SourceError, match="cannot be read"):
            await pubmed.search(Query("kinases"), limit=5)


@pytest.mark.parametrize("body", [b"", {}, {"linksets": {}}, [], "<html/>"])
async def test_what_is_no_answer_of_elink(opened: Opened, source_servers: ModuleType, body: Any) -> None:
    async with opened(lambda asked: source_servers.Given(body)) as (pubmed, _):
        with pytest.raises(SourceError, match="cannot be read"):
            await pubmed.citations(Identifiers(pmid="1"), limit=5)


async def test_every_fault_is_told(faults: Callable[..., Any], pubmed_server: ModuleType, works: list[Any]) -> None:
    ids = Identifiers(pmid="29000001")
    await faults(
        PubMed,
        pubmed_server.make_pubmed(works),
        [
            lambda pubmed: pubmed.search(Query("kinases"), limit=5),
            lambda pubmed: pubmed.query("kinases", limit=5),
            lambda pubmed: pubmed.work(ids),
            lambda pubmed: pubmed.work(Identifiers(doi="10.1016/j.inv.2016.11.001")),
            lambda pubmed: pubmed.citations(ids, limit=5),
            lambda pubmed: pubmed.references(ids, limit=5),
            lambda pubmed: pubmed.similar(ids, limit=5),
        ],
    )


ALONE = """
import builtins, os, pathlib, socket, sys
home = pathlib.Path(os.environ["HOME"])
opened = builtins.open
def forbidden(*others, **named):
    opened(2, "w").write(f"forbidden: {others}")
    os._exit(3)
def guarded(file, mode="r", *others, **named):
    return forbidden(file) if any(sign in mode for sign in "wax+") else opened(file, mode, *others, **named)
from datetime import UTC, datetime
from pincite_core.http.exchange import Request, Response
from pincite_core.settings import Settings
from pincite_literature.sources.eutils import policy_of
from pincite_literature.sources.pubmed_records import read_records
socket.socket = forbidden
socket.getaddrinfo = forbidden
builtins.open = guarded
xml = sys.stdin.buffer.read()
request = Request(policy_of(Settings()), "GET", "http://x/efetch.fcgi")
answer = Response(request, 200, "http://x", {}, xml, datetime.now(UTC), "live")
print(len(read_records(answer)), sorted(str(path) for path in home.rglob("*")))
"""


def test_biopython_neither_writes_nor_fetches(tmp_path: Path, pubmed_server: ModuleType, works: list[Any]) -> None:
    """A DTD that it does not know, elements that name a schema and another DTD, a home that stays empty."""
    head = pubmed_server.HEAD.replace("pubmed_250101", "pubmed_991231")
    luring = [
        pubmed_server.article(works[0]).replace("<PubmedArticle>", f"<PubmedArticle>{lure}")
        for lure in (
            '<processing-meta tagset-family="jats" base-tagset="none" mathml-version="3.0"/>',
            f'<x xmlns:xsi="{SCHEMA}" xsi:noNamespaceSchemaLocation="https://dtd.nlm.nih.gov/none.xsd"/>',
        )
    ]
    xml = pubmed_server.articles([*(pubmed_server.article(work) for work in works), *luring], head=head).encoded()
    done = subprocess.run(
        [sys.executable, "-c", ALONE], input=xml, capture_output=True, env={"HOME": str(tmp_path)}, timeout=60
    )
    assert done.stderr == b""
    assert done.stdout.decode().strip() == "3 []"


def test_loads_nothing_heavy() -> None:
    code = (
        "import sys, pincite_literature.sources.pubmed, pincite_literature.sources.arxiv,"
        " pincite_literature.sources.europe_pmc\n"
        "print(sorted({'Bio', 'lxml', 'arxiv', 'requests', 'httpx', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr
