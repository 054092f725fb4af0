"""Every `pincite run` of docs/reproducing.md, run on one bundled task with a model that answers by the schema alone.

python -m tests.benchmarks run reproducing_commands [--only NAME …] [--keep FOLDER]

Own data is replaced by the bundled tasks of the family, a library of your own by one made of them; the model is a
scripted server, which fills what it is asked for with the least that its schema takes. Nothing is measured but that
the command, its agent, servers and doors work together to a trial's end. The four command lines, `import` and `library
add` are tried by their own tests; runs on the open web need questions of your own and are left out.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from pincite_doors.testing import Request, ScriptedModel, call, say

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reproducing.md"
CLIS = ("claude-code", "codex", "gemini-cli", "qwen-code")
ANSWERS = ("answer", "write_answer", "final_result")
"""Tools by which programs take an answer."""
SECONDS = 300
"""Wall clock of a command."""


def commands() -> list[list[str]]:
    """The words of each `pincite run` of the page."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.strip().splitlines()]
    return [shlex.split(line)[2:] for line in lines if line.startswith("pincite run ")]


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
    if kind == "object" and depth < 20:
        fields = schema.get("properties", {})
        return {name: least(fields[name], whole, depth + 1) for name in schema.get("required", ()) if name in fields}
    if kind == "array":
        return [least(schema.get("items", {}), whole, depth + 1)] * int(schema.get("minItems", 0))
    if kind in ("number", "integer"):
        return schema.get("minimum", 0)
    return {"boolean": False, "null": None}.get(kind, "x" * max(1, int(schema.get("minLength", 1))))


def play(request: Request) -> Any:
    """Fill the tool that takes the answer; without one the schema that is asked for, in tags, or a sentence."""
    wrote = any("Written" in result for result in request.results)
    for tool in request.tools:
        if tool.name.rpartition(".")[2] in ANSWERS and not wrote:
            return call(tool.name, **least(tool.schema, tool.schema))
    if request.schema is not None:
        return say(orjson.dumps(least(request.schema, request.schema)).decode())
    return say("Nothing was found.")


def changed(words: Sequence[str], url: str, folder: Path) -> list[str]:
    """The command on one bundled task, before the scripted model."""
    told = list(words)
    for option in ("--tasks", "--attempts", "--model"):
        if option in told:
            at = told.index(option)
            del told[at : at + 2]
    for option, value in (("--targets", "targets.txt"), ("--library", "lab-library")):
        if option in told:
            told[told.index(option) + 1] = str(folder / value)
    models = ["--model", "openai:scripted", "--model-url", url, "--limit", "wall_clock_seconds=120"]
    return [*told, "--sample", "1", "--seed", "3", *models, "--sandbox", "local", "--unsafe", "--retries", "0"]


def tried(words: Sequence[str], folder: Path, number: int) -> str:
    """What became of a command, run in a folder of its own (two studies may name runs alike): its trials' ends with the
    number of model calls, or the error."""
    place = folder / str(number)
    place.mkdir()
    with ScriptedModel([play] * 2000) as model:
        arguments = changed(words, model.url, folder)
        command = [sys.executable, "-m", "pincite_harness", "run", *arguments]
        given = {"PINCITE_MODEL_API_KEY": "k", "PINCITE_CACHE_DIR": str(folder / "cache")}
        ended = subprocess.run(
            command, cwd=place, env={**os.environ, **given}, capture_output=True, text=True, check=False,
            timeout=SECONDS,
        )  # fmt: skip
        asked = len(model.turns)
    trials = sorted((place / "runs" / words[words.index("--name") + 1] / "trials").glob("*/trial.json"))
    if not trials:
        return "REFUSED " + " ".join((ended.stdout + ended.stderr).split())[-300:]
    ends = [orjson.loads(path.read_bytes()) for path in trials]
    told = [f"{one['status']} {one.get('cause') or ''}".strip() for one in ends]
    return f"{', '.join(told)}; {asked} model calls"


def main() -> int:
    """Print a line for each command; 1 where one was refused or a server or sandbox failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="commands of these run names")
    parser.add_argument("--keep", type=Path, help="folder for the runs, by default one that is removed")
    chosen = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as made:
        folder = chosen.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "targets.txt").write_text("critical temperature\n")
        papers = ROOT / "tasks" / "literature_qa" / "papers"
        library = [sys.executable, "-m", "pincite_harness", "library", "add", str(papers)]
        subprocess.run([*library, "--library", str(folder / "lab-library")], check=True, capture_output=True)
        for number, words in enumerate(commands(), start=1):
            name, agent = words[words.index("--name") + 1], words[words.index("--agent") + 1]
            if (chosen.only and name not in chosen.only) or agent in CLIS:
                continue
            if "--open-web" in words:  # refused for tasks of a made-up literature
                print(f"{words[0]} {name}: not tried, it needs questions of your own", flush=True)
                continue
            began = time.monotonic()
            said = tried(words, folder, number)
            bad += said.startswith("REFUSED") or "server_failed" in said or "sandbox_failed" in said
            print(f"{words[0]} {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
