"""Routes to a full text: tried in order, each with its outcome."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_literature.dates import PartialDate
from pincite_literature.fulltext.dating import Dating
from pincite_literature.fulltext.fetching import Errand
from pincite_literature.fulltext.offers import Offers, arxiv_number
from pincite_literature.model import Author, FulltextLink, Identifiers, Work
from pincite_literature.state import LiteratureState

ALL = ("latex", "jats", "html", "pdf")
ARXIV = Work(
    title="Superconductivity of a cuprate that nobody has made",
    ids=Identifiers(arxiv="1903.00001", doi="10.48550/arxiv.1903.00001"),
    authors=(Author("Ada M. Lovelace", "Lovelace", "Ada M."),),
    published=PartialDate(2019, 3, 5),
    updated=PartialDate(2022, 1, 1),
    url="https://arxiv.org/abs/1903.00001v4",
    sources=("arxiv",),
)
ARTICLE = replace(
    ARXIV,
    ids=Identifiers(doi="10.5555/cuprate.1", pmcid="PMC7654321"),
    published=PartialDate(2020, 6, 1),
    updated=None,
    url="",
    sources=("crossref",),
)
CUTOFF = date(2021, 1, 1)


@pytest.fixture
def fetch(archives: ModuleType, tmp_path: Path) -> Callable[..., Any]:
    """``await fetch(answers, work)``: the errand after it has run, what it fetched, and the hall it asked."""

    async def run(
        answers: Mapping[str, Any],
        work: Work,
        *,
        kinds: tuple[str, ...] = ALL,
        records: Mapping[str, Work] | None = None,
        version: int | None = None,
        before: date | None = None,
        links: Callable[[str], tuple[FulltextLink, ...]] | None = None,
        **settings: Any,
    ) -> Any:
        with archives.Hall(answers) as hall:
            made = Settings(
                **{
                    "cache_dir": tmp_path / "cache" / str(hall.server.port),
                    "papers_dir": tmp_path / "fetched",
                    "roots": (tmp_path,),
                    "parse_workers": 1,
                    "source_urls": hall.urls,
                    "source_seconds": 10.0,
                    "http_total_seconds": 10.0,
                    "source_rates": "off",
                    "allow_private_addresses": True,
                    "before": before,
                    **settings,
                }
            )
            state = LiteratureState(made, open_web(made))
            work = replace(work, links=links(hall.url)) if links else work
            async with state.lifespan(None):
                dating = Dating(dict.fromkeys(work.sources, work) if records is None else records, before)
                offers = Offers(state, work, dating, version)
                errand = Errand(state, work, dating, offers, lambda _: None)
                found = await errand.run(kinds)  # type: ignore[arg-type]
            return found, [*offers.failures, *errand.attempts], hall

    return run


def _outcomes(attempts: Any) -> list[tuple[str, str | None, str]]:
    return [(attempt.source, attempt.kind, attempt.outcome) for attempt in attempts]


async def test_arxiv_gives_its_source(fetch: Any, articles: ModuleType) -> None:
    found, attempts, hall = await fetch({"/arxiv/src/1903.00001v4": articles.latex()}, ARXIV)
    assert found.route.kind == "latex"
    assert found.route.number == 4
    assert articles.NEEDLE in found.paper.text
    assert attempts == []
    assert hall.asked == ["/arxiv/src/1903.00001v4"]


async def test_a_source_of_one_file_is_taken_however_it_is_sent(
    fetch: Any, articles: ModuleType, source_servers: ModuleType
) -> None:
    """arXiv has sent single files as an encoding (x-gzip) of TeX, too."""
    for headers in ({"Content-Type": "application/gzip"}, {"Content-Type": "text/plain", "Content-Encoding": "x-gzip"}):
        given = source_servers.Given(articles.single_tex(), headers=headers)
        found, attempts, _ = await fetch({"/arxiv/src/1903.00001v4": given}, ARXIV, kinds=("latex",))
        assert found is not None, _outcomes(attempts)
        assert articles.NEEDLE in found.paper.text


async def test_a_pdf_in_place_of_a_source_is_told_and_fetched_as_what_it_is(fetch: Any, articles: ModuleType) -> None:
    answers = {"/arxiv/src/1903.00001v4": articles.pdf(), "/arxiv/pdf/1903.00001v4": articles.pdf()}
    found, attempts, _ = await fetch(answers, ARXIV)
    assert found.route.kind == "pdf"
    assert _outcomes(attempts) == [
        ("arXiv", "latex", "it is a PDF, not a LaTeX source"),
        ("arXiv", "html", "arXiv has none there"),
    ]
    assert all(attempt.certain for attempt in attempts)


async def test_the_version_is_read_from_what_arxiv_sends(
    fetch: Any, articles: ModuleType, source_servers: ModuleType
) -> None:
    named = {"Content-Disposition": 'attachment; filename="arXiv-1903.00001v3.tar.gz"'}
    answers = {"/arxiv/src/1903.00001": source_servers.Given(articles.latex(), headers=named)}
    found, _, _ = await fetch(answers, ARXIV, records={}, kinds=("latex",))
    assert found.route.number == 3
    stamped = articles.pdf(stamp="arXiv:1903.00001v2 [cond-mat.supr-con] 5 Mar 2019")
    found, _, _ = await fetch({"/arxiv/pdf/1903.00001": stamped}, ARXIV, records={}, kinds=("pdf",))
    assert found.route.number == 2


async def test_pmc_gives_jats_with_its_licence(fetch: Any, archives: ModuleType, articles: ModuleType) -> None:
    answers = archives.cloud("PMC7654321", jats=articles.jats()) | archives.cloud(
        "PMC7654321", version=2, jats=articles.jats()
    )
    found, attempts, hall = await fetch(answers, ARTICLE)
    assert (found.route.source, found.route.kind, found.route.version) == ("PMC", "jats", "published")
    assert found.route.licence == "CC BY"
    assert "/s3/PMC7654321.2/PMC7654321.2.xml" in hall.asked
    assert attempts == []


async def test_the_record_of_pmc_may_lie_beside_the_article(
    fetch: Any, archives: ModuleType, articles: ModuleType
) -> None:
    answers = archives.cloud("PMC7654321", jats=articles.jats())
    answers["/s3/PMC7654321.1/PMC7654321.1.json"] = answers.pop("/s3/metadata/PMC7654321.1.json")
    found, _, _ = await fetch(answers, ARTICLE, kinds=("jats",))
    assert found.route.licence == "CC BY"


@pytest.mark.parametrize(
    "change",
    [
        {"xml_url": "s3://another-bucket/PMC7654321.1/PMC7654321.1.xml"},
        {"xml_url": "s3://pmc-oa-opendata/PMC7654321.1/../../PMC1.1/PMC1.1.xml"},
        {"xml_url": "s3://pmc-oa-opendata/PMC1.1/PMC1.1.xml"},
        {"xml_url": "http://127.0.0.1/PMC7654321.1.xml"},
        {"xml_url": 7},
        {"xml_url": None},
        {"pmcid": "PMC1"},
        {"pmcid": None},
    ],
)
async def test_a_record_of_pmc_leads_to_its_own_article_alone(
    fetch: Any, archives: ModuleType, articles: ModuleType, change: dict[str, Any]
) -> None:
    answers = archives.cloud("PMC7654321", jats=articles.jats(), **change)
    answers |= {path: articles.jats() for path in ("/s3/PMC1.1/PMC1.1.xml", "/PMC7654321.1.xml")}
    found, _, hall = await fetch(answers, ARTICLE, kinds=("jats",))
    assert found is None
    assert not [path for path in hall.asked if path.startswith("/s3/") and path.endswith(".xml")]


async def test_efetch_and_europe_pmc_stand_behind_pmc(fetch: Any, archives: ModuleType, articles: ModuleType) -> None:
    eutils = {"/eutils/efetch.fcgi": articles.articleset(articles.jats())}
    found, _, hall = await fetch(eutils, ARTICLE, contact="a@example.org")
    assert found.route.policy.name == "pmc"
    assert found.route.licence == "https://creativecommons.org/licenses/by/4.0/"
    sent = next(asked for asked in hall.server.asked if asked.path == "/eutils/efetch.fcgi").params
    assert sent == {"db": "pmc", "id": "7654321", "retmode": "xml", "tool": "pincite", "email": "a@example.org"}
    assert "example.org" not in found.route.address
    europe = {
        "/eutils/efetch.fcgi": articles.articleset(articles.jats(body=False)),
        "/epmc/PMC7654321/fullTextXML": articles.jats(),
    }
    found, attempts, _ = await fetch(europe, ARTICLE)
    assert found.route.source == "Europe PMC"
    assert ("PMC", "jats", "it gives the front matter alone, without the text") in _outcomes(attempts)


@pytest.mark.parametrize(
    ("body", "certain"),
    [
        (b'<pmc-articleset><Reply Id="7654321" error="The following PMCID is not available"/></pmc-articleset>', True),
        (b"<pmc-articleset></pmc-articleset>", True),
        (b"", False),
        (b"<?xml version='1.0'?><eFetchResult><ERROR>Cannot process ID list</ERROR></eFetchResult>", False),
    ],
)
async def test_answers_of_archives_without_an_article_are_no_text(fetch: Any, body: bytes, certain: bool) -> None:
    answers = {"/eutils/efetch.fcgi": body, "/epmc/PMC7654321/fullTextXML": body}
    found, attempts, _ = await fetch(answers, ARTICLE, kinds=("jats",))
    assert found is None
    assert [attempt.certain for attempt in attempts] == [certain, certain], _outcomes(attempts)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("2301.00001v2", 2),
        ("arXiv:2301.00001v12 [cs.CL] 3 Jan 2023", 12),
        ("https://arxiv.org/pdf/2301.00001v3.pdf", 3),
        ("cond-mat/9901001v1", 1),
        ('attachment; filename="arXiv-2301.00001v4.tar.gz"', 4),
        ("2301.00001", None),
        ("https://arxiv.org/abs/2301.00001", None),
    ],
)
def test_the_version_in_a_name_of_arxiv(name: str, number: int | None) -> None:
    assert arxiv_number(name) == number


async def test_published_goes_before_accepted_before_submitted(
    fetch: Any, archives: ModuleType, articles: ModuleType
) -> None:
    def links(url: str) -> tuple[FulltextLink, ...]:
        return (
            FulltextLink("pdf", f"{url}/repository/submitted.pdf", "OpenAlex", "submitted"),
            FulltextLink("pdf", f"{url}/repository/unknown.pdf", "Semantic Scholar"),
            FulltextLink("pdf", f"{url}/repository/accepted.pdf", "OpenAlex", "accepted"),
            FulltextLink("pdf", f"{url}/publisher/7.pdf", "publisher", "published"),
            FulltextLink("pdf", f"{url}/repository/published.pdf", "OpenAlex", "published"),
        )

    answers = archives.cloud("PMC7654321", pdf=b"%PDF-1.7 broken", manuscript=True)
    _, attempts, _ = await fetch(answers, ARTICLE, kinds=("pdf",), links=links)
    assert [Path(attempt.url).name for attempt in attempts if attempt.kind == "pdf"] == [
        "7.pdf",
        "published.pdf",
        "PMC7654321.1.pdf",
        "accepted.pdf",
        "submitted.pdf",
        "unknown.pdf",
    ]


async def test_links_to_archives_are_asked_as_these_want_it(
    fetch: Any, archives: ModuleType, articles: ModuleType
) -> None:
    """OpenAlex and Unpaywall link to pages of arXiv and PMC that are not for programs."""
    work = replace(ARTICLE, ids=Identifiers(doi="10.5555/cuprate.1"))

    def links(_: str) -> tuple[FulltextLink, ...]:
        return (
            FulltextLink("html", "https://pmc.ncbi.nlm.nih.gov/articles/PMC7654321/", "PMC", "published"),
            FulltextLink(
                "pdf", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7654321/pdf/main.pdf", "PMC", "published"
            ),
            FulltextLink("pdf", "http://arxiv.org/pdf/1903.00001v2", "arXiv", "submitted"),
            FulltextLink("pdf", "http://[broken", "OpenAlex"),
        )

    answers = archives.cloud("PMC7654321", jats=articles.jats())
    found, attempts, hall = await fetch(answers, work, links=links)
    assert found.route.source == "PMC"
    assert _outcomes(attempts) == [("arXiv", "latex", "arXiv has none there")]
    assert hall.asked[0] == "/arxiv/src/1903.00001"


def _publisher(url: str) -> tuple[FulltextLink, ...]:
    return (FulltextLink("pdf", f"{url}/publisher/7", "publisher", "published", "cc-by"),)


def _page(url: str) -> tuple[FulltextLink, ...]:
    return (FulltextLink("html", f"{url}/publisher/7", "publisher", "published"),)


ALONE = replace(ARTICLE, ids=Identifiers(doi="10.5555/cuprate.1"))


@pytest.mark.parametrize(
    ("said", "licence", "asked", "certain"),
    [
        (False, "", False, True),
        (None, "", True, True),
        (True, "", True, False),
        (False, "https://creativecommons.org/licenses/by/4.0/", True, False),
    ],
)
async def test_a_publishers_copy_that_is_not_said_to_be_open(
    fetch: Any, source_servers: ModuleType, said: bool | None, licence: str, asked: bool, certain: bool
) -> None:
    """Crossref names the copies of closed articles too: that these do not let us in is not an outage."""

    def links(url: str) -> tuple[FulltextLink, ...]:
        return (FulltextLink("pdf", f"{url}/publisher/7", "publisher", "published", licence),)

    denied = {"/publisher/7": source_servers.Given("no", status=403)}
    work = replace(ALONE, open_access=said)
    found, attempts, hall = await fetch(denied, work, kinds=("pdf",), links=links)
    assert found is None
    (attempt,) = [attempt for attempt in attempts if attempt.source == "publisher"]
    assert (attempt.asked, attempt.certain) == (asked, certain)
    assert hall.asked == (["/publisher/7"] if asked else [])
    assert ("refused access" if asked else "not open") in attempt.outcome


async def test_a_landing_page_is_followed_once(fetch: Any, articles: ModuleType) -> None:
    landing = articles.web_page(body=False, head=articles.linking("/publisher/7.pdf"))
    answers = {"/publisher/7": landing, "/publisher/7.pdf": articles.pdf()}
    found, attempts, hall = await fetch(answers, ALONE, kinds=("pdf",), links=_publisher)
    assert found.response.url.endswith("/publisher/7.pdf")
    assert found.route.licence == "cc-by"
    again = {"/publisher/7": landing, "/publisher/7.pdf": landing.replace(b"7.pdf", b"8.pdf")}
    found, attempts, hall = await fetch(again, ALONE, kinds=("pdf",), links=_publisher)
    assert found is None
    assert "/publisher/8.pdf" not in hall.asked
    assert "not a PDF" in attempts[-1].outcome


async def test_a_landing_page_asked_as_a_page_leads_to_its_pdf(fetch: Any, articles: ModuleType) -> None:
    landing = articles.web_page(body=False, head=articles.linking("/publisher/7.pdf"))
    answers = {"/publisher/7": landing, "/publisher/7.pdf": articles.pdf()}
    found, attempts, _ = await fetch(answers, ALONE, links=_page)
    assert found.route.kind == "pdf"
    assert "a landing page, not the article (0 characters of text" in attempts[-1].outcome
    assert attempts[-1].certain


async def test_a_page_with_the_whole_article_is_taken(fetch: Any, articles: ModuleType) -> None:
    found, _, _ = await fetch({"/publisher/7": articles.web_page()}, ALONE, links=_page)
    assert found.route.kind == "html"
    assert articles.NEEDLE in found.paper.text


WALLS = [
    ("<title>Just a moment...</title><p>Verifying you are human.</p>", "a check for robots", False),
    ("<html><title>Access Denied</title><p>Access denied.</p></html>", "denies access", False),
    ("<html><title>Error</title><p>Cookies must be enabled.</p></html>", "a cookie page", False),
    ("<html><form>Sign in <input type='password'></form></html>", "a login page", True),
    ("<html><p>This is a preview of subscription content.</p></html>", "sells the article", True),
]


@pytest.mark.parametrize(("page", "what", "certain"), WALLS)
@pytest.mark.parametrize("kind", ["html", "pdf"])
async def test_a_wall_with_status_200_is_no_paper(fetch: Any, kind: str, page: str, what: str, certain: bool) -> None:
    links = _page if kind == "html" else _publisher
    found, attempts, _ = await fetch({"/publisher/7": page.encode()}, ALONE, kinds=(kind,), links=links)
    assert found is None
    assert what in attempts[-1].outcome
    assert attempts[-1].certain is certain


async def test_a_preview_behind_a_wall_is_no_paper(fetch: Any, articles: ModuleType) -> None:
    preview = articles.web_page(more="<div>Access options: <a>Buy article PDF</a></div>")
    found, attempts, _ = await fetch({"/publisher/7": preview}, ALONE, kinds=("html",), links=_page)
    assert found is None
    assert "sells the article" in attempts[-1].outcome


async def test_another_paper_is_never_taken(fetch: Any, articles: ModuleType) -> None:
    other = articles.pdf("Magnetism of a nickelate, which is something else")
    found, attempts, _ = await fetch({"/publisher/7": other}, ALONE, kinds=("pdf",), links=_publisher)
    assert found is None
    assert attempts[-1].outcome == "it is another paper: 'Magnetism of a nickelate, which is something else'"


async def test_a_broken_pdf_is_told_as_such(fetch: Any, articles: ModuleType) -> None:
    for data, says, certain in (
        (articles.pdf()[:2000], "cannot be read", False),
        (b"   ", "sent nothing", False),
        (b"\x00\x01\x02", "cannot be read", False),
        (b'{"error": "gone"}', "cannot be read", False),
        (articles.jats(), "it is a JATS XML, not a PDF", True),
    ):
        found, attempts, _ = await fetch({"/publisher/7": data}, ALONE, kinds=("pdf",), links=_publisher)
        assert found is None
        assert says in attempts[-1].outcome
        assert attempts[-1].certain is certain


async def test_a_file_above_the_limit_is_told(fetch: Any, articles: ModuleType) -> None:
    found, attempts, _ = await fetch(
        {"/publisher/7": articles.pdf()}, ALONE, kinds=("pdf",), links=_publisher, max_source_bytes=5000
    )
    assert found is None
    assert "5,000" in attempts[-1].outcome or "5000" in attempts[-1].outcome
    assert not attempts[-1].certain


async def test_private_addresses_are_not_fetched(fetch: Any, articles: ModuleType) -> None:
    answers = {"/publisher/7": articles.pdf()}
    found, attempts, hall = await fetch(answers, ALONE, kinds=("pdf",), links=_publisher, allow_private_addresses=False)
    assert found is None
    assert "/publisher/7" not in hall.asked
    assert attempts[-1].source == "publisher"


async def test_a_link_keeps_its_query(fetch: Any, articles: ModuleType, source_servers: ModuleType) -> None:
    def given(asked: Any) -> Any:
        return source_servers.Given(articles.pdf() if asked.params == {"pdf": "render", "a b": "+ü&"} else b"")

    def links(url: str) -> tuple[FulltextLink, ...]:
        address = f"{url}/articles/PMC7654321?pdf=render&a%20b=%2B%C3%BC%26#page=2"
        return (FulltextLink("pdf", address, "Europe PMC", "published"),)

    found, attempts, _ = await fetch({"/articles/PMC7654321": given}, ALONE, kinds=("pdf",), links=links)
    assert found is not None, _outcomes(attempts)


async def test_one_call_does_not_go_on_for_ever(
    fetch: Any, articles: ModuleType, source_servers: ModuleType, archives: ModuleType
) -> None:
    def links(url: str) -> tuple[FulltextLink, ...]:
        return tuple(FulltextLink("pdf", f"{url}/slow/{n}.pdf", "OpenAlex", "published") for n in range(12))

    answers = {f"/slow/{n}.pdf": source_servers.Given(b"%PDF-", after=3.0) for n in range(12)}
    found, attempts, _ = await fetch(answers, ALONE, kinds=("pdf",), links=links, http_total_seconds=0.2, contact="")
    assert found is None
    assert attempts[-1].outcome == "not tried: the time for one call is up"
    assert not attempts[-1].certain
    assert len([attempt for attempt in attempts if attempt.asked]) < 12


async def test_redirects_lead_to_the_paper(fetch: Any, articles: ModuleType, source_servers: ModuleType) -> None:
    moved = source_servers.Given(status=302, headers={"Location": "/cdn/7.pdf?token=1"})
    answers = {"/publisher/7": moved, "/cdn/7.pdf": articles.pdf()}
    found, _, _ = await fetch(answers, ALONE, kinds=("pdf",), links=_publisher)
    assert found.response.url.endswith("/cdn/7.pdf?token=1")


@pytest.mark.parametrize("fault", ["malformed", "429", "500", "slow", "truncated", "refused"])
async def test_faults_of_a_file_are_told_apart(
    fetch: Any, articles: ModuleType, source_servers: ModuleType, fault: str
) -> None:
    failure = source_servers.FAULTS[fault]
    answers = {"/arxiv/src/1903.00001v4": failure.given or b""}
    closed = {"arxiv_files": f"http://127.0.0.1:{source_servers.closed_port()}"}
    more: dict[str, Any] = {"source_urls": closed} if failure.given is None else {}
    more["http_total_seconds"] = source_servers.patience(fault)
    found, attempts, _ = await fetch(answers, ARXIV, kinds=("latex",), **more)
    assert found is None
    assert f"arXiv {failure.says}" in attempts[-1].outcome or (
        fault == "malformed" and failure.says in attempts[-1].outcome
    )
    assert not attempts[-1].certain


@pytest.mark.parametrize("fault", ["malformed", "429", "500", "truncated"])
async def test_an_outage_of_pmc_does_not_hide_the_other_routes(
    fetch: Any, articles: ModuleType, source_servers: ModuleType, fault: str
) -> None:
    failure = source_servers.FAULTS[fault]
    answers = {"/s3": failure.given, "/epmc/PMC7654321/fullTextXML": articles.jats()}
    found, attempts, _ = await fetch(answers, ARTICLE, kinds=("jats",))
    assert found.route.source == "Europe PMC"
    assert [attempt.source for attempt in attempts if not attempt.certain] == ["PMC"]
    assert failure.says in attempts[0].outcome


async def test_unpaywall_is_asked_with_the_users_address_alone(
    fetch: Any, archives: ModuleType, articles: ModuleType
) -> None:
    def answers(url: str = "") -> dict[str, Any]:
        return {"/publisher/7.pdf": articles.pdf()}

    found, attempts, hall = await fetch(answers(), ALONE, kinds=("pdf",))
    assert found is None
    assert _outcomes(attempts) == [
        ("Unpaywall", None, "not asked: it wants an e-mail address, which the user can set as PINCITE_CONTACT")
    ]
    assert attempts[0].certain
    assert hall.asked == []


async def test_unpaywall_leads_to_the_publisher(fetch: Any, archives: ModuleType, articles: ModuleType) -> None:
    def given(asked: Any) -> Any:
        url = f"http://{asked.headers['host']}/publisher/7.pdf"
        return archives.unpaywall("10.5555/cuprate.1", {"url_for_pdf": url, "url": url})[asked.path]

    answers = {"/unpaywall/v2/10.5555/cuprate.1": given, "/publisher/7.pdf": articles.pdf()}
    found, _, hall = await fetch(answers, ALONE, kinds=("pdf",), contact="a@example.org")
    assert found.route.source == "publisher"
    assert found.route.licence == "cc-by"
    assert hall.server.asked[0].params == {"email": "a@example.org"}


async def test_under_a_cutoff_arxiv_gives_the_first_version(fetch: Any, articles: ModuleType) -> None:
    answers = {f"/arxiv/src/1903.00001{v}": articles.latex() for v in ("", "v1", "v4")}
    found, _, hall = await fetch(answers, ARXIV, before=CUTOFF)
    assert found.route.number == 1
    assert hall.asked == ["/arxiv/src/1903.00001v1"]
    found, attempts, _ = await fetch(answers, ARXIV, before=CUTOFF, version=4, kinds=("latex",))
    assert found is None
    assert "withheld: it is of 2022-01-01" in attempts[-1].outcome


async def test_under_a_cutoff_pmc_gives_the_first_version(
    fetch: Any, archives: ModuleType, articles: ModuleType
) -> None:
    both = archives.cloud("PMC7654321", jats=articles.jats(year=2020)) | archives.cloud(
        "PMC7654321", version=2, jats=articles.jats(year=2020)
    )
    found, _, hall = await fetch(both, ARTICLE, before=CUTOFF)
    assert "/s3/PMC7654321.1/PMC7654321.1.xml" in hall.asked
    assert "/s3/PMC7654321.2/PMC7654321.2.xml" not in hall.asked
    assert found is not None


async def test_under_a_cutoff_a_text_that_says_it_is_later_is_withheld(
    fetch: Any, archives: ModuleType, articles: ModuleType
) -> None:
    answers = archives.cloud("PMC7654321", jats=articles.jats(year=2023))
    found, attempts, _ = await fetch(answers, ARTICLE, before=CUTOFF, kinds=("jats",))
    assert found is None
    assert "withheld: the text says that it is of 2023" in str(_outcomes(attempts))


async def test_under_a_cutoff_an_article_of_later_date_is_not_asked_for(
    fetch: Any, archives: ModuleType, articles: ModuleType
) -> None:
    late = replace(ARTICLE, published=PartialDate(2021, 1, 1))
    answers = archives.cloud("PMC7654321", jats=articles.jats(), pdf=articles.pdf())
    found, attempts, hall = await fetch(answers, late, before=CUTOFF)
    assert found is None
    assert all("withheld" in attempt.outcome for attempt in attempts if attempt.kind)
    assert not [path for path in hall.asked if path.endswith((".xml", ".pdf", "efetch.fcgi", "fullTextXML"))]
