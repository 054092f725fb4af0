"""Europe PMC over a server that speaks its API: search, paging, lookups, citations, oddities and failures."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import date
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError, SourceError
from pincite_literature.model import Identifiers
from pincite_literature.sources.europe_pmc import EuropePmc
from pincite_literature.sources.source import Citing, Query, Source

Opened = Callable[..., Any]


@pytest.fixture
def works(invented: ModuleType) -> list[Any]:
    make = invented.Invented
    return [
        make(
            "Kinases in vivo",
            (("Curie", "Marie"), ("van der Waals", "Johannes D.")),
            "<h4>Background</h4>Kinases <i>in vivo</i>.<h4>Results</h4>p &lt; 0.05.",
            "2018-05-20",
            doi="10.1016/j.inv.2018.05.001",
            pmid="29000001",
            pmcid="PMC6000001",
            subjects=("Protein Kinases", "Humans"),
            open_access=True,
            cites=("29000002", "28000000"),
        ),
        make("Kinases reviewed", published="2016-11", pmid="29000002", doi="10.1016/j.inv.2016.11.001"),
        make("A preprint of kinases", published="2021-04-01", ppr="PPR123456", doi="10.1101/2021.04.01.000001"),
        make("Old kinases", published="1985", pmcid="PMC500001", cites=("29000002",)),
    ]


@pytest.fixture
def opened(asking: Opened, europe_pmc_server: ModuleType, works: list[Any]) -> Opened:
    """Opens Europe PMC over the works, or over the function given."""

    @asynccontextmanager
    async def open_over(answer: Any = None, **others: Any) -> AsyncGenerator[tuple[EuropePmc, Any]]:
        async with asking(EuropePmc, answer or europe_pmc_server.make_europe_pmc(works), **others) as both:
            yield both

    return open_over


async def read(asking: Opened, europe_pmc_server: ModuleType, invented: ModuleType, raw: Any, **fields: Any) -> Any:
    """The work of one odd record."""
    odd = invented.Invented("Odd", **{"pmid": "1", **fields}, raw=raw)
    async with asking(EuropePmc, europe_pmc_server.make_europe_pmc([odd])) as (source, _):
        page = await source.query("EXT_ID:1 OR SRC:PPR OR SRC:PMC OR odd", limit=5)
    return page.works[0] if page.works else None


async def test_is_a_source(opened: Opened) -> None:
    async with opened() as (europe, _):
        source: Source = europe
        assert source.policy.name == "europe_pmc"
        assert isinstance(europe, Citing)


async def test_found(opened: Opened) -> None:
    async with opened() as (europe, server):
        page = await europe.search(Query("kinases vivo"), limit=10)
    (work,) = page.works
    assert page.total == 1
    assert page.cursor is None
    assert work.title == "Kinases in vivo"
    assert work.ids == Identifiers(doi="10.1016/j.inv.2018.05.001", pmid="29000001", pmcid="PMC6000001")
    assert [(author.name, author.family) for author in work.authors] == [
        ("Marie Curie", "Curie"),
        ("Johannes D. van der Waals", "van der Waals"),
    ]
    assert work.abstract == "Background: Kinases in vivo.\nResults: p < 0.05."
    assert str(work.published) == "2018-05-20"
    assert work.venue == "Journal of Invented Results"
    assert (work.volume, work.issue, work.pages, work.issn) == ("12", "3", "101-110", "1234-5678")
    assert work.subjects == ("Protein Kinases", "Humans")
    assert work.kind == "article"
    assert work.open_access
    assert work.cited_by == 0
    assert work.url == "https://europepmc.org/article/MED/29000001"
    assert [(link.kind, link.route, link.licence) for link in work.links] == [
        ("jats", "Europe PMC", "cc by"),
        ("html", "Europe PMC", "cc by"),
        ("pdf", "Europe PMC", "cc by"),
    ]
    assert work.links[0].url == f"{server.url}/PMC6000001/fullTextXML"
    assert work.sources == ("europe_pmc",)
    (asked,) = server.asked
    assert asked.params["query"] == "kinases AND vivo"
    assert asked.params["resultType"] == "core"
    assert asked.params["cursorMark"] == "*"


async def test_nothing_found(opened: Opened) -> None:
    async with opened() as (europe, _):
        page = await europe.search(Query("unobtainium"), limit=10)
    assert (page.works, page.total, page.cursor) == ((), 0, None)


@pytest.mark.parametrize(("count", "asked"), [(23, 3), (20, 3), (10, 2), (9, 1)])
async def test_pages_to_the_end(
    asking: Opened, europe_pmc_server: ModuleType, invented: ModuleType, count: int, asked: int
) -> None:
    many = [invented.Invented(f"Kinase {n}", pmid=str(1000 + n)) for n in range(count)]
    seen: list[str | None] = []
    async with asking(EuropePmc, europe_pmc_server.make_europe_pmc(many)) as (europe, server):
        cursor = None
        while True:
            page = await europe.search(Query("kinase"), limit=10, cursor=cursor)
            seen += [work.ids.pmid for work in page.works]
            cursor = page.cursor
            if cursor is None:
                break
    assert seen == [work.pmid for work in many]
    assert len(server.asked) == asked


async def test_filters_and_sorts(opened: Opened) -> None:
    async with opened() as (europe, server):
        page = await europe.search(Query("kinases", first_year=2016, last_year=2018, sort="oldest"), limit=5)
        assert [work.ids.pmid for work in page.works] == ["29000002", "29000001"]
        page = await europe.search(Query("kinases", before=date(2018, 5, 20), sort="newest"), limit=5)
        assert [str(work.published) for work in page.works] == ["2016-11", "1985"]
        page = await europe.search(Query("kinases", author="van der Waals, J.", open_access=True), limit=5)
        assert [work.ids.pmid for work in page.works] == ["29000001"]
        assert page.unkept == ("author",)
        page = await europe.search(Query("kinases", author="Curie", venue="Invented Results", sort="cited"), limit=5)
        assert page.unkept == ()
        nothing = await europe.search(Query("kinases", first_year=2020, before=date(2019, 1, 1)), limit=5)
        assert nothing.works == ()
    asked = [one.params for one in server.asked]
    assert asked[0]["query"] == "(kinases) AND (FIRST_PDATE:[2016-01-01 TO 2018-12-31])"
    assert asked[0]["sort"] == "FIRST_PDATE_D asc"
    assert asked[1]["query"].endswith("(FIRST_PDATE:[1000-01-01 TO 2018-05-19])")
    assert asked[2]["query"] == 'kinases AND AUTH:"van der Waals" AND OPEN_ACCESS:y'
    assert asked[3]["query"] == 'kinases AND AUTH:"Curie" AND JOURNAL:"Invented Results"'
    assert asked[3]["sort"] == "CITED desc"
    assert len(asked) == 4


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("AUTH:Curie", '"AUTH:Curie"'),
        ("kinases OR cells NOT mice", "kinases AND cells AND mice"),
        ("a) OR (b", '"a)" AND "(b"'),
        ('"heat shock" -protein', '"heat shock" AND "-protein"'),
        ("COVID-19 TGF-β1 2-(4-chlorophenyl)", '"COVID-19" AND "TGF-β1" AND "2-(4-chlorophenyl)"'),
        ('un"closed', "un AND closed"),
        ("kin*ase?", '"kin*ase"'),
        ("x^2 ~y", '"x^2" AND "~y"'),
    ],
)
async def test_words_stay_words(opened: Opened, words: str, asked: str) -> None:
    async with opened() as (europe, server):
        await europe.search(Query(words), limit=5)
    assert server.asked[0].params["query"] == asked


async def test_takes_queries_of_its_own_language(opened: Opened) -> None:
    async with opened() as (europe, server):
        page = await europe.query("TITLE:kinases AND SRC:PPR", limit=5)
        assert [work.kind for work in page.works] == ["preprint"]
        page = await europe.query("SRC:PPR OR SRC:MED", limit=5, before=date(2018, 1, 1))
        assert [work.ids.pmid for work in page.works] == ["29000002"]
        for text in ("", "a) OR (b", 'TITLE:"a', " "):
            with pytest.raises(BadInputError):
                await europe.query(text, limit=5, before=date(2018, 1, 1))
    assert server.asked[1].params["query"] == ("(SRC:PPR OR SRC:MED) AND (FIRST_PDATE:[1000-01-01 TO 2017-12-31])")
    assert len(server.asked) == 2


async def test_works_by_id(opened: Opened) -> None:
    async with opened() as (europe, server):
        for ids, title in (
            (Identifiers(pmid="29000001"), "Kinases in vivo"),
            (Identifiers(pmcid="PMC500001"), "Old kinases"),
            (Identifiers(doi="10.1101/2021.04.01.000001"), "A preprint of kinases"),
            (Identifiers(pmid="1", doi="10.1016/j.inv.2016.11.001"), "Kinases reviewed"),
        ):
            work = await europe.work(ids)
            assert work is not None
            assert work.title == title
        assert await europe.work(Identifiers(pmid="99999999")) is None
        assert await europe.work(Identifiers(doi='10.1/x" OR SRC:MED')) is None
        asked = len(server.asked)
        assert await europe.work(Identifiers(arxiv="2001.00001", s2="a" * 40)) is None
    assert len(server.asked) == asked


async def test_article_before_preprint(opened: Opened, europe_pmc_server: ModuleType, invented: ModuleType) -> None:
    shared = "10.1016/j.x.1"
    twins = [
        invented.Invented("As a preprint", ppr="PPR1", doi=shared),
        invented.Invented("As an article", pmid="1", doi=shared),
    ]
    async with opened(europe_pmc_server.make_europe_pmc(twins)) as (europe, _):
        work = await europe.work(Identifiers(doi=shared))
    assert work is not None
    assert work.title == "As an article"


async def test_gives_no_other_work(opened: Opened, europe_pmc_server: ModuleType, works: list[Any]) -> None:
    given = {"version": "6.9", "hitCount": 1, "resultList": {"result": [europe_pmc_server.record(works[0])]}}
    async with opened(lambda asked: given) as (europe, _):
        assert await europe.work(Identifiers(doi="10.1016/j.other.1")) is None


async def test_citations_and_references(opened: Opened) -> None:
    async with opened() as (europe, server):
        cited = await europe.citations(Identifiers(pmid="29000002"), limit=1)
        assert cited is not None
        assert cited.total == 2
        assert [link.work.ids.pmid for link in cited.links] == ["29000001"]
        more = await europe.citations(Identifiers(pmid="29000002"), limit=1, cursor=cited.cursor)
        assert more is not None
        assert [link.work.ids.pmcid for link in more.links] == ["PMC500001"]
        assert more.cursor is None
        references = await europe.references(Identifiers(doi="10.1016/j.inv.2018.05.001"), limit=50)
    assert references is not None
    assert [link.work.title for link in references.links] == ["Kinases reviewed", "Cited work 28000000"]
    first, second = (link.work for link in references.links)
    assert first.ids == Identifiers(doi="10.1016/j.inv.2016.11.001", pmid="29000002")
    assert [author.name for author in first.authors] == ["AM Lovelace", "E Noether"]
    assert str(first.published) == "2016"
    assert first.venue == "Journal of Invented Results"
    assert second.ids == Identifiers()
    assert server.asked[1].params["page"] == "2"
    assert server.asked[2].path == "/search"
    assert server.asked[3].path == "/MED/29000001/references"


async def test_pages_of_links_of_any_size(opened: Opened, europe_pmc_server: ModuleType, invented: ModuleType) -> None:
    many = [invented.Invented(f"Citing {n}", pmid=str(100 + n), cites=("1",)) for n in range(17)]
    cited = invented.Invented("Cited", pmid="1")
    seen: list[str | None] = []
    async with opened(europe_pmc_server.make_europe_pmc([cited, *many])) as (europe, _):
        cursor, limits = None, iter([5, 7, 3, 10, 10, 10, 10, 10, 10])
        while True:
            page = await europe.citations(Identifiers(pmid="1"), limit=next(limits), cursor=cursor)
            assert page is not None
            seen += [link.work.ids.pmid for link in page.links]
            cursor = page.cursor
            if cursor is None:
                break
    assert seen == [work.pmid for work in many]


async def test_uncited_is_not_unknown(opened: Opened) -> None:
    async with opened() as (europe, _):
        uncited = await europe.citations(Identifiers(pmid="29000001"), limit=5)
        assert uncited is not None
        assert (uncited.links, uncited.total) == ((), 0)
        assert await europe.citations(Identifiers(pmid="99999999"), limit=5) is None
        assert await europe.citations(Identifiers(doi="10.1/unknown"), limit=5) is None
        assert await europe.references(Identifiers(pmid="29000002"), limit=5) is None
        with pytest.raises(BadInputError, match="cursor"):
            await europe.citations(Identifiers(pmid="29000001"), limit=5, cursor="next")


@pytest.mark.parametrize(
    ("published", "printed", "electronic", "day"),
    [
        ("2020-01-01", "2020", None, "2020"),
        ("2020-03-01", "2020 Mar", None, "2020-03"),
        ("2020-03-01", "2020 Mar 1", None, "2020-03-01"),
        ("2020-01-01", "2020 Jan", None, "2020-01"),
        ("2020-01-01", "2020 Jan-Feb", None, "2020"),
        ("2020-04-01", "2020 Spring", None, "2020"),
        ("2020-01-01", "2021 Mar", "2020-01-01", "2020-01-01"),
        ("2020-02-17", "2020 May", "2020-02-17", "2020-02-17"),
        ("2020-05-01", "", None, "2020-05"),
        ("2020-13-45", "2020", None, "2020"),
        (None, "2020 Mar", None, "2019"),
        ("soon", "", None, "2019"),
    ],
)
async def test_dates_are_as_precise_as_they_are_known(
    asking: Opened,
    europe_pmc_server: ModuleType,
    invented: ModuleType,
    published: str | None,
    printed: str,
    electronic: str | None,
    day: str,
) -> None:
    raw = {
        "firstPublicationDate": published,
        "electronicPublicationDate": electronic,
        "journalInfo": {"dateOfPublication": printed},
        "pubYear": "2019",
    }
    work = await read(asking, europe_pmc_server, invented, raw)
    assert str(work.published) == day


async def test_versions_of_a_preprint(asking: Opened, europe_pmc_server: ModuleType, invented: ModuleType) -> None:
    raw = {
        "versionList": {
            "version": [
                {"id": "PPR1", "source": "PPR", "firstPublishDate": "2023-08-21", "versionNumber": 1},
                {"id": "PPR2", "source": "PPR", "firstPublishDate": "2024-03-12", "versionNumber": 2},
            ]
        },
        "commentCorrectionList": {
            "commentCorrection": [
                {"id": "38605817", "source": "MED", "type": "Preprint of", "reference": "J Inv. \n 2024 ;12:1007"},
                {
                    "id": "PPR9",
                    "source": "PPR",
                    "type": "Update of",
                    "reference": "doi: 10.1101/2023.08.20.1.",
                },
                {"id": "1", "source": "MED", "type": "Comment in", "reference": "doi: 10.1000/comment"},
            ]
        },
    }
    work = await read(
        asking, europe_pmc_server, invented, raw, pmid="", ppr="PPR2", published="2024-03-12", doi="10.1101/x"
    )
    assert (str(work.published), str(work.updated)) == ("2023-08-21", "2024-03-12")
    assert work.version_of == ("38605817", "10.1101/2023.08.20.1")
    assert work.venue == "bioRxiv"
    assert not work.retracted


async def test_an_update_is_a_work_of_its_own(
    asking: Opened, europe_pmc_server: ModuleType, invented: ModuleType
) -> None:
    note = {"id": "9", "source": "MED", "type": "Update of", "reference": "Rev. 2012. doi: 10.1002/14651858.x.pub2"}
    work = await read(asking, europe_pmc_server, invented, {"commentCorrectionList": {"commentCorrection": [note]}})
    assert work.version_of == ()


@pytest.mark.parametrize(
    "raw",
    [
        {"pubTypeList": {"pubType": ["Journal Article", "Retracted Publication"]}},
        {"commentCorrectionList": {"commentCorrection": [{"type": "Retraction in", "id": "5", "source": "MED"}]}},
        {"pubTypeList": {"pubType": ["Preprint-Withdrawal"]}},
    ],
)
async def test_retracted(asking: Opened, europe_pmc_server: ModuleType, invented: ModuleType, raw: Any) -> None:
    assert (await read(asking, europe_pmc_server, invented, raw)).retracted


async def test_a_notice_of_retraction_is_not_retracted(
    asking: Opened, europe_pmc_server: ModuleType, invented: ModuleType
) -> None:
    raw = {
        "pubTypeList": {"pubType": ["Retraction of Publication"]},
        "commentCorrectionList": {"commentCorrection": [{"type": "Retraction of", "id": "5", "source": "MED"}]},
    }
    assert not (await read(asking, europe_pmc_server, invented, raw)).retracted


async def test_notices_on_it_and_what_it_is_a_notice_on(
    asking: Opened, europe_pmc_server: ModuleType, invented: ModuleType
) -> None:
    notes = [
        {"type": "Erratum in", "id": "5", "source": "MED", "reference": "J Inv. 2020 Mar;1(2):E1"},
        {"type": "Expression of concern in", "source": "MED", "reference": "no year"},
        {"type": "Retraction of", "id": "7", "source": "MED", "reference": "J Inv. 2019"},
        {"type": "Comment in", "id": "8", "source": "MED", "reference": "J Inv. 2021"},
    ]
    work = await read(asking, europe_pmc_server, invented, {"commentCorrectionList": {"commentCorrection": notes}})
    assert [(one.kind, str(one.date), one.id) for one in work.notices] == [
        ("correction", "2020", "pmid:5"),
        ("concern", "None", ""),
    ]
    assert [(one.kind, one.id) for one in work.notice_of] == [("retraction", "pmid:7")]
    assert not work.retracted


async def test_odd_records(asking: Opened, europe_pmc_server: ModuleType, invented: ModuleType) -> None:
    raw: dict[str, Any] = {
        "title": "[&lt;i&gt;Odd&lt;/i&gt; H<sub>2</sub>O\u00a0e\u0301.].",
        "authorList": {
            "author": [
                {"collectiveName": "The Odd Group"},
                {"fullName": "Plato"},
                {"lastName": "Gödel", "initials": "K", "authorId": {"type": "ORCID", "value": "0000-0001-2345-6789"}},
                "no author",
                {},
                *({"lastName": f"Author{n}", "firstName": "A"} for n in range(3000)),
            ]
        },
        "abstractText": None,
        "journalInfo": "none",
        "citedByCount": "many",
        "isOpenAccess": None,
        "fullTextUrlList": {
            "fullTextUrl": [
                None,
                {"availabilityCode": "OA", "documentStyle": "pdf", "site": "Unpaywall", "url": "javascript:alert(1)"},
                {
                    "availabilityCode": "F",
                    "documentStyle": "pdf",
                    "site": "Publisher",
                    "url": "https://example.org/a.pdf",
                },
                {"availabilityCode": "S", "documentStyle": "pdf", "site": "X", "url": "https://example.org/b.pdf"},
            ]
        },
        "keywordList": {"keyword": ["a", 5, None, "a"]},
    }
    work = await read(asking, europe_pmc_server, invented, raw)
    assert work.title == "Odd H2O é"
    assert len(work.authors) == 3003
    assert [author.name for author in work.authors[:3]] == ["The Odd Group", "Plato", "K Gödel"]
    assert work.authors[2].orcid == "0000-0001-2345-6789"
    assert (work.venue, work.cited_by, work.open_access, work.abstract) == ("", None, None, "")
    assert [(link.url, link.route) for link in work.links] == [("https://example.org/a.pdf", "publisher")]
    assert work.subjects == ("a", "5")


async def test_leaves_out_what_is_no_record(opened: Opened, europe_pmc_server: ModuleType, works: list[Any]) -> None:
    rows = [None, 5, {}, {"source": "PPR"}, europe_pmc_server.record(works[0])]
    async with opened(lambda asked: {"hitCount": 5, "resultList": {"result": rows}}) as (europe, _):
        page = await europe.search(Query("x"), limit=10)
    assert [work.ids.pmid for work in page.works] == ["29000001"]


async def test_errors_with_status_200(opened: Opened, europe_pmc_server: ModuleType) -> None:
    async with opened(lambda asked: europe_pmc_server.refused(404, "The pageSize is wrong.")) as (europe, _):
        with pytest.raises(BadInputError, match="pageSize is wrong"):
            await europe.search(Query("x"), limit=5)
    for code in (500, 429, 0):
        body = {"version": "6.9", "errCode": code, "errMsg": "The search is down."}
        async with opened(lambda asked, body=body: body) as (europe, _):
            with pytest.raises(SourceError, match="answered with an error") as caught:
                await europe.search(Query("x"), limit=5)
        assert caught.value.cause == "server_error"


async def test_an_outage_is_not_kept(opened: Opened, europe_pmc_server: ModuleType, works: list[Any]) -> None:
    honest = europe_pmc_server.make_europe_pmc(works)
    first = [europe_pmc_server.refused(503, "Down."), {"hitCount": 3, "resultList": {"result": []}}]
    async with opened(lambda asked: first.pop() if first else honest(asked), cached=True) as (europe, server):
        for _ in range(2):
            with pytest.raises(SourceError):
                await europe.search(Query("kinases"), limit=5)
        for _ in range(3):
            assert (await europe.search(Query("kinases"), limit=5)).total == 4
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    "body",
    [
        b"",
        [],
        "null",
        {},
        {"hitCount": "many", "resultList": {"result": []}},
        {"hitCount": 5},
        {"hitCount": 5, "resultList": {"result": {}}},
        {"hitCount": 5, "resultList": {"result": []}},
        {"hitCount": -1, "resultList": {"result": []}},
        "[" * 100_000,
        "<html><body>Service unavailable</body></html>",
    ],
)
async def test_what_is_no_answer(opened: Opened, source_servers: ModuleType, body: Any) -> None:
    async with opened(lambda asked: source_servers.Given(body)) as (europe, _):
        with pytest.raises(SourceError, match="cannot be read"):
            await europe.search(Query("x"), limit=5)


async def test_every_fault_is_told(faults: Callable[..., Any], europe_pmc_server: ModuleType, works: list[Any]) -> None:
    ids = Identifiers(pmid="29000001")
    await faults(
        EuropePmc,
        europe_pmc_server.make_europe_pmc(works),
        [
            lambda europe: europe.search(Query("kinases"), limit=5),
            lambda europe: europe.query("kinases", limit=5),
            lambda europe: europe.work(ids),
            lambda europe: europe.citations(ids, limit=5),
            lambda europe: europe.references(ids, limit=5),
        ],
    )
