"""arXiv over a server that speaks its API: search, paging, lookups, the oddities and failures that the real one has."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError, LimitReachedError, SourceError
from pincite_literature.model import FulltextLink, Identifiers
from pincite_literature.sources.arxiv import DEEPEST, POLICY, Arxiv
from pincite_literature.sources.source import Query, Source

Opened = Callable[..., Any]


@pytest.fixture
def works(invented: ModuleType) -> list[Any]:
    make = invented.Invented
    return [
        make(
            "Hole doping in La1.85Sr0.15CuO4: a study of NOT gates",
            (("Lovelace", "Ada"), ("Gödel", "Kurt")),
            "We dope $x$ & find T_c < 40 K.",
            "2019-03-05",
            "2020-06-01",
            "10.1103/PhysRevB.99.1",
            "1903.01234",
            subjects=("cond-mat.supr-con", "cond-mat.str-el"),
        ),
        make("Old lattices", (("Bethe", "Hans"),), published="1999-01-20", arxiv="cond-mat/9901001"),
        make("Lattices again", (("Bethe", "Hans"),), published="2021-01-01", arxiv="2101.00001", comment="12 pages"),
        make("Lattices withdrawn", published="2021-02-02", arxiv="2102.00001", comment="Withdrawn due to an error"),
    ]


@pytest.fixture
def opened(asking: Opened, arxiv_server: ModuleType, works: list[Any]) -> Opened:
    """Opens arXiv over the works, or over the function given."""

    @asynccontextmanager
    async def open_over(answer: Any = None, **others: Any) -> AsyncGenerator[tuple[Arxiv, Any]]:
        async with asking(Arxiv, answer or arxiv_server.make_arxiv(works), **others) as both:
            yield both

    return open_over


async def test_is_a_source(opened: Opened) -> None:
    async with opened() as (arxiv, _):
        source: Source = arxiv
        assert source.policy.name == "arxiv"
    assert POLICY.rate.requests == 1
    assert POLICY.rate.seconds == 3
    assert POLICY.rate.at_once == 1
    assert POLICY.group == "arxiv"


async def test_found(opened: Opened) -> None:
    async with opened() as (arxiv, server):
        page = await arxiv.search(Query("hole doping La1.85Sr0.15CuO4"), limit=10)
    (work,) = page.works
    assert page.total == 1
    assert page.cursor is None
    assert work.title == "Hole doping in La1.85Sr0.15CuO4: a study of NOT gates"
    assert work.ids == Identifiers(doi="10.48550/arxiv.1903.01234", arxiv="1903.01234")
    assert [author.name for author in work.authors] == ["Ada Lovelace", "Kurt Gödel"]
    assert work.abstract == "We dope $x$ & find T_c < 40 K."
    assert (str(work.published), str(work.updated)) == ("2019-03-05", "2020-06-01")
    assert work.venue == "Journal of Invented Results 12, 101-110 (2019)"
    assert work.version_of == ("10.1103/physrevb.99.1",)
    assert work.subjects == ("cond-mat.supr-con", "cond-mat.str-el")
    assert work.url == "https://arxiv.org/abs/1903.01234v2"
    assert work.links[0] == FulltextLink("latex", "https://arxiv.org/src/1903.01234v2", "arXiv", "submitted")
    assert [link.kind for link in work.links] == ["latex", "html", "pdf"]
    assert work.kind == "preprint"
    assert work.open_access
    assert not work.retracted
    assert work.sources == ("arxiv",)
    (asked,) = server.asked
    assert asked.path == "/api/query"
    assert asked.params["search_query"] == 'all:hole AND all:doping AND all:"La1.85Sr0.15CuO4"'


async def test_nothing_found(opened: Opened) -> None:
    async with opened() as (arxiv, _):
        page = await arxiv.search(Query("unobtainium"), limit=10)
    assert page.works == ()
    assert page.total == 0
    assert page.cursor is None


async def test_pages_to_the_end(asking: Opened, arxiv_server: ModuleType, invented: ModuleType) -> None:
    many = [invented.Invented(f"Lattice {n}", arxiv=f"2001.{n:05d}") for n in range(1, 24)]
    seen: list[str | None] = []
    async with asking(Arxiv, arxiv_server.make_arxiv(many)) as (arxiv, server):
        cursor = None
        while True:
            page = await arxiv.search(Query("lattice"), limit=10, cursor=cursor)
            assert page.total == 23
            seen += [work.ids.arxiv for work in page.works]
            cursor = page.cursor
            if cursor is None:
                break
    assert seen == [work.arxiv for work in many]
    assert [asked.params["start"] for asked in server.asked] == ["0", "10", "20"]


async def test_pages_past_entries_that_are_no_works(
    asking: Opened, arxiv_server: ModuleType, invented: ModuleType
) -> None:
    """Entries of lost records have no title or no date; they count, so that no page is given twice."""
    many = [invented.Invented(f"Lattice {n}", arxiv=f"2001.{n:05d}") for n in range(1, 5)]
    many[0] = replace(many[0], raw={"published": None})
    many[1] = replace(many[1], raw={"id": "http://arxiv.org/abs/"})
    async with asking(Arxiv, arxiv_server.make_arxiv(many)) as (arxiv, _):
        first = await arxiv.search(Query("lattice"), limit=2)
        assert first.works == ()
        assert first.cursor == "2"
        second = await arxiv.search(Query("lattice"), limit=2, cursor=first.cursor)
    assert [work.ids.arxiv for work in second.works] == ["2001.00003", "2001.00004"]
    assert second.cursor is None


async def test_filters_are_asked_for(opened: Opened) -> None:
    async with opened() as (arxiv, server):
        page = await arxiv.search(Query("lattices", first_year=2000, last_year=2030, author="Bethe, H."), limit=5)
        assert [work.ids.arxiv for work in page.works] == ["2101.00001"]
        assert page.unkept == ("author",)
        page = await arxiv.search(Query("lattices", before=date(2021, 1, 1)), limit=5)
        assert [work.ids.arxiv for work in page.works] == ["cond-mat/9901001"]
        page = await arxiv.search(Query("doping", venue="Journal of Invented Results", author="K. Gödel"), limit=5)
        assert [work.ids.arxiv for work in page.works] == ["1903.01234"]
    assert server.asked[0].params["search_query"] == (
        "(all:lattices AND au:Bethe) AND submittedDate:[200001010000 TO 203012312359]"
    )
    assert server.asked[1].params["search_query"].endswith("AND submittedDate:[199101010000 TO 202012312359]")


@pytest.mark.parametrize(
    ("author", "asked", "unkept"),
    [
        ("Lovelace AM", "au:Lovelace", ("author",)),
        ("J.-P. Sartre", "au:Sartre", ("author",)),
        ("Ada Lovelace", "au:Ada AND au:Lovelace", ()),
        ("O'Brien, Flann", """au:"O'Brien" AND au:Flann""", ()),
        ("LI", "au:LI", ()),
        ("王", "au:王", ()),
        ('x" OR au:y', 'au:x AND au:"au:y"', ("author",)),
    ],
)
async def test_names_of_authors(opened: Opened, author: str, asked: str, unkept: tuple[str, ...]) -> None:
    async with opened() as (arxiv, server):
        page = await arxiv.search(Query("lattices", author=author), limit=5)
    assert server.asked[0].params["search_query"] == f"all:lattices AND {asked}"
    assert page.unkept == unkept


async def test_asks_nothing_where_nothing_can_be(opened: Opened) -> None:
    async with opened() as (arxiv, server):
        assert (await arxiv.search(Query("lattices", open_access=False), limit=5)).total == 0
        assert (await arxiv.search(Query("lattices", first_year=2020, before=date(2019, 1, 1)), limit=5)).works == ()
        assert (await arxiv.search(Query("lattices", open_access=True), limit=5)).works
    assert len(server.asked) == 1


async def test_sorts(opened: Opened) -> None:
    async with opened() as (arxiv, server):
        newest = await arxiv.search(Query("lattices", sort="newest"), limit=5)
        oldest = await arxiv.search(Query("lattices", sort="oldest"), limit=5)
        cited = await arxiv.search(Query("lattices", sort="cited"), limit=5)
    assert [str(work.published) for work in newest.works] == ["2021-02-02", "2021-01-01", "1999-01-20"]
    assert [str(work.published) for work in oldest.works] == ["1999-01-20", "2021-01-01", "2021-02-02"]
    assert newest.unkept == ()
    assert cited.unkept == ("sort",)
    assert server.asked[2].params["sortBy"] == "relevance"


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("ti:lattice", 'all:"ti:lattice"'),
        ("cat:cs.AI OR all:x", 'all:"cat:cs.AI" AND all:"all:x"'),
        ('"NOT gate" ANDNOT lattice', 'all:"NOT gate" AND all:lattice'),
        ("foo) OR (bar", 'all:"foo)" AND all:"(bar"'),
        ('he said "unclosed', "all:he AND all:said AND all:unclosed"),
        ("high-Tc  YBa2Cu3O7-δ", 'all:"high-Tc" AND all:"YBa2Cu3O7-δ"'),
        ("what is the critical temperature?", "all:critical AND all:temperature"),
        ("back\\slash [2000 TO 2001]", 'all:"back slash" AND all:"[2000" AND all:"2001]"'),
        ("NOT", 'all:"NOT"'),
    ],
)
async def test_words_stay_words(opened: Opened, words: str, asked: str) -> None:
    async with opened() as (arxiv, server):
        await arxiv.search(Query(words), limit=5)
    assert server.asked[0].params["search_query"] == asked


@pytest.mark.parametrize("words", ["", "  ", "?!", '""', "x" * 3000])
async def test_refuses_empty_and_endless_queries(opened: Opened, words: str) -> None:
    async with opened() as (arxiv, server):
        with pytest.raises(BadInputError):
            await arxiv.search(Query(words), limit=5)
        with pytest.raises(BadInputError):
            await arxiv.query(words, limit=5)
    assert server.asked == []


async def test_takes_queries_of_its_own_language(opened: Opened) -> None:
    async with opened() as (arxiv, server):
        page = await arxiv.query('ti:"old lattices" OR (au:Bethe ANDNOT co:pages)', limit=5)
        assert [work.ids.arxiv for work in page.works] == ["cond-mat/9901001"]
        page = await arxiv.query("ti:lattices OR ti:doping", limit=5, before=date(2020, 1, 1))
    assert sorted(str(work.ids.arxiv) for work in page.works) == ["1903.01234", "cond-mat/9901001"]
    assert server.asked[1].params["search_query"] == (
        "(ti:lattices OR ti:doping) AND submittedDate:[199101010000 TO 201912312359]"
    )


@pytest.mark.parametrize("text", ["ti:a) OR (ti:b", 'ti:"a', "(ti:a", "ti:a\\"])
async def test_no_query_leaves_its_parentheses(opened: Opened, text: str) -> None:
    async with opened() as (arxiv, server):
        with pytest.raises(BadInputError, match="does not close"):
            await arxiv.query(text, limit=5, before=date(2020, 1, 1))
    assert server.asked == []


async def test_says_what_it_does_not_take(opened: Opened) -> None:
    async with opened() as (arxiv, _):
        with pytest.raises(BadInputError, match="unknown field foo"):
            await arxiv.query("foo:bar", limit=5)


async def test_errors_with_status_200(opened: Opened, arxiv_server: ModuleType) -> None:
    async with opened(lambda asked: arxiv_server.refused("max_results must be an integer", status=200)) as (arxiv, _):
        with pytest.raises(BadInputError, match="max_results must be an integer"):
            await arxiv.search(Query("x"), limit=5)
        assert await arxiv.work(Identifiers(arxiv="2001.00001")) is None


async def test_a_refusal_in_other_words(opened: Opened, source_servers: ModuleType) -> None:
    async with opened(lambda asked: source_servers.Given("<h1>Bad Request</h1>", status=400)) as (arxiv, _):
        with pytest.raises(BadInputError, match="rejected this query"):
            await arxiv.search(Query("x"), limit=5)
        assert await arxiv.work(Identifiers(arxiv="2001.00001")) is None


async def test_works_by_id(opened: Opened) -> None:
    async with opened() as (arxiv, server):
        for ids, title in (
            (Identifiers(arxiv="cond-mat/9901001"), "Old lattices"),
            (Identifiers(doi="10.48550/arxiv.2101.00001"), "Lattices again"),
        ):
            work = await arxiv.work(ids)
            assert work is not None
            assert work.title == title
        assert await arxiv.work(Identifiers(arxiv="2301.99999")) is None
        assert await arxiv.work(Identifiers(arxiv="not-an-id")) is None
        asked = len(server.asked)
        assert await arxiv.work(Identifiers(doi="10.1103/physrevb.99.1", pmid="1")) is None
    assert len(server.asked) == asked


async def test_versions(opened: Opened) -> None:
    async with opened() as (arxiv, _):
        first = await arxiv.version("1903.01234", 1)
        second = await arxiv.version("1903.01234", 2)
        assert await arxiv.version("1903.01234", 3) is None
    assert first is not None
    assert second is not None
    assert (str(first.updated), str(second.updated)) == ("2019-03-05", "2020-06-01")
    assert first.links[-1].url.endswith("/pdf/1903.01234v1")
    assert first.ids == second.ids


async def test_a_lost_work_is_not_there(opened: Opened, arxiv_server: ModuleType) -> None:
    """An id that arXiv once gave comes back as an entry without title and dates."""
    lost = '<entry><id>http://arxiv.org/abs/0704.9999v1</id><title/><link href="x" rel="alternate"/></entry>'
    async with opened(lambda asked: arxiv_server.feed([lost], 1)) as (arxiv, _):
        assert await arxiv.work(Identifiers(arxiv="0704.9999")) is None


async def test_another_work_is_not_the_one_asked_for(
    opened: Opened, arxiv_server: ModuleType, works: list[Any]
) -> None:
    async with opened(lambda asked: arxiv_server.feed([arxiv_server.entry(works[0])], 1)) as (arxiv, _):
        assert await arxiv.work(Identifiers(arxiv="2101.00001")) is None


async def test_an_id_that_was_never_given(opened: Opened, arxiv_server: ModuleType) -> None:
    """The API counts one work and gives none."""
    async with opened(lambda asked: arxiv_server.feed([], 1)) as (arxiv, server):
        assert await arxiv.work(Identifiers(arxiv="1201.56789")) is None
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("comment", "abstract", "retracted"),
    [
        ("Withdrawn due to an error", "A.", True),
        ("This paper has been withdrawn by the author", "A.", True),
        ("Has been withdrawn", "A.", True),
        ("", "This submission has been temporarily withdrawn by arXiv administrators.", True),
        ("", "Armies were withdrawn from the border in 1918.", False),
        ("12 pages, replaces a withdrawn figure", "A.", False),
    ],
)
async def test_withdrawn_works(
    asking: Opened, arxiv_server: ModuleType, invented: ModuleType, comment: str, abstract: str, retracted: bool
) -> None:
    one = invented.Invented("Armies", abstract=abstract, comment=comment, arxiv="2001.00001")
    async with asking(Arxiv, arxiv_server.make_arxiv([one])) as (arxiv, _):
        work = await arxiv.work(Identifiers(arxiv="2001.00001"))
    assert work is not None
    assert work.retracted is retracted


async def test_odd_records(asking: Opened, arxiv_server: ModuleType, invented: ModuleType) -> None:
    make = invented.Invented
    odd = [
        make(
            "A  title\n  over <i>lines</i> with &lt;sub&gt;2&lt;/sub&gt; and e\u0301",
            tuple((f"Author{n}", "A.") for n in range(3000)),
            "𝛼-decay\u200b of <b>x</b>",
            arxiv="2001.00001",
        ),
        make("Bad dates", arxiv="2001.00002", raw={"updated": "yesterday", "doi": "not a doi"}),
        make("Anonymous", (("", " "),), arxiv="2001.00003", raw={"summary": None, "comment": ""}),
    ]
    async with asking(Arxiv, arxiv_server.make_arxiv(odd)) as (arxiv, _):
        page = await arxiv.query("all:a OR all:bad OR all:anonymous", limit=10)
    first, second, third = page.works
    assert first.title == "A title over lines with 2 and é"
    assert first.abstract == "𝛼-decay of x"
    assert len(first.authors) == 3000
    assert (second.updated, second.version_of) == (None, ())
    assert (third.authors, third.abstract) == ((), "")


async def test_an_empty_page_is_asked_for_again(opened: Opened, arxiv_server: ModuleType, works: list[Any]) -> None:
    answers = iter([arxiv_server.feed([], 4, 0), arxiv_server.feed([arxiv_server.entry(works[1])], 1, 0)])
    async with opened(lambda asked: next(answers)) as (arxiv, server):
        page = await arxiv.search(Query("lattices"), limit=5)
    assert [work.title for work in page.works] == ["Old lattices"]
    assert len(server.asked) == 2


async def test_an_empty_page_is_not_kept(opened: Opened, arxiv_server: ModuleType, works: list[Any]) -> None:
    honest, empty = arxiv_server.make_arxiv(works), [arxiv_server.feed([], 4, 0)] * 3
    async with opened(lambda asked: empty.pop() if empty else honest(asked), cached=True) as (arxiv, server):
        with pytest.raises(SourceError, match="cannot be read"):
            await arxiv.search(Query("lattices"), limit=5)
        for _ in range(3):
            assert (await arxiv.search(Query("lattices"), limit=5)).total == 3
    assert len(server.asked) == 4


async def test_an_empty_page_is_never_nothing_found(opened: Opened, arxiv_server: ModuleType) -> None:
    async with opened(lambda asked: arxiv_server.feed([], 4, 0)) as (arxiv, server):
        with pytest.raises(SourceError, match="cannot be read") as caught:
            await arxiv.search(Query("lattices"), limit=5)
    assert caught.value.cause == "malformed"
    assert "counts 4 works" in caught.value.seen
    assert len(server.asked) == 2


BOMB = (
    '<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa">' + "".join(f'<!ENTITY a{n} "{"&a;" * 10}">' for n in range(9)) + "]>"
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>&a8;</title></feed>'
)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<feed>",
        "Rate exceeded.",
        "<html><body>Maintenance</body></html>",
        '<feed xmlns="http://www.w3.org/2005/Atom"></feed>',
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x</id></entry>',
        BOMB,
        '<!DOCTYPE feed [<!ENTITY e SYSTEM "file:///etc/passwd">]><feed><title>&e;</title></feed>',
        "<a>" * 5000 + "</a>" * 5000,
        "<a>" * 100 + "</a>" * 100,
        b"\xff\xfe\x00",
    ],
)
async def test_what_is_no_feed(opened: Opened, source_servers: ModuleType, body: Any) -> None:
    async with opened(lambda asked: source_servers.Given(body)) as (arxiv, _):
        with pytest.raises(SourceError, match="cannot be read"):
            await arxiv.search(Query("x"), limit=5)
        with pytest.raises(SourceError, match="cannot be read"):
            await arxiv.work(Identifiers(arxiv="2001.00001"))


async def test_every_fault_is_told(faults: Callable[..., Any], arxiv_server: ModuleType, works: list[Any]) -> None:
    await faults(
        Arxiv,
        arxiv_server.make_arxiv(works),
        [
            lambda arxiv: arxiv.search(Query("lattices"), limit=5),
            lambda arxiv: arxiv.query("ti:lattices", limit=5),
            lambda arxiv: arxiv.work(Identifiers(arxiv="2101.00001")),
        ],
    )


async def test_says_how_deep_it_goes(opened: Opened) -> None:
    async with opened() as (arxiv, server):
        with pytest.raises(LimitReachedError, match="30,000"):
            await arxiv.search(Query("lattices"), limit=5, cursor=str(DEEPEST))
        for cursor in ("-1", "x", "1e3", "9" * 30):
            with pytest.raises(BadInputError, match="cursor"):
                await arxiv.search(Query("lattices"), limit=5, cursor=cursor)
    assert server.asked == []
