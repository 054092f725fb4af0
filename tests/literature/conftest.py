"""The modules of the services, for the tests of sources, and the whole literature server."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_literature.server import create_server


@pytest.fixture(scope="session")
def arxiv_server(literature_services: ModuleType) -> ModuleType:
    """The module ``arxiv_server``: ``make_arxiv(works)`` answers as arXiv's API does."""
    return literature_services.module("arxiv_server")


@pytest.fixture(scope="session")
def crossref_server(literature_services: ModuleType) -> ModuleType:
    """The module ``crossref_server``: ``make_crossref(works)`` answers as Crossref's API does."""
    return literature_services.module("crossref_server")


@pytest.fixture(scope="session")
def semantic_scholar_server(literature_services: ModuleType) -> ModuleType:
    """The module ``semantic_scholar_server``: ``make_semantic_scholar(works)`` answers as its API does."""
    return literature_services.module("semantic_scholar_server")


@pytest.fixture(scope="session")
def openalex_server(literature_services: ModuleType) -> ModuleType:
    """The module ``openalex_server``: ``make_openalex(works)`` answers as OpenAlex's API does."""
    return literature_services.module("openalex_server")


@pytest.fixture(scope="session")
def unpaywall_server(literature_services: ModuleType) -> ModuleType:
    """The module ``unpaywall_server``: ``make_unpaywall(works)`` answers as Unpaywall's API does."""
    return literature_services.module("unpaywall_server")


@pytest.fixture(scope="session")
def europe_pmc_server(literature_services: ModuleType) -> ModuleType:
    """The module ``europe_pmc_server``: ``make_europe_pmc(works)`` answers as Europe PMC's API does."""
    return literature_services.module("europe_pmc_server")


@pytest.fixture(scope="session")
def pubmed_server(literature_services: ModuleType) -> ModuleType:
    """The module ``pubmed_server``: ``make_pubmed(works)`` answers as NCBI's E-utilities do."""
    return literature_services.module("pubmed_server")


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
