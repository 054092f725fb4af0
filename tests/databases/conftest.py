"""Databases on the loopback that speak their APIs, and the databases server in memory."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_databases.server import create_server

Loader = Callable[[Path], ModuleType]
SERVERS = Path(__file__).with_name("servers")


@pytest.fixture(scope="session")
def pubchem_server(source_servers: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``pubchem_server``: ``PubChem()`` answers as PubChem does."""
    return module_at(SERVERS / "pubchem_server.py")


@pytest.fixture(scope="session")
def uniprot_server(source_servers: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``uniprot_server``: ``UniProt()`` answers as rest.uniprot.org does."""
    return module_at(SERVERS / "uniprot_server.py")


@pytest.fixture(scope="session")
def trials_server(source_servers: ModuleType, module_at: Loader) -> ModuleType:
    """The module ``trials_server``: ``Trials()`` answers as ClinicalTrials.gov does."""
    return module_at(SERVERS / "trials_server.py")


@pytest.fixture
def asking(source_servers: ModuleType, checked_calls: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """``async with asking(uniprot=url) as call:``: the databases server in memory, its sources at these addresses.

    ``await call(tool, …)`` gives the structured content, checked against the tool's schema and its text, or as a string
    what a failure says.
    """

    @asynccontextmanager
    async def open_server(
        source_seconds: float = source_servers.patience(), cache_max_bytes: int = 1 << 24, **urls: str
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
        async with checked_calls(create_server(settings)) as call:
            yield call

    return open_server
