"""Several servers as one: what each offers works in it as it does alone, and costs a model what was promised."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import PromptReference, ResourceTemplateReference

from pincite_core.errors import BadInputError
from pincite_core.servers import SERVERS
from pincite_core.settings import Settings
from pincite_harness.cli.serve import load_server, make_server
from pincite_harness.cli.serve_selection import DEFINITIONS, load_definitions

ROOT = Path(__file__).parents[2]
PINCITE = str(Path(sys.executable).with_name("pincite"))
PDF = ROOT / "tasks/property_extraction/papers/ybco_oxygen.pdf"
CHARS_PER_TOKEN = 4
"""Of compact JSON, for the figures below; a byte-pair vocabulary of 200,000 pieces gives within 5 % of it."""
MOST_TOKENS = {"read": 3500, "check": 3500, "all": 9000}
"""What names, descriptions and input schemas of a preset may cost a model, with the tools that need a set-up."""
IN_ALL = {name: entry for name, entry in SERVERS.items() if entry.in_all}
MOST_INSTRUCTIONS = 2000
"""Characters of instructions: Claude Code shows no more of them."""

PAPER = {"paper": "ybco_oxygen.pdf"}
CALLS: dict[str, dict[str, Any]] = {
    "open_paper": PAPER,
    "read_pages": {**PAPER, "pages": "1"},
    "read_section": {**PAPER, "section": "1"},
    "grep_paper": {**PAPER, "pattern": "oxygen"},
    "locate_text": {**PAPER, "text": "oxygen"},
    "list_tables": PAPER,
    "read_table": {**PAPER, "table": "1"},
    "list_references": PAPER,
    "find_context": {**PAPER, "target": "Table 1"},
    "verify_quotes": {**PAPER, "quotes": ["oxygen"]},
    "list_figures": PAPER,
    "view_figure": {**PAPER, "figure": "Fig. 1"},
    "zoom_figure": {**PAPER, "figure": "Fig. 1", "bbox": "0,0,0.5,0.5"},
    "view_page": {**PAPER, "page": 1},
    "read_figure_text": {**PAPER, "figure": "Fig. 1"},
    "read_plot": {**PAPER, "figure": "Fig. 1"},
    "inspect_figure": {**PAPER, "figure": "Fig. 1", "question": "What is it?"},
    "flag_wrong_figure": {**PAPER, "figure": "Fig. 1", "reason": "it is another one"},
    "expand_material": {"name": "LSCO"},
    "search_passages": {"query": "oxygen"},
    "grep_chunks": {"pattern": "oxygen"},
    "verify_quote": {**PAPER, "quote": "oxygen"},
    "verify_claim": {"quote": "oxygen", "locator": "ybco_oxygen.pdf"},
    "normalise_formula": {"material": "MgB2"},
    "compare_formulas": {"a": "MgB2", "b": "Mg2B4"},
    "convert_units": {"value": "66 kDa", "to": "g/mol"},
    "compute": {"expression": "k_B * 300 K to meV"},
    "compare_values": {"value": "9 K", "reference": "9.0 K"},
    "space_group": {"symbol": "Pbnm"},
}
"""A call of each tool; those that are not named are called with a word for each argument that they need."""
CHANGING = {"at", "time", "recorded", "retrieved", "id", "seconds"}
"""Fields of a result that no two calls have in common."""


def settings(folder: Path, **more: Any) -> Settings:
    """Settings of a new user without a network: the web is a record that holds nothing."""
    places = {name: folder / name for name in ("papers_dir", "library_dir", "record_dir")}
    places["ledger"] = folder / "claims.db"
    known = {name: place for name, place in places.items() if name in Settings.model_fields}
    cache, nothing = folder.parent / "cache", folder.parent / "nothing"
    nothing.mkdir(parents=True, exist_ok=True)
    return Settings(roots=(PDF.parent,), cache_dir=cache, http_mode="replay", http_store=nothing, **{**known, **more})


def arguments_of(tool: Any) -> dict[str, Any]:
    """The call of a tool."""
    if tool.name in CALLS:
        return CALLS[tool.name]
    made: dict[str, Any] = {}
    for name in tool.input_schema.get("required", []):
        schema = tool.input_schema["properties"][name]
        word: Any = 1 if schema["type"] == "integer" else schema.get("enum", ["oxygen"])[0]
        made[name] = [word] if schema["type"] == "array" else word
    return made


def steady(value: Any) -> Any:
    """A result without what changes from call to call."""
    if isinstance(value, list):
        return [steady(item) for item in value]
    if isinstance(value, dict):
        return {name: steady(item) for name, item in value.items() if name not in CHANGING}
    return value


async def answer(client: Client, tool: Any) -> Any:
    """What a call gives, as it can be compared."""
    made = await client.call_tool(tool.name, arguments_of(tool))
    text = [block.model_dump(mode="json") for block in made.content if made.structured_content is None]
    return made.is_error, steady(made.structured_content), steady(text)


def arguments_described(tool: Any) -> dict[str, str]:
    """The descriptions of a tool's arguments, by their names."""
    properties = tool.input_schema.get("properties", {})
    return {name: schema["description"] for name, schema in properties.items() if "description" in schema}


def undescribed(tool: Any) -> Any:
    """A tool without the descriptions of its arguments."""
    properties = tool.input_schema.get("properties", {})
    bare = {name: {key: schema[key] for key in schema if key != "description"} for name, schema in properties.items()}
    return tool.model_copy(update={"input_schema": {**tool.input_schema, "properties": bare}})


async def test_every_tool_answers_in_the_merged_server_as_alone(tmp_path: Path) -> None:
    wrong: list[str] = []
    called = 0
    merged = make_server(["all"], "", settings(tmp_path / "merged"))
    async with Client(merged) as together:
        listed = {tool.name: tool for tool in (await together.list_tools()).tools}
        described = {pair for tool in listed.values() for pair in arguments_described(tool).items()}
        for name, entry in IN_ALL.items():
            async with Client(load_server(name, entry).create_server(settings(tmp_path / "alone"))) as alone:
                for tool in (await alone.list_tools()).tools:
                    called += 1
                    if undescribed(listed[tool.name]) != undescribed(tool):
                        wrong.append(f"{tool.name} is described otherwise")
                    if missing := dict(arguments_described(tool).items() - described):
                        wrong.append(f"no tool describes {missing}")
                    if await answer(alone, tool) != await answer(together, tool):
                        wrong.append(f"{tool.name} answers otherwise")
    assert not wrong, "\n".join(wrong)
    assert called == len(listed)


async def test_offers_beside_tools_work_in_the_merged_server_as_alone(tmp_path: Path) -> None:
    merged = make_server(["documents,figures", "library", "provenance"], "", settings(tmp_path / "merged"))
    async with Client(merged) as client:
        announced = client.server_capabilities.model_dump(exclude_none=True)
        assert set(announced) - {"extensions"} == {"tools", "resources", "prompts", "completions"}
        opened = (await client.call_tool("open_paper", PAPER)).structured_content
        assert opened is not None
        digits = opened["id"].removeprefix("sha256:")[:8]
        templates = {each.uri_template for each in (await client.list_resource_templates()).resource_templates}
        assert {template.partition(":")[0] for template in templates} == {"paper", "figure", "claims"}
        page = await client.read_resource(f"paper://{digits}/page/1")
        assert f"pc:{digits}#p1:" in page.contents[0].text
        picture = await client.read_resource(f"figure://{digits}/Fig.%201")
        assert picture.contents[0].mime_type == "image/png"
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert prompts == {"find_value", "check_citations", "find_value_in_library"}
        for prompt in ("find_value_in_library", "find_value"):
            made = await client.get_prompt(
                prompt, {"paper": "a.pdf", "quantity": "mass"} if prompt == "find_value" else {"quantity": "mass"}
            )
            assert "mass" in made.messages[0].content.text
        files = await client.complete(PromptReference(name="find_value"), {"name": "paper", "value": "ybco_o"})
        assert files.completion.values == [PDF.name]
        views = await client.complete(
            ResourceTemplateReference(uri="figure://{id}/{view}"), {"name": "view", "value": ""}, {"id": digits}
        )
        assert "Fig. 1" in views.completion.values
        with pytest.raises(Exception, match="Unknown resource"):
            await client.read_resource("nothing://there")
        with pytest.raises(Exception, match="Unknown prompt"):
            await client.get_prompt("nothing")


@pytest.mark.parametrize("preset", MOST_TOKENS)
async def test_a_preset_costs_a_model_no_more_than_promised(preset: str, tmp_path: Path) -> None:
    set_up = {"vision_url": "http://127.0.0.1:9/v1", "vision_model": "m", "searxng_url": "http://127.0.0.1:9"}
    async with Client(make_server([preset], "", settings(tmp_path, **set_up))) as client:
        tools = (await client.list_tools()).tools
        told = client.instructions or ""
    shown = [{"name": each.name, "description": each.description, "input_schema": each.input_schema} for each in tools]
    sizes = [len(json.dumps(each, ensure_ascii=False, separators=(",", ":"))) for each in shown]
    assert sum(sizes) / CHARS_PER_TOKEN <= MOST_TOKENS[preset]
    assert 0 < len(told) <= MOST_INSTRUCTIONS
    if preset == "all":
        assert len(tools) == sum(len(one["tools"]) for name, one in load_definitions().items() if name in IN_ALL)


async def test_the_definitions_are_true() -> None:
    spec = importlib.util.spec_from_file_location("build", ROOT / "scripts/build_server_definitions.py")
    assert spec is not None and spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    made = build.written(await build.definitions())
    assert made == DEFINITIONS.read_bytes(), "if this is meant: python scripts/build_server_definitions.py"


async def test_tools_are_filtered(tmp_path: Path) -> None:
    rows = [
        (["all"], "open_paper,grep_*", {"open_paper", "grep_paper", "grep_chunks"}),
        (["materials"], "-compare_*,-compute", {"normalise_formula", "convert_units", "space_group"}),
        (["documents", "figures"], "*_figure, -flag*", {"view_figure", "zoom_figure", "inspect_figure"}),
    ]
    wrong: list[Any] = []
    for names, patterns, expected in rows:
        made = make_server(names, patterns, settings(tmp_path, vision_url="http://127.0.0.1:9/v1", vision_model="m"))
        async with Client(made) as client:
            found = {tool.name for tool in (await client.list_tools()).tools}
            if found != expected:
                wrong.append((names, patterns, found))
            refused = await client.call_tool("list_claims", {})
            assert refused.is_error and "There is no tool 'list_claims' here" in refused.content[0].text
    assert not wrong


@pytest.mark.parametrize(
    ("names", "patterns", "says"),
    [
        (["nothing"], "", "There is no server 'nothing'"),
        (["all"], "opn_paper", "No tool is named 'opn_paper'"),
        (["all"], "-*", "No tool is left"),
        ([","], "", "No server is named"),
    ],
)
def test_what_names_nothing_is_refused(names: list[str], patterns: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=says):
        make_server(names, patterns, settings(tmp_path))


async def test_a_merged_server_loads_only_what_is_called(tmp_path: Path) -> None:
    code = (
        "import anyio, sys\n"
        "from mcp import Client\n"
        "from pincite_core.settings import load_settings\n"
        "from pincite_harness.cli.serve import make_server\n"
        "async def main():\n"
        "    async with Client(make_server(['all'], '', load_settings())) as client:\n"
        "        assert (await client.list_tools()).tools\n"
        "        print(loaded())\n"
        "        assert not (await client.call_tool('compute', {'expression': '1 + 1'})).is_error\n"
        "        print(loaded())\n"
        "def loaded():\n"
        "    return sorted(name for name in sys.modules if name.startswith('pincite_') and name.endswith('.server'))\n"
        "anyio.run(main)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "['pincite_core.server']",
        "['pincite_core.server', 'pincite_materials.server']",
    ], done.stderr


async def test_the_command_serves_several(tmp_path: Path) -> None:
    env = {"PINCITE_TOOLS": "open_paper,c*", "PINCITE_ROOTS": str(PDF.parent), "PINCITE_CACHE_DIR": str(tmp_path)}
    command = StdioServerParameters(command=PINCITE, args=["serve", "documents,materials"], cwd=tmp_path, env=env)
    async with Client(command) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["open_paper", "compare_formulas", "convert_units", "compute", "compare_values"]
        opened = await client.call_tool("open_paper", PAPER)
        assert not opened.is_error
