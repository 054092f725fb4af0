"""The bundles are valid for the programs that install them, and start the server that they name."""

import base64
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jsonschema
import pytest
from mcp import Client, StdioServerParameters

ROOT = Path(__file__).parents[2]
SCHEMAS = Path(__file__).parent / "schemas"
PAPERS = ROOT / "tasks/property_extraction/papers"
PAPER = {"paper": "ybco_oxygen.pdf"}
QUOTE = "a Néel temperature of 412(5) K"
CALLS: dict[str, dict[str, Any]] = {
    "open_paper": PAPER,
    "grep_paper": {**PAPER, "pattern": "Néel temperature"},
    "list_tables": PAPER,
    "read_table": {**PAPER, "table": "1"},
    "locate_text": {**PAPER, "text": "Néel temperature"},
    "verify_quotes": {**PAPER, "quotes": [QUOTE]},
    "list_figures": PAPER,
    "view_figure": {**PAPER, "figure": "Fig. 1"},
    "zoom_figure": {**PAPER, "figure": "Fig. 1", "bbox": "0,0,0.5,0.5"},
    "read_figure_text": {**PAPER, "figure": "Fig. 1"},
    "read_plot": {**PAPER, "figure": "Fig. 1"},
}
"""A call of each tool that a skill names."""


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bundles") / "made"
    subprocess.run([sys.executable, ROOT / "scripts/build-bundles", out], check=True, timeout=60)
    return out


def test_each_manifest_keeps_its_published_schema(bundles: Path) -> None:
    desktop = json.loads(zipfile.ZipFile(bundles / "pincite.mcpb").read("manifest.json"))
    rows = [
        (desktop, "mcpb-manifest-v0.4"),
        (json.loads((bundles / "agent-plugin/plugin.json").read_text()), "agent-plugins-1.0.0-plugin"),
        (json.loads((bundles / "agent-plugin/mcp.json").read_text()), "agent-plugins-1.0.0-mcp"),
        (json.loads((bundles / "server.json").read_text()), "mcp-registry-2025-12-11-server"),
    ]
    wrong: list[str] = []
    for manifest, name in rows:
        schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
        if "$schema" in manifest and manifest["$schema"] != schema["$id"]:
            wrong.append(f"{name}: names {manifest['$schema']}")
        faults = jsonschema.validators.validator_for(schema)(schema).iter_errors(manifest)
        wrong += [f"{name}: {fault.json_path} {fault.message[:200]}" for fault in faults]
    assert not wrong, "\n".join(wrong)
    assert desktop["user_config"]["roots"]["type"] == "directory"
    assert not [name for name, field in desktop["user_config"].items() if field.get("sensitive")]


def test_the_install_links_stand_where_users_look(bundles: Path) -> None:
    cursor, vscode = (bundles / "links.txt").read_text().split()
    config = {"command": "uvx", "args": ["pincite", "serve", "read"]}
    given = {link: dict(parse_qsl(urlsplit(link).query)) for link in (cursor, vscode)}
    assert {fields["name"] for fields in given.values()} == {"pincite"}
    assert json.loads(base64.b64decode(given[cursor]["config"])) == json.loads(given[vscode]["config"]) == config
    for page in ("README.md", "docs/clients.md"):
        text = (ROOT / page).read_text()
        assert cursor in text, page
        assert vscode in text, page


def test_claude_code_accepts_the_plugin_and_the_marketplace(bundles: Path, clis: Path) -> None:
    for folder in (bundles / "plugin", bundles):
        command = [clis / "claude", "plugin", "validate", folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_and_the_image_carry_the_registrys_name(bundles: Path) -> None:
    name = json.loads((bundles / "server.json").read_text())["name"]
    assert f"<!-- mcp-name: {name} -->" in (ROOT / "README.md").read_text()
    assert f'LABEL io.modelcontextprotocol.server.name="{name}"' in (ROOT / "Dockerfile").read_text()


async def test_each_bundle_names_a_server_on_which_its_skills_work(bundles: Path, tmp_path: Path) -> None:
    launches = [
        json.loads((bundles / "plugin/mcp.json").read_text())["mcpServers"]["pincite"]["args"],
        json.loads((bundles / "agent-plugin/mcp.json").read_text())["mcpServers"]["pincite"]["args"],
        json.loads((bundles / "gemini/gemini-extension.json").read_text())["mcpServers"]["pincite"]["args"],
        json.loads(zipfile.ZipFile(bundles / "pincite.mcpb").read("manifest.json"))["server"]["mcp_config"]["args"],
    ]
    served = {tuple(arguments[arguments.index("pincite") + 1 :]) for arguments in launches}
    (arguments,) = served
    for package in json.loads((bundles / "server.json").read_text())["packages"]:
        assert tuple(word["value"] for word in package["packageArguments"]) == arguments
    skills = sorted((bundles / "plugin/skills").glob("*/SKILL.md"))
    assert len(skills) == 4
    env = {"PINCITE_ROOTS": str(PAPERS), "PINCITE_CACHE_DIR": str(tmp_path)}
    launch = StdioServerParameters(
        command=str(Path(sys.executable).with_name("pincite")), args=list(arguments), env=env
    )
    wrong: list[str] = []
    async with Client(launch) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        for skill in skills:
            text = skill.read_text()
            assert re.match(rf"---\nname: {skill.parent.name}\ndescription: [^\n]{{20,1024}}\n---\n", text)
            for name in re.findall(r"`([a-z]+_[a-z_]+)`", text):
                made = await client.call_tool(name, CALLS[name])
                if name not in listed or made.is_error:
                    wrong.append(f"{skill.parent.name}: {name}: {made.content}")
        verified = await client.call_tool("verify_quotes", CALLS["verify_quotes"])
    assert not wrong, "\n".join(wrong)
    assert '"stands":true' in str(verified.content)
