"""An MCP server for tests: text, image, progress, errors, a resource and a tool that kills the process."""

import asyncio
import base64
import os
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ImageContent, TextContent
from pydantic import Field

PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
        "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    )
).decode()

_here: list[str] = []
_all_here = asyncio.Event()

server = MCPServer("demo", version="7", instructions="Say hello first.")


@server.tool(structured_output=False)
def echo(text: Annotated[str, Field(description="what to say")]) -> str:
    """Say the text again."""
    return text


@server.tool()
def count(text: str) -> dict[str, int]:
    """Count letters."""
    return {"letters": len(text)}


@server.tool(structured_output=False)
def picture() -> CallToolResult:
    """Show a pixel."""
    return CallToolResult(
        content=[
            TextContent(type="text", text="a pixel"),
            ImageContent(type="image", data=PIXEL, mime_type="image/png"),
        ]
    )


@server.tool(structured_output=False)
async def slow(ctx: Context, seconds: float) -> str:
    """Take a while and report progress."""
    for step in range(3):
        await ctx.report_progress(step + 1, 3, f"step {step + 1}")
        await asyncio.sleep(seconds / 3)
    return "done"


@server.tool(structured_output=False)
async def meet(name: str, parties: int) -> str:
    """Return when as many calls as there are parties are here at once."""
    _here.append(name)
    if len(_here) == parties:
        _all_here.set()
    await asyncio.wait_for(_all_here.wait(), 30)
    return f"{name} met {len(_here) - 1}"


@server.tool(structured_output=False)
def fail() -> str:
    """Fail."""
    raise RuntimeError("inside")


@server.tool(structured_output=False)
def die() -> str:
    """Kill this server."""
    os._exit(3)


@server.tool(structured_output=False)
def garbage(text: str) -> str:
    """Write what is no message to where messages belong, and answer."""
    os.write(1, text.encode() + b"\n")
    return "after garbage"


@server.tool(structured_output=False)
def huge(mebibytes: int) -> str:
    """Answer with very much."""
    return "x" * (mebibytes << 20)


@server.tool(structured_output=False)
def variable(name: str) -> str:
    """Tell one of this process's environment variables."""
    return f"{name}={os.environ.get(name)}"


@server.resource("demo://greeting")
def greeting() -> str:
    """A greeting."""
    return "hello"


if __name__ == "__main__":
    server.run("stdio")
