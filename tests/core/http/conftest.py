"""Servers of exact words, and the live web asked without a server around it."""

import importlib.util
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.http.exchange import Request, Response
from pincite_core.http.live import Live
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.settings import Settings


@pytest.fixture(scope="session")
def raw() -> ModuleType:
    """The module ``raw_server``."""
    if "raw_server" not in sys.modules:
        place = importlib.util.spec_from_file_location("raw_server", Path(__file__).with_name("raw_server.py"))
        assert place is not None
        assert place.loader is not None
        sys.modules["raw_server"] = importlib.util.module_from_spec(place)
        place.loader.exec_module(sys.modules["raw_server"])
    return sys.modules["raw_server"]


class Source:
    """A source at ``url`` that the tests configure, and how it is asked."""

    def __init__(self, folder: Path, url: str, settings: dict[str, Any], policy: dict[str, Any], lookup: Any) -> None:
        self.settings = Settings(
            **({"cache_dir": folder, "source_seconds": 5.0, "source_urls": {"source": url}} | settings)
        )
        self.url = self.settings.source_urls.get("source", url)
        made: dict[str, Any] = {"name": "source", "title": "Source", "base_url": url, "rate": Rate(100, 1.0)} | policy
        self.policy = SourcePolicy(**made)
        self.live = Live(self.settings, **({"lookup": lookup} if lookup else {}))

    async def get(self, path: str = "/works", **asked: Any) -> Response:
        """The answer to a GET of ``path`` (or a whole address)."""
        return await self.ask("GET", path, **asked)

    async def ask(self, method: Any, path: str, **asked: Any) -> Response:
        url = path if "://" in path else self.url + path
        whole: dict[str, Any] = {"most_bytes": 1 << 20, "seconds": self.settings.source_seconds} | asked
        return await self.live.answer(Request(self.policy, method, url, **whole))


@pytest.fixture
async def source(tmp_path: Path) -> AsyncIterator[Callable[..., Source]]:
    """Makes a Source at an address: ``source(url, policy={…}, lookup=…, **settings)``."""
    made: list[Source] = []

    def make(url: str, *, policy: dict[str, Any] | None = None, lookup: Any = None, **settings: Any) -> Source:
        made.append(Source(tmp_path, url, settings, policy or {}, lookup))
        return made[-1]

    yield make
    for each in made:
        await each.live.aclose()
