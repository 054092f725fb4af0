"""The provenance server in memory, over local servers that speak the sources' APIs and doi.org's."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import pytest

from pincite_core.settings import Settings
from pincite_provenance.server import create_server

NAMES = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")
LITERATURE = Path(__file__).parents[2] / "literature" / "sources" / "servers"


@pytest.fixture(scope="session")
def invented(source_servers: ModuleType, module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The module ``invented``: works that nobody wrote."""
    return module_at(LITERATURE / "invented.py")


@pytest.fixture(scope="session")
def answers(
    source_servers: ModuleType, invented: ModuleType, module_at: Callable[[Path], ModuleType]
) -> Callable[[str, Sequence[Any]], Any]:
    """What makes a source's answers over invented works."""

    def make(name: str, works: Sequence[Any]) -> Any:
        if name != "doi":
            return getattr(module_at(LITERATURE / f"{name}_server.py"), f"make_{name}")(works)
        registered = {work.doi.lower() for work in works if work.doi}

        def answer(asked: Any) -> Any:
            doi = unquote(asked.path.removeprefix("/api/handles/")).lower()
            found = doi in registered
            return source_servers.Given(
                {"responseCode": 1 if found else 100, "handle": doi}, status=200 if found else 404
            )

        return answer

    return make


@pytest.fixture
def asking(
    source_servers: ModuleType,
    answers: Callable[[str, Sequence[Any]], Any],
    checked_calls: Callable[..., Any],
    tmp_path: Path,
) -> Callable[..., Any]:
    """``async with asking(works, own=…, faults=…) as call:`` a world in which every source, and doi.org ("doi"), knows
    ``works``, or those of its name in ``own``; those in ``faults`` fail so."""

    @asynccontextmanager
    async def open_world(
        works: Sequence[Any],
        *,
        own: dict[str, Sequence[Any]] | None = None,
        faults: dict[str, str] | None = None,
        **settings: Any,
    ) -> AsyncGenerator[Callable[..., Any]]:
        speaking = {name: answers(name, (own or {}).get(name, works)) for name in (*NAMES, "doi")}
        with source_servers.serving(speaking, faults or {}) as (_, urls):
            made = Settings(
                source_urls=urls,
                cache_dir=tmp_path / "cache",
                papers_dir=tmp_path / "papers",
                ledger=tmp_path / "claims.db",
                roots=(tmp_path,),
                **{"source_seconds": source_servers.SLOW_LIMIT, "source_rates": "off", **settings},
            )
            async with checked_calls(create_server(made)) as call:
                yield call

    return open_world


@pytest.fixture
def one(invented: ModuleType) -> Any:
    """A work that every source knows."""
    return invented.known_everywhere()
