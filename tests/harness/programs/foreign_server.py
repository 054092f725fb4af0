"""Somebody else's MCP server, for tests: ``foreign_server.py [TOOLS] [VERSION]`` over stdio."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
COUNT = int(sys.argv[1]) if sys.argv[1:] else 1
VERSION = sys.argv[2] if sys.argv[2:] else "1.0"
ANY = {"type": "object", "properties": {"text": {"type": "string"}}}
NAMES = ["variable", "where", "shape", "spawn", "sleep", "die", *(f"extra_{number}" for number in range(COUNT))]


async def list_tools(_: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    """Fifty tools a page."""
    start = int(params.cursor) if params is not None and params.cursor else 0
    tools = [types.Tool(name=name, description=f"Does {name}.", input_schema=ANY) for name in NAMES[start : start + 50]]
    more = str(start + 50) if start + 50 < len(NAMES) else None
    return types.ListToolsResult(tools=tools, next_cursor=more)


async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """What each tool does is its name."""
    text = str((params.arguments or {}).get("text", ""))
    said, structured = text, None
    pictures: list[types.ContentBlock] = []
    if params.name == "variable":
        said = f"{text}={os.environ.get(text)}"
        print(f"asked for {said}", file=sys.stderr, flush=True)
    elif params.name == "where":
        said = f"{Path.cwd()} {sorted(path.name for path in Path().iterdir())}"
    elif params.name == "shape":
        structured = {"atoms": 3}
        pictures = [types.ImageContent(type="image", data=PIXEL, mime_type="image/png")]
    elif params.name == "spawn":
        child = [sys.executable, "-c", "import time; time.sleep(100)"]
        said = str(subprocess.Popen(child, start_new_session=True, stdin=subprocess.DEVNULL).pid)
    elif params.name == "sleep":
        time.sleep(float(text))
    elif params.name == "die":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=said), *pictures], structured_content=structured
    )


async def main() -> None:
    """Serve until stdin ends."""
    server: Server[Any] = Server("foreign", version=VERSION, on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
