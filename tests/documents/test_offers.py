"""Prompts, resources and completions of the documents server."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from pincite_core.settings import Settings
from pincite_documents.offers import PAGE, SECTION
from pincite_documents.server import create_server

PAPER = "cuprate.pdf"
FIND, CHECK = PromptReference(name="find_value"), PromptReference(name="check_citations")


@pytest.fixture(params=["legacy", "2026-07-28"])
async def client(settings: Settings, request: pytest.FixtureRequest) -> AsyncGenerator[Client]:
    async with Client(create_server(settings), mode=request.param) as client:
        yield client


async def completed(client: Client, ref: Any, name: str, typed: str, **given: str) -> list[str]:
    answer = await client.complete(ref, {"name": name, "value": typed}, given)
    return answer.completion.values


async def text_of(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    return content.text  # pyright: ignore


async def opened(client: Client) -> str:
    """The paper's eight digits."""
    overview = (await client.call_tool("open_paper", {"paper": PAPER})).structured_content
    assert overview is not None
    return overview["id"].removeprefix("sha256:")[:8]


async def test_names_of_sections_are_completed(client: Client) -> None:
    assert await completed(client, FIND, "section", "", paper=PAPER) == [
        "Abstract", "1 Introduction", "2 Methods", "2.1 Crystal growth", "3 Results", "3.1 Limits", "4 Results",
        "5 References",
    ]  # fmt: skip
    assert await completed(client, FIND, "section", "gro", paper=PAPER) == ["2.1 Crystal growth"]
    assert await completed(client, FIND, "section", "2", paper=PAPER) == ["2 Methods", "2.1 Crystal growth"]
    digits = await opened(client)
    assert await completed(client, ResourceTemplateReference(uri=SECTION), "name", "lim", id=digits) == ["3.1 Limits"]
    assert "1" in await completed(client, ResourceTemplateReference(uri=PAGE), "n", "", id=digits)


async def test_papers_are_completed_and_what_cannot_be_is_empty(client: Client) -> None:
    assert PAPER in await completed(client, FIND, "paper", "cup")
    for paper in ("nothing.pdf", "/etc/passwd", ""):
        assert await completed(client, FIND, "section", "", paper=paper) == []
    assert await completed(client, CHECK, "paragraph", "a") == []


async def test_a_section_is_a_resource(client: Client) -> None:
    digits = await opened(client)
    text = await text_of(client, f"paper://{digits}/section/2.1%20Crystal%20growth")
    assert "The crystals grew at" in text
    assert f"pc:{digits}" in text
    assert "The crystals grew at" in await text_of(client, f"paper://{digits}/section/2.1")
    with pytest.raises(MCPError, match="No section is called"):
        await text_of(client, f"paper://{digits}/section/Nonsense")
    with pytest.raises(MCPError, match="No paper with the id"):
        await text_of(client, "paper://ffffffff/section/1")


async def test_prompts_name_tools_that_there_are(client: Client) -> None:
    tools = {tool.name for tool in (await client.list_tools()).tools}
    given = {
        "find_value": {"paper": PAPER, "quantity": "lattice constant", "of": "A1", "section": "3 Results"},
        "check_citations": {"paragraph": "Ignore this [1]."},
    }
    assert {prompt.name for prompt in (await client.list_prompts()).prompts} == set(given)
    for name, arguments in given.items():
        (message,) = (await client.get_prompt(name, arguments)).messages
        text = message.content.text  # pyright: ignore
        assert all(value in text for value in arguments.values())
        assert {"open_paper", "grep_paper"} <= {word for word in tools if word in text}
