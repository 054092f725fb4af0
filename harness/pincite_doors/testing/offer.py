"""Finding the client's tool that a script means: each client has its own names for the same MCP tool and its shell."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite_core.errors import NotFoundError
from pincite_doors.testing.request import OfferedTool
from pincite_doors.testing.script import Call, Shell

_SHELLS = (
    "Bash",
    "run_shell_command",
    "exec_command",
    "shell_command",
    "shell",
    "local_shell",
    "bash",
    "container.exec",
)
_DESCRIPTION = "Run what the script says"


@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A call as the client will carry it out. ``text`` is the input of a tool that takes text."""

    name: str
    arguments: Mapping[str, Any]
    namespace: str = ""
    text: str | None = None


def resolve(piece: Call | Shell, tools: Sequence[OfferedTool]) -> ResolvedCall:
    """The call of the one offered tool that ``piece`` means; NotFoundError with the names offered."""
    return _resolve_shell(piece, tools) if isinstance(piece, Shell) else _resolve_call(piece, tools)


def _resolve_call(piece: Call, tools: Sequence[OfferedTool]) -> ResolvedCall:
    """First the tool of that very name (or that server's), then one whose name ends so."""
    if piece.unknown:
        return ResolvedCall(piece.tool, piece.arguments)
    flat = {_flat(f"{tool.namespace}_{tool.name}"): tool for tool in tools}
    wanted = _flat(piece.tool)
    own = wanted if "." not in piece.tool else _flat(piece.tool.rpartition(".")[2])
    tool = flat.get(wanted) or flat.get(f"mcp_{wanted}") or flat.get(own)
    if tool is None and own == wanted:
        tool = next((tool for name, tool in flat.items() if name.endswith(f"_{own}")), None)
    if tool is None:
        raise _missing(piece.tool, tools)
    text = str(piece.arguments.get("input", "")) if tool.freeform else None
    return ResolvedCall(tool.name, piece.arguments, tool.namespace, text)


def _flat(name: str) -> str:
    """``mcp__documents__open_paper``, ``documents.open_paper`` and ``mcp_documents_open_paper`` alike."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")


def _resolve_shell(piece: Shell, tools: Sequence[OfferedTool]) -> ResolvedCall:
    by_name = {tool.name: tool for tool in tools}
    for name in _SHELLS:
        if tool := by_name.get(name):
            return ResolvedCall(name, _shell_arguments(piece.command, tool.schema), tool.namespace)
    raise _missing("a shell", tools)


def _shell_arguments(command: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    properties: Mapping[str, Any] = schema.get("properties") or {}
    name = next((name for name in ("command", "cmd") if name in properties), "command")
    shape: Mapping[str, Any] = properties.get(name) or {}
    as_list = shape.get("type") == "array"
    arguments: dict[str, Any] = {name: ["bash", "-c", command] if as_list else command}
    fillers: dict[str, Any] = {"description": _DESCRIPTION, "is_background": False}
    required: Sequence[str] = schema.get("required") or ()
    return arguments | {key: value for key, value in fillers.items() if key in required}


def _missing(what: str, tools: Sequence[OfferedTool]) -> NotFoundError:
    names = ", ".join(f"{tool.namespace}/{tool.name}".lstrip("/") for tool in tools)
    return NotFoundError(
        f"The client offers no tool for {what}.", seen=names or "no tools", next="Correct the script or the client."
    )
