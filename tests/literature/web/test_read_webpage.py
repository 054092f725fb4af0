"""read_webpage over sites of the loopback that stand in for the web."""

from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mcp import Client

from pincite_core.settings import Settings
from pincite_literature.server import create_server

SENTENCE = "The sheet gives a melting point of 1,203 K and a density of 8.1 g/cm3. "
PAGE = f"""<!doctype html><html><head><title>Alloy 7 - Made-up Metals</title>
<script>var tracked = "never shown";</script></head><body>
<nav><a href="/">Home</a> <a href="/buy">Buy now</a></nav>
<main><h1>Alloy 7</h1><p>{SENTENCE * 3}</p><h2>Handling</h2><p>{"Keep it dry. " * 30}</p></main>
<footer>Imprint of Made-up Metals</footer></body></html>"""
WITHHELD = PAGE.replace("Alloy 7", "Slow herring larvae of a northern fjord in early winter")


@pytest.fixture
def site(source_servers: ModuleType) -> Callable[[Any], Any]:
    """The web: pages by path below /HOST, 404 for all else."""

    def answer(asked: Any) -> Any:
        given = source_servers.Given
        html = {"Content-Type": "text/html; charset=utf-8"}
        pages = {
            "/metals.example/alloy": given(PAGE, headers=html),
            "/metals.example/plain": given("Only text.\n" * 3, headers={"Content-Type": "text/plain"}),
            "/metals.example/picture": given(b"\x89PNG", headers={"Content-Type": "image/png"}),
            "/metals.example/herring": given(WITHHELD, headers=html),
            "/metals.example/robot": given("<title>Just a moment...</title><body>Verify you are human", headers=html),
            "/closed.example/robots.txt": given("User-agent: *\nDisallow: /secret/\n"),
            "/closed.example/open": given(PAGE, headers=html),
            "/closed.example/secret/alloy": given(PAGE, headers=html),
            "/broken.example/robots.txt": given("", 503),
            "/broken.example/alloy": given(PAGE, headers=html),
        }
        return pages.get(asked.path, given("nothing here", 404))

    return answer


@asynccontextmanager
async def reading(tmp_path: Path, **settings: Any) -> Any:
    """``await read(url, …)``: whether it failed, and the text."""
    made = Settings(roots=(tmp_path,), cache_dir=tmp_path / "cache", source_rates="off", **settings)
    async with Client(create_server(made)) as client:

        async def read(url: str, **arguments: Any) -> tuple[bool, str]:
            result = await client.call_tool("read_webpage", {"url": url, **arguments})
            return bool(result.is_error), result.content[0].text

        yield read


async def test_the_main_text_is_read_with_its_headings(site: Any, source_servers: ModuleType, tmp_path: Path) -> None:
    with source_servers.SourceServer(site) as server:
        async with reading(tmp_path, stand_in=server.url) as read:
            failed, text = await read("https://metals.example/alloy")
            assert not failed
            head, _, body = text.partition("\n\n")
            assert head.startswith("Alloy 7") and "\nhttps://metals.example/alloy, retrieved 20" in head
            assert "# Alloy 7" in body or body.startswith("Alloy 7")
            assert "## Handling" in body and SENTENCE.strip() in body
            assert not [words for words in ("never shown", "Buy now", "Imprint") if words in text]
            _, first = await read("https://metals.example/alloy", max_chars=500)
            cursor = first.rpartition("cursor=")[2].rstrip("]")
            _, second = await read("https://metals.example/alloy", max_chars=500, cursor=cursor)
            pages = [part.partition("\n\n")[2] for part in (first, second)]
            assert pages[0].rpartition("\n\n[")[0] + pages[1] == body
            assert "Only text." in (await read("https://metals.example/plain"))[1]
            assert not (await read("https://closed.example/open"))[0]


async def test_what_may_not_be_read_is_refused(site: Any, source_servers: ModuleType, tmp_path: Path) -> None:
    refused = {
        "https://closed.example/secret/alloy": "does not let programs read",
        "https://broken.example/alloy": "broken.example",
        "https://metals.example/picture": "image/png",
        "https://metals.example/robot": "check for robots",
        "https://metals.example/none": "",
        "https://metals.example/herring": "withheld",
        "https://doi.org/10.5555/withheld.1": "withheld",
        "file:///etc/passwd": "may not be fetched",
        "ftp://metals.example/alloy": "may not be fetched",
        "https://user:word@metals.example/alloy": "user name or password",
        "/etc/passwd": "may not be fetched",
    }
    hidden = ("Slow herring larvae of a northern fjord in early winter", "10.5555/withheld.1")
    with source_servers.SourceServer(site) as server:
        async with reading(tmp_path, stand_in=server.url, withheld=hidden) as read:
            for url, expected in refused.items():
                failed, text = await read(url)
                assert failed and expected in text, f"{url}: {text}"
                assert "melting point" not in text and "Traceback" not in text
        async with reading(tmp_path, stand_in=server.url, before="2020-01-01") as read:
            failed, text = await read("https://metals.example/alloy")
            assert failed and "cutoff 2020-01-01" in text


async def test_redirects_are_checked(source_servers: ModuleType, tmp_path: Path) -> None:
    def answer(asked: Any) -> Any:
        pages = {
            "/robots.txt": source_servers.Given("User-agent: pincite\nDisallow: /secret/\n"),
            "/alloy": source_servers.Given(PAGE, headers={"Content-Type": "text/html"}),
            "/secret/alloy": source_servers.Given(PAGE, headers={"Content-Type": "text/html"}),
            "/moved": source_servers.Given("", 302, {"Location": "/alloy"}),
            "/closing": source_servers.Given("", 302, {"Location": "/secret/alloy"}),
            "/leaving": source_servers.Given("", 302, {"Location": "file:///etc/passwd"}),
            "/circling": source_servers.Given("", 302, {"Location": "/circling"}),
        }
        return pages.get(asked.path, source_servers.Given("", 404))

    with source_servers.SourceServer(answer) as server:
        async with reading(tmp_path, allow_private_addresses=True) as read:
            failed, text = await read(f"{server.url}/moved")
            assert not failed and text.splitlines()[1].startswith(f"{server.url}/alloy, retrieved")
            for path in ("/secret/alloy", "/closing", "/leaving", "/circling"):
                failed, text = await read(f"{server.url}{path}")
                assert failed and "melting point" not in text, f"{path}: {text}"


async def test_private_addresses_are_never_asked(site: Any, source_servers: ModuleType, tmp_path: Path) -> None:
    with source_servers.SourceServer(site) as server:
        port = server.url.rpartition(":")[2]
        async with reading(tmp_path) as read:
            for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"):
                failed, text = await read(f"http://{host}:{port}/metals.example/alloy")
                assert failed, f"{host}: {text}"
            for address in ("169.254.169.254/latest/meta-data", "10.0.0.1/", "192.168.1.1/", "[fd00::1]/"):
                assert (await read(f"http://{address}"))[0], address
        assert server.asked == []


async def test_a_page_is_recorded_and_replayed(site: Any, source_servers: ModuleType, tmp_path: Path) -> None:
    url = "https://metals.example/alloy"
    with source_servers.SourceServer(site) as server:
        async with reading(
            tmp_path / "a", stand_in=server.url, http_mode="record", http_store=tmp_path / "web"
        ) as read:
            _, recorded = await read(url)
    async with reading(tmp_path / "b", http_mode="replay", http_store=tmp_path / "web") as read:
        failed, replayed = await read(url)
        assert not failed and replayed == recorded
        assert (await read("https://metals.example/plain"))[0]
