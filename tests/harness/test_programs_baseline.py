"""baseline, oracle and nop run as programs; baseline reads the bundled papers through the real documents server."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pincite_papers.pdf.parse import parse_pdf
from pincite_scoring import Case, ScoringOptions, score

REPOSITORY = Path(__file__).parents[2]
FAMILY = REPOSITORY / "tasks" / "property_extraction"
PROGRAMS = REPOSITORY / "harness" / "pincite_harness" / "agents" / "programs"
RECORDS = [json.loads(line) for line in (FAMILY / "records.jsonl").read_text(encoding="utf-8").splitlines()]
START_SECONDS = 60


@pytest.fixture(scope="module")
def documents_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("documents")
    env = {**os.environ, "PINCITE_ROOTS": str(FAMILY / "papers"), "PINCITE_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-m", "pincite_harness", "serve", "documents", "--http", f"127.0.0.1:{port}"]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, env=env, stdout=log, stderr=log) as server:
        try:
            _wait_for(port, server)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("the documents server did not start")


def run_program(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-c", f"import runpy, sys; sys.path.insert(0, {str(PROGRAMS)!r}); "]
    command[-1] += f"runpy.run_path({str(PROGRAMS / f'{name}.py')!r}, run_name='__main__')"
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def write_task(folder: Path, url: str, papers: list[str]) -> None:
    tools = {"documents": {"url": url, "headers": {"Authorization": "Bearer x"}}}
    task = {"task_id": "t", "family": "property_extraction", "papers": papers, "tools": tools, "limits": {}}
    task["answer"] = "answer.json"
    shutil.copyfile(FAMILY / "schema.json", folder / "schema.json")
    (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")


@pytest.mark.parametrize("record", RECORDS, ids=[record["task_id"] for record in RECORDS])
def test_baseline_lies_between_nothing_and_the_gold_and_its_evidence_verifies(
    record: dict[str, Any], documents_url: str, tmp_path: Path
) -> None:
    name = f"{record['task_id']}.pdf"
    write_task(tmp_path, documents_url, [name])
    done = run_program("baseline", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    schema = json.loads((FAMILY / "schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(answer, schema, cls=jsonschema.Draft202012Validator)
    paper = parse_pdf((FAMILY / "papers" / name).read_bytes(), max_pages=20)
    result = score("property_extraction", Case(answer, record["gold"], {name: paper}), ScoringOptions())
    assert result.metrics["evidence_verified"] == 1.0
    assert result.metrics["value_in_quote"] == 1.0
    assert 0 < (result.metrics["f1"] or 0) < 1


def test_baseline_gives_the_same_answer_twice_and_reads_several_papers(documents_url: str, tmp_path: Path) -> None:
    names = [f"{record['task_id']}.pdf" for record in RECORDS[:2]]
    answers: list[bytes] = []
    for attempt in ("one", "two"):
        folder = tmp_path / attempt
        folder.mkdir()
        write_task(folder, documents_url, names)
        assert run_program("baseline", folder).returncode == 0
        answers.append((folder / "answer.json").read_bytes())
    assert answers[0] == answers[1]


def test_baseline_says_in_one_line_what_stopped_it(documents_url: str, tmp_path: Path) -> None:
    def fails(said: str) -> None:
        done = run_program("baseline", tmp_path)
        assert done.returncode == 1
        assert said in done.stderr
        assert not (tmp_path / "answer.json").exists()

    fails("task.json")
    write_task(tmp_path, documents_url, ["absent.pdf"])
    fails("open_paper")
    write_task(tmp_path, "http://127.0.0.1:9/mcp", ["x.pdf"])
    fails("cannot be reached")
    (tmp_path / "task.json").write_text('{"papers": [], "tools": {}, "answer": "answer.json"}')
    fails("offers no documents server")
    (tmp_path / "task.json").write_text('{"papers": [], "tools": {}, "answer": "answer.csv"}')
    fails("wants something else than the properties of materials")
    (tmp_path / "task.json").write_text('{"papers": [], "tools": {}, "answer": "answer.json"}')
    (tmp_path / "schema.json").write_text('{"type": "object"}')
    fails("wants something else than the properties of materials")


def test_baseline_answers_with_what_it_has_when_its_calls_run_out(tmp_path: Path) -> None:
    family = tmp_path / "families" / "property_extraction"
    shutil.copytree(FAMILY, family, ignore=shutil.ignore_patterns("sources", "records-hard.jsonl"))
    settings = (family / "family.toml").read_text(encoding="utf-8")
    (family / "family.toml").write_text(settings.replace("tool_calls = 400", "tool_calls = 3"), encoding="utf-8")
    command = [sys.executable, "-m", "pincite_harness", "run", "property_extraction", "--tasks", str(family.parent)]
    command += ["--task", "ybco_oxygen", "--sandbox", "local", "--out", str(tmp_path), "--name", "limited"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    trial = tmp_path / "limited" / "trials" / "ybco_oxygen__1"
    record = json.loads((trial / "trial.json").read_text(encoding="utf-8"))
    assert (record["status"], record["exit_code"]) == ("limit_reached", 0)
    metrics = json.loads((trial / "score.json").read_text(encoding="utf-8"))["metrics"]
    assert 0 < metrics["f1"] < 1
    assert "the limit of 3 tool calls" in (trial / "agent.log").read_text(encoding="utf-8").casefold()


def test_oracle_answers_the_gold_and_needs_it(tmp_path: Path) -> None:
    gold = {"properties": [{"value_string": "−3 μΩ"}]}
    (tmp_path / "task.json").write_text('{"answer": "answer.json"}', encoding="utf-8")
    (tmp_path / "gold.json").write_text(json.dumps(gold), encoding="utf-8")
    assert run_program("oracle", tmp_path).returncode == 0
    assert json.loads((tmp_path / "answer.json").read_text(encoding="utf-8")) == gold
    (tmp_path / "gold.json").write_text("null")
    assert "no gold answer" in run_program("oracle", tmp_path).stderr
    (tmp_path / "gold.json").unlink()
    done = run_program("oracle", tmp_path)
    assert (done.returncode, done.stderr) == (1, "oracle: there is no gold.json\n")


def test_oracle_writes_a_text_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "task.json").write_text('{"answer": "answer.csv"}', encoding="utf-8")
    (tmp_path / "gold.json").write_text('"a,b\\n1,2\\n"', encoding="utf-8")
    assert run_program("oracle", tmp_path).returncode == 0
    assert (tmp_path / "answer.csv").read_text(encoding="utf-8") == "a,b\n1,2\n"


def test_nop_leaves_an_empty_answer(tmp_path: Path) -> None:
    task = {"answer": "answer.json", "nothing": '{"properties": []}'}
    (tmp_path / "task.json").write_text(json.dumps(task), encoding="utf-8")
    assert run_program("nop", tmp_path).returncode == 0
    assert json.loads((tmp_path / "answer.json").read_text()) == {"properties": []}


def test_nop_leaves_nothing_where_there_is_no_empty_answer(tmp_path: Path) -> None:
    (tmp_path / "task.json").write_text('{"answer": "answer.csv", "nothing": null}', encoding="utf-8")
    assert run_program("nop", tmp_path).returncode == 0
    assert not (tmp_path / "answer.csv").exists()


@pytest.mark.parametrize("program", ["baseline", "oracle", "nop", "replay", "tool_command"])
def test_the_programs_need_the_standard_library_only(program: str) -> None:
    code = f"""
import sys
sys.path.insert(0, {str(PROGRAMS)!r})
import {program}
for name, module in list(sys.modules.items()):
    where = getattr(module, "__file__", None) or ""
    assert "site-packages" not in where, name
"""
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, timeout=60)
