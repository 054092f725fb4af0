import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core import errors
from pincite_core.http.client import Web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings

POLICY = SourcePolicy("source", "Source", "https://api.example.org/v1/", Rate(100, 1.0))


@pytest.fixture
def server(source_servers: ModuleType) -> Iterator[Any]:
    with source_servers.SourceServer(lambda _asked: source_servers.Given("yes")) as made:
        yield made


def _web(server: Any, folder: Path, **settings: Any) -> Web:
    return Web(Settings(cache_dir=folder, source_urls={"source": f"{server.url}/v1"}, **settings))


@pytest.mark.parametrize("path", ["works", "/works", "works/https://doi.org/10.1/x", "works/10.1000/a%2Fb", ""])
async def test_a_path_is_below_the_source(server: Any, tmp_path: Path, path: str) -> None:
    web = _web(server, tmp_path)
    async with web.lifespan():
        await web.get(POLICY, path, {"q": "tin"})
    assert [(asked.path, asked.params) for asked in server.asked] == [(f"/v1/{path.lstrip('/')}", {"q": "tin"})]


async def test_an_absolute_address_is_taken_as_it_is(server: Any, tmp_path: Path) -> None:
    web = _web(server, tmp_path)
    async with web.lifespan():
        await web.get(POLICY, f"{server.url}/elsewhere?a=1", {"q": "tin"}, access=Access(params={"key": "k"}))
    (asked,) = server.asked
    assert (asked.path, asked.params) == ("/elsewhere", {"a": "1", "q": "tin", "key": "k"})


async def test_a_post_is_a_lookup_like_another(server: Any, tmp_path: Path) -> None:
    web = _web(server, tmp_path)
    async with web.lifespan():
        answer = await web.post(POLICY, "batch", b'{"ids": []}', headers={"Content-Type": "application/json"})
    assert answer.content == b"yes"
    (asked,) = server.asked
    assert (asked.method, asked.json(), asked.headers["content-type"]) == ("POST", {"ids": []}, "application/json")


async def test_the_time_of_a_lookup_is_that_of_the_settings_unless_said(
    source_servers: ModuleType, server: Any, tmp_path: Path
) -> None:
    server.fault = source_servers.FAULTS["slow"]
    web = _web(server, tmp_path, source_seconds=0.2)
    async with web.lifespan():
        for said, seconds in ((None, "0.2"), (0.1, "0.1")):
            with pytest.raises(errors.SourceError) as caught:
                await web.get(POLICY, "works", seconds=said)
            assert caught.value.what == f"Source did not answer in {seconds} s."


async def test_a_web_works_again_after_its_lifespan(server: Any, tmp_path: Path) -> None:
    web = _web(server, tmp_path)
    for _ in range(2):
        async with web.lifespan():
            assert (await web.get(POLICY, "works")).content == b"yes"


def test_nothing_heavy_is_loaded_before_the_first_lookup() -> None:
    code = "import sys, pincite_core.http.opening; print({'httpx', 'httpcore'} & {*sys.modules})"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "set()\n"
