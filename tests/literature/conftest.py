"""Servers that speak the sources' languages over invented works, for the tests of sources and of the whole server."""

import importlib.util
import json
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from mcp import Client

from pincite_core.settings import Settings
from pincite_literature.server import create_server

SERVERS = Path(__file__).with_name("sources") / "servers"


@pytest.fixture(scope="session")
def invented() -> ModuleType:
    """The module ``invented``: works that nobody wrote."""
    return _server("invented")


@pytest.fixture(scope="session")
def arxiv_server(source_servers: ModuleType, invented: ModuleType) -> ModuleType:
    """The module ``arxiv_server``: ``make_arxiv(works)`` answers as arXiv's API does."""
    return _server("arxiv_server")


@pytest.fixture(scope="session")
def crossref_server(source_servers: ModuleType, invented: ModuleType) -> ModuleType:
    """The module ``crossref_server``: ``make_crossref(works)`` answers as Crossref's API does."""
    return _server("crossref_server")


@pytest.fixture(scope="session")
def semantic_scholar_server(source_servers: ModuleType, invented: ModuleType) -> ModuleType:
    """The module ``semantic_scholar_server``: ``make_semantic_scholar(works)`` answers as its API does."""
    return _server("semantic_scholar_server")


@pytest.fixture(scope="session")
def openalex_server(source_servers: ModuleType, invented: ModuleType) -> ModuleType:
    """The module ``openalex_server``: ``make_openalex(works)`` answers as OpenAlex's API does."""
    return _server("openalex_server")


@pytest.fixture(scope="session")
def unpaywall_server(source_servers: ModuleType, invented: ModuleType) -> ModuleType:
    """The module ``unpaywall_server``: ``make_unpaywall(works)`` answers as Unpaywall's API does."""
    return _server("unpaywall_server")


@pytest.fixture(scope="session")
def europe_pmc_server(source_servers: ModuleType, invented: ModuleType) -> ModuleType:
    """The module ``europe_pmc_server``: ``make_europe_pmc(works)`` answers as Europe PMC's API does."""
    return _server("europe_pmc_server")


@pytest.fixture(scope="session")
def pubmed_server(source_servers: ModuleType, invented: ModuleType) -> ModuleType:
    """The module ``pubmed_server``: ``make_pubmed(works)`` answers as NCBI's E-utilities do."""
    return _server("pubmed_server")


@pytest.fixture
def speaking(tmp_path: Path) -> Callable[..., Any]:
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
        async with Client(create_server(made)) as client:
            schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}

            async def call(tool: str, **arguments: Any) -> Any:
                result = await client.call_tool(tool, arguments)
                text = "".join(block.text for block in result.content)
                if result.is_error:
                    assert result.structured_content is None
                    return text
                jsonschema.validate(result.structured_content, schemas[tool])
                assert json.loads(text) == result.structured_content
                return result.structured_content

            yield call

    return open_server


def _server(name: str) -> ModuleType:
    if name not in sys.modules:
        place = importlib.util.spec_from_file_location(name, SERVERS / f"{name}.py")
        assert place is not None
        assert place.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(place)
        place.loader.exec_module(sys.modules[name])
    return sys.modules[name]
