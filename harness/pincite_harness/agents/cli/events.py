"""What a CLI says about itself: events as JSON lines, and the words of its errors."""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from pincite_tasks.failure import Cause, Failure

_SHOWN = 500
"""Characters of a CLI's last words that a failure shows."""
_REFUSED = r"usage policy|unable to respond|\brefusal\b|safety|prohibited_content|content.?filter|blocked"
_EXHAUSTED = (
    r"max(imum)?[_ ]?(session )?turns|max_output_tokens|context (window|length)|prompt is too long|too many tokens"
)
_MODEL = (
    r"api.?error|\b[45]\d\d\b|overloaded|rate.?limit|quota|high demand|capacity|authenticat|connection|connect\b"
    r"|may not exist|stream|timed? ?out|terminated|fetch failed|socket|malformed|empty response"
    r"|invalid.*(response|stream|json)"
)
_KINDS = ((Cause.REFUSED, _REFUSED), (Cause.LIMIT_REACHED, _EXHAUSTED), (Cause.MODEL_FAILED, _MODEL))


def events(stdout: bytes) -> Iterator[dict[str, Any]]:
    """The JSON objects among the lines, in order."""
    for line in stdout.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            yield cast("dict[str, Any]", event)


def failure_of(agent: str, said: str) -> Failure | None:
    """The cause that an error's words tell; the agent's own failure where they tell none; None without a word."""
    words = " ".join(said.split())[-_SHOWN:]
    if not words:
        return None
    for cause, pattern in _KINDS:
        if re.search(pattern, said, re.IGNORECASE):
            return Failure(cause, f"{agent}: {words}")
    return Failure(Cause.AGENT_FAILED, f"{agent}: {words}")


def unconnected(agent: str, event: dict[str, Any]) -> Failure | None:
    """The servers that a CLI went on without, as its first event lists them (``mcp_servers``)."""
    servers = cast("list[dict[str, Any]]", event.get("mcp_servers") or [])
    lost = [
        f"{server.get('name')} ({server.get('status')})" for server in servers if server.get("status") != "connected"
    ]
    if not lost:
        return None
    return Failure(Cause.SERVER_FAILED, f"{agent} did not connect to the server {', '.join(lost)}.")
