"""Servers that speak the sources' languages over invented works, for the tests of sources and of the whole server."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_literature.server import create_server

Loader = Callable[[Path], ModuleType]
SERVERS = Path(__file__).with_name("sources") / "servers"


@pytest.fixture(scope="session")
def invented(module_at: Loader) -> ModuleType:
    """The module ``invented``: works that nobody wrote."""
    return module_at(SERVERS / "invented.py")


@pytest.fixture(scope="session")
def arxiv_server(source_servers: ModuleType, invented: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``arxiv_server``: ``make_arxiv(works)`` answers as arXiv's API does."""
    return module_at(SERVERS / "arxiv_server.py")


@pytest.fixture(scope="session")
def crossref_server(source_servers: ModuleType, invented: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``crossref_server``: ``make_crossref(works)`` answers as Crossref's API does."""
    return module_at(SERVERS / "crossref_server.py")


@pytest.fixture(scope="session")
def semantic_scholar_server(source_servers: ModuleType, invented: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``semantic_scholar_server``: ``make_semantic_scholar(works)`` answers as its API does."""
    return module_at(SERVERS / "semantic_scholar_server.py")


@pytest.fixture(scope="session")
def openalex_server(source_servers: ModuleType, invented: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``openalex_server``: ``make_openalex(works)`` answers as OpenAlex's API does."""
    return module_at(SERVERS / "openalex_server.py")


@pytest.fixture(scope="session")
def unpaywall_server(source_servers: ModuleType, invented: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``unpaywall_server``: ``make_unpaywall(works)`` answers as Unpaywall's API does."""
    return module_at(SERVERS / "unpaywall_server.py")


@pytest.fixture(scope="session")
def europe_pmc_server(source_servers: ModuleType, invented: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``europe_pmc_server``: ``make_europe_pmc(works)`` answers as Europe PMC's API does."""
    return module_at(SERVERS / "europe_pmc_server.py")


@pytest.fixture(scope="session")
def pubmed_server(source_servers: ModuleType, invented: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``pubmed_server``: ``make_pubmed(works)`` answers as NCBI's E-utilities do."""
    return module_at(SERVERS / "pubmed_server.py")


@pytest.fixture
def speaking(checked_calls: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """``async with speaking(settings…) as call:``: the literature server in memory. ``await call(tool, …)`` gives the
    structured content, checked against the tool's schema and its text, or as a string what a failure says."""

    @asynccontextmanager
    async def open_server(**settings: Any) -> AsyncGenerator[Callable[..., Any]]:
        made = Settings(
            **{
                "cache_dir": tmp_path / "cache",
                "papers_dir": tmp_path / "fetched",
                "roots": (tmp_path,),
                "source_seconds": 10.0,
                "source_rates": "off",
                **settings,
            }
        )
        async with checked_calls(create_server(made)) as call:
            yield call

    return open_server
