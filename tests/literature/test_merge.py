"""Works of several sources become one record a work."""

import itertools
from dataclasses import replace

import merging
import pytest
from parts.generated_works.sightings import sightings

from pincite_literature.combine import earliest
from pincite_literature.dates import PartialDate
from pincite_literature.merge import Group, merge
from pincite_literature.model import Author, FulltextLink, Identifiers, Work

ADA = Author("Ada M. Lovelace", "Lovelace", "Ada M.")
EMMY = Author("Emmy Noether", "Noether", "Emmy")
TITLE = "Charge-density-wave order in underdoped cuprates"


def work(title: str = TITLE, year: int = 2019, authors: tuple[Author, ...] = (ADA, EMMY), **more: object) -> Work:
    ids = Identifiers(**{k: str(more.pop(k)) for k in ("doi", "arxiv", "pmid", "pmcid", "s2") if k in more})  # type: ignore[arg-type]
    return Work(title=title, ids=ids, authors=authors, published=PartialDate(year), **more)  # type: ignore[arg-type]


def merged(**lists: Work | list[Work]) -> list[Group]:
    return merge({name: works if isinstance(works, list) else [works] for name, works in lists.items()})


def test_generated_works_are_merged_as_they_should_be() -> None:
    (right, made, true), (_, _, by_doi), _ = merging.measure(seed=7)
    assert true == by_doi > 500
    assert right / made >= 0.99
    assert right / true >= 0.99


def test_the_order_of_sources_and_of_works_does_not_matter() -> None:
    lists, _ = sightings(3, works=60)
    expected = [group.work for group in merge(lists)]
    for order in itertools.islice(itertools.permutations(lists), 0, 720, 101):
        assert [group.work for group in merge({name: lists[name] for name in order})] == expected
    upside_down = {name: works[::-1] for name, works in lists.items()}
    assert {repr(group.work) for group in merge(upside_down)} == {repr(each) for each in expected}


def titles(groups: list[Group]) -> list[int]:
    """How many records each group has, biggest first."""
    return sorted((len(group.members) for group in groups), reverse=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (work(doi="10.1103/a"), work("CDW order in cuprates", doi="10.1103/a")),
        (work(doi="10.48550/arxiv.1901.00001"), work(arxiv="1901.00001")),
        (work(pmid="7"), work(pmid="7", pmcid="PMC9")),
        (work(pmcid="PMC9"), work(TITLE + ".", pmcid="PMC9")),
        (work(doi="10.1103/a"), work("Charge–Density–Wave Order in Underdoped Cuprates.", pmid="7")),
        (work(doi="10.1103/a"), work(authors=(Author("A. M. Lovelace"), Author("E. Noether")), year=2020)),
        (work(doi="10.1103/a"), work("Charge-density-wave order in underdopped cuprates")),
        (work(doi="10.1103/a"), work(TITLE + ": a neutron study")),
        (work(doi="10.1103/a", year=2021), work(arxiv="1901.00001", kind="preprint")),
        (work(doi="10.1103/a", year=2020), work("Evidence for " + TITLE.lower(), arxiv="1901.00001", kind="preprint")),
        (work(doi="10.1038/a", year=2020), work(doi="10.1101/2019.01.01.123456", kind="preprint")),
        (work(doi="10.26434/chemrxiv-2021-abc-v2"), work("Draft", doi="10.26434/chemrxiv-2021-abc")),
        (work(doi="10.1038/a"), work("Something else", doi="10.1101/2019.01.01.123456", version_of=("10.1038/A",))),
        (work("RETRACTED: " + TITLE, doi="10.1103/a"), work(pmid="7")),
        (work("Untersuchung der Ordnung", doi="10.1103/a"), work(doi="10.1103/a")),
        (work(doi="10.1103/a", authors=(ADA,)), work()),
        (work(doi="10.1002/anie.202001234"), work("Ordnung in Kupraten", doi="10.1002/ange.202001234")),
    ],
)  # fmt: skip
def test_one_work(one: Work, other: Work) -> None:
    for lists in ({"crossref": one, "openalex": other}, {"openalex": one, "crossref": other}):
        assert titles(merged(**lists)) == [2]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (work(doi="10.1103/a"), work(doi="10.1103/b")),
        (work(arxiv="1901.00001"), work(arxiv="1901.00002")),
        (work(pmid="7"), work(pmid="8")),
        (work(doi="10.1103/a"), work("Erratum: " + TITLE)),
        (work(doi="10.1103/a"), work("Erratum: " + TITLE, doi="10.1103/a")),
        (work("Comment on “X: a theory of everything”"), work("Reply to “Comment on ‘X: a theory of everything’”")),
        (work(TITLE + ". Part I"), work(TITLE + ". Part II")),
        (work(TITLE), work(TITLE + ". II. Theory")),
        (work("Annual report of the committee 2016"), work("Annual report of the committee 2017")),
        (work("Editorial", doi="10.1103/a"), work("Editorial")),
        (work(), work(authors=(Author("Kurt Gödel"), Author("Grace Hopper")))),
        (work(), work(year=2010)),
        (work(volume="12"), work(volume="13")),
        (work(kind="conference", venue="NeurIPS"), work(kind="article", venue="Machine Learning")),
        (work(kind="dataset"), work(kind="article")),
        (work("Ferrimagnetic order in double perovskites"), work("Ferromagnetic order in double perovskites")),
        (work("Pair breaking in FeSe", authors=()), work("Pair breaking in FeSe", authors=())),
        (work("", authors=()), work("", authors=())),
    ],
)  # fmt: skip
def test_two_works(one: Work, other: Work) -> None:
    assert titles(merged(crossref=one, openalex=other)) == [1, 1]


def test_a_wrong_identifier_joins_nothing_and_is_dropped() -> None:
    right = [work(doi="10.1103/a"), work(doi="10.1103/a", pmid="7")]
    other = work("Graph networks for proteins", authors=(Author("Grace Hopper"),), doi="10.1103/b")
    wrong = work("Graph networks for proteins", authors=(Author("G. Hopper"),), doi="10.1103/a")
    groups = merged(crossref=[right[0], other], pubmed=right[1], openalex=wrong)
    assert titles(groups) == [2, 2]
    assert {group.work.ids.doi for group in groups} == {"10.1103/a", "10.1103/b"}


def test_the_authority_keeps_an_identifier_that_two_sources_claim() -> None:
    true = work(doi="10.1103/a")
    false = work("Graph networks for proteins", authors=(Author("Grace Hopper"),), doi="10.1103/a")
    groups = merged(openalex=false, crossref=true)
    assert {group.work.title: group.work.ids.doi for group in groups} == {TITLE: "10.1103/a", false.title: None}


def test_an_arxiv_id_shared_by_two_publications_does_not_chain_them() -> None:
    lists = {
        "crossref": [work(doi="10.1103/a"), work(doi="10.5555/b", kind="conference", venue="NeurIPS", year=2018)],
        "arxiv": [work(arxiv="1801.00001", doi="10.1103/a", year=2018)],
        "semantic_scholar": [work(arxiv="1801.00001", doi="10.5555/b", year=2018)],
    }
    assert titles(merge(lists)) == [2, 2]


def test_a_named_version_joins_two_dois() -> None:
    groups = merged(crossref=[work(doi="10.1103/a"), work(doi="10.5555/b", version_of=("10.1103/a",))])
    assert titles(groups) == [2]
    assert groups[0].work.version_of == ("10.5555/b",)


def test_fields_of_the_published_version_and_the_best_source() -> None:
    preprint = work(
        arxiv="1901.00001", year=2018, kind="preprint", venue="arXiv", abstract="Long " * 9 + "…", cited_by=3,
        links=(FulltextLink("pdf", "https://arxiv.org/pdf/1901.00001", "arXiv"),), open_access=True,
    )  # fmt: skip
    article = work(
        TITLE.upper(), doi="10.1103/a", kind="article", venue="Physical Review B", volume="99", pages="1-9",
        abstract="No abstract available.", cited_by=8, authors=(ADA, replace(EMMY, orcid="0000-0001")),
    )  # fmt: skip
    indexed = work(
        pmid="7", venue="Phys Rev B", abstract="Short.", open_access=False, language="en",
        links=(FulltextLink("pdf", "http://www.arxiv.org/pdf/1901.00001/", "PMC"),),
    )  # fmt: skip
    (group,) = merged(pubmed=indexed, arxiv=preprint, crossref=article)
    made = group.work
    assert made.ids == Identifiers(doi="10.1103/a", arxiv="1901.00001", pmid="7")
    assert (made.title, made.venue, made.volume, made.pages) == (TITLE, "Physical Review B", "99", "1-9")
    assert (made.kind, made.cited_by, made.open_access, made.language) == ("article", 8, True, "en")
    assert (made.published, made.first_public) == (PartialDate(2019), PartialDate(2018))
    assert made.abstract == "Short."
    assert [link.route for link in made.links] == ["PMC"]
    assert made.authors[1].orcid == "0000-0001"
    assert made.sources == ("arxiv", "crossref", "pubmed")
    assert made.version_of == ()
    assert group.places == {"pubmed": 1, "arxiv": 1, "crossref": 1}


def test_a_preprints_doi_is_kept_as_another_version() -> None:
    server, journal = work(doi="10.1101/2019.01.01.123456", kind="preprint"), work(doi="10.1038/a")
    (group,) = merged(europe_pmc=server, crossref=journal)
    assert group.work.ids.doi == "10.1038/a"
    assert group.work.version_of == ("10.1101/2019.01.01.123456",)


def test_retracted_if_any_source_says_so() -> None:
    (group,) = merged(crossref=work(doi="10.1103/a"), pubmed=work(doi="10.1103/a", retracted=True))
    assert group.work.retracted


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (["2020", "2020-03-05", "2021"], "2020-03-05"),
        (["2020", "2019-12"], "2019-12"),
        (["2019", "2020-03-05"], "2019"),
        (["2020-03", "2020-03"], "2020-03"),
    ],
)
def test_earliest_date(dates: list[str], expected: str) -> None:
    assert str(earliest([date for text in dates if (date := PartialDate.parse(text))])) == expected


def test_records_keep_their_best_place() -> None:
    (group,) = merged(openalex=[work(doi="10.1103/a"), work(doi="10.1103/a")])
    assert group.places == {"openalex": 1}
    assert titles([group]) == [2]


def test_nothing_merges_to_nothing() -> None:
    assert merge({}) == []
    assert merge({"arxiv": []}) == []


def test_many_alike_records_stay_affordable() -> None:
    same = [work("Deep learning in the natural sciences", authors=(Author(f"A{n} Surname{n}"),)) for n in range(600)]
    assert len(merge({"crossref": same})) == 600
    bad = [
        work(f"Title of another work number {n} entirely", (2000 + n % 20), authors=(), doi="10.1/x")
        for n in range(600)
    ]
    assert len(merge({"openalex": bad})) >= 1


def test_works_of_odd_fields_are_merged_or_left() -> None:
    odd = [
        Work("", Identifiers()),
        Work("\x00" * 3000, Identifiers(), authors=(Author(""), Author("," * 5000))),
        Work("(" * 50_000, Identifiers(doi="10.1/" + "x" * 5000), abstract="x" * 100_000),
        Work("$\\" * 2000, Identifiers(), version_of=("not an identifier", "", "10.1103/A")),
        Work("A" * 40, Identifiers(), authors=tuple(Author(f"A{n} B{n}") for n in range(3000))),
    ]
    assert sum(len(group.members) for group in merge({"crossref": odd, "arxiv": odd})) == 10
