"""A scripted model that answers any program by the least that it takes, and the server of vectors beside it."""

import json
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from pincite_doors.testing import Request, call, say, write
from pincite_tasks.family import Family

ANSWERS = ("answer", "write_answer", "final_result")
"""Tools by which programs take an answer."""
_DEEPEST = 20
ANALYSIS = "- The values rise from the first row to the last, and the second series rises more than the first."
_ROW = {"cells": [{"column": "x", "value": "x", "quote": ""}]}


def least(schema: Mapping[str, Any], whole: Mapping[str, Any], depth: int = 0) -> Any:
    """The least value that a JSON Schema takes, as far as programs' schemas go."""
    if "$ref" in schema:
        return least(whole.get("$defs", {}).get(schema["$ref"].rsplit("/", 1)[-1], {}), whole, depth + 1)
    if "const" in schema or schema.get("enum"):
        return schema["const"] if "const" in schema else schema["enum"][0]
    for several in ("anyOf", "oneOf", "allOf"):
        if schema.get(several):
            return least(schema[several][-1], whole, depth + 1)
    told: Any = schema.get("type", "object" if "properties" in schema else "string")
    kind = told if isinstance(told, str) else str(told[-1])
    if kind == "object" and depth < _DEEPEST:
        fields = schema.get("properties", {})
        return {name: least(fields[name], whole, depth + 1) for name in schema.get("required", ()) if name in fields}
    if kind == "array":
        return [least(schema.get("items", {}), whole, depth + 1)] * int(schema.get("minItems", 0))
    if kind in ("number", "integer"):
        return schema.get("minimum", 0)
    return {"boolean": False, "null": None}.get(kind, "x" * max(1, int(schema.get("minLength", 1))))


def least_answer(family: Family) -> tuple[str, str]:
    """The name and the text of the least answer file of a family."""
    name = family.settings.answer
    if name.endswith(".csv"):
        return name, "x\nx\n"
    return name, json.dumps(least(family.schema, family.schema)) if name.endswith(".json") else f"{ANALYSIS}\n"


def player(family: Family) -> Callable[[Request], Any]:
    """Plays each role, program and command line on the tasks of a family."""
    name, text = least_answer(family)

    def play(request: Request) -> Any:
        if request.label is not None and request.label.role == "reader":
            return call(_answering(request), rows=[_ROW])
        if "keystrokes" in request.system or "keystrokes" in request.first:
            return say(_typed(name, text))
        wrote = any("Written" in result for result in request.results)
        for tool in request.tools:
            if tool.name.rpartition(".")[2] in ANSWERS and not wrote:
                return call(tool.name, **_filled(tool.schema))
        if request.schema is not None:
            return say(json.dumps(least(request.schema, request.schema)))
        if request.tools and not request.results and request.label is None:
            return write(name, text)  # a command line, by its own shell
        return say(ANALYSIS if request.label is not None or request.tools else text)

    return play


class Vectors(BaseHTTPRequestHandler):
    """OpenAI's ``/v1/embeddings``: counts of a few letters in each text."""

    def do_POST(self) -> None:
        """Answer."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [
            {"object": "embedding", "index": place, "embedding": [float(text.count(letter)) + 1 for letter in "aeint"]}
            for place, text in enumerate(asked["input"])
        ]
        usage = {"prompt_tokens": len(rows), "total_tokens": len(rows)}
        body = json.dumps({"object": "list", "model": asked["model"], "data": rows, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing."""


def family_of(name: str, tasks: Path | None) -> Family:
    """The family that a command names."""
    from pincite_tasks.catalog import Catalog

    return Catalog(tasks).family(name)


def _answering(request: Request) -> str:
    return next(tool.name for tool in request.tools if tool.name in ANSWERS)


def _filled(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The least of a tool's arguments; long texts read as an analysis."""
    value = least(schema, schema)
    texts = ("answer", "analysis", "text", "content", "plan", "summary")
    return {name: ANALYSIS if one == "x" and name in texts else one for name, one in value.items()}


def _typed(name: str, text: str) -> str:
    """A reply of keystrokes that writes the file and says that the task is done."""
    keys = f"cat > {name} <<'END'\n{text.rstrip()}\nEND\n"
    batch = {"analysis": "", "plan": "Write it.", "commands": [{"keystrokes": keys, "duration": 0.5}]}
    return json.dumps({**batch, "task_complete": True})
