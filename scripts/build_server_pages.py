"""Writes the tools of each page of docs/servers: python scripts/build_server_pages.py.

Each example of ``server_examples.toml`` is asked of the real server, in memory, over bundled papers; what the server
asks of the web is answered by local services over invented works and entries. What stands above the line ``TOOLS`` of
a page is written by hand and kept.
"""

import asyncio
import importlib.util
import io
import json
import re
import sys
import tempfile
import tomllib
from base64 import b64decode
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from mcp import Client
from mcp_types import CallToolResult, ImageContent, TextContent, Tool
from PIL import Image, ImageDraw, ImageFont

from pincite_core.servers import SERVERS
from pincite_core.settings import Settings, load_settings
from pincite_doors.testing import ScriptedModel, say
from pincite_harness.cli.serve import load_server
from pincite_tasks.corpus.corpus import open_corpus
from pincite_tasks.corpus.server import CorpusServer

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/servers"
EXAMPLES = tomllib.loads(Path(__file__).with_name("server_examples.toml").read_text())
PAPERS = ROOT / "tasks/property_extraction/papers"
RETRACTED = "10.5555/jie.2015.3.0015"
"""A work of the corpus that was retracted."""
CORPUS = ROOT / "tasks/literature_qa/corpora/fjord"
TOOLS = "## Tools"
WRITTEN = """Each tool with what the server tells a model of it, an example call and the answer that the model gets.
The papers are bundled with the repository. Where a tool asks the web, local services answer with invented works and
entries; the model that `inspect_figure` asks is scripted. Long answers are shortened here: `…` stands for what was left
out, `<time>` and the like for what differs from call to call. Written by `python scripts/build_server_pages.py`."""

MOST_ITEMS = 2
"""Items of a list that are shown."""
MOST_NUMBERS = 8
"""Numbers of a list of numbers that are shown: a box has four."""
MOST_FIELDS = 14
"""Fields of an object that are shown."""
MOST_CHARS = 400
"""Characters of one text in an answer that are shown, which holds a small table."""
MOST_TEXT = 900
"""Characters of an answer in plain text that are shown."""

CHANGING = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)"), "<time>"),
    (re.compile(r"http://127\.0\.0\.1:\d+"), "http://local"),
    (re.compile(r'("(?:hash|head|sha256)": ")[0-9a-f]{12,64}'), r"\1<hash>"),
    (re.compile(r'(cursor"?[:=] ?")[\w=-]+(?=")'), r"\1<cursor>"),
    (re.compile(r"\b(c\d+)-[0-9a-f]{8}\b"), r"\1-<id>"),
    (re.compile(r"\.png \([\d,]+ bytes\)"), ".png (<size>)"),
    (re.compile(r"cursor=[\w=-]{12}"), "cursor=<cursor>"),
    (re.compile(r"after \d+\.\d s"), "after <time>"),
    (re.compile(r"urn:uuid:[0-9a-f-]{36}"), "urn:uuid:<id>"),
    (re.compile(re.escape(str(ROOT))), "<repository>"),
)
"""What differs from call to call, and what stands for it."""
DECISION = json.dumps(
    {"action": "answer", "answer": "92.6 K", "evidence": "it meets the axis", "confidence": 0.8, "reason": "read"}
)
"""What the scripted model answers to ``inspect_figure``."""


async def page(name: str) -> str:
    """The whole page of a server: what is written by hand, then each tool with its example."""
    head = (FOLDER / f"{name}.md").read_text().partition(f"\n{TOOLS}\n")[0].rstrip()
    with tempfile.TemporaryDirectory() as scratch, _settings(name, Path(scratch)) as settings:
        async with Client(load_server(name, SERVERS[name]).create_server(settings)) as client:
            tools = (await client.list_tools()).tools
            answers = await _answers(client, name)
        missing = [tool.name for tool in tools if tool.name not in answers]
        if missing:
            raise SystemExit(f"server_examples.toml has no example of {', '.join(missing)}.")
    shown = "\n\n".join(_shown(tool, answers[tool.name]) for tool in tools).replace(scratch, "<folder>")
    for pattern, instead in CHANGING:
        shown = pattern.sub(instead, shown)
    return "\n\n".join([head, TOOLS, WRITTEN, shown]) + "\n"


async def _answers(client: Client, name: str) -> dict[str, tuple[dict[str, Any], CallToolResult]]:
    """The call and the result of each tool, asked in the order of the examples."""
    answers: dict[str, tuple[dict[str, Any], CallToolResult]] = {}
    kept: dict[str, str] = {}
    for example in EXAMPLES[name]:
        arguments = _filled(example["arguments"], kept)
        result = await client.call_tool(example["tool"], arguments)
        if result.is_error:
            raise SystemExit(f"{example['tool']}: {_text(result)}")
        for label, path in example.get("keep", {}).items():
            kept[label] = _at(result.structured_content, path)
        answers[example["tool"]] = arguments, result
    return answers


def _filled(value: Any, kept: dict[str, str]) -> Any:
    """The arguments with what earlier answers gave in place of ``{name}``."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {key: _filled(one, kept) for key, one in fields.items()}
    if isinstance(value, list):
        return [_filled(one, kept) for one in cast("list[Any]", value)]
    if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
        return kept[value[1:-1]]
    return value


def _at(value: Any, path: str) -> str:
    for step in path.split("."):
        value = value[int(step)] if step.isdigit() else value[step]
    return str(value)


def _shown(tool: Tool, answer: tuple[dict[str, Any], CallToolResult]) -> str:
    arguments, result = answer
    call = json.dumps(arguments, ensure_ascii=False)
    parts = [f"### `{tool.name}`", str(tool.description), f"```json\n{call}\n```"]
    for block in result.content:
        if isinstance(block, ImageContent):
            width, height = Image.open(io.BytesIO(b64decode(block.data))).size
            parts.append(f"A picture, {width} × {height} pixels ({block.mime_type}), and")
        elif isinstance(block, TextContent):
            parts.append(_answer(block.text, structured=result.structured_content is not None))
    return "\n\n".join(parts).removesuffix(", and")


def _answer(text: str, *, structured: bool) -> str:
    """An answer as it stands on the page: JSON with its long parts cut, or the beginning of a text."""
    if structured:
        return f"```json\n{json.dumps(_cut(json.loads(text)), ensure_ascii=False, indent=1)}\n```"
    return f"```text\n{_clipped(text, MOST_TEXT)}\n```"


def _cut(value: Any) -> Any:
    """The value with its long lists, objects and texts cut."""
    if isinstance(value, str):
        return _clipped(value, MOST_CHARS)
    if isinstance(value, list):
        return _cut_list(cast("list[Any]", value))
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value)
    shown = {key: _cut(fields[key]) for key in list(fields)[:MOST_FIELDS]}
    if len(fields) > MOST_FIELDS:
        shown["…"] = f"{len(fields) - MOST_FIELDS} more"
    return shown


def _cut_list(items: list[Any]) -> list[Any]:
    numbers = all(isinstance(item, int | float) for item in items)
    most = MOST_NUMBERS if numbers else MOST_ITEMS
    shown = [_cut(item) for item in items[:most]]
    if len(items) > most:
        shown.append(f"… {len(items) - most} more")
    return shown


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


def _text(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


@contextmanager
def _settings(name: str, folder: Path) -> Generator[Settings]:
    """Settings of a server that reads the bundled papers, keeps its files in ``folder`` and asks local services."""
    own: dict[str, Any] = {"roots": (PAPERS, folder), "papers_dir": folder / "fetched", "cache_dir": folder / "cache"}
    own |= {"library_dir": folder / "library", "ledger": folder / "claims.db", "source_rates": "off", "ocr": "off"}
    with ExitStack() as open_services:
        if name == "figures":
            sheet = Image.new("RGB", (600, 120), "white")
            ImageDraw.Draw(sheet).text((30, 30), "Tc = 92.6 K", fill="black", font=ImageFont.load_default(40))
            sheet.save(folder / "sheet.png")
            model = open_services.enter_context(ScriptedModel([say(DECISION), say(DECISION)]))
            own |= {"vision_url": f"{model.url}/v1", "vision_model": "scripted"}
        elif name == "workbench":
            (folder / "yields.csv").write_text("hours,percent\n1,12.5\n2,25.0\n4,50.0\n")
            own |= {"roots": (folder,), "cache_dir": load_settings().cache_dir}
        elif name == "databases":
            own["source_urls"] = _databases(open_services)
        elif name == "zotero":
            zotero = _module(ROOT / "tests/zotero/zotero_server.py").ZoteroServer(folder / "Zotero")
            zotero.entries["CELLITM3"]["extra"] = f"DOI: {RETRACTED}"
            own["zotero"] = open_services.enter_context(zotero).address
            own["zotero_consent"] = folder / "consent.json"
            literature = open_services.enter_context(CorpusServer(open_corpus(CORPUS)))
            own |= {key.removeprefix("PINCITE_").lower(): one for key, one in literature.environment.items() if one}
        else:
            literature = open_services.enter_context(CorpusServer(open_corpus(CORPUS)))
            own |= {key.removeprefix("PINCITE_").lower(): one for key, one in literature.environment.items() if one}
        unset = {key: field.get_default(call_default_factory=True) for key, field in Settings.model_fields.items()}
        yield Settings.model_construct(**unset).model_copy(update=own)


def _databases(open_services: ExitStack) -> dict[str, str]:
    """Addresses of the local databases of the tests."""
    tests = ROOT / "tests"
    source = _module(tests / "source_server.py")
    patents, materials = _module(tests / "databases/test_patents.py"), _module(tests / "databases/test_materials.py")
    cuprates = [materials.cod_entry(2_000_000 + number, "CuLa2O4") for number in range(3)]
    speaking = {
        "pubchem": _module(tests / "databases/servers/pubchem_server.py").PubChem(),
        "uniprot": _module(tests / "databases/servers/uniprot_server.py").UniProt(),
        "clinicaltrials": _module(tests / "databases/servers/trials_server.py").Trials(),
        "europe_pmc_patents": patents.europe_pmc(source),
        "google_patents": patents.google(source),
        "cod": materials.OptimadeServer(source, cuprates),
        "materials_project_optimade": materials.OptimadeServer(source, []),
    }
    return {name: open_services.enter_context(source.SourceServer(one)).url for name, one in speaking.items()}


def _module(path: Path) -> ModuleType:
    """The module of a file of the tests, loaded once under its bare name."""
    if path.stem not in sys.modules:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None:
            raise SystemExit(f"{path} cannot be loaded.")
        sys.modules[path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[path.stem])
    return sys.modules[path.stem]


if __name__ == "__main__":
    for server_name in sys.argv[1:] or SERVERS:
        (FOLDER / f"{server_name}.md").write_text(asyncio.run(page(server_name)))
        print(f"wrote {FOLDER / server_name}.md")
