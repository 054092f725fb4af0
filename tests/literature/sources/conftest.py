"""A source over a server of the tests, and its failures."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import SourceError
from pincite_core.http.client import Web
from pincite_core.http.opening import open_web
from pincite_core.http.policy import Rate
from pincite_core.settings import Settings

_NAMES = {"EuropePmc": "europe_pmc", "SemanticScholar": "semantic_scholar"}


@pytest.fixture
def asking(source_servers: ModuleType, tmp_path: Path) -> Callable[..., Any]:
    """``async with asking(Class, answer) as (source, server)``: the source over a server that answers so.

    Its rate is no limit there; ``place`` is another address, ``unhurried`` keeps the source's own rate, ``cached``
    stands the cache before it, other keywords are settings.
    """

    @asynccontextmanager
    async def ask(
        made: Any, answer: Any, *, place: str = "", unhurried: bool = False, cached: bool = False, **others: Any
    ) -> AsyncGenerator[tuple[Any, Any]]:
        name = _NAMES.get(made.__name__, made.__name__.lower())
        with source_servers.SourceServer(_given(source_servers, answer)) as server:
            settings = Settings(
                **{
                    "cache_dir": tmp_path / "cache",
                    "papers_dir": tmp_path / "papers",
                    "source_seconds": source_servers.patience(),
                    "source_urls": {name: place or server.url},
                    **others,
                }
            )
            web = open_web(settings) if cached else Web(settings)
            async with web.lifespan():
                source = made(web, settings)
                if not unhurried:
                    source.policy = replace(source.policy, rate=Rate(1000, 1.0, 8))
                yield source, server

    return ask


@pytest.fixture
def faults(asking: Callable[..., Any], source_servers: ModuleType, tmp_path: Path) -> Callable[..., Awaitable[None]]:
    """Checks that a source tells each of FAULTS in its own words, in every one of the questions."""

    async def check(
        made: Any, answer: Any, questions: Sequence[Callable[[Any], Awaitable[Any]]], **others: Any
    ) -> None:
        few = asyncio.Semaphore(12)  # More servers at once are themselves too slow on a busy machine.

        async def told(name: str, number: int) -> None:
            fault, cache = source_servers.FAULTS[name], tmp_path / f"{name}{number}"
            place = f"http://127.0.0.1:{source_servers.closed_port()}" if fault.given is None else ""
            limit = {"source_seconds": source_servers.patience(name)}
            async with few, asking(made, answer, place=place, cache_dir=cache, **limit, **others) as (source, server):
                server.fault = fault
                with pytest.raises(SourceError) as caught:
                    await questions[number](source)
            assert fault.says in caught.value.what, name
            assert caught.value.source == source.policy.name
            assert source.policy.title in caught.value.what

        names = [(name, number) for name in source_servers.FAULTS for number in range(len(questions))]
        await asyncio.gather(*(told(*one) for one in names))

    return check


def _given(source_servers: ModuleType, answer: Any) -> Any:
    """The answer as a ``Given``, where the function gives a body alone."""

    def give(asked: Any) -> Any:
        said = answer(asked)
        return said if isinstance(said, source_servers.Given) else source_servers.Given(said)

    return give
