"""An invented article in every format, and the archives and publishers that give it, on the loopback."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from pincite_papers.model import Paper
from pincite_papers.source import parse_source


@pytest.fixture(scope="session")
def articles() -> ModuleType:
    """The module ``articles``: one invented article as arXiv, PMC and publishers give it."""
    return _beside("articles")


@pytest.fixture(scope="session")
def archives(source_servers: ModuleType, articles: ModuleType) -> ModuleType:
    """The module ``archives``: ``Hall``, which answers as arXiv's files, PMC, Europe PMC and a publisher do."""
    return _beside("archives")


@pytest.fixture(scope="session")
def read() -> Callable[[bytes], Paper]:
    """The Paper of a source's bytes."""
    return lambda data: parse_source(data, max_pages=20)


def _beside(name: str) -> ModuleType:
    if name not in sys.modules:
        place = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
        assert place is not None
        assert place.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(place)
        place.loader.exec_module(sys.modules[name])
    return sys.modules[name]
