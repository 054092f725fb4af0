"""Servers that speak the sources' languages over invented works, for the tests of sources and of the whole server."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

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


def _server(name: str) -> ModuleType:
    if name not in sys.modules:
        place = importlib.util.spec_from_file_location(name, SERVERS / f"{name}.py")
        assert place is not None
        assert place.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(place)
        place.loader.exec_module(sys.modules[name])
    return sys.modules[name]
