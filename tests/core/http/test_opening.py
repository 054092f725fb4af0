import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import SecretStr

from pincite_core.errors import BadInputError, NotFoundError, SourceError
from pincite_core.http.opening import open_web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings

pytestmark = pytest.mark.anyio

POLICY = SourcePolicy("library", "Library", "https://library.example", Rate(1000, 1.0, 16))
KEY, MAIL, OTHER_KEY = "topsecretkey4711/+", "reader+1@uni.example", "anothersecretkey"
ACCESS = Access({"api_key": KEY, "tool": "pincite"}, {"Authorization": "Bearer headersecret0815"})


@pytest.fixture
def server(source_servers: ModuleType) -> Iterator[Any]:
    def say(asked: Any) -> Any:
        if asked.path == "/missing":
            return source_servers.Given("", 404)
        if asked.headers.get("if-none-match") == '"1"':
            return source_servers.Given("", 304, {"ETag": '"1"'})
        body = {"you": asked.params, "sent": asked.headers, "more": [MAIL, OTHER_KEY], "tool": "pincite"}
        return source_servers.Given(body, headers={"ETag": '"1"', "X-Key": asked.params.get("api_key", "")})

    with source_servers.SourceServer(say) as made:
        yield made


def _settings(server: Any, tmp_path: Path, **fields: Any) -> Settings:
    return Settings(source_urls={"library": server.url}, cache_dir=tmp_path / "cache", source_seconds=5, **fields)


def _everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_an_answer_is_asked_for_once_and_then_revalidated(server: Any, tmp_path: Path) -> None:
    web = open_web(_settings(server, tmp_path))
    async with web.lifespan():
        first = await web.get(POLICY, "works", {"q": "a"})
        again = await web.get(POLICY, "works", {"q": "a"})
        await asyncio.sleep(0.05)
        old = await web.get(replace(POLICY, fresh_seconds=0.01), "works", {"q": "a"})
    assert [answer.origin for answer in (first, again, old)] == ["live", "cache", "revalidated"]
    assert first.content == again.content == old.content
    assert len(server.asked) == 2


@pytest.mark.parametrize("mode", ["live", "record"])
@pytest.mark.parametrize(("path", "value"), [("works", "a\ud800b"), ("works\udcff", ""), ("https://[::1/works", "")])
async def test_what_no_address_can_carry_is_bad_input(
    server: Any, tmp_path: Path, mode: Any, path: str, value: str
) -> None:
    web = open_web(_settings(server, tmp_path, http_mode=mode, http_store=tmp_path / "store"))
    async with web.lifespan():
        with pytest.raises(BadInputError):
            await web.get(POLICY, path, {"q": value})
    assert server.asked == []


async def test_twenty_who_ask_at_once_ask_once(server: Any, tmp_path: Path) -> None:
    web = open_web(_settings(server, tmp_path))
    async with web.lifespan():
        answers = await asyncio.gather(*(web.get(POLICY, "works") for _ in range(20)))
    assert len({answer.content for answer in answers}) == 1
    assert len(server.asked) == 1


async def test_what_is_not_there_is_asked_for_once(server: Any, tmp_path: Path) -> None:
    web = open_web(_settings(server, tmp_path))
    async with web.lifespan():
        for _ in range(3):
            with pytest.raises(NotFoundError):
                await web.get(POLICY, "missing")
    assert len(server.asked) == 1


@pytest.mark.parametrize("mode", ["live", "record"])
async def test_no_secret_reaches_an_answer_the_cache_or_the_record(server: Any, tmp_path: Path, mode: Any) -> None:
    settings = _settings(
        server,
        tmp_path,
        contact=MAIL,
        brave_api_key=SecretStr(OTHER_KEY),
        http_mode=mode,
        http_store=tmp_path / "store",
    )
    web = open_web(settings)
    async with web.lifespan():
        said = await web.get(POLICY, "works", access=ACCESS)
    assert server.asked[0].params["api_key"] == KEY
    assert server.asked[0].headers["authorization"] == "Bearer headersecret0815"
    await asyncio.get_running_loop().shutdown_default_executor()
    shown = said.content + repr((said.url, said.headers)).encode() + _everything(tmp_path)
    for secret in (KEY, MAIL, OTHER_KEY, "headersecret0815", "topsecretkey4711%2F%2B"):
        assert secret.encode() not in shown, secret
    assert said.json()["tool"] == "pincite"
    assert len(_everything(tmp_path)) > 200


async def test_a_record_is_complete_though_the_cache_knew(server: Any, tmp_path: Path) -> None:
    live = open_web(_settings(server, tmp_path))
    async with live.lifespan():
        known = await live.get(POLICY, "works")
    record = open_web(_settings(server, tmp_path, http_mode="record", http_store=tmp_path / "store"))
    replay_settings = _settings(server, tmp_path / "elsewhere", http_mode="replay", http_store=tmp_path / "store")
    async with record.lifespan():
        recorded = await record.get(POLICY, "works")
    server.close()
    server.close = lambda: None
    replayed = await open_web(replay_settings).get(POLICY, "works")
    assert replayed == recorded
    assert (replayed.content, replayed.retrieved) == (known.content, known.retrieved)
    assert not (tmp_path / "elsewhere").exists()


async def test_what_cannot_be_read_is_forgotten_by_cache_and_record(server: Any, tmp_path: Path) -> None:
    web = open_web(_settings(server, tmp_path, http_mode="record", http_store=tmp_path / "store"))
    async with web.lifespan():
        for _ in range(2):
            (await web.get(POLICY, "works")).malformed("no works")
    assert len(server.asked) == 2


async def test_a_replay_knows_no_cache(server: Any, tmp_path: Path) -> None:
    live = open_web(_settings(server, tmp_path))
    async with live.lifespan():
        await live.get(POLICY, "works")
    (tmp_path / "store").mkdir()
    replay = open_web(_settings(server, tmp_path, http_mode="replay", http_store=tmp_path / "store"))
    with pytest.raises(SourceError, match="does not have this request"):
        await replay.get(POLICY, "works")


@pytest.mark.parametrize("mode", ["record", "replay", "replay-or-live"])
def test_a_record_needs_a_store(tmp_path: Path, mode: Any) -> None:
    with pytest.raises(BadInputError) as raised:
        open_web(Settings(http_mode=mode, cache_dir=tmp_path))
    assert f"PINCITE_HTTP_MODE={mode}" in raised.value.what
    assert "PINCITE_HTTP_STORE" in raised.value.next


def test_a_replay_needs_a_store_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no recorded web"):
        open_web(Settings(http_mode="replay", http_store=tmp_path / "gone", cache_dir=tmp_path))
