"""What every server tells a model: names, schemas and the size of its descriptions, against a snapshot.

After a change that is meant: ``python tests/contract/test_tool_schemas.py`` writes the snapshot again.
"""

import asyncio
import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from pincite_core.servers import SERVERS
from pincite_core.settings import load_settings

ROOT = Path(__file__).parents[2]
SNAPSHOT = Path(__file__).with_name("tool_schemas.json")
WRITERS = {"add_papers", "record_claim", "retract_claim", "export_claims", "run_python"}
WRITERS |= {"highlight_quote", "tag_notices"}
"""Tools that keep what they are told, write a file or run code; all others only read."""

NAMED_BY_OTHERS = {"compute", "search", "fetch"}
"""Names that are usual elsewhere: ChatGPT's connectors call the last two so."""

ALL_SET = {"vision_url": "http://127.0.0.1:9/v1", "vision_model": "m", "searxng_url": "http://127.0.0.1:9"}
"""What tools need that are not listed without it."""

MOST_DESCRIPTION_CHARS = 300
MOST_VISIBLE_CHARS = 8000
"""What a model is shown of all tools of one server: names, descriptions and input schemas, about 2,000 tokens."""


async def described(name: str) -> dict[str, Any]:
    """What the server ``name`` says of itself and of its tools."""
    server = importlib.import_module(SERVERS[name].module).create_server(load_settings().model_copy(update=ALL_SET))
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        templates = (await client.list_resource_templates()).resource_templates
        instructions = client.instructions or ""
    visible = sum(
        len(tool.name) + len(tool.description or "") + len(json.dumps(tool.input_schema, ensure_ascii=False))
        for tool in tools
    )
    return {
        "sizes": {
            "instructions": len(instructions),
            "visible_to_the_model": visible,
            "descriptions": {tool.name: len(tool.description or "") for tool in tools},
        },
        "resource_templates": sorted(template.uri_template for template in templates),
        "tools": {
            tool.name: {
                "title": tool.title,
                "read_only": tool.annotations is not None and tool.annotations.read_only_hint,
                "input": tool.input_schema,
                "output": tool.output_schema,
            }
            for tool in tools
        },
    }


def subschemas(schema: Any) -> list[dict[str, Any]]:
    """The schema and all schemas inside it."""
    if isinstance(schema, list):
        return [found for item in schema for found in subschemas(item)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(found for value in schema.values() for found in subschemas(value))]


@pytest.mark.parametrize("name", SERVERS)
async def test_the_snapshot_is_true(name: str) -> None:
    snapshot = json.loads(SNAPSHOT.read_text())
    assert set(snapshot) == set(SERVERS)
    assert await described(name) == snapshot[name], "if this is meant: python tests/contract/test_tool_schemas.py"


@pytest.mark.parametrize("name", SERVERS)
async def test_schemas_are_closed_and_inputs_flat(name: str) -> None:
    for tool, seen in (await described(name))["tools"].items():
        assert tool in NAMED_BY_OTHERS or re.fullmatch(r"[a-z]+(_[a-z]+)+", tool), "one verb and one noun"
        assert seen["title"]
        assert seen["read_only"] is (tool not in WRITERS)
        assert seen["input"]["additionalProperties"] is False
        for argument, schema in seen["input"]["properties"].items():
            single = schema["items"] if schema.get("type") == "array" else schema
            assert single.get("type") in {"string", "integer", "boolean", "number"}, f"{tool}.{argument} is not flat"
        for schema in [*subschemas(seen["input"]), *subschemas(seen["output"])]:
            assert not {"$ref", "$defs"} & set(schema)
            if schema.get("type") == "object" and "properties" in schema:
                assert schema["additionalProperties"] is False


@pytest.mark.parametrize("name", SERVERS)
async def test_descriptions_are_short(name: str) -> None:
    sizes = (await described(name))["sizes"]
    assert all(0 < size <= MOST_DESCRIPTION_CHARS for size in sizes["descriptions"].values())
    assert sizes["visible_to_the_model"] <= MOST_VISIBLE_CHARS
    assert 0 < sizes["instructions"] <= 1000


@pytest.mark.parametrize("name", SERVERS)
async def test_the_page_of_the_server_names_every_tool(name: str) -> None:
    page = (ROOT / f"docs/servers/{name}.md").read_text()
    assert re.findall(r"^### `(\w+)`$", page, re.MULTILINE) == list((await described(name))["tools"])


if __name__ == "__main__":

    async def everything() -> dict[str, Any]:
        """All servers, one after the other."""
        return {name: await described(name) for name in SERVERS}

    SNAPSHOT.write_text(json.dumps(asyncio.run(everything()), indent=1, ensure_ascii=False) + "\n")
