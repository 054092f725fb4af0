"""Crossref over a server that speaks its API: search, its own language, works, references, oddities and failures."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError, SourceError
from pincite_literature.model import FulltextLink, Identifiers
from pincite_literature.sources.crossref import Crossref
from pincite_literature.sources.crossref_works import cited_of, work_of
from pincite_literature.sources.record import Record
from pincite_literature.sources.source import Query, Referring, Source

Opened = Callable[..., Any]
SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O"
TODAY = date(2026, 11, 1)


@pytest.fixture
def works(invented: ModuleType) -> list[Any]:
    make = invented.Invented
    return [
        make(
            "Gaps in La<sub>2-x</sub>Sr<sub>x</sub>CuO<sub>4</sub> &amp; friends",
            (("Gödel", "Kurt"), ("Noether", "Emmy")),
            "Below &lt;40 K a <jats:italic>gap</jats:italic> opens.",
            "2019-03-05",
            doi="10.1103/PhysRevB.99.1",
            licence="cc-by",
            pdf="https://press.example/99.pdf",
            cites=("10.1000/lattices", "On what nobody wrote"),
        ),
        make("Lattices", (("Bethe", "Hans"),), published="1999-01", doi="10.1000/lattices"),
        make("Lattices of gaps", (("Bethe", "Hans"),), published="2021", doi=SICI, journal="Annals of Lattices"),
        make("Lattices undone", published="2022-05-01", doi="10.1000/undone", retracted=True),
        make("Review for 'Lattices'", doi="10.1000/lattices/v1/review2", raw={"type": "peer-review"}),
    ]


@pytest.fixture
def opened(asking: Opened, crossref_server: ModuleType, works: list[Any]) -> Opened:
    @asynccontextmanager
    async def open_over(answer: Any = None, **others: Any) -> AsyncGenerator[tuple[Crossref, Any]]:
        async with asking(Crossref, answer or crossref_server.make_crossref(works), **others) as both:
            yield both

    return open_over


async def test_is_a_source_that_keeps_its_pools_limits(opened: Opened) -> None:
    async with opened(unhurried=True) as (public, _), opened(unhurried=True, contact="a@b.example") as (polite, _):
        source: Source = public
        assert isinstance(source, Referring)
        assert source.policy.name == polite.policy.name == "crossref"
        assert (public.policy.rate.requests, public.policy.rate.seconds, public.policy.rate.at_once) == (1, 1, 1)
        assert (polite.policy.rate.requests, polite.policy.rate.seconds, polite.policy.rate.at_once) == (3, 1, 3)
        assert public.policy.base_url == "https://api.crossref.org"


async def test_found(opened: Opened) -> None:
    async with opened() as (crossref, server):
        page = await crossref.search(Query("gaps La2-xSrxCuO4"), limit=1)
    (work,) = page.works
    assert work.title == "Gaps in La2-xSrxCuO4 & friends"
    assert work.ids == Identifiers(doi="10.1103/physrevb.99.1")
    assert [(author.name, author.family, author.given) for author in work.authors] == [
        ("Kurt Gödel", "Gödel", "Kurt"),
        ("Emmy Noether", "Noether", "Emmy"),
    ]
    assert work.abstract == "Below <40 K a gap opens."
    assert str(work.published) == "2019-03-05"
    assert (work.kind, work.venue, work.publisher) == ("article", "Journal of Invented Results", "Invented Press")
    assert (work.volume, work.issue, work.pages, work.issn) == ("12", "3", "101-110", "1234-5679")
    assert work.url == "https://doi.org/10.1103/PhysRevB.99.1"
    licence = "https://creativecommons.org/licenses/by/4.0/"
    assert work.links == (FulltextLink("pdf", "https://press.example/99.pdf", "publisher", "published", licence),)
    assert work.open_access is True
    assert work.cited_by == 0
    assert work.sources == ("crossref",)
    assert "mailto" not in server.asked[0].params


async def test_nothing_found(opened: Opened) -> None:
    async with opened() as (crossref, _):
        page = await crossref.search(Query("unobtainium"), limit=5)
    assert (page.works, page.total, page.cursor) == ((), 0, None)


async def test_pages_to_the_end(opened: Opened) -> None:
    seen: list[str | None] = []
    cursor = None
    async with opened(contact="a@b.example") as (crossref, server):
        while True:
            page = await crossref.search(Query("gaps lattices"), limit=3, cursor=cursor)
            assert page.total == 4
            seen += [work.ids.doi for work in page.works]
            cursor = page.cursor
            if cursor is None:
                break
    assert len(seen) == len(set(seen)) == 4
    assert [asked.params["offset"] for asked in server.asked] == ["0", "3"]
    assert all(asked.params["mailto"] == "a@b.example" for asked in server.asked)


async def test_a_list_ends_where_the_api_gives_no_more(opened: Opened, crossref_server: ModuleType) -> None:
    body = {"status": "ok", "message": {"total-results": 500_000, "items": [{"DOI": "10.1000/a"}]}}
    async with opened(lambda _: body) as (crossref, server):
        last = await crossref.search(Query("gaps"), limit=50, cursor="9999")
        beyond = await crossref.search(Query("gaps"), limit=50, cursor="10000")
    assert (len(last.works), last.cursor) == (1, None)
    assert (beyond.works, beyond.cursor) == ((), None)
    assert [asked.params["rows"] for asked in server.asked] == ["1"]


async def test_filters_and_what_is_not_kept(opened: Opened) -> None:
    query = Query(
        "lattices", first_year=2000, last_year=2021, author="Bethe", venue="Annals", sort="newest", open_access=True
    )
    async with opened() as (crossref, server):
        page = await crossref.search(query, limit=5)
    assert [work.title for work in page.works] == ["Lattices of gaps"]
    assert set(page.unkept) == {"sort", "author", "venue", "open_access"}
    params = server.asked[0].params
    assert (params["query.author"], params["query.container-title"]) == ("Bethe", "Annals")
    assert params["filter"].startswith("from-pub-date:2000-01-01,until-pub-date:2021-12-31,type:journal-article,")
    assert "sort" not in params


async def test_figures_and_reviews_are_not_searched(opened: Opened) -> None:
    async with opened() as (crossref, _):
        page = await crossref.search(Query("review for lattices"), limit=10)
    assert "10.1000/lattices/v1/review2" not in {work.ids.doi for work in page.works}


@pytest.mark.parametrize(
    ("query", "last"),
    [
        (Query("gaps", before=date(2020, 1, 1)), "2019-12-31"),
        (Query("gaps", before=date(2020, 1, 1), last_year=2024), "2019-12-31"),
        (Query("gaps", before=date(2020, 1, 1), last_year=2018), "2018-12-31"),
    ],
)
async def test_the_cutoff_is_asked_for(opened: Opened, query: Query, last: str) -> None:
    async with opened() as (crossref, server):
        await crossref.search(query, limit=5)
    assert f"until-pub-date:{last}," in server.asked[0].params["filter"]


async def test_years_after_the_cutoff_ask_nothing(opened: Opened) -> None:
    async with opened() as (crossref, server):
        page = await crossref.search(Query("gaps", first_year=2020, before=date(2020, 1, 1)), limit=5)
    assert (page.works, page.total) == ((), 0)
    assert server.asked == []


@pytest.mark.parametrize(("text", "says"), [("  ", "no words"), ("?!", "is empty"), ("gap " * 600, "is too long")])
async def test_a_search_without_words_or_with_too_many_is_refused(opened: Opened, text: str, says: str) -> None:
    async with opened() as (crossref, server):
        with pytest.raises(BadInputError, match=says):
            await crossref.search(Query(text), limit=5)
        assert server.asked == []


async def test_its_own_language(opened: Opened) -> None:
    text = (
        "query.title=lattices&query.author=Bethe&filter=type:journal-article,has-abstract:true&sort=published&order=asc"
    )
    async with opened() as (crossref, server):
        page = await crossref.query(text, limit=5)
        plain = await crossref.query("R&D of lattices", limit=5)
    assert [work.title for work in page.works] == ["Lattices", "Lattices of gaps"]
    assert len(plain.works) == 4
    assert server.asked[1].params["query"] == "R&D of lattices"


@pytest.mark.parametrize(
    ("own", "asked"),
    [
        ("", "until-pub-date:2020-06-30"),
        ("until-pub-date:2030", "until-pub-date:2020-06-30"),
        ("until-pub-date:2018-02,type:journal-article", "type:journal-article,until-pub-date:2018-02-28"),
        ("until-pub-date:2018, UNTIL-PUB-DATE:2030", "until-pub-date:2018-12-31"),
        ("until-pub-date:soon", "until-pub-date:2020-06-30"),
    ],
)
async def test_a_query_cannot_escape_the_cutoff(opened: Opened, own: str, asked: str) -> None:
    text = f"query=gaps&filter={own}" if own else "query=gaps"
    async with opened() as (crossref, server):
        await crossref.query(text, limit=5, before=date(2020, 7, 1))
    assert server.asked[0].params["filter"] == asked


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("query=gaps&rows=1000", "rows=1000"),
        ("query=gaps&filter=", "filter="),
        ("query=a&query=b", "is given twice"),
        ("query=gaps&select=DOI", "select=DOI"),
        ("query=" + "x" * 5000, "longer than"),
    ],
)
async def test_parameters_that_are_none_are_refused(opened: Opened, text: str, says: str) -> None:
    async with opened() as (crossref, server):
        with pytest.raises(BadInputError, match=says) as caught:
            await crossref.query(text, limit=5)
        assert "query.bibliographic=" in caught.value.next
        assert server.asked == []


@pytest.mark.parametrize("text", ["query=gaps&sort=is-referenced-by-count"])
async def test_counts_of_citations_are_refused_under_a_cutoff(opened: Opened, text: str) -> None:
    async with opened() as (crossref, server):
        with pytest.raises(BadInputError, match="would tell of later works"):
            await crossref.query(text, limit=5, before=date(2020, 1, 1))
        assert server.asked == []


async def test_a_refused_query_shows_what_crossref_says(opened: Opened) -> None:
    async with opened() as (crossref, _):
        with pytest.raises(BadInputError) as caught:
            await crossref.query("query=gaps&filter=colour:red", limit=5)
    assert caught.value.what == "Crossref rejected this query."
    assert "Filter 'colour' specified but there is no such filter." in caught.value.seen


@pytest.mark.parametrize("doi", ["10.1103/physrevb.99.1", SICI.lower()])
async def test_a_work_by_its_doi(opened: Opened, doi: str) -> None:
    async with opened() as (crossref, _):
        work = await crossref.work(Identifiers(doi=doi))
    assert work is not None
    assert work.ids.doi == doi
    assert work.language == "en"


@pytest.mark.parametrize(
    ("ids", "asked"),
    [
        (Identifiers(doi="10.1000/none"), 1),
        (Identifiers(doi="10.48550/arxiv.2101.00001"), 0),
        (Identifiers(pmid="1", arxiv="2101.00001", s2="a" * 40), 0),
    ],
)
async def test_works_that_it_does_not_have(opened: Opened, ids: Identifiers, asked: int) -> None:
    async with opened() as (crossref, server):
        assert await crossref.work(ids) is None
        assert len(server.asked) == asked


async def test_references_as_far_as_they_are_known(opened: Opened) -> None:
    ids = Identifiers(doi="10.1103/physrevb.99.1")
    async with opened() as (crossref, server):
        first = await crossref.references(ids, limit=1)
        assert first is not None
        second = await crossref.references(ids, limit=1, cursor=first.cursor)
    (known,) = (link.work for link in first.links)
    assert known.ids.doi == "10.1000/lattices"
    assert (known.title, known.venue, str(known.published)) == ("Lattices", "Journal of Invented Results", "1999-01")
    assert [author.name for author in known.authors] == ["Hans Bethe"]
    assert first.total == 2
    assert second is not None
    assert [link.work.title for link in second.links] == ["A. Nonymous, On what nobody wrote (1999)."]
    assert second.cursor is None
    assert [asked.params.get("filter") for asked in server.asked] == [None, "doi:10.1000/lattices", None]


async def test_references_by_dois_that_crossref_does_not_have_stay_as_deposited(
    opened: Opened, works: list[Any], crossref_server: ModuleType
) -> None:
    references = [
        {"key": "1", "DOI": "10.5061/dryad.x", "article-title": "Data", "author": "Doe", "year": "2001"},
        {"key": "2", "DOI": "10.1000/with,comma"},
        {"key": "3", "DOI": "10.48550/arXiv.2101.00001"},
        {"key": "4", "DOI": "10.1000/LATTICES"},
        {"key": "5"},
    ]
    served = crossref_server.make_crossref([replace(works[0], raw={"reference": references}), *works[1:]])
    async with opened(served) as (crossref, server):
        page = await crossref.references(Identifiers(doi="10.1103/physrevb.99.1"), limit=100)
    assert page is not None
    assert page.total == 5
    assert [(link.work.ids.doi, link.work.title) for link in page.links] == [
        ("10.5061/dryad.x", "Data"),
        ("10.1000/with,comma", ""),
        ("10.48550/arxiv.2101.00001", ""),
        ("10.1000/lattices", "Lattices"),
    ]
    assert server.asked[1].params["filter"] == "doi:10.5061/dryad.x,doi:10.1000/lattices"


async def test_reference_lists_that_are_not_there_are_not_empty_ones(opened: Opened) -> None:
    async with opened() as (crossref, _):
        assert await crossref.references(Identifiers(doi="10.1000/lattices"), limit=5) is None
        assert await crossref.references(Identifiers(doi="10.1000/none"), limit=5) is None


def read(**fields: Any) -> Any:
    work = work_of(Record({"DOI": "10.1000/a", "title": ["A title"], **fields}), day=TODAY)
    assert work is not None
    return work


def parts(*numbers: Any) -> dict[str, Any]:
    return {"date-parts": [list(numbers)]}


@pytest.mark.parametrize(
    ("dates", "published"),
    [
        ({"issued": parts(2020, 5, 7)}, "2020-05-07"),
        ({"issued": parts(2020), "published-online": parts(2019, 11, 30)}, "2019-11-30"),
        ({"issued": parts(2020), "published-online": parts(2020, 5, 3)}, "2020-05-03"),
        ({"published-print": parts(2019), "published-online": parts(2020, 1, 5)}, "2019"),
        ({"published-print": parts(2019), "published-online": parts(2019, 12, 31)}, "2019-12-31"),
        ({"posted": parts(2020, 2, 1), "issued": parts(2020, 2, 1)}, "2020-02-01"),
        ({"issued": parts(None)}, "None"),
        ({"issued": {"date-parts": [[]]}}, "None"),
        ({"issued": {"date-parts": []}}, "None"),
        ({"issued": {"date-parts": "2020"}}, "None"),
        ({"issued": {"date-parts": [2020]}}, "None"),
        ({"issued": parts(2020, 13, 45)}, "2020"),
        ({"issued": parts("2020", "4")}, "2020-04"),
        ({"created": parts(2018, 1, 1)}, "None"),
    ],
)
def test_the_date_by_which_it_has_surely_appeared(dates: dict[str, Any], published: str) -> None:
    assert str(read(**dates).published) == published


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"type": "journal-article"}, "article"),
        ({"type": "posted-content", "subtype": "preprint"}, "preprint"),
        ({"type": "posted-content"}, "preprint"),
        ({"type": "posted-content", "subtype": "letter"}, "other"),
        ({"type": "proceedings-article"}, "conference"),
        ({"type": "book-chapter"}, "chapter"),
        ({"type": "dissertation"}, "thesis"),
        ({"type": "peer-review"}, "other"),
        ({"type": "a-type-of-tomorrow"}, "other"),
        ({}, ""),
        ({"type": ["journal-article"]}, ""),
    ],
)
def test_kinds(fields: dict[str, Any], kind: str) -> None:
    assert read(**fields).kind == kind


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"title": []}, ""),
        ({"title": None}, ""),
        ({"title": "A title alone"}, "A title alone"),
        ({"title": [None, {"x": 1}, "Third"]}, "Third"),
        ({"subtitle": ["And more"]}, "A title: And more"),
        ({"subtitle": ["a TITLE"]}, "A title"),
        ({"title": ["Why?"], "subtitle": ["Because"]}, "Why? Because"),
        ({"title": [], "original-title": ["Ein Titel"]}, "Ein Titel"),
        ({"title": ["<i>In vivo</i>\n   tests"]}, "In vivo tests"),
    ],
)
def test_titles(fields: dict[str, Any], title: str) -> None:
    assert read(**fields).title == title


def test_authors_of_every_shape() -> None:
    authors = [
        {"given": "Ada M.", "family": "Lovelace", "suffix": "Jr.", "ORCID": "http://orcid.org/0000-0001-2345-678x"},
        {"name": "The <i>ATLAS</i> Collaboration", "sequence": "additional"},
        {"given": "Plato"},
        {"family": None, "given": 3},
        {},
        None,
        "Nobody",
    ]
    found = read(author=authors).authors
    assert [author.name for author in found] == ["Ada M. Lovelace Jr.", "The ATLAS Collaboration", "Plato", "3"]
    assert found[0].orcid == "0000-0001-2345-678X"
    assert (found[2].family, found[2].given) == ("", "")


CC = "http://creativecommons.org/licenses/by-nc/4.0/"
PDF = {"URL": "https://press.example/a", "content-type": "application/pdf", "content-version": "am"}


@pytest.mark.parametrize(
    ("licence", "link", "kinds", "free"),
    [
        ({"URL": CC}, PDF, ["pdf"], True),
        ({"URL": CC, "start": parts(2026, 10, 31)}, PDF, ["pdf"], True),
        ({"URL": CC, "start": parts(2027, 1, 1)}, PDF, [], None),
        ({"URL": "https://www.elsevier.com/tdm/userlicense/1.0/"}, PDF, [], None),
        ({"URL": "https://evil.example/creativecommons.org/licenses/by/4.0/"}, PDF, [], None),
        ({"URL": CC}, PDF | {"intended-application": "similarity-checking"}, [], True),
        ({"URL": CC}, PDF | {"URL": "https://api.elsevier.com/content/article/PII:S1?httpAccept=text/xml"}, [], True),
        ({"URL": CC}, PDF | {"content-type": "unspecified"}, [], True),
        ({"URL": CC}, PDF | {"content-type": "unspecified", "URL": "https://press.example/a.PDF"}, ["pdf"], True),
        ({"URL": CC}, PDF | {"content-type": "text/xml"}, ["jats"], True),
        ({"URL": CC}, PDF | {"URL": "ftp://press.example/a"}, [], True),
        ({"URL": CC}, PDF | {"URL": "javascript:alert(1)"}, [], True),
        ("CC-BY", PDF, [], None),
    ],
)
def test_links_are_open_only_where_the_licence_is(licence: Any, link: Any, kinds: list[str], free: bool | None) -> None:
    work = read(license=[licence], link=[link])
    assert [found.kind for found in work.links] == kinds
    assert work.open_access is free
    assert all(found.version == "accepted" and found.route == "publisher" for found in work.links)


@pytest.mark.parametrize(
    ("fields", "retracted"),
    [
        ({"updated-by": [{"type": "retraction", "DOI": "10.1000/r"}]}, True),
        ({"updated-by": [{"type": "correction"}, {"type": "Withdrawal"}]}, True),
        ({"updated-by": [{"type": "correction"}]}, False),
        ({"update-to": [{"type": "retraction", "DOI": "10.1000/other"}]}, False),
        ({"title": ["RETRACTED ARTICLE: Lattices"]}, True),
        ({"title": ["Withdrawn: Lattices"]}, True),
        ({"title": ["Retracted articles in physics: a survey"]}, False),
        ({"updated-by": "retraction"}, False),
    ],
)
def test_retractions_of_the_work_itself(fields: dict[str, Any], retracted: bool) -> None:
    assert read(**fields).retracted is retracted


def test_versions_that_it_names() -> None:
    relation = {
        "is-preprint-of": [{"id-type": "doi", "id": "https://doi.org/10.1000/PUBLISHED", "asserted-by": "subject"}],
        "has-version": [{"id": "10.1000/a"}, {"id": "10.1000/published"}, {"id": "javascript:bad"}, None],
        "has-preprint": [{"id-type": "arxiv", "id": "2101.00001"}],
        "cites": [{"id": "10.1000/cited"}],
        "has-review": {"id": "10.1000/review"},
    }
    assert read(relation=relation).version_of == ("10.1000/published", "2101.00001")


def test_pages_venues_and_numbers_of_every_shape() -> None:
    assert read(**{"article-number": "e0123"}).pages == "e0123"
    assert read(page="1-9", **{"article-number": "e0123"}).pages == "1-9"
    assert read(institution=[{"name": "bioRxiv"}]).venue == "bioRxiv"
    assert read(institution={"name": "bioRxiv"}).venue == "bioRxiv"
    assert read(event={"name": "Lattice 21"}).venue == "Lattice 21"
    assert read(ISBN=["http://id.crossref.org/isbn/9781234567897"]).isbn == "9781234567897"
    assert read(**{"is-referenced-by-count": -1}).cited_by is None
    assert read(**{"is-referenced-by-count": True}).cited_by is None
    assert read(**{"is-referenced-by-count": 1.5}).cited_by is None
    assert read(abstract="<jats:p>Abstract algebra helps.</jats:p>").abstract == "Abstract algebra helps."
    assert read(URL="javascript:alert(1)").url == "https://doi.org/10.1000/a"


@pytest.mark.parametrize("doi", [None, "", 7, ["10.1000/a"], "not a doi", {"a": 1}])
def test_records_without_a_doi_are_left_out(doi: Any) -> None:
    assert work_of(Record({"DOI": doi, "title": ["A title"]}), day=TODAY) is None


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ({"key": "1"}, None),
        ({"key": "1", "DOI": "10.1000/x"}, ""),
        ({"volume-title": "A <i>book</i>", "year": "n.d."}, "A book"),
        ({"unstructured": "x" * 900}, "x" * 500),
        ({"journal-title": "Phys. Rev.", "volume": 3, "year": "1999"}, ""),
        ({"DOI": {}, "article-title": []}, None),
    ],
)
def test_references_of_every_shape(entry: dict[str, Any], title: str | None) -> None:
    work = cited_of(Record(entry))
    assert (work.title if work else None) == title


BODIES: list[Any] = [
    [],
    "null",
    "7",
    {"status": "ok"},
    {"status": "ok", "message": []},
    {"status": "ok", "message": {"total-results": 3}},
    {"status": "ok", "message": {"items": {"0": {}}}},
    '{"message": ' * 2000 + "1" + "}" * 2000,
    b'{"status": "ok", "message": {"items": [\xff]}}',
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
async def test_a_frame_that_is_wrong_is_malformed(opened: Opened, body: Any) -> None:
    async with opened(lambda _: body) as (crossref, _):
        with pytest.raises(SourceError, match="cannot be read") as caught:
            await crossref.search(Query("gaps"), limit=5)
    assert caught.value.cause == "malformed"


async def test_a_record_that_is_wrong_does_not_take_the_others_away(opened: Opened) -> None:
    items = [
        None,
        7,
        [],
        {"DOI": 1},
        {"DOI": "10.1000/a", "title": {"a": [[[]]]}, "author": {"family": "x"}, "license": 3},
    ]
    body = {"status": "ok", "message": {"total-results": "many", "items": items}}
    async with opened(lambda _: body) as (crossref, _):
        page = await crossref.search(Query("gaps"), limit=5)
    assert [work.ids.doi for work in page.works] == ["10.1000/a"]
    assert (page.total, page.cursor) == (None, "5")


async def test_every_fault_is_told(faults: Any, crossref_server: ModuleType, works: list[Any]) -> None:
    ids = Identifiers(doi="10.1000/a")
    questions = [
        lambda source: source.search(Query("gaps"), limit=5),
        lambda source: source.query("query=gaps", limit=5),
        lambda source: source.work(ids),
        lambda source: source.references(ids, limit=5),
    ]
    await faults(Crossref, crossref_server.make_crossref(works), questions)
