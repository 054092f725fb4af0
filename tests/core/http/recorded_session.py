"""A session of 100 mixed lookups at five sources: printed as it was answered, byte for byte.

``python recorded_session.py MODE STORE CACHE ADDRESS…`` prints one line a lookup; the last arguments are the sources'
addresses. With PINCITE_TEST_NO_NETWORK=1 the process ends with status 9 when it reaches for the network.
``answer`` is what the sources say.
"""

import asyncio
import base64
import gzip
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pincite_core.errors import PinciteError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.opening import open_web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings

SECRETS = ("topsecretkey4711", "reader@university.example", "headersecret0815")
ACCESS = Access(
    {"api_key": SECRETS[0], "mailto": SECRETS[1]}, {"Authorization": f"Bearer {SECRETS[2]}", "X-Tool": "pincite"}
)
POLICIES = {
    name: SourcePolicy(name, name.title(), f"https://{name}.example/api", Rate(10_000, 1.0, 64))
    for name in ("alpha", "beta", "gamma", "delta", "epsilon")
}
SLOW_SECONDS = float(os.environ.get("PINCITE_TEST_SECONDS", "1"))
_SILENCE = 10.0
_LARGE = 300_000


def answer(given: Callable[..., Any]) -> Callable[[Any], Any]:
    """What each source says, made with the server's class ``given``; every answer differs from the one before."""
    count = iter(range(1_000_000))

    def say(asked: Any) -> Any:
        kind, _, name = asked.path.rpartition("/api/")[2].partition("/")
        number = next(count)
        made = _SAYINGS.get(kind)
        return made(given, name, number, asked) if made else given("", 404)

    return say


_SAYINGS: dict[str, Callable[..., Any]] = {
    "json": lambda given, name, number, asked: given(
        {"name": name, "number": number, "params": asked.params.get("q"), "none": None},
        headers={"Content-Type": "application/json", "ETag": f'"{number}"', "Set-Cookie": "session=1"},
    ),
    "batch": lambda given, name, number, asked: given({"name": name, "number": number, "ids": asked.json()["ids"]}),
    "xml": lambda given, name, number, _: given(
        f'<?xml version="1.0" encoding="iso-8859-1"?>\n\n<a n="{number}">\n{name}: é\r\n</a>'.encode("latin-1")
    ),
    "binary": lambda given, name, number, _: given(bytes(range(256)) * 40 + b"\n\n{}\n\n" + bytes([number % 256])),
    "gzip": lambda given, name, number, _: given(
        gzip.compress(f"packed {name} {number}".encode() * 50), headers={"Content-Encoding": "gzip"}
    ),
    "moved": lambda given, name, number, _: given("", 302, {"Location": f"/api/json/{name}?q=moved"}),
    "echo": lambda given, name, number, asked: given(
        {"you": asked.params, "and": asked.headers, "number": number}, headers={"X-You": asked.params["api_key"]}
    ),
    "empty": lambda given, *_: given(b"", 204),
    "large": lambda given, *_: given(b"x" * _LARGE),
    "missing": lambda given, *_: given({"error": "no such work"}, 404),
    "bad": lambda given, *_: given("rows must be below 1000", 400),
    "keptout": lambda given, *_: given("who are you?", 403),
    "busy": lambda given, *_: given("slow down", 429, {"Retry-After": "120"}),
    "broken": lambda given, *_: given("oops", 500),
    "slow": lambda given, *_: given("{}", after=_SILENCE),
    "cut": lambda given, *_: given("1" * 5000, cut=True),
}

Ask = Callable[[Web], Any]


def lookups() -> Iterator[Ask]:
    """The 100 lookups; some are asked twice."""
    for number in range(12):
        yield _get("alpha", f"json/{number}", params=(("q", f"dopage β {number}"), ("rows", "20")))
        yield _get("beta", f"json/10.1000%2F{number}", params=(("q", ""),), headers={"Accept": "application/json"})
        yield _post("alpha", "batch/papers", {"ids": [f"W{number}", "é"], "limit": number})
    for number in range(6):
        yield _get("alpha", f"xml/{number}")
        yield _get("beta", f"binary/{number}")
        yield _get("beta", f"gzip/{number}")
        yield _get("alpha", f"moved/{number}")
        yield _get("beta", f"missing/{number}")
    for number in range(4):
        yield _get("alpha", f"json/{number}", params=(("rows", "20"), ("q", f"dopage β {number}")))
        yield _post("alpha", "batch/papers", {"limit": number, "ids": [f"W{number}", "é"]})
        yield _get("beta", f"echo/{number}", access=ACCESS)
        yield _get("beta", f"missing/expected{number}", expect=(404,))
        yield _get("beta", f"bad/{number}")
    failing = {
        "gamma": ("broken/1", "broken/2", "cut/1", "broken/1", "cut/2", "broken/3"),
        "delta": ("empty/1", "keptout/1", "busy/1", "busy/1"),
        "epsilon": ("empty/1", "slow/1", "slow/1", "slow/2"),
    }
    for source, paths in failing.items():
        for path in paths:
            yield _get(source, path)


def _get(source: str, path: str, **named: Any) -> Ask:
    return lambda web: web.get(POLICIES[source], path, **named)


def _post(source: str, path: str, body: Any) -> Ask:
    return lambda web: web.post(
        POLICIES[source], path, json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )


async def run_session(settings: Settings) -> list[str]:
    """Every lookup's answer or failure as one line; the first ten are asked side by side."""
    web, asks = open_web(settings), list(lookups())
    assert len(asks) == 100
    async with web.lifespan():
        first = await asyncio.gather(*(_told(ask, web) for ask in asks[:10]))
        return [*first, *[await _told(ask, web) for ask in asks[10:]]]


async def _told(ask: Ask, web: Web) -> str:
    try:
        said: Response = await ask(web)
    except PinciteError as error:
        more = [error.source, error.cause, error.retry_after] if isinstance(error, SourceError) else []
        return json.dumps([error.code, str(error), *more])
    content = base64.b64encode(said.content).decode()
    told = [said.status, said.url, said.request.address, dict(said.headers), content, str(said.retrieved), said.origin]
    return json.dumps(told)


def session_settings(mode: Any, store: Path, cache: Path, urls: list[str]) -> Settings:
    """Settings of a session: each source at its address."""
    return Settings(
        http_mode=mode,
        http_store=store,
        cache_dir=cache,
        source_seconds=SLOW_SECONDS,
        source_urls={name: f"{url}/api" for name, url in zip(POLICIES, urls, strict=True)},
    )


def forbid_network() -> None:
    """End the process at the first connection or resolution of a host."""

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
            print(f"{event} {arguments[1:]}", file=sys.stderr, flush=True)
            os._exit(9)

    sys.addaudithook(watch)


if __name__ == "__main__":
    if os.environ.get("PINCITE_TEST_NO_NETWORK") == "1":
        forbid_network()
    mode, store, cache, *urls = sys.argv[1:]
    print("\n".join(asyncio.run(run_session(session_settings(mode, Path(store), Path(cache), urls)))))
