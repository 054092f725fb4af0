"""Exported Harbor tasks: the folders that Harbor reads, no gold where an agent looks, and our own score."""

import ast
import math
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from mcp import Client, StdioServerParameters
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.cli.tasks import app
from pincite_harness.curation.exporting.harbor import export_harbor
from pincite_harness.curation.exporting.harbor_image import ImageChoice
from pincite_harness.curation.exporting.inspect_tasks import export_inspect
from pincite_harness.curation.exporting.jsonl import export_jsonl
from pincite_harness.curation.exporting.verify import headline_values, reward_of
from pincite_harness.curation.exporting.verify import main as verify
from pincite_harness.harbor.family import as_family
from pincite_harness.harbor.support import Network
from pincite_harness.harbor.task import load_task, load_tasks
from pincite_harness.trial.marking import Marker
from pincite_scoring import ScoringOptions
from pincite_scoring.scorer import get_scorer
from pincite_tasks.answer import check_answer
from pincite_tasks.catalog import Catalog
from pincite_tasks.family import Family, load_family
from pincite_tasks.files import read_json
from pincite_tasks.task import Task
from pincite_tasks.toml_text import toml_table

FAMILY, TASK = "property_extraction", "ybco_oxygen"


@pytest.fixture(scope="module")
def pair() -> tuple[Family, Task]:
    family = Catalog().family(FAMILY)
    return family, family.task(TASK)


@pytest.fixture(scope="module")
def exported(pair: tuple[Family, Task], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one exported task."""
    [folder] = export_harbor([pair], tmp_path_factory.mktemp("harbor") / "out", ImageChoice())
    return folder


def test_the_folder_is_a_harbor_task(exported: Path, pair: tuple[Family, Task]) -> None:
    task = load_task(exported)
    config = task.config
    assert config.schema_version == "1.4"
    assert config.task is not None
    assert config.task.name == f"pincite/{FAMILY}.{TASK}"
    assert config.verifier.separate
    assert not task.bundled_tests
    assert [artifact.source for artifact in config.collected] == ["/logs/artifacts", "/work/answer.json"]
    assert [(server.name, server.transport) for server in config.environment.mcp_servers] == [
        ("documents", "stdio"),
        ("figures", "stdio"),
    ]
    assert config.agent.timeout_sec == pair[0].settings.limits.wall_clock_seconds
    assert pair[0].fill_prompt(pair[1]).rstrip() in task.instruction
    for script in ("tests/test.sh", "solution/solve.sh", "environment/serve"):
        assert os.access(exported / script, os.X_OK)


def test_agents_of_our_own_know_its_papers_and_files(tmp_path: Path) -> None:
    """`pincite run --harbor` tells them as `pincite run` does, though the image brings them."""
    family = Catalog().family("figure_analysis")
    task = next(one for one in family.tasks if one.files)
    [folder] = export_harbor([(family, task)], tmp_path / "out", ImageChoice())
    again = as_family(load_task(folder), Network((), ()), {}).tasks[0]
    assert again.paper_names == task.paper_names
    assert [path.name for path in again.files] == [path.name for path in task.files]
    assert again.answer_schema == family.answer_schema(task)


def test_a_family_with_the_workbench_is_refused_and_exported_without_it(tmp_path: Path) -> None:
    """A Harbor container cannot hold the workbench's own sandbox: its calls would all fail where nobody sees why."""
    source = Catalog().folders()["figure_analysis"]
    shutil.copytree(source, tmp_path / "own" / "bench")
    (tmp_path / "own" / "bench" / "records-hard.jsonl").unlink()  # its papers lie elsewhere
    settings = tmp_path / "own" / "bench" / "family.toml"
    plain = settings.read_text()
    settings.write_text(
        plain.replace('"figures"]', '"figures", "workbench"]').replace('"figure_analysis"', '"bench"', 1)
    )
    task = load_family(tmp_path / "own" / "bench").tasks[0].task_id
    words = ["export", "bench", str(tmp_path / "out"), "--tasks", str(tmp_path / "own"), "--format", "harbor"]
    refused = CliRunner().invoke(app, [*words, "--task", task])
    assert isinstance(refused.exception, BadInputError)
    assert "--without workbench" in refused.exception.next
    assert not (tmp_path / "out").exists()
    done = CliRunner().invoke(app, [*words, "--task", task, "--without", "workbench"])
    assert done.exit_code == 0, done.output
    [folder] = [path for path in (tmp_path / "out").iterdir() if path.is_dir()]
    servers = load_task(folder).config.environment.mcp_servers
    assert [server.name for server in servers] == ["documents", "figures"]


def test_harbor_itself_accepts_it(exported: Path) -> None:
    """Where Harbor is installed; its published format is what our own parser holds to elsewhere."""
    program = shutil.which("harbor")
    if program is None:
        assert load_tasks(exported.parent), "our own parser"
        return
    done = subprocess.run([program, "lint", str(exported)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_gold_where_the_agent_looks(exported: Path, pair: tuple[Family, Task]) -> None:
    quotes = [one["location"]["evidence"] for one in pair[1].gold["properties"]]
    evidence = next(quote for quote in quotes if "\t" not in quote).encode()
    assert evidence in (exported / "tests" / "family" / "records.jsonl").read_bytes()
    holding = [path for path in exported.rglob("*") if path.is_file() and evidence in _content(path)]
    assert {path.relative_to(exported).parts[0] for path in holding} == {"tests", "solution"}
    names = zipfile.ZipFile(next(exported.rglob("*.whl"))).namelist()
    assert "pincite_harness/curation/exporting/verify.py" in names
    assert not [name for name in names if "gold.json" in name or "records.jsonl" in name or "/tasks/" in name]


def _content(path: Path) -> bytes:
    if path.suffix != ".whl":
        return path.read_bytes()
    archive = zipfile.ZipFile(path)
    return b"".join(archive.read(name) for name in archive.namelist())


@pytest.mark.parametrize(
    ("network", "environment", "agent", "verifier"),
    [
        ("agent-sealed", "public", "no-network", "no-network"),
        ("sealed", "no-network", None, "no-network"),
        ("public", "public", None, "public"),
    ],
)
def test_networks(
    pair: tuple[Family, Task],
    tmp_path: Path,
    network: Any,
    environment: str,
    agent: str | None,
    verifier: str,
) -> None:
    [folder] = export_harbor([pair], tmp_path / "out", ImageChoice(network=network))
    config = load_task(folder).config
    assert (config.environment.network_mode, config.agent.network_mode) == (environment, agent)
    assert config.verifier.environment is not None
    assert config.verifier.environment.network_mode == verifier


def partly(pair: tuple[Family, Task]) -> bytes:
    """A part of the ideal answer with a wrong value and a wrong quote."""
    ideal = get_scorer(pair[0].settings.scorer).ideal(pair[1].gold)
    part = {"properties": [dict(one) for one in ideal["properties"][:7]]}
    part["properties"][0]["value_string"] = "123456"
    part["properties"][1]["location"] = {**part["properties"][1]["location"], "evidence": "never said"}
    return orjson.dumps(part)


def expected(pair: tuple[Family, Task], data: bytes) -> dict[str, Any]:
    """The score that a trial of pincite's own would have."""
    family, task = pair
    marker = Marker([task], ScoringOptions())
    try:
        answer = check_answer(data, family.answer_schema(task), family.settings.answer)
        return marker.mark(family, task, answer.value) | {"fault": answer.fault}
    finally:
        marker.close()


def check_rewarded(logs: Path, score: dict[str, Any]) -> None:
    """One reward, for Harbor makes zeros of what only some tasks have, and the whole score beside it."""
    assert read_json(logs / "reward.json") == {"reward": score["metrics"]["f1_0.1%"]}
    assert read_json(logs / "score.json") == score


def test_what_is_no_answer_is_scored_as_ours(exported: Path, pair: tuple[Family, Task], tmp_path: Path) -> None:
    data = b"{"
    (tmp_path / "answer.json").write_bytes(data)
    assert verify([str(exported / "tests" / "family"), str(tmp_path / "answer.json"), str(tmp_path)]) == 0
    check_rewarded(tmp_path, expected(pair, data))


def test_the_script_gives_the_reward(exported: Path, pair: tuple[Family, Task], tmp_path: Path) -> None:
    """tests/test.sh itself, with its absolute places moved into a folder."""
    data = partly(pair)
    (tmp_path / "answer.json").write_bytes(data)
    script = (exported / "tests" / "test.sh").read_text()
    places = {"/opt/pincite/bin/python": sys.executable, "/tests/": f"{exported}/tests/", "/work/": f"{tmp_path}/"}
    places["/logs/verifier"] = str(tmp_path)
    script = re.sub("|".join(places), lambda found: places[found[0]], script)
    subprocess.run(["/bin/sh", "-c", script], check=True, capture_output=True, timeout=120)
    check_rewarded(tmp_path, expected(pair, data))


def test_the_solution_is_the_ideal(exported: Path, pair: tuple[Family, Task]) -> None:
    ideal = get_scorer(pair[0].settings.scorer).ideal(pair[1].gold)
    assert read_json(exported / "solution" / "answer.json") == ideal
    assert "cp /solution/answer.json /work/answer.json" in (exported / "solution" / "solve.sh").read_text()


@pytest.mark.parametrize("value", [None, float("inf")])
def test_a_reward_that_is_not_defined_is_none(value: float | None) -> None:
    assert reward_of({"scorer": FAMILY, "metrics": {"f1_0.1%": value, "recall": 0.5}}) is None


def test_values_for_inspect_have_the_same_names_for_every_answer() -> None:
    """Inspect takes the names from the first answer; NaN is what it leaves out of its means."""
    names = [metric.name for metric in get_scorer("literature_qa").headline]
    values = headline_values({"scorer": "literature_qa", "metrics": {"accuracy": 1.0, "precision": None, "more": 1.0}})
    assert list(values) == names
    assert values["accuracy"] == 1.0
    assert all(math.isnan(values[name]) for name in names[1:])


def test_wheels_make_the_build_need_no_network(pair: tuple[Family, Task], tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    with pytest.raises(NotFoundError, match="no wheel"):
        export_harbor([pair], tmp_path / "none", ImageChoice(wheels=wheels))
    (wheels / "pip-1-py3-none-any.whl").write_bytes(b"x")
    [folder] = export_harbor([pair], tmp_path / "out", ImageChoice("debian:13", wheels))
    recipe = (folder / "environment" / "Dockerfile").read_text()
    assert "FROM debian:13\n" in recipe
    assert "--no-index --find-links wheels './pincite" in recipe, "the folder decides on versions"
    assert (folder / "environment" / "install" / "wheels" / "pip-1-py3-none-any.whl").read_bytes() == b"x"


def test_what_cannot_be_exported(pair: tuple[Family, Task], tmp_path: Path) -> None:
    from dataclasses import replace

    family, task = pair
    with pytest.raises(BadInputError, match="needs gold"):
        export_harbor([(family, replace(task, gold=None))], tmp_path / "a", ImageChoice())
    (tmp_path / "b" / "x").mkdir(parents=True)
    with pytest.raises(BadInputError, match="not empty"):
        export_harbor([pair], tmp_path / "b", ImageChoice())


def test_toml_says_what_was_meant() -> None:
    values: dict[str, Any] = {
        "plain": "a",
        "odd key": 'quote " backslash \\ tab \t del \x7f emoji 😀 line\nend',
        "number": 1.5,
        "whole": 3,
        "yes": True,
        "list": ["a", "b"],
        "table": {"x": 1, "y z": "w"},
        "none": None,
    }
    assert tomllib.loads(toml_table("[t]", values)) == {"t": {k: v for k, v in values.items() if v is not None}}


@pytest.mark.anyio
async def test_a_made_up_literature_goes_along(tmp_path: Path) -> None:
    """It lies apart from what the agent is shown, and the task's servers see it in place of the web."""
    family = Catalog().family("precedent_search")
    task = family.tasks[0]
    assert task.corpus is not None
    [folder] = export_harbor([(family, task)], tmp_path / "out", ImageChoice())
    assert not (folder / "environment" / "task" / "corpus").exists()
    assert "with_corpus /opt/pincite/corpus" in (folder / "environment" / "serve").read_text()
    assert load_family(folder / "tests" / "family").tasks[0].corpus is not None
    program = ["-P", "-m", "pincite_harness.curation.exporting.with_corpus"]
    words = [*program, str(folder / "environment" / "corpus"), "literature"]
    async with Client(StdioServerParameters(command=sys.executable, args=words, cwd=tmp_path)) as client:
        found = await client.call_tool("search_papers", {"query": str(task.parameters["material"])})
    works = orjson.loads(found.content[0].text)["works"]
    dois = {orjson.loads(line)["doi"] for line in (task.corpus / "works.jsonl").read_bytes().splitlines() if line}
    assert works
    assert {work["doi"] for work in works if work.get("doi")} <= dois


def test_jsonl_is_a_data_set(pair: tuple[Family, Task], tmp_path: Path) -> None:
    family = pair[0]
    export_jsonl([(family, task) for task in family.tasks], tmp_path / "out")
    lines = (tmp_path / "out" / "data" / f"{FAMILY}.jsonl").read_bytes().splitlines()
    rows = [orjson.loads(line) for line in lines]
    assert [row["task_id"] for row in rows] == [task.task_id for task in family.tasks]
    assert len({tuple(row) for row in rows}) == 1, "every row has the same keys"
    for row, task in zip(rows, family.tasks, strict=True):
        assert orjson.loads(row["gold"]) == task.gold
        assert row["prompt"] == family.fill_prompt(task)
        assert row["licence"] == family.settings.licence
        assert all((tmp_path / "out" / path).is_file() for path in row["papers"])
    head = (tmp_path / "out" / "README.md").read_text().split("---\n")[1]
    assert "license: apache-2.0\n" in head
    assert f"path: data/{FAMILY}.jsonl\n" in head
    benchmark = yaml.safe_load((tmp_path / "out" / "eval.yaml").read_text())
    assert benchmark["tasks"] == [{"id": FAMILY, "config": FAMILY, "split": "test"}]
    assert benchmark["description"] == family.settings.title
    types = dict(re.findall(r"  - name: (\w+)\n    (.+)\n", head))
    assert list(types) == list(rows[0]), "a column that is empty in one family has its type all the same"
    assert {key for key, value in rows[0].items() if isinstance(value, list)} == {
        key for key, kind in types.items() if kind.startswith("sequence")
    }


def test_inspect_tasks(pair: tuple[Family, Task], tmp_path: Path) -> None:
    """The file is whole Python with a task a family, and what it scores by is there."""
    export_inspect([pair], tmp_path / "out")
    tree = ast.parse((tmp_path / "out" / "tasks.py").read_text())
    tasks = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and _decorated(node)]
    assert tasks == [FAMILY]
    names = [name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names]
    assert {"score_answer", "headline_values", "leading_metric", "load_family"} <= set(names)
    again = Catalog(tmp_path / "out" / "families").family(FAMILY)
    assert again.tasks[0].gold == pair[1].gold
    assert (tmp_path / "out" / "papers" / FAMILY / TASK / f"{TASK}.pdf").is_file(), "where the servers look"
    assert "inspect eval tasks.py@FAMILY" in (tmp_path / "out" / "README.md").read_text()


def _decorated(node: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "task" for each in node.decorator_list)
