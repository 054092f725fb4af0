"""The wheel that people install: its top levels, each server on its own extra, the main job.

The tests share one environment: the last one adds the extra that the earlier ones do without.
"""

import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from pincite_core.servers import SERVERS


def test_top_levels(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    packages = {name.partition("/")[0] for name in names}
    assert {name for name in packages if not name.endswith(".dist-info")} == {
        "pincite",
        "pincite_core",
        "pincite_databases",
        "pincite_documents",
        "pincite_doors",
        "pincite_figures",
        "pincite_harness",
        "pincite_library",
        "pincite_literature",
        "pincite_materials",
        "pincite_models",
        "pincite_papers",
        "pincite_provenance",
        "pincite_sandbox",
        "pincite_search",
        "pincite_scoring",
        "pincite_tasks",
        "pincite_trajectory",
        "pincite_workbench",
        "pincite_zotero",
    }
    assert "pincite_tasks/families/property_extraction/family.toml" in names
    assert any(name.startswith("pincite_tasks/families/property_extraction/papers/") for name in names)
    assert {f"pincite_harness/desk/{name}" for name in ("templates/trial.html", "static/trial.js")} <= set(names)


def test_typing_information_is_shipped(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    packages = {name.partition("/")[0] for name in names if not name.partition("/")[0].endswith(".dist-info")}
    assert {f"{package}/py.typed" for package in packages} <= set(names)


@pytest.mark.parametrize("server", [name for name, entry in SERVERS.items() if entry.extra is None])
async def test_server_runs_on_the_base_dependencies(server: str, base_bin: Path, tmp_path: Path) -> None:
    command = StdioServerParameters(command=str(base_bin / "pincite"), args=["serve", server], cwd=tmp_path)
    async with Client(command) as client:
        assert (await client.list_tools()).tools


async def test_units_are_converted_on_the_base_dependencies(base_bin: Path, tmp_path: Path) -> None:
    command = StdioServerParameters(command=str(base_bin / "pincite"), args=["serve", "materials"], cwd=tmp_path)
    async with Client(command) as client:
        made = await client.call_tool("convert_units", {"value": "66 kDa", "to": "g/mol"})
        assert made.structured_content is not None, made.content
        assert made.structured_content["numbers"] == [66000]
        refused = await client.call_tool("compare_formulas", {"a": "MgB2", "b": "Mg2B4"})
        assert "pip install 'pincite[materials]'" in str(refused.content)


def test_a_missing_extra_is_answered_with_its_install_line_before_any_trial(base_bin: Path, tmp_path: Path) -> None:
    command = [str(base_bin / "pincite"), "run", "property_extraction", "--agent", "oracle", "--sandbox", "local"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode != 0
    assert "pip install 'pincite[harness]'" in done.stdout + done.stderr
    assert not list(tmp_path.glob("runs/*/trials/*"))


def test_main_job_with_the_extra_added(
    base_bin: Path, wheel: Path, pip_install: Callable[[Path, str], None], tmp_path: Path
) -> None:
    pip_install(base_bin, f"{wheel}[harness,materials]")
    command = [str(base_bin / "pincite"), "run", "property_extraction", "--agent", "oracle", "--sandbox", "local"]
    done = subprocess.run([*command, "--out", str(tmp_path / "runs")], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    scores = [json.loads(path.read_text()) for path in tmp_path.glob("runs/*/trials/*/score.json")]
    assert len(scores) >= 8
    assert all(score["metrics"]["f1"] == 1.0 for score in scores)
