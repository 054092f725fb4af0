"""The tool door with a real server behind it and real clients of both protocol eras in front."""

import asyncio
from typing import Any

import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from pincite_core.errors import UnavailableError
from pincite_doors.upstream import ServerLaunch
from pincite_tasks.family import ToolFilter

pytestmark = pytest.mark.anyio

ERAS = ["legacy", "auto"]


def text_of(result: Any) -> str:
    return "".join(part.text for part in result.content if part.type == "text")


def of_kind(wire: list[dict[str, Any]], kind: str, method: str = "tools/call") -> list[dict[str, Any]]:
    chosen = {r["seq"] for r in wire if r["kind"] == "request" and r["method"] == method}
    return [r for r in wire if r["kind"] == kind and r["seq"] in chosen]


@pytest.mark.parametrize("mode", ERAS)
async def test_forwards_and_records_what_passes(open_door: Any, mode: str) -> None:
    async with open_door() as rig, rig.client(mode=mode) as client:
        assert (client.protocol_version == "2026-07-28") is (mode == "auto")
        assert client.server_info.name == "demo"
        assert client.instructions == "Say hello first."
        tools = await client.list_tools()
        assert {"echo", "count", "picture"} <= {tool.name for tool in tools.tools}
        said = await client.call_tool("echo", {"text": "κ = 2.0 Å"})
        assert text_of(said) == "κ = 2.0 Å"
        counted = await client.call_tool("count", {"text": "abc"})
        assert counted.structured_content == {"letters": 3}
        [request, _] = of_kind(rig.wire(), "request")
        [response, _] = of_kind(rig.wire(), "response")
    assert request["params"]["arguments"] == {"text": "κ = 2.0 Å"}
    assert request["server"] == "demo"
    assert request["bytes"] > 20
    assert response["result"]["content"][0]["text"] == "κ = 2.0 Å"
    assert response["seconds"] > 0
    assert rig.door.meter.calls == 2
    asked = [record["method"] for record in rig.wire() if record["kind"] == "request"]
    opening = "initialize" if mode == "legacy" else "server/discover"
    assert asked == [opening, "tools/list", "tools/call", "tools/call"], "only what the agent itself asked"
    told = [record["method"] for record in rig.wire() if record["kind"] == "notification"]
    assert told == (["notifications/initialized"] if mode == "legacy" else [])


@pytest.mark.parametrize("mode", ERAS)
async def test_progress_reaches_the_agent_and_the_record(open_door: Any, mode: str) -> None:
    seen: list[tuple[float, str | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, message))

    async with open_door() as rig, rig.client(mode=mode) as client:
        await client.call_tool("slow", {"seconds": 0.06}, progress_callback=on_progress)
        recorded = of_kind(rig.wire(), "progress")
    assert seen == [(1, "step 1"), (2, "step 2"), (3, "step 3")]
    assert [record["message"] for record in recorded] == ["step 1", "step 2", "step 3"]


@pytest.mark.parametrize("mode", ERAS)
async def test_resources_are_forwarded(open_door: Any, mode: str) -> None:
    async with open_door() as rig, rig.client(mode=mode) as client:
        listed = await client.list_resources()
        assert [str(resource.uri) for resource in listed.resources] == ["demo://greeting"]
        read = await client.read_resource("demo://greeting")
        assert read.contents[0].text == "hello"
        with pytest.raises(MCPError):
            await client.read_resource("demo://nothing")


async def test_images_become_files(open_door: Any) -> None:
    async with open_door() as rig, rig.client() as client:
        first = await client.call_tool("picture", {})
        await client.call_tool("picture", {})
        parts = [r["result"]["content"] for r in of_kind(rig.wire(), "response")]
        files = list((rig.folder / "media").iterdir())
    assert [part.type for part in first.content] == ["text", "image"], "the agent still gets the image inline"
    assert len(files) == 1, "the same bytes are kept once"
    assert parts[0][1]["path"] == f"media/{files[0].name}"
    assert "data" not in parts[0][1]
    assert files[0].read_bytes().startswith(b"\x89PNG")
    assert files[0].suffix == ".png"


async def test_a_tools_error_stays_an_error(open_door: Any) -> None:
    async with open_door() as rig, rig.client() as client:
        result = await client.call_tool("fail", {})
        assert result.is_error
        [response] = of_kind(rig.wire(), "response")
    assert response["result"]["isError"] is True
    assert rig.door.failure is None


@pytest.mark.parametrize("token", ["wrong", "é"])
async def test_without_the_token_the_door_stays_shut(open_door: Any, token: str) -> None:
    async with open_door() as rig:
        transport = httpx2.AsyncHTTPTransport(uds=str(rig.socket))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            for headers in ({}, {"Authorization": f"Bearer {token}".encode()}, {"Authorization": rig.token}):
                answer = await http.post("/mcp/demo", json={}, headers=headers)
                assert answer.status_code == 401
                assert (await http.get("/elsewhere", headers=headers)).status_code == 401
            known = await http.get("/elsewhere", headers={"Authorization": f"Bearer {rig.token}"})
            assert known.status_code == 404
        refused = [record for record in rig.wire() if record["kind"] == "refused"]
    assert len(refused) == 6
    assert rig.door.meter.calls == 0


async def test_another_host_name_is_refused(open_door: Any) -> None:
    async with open_door() as rig:
        transport = httpx2.AsyncHTTPTransport(uds=str(rig.socket))
        headers = {"Authorization": f"Bearer {rig.token}", "Host": "evil.example"}
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as http:
            answer = await http.post("/mcp/demo", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert answer.status_code == 421


async def test_the_limit_answers_with_an_error_and_is_noted(open_door: Any) -> None:
    async with open_door(limit=2) as rig, rig.client() as client:
        assert not (await client.call_tool("echo", {"text": "1"})).is_error
        assert not (await client.call_tool("echo", {"text": "2"})).is_error
        assert not rig.door.meter.exceeded, "using the whole allowance is not going over it"
        third = await client.call_tool("echo", {"text": "3"})
        assert third.is_error
        assert "limit of 2 tool calls" in text_of(third)
        assert rig.door.meter.exceeded
        assert rig.door.meter.calls == 2
        assert (await client.list_tools()).tools, "listing is free"


async def test_reading_a_resource_counts(open_door: Any) -> None:
    async with open_door(limit=1) as rig, rig.client() as client:
        await client.read_resource("demo://greeting")
        with pytest.raises(MCPError, match="limit of 1 tool calls"):
            await client.read_resource("demo://greeting")
        assert rig.door.meter.exceeded


async def test_filters_hide_and_refuse(open_door: Any) -> None:
    filters = {"demo": ToolFilter(allow=["echo", "count"], deny=["count"])}
    async with open_door(filters=filters) as rig, rig.client() as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["echo"]
        for name in ("count", "picture"):
            refused = await client.call_tool(name, {"text": "x"})
            assert refused.is_error
            assert "not offered" in text_of(refused)
        assert rig.door.meter.calls == 0


@pytest.mark.parametrize("tools", [ToolFilter(allow=["echo", "shout"]), ToolFilter(deny=["shout"])], ids=str)
async def test_a_tool_that_the_family_names_must_be_there(open_door: Any, tools: ToolFilter) -> None:
    with pytest.raises(UnavailableError, match="no tool shout"):
        async with open_door(filters={"demo": tools}):
            pytest.fail("the door opened")


async def test_a_dead_server_is_an_error_never_an_empty_result(open_door: Any) -> None:
    async with open_door() as rig, rig.client() as client:
        died = await client.call_tool("die", {})
        assert died.is_error
        assert "outage" in text_of(died)
        await asyncio.wait_for(rig.door.failed.wait(), 5)
        assert rig.door.failure is not None
        assert "demo" in rig.door.failure
        again = await client.call_tool("echo", {"text": "still there?"})
        assert again.is_error
        with pytest.raises(MCPError):
            await client.list_tools()
        with pytest.raises(MCPError):
            await client.list_resources()


async def test_a_death_ends_the_calls_that_were_under_way(open_door: Any) -> None:
    async with open_door() as rig, rig.client() as client:
        waiting = asyncio.create_task(client.call_tool("slow", {"seconds": 60}))
        await asyncio.sleep(0.2)
        await client.call_tool("die", {})
        assert (await asyncio.wait_for(waiting, 5)).is_error


async def test_one_slow_call_does_not_hold_up_another(open_door: Any) -> None:
    async with open_door() as rig, rig.client() as client:
        slow = asyncio.create_task(client.call_tool("slow", {"seconds": 30}))
        quick = await asyncio.wait_for(client.call_tool("echo", {"text": "now"}), 10)
        assert text_of(quick) == "now"
        assert not slow.done()
        slow.cancel()


@pytest.mark.parametrize("code", ["import sys; sys.exit('no luck')", "print('not json-rpc')"])
async def test_a_server_that_does_not_start_is_an_outage(open_door: Any, demo_server: ServerLaunch, code: str) -> None:
    broken = ServerLaunch("broken", [demo_server.argv[0], "-c", code])
    with pytest.raises(UnavailableError, match="broken did not start"):
        async with open_door(launches=[demo_server, broken]):
            pytest.fail("the door opened")


async def test_the_token_reaches_no_file(open_door: Any) -> None:
    async with open_door() as rig, rig.client() as client:
        said = await client.call_tool("echo", {"text": f"my token is {rig.token}"})
        assert rig.token in text_of(said)
    files = [path for path in rig.folder.rglob("*") if path.is_file()]
    assert files
    assert all(rig.token.encode() not in path.read_bytes() for path in files)
