"""Semantic Scholar over a server that speaks its APIs: both searches, papers, citations, oddities and failures."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import date
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError, SourceError
from pincite_literature.model import FulltextLink, Identifiers
from pincite_literature.sources.record import Record
from pincite_literature.sources.semantic_scholar import POLICY, SemanticScholar
from pincite_literature.sources.semantic_scholar_papers import link_of, work_of
from pincite_literature.sources.source import Citing, Query, Recommending, Source

Opened = Callable[..., Any]
A, B, C, D = "a" * 40, "b" * 40, "c" * 40, "d" * 40


@pytest.fixture
def works(invented: ModuleType) -> list[Any]:
    make = invented.Invented
    return [
        make(
            "Spin-glass gaps in cuprates",
            (("Gödel", "Kurt"), ("Noether", "Emmy")),
            "A gap opens below 40 K.",
            "2019-03-05",
            doi="10.1103/PhysRevB.99.1",
            s2=A,
            pmid="31000001",
            pmcid="PMC6000001",
            open_access=True,
            licence="cc-by",
            pdf="https://press.example/99.pdf",
            cites=("10.1000/b", "Progress of nobody"),
            like=(B, C),
        ),
        make("Gaps in nickelates", published="2018-07-19", doi="10.1000/b", s2=B, journal="Annals of Lattices"),
        make("Gaps on arXiv", published="2021-01-02", arxiv="2101.00001", s2=C, cites=(A, "10.1000/b")),
        make("Older gaps", published="1999", doi="10.1000/d", s2=D, cites=(A,)),
    ]


@pytest.fixture
def opened(asking: Opened, semantic_scholar_server: ModuleType, works: list[Any]) -> Opened:
    @asynccontextmanager
    async def open_over(
        answer: Any = None, served: dict[str, Any] | None = None, **others: Any
    ) -> AsyncGenerator[tuple[SemanticScholar, Any]]:
        made = answer or semantic_scholar_server.make_semantic_scholar(works, **(served or {}))
        async with asking(SemanticScholar, made, **others) as both:
            yield both

    return open_over


async def test_is_a_source_of_one_request_a_second(opened: Opened) -> None:
    async with opened() as (scholar, _):
        source: Source = scholar
        assert isinstance(source, Citing)
        assert isinstance(source, Recommending)
    assert (POLICY.name, POLICY.base_url) == ("semantic_scholar", "https://api.semanticscholar.org")
    assert (POLICY.rate.requests, POLICY.rate.seconds, POLICY.rate.at_once) == (1, 1, 1)


async def test_found(opened: Opened) -> None:
    async with opened(semantic_scholar_api_key="secret") as (scholar, server):
        page = await scholar.search(Query("spin-glass cuprates"), limit=1)
    (work,) = page.works
    assert work.title == "Spin-glass gaps in cuprates"
    assert work.ids == Identifiers(doi="10.1103/physrevb.99.1", pmid="31000001", pmcid="PMC6000001", s2=A)
    assert [author.name for author in work.authors] == ["Kurt Gödel", "Emmy Noether"]
    assert work.abstract == "A gap opens below 40 K."
    assert (str(work.published), work.kind, work.venue) == ("2019-03-05", "article", "Journal of Invented Results")
    assert (work.volume, work.pages, work.issn) == ("12", "101-110", "1234-5679")
    assert work.links == (FulltextLink("pdf", "https://press.example/99.pdf", "Semantic Scholar", licence="CCBY"),)
    assert (work.open_access, work.cited_by, work.sources) == (True, 2, ("semantic_scholar",))
    (asked,) = server.asked
    assert asked.params["query"] == "spin glass cuprates"
    assert asked.headers["x-api-key"] == "secret"
    assert "secret" not in str(asked.params)


async def test_nothing_found(opened: Opened) -> None:
    async with opened() as (scholar, _):
        page = await scholar.search(Query("unobtainium"), limit=5)
        ordered = await scholar.search(Query("unobtainium", sort="newest"), limit=5)
    assert (page.works, page.total, page.cursor) == ((), 0, None)
    assert (ordered.works, ordered.total, ordered.cursor) == ((), 0, None)


@pytest.mark.parametrize("query", [Query("gaps"), Query("gaps", sort="oldest")])
async def test_pages_to_the_end(opened: Opened, query: Query) -> None:
    seen: list[str | None] = []
    cursor = None
    async with opened(served={"bulk_rows": 2}) as (scholar, _):
        while True:
            page = await scholar.search(query, limit=1, cursor=cursor)
            assert len(page.works) == 1
            assert page.total == 4
            seen += [work.ids.s2 for work in page.works]
            cursor = page.cursor
            if cursor is None:
                break
    assert sorted(filter(None, seen)) == [A, B, C, D]


async def test_relevance_reaches_999(opened: Opened) -> None:
    body = {"total": 5000, "offset": 990, "next": 1090, "data": [{"paperId": A, "title": "A title"}]}
    async with opened(lambda _: body) as (scholar, server):
        last = await scholar.search(Query("gaps"), limit=100, cursor="990")
        beyond = await scholar.search(Query("gaps"), limit=100, cursor="999")
    assert (len(last.works), last.cursor) == (1, None)
    assert beyond.works == ()
    assert [asked.params["limit"] for asked in server.asked] == ["9"]


async def test_orders_are_bulk_searches_for_all_words(opened: Opened) -> None:
    async with opened() as (scholar, server):
        newest = await scholar.search(Query("gaps", sort="newest"), limit=5)
        oldest = await scholar.search(Query('"gaps in" -nickelates (x', sort="oldest"), limit=5)
        cited = await scholar.search(Query("gaps", sort="cited"), limit=2)
    assert [work.ids.s2 for work in newest.works] == [C, A, B, D]
    assert oldest.works == ()
    assert [work.ids.s2 for work in cited.works] == [A, B]
    assert [asked.path for asked in server.asked] == ["/graph/v1/paper/search/bulk"] * 3
    assert server.asked[1].params["query"] == '"gaps in" nickelates x'


async def test_filters_and_what_is_not_kept(opened: Opened) -> None:
    query = Query(
        "gaps", first_year=2018, last_year=2020, author="Noether", venue="Annals of Lattices", open_access=True
    )
    async with opened() as (scholar, server):
        page = await scholar.search(query, limit=5)
        closed = await scholar.search(Query("gaps", venue="Physica C, Superconductivity", open_access=False), limit=5)
    assert page.works == ()
    assert page.unkept == ("author",)
    assert closed.unkept == ("venue", "open_access")
    params = server.asked[0].params
    assert params["publicationDateOrYear"] == "2018-01-01:2020-12-31"
    assert params["query"] == "gaps Noether"
    assert (params["venue"], params["openAccessPdf"]) == ("Annals of Lattices", "")
    assert "openAccessPdf" not in server.asked[1].params


async def test_the_cutoff_is_asked_for(opened: Opened) -> None:
    async with opened() as (scholar, server):
        page = await scholar.search(Query("gaps", before=date(2019, 1, 1)), limit=5)
        none = await scholar.search(Query("gaps", first_year=2019, before=date(2019, 1, 1)), limit=5)
        own = await scholar.query("gaps | lattices", limit=5, before=date(2019, 1, 1))
    assert {work.ids.s2 for work in page.works} == {work.ids.s2 for work in own.works} == {B, D}
    assert (none.works, none.total) == ((), 0)
    assert [asked.params["publicationDateOrYear"] for asked in server.asked] == [":2018-12-31"] * 2


async def test_a_search_without_words_is_refused(opened: Opened) -> None:
    async with opened() as (scholar, server):
        for query in (Query(" "), Query("?!"), Query("", sort="newest")):
            with pytest.raises(BadInputError):
                await scholar.search(query, limit=5)
        assert server.asked == []


async def test_its_own_language(opened: Opened) -> None:
    async with opened() as (scholar, server):
        page = await scholar.query('gaps -nickelates | "older gaps"', limit=5)
    assert [work.ids.s2 for work in page.works] == [C, A, D]
    assert server.asked[0].params["query"] == 'gaps -nickelates | "older gaps"'


@pytest.mark.parametrize("text", ["", '"gaps', "(gaps", "x" * 3000])
async def test_queries_that_do_not_close_are_refused(opened: Opened, text: str) -> None:
    async with opened() as (scholar, server):
        with pytest.raises(BadInputError):
            await scholar.query(text, limit=5)
        assert server.asked == []


async def test_a_refused_query_shows_what_it_says(opened: Opened) -> None:
    async with opened() as (scholar, _):
        with pytest.raises(BadInputError) as caught:
            await scholar.query("gaps", limit=5, cursor="0:forged")
    assert caught.value.what == "Semantic Scholar rejected this query."
    assert "Invalid token" in caught.value.seen


@pytest.mark.parametrize(
    ("ids", "path"),
    [
        (Identifiers(s2=A, doi="10.1000/other"), A),
        (Identifiers(doi="10.1103/physrevb.99.1"), "DOI:10.1103/physrevb.99.1"),
        (Identifiers(pmid="31000001"), "PMID:31000001"),
        (Identifiers(pmcid="PMC6000001"), "PMCID:6000001"),
    ],
)
async def test_a_work_by_each_of_its_identifiers(opened: Opened, ids: Identifiers, path: str) -> None:
    async with opened() as (scholar, server):
        work = await scholar.work(ids)
    assert work is not None
    assert work.ids.s2 == A
    assert server.asked[0].path == f"/graph/v1/paper/{path}"


async def test_a_preprint(opened: Opened) -> None:
    async with opened() as (scholar, _):
        work = await scholar.work(Identifiers(arxiv="2101.00001"))
    assert work is not None
    assert (work.kind, work.venue, work.volume) == ("preprint", "arXiv", "")
    assert work.ids == Identifiers(arxiv="2101.00001", s2=C)


@pytest.mark.parametrize(
    ("ids", "asked"),
    [
        (Identifiers(doi="10.1000/none"), 1),
        (Identifiers(doi="10.1002/(sici)1<2::aid>3.0.co;2-o?#"), 1),
        (Identifiers(openalex="W1"), 0),
    ],
)
async def test_works_that_it_does_not_have(opened: Opened, ids: Identifiers, asked: int) -> None:
    async with opened() as (scholar, server):
        assert await scholar.work(ids) is None
        assert len(server.asked) == asked
        assert await scholar.citations(ids, limit=5) is None
        assert await scholar.references(ids, limit=5) is None
        assert await scholar.similar(ids, limit=5) is None


async def test_citations_with_contexts(opened: Opened) -> None:
    async with opened() as (scholar, _):
        first = await scholar.citations(Identifiers(s2=A), limit=1)
        assert first is not None
        second = await scholar.citations(Identifiers(s2=A), limit=1, cursor=first.cursor)
        none = await scholar.citations(Identifiers(s2=D), limit=1)
    (link,) = first.links
    assert link.work.ids.s2 == C
    assert link.contexts == ("As was shown [1], gaps on arxiv.",)
    assert (link.intents, link.influential) == (("background",), False)
    assert second is not None
    assert [link.work.ids.s2 for link in second.links] == [D]
    assert second.cursor is None
    assert none is not None
    assert none.links == ()


async def test_citations_under_a_cutoff_are_asked_for(opened: Opened) -> None:
    async with opened(before=date(2020, 1, 1)) as (scholar, server):
        page = await scholar.citations(Identifiers(s2=A), limit=5)
    assert page is not None
    assert [link.work.ids.s2 for link in page.links] == [D]
    assert server.asked[0].params["publicationDateOrYear"] == ":2019-12-31"


async def test_references_known_and_unknown(opened: Opened) -> None:
    async with opened() as (scholar, _):
        page = await scholar.references(Identifiers(s2=A), limit=5)
    assert page is not None
    assert [(link.work.title, link.work.ids.s2) for link in page.links] == [
        ("Gaps in nickelates", B),
        ("Progress of nobody", None),
    ]
    assert page.cursor is None


async def test_references_that_a_publisher_withholds_are_not_an_empty_list(opened: Opened) -> None:
    async with opened(served={"elided": (A,)}) as (scholar, _):
        assert await scholar.references(Identifiers(s2=A), limit=5) is None
        none = await scholar.references(Identifiers(s2=B), limit=5)
    assert none is not None
    assert none.links == ()


async def test_similar(opened: Opened) -> None:
    async with opened() as (scholar, server):
        works = await scholar.similar(Identifiers(doi="10.1103/physrevb.99.1"), limit=1)
        none = await scholar.similar(Identifiers(s2=D), limit=1)
    assert works is not None
    assert [work.ids.s2 for work in works] == [B]
    assert none == ()
    assert server.asked[0].path == "/recommendations/v1/papers/forpaper/DOI:10.1103/physrevb.99.1"
    assert [asked.params["from"] for asked in server.asked] == ["recent", "recent", "all-cs"]


async def test_similar_papers_that_are_not_recent(opened: Opened) -> None:
    async with opened(served={"recent": "2022-01-01"}) as (scholar, _):
        works = await scholar.similar(Identifiers(s2=A), limit=5)
    async with opened(before=date(2020, 1, 1)) as (scholar, server):
        early = await scholar.similar(Identifiers(s2=A), limit=5)
    assert works == early
    assert works is not None
    assert [work.ids.s2 for work in works] == [B, C]
    assert [asked.params["from"] for asked in server.asked] == ["all-cs"]


@pytest.mark.parametrize(
    ("fields", "published"),
    [
        ({"publicationDate": "2017-06-12", "year": 2018}, "2017-06-12"),
        ({"publicationDate": "2017-06-01", "year": 2017}, "2017-06"),
        ({"publicationDate": "2017-01-01", "year": 2017}, "2017"),
        ({"publicationDate": None, "year": 2017}, "2017"),
        ({"publicationDate": "soon", "year": 2017}, "2017"),
        ({"publicationDate": 20170612, "year": "2017"}, "None"),
        ({"publicationDate": None, "year": None}, "None"),
    ],
)
def test_dates(fields: dict[str, Any], published: str) -> None:
    work = work_of(Record({"paperId": A, "title": "A title", **fields}))
    assert work is not None
    assert str(work.published) == published


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        (["JournalArticle"], "article"),
        (["JournalArticle", "Review"], "review"),
        (["JournalArticle", "Conference"], "conference"),
        (["BookSection"], "chapter"),
        (["Editorial"], "other"),
        ([], ""),
        (None, ""),
        ("Review", "review"),
        ([None, 3, "Dataset"], "dataset"),
    ],
)
def test_kinds(types: Any, kind: str) -> None:
    work = work_of(Record({"paperId": A, "title": "A title", "publicationTypes": types}))
    assert work is not None
    assert work.kind == kind


@pytest.mark.parametrize(
    ("url", "links"),
    [
        ("https://arxiv.org/pdf/2101.00001", [("pdf", "arXiv")]),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1/pdf/x.pdf", [("pdf", "PMC")]),
        ("https://europepmc.org/articles/pmc1?pdf=render", [("pdf", "Europe PMC")]),
        ("https://doi.org/10.1000/a", [("html", "Semantic Scholar")]),
        ("https://arxiv.org.evil.example/pdf/1", [("pdf", "Semantic Scholar")]),
        ("", []),
        (None, []),
        ("file:///etc/passwd", []),
        ("https://press.example/a b", []),
        ("https://press.example/" + "a" * 3000, []),
        ("https://[::1", []),
        ("https:///x.pdf", []),
    ],
)
def test_links(url: Any, links: list[tuple[str, str]]) -> None:
    work = work_of(Record({"paperId": A, "title": "A title", "openAccessPdf": {"url": url, "status": None}}))
    assert work is not None
    assert [(link.kind, link.route) for link in work.links] == links


def test_records_of_every_shape() -> None:
    wrong = {
        "paperId": 7,
        "externalIds": ["DOI"],
        "title": "A title",
        "authors": [None, {"name": None}, {"name": "B. Nobody"}, "C"],
        "journal": "Mind",
        "publicationVenue": [],
        "citationCount": "many",
        "isOpenAccess": "yes",
        "openAccessPdf": "https://press.example/a.pdf",
        "abstract": {"text": "x"},
        "fieldsOfStudy": [None, "Physics"],
    }
    work = work_of(Record(wrong))
    assert work is not None
    assert work.ids == Identifiers()
    assert [author.name for author in work.authors] == ["B. Nobody"]
    assert (work.venue, work.cited_by, work.open_access, work.links, work.abstract) == ("", None, None, (), "")
    assert work.subjects == ("Physics",)
    assert work_of(Record({"paperId": None, "title": None})) is None
    assert link_of(Record({"contexts": ["x"], "citingPaper": None}), "citingPaper") is None


def test_identifiers_of_every_case() -> None:
    named = {"DOI": "10.1093/MIND/LIX.236.433", "ArXiv": "cs/9901001", "PubMed": 31000001, "PubMedCentral": "6000001"}
    work = work_of(Record({"paperId": A.upper(), "externalIds": named}))
    assert work is not None
    assert work.ids == Identifiers("10.1093/mind/lix.236.433", "cs/9901001", "31000001", "PMC6000001", A)


BODIES: list[Any] = [
    [],
    "null",
    {},
    {"total": 3},
    {"total": 3, "data": None},
    {"total": 3, "data": {"0": {}}},
    '{"data": ' * 2000 + "1" + "}" * 2000,
    b'{"data": [\xff]}',
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
async def test_a_frame_that_is_wrong_is_malformed(opened: Opened, body: Any) -> None:
    async with opened(lambda _: body) as (scholar, _):
        for question in (
            scholar.search(Query("gaps"), limit=5),
            scholar.query("gaps", limit=5),
            scholar.similar(Identifiers(s2=A), limit=5),
        ):
            with pytest.raises(SourceError, match="cannot be read"):
                await question


async def test_records_that_are_wrong_do_not_take_the_others_away(opened: Opened) -> None:
    rows = [None, 7, {"citingPaper": []}, {"citingPaper": {"title": "A title"}, "contexts": None, "intents": None}]
    async with opened(lambda _: {"total": -1, "offset": 0, "next": "1", "data": rows}) as (scholar, _):
        page = await scholar.search(Query("gaps"), limit=5)
        links = await scholar.citations(Identifiers(s2=A), limit=5)
    assert (page.works, page.total, page.cursor) == ((), None, None)
    assert links is not None
    assert [link.work.title for link in links.links] == ["A title"]


@pytest.mark.parametrize("key", [None, "secret"])
async def test_a_key_is_advised_where_it_is_missing(
    opened: Opened, source_servers: ModuleType, key: str | None
) -> None:
    async with opened(semantic_scholar_api_key=key) as (scholar, server):
        server.fault = source_servers.FAULTS["429"]
        with pytest.raises(SourceError, match="asks to wait 120 s") as caught:
            await scholar.search(Query("gaps"), limit=5)
    assert ("PINCITE_SEMANTIC_SCHOLAR_API_KEY" in caught.value.next) is (key is None)
    assert caught.value.retry_after == 120


@pytest.mark.parametrize(
    ("key", "says"),
    [(None, "or set PINCITE_SEMANTIC_SCHOLAR_API_KEY"), ("secret", "Check PINCITE_SEMANTIC_SCHOLAR_API_KEY")],
)
async def test_a_refused_key_is_told_from_none(
    opened: Opened, source_servers: ModuleType, key: str | None, says: str
) -> None:
    def forbid(_: Any) -> Any:
        return source_servers.Given({"message": "Forbidden"}, status=403)

    async with opened(forbid, semantic_scholar_api_key=key) as (scholar, _):
        with pytest.raises(SourceError, match="refused access") as caught:
            await scholar.search(Query("gaps"), limit=5)
    assert says in caught.value.next


async def test_another_identifier_is_tried_where_one_is_unknown(opened: Opened) -> None:
    async with opened() as (scholar, server):
        work = await scholar.work(Identifiers(doi="10.1000/none", arxiv="2101.00001", pmid="1"))
    assert work is not None
    assert work.ids.s2 == C
    assert [asked.path for asked in server.asked] == [
        "/graph/v1/paper/DOI:10.1000/none",
        "/graph/v1/paper/ARXIV:2101.00001",
    ]


@pytest.mark.parametrize(
    ("ids", "path"),
    [
        (Identifiers(doi="10.48550/arxiv.2101.00001", arxiv="2101.00001"), "ARXIV:2101.00001"),
        (Identifiers(doi="10.48550/arxiv.2101.00001"), "DOI:10.48550/arxiv.2101.00001"),
    ],
)
async def test_an_arxiv_doi_is_asked_for_as_an_arxiv_id(opened: Opened, ids: Identifiers, path: str) -> None:
    async with opened() as (scholar, server):
        await scholar.work(ids)
    assert server.asked[0].path == f"/graph/v1/paper/{path}"


async def test_every_fault_is_told(faults: Any, semantic_scholar_server: ModuleType, works: list[Any]) -> None:
    ids = Identifiers(s2=A)
    questions = [
        lambda source: source.search(Query("gaps"), limit=5),
        lambda source: source.query("gaps", limit=5),
        lambda source: source.work(ids),
        lambda source: source.citations(ids, limit=5),
        lambda source: source.references(ids, limit=5),
        lambda source: source.similar(ids, limit=5),
    ]
    await faults(SemanticScholar, semantic_scholar_server.make_semantic_scholar(works), questions)
