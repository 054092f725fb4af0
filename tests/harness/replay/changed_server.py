"""The server ``demo`` after a change: other text, other structure, another image, another error, new ids."""

import base64
import os
import sys
from typing import Any

from mcp.server import MCPServer
from mcp_types import CallToolResult, ImageContent, TextContent

CHANGED = sys.argv[1] == "changed"
server = MCPServer("demo", version="8")


def _made_up() -> str:
    return "session-" + ("new" if CHANGED else "old") + str(1234)


@server.tool(structured_output=False)
def echo(text: str) -> str:
    """Say the text again."""
    if text == "fail":
        raise RuntimeError("inside")
    return (
        f"first line\nyou said {text}\nat {os.getpid()} ms" if not CHANGED else f"first line\nhe said {text}\nat 0 ms"
    )


@server.tool()
def count(text: str) -> dict[str, Any]:
    """Count letters."""
    return {"letters": len(text) + CHANGED, "more": [{"made": os.getpid()}, "same"]}


@server.tool()
def begin() -> dict[str, str]:
    """Make up an id."""
    return {"session_id": _made_up()}


@server.tool(structured_output=False)
def go_on(session: str) -> str:
    """Take the id that was made up."""
    return "known" if session == _made_up() else "unknown session"


@server.tool(structured_output=False)
def picture() -> CallToolResult:
    """Show something."""
    data = base64.b64encode(b"new picture" if CHANGED else b"old picture").decode()
    return CallToolResult(content=[ImageContent(type="image", data=data, mime_type="image/png")])


@server.tool(structured_output=False)
def flaky() -> CallToolResult:
    """Fail only when changed."""
    text = [TextContent(type="text", text="no" if CHANGED else "yes")]
    return CallToolResult(content=text, is_error=CHANGED)


if __name__ == "__main__":
    server.run("stdio")
