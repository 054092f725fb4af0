"""What every server offers beside tools: announced where there is something behind it, and working."""

import importlib
from typing import Any

import pytest
from mcp import Client

from pincite_core.servers import SERVERS

OFFERS = {
    "documents": {"tools", "resources", "prompts", "completions"},
    "figures": {"tools", "resources", "completions"},
    "library": {"tools", "prompts"},
    "provenance": {"tools", "resources"},
}
"""What servers announce; those that are not named have tools alone."""


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_servers_announce_what_they_have_and_nothing_else(mode: str) -> None:
    wrong: list[str] = []
    for name, entry in SERVERS.items():
        async with Client(importlib.import_module(entry.module).create_server(), mode=mode) as client:
            told = client.server_capabilities.model_dump(exclude_none=True)
            told.pop("extensions", None)
            announced = set(told)
            if announced != OFFERS.get(name, {"tools"}):
                wrong.append(f"{name} announces {sorted(announced)}")
            wrong += [f"{name}: {what}" for what in changing(told)]
            behind = await counted(client, announced)
            wrong += [f"{name} has no {what}" for what, count in behind.items() if not count]
    assert not wrong


def changing(told: dict[str, Any]) -> list[str]:
    """What is said to change, which nothing does."""
    return [f"{name} {flag}" for name, part in told.items() for flag, value in part.items() if value]


async def counted(client: Client, announced: set[str]) -> dict[str, int]:
    found = {"tools": len((await client.list_tools()).tools)}
    if "prompts" in announced:
        found["prompts"] = len((await client.list_prompts()).prompts)
    if "resources" in announced:
        found["resources"] = len((await client.list_resource_templates()).resource_templates)
    return found
