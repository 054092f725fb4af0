"""An invented article in every format, and the archives and publishers that give it, on the loopback."""

import importlib.util
import json
import sys
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from mcp import Client

from pincite_core.settings import Settings
from pincite_documents.server import create_server as create_documents
from pincite_literature.server import create_server as create_literature
from pincite_papers.model import Paper
from pincite_papers.opening.source import parse_source


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


@dataclass
class Room:
    """The literature server and the documents server with the same settings, and the hall of archives behind them."""

    hall: Any
    settings: Settings
    literature: Any
    documents: Any
    schemas: dict[str, Any]

    async def fetch(self, id: str, **arguments: Any) -> Any:  # noqa: A002
        """What fetch_fulltext says: structured content, checked against its schema, or a failure as a string."""
        return await self._call(self.literature, "fetch_fulltext", {"id": id, **arguments})

    async def read(self, tool: str, **arguments: Any) -> Any:
        """What a tool of the documents server says."""
        return await self._call(self.documents, tool, arguments)

    async def _call(self, client: Any, tool: str, arguments: dict[str, Any]) -> Any:
        result = await client.call_tool(tool, arguments)
        text = "".join(block.text for block in result.content)
        if result.is_error:
            return text
        schema = self.schemas[tool]
        if schema is None:
            return text
        jsonschema.validate(result.structured_content, schema)
        assert json.loads(text) == result.structured_content
        return result.structured_content


@pytest.fixture
def reading_room(
    source_servers: ModuleType, literature_services: ModuleType, archives: ModuleType, tmp_path: Path
) -> Callable[..., Any]:
    """``async with reading_room(works, answers) as room``: sources that know the works, archives that give the answers.

    ``failing`` are the sources that answer with errors; other keywords are settings.
    """

    @asynccontextmanager
    async def open_room(
        works: Sequence[Any],
        answers: Mapping[str, Any],
        *,
        failing: Sequence[str] = (),
        urls: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> AsyncGenerator[Room]:
        async with AsyncExitStack() as stack:
            hall = stack.enter_context(archives.Hall(answers))
            faults = dict.fromkeys(failing, "500")
            serving = literature_services.serving(works, faults=faults, others={"europe_pmc": hall.before})
            _, served = stack.enter_context(serving)
            places = {**hall.urls, **served}
            made = Settings(
                **{
                    "cache_dir": tmp_path / "cache",
                    "papers_dir": tmp_path / "fetched",
                    "roots": (tmp_path / "roots",),
                    "parse_workers": 1,
                    "source_urls": places | dict(urls or {}),
                    "source_seconds": 10.0,
                    "http_total_seconds": 10.0,
                    "source_rates": "off",
                    "allow_private_addresses": True,
                    **settings,
                }
            )
            literature = await stack.enter_async_context(Client(create_literature(made)))
            documents = await stack.enter_async_context(Client(create_documents(made)))
            tools = [*(await literature.list_tools()).tools, *(await documents.list_tools()).tools]
            yield Room(hall, made, literature, documents, {tool.name: tool.output_schema for tool in tools})

    return open_room


def _beside(name: str) -> ModuleType:
    if name not in sys.modules:
        place = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
        assert place is not None
        assert place.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(place)
        place.loader.exec_module(sys.modules[name])
    return sys.modules[name]
