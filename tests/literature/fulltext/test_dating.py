"""When the texts of a work appeared, and which of them the cutoff lets be shown."""

from dataclasses import replace
from datetime import date

import pytest

from pincite_literature.dates import PartialDate
from pincite_literature.fulltext.dating import Dating
from pincite_literature.fulltext.route import Route, policy_of_host
from pincite_literature.model import Identifiers, Work

HOST = policy_of_host("https://publisher.example/7.pdf")
ARXIV = Work(
    title="A",
    ids=Identifiers(arxiv="1903.00001", doi="10.48550/arxiv.1903.00001"),
    published=PartialDate(2019, 3, 5),
    updated=PartialDate(2022, 1, 1),
    url="https://arxiv.org/abs/1903.00001v4",
    sources=("arxiv",),
)
ARTICLE = Work(title="A", ids=Identifiers(doi="10.5555/a"), published=PartialDate(2020, 6), sources=("crossref",))
MERGED = Work(title="A", ids=Identifiers(doi="10.5555/a", arxiv="1903.00001"), published=PartialDate(2019))
CUTOFF = date(2021, 1, 1)


def _route(source: str = "publisher", version: str = "published", number: int | None = None) -> Route:
    return Route("pdf", source, HOST, "https://publisher.example/7.pdf", version=version, number=number)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "before", "number"),
    [
        (ARXIV, None, 4),
        (None, None, None),
        (ARXIV, CUTOFF, 1),
        (ARXIV, date(2022, 1, 2), 4),
        (ARXIV, date(2022, 1, 1), 1),
        (replace(ARXIV, updated=None), date(2022, 1, 2), 1),
        (replace(ARXIV, updated=PartialDate(2020)), CUTOFF, 4),
        (replace(ARXIV, updated=PartialDate(2021)), CUTOFF, 1),
        (None, CUTOFF, 1),
    ],
)
def test_the_version_of_arxiv_to_ask_for(record: Work | None, before: date | None, number: int | None) -> None:
    records = {} if record is None else {"arxiv": record}
    assert Dating(records, before).arxiv_version == number


def test_versions_of_arxiv_have_their_own_dates() -> None:
    dating = Dating({"arxiv": ARXIV, "crossref": ARTICLE}, None)
    assert str(dating.of(_route("arXiv", "submitted", 4))) == "2022-01-01"
    assert str(dating.of(_route("arXiv", "submitted", 1))) == "2019-03-05"
    assert dating.of(_route("arXiv", "submitted", 2)) is None
    assert str(dating.of(_route("arXiv", "submitted", None))) == "2022-01-01"
    without = Dating({"openalex": MERGED}, None)
    assert str(without.of(_route("arXiv", "submitted", 1))) == "2019-03"
    assert without.of(_route("arXiv", "submitted", 2)) is None
    old = Dating({"openalex": replace(MERGED, ids=Identifiers(arxiv="cond-mat/9901001"))}, None)
    assert str(old.of(_route("arXiv", "submitted", 1))) == "1999-01"


def test_an_article_is_dated_by_records_of_it_alone() -> None:
    later = replace(ARTICLE, published=PartialDate(2020, 9, 1))
    dating = Dating({"arxiv": ARXIV, "crossref": ARTICLE, "pubmed": later, "openalex": MERGED}, None)
    assert str(dating.of(_route())) == "2020-09-01"
    assert dating.of(_route(version="submitted")) is None
    assert Dating({"openalex": MERGED}, None).of(_route()) is None


@pytest.mark.parametrize(
    ("route", "allowed"),
    [
        (_route(), True),
        (_route("PMC", "accepted"), True),
        (_route("Europe PMC", ""), True),
        (_route("Unpaywall", "accepted"), True),
        (_route("Unpaywall", "submitted"), False),
        (_route("Semantic Scholar", ""), False),
        (_route("arXiv", "submitted", 1), True),
        (_route("arXiv", "submitted", 2), False),
        (_route("arXiv", "submitted", 4), False),
        (_route("arXiv", "submitted", None), False),
    ],
)
def test_what_the_cutoff_lets_through(route: Route, allowed: bool) -> None:
    refusal = Dating({"arxiv": ARXIV, "crossref": ARTICLE}, CUTOFF).refusal(route)
    assert (refusal == "") == allowed, refusal
    assert Dating({"arxiv": ARXIV, "crossref": ARTICLE}, None).refusal(route) == ""


def test_an_article_without_a_date_of_its_own_is_withheld() -> None:
    assert "no record dates the article" in Dating({"openalex": MERGED}, CUTOFF).refusal(_route("PMC"))
    late = replace(ARTICLE, published=PartialDate(2021, 2))
    assert "it is of 2021-02" in Dating({"crossref": late}, CUTOFF).refusal(_route())
    unsure = replace(ARTICLE, published=PartialDate(2021))
    assert "withheld" in Dating({"crossref": unsure}, CUTOFF).refusal(_route())


@pytest.mark.parametrize(
    "preprint",
    [replace(ARTICLE, kind="preprint"), replace(ARTICLE, ids=Identifiers(doi="10.1101/2020.01.02.123456"))],
)
def test_a_preprint_of_another_server_may_have_been_revised(preprint: Work) -> None:
    dating = Dating({"crossref": preprint}, CUTOFF)
    assert "may have been revised" in dating.refusal(_route())
    assert dating.of(_route()) is None
    assert dating.refusal(_route("PMC", "published", 1)) == ""


def test_a_later_version_in_pmc_has_no_known_date() -> None:
    dating = Dating({"crossref": ARTICLE}, None)
    assert dating.of(_route("PMC", "published", 2)) is None
    assert dating.of(_route("PMC", "published", 1)) == ARTICLE.published
