"""pincite-tool: the task's MCP servers for a shell: ``pincite-tool SERVER TOOL key=value …``.

Prints the result, structured content as JSON in lines, else its text, and saves images in the current folder. Exit
code 1: the tool failed; 2: it was not called, for what was typed is wrong; 3: the door cannot be reached.
"""

import base64
import hashlib
import json
import mimetypes
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from door import Door, DoorError, ToolError, text_of

TASK = "PINCITE_TASK"
"""Names the file task.json in the environment; else it is looked for in the working folder."""
_DIGITS = 12
"""Hexadecimal digits of a file's digest in its name: 48 bits."""


class UsageError(Exception):
    """What was typed is not a call; the message says what is wrong with it and what would be right."""


def main(words: Sequence[str]) -> int:
    """Carry out what was typed."""
    try:
        servers = json.loads(Path(os.environ.get(TASK, "task.json")).read_text(encoding="utf-8"))["tools"]
        return _run(servers, list(words))
    except ToolError as error:
        print(error, file=sys.stderr)
        return 1
    except UsageError as error:
        print(f"pincite-tool: {error}", file=sys.stderr)
        return 2
    except (DoorError, OSError, ValueError, KeyError) as error:
        print(f"pincite-tool: {error}", file=sys.stderr)
        return 3


def describe(name: str, door: Door) -> str:
    """One server's tools: a line each with its arguments and the first sentence of its description."""
    lines = [f"{name}:"]
    for tool in door.definitions():
        summary = str(tool.get("description", "")).strip().partition("\n")[0].partition(". ")[0].rstrip(".")
        lines.append(f"  {tool['name']} {_signature(tool)}".rstrip() + f"\n      {summary}")
    return "\n".join(lines)


def _run(servers: Mapping[str, Any], words: list[str]) -> int:
    asked = [word for word in words if word not in ("--help", "-h")]
    if not asked:
        for name, server in servers.items():
            with Door(server["url"], server["headers"]) as door:
                print(describe(name, door))
        return 0
    name = asked[0]
    if name not in servers:
        raise UsageError(f"there is no server {name!r}; there are {', '.join(servers) or 'none'}")
    with Door(servers[name]["url"], servers[name]["headers"]) as door:
        if len(asked) == 1:
            print(describe(name, door))
            return 0
        tools = {tool["name"]: tool for tool in door.definitions()}
        if asked[1] not in tools:
            raise UsageError(f"{name} has no tool {asked[1]!r}; it has {', '.join(tools)}")
        tool = tools[asked[1]]
        if len(asked) < len(words):
            print(f"{name} {tool['name']} {_signature(tool)}\n\n{tool.get('description', '')}\n")
            print(json.dumps(tool["inputSchema"], indent=1, ensure_ascii=False))
            return 0
        _show(door.call(tool["name"], **arguments(asked[2:], tool["inputSchema"])))
    return 0


def arguments(words: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """``key=value`` by the type that the tool's schema gives the key, ``key:=JSON`` as it stands; UsageError else."""
    properties: dict[str, Any] = schema.get("properties", {})
    found: dict[str, Any] = {}
    for word in words:
        key, sign, value = word.partition("=")
        raw = key.endswith(":")
        key = key.removesuffix(":")
        if not sign or not key:
            raise UsageError(f"{word!r} is not an argument: write key=value (one word: quote blanks) or key:=JSON")
        if properties and key not in properties and not schema.get("additionalProperties", False):
            raise UsageError(f"there is no argument {key!r}; there are {', '.join(properties)}")
        found[key] = _json(key, value) if raw else _typed(key, value, properties.get(key, {}))
    if missing := [key for key in schema.get("required", []) if key not in found]:
        raise UsageError(f"the tool needs {', '.join(missing)}")
    return found


def _typed(key: str, value: str, schema: Mapping[str, Any]) -> Any:
    kinds = _kinds(schema)
    if not kinds or kinds == {"string"}:
        return value
    try:
        parsed = json.loads(value)
    except ValueError:
        parsed = {"true": True, "false": False, "none": None}.get(value.lower(), value)
    fits = {
        "integer": isinstance(parsed, int) and not isinstance(parsed, bool),
        "number": isinstance(parsed, int | float) and not isinstance(parsed, bool),
        "boolean": isinstance(parsed, bool),
        "null": parsed is None,
        "array": isinstance(parsed, list),
        "object": isinstance(parsed, dict),
    }
    if any(fits.get(kind, False) for kind in kinds):
        return parsed
    if "string" in kinds:
        return value
    if kinds == {"array"} or kinds == {"array", "null"}:
        return [value]
    raise UsageError(f"{key}={value!r} is not of the type {' or '.join(sorted(kinds))}")


def _kinds(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types that a schema lets through, those of its alternatives included; empty when it does not say."""
    given = schema.get("type", [])
    kinds = {given} if isinstance(given, str) else set(given)
    for alternative in [*schema.get("anyOf", []), *schema.get("oneOf", [])]:
        kinds |= _kinds(alternative)
    if "enum" in schema and not kinds and all(isinstance(value, str) for value in schema["enum"]):
        kinds = {"string"}
    return kinds


def _json(key: str, value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError as error:
        raise UsageError(f"{key}:= is followed by no JSON: {error}") from None


def _signature(tool: Mapping[str, Any]) -> str:
    schema = tool["inputSchema"]
    needed = schema.get("required", [])
    names = [*needed, *(f"[{name}]" for name in schema.get("properties", {}) if name not in needed)]
    return " ".join(f"[{name[1:-1]}=]" if name.startswith("[") else f"{name}=" for name in names)


def _show(result: Mapping[str, Any]) -> None:
    # Structured content comes first: in lines it can be searched and cut, which its text in one line cannot.
    if "structuredContent" in result:
        print(json.dumps(result["structuredContent"], indent=1, ensure_ascii=False))
    elif text := text_of(result):
        print(text)
    for part in result.get("content", []):
        if part.get("type") in ("image", "audio"):
            print(_save(part))


def _save(part: Mapping[str, Any]) -> str:
    data = base64.b64decode(part["data"])
    kind = str(part.get("mimeType", ""))
    name = hashlib.sha256(data).hexdigest()[:_DIGITS] + (mimetypes.guess_extension(kind) or ".bin")
    Path(name).write_bytes(data)
    return f"[{kind}, {len(data)} bytes, saved as {name}; it cannot be shown in a terminal]"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
