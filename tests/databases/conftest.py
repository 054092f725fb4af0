"""Databases on the loopback that speak their APIs, and the databases server in memory."""

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
from pincite_databases.server import create_server

SERVERS = Path(__file__).with_name("servers")


@pytest.fixture(scope="session")
def pubchem_server(source_servers: ModuleType) -> ModuleType:
    """The module ``pubchem_server``: ``PubChem()`` answers as PubChem does."""
    return _server("pubchem_server")


@pytest.fixture(scope="session")
def uniprot_server(source_servers: ModuleType) -> ModuleType:
    """The module ``uniprot_server``: ``UniProt()`` answers as rest.uniprot.org does."""
    return _server("uniprot_server")


@pytest.fixture(scope="session")
def trials_server(source_servers: ModuleType) -> ModuleType:
    """The module ``trials_server``: ``Trials()`` answers as ClinicalTrials.gov does."""
    return _server("trials_server")


@pytest.fixture
def asking(source_servers: ModuleType, tmp_path: Path) -> Callable[..., Any]:
    """``async with asking(uniprot=url) as call:``: the databases server in memory, its sources at these addresses.

    ``await call(tool, …)`` gives the structured content, checked against the tool's schema and its text, or as a string
    what a failure says.
    """

    @asynccontextmanager
    async def open_server(
        source_seconds: float = source_servers.SLOW_LIMIT, cache_max_bytes: int = 1 << 24, **urls: str
    ) -> AsyncGenerator[Callable[..., Any]]:
        settings = Settings(
            roots=(tmp_path,),
            cache_dir=tmp_path / "cache",
            papers_dir=tmp_path / "papers",
            source_seconds=source_seconds,
            cache_max_bytes=cache_max_bytes,
            source_rates="off",
            source_urls=urls,
        )
        async with Client(create_server(settings)) as client:
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
