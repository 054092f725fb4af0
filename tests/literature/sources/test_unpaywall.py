"""Unpaywall over a server that speaks its API: open copies, DOIs it does not know, the address it wants, failures."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import SourceError
from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_literature.model import FulltextLink
from pincite_literature.sources.unpaywall import POLICY, Unpaywall

Opened = Callable[..., Any]
CONTACT = "ada@institute.example"


@pytest.fixture
def works(invented: ModuleType) -> list[Any]:
    make = invented.Invented
    return [
        make("Gaps", doi="10.1000/gaps", arxiv="2101.00001", pdf="https://press.example/gaps.pdf", licence="cc-by"),
        make("Closed gaps", doi="10.1000/closed"),
    ]


@pytest.fixture
def opened(asking: Opened, unpaywall_server: ModuleType, works: list[Any]) -> Opened:
    @asynccontextmanager
    async def open_over(answer: Any = None, **others: Any) -> AsyncGenerator[tuple[Unpaywall, Any]]:
        made = answer or unpaywall_server.make_unpaywall(works)
        async with asking(Unpaywall, made, **{"contact": CONTACT, **others}) as both:
            yield both

    return open_over


def test_its_policy() -> None:
    assert (POLICY.name, POLICY.base_url) == ("unpaywall", "https://api.unpaywall.org")


async def test_open_copies_the_best_first(opened: Opened) -> None:
    async with opened() as (unpaywall, server):
        links = await unpaywall.links("10.1000/gaps")
    assert links == (
        FulltextLink("pdf", "https://press.example/gaps.pdf", "publisher", "published", "cc-by"),
        FulltextLink("html", "https://doi.org/10.1000/gaps", "publisher", "published", "cc-by"),
        FulltextLink("pdf", "https://arxiv.org/pdf/2101.00001", "arXiv", "submitted", "cc-by"),
        FulltextLink("html", "https://arxiv.org/abs/2101.00001", "arXiv", "submitted", "cc-by"),
    )
    assert server.asked[0].path == "/v2/10.1000/gaps"
    assert server.asked[0].params == {"email": CONTACT}


async def test_closed_is_told_from_unknown(opened: Opened) -> None:
    async with opened() as (unpaywall, _):
        assert await unpaywall.links("10.1000/closed") == ()
        assert await unpaywall.links("10.1000/none") is None


async def test_a_doi_of_any_characters(opened: Opened, works: list[Any], unpaywall_server: ModuleType) -> None:
    from dataclasses import replace

    doi = "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o?#%"
    async with opened(unpaywall_server.make_unpaywall([replace(works[0], doi=doi)])) as (unpaywall, _):
        assert await unpaywall.links(doi)


async def test_without_an_address_it_says_what_to_set(opened: Opened) -> None:
    async with opened(contact="") as (unpaywall, server):
        with pytest.raises(SourceError, match="needs an e-mail address") as caught:
            await unpaywall.links("10.1000/gaps")
        assert server.asked == []
    assert "PINCITE_CONTACT" in caught.value.next
    assert caught.value.cause == "refused"


async def test_the_recorded_web_wants_no_address(
    tmp_path: Path, source_servers: ModuleType, unpaywall_server: ModuleType, works: list[Any]
) -> None:
    found: list[Any] = []
    with source_servers.SourceServer(unpaywall_server.make_unpaywall(works)) as server:
        for mode, contact in (("record", CONTACT), ("replay", ""), ("replay-or-live", "")):
            settings = Settings(
                cache_dir=tmp_path / mode,
                http_mode=mode,
                http_store=tmp_path / "store",
                contact=contact,
                source_urls={"unpaywall": server.url},
            )
            web = open_web(settings)
            async with web.lifespan():
                found.append(await Unpaywall(web, settings).links("10.1000/gaps"))
        assert len(server.asked) == 1
    assert found[0]
    assert found[1] == found[2] == found[0]


async def test_an_address_that_is_refused(opened: Opened) -> None:
    async with opened(contact="me@example.com") as (unpaywall, _):
        with pytest.raises(SourceError, match="refused access") as caught:
            await unpaywall.links("10.1000/gaps")
    assert "PINCITE_CONTACT" in caught.value.next
    assert "use your own email" in caught.value.seen
    assert "me@example.com" not in str(caught.value)


@pytest.mark.parametrize(
    ("place", "links"),
    [
        ({"url_for_pdf": None, "url": "https://hal.example/1", "host_type": "repository"}, [("html", "Unpaywall")]),
        ({"url_for_pdf": "https://hal.example/1.pdf", "host_type": "repository"}, [("pdf", "Unpaywall")]),
        ({"url_for_pdf": "https://europepmc.org/articles/pmc1?pdf=render"}, [("pdf", "Europe PMC")]),
        ({"url_for_pdf": "https://doi.org/10.1000/a", "url": "https://doi.org/10.1000/a"}, [("html", "Unpaywall")]),
        ({"url_for_pdf": "javascript:alert(1)", "url": 7, "license": {}, "version": []}, []),
        ([], []),
        (None, []),
    ],
)
async def test_places_of_every_shape(opened: Opened, place: Any, links: list[tuple[str, str]]) -> None:
    body = {"is_oa": True, "best_oa_location": place, "oa_locations": [place, None, 7]}
    async with opened(lambda _: body) as (unpaywall, _):
        found = await unpaywall.links("10.1000/a")
    assert [(link.kind, link.route) for link in found] == links


@pytest.mark.parametrize("body", [[], "null", {}, {"is_oa": "yes"}, '{"is_oa": ' * 2000 + "1" + "}" * 2000])
async def test_a_frame_that_is_wrong_is_malformed(opened: Opened, body: Any) -> None:
    async with opened(lambda _: body) as (unpaywall, _):
        with pytest.raises(SourceError, match="cannot be read"):
            await unpaywall.links("10.1000/a")


async def test_every_fault_is_told(faults: Any, unpaywall_server: ModuleType, works: list[Any]) -> None:
    answer = unpaywall_server.make_unpaywall(works)
    await faults(Unpaywall, answer, [lambda source: source.links("10.1000/gaps")], contact=CONTACT)
