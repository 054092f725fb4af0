"""The whole literature server over local servers that speak the six sources' APIs."""

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from mcp import Client

from pincite_core.settings import Settings
from pincite_literature.server import create_server


@dataclass
class World:
    """The sources as servers, and how to speak to the literature server that asks them."""

    settings: Settings
    servers: dict[str, Any] = field(default_factory=dict)
    client: Any = None
    schemas: dict[str, Any] = field(default_factory=dict)

    async def call(self, tool: str, **arguments: Any) -> Any:
        """The structured content of a call that must succeed, checked against the tool's schema and its text."""
        result = await self.client.call_tool(tool, arguments)
        text = "".join(block.text for block in result.content)
        assert not result.is_error, text
        jsonschema.validate(result.structured_content, self.schemas[tool])
        assert json.loads(text) == result.structured_content
        return result.structured_content

    async def fails(self, tool: str, **arguments: Any) -> str:
        """What a call that must fail says."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result.structured_content
        assert result.structured_content is None
        return "".join(block.text for block in result.content)

    def asked(self, name: str) -> list[Any]:
        """What a source was asked."""
        return self.servers[name].asked


@pytest.fixture
def world(source_servers: ModuleType, literature_services: ModuleType, tmp_path: Path) -> Callable[..., Any]:
    """Opens a world in which every source knows ``works``, or those of its name in ``own``; ``dead`` are not there and
    ``faults`` (of FAULTS, by source) fail."""

    @asynccontextmanager
    async def open_world(
        works: Sequence[Any],
        *,
        own: dict[str, Sequence[Any]] | None = None,
        faults: dict[str, str] | None = None,
        **settings: Any,
    ) -> AsyncGenerator[World]:
        with literature_services.serving(works, own=own, faults=faults) as (servers, urls):
            seconds = source_servers.patience(*(faults or {}).values())
            made = Settings(
                source_urls=urls,
                cache_dir=tmp_path / "cache",
                papers_dir=tmp_path / "papers",
                roots=(tmp_path,),
                **{"source_seconds": seconds, "source_rates": "off", **settings},
            )
            there = World(made, servers)
            async with Client(create_server(made)) as client:
                there.client = client
                there.schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
                yield there

    return open_world


@pytest.fixture
def one(invented: ModuleType) -> Any:
    """A work that every source knows."""
    return invented.known_everywhere()


@pytest.fixture
async def tools(tmp_path: Path) -> set[str]:
    """The names of the server's tools."""
    async with Client(create_server(Settings(cache_dir=tmp_path, roots=(tmp_path,)))) as client:
        return {tool.name for tool in (await client.list_tools()).tools}
