"""OpenAlex over a server that speaks its API: search, its own language, works, citations, oddities and failures."""

import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import date
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError, SourceError
from pincite_literature.model import FulltextLink, Identifiers
from pincite_literature.sources.openalex import POLICY, OpenAlex
from pincite_literature.sources.openalex_works import abstract, work_of
from pincite_literature.sources.record import Record
from pincite_literature.sources.source import Citing, Query, Recommending, Source

Opened = Callable[..., Any]
INVENTED = f"S{zlib.crc32(b'Journal of Invented Results')}"
DOI = "10.1103/PhysRevB.99.1"


@pytest.fixture
def works(invented: ModuleType) -> list[Any]:
    make = invented.Invented
    return [
        make(
            "Gaps in cuprates &amp; <i>friends</i>",
            (("Gödel", "Kurt J."), ("Noether", "Emmy")),
            "A gap opens below 40 K and a second gap above",
            "2019-03-05",
            doi=DOI,
            openalex="W1001",
            pmid="31000001",
            pmcid="PMC6000001",
            arxiv="1903.01234",
            subjects=("Cuprates", "Gaps"),
            open_access=True,
            licence="cc-by",
            pdf="https://press.example/99.pdf",
            cites=("10.1000/c", "10.1000/b", "10.1000/unknown"),
            like=("10.1000/c", "10.1000/b"),
        ),
        make("Gaps in nickelates", published="2018-07", doi="10.1000/b", openalex="W1002", cites=("10.1000/c",)),
        make("Gaps, older", published="1999", doi="10.1000/c", openalex="W1003"),
        make("Gaps undone", published="2021-05-02", openalex="W1004", arxiv="2105.00001", cites=(DOI,), retracted=True),
    ]


@pytest.fixture
def opened(asking: Opened, openalex_server: ModuleType, works: list[Any]) -> Opened:
    @asynccontextmanager
    async def open_over(
        answer: Any = None, served: dict[str, Any] | None = None, **others: Any
    ) -> AsyncGenerator[tuple[OpenAlex, Any]]:
        made = answer or openalex_server.make_openalex(works, **(served or {}))
        async with asking(OpenAlex, made, **others) as both:
            yield both

    return open_over


async def test_is_a_source(opened: Opened) -> None:
    async with opened() as (openalex, _):
        source: Source = openalex
        assert isinstance(source, Citing)
        assert isinstance(source, Recommending)
    assert (POLICY.name, POLICY.base_url) == ("openalex", "https://api.openalex.org")
    assert POLICY.rate.requests / POLICY.rate.seconds <= 100


async def test_found(opened: Opened) -> None:
    async with opened(contact="a@b.example", openalex_api_key="secret") as (openalex, server):
        page = await openalex.search(Query("gaps cuprates"), limit=5)
    (work,) = page.works
    assert work.title == "Gaps in cuprates & friends"
    assert work.ids == Identifiers("10.1103/physrevb.99.1", "1903.01234", "31000001", "PMC6000001", openalex="W1001")
    assert [author.name for author in work.authors] == ["Kurt J. Gödel", "Emmy Noether"]
    assert work.abstract == "A gap opens below 40 K and a second gap above"
    assert (work.kind, work.venue) == ("article", "Journal of Invented Results")
    assert (work.published, str(work.first_public)) == (None, "2019-03-05"), "of the preprint, by its number 1903"
    assert (work.publisher, work.volume, work.issue, work.pages) == ("Invented Press", "12", "3", "101-110")
    assert (work.issn, work.language, work.subjects) == ("1234-5679", "en", ("Cuprates", "Gaps"))
    assert work.url == f"https://doi.org/{DOI}"
    assert work.links == (
        FulltextLink("pdf", "https://press.example/99.pdf", "publisher", "published", "cc-by"),
        FulltextLink("html", f"https://doi.org/{DOI}", "publisher", "published", "cc-by"),
        FulltextLink("pdf", "https://arxiv.org/pdf/1903.01234", "arXiv", "submitted"),
        FulltextLink("html", "http://arxiv.org/abs/1903.01234", "arXiv", "submitted"),
    )
    assert (work.open_access, work.cited_by, work.retracted, work.sources) == (True, 1, False, ("openalex",))
    (asked,) = server.asked
    assert (asked.params["api_key"], asked.params["mailto"]) == ("secret", "a@b.example")


async def test_a_preprint_and_a_retraction(opened: Opened) -> None:
    async with opened() as (openalex, _):
        work = await openalex.work(Identifiers(openalex="W1004"))
    assert work is not None
    assert (work.kind, work.venue, work.publisher) == ("preprint", "arXiv (Cornell University)", "")
    assert work.ids == Identifiers(arxiv="2105.00001", openalex="W1004")
    assert work.retracted
    assert work.version_of == ()


async def test_nothing_found(opened: Opened) -> None:
    async with opened() as (openalex, _):
        page = await openalex.search(Query("unobtainium"), limit=5)
    assert (page.works, page.total, page.cursor) == ((), 0, None)


async def test_pages_to_the_end_whatever_limit_follows(opened: Opened) -> None:
    async with opened() as (openalex, server):
        first = await openalex.search(Query("gaps", sort="newest"), limit=3)
        second = await openalex.search(Query("gaps", sort="newest"), limit=1, cursor=first.cursor)
    assert [work.ids.openalex for work in first.works] == ["W1004", "W1001", "W1002"]
    assert [work.ids.openalex for work in second.works] == ["W1003"]
    assert (first.total, second.cursor) == (4, None)
    assert "cursor" not in server.asked[1].params


@pytest.mark.parametrize("cursor", ["101:100", "2:101", "0:10", "1:0"])
async def test_pages_beyond_its_reach_are_not_asked_for(opened: Opened, cursor: str) -> None:
    async with opened() as (openalex, server):
        assert (await openalex.search(Query("gaps"), limit=5, cursor=cursor)).works == ()
        assert server.asked == []


@pytest.mark.parametrize("cursor", ["x", "1:x", "1:10:2", "-1:10"])
async def test_cursors_of_others_are_refused(opened: Opened, cursor: str) -> None:
    async with opened() as (openalex, _):
        with pytest.raises(BadInputError):
            await openalex.search(Query("gaps"), limit=5, cursor=cursor)


async def test_filters_and_what_is_not_kept(opened: Opened) -> None:
    query = Query(
        "gaps",
        first_year=2018,
        last_year=2020,
        author="Kurt Gödel",
        venue="J. Inv. Res.",
        sort="cited",
        open_access=True,
    )
    async with opened() as (openalex, server):
        page = await openalex.search(query, limit=5)
        alone = await openalex.search(Query("", author="Noether"), limit=5)
    assert [work.ids.openalex for work in page.works] == ["W1001"]
    assert page.unkept == ("author", "venue")
    assert len(alone.works) == 4
    assert server.asked[0].path == "/sources"
    params = server.asked[1].params
    assert params["filter"] == (
        f"from_publication_date:2018-01-01,to_publication_date:2020-12-31,primary_location.source.id:{INVENTED},"
        'raw_author_name.search:"Kurt Gödel"~2 OR "K Gödel"~2,is_oa:true'
    )
    assert params["sort"] == "cited_by_count:desc"
    assert server.asked[2].params["filter"] == 'raw_author_name.search:"Noether"'
    assert "search" not in server.asked[2].params


async def test_venues(opened: Opened) -> None:
    async with opened() as (openalex, server):
        newest = await openalex.search(Query("", venue="Journal of Invented Results", sort="newest"), limit=5)
        none = await openalex.search(Query("gaps", venue="Proceedings, of (nothing)"), limit=5)
    assert [work.ids.openalex for work in newest.works] == ["W1001", "W1002", "W1003"]
    assert (none.works, none.total, none.unkept) == ((), 0, ("venue",))
    assert [asked.path for asked in server.asked] == ["/sources", "/works", "/sources"]
    assert server.asked[2].params["search"] == "Proceedings of nothing"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("gaps AND NOT cuprates", "gaps cuprates"),
        ('"second gap" (opens, 40*', '"second gap" opens 40'),
        ("gap? title.search:x|y !z ~2", "gap title.search x y z 2"),
        ('gap "unclosed', "gap unclosed"),
        ("La1.85Sr0.15CuO4 spin-glass", "La1.85Sr0.15CuO4 spin-glass"),
    ],
)
async def test_no_word_of_a_search_is_syntax(opened: Opened, text: str, asked: str) -> None:
    async with opened() as (openalex, server):
        await openalex.search(Query(text), limit=5)
    assert server.asked[0].params["search"] == asked


@pytest.mark.parametrize(
    ("author", "asked"),
    [
        ("Lovelace", '"Lovelace"'),
        ("Ada M. Lovelace", '"Ada Lovelace"~2 OR "A Lovelace"~2'),
        ("Lovelace, Ada M.", '"Ada Lovelace"~2 OR "A Lovelace"~2'),
        ("Lovelace AM", '"Lovelace"'),
        ("A. M. Lovelace", '"Lovelace"'),
        ("Lovelace, A.", '"Lovelace"'),
        ("Johannes van der Waals", '"Johannes van der Waals"~2 OR "J van der Waals"~2'),
        ("van der Waals, J. D.", '"van der Waals"'),
        ('Gödel",is_oa:true,type:"x', '"is_oa Gödel"~2 OR "i Gödel"~2'),
        ("Lovelace, Ada,type:x", '"Ada Lovelace"~2 OR "A Lovelace"~2'),
        (", ,", None),
    ],
)
async def test_authors_as_bylines_print_them(opened: Opened, author: str, asked: str | None) -> None:
    async with opened() as (openalex, server):
        await openalex.search(Query("gaps", author=author), limit=5)
    filters = server.asked[0].params.get("filter")
    assert filters == (f"raw_author_name.search:{asked}" if asked else None)


async def test_the_cutoff_is_asked_for(opened: Opened) -> None:
    async with opened() as (openalex, server):
        page = await openalex.search(Query("gaps", before=date(2019, 1, 1)), limit=5)
        none = await openalex.search(Query("gaps", first_year=2019, before=date(2019, 1, 1)), limit=5)
        own = await openalex.query("filter=to_publication_date:2030-01-01", limit=5, before=date(2019, 1, 1))
    assert {work.ids.openalex for work in page.works} == {work.ids.openalex for work in own.works} == {"W1002", "W1003"}
    assert (none.works, none.total) == ((), 0)
    assert server.asked[0].params["filter"] == "to_publication_date:2018-12-31"
    assert server.asked[1].params["filter"] == "to_publication_date:2018-12-31,to_publication_date:2030-01-01"


@pytest.mark.parametrize("query", [Query(" "), Query("?!"), Query("", venue="?!")])
async def test_a_search_without_words_is_refused(opened: Opened, query: Query) -> None:
    async with opened() as (openalex, server):
        with pytest.raises(BadInputError):
            await openalex.search(query, limit=5)
        assert server.asked == []


async def test_its_own_language(opened: Opened) -> None:
    async with opened() as (openalex, server):
        page = await openalex.query(
            "search=nickelates OR cuprates&filter=publication_year:2018|2019&sort=publication_date", limit=5
        )
        words = await openalex.query("gaps in nickelates", limit=5)
    assert [work.ids.openalex for work in page.works] == ["W1002", "W1001"]
    assert [work.ids.openalex for work in words.works] == ["W1002"]
    assert server.asked[1].params["search"] == "gaps in nickelates"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("search=gaps&per_page=200", "per_page=200"),
        ("search=gaps&api_key=x", "api_key=x"),
        ("search=gaps&search=x", "is given twice"),
        ('search=gaps&filter=raw_author_name.search:"a', "does not close"),
        ("search=(gaps", "does not close"),
    ],
)
async def test_parameters_that_are_none_are_refused(opened: Opened, text: str, says: str) -> None:
    async with opened() as (openalex, server):
        with pytest.raises(BadInputError, match=says):
            await openalex.query(text, limit=5)
        assert server.asked == []


@pytest.mark.parametrize(
    "text", ["search=gaps&sort=cited_by_count:desc", "filter=CITED_BY_COUNT:>5", "filter=fwci:>1,type:article"]
)
async def test_counts_of_citations_are_refused_under_a_cutoff(opened: Opened, text: str) -> None:
    async with opened() as (openalex, server):
        with pytest.raises(BadInputError, match="would tell of later works"):
            await openalex.query(text, limit=5, before=date(2020, 1, 1))
        assert server.asked == []


async def test_its_own_language_knows_cited_works_under_a_cutoff(opened: Opened) -> None:
    async with opened() as (openalex, _):
        page = await openalex.query("filter=cited_by:W1001", limit=5, before=date(2000, 1, 1))
    assert [work.ids.openalex for work in page.works] == ["W1003"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("filter=colour:red", "colour is not a valid field"),
        ("search=gap*", "Wildcards are not supported"),
        ("search=gaps&search.exact=gaps", "Only one search parameter"),
        ("search=gaps&sort=beauty", "beauty is not a valid sort field"),
    ],
)
async def test_a_refused_query_shows_what_openalex_says(opened: Opened, text: str, says: str) -> None:
    async with opened() as (openalex, _):
        with pytest.raises(BadInputError) as caught:
            await openalex.query(text, limit=5)
    assert caught.value.what == "OpenAlex rejected this query."
    assert says in caught.value.seen


@pytest.mark.parametrize(
    ("ids", "path"),
    [
        (Identifiers(openalex="W1001", doi="10.1000/other"), "W1001"),
        (Identifiers(doi=DOI.lower()), f"doi:{DOI.lower()}"),
        (Identifiers(pmid="31000001"), "pmid:31000001"),
        (Identifiers(pmcid="PMC6000001"), "pmcid:PMC6000001"),
    ],
)
async def test_a_work_by_each_of_its_identifiers(opened: Opened, ids: Identifiers, path: str) -> None:
    async with opened() as (openalex, server):
        work = await openalex.work(ids)
    assert work is not None
    assert work.ids.openalex == "W1001"
    assert server.asked[0].path == f"/works/{path}"


async def test_an_arxiv_id_is_asked_for_by_its_doi(
    opened: Opened, invented: ModuleType, openalex_server: ModuleType
) -> None:
    served = openalex_server.make_openalex([invented.Invented("A", doi="10.48550/arxiv.2105.00001", openalex="W9")])
    async with opened(served) as (openalex, _):
        work = await openalex.work(Identifiers(arxiv="2105.00001"))
    assert work is not None
    assert work.ids == Identifiers(doi="10.48550/arxiv.2105.00001", arxiv="2105.00001", openalex="W9")


async def test_an_arxiv_id_of_a_published_work_is_found_by_its_page(opened: Opened) -> None:
    async with opened() as (openalex, server):
        work = await openalex.work(Identifiers(arxiv="1903.01234"))
        none = await openalex.work(Identifiers(arxiv="1903.09999"))
        citing = await openalex.citations(Identifiers(arxiv="1903.01234"), limit=5)
    assert work is not None
    assert work.ids.openalex == "W1001"
    assert none is None
    assert citing is not None
    assert [link.work.ids.openalex for link in citing.links] == ["W1004"]
    assert [asked.path for asked in server.asked[:2]] == ["/works/doi:10.48550/arxiv.1903.01234", "/works"]


async def test_a_merged_work_is_followed(opened: Opened) -> None:
    async with opened(served={"merged": {"W77": "W1002"}}) as (openalex, _):
        work = await openalex.work(Identifiers(openalex="W77"))
        citing = await openalex.citations(Identifiers(openalex="W77"), limit=5)
    assert work is not None
    assert work.ids.openalex == "W1002"
    assert citing is not None
    assert [link.work.ids.openalex for link in citing.links] == ["W1001"]


@pytest.mark.parametrize(
    ("ids", "asked"),
    [
        (Identifiers(doi="10.1000/none"), 1),
        (Identifiers(doi="10.1002/(sici)1<2::aid>3.0.co;2-o?#"), 1),
        (Identifiers(openalex="W9999"), 1),
        (Identifiers(s2="a" * 40), 0),
    ],
)
async def test_works_that_it_does_not_have(opened: Opened, ids: Identifiers, asked: int) -> None:
    async with opened() as (openalex, server):
        assert await openalex.work(ids) is None
        assert len(server.asked) == asked
        assert await openalex.citations(ids, limit=5) is None
        assert await openalex.references(ids, limit=5) is None
        assert await openalex.similar(ids, limit=5) is None


async def test_citations(opened: Opened) -> None:
    async with opened() as (openalex, _):
        first = await openalex.citations(Identifiers(doi="10.1000/c"), limit=1)
        assert first is not None
        second = await openalex.citations(Identifiers(openalex="W1003"), limit=1, cursor=first.cursor)
        none = await openalex.citations(Identifiers(openalex="W1004"), limit=1)
    assert [link.work.ids.openalex for link in first.links] == ["W1001"]
    assert first.total == 2
    assert second is not None
    assert [link.work.ids.openalex for link in second.links] == ["W1002"]
    assert second.cursor is None
    assert none is not None
    assert (none.links, none.total) == ((), 0)


async def test_citations_under_a_cutoff_are_asked_for(opened: Opened) -> None:
    async with opened(before=date(2019, 1, 1)) as (openalex, _):
        page = await openalex.citations(Identifiers(openalex="W1003"), limit=5)
    assert page is not None
    assert [link.work.ids.openalex for link in page.links] == ["W1002"]


async def test_references_in_their_order_and_a_page_at_a_time(opened: Opened) -> None:
    async with opened() as (openalex, server):
        first = await openalex.references(Identifiers(doi=DOI.lower()), limit=1)
        assert first is not None
        second = await openalex.references(Identifiers(doi=DOI.lower()), limit=5, cursor=first.cursor)
        none = await openalex.references(Identifiers(openalex="W1003"), limit=5)
    assert [link.work.ids.openalex for link in first.links] == ["W1003"]
    assert (first.total, first.cursor) == (2, "1")
    assert second is not None
    assert [link.work.ids.openalex for link in second.links] == ["W1002"]
    assert second.cursor is None
    assert none is None
    assert server.asked[1].params["filter"] == "ids.openalex:W1003"


async def test_references_that_were_deleted_are_left_out(
    opened: Opened, works: list[Any], openalex_server: ModuleType
) -> None:
    from dataclasses import replace

    cited = ["https://openalex.org/W9999", "https://openalex.org/W1002", "W1003", "nonsense", None, "W1002"]
    served = openalex_server.make_openalex([replace(works[0], raw={"referenced_works": cited}), *works[1:]])
    async with opened(served) as (openalex, _):
        page = await openalex.references(Identifiers(openalex="W1001"), limit=5)
    assert page is not None
    assert [link.work.ids.openalex for link in page.links] == ["W1002", "W1003"]


async def test_similar(opened: Opened) -> None:
    async with opened() as (openalex, _):
        works = await openalex.similar(Identifiers(openalex="W1001"), limit=2)
        none = await openalex.similar(Identifiers(openalex="W1003"), limit=2)
    assert works is not None
    assert [work.ids.openalex for work in works] == ["W1003", "W1002"]
    assert none == ()


async def test_works_without_a_list_of_similar_ones_are_unknown(opened: Opened) -> None:
    async with opened(lambda _: {"id": "https://openalex.org/W1001", "title": "Gaps"}) as (openalex, _):
        assert await openalex.similar(Identifiers(openalex="W1001"), limit=2) is None


def read(**fields: Any) -> Any:
    work = work_of(Record({"id": "https://openalex.org/W1001", "title": "A title", **fields}))
    assert work is not None
    return work


@pytest.mark.parametrize(
    ("fields", "published"),
    [
        ({"publication_date": "2019-03-05"}, "2019-03-05"),
        ({"publication_date": "2019-03-01"}, "2019-03"),
        ({"publication_date": "2019-01-01", "publication_year": 2019}, "2019"),
        ({"publication_date": None, "publication_year": 2019}, "2019"),
        ({"publication_date": "", "publication_year": 99999}, "None"),
        ({"publication_date": 20190305, "publication_year": "2019"}, "None"),
        ({}, "None"),
    ],
)
def test_dates_are_as_precise_as_they_can_be_trusted(fields: dict[str, Any], published: str) -> None:
    assert str(read(**fields).published) == published


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"type": "article"}, "article"),
        ({"type": "article", "primary_location": {"version": "submittedVersion"}}, "preprint"),
        ({"type": "article", "primary_location": {"source": {"type": "conference"}}}, "conference"),
        ({"type": "preprint"}, "preprint"),
        ({"type": "review"}, "review"),
        ({"type": "book-chapter"}, "chapter"),
        ({"type": "dissertation"}, "thesis"),
        ({"type": "paratext"}, "other"),
        ({"type": None}, ""),
    ],
)
def test_kinds(fields: dict[str, Any], kind: str) -> None:
    assert read(**fields).kind == kind


@pytest.mark.parametrize(
    ("index", "text"),
    [
        ({"gap": [1, 4], "A": [0], "and": [2], "a": [3]}, "A gap and a gap"),
        ({"second": [9], "first": [0]}, "first second"),
        ({"A": [0], "bad": [-1], "far": [10**9], "odd": ["1"], "none": None, "true": [True]}, "A true"),
        ({"<i>In</i>": [0], "vivo&amp;more": [1]}, "In vivo&more"),
        ({}, ""),
        (None, ""),
        ([], ""),
        ("text", ""),
    ],
)
def test_abstracts_from_inverted_indexes(index: Any, text: str) -> None:
    assert abstract(index) == text


def test_an_abstract_is_bounded() -> None:
    assert len(abstract({"word": list(range(100_000))}).split()) == 20_000


def test_versions_are_the_dois_of_other_places() -> None:
    places = [
        {"landing_page_url": "https://doi.org/10.1000/a"},
        {"landing_page_url": "https://doi.org/10.1101/2020.01.01.123456"},
        {"landing_page_url": "https://doi.org/10.48550/arXiv.2101.00001"},
        {"landing_page_url": "https://hal.example/hal-1"},
        {"landing_page_url": None},
        None,
    ]
    work = read(doi="https://doi.org/10.1000/a", locations=places)
    assert work.ids.arxiv == "2101.00001"
    assert work.version_of == ("10.1101/2020.01.01.123456",)


@pytest.mark.parametrize(
    ("place", "links"),
    [
        (
            {"is_oa": True, "pdf_url": "https://hal.example/1.pdf", "source": {"type": "repository"}},
            [("pdf", "OpenAlex")],
        ),
        ({"is_oa": True, "pdf_url": "https://press.example/1.pdf", "source": None}, [("pdf", "publisher")]),
        ({"is_oa": True, "landing_page_url": "https://europepmc.org/articles/pmc1"}, [("html", "Europe PMC")]),
        ({"is_oa": False, "pdf_url": "https://press.example/1.pdf"}, []),
        ({"is_oa": "true", "pdf_url": "https://press.example/1.pdf"}, []),
        ({"is_oa": True, "pdf_url": "javascript:alert(1)", "landing_page_url": "//x"}, []),
    ],
)
def test_links_of_open_places_only(place: dict[str, Any], links: list[tuple[str, str]]) -> None:
    found = read(locations=[place], best_oa_location=place).links
    assert [(link.kind, link.route) for link in found] == links


def test_records_of_every_shape() -> None:
    work = read(
        ids="W1",
        doi=["10.1000/a"],
        title=None,
        authorships=[None, {"author": None, "raw_author_name": "Bethe, H."}, {"author": {"display_name": 3}}, {}],
        primary_location=None,
        locations={"0": {}},
        open_access=[],
        biblio=None,
        cited_by_count="7",
        is_retracted="true",
        topics=[{"display_name": None}, 7],
        language=None,
    )
    assert work.ids == Identifiers(openalex="W1001")
    assert [author.name for author in work.authors] == ["Bethe, H.", "3"]
    assert (work.title, work.venue, work.open_access, work.cited_by, work.retracted) == ("", "", None, None, False)
    assert work.url == "https://openalex.org/W1001"
    assert work_of(Record({"id": "https://openalex.org/A1", "title": None})) is None


BODIES: list[Any] = [
    [],
    "null",
    {},
    {"meta": {"count": 0}},
    {"meta": {"count": 3}, "results": None},
    {"meta": None, "results": {}},
    '{"results": ' * 2000 + "1" + "}" * 2000,
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
async def test_a_frame_that_is_wrong_is_malformed(opened: Opened, body: Any) -> None:
    async with opened(lambda _: body) as (openalex, _):
        with pytest.raises(SourceError, match="cannot be read"):
            await openalex.search(Query("gaps"), limit=5)


async def test_records_that_are_wrong_do_not_take_the_others_away(opened: Opened) -> None:
    results = [None, 7, [], {"id": 3}, {"id": "https://openalex.org/W1001", "title": ["x"]}]
    async with opened(lambda _: {"meta": {"count": "many"}, "results": results}) as (openalex, _):
        page = await openalex.search(Query("gaps"), limit=5)
    assert [work.ids.openalex for work in page.works] == ["W1001"]
    assert (page.total, page.cursor) == (None, "2:5")


@pytest.mark.parametrize("key", [None, "secret"])
async def test_a_key_is_advised_where_it_is_missing(
    opened: Opened, source_servers: ModuleType, key: str | None
) -> None:
    async with opened(openalex_api_key=key) as (openalex, server):
        server.fault = source_servers.FAULTS["429"]
        with pytest.raises(SourceError, match="asks to wait 120 s") as caught:
            await openalex.search(Query("gaps"), limit=5)
    assert ("PINCITE_OPENALEX_API_KEY" in caught.value.next) is (key is None)


@pytest.mark.parametrize(
    ("key", "says"), [(None, "or set PINCITE_OPENALEX_API_KEY"), ("secret", "Check PINCITE_OPENALEX_API_KEY")]
)
async def test_a_refused_key_is_told_from_none(
    opened: Opened, source_servers: ModuleType, key: str | None, says: str
) -> None:
    def forbid(_: Any) -> Any:
        return source_servers.Given({"message": "Forbidden"}, status=403)

    async with opened(forbid, openalex_api_key=key) as (openalex, _):
        with pytest.raises(SourceError, match="refused access") as caught:
            await openalex.search(Query("gaps"), limit=5)
    assert says in caught.value.next


async def test_another_identifier_is_tried_where_one_is_unknown(opened: Opened) -> None:
    async with opened() as (openalex, server):
        work = await openalex.work(Identifiers(openalex="W9999", doi="10.1000/none", pmid="31000001"))
    assert work is not None
    assert work.ids.openalex == "W1001"
    assert [asked.path for asked in server.asked] == ["/works/W9999", "/works/doi:10.1000/none", "/works/pmid:31000001"]


async def test_every_fault_is_told(faults: Any, openalex_server: ModuleType, works: list[Any]) -> None:
    ids = Identifiers(openalex="W1001")
    questions = [
        lambda source: source.search(Query("gaps"), limit=5),
        lambda source: source.search(Query("gaps", venue="Annals"), limit=5),
        lambda source: source.query("search=gaps", limit=5),
        lambda source: source.work(ids),
        lambda source: source.citations(ids, limit=5),
        lambda source: source.references(ids, limit=5),
        lambda source: source.similar(ids, limit=5),
    ]
    await faults(OpenAlex, openalex_server.make_openalex(works), questions)
