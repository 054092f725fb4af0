"""pincite run, resume, score and tasks as a person calls them: real processes, real folders."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.cli.main import main
from pincite_tasks.files import read_json

REPOSITORY = Path(__file__).parents[2]
PINCITE = [sys.executable, "-P", "-m", "pincite_harness"]
SLOW = "import time; print('begun', flush=True); time.sleep(120)"
GOLD = {
    "material_or_system": "YBa2Cu3O6.93",
    "property_name": "critical temperature",
    "value_string": "93",
    "value_unit": "K",
    "location": {"page": 1, "source_type": "text", "evidence": "words that stand nowhere"},
}

Pincite = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def pincite(tmp_path: Path) -> Pincite:
    def called(*words: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        command = [*PINCITE, *map(str, words)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return called


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pincite:
    """The same without a process of its own, which is faster."""
    monkeypatch.chdir(tmp_path)

    def called(*words: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        argv = ["pincite", *map(str, words)]
        monkeypatch.setattr(sys, "argv", argv)
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert (ended.value.code or 0) == code, out + err
        return subprocess.CompletedProcess(argv, code, out, err)

    return called


@pytest.fixture
def family(make_family: Any) -> Path:
    """Two tasks without a server, which would take a second to start in every trial."""
    return make_family(tasks=2, servers="[]")


def started(words: list[str], folder: Path, until: Callable[[], bool]) -> subprocess.Popen[str]:
    """A pincite in the background, once ``until`` holds."""
    process = subprocess.Popen(
        [*PINCITE, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    deadline = time.monotonic() + 60
    while not until():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def log_has(path: Path, word: str) -> Callable[[], bool]:
    return lambda: path.is_file() and word in path.read_text()


def test_run_then_resume_then_score(pincite: Pincite, here: Pincite, make_family: Any, tmp_path: Path) -> None:
    family = make_family(tasks=3, servers='["documents"]')
    sample = ("--sample", "2", "--seed", "1")
    words = ("--agent", "nop", "--sandbox", "local", "--name", "one", "-n", "2")
    done = pincite("run", "tiny", "--tasks", family, *sample, *words)
    run = tmp_path / "runs" / "one"
    assert "[2/2]" in done.stdout
    drawn = "Sample: 2 of 3 tasks of tiny, seed 1"
    assert drawn in done.stdout
    assert drawn in (run / "report.html").read_text()
    assert read_json(run / "report.json")["families"]["tiny"]["runs"]["one"]["sample"] == drawn
    assert "report.html" in done.stdout
    assert (run / "report.html").stat().st_size > 1000
    document = read_json(run / "run.json")
    assert document["trials"] == ["t1__1", "t3__1"]
    names = {name.partition("/")[0] for name in document["lock"]["digests"]}
    assert names == {"agent", "family", "task", "paper"}
    before = {path: path.stat().st_mtime_ns for path in run.glob("trials/*/*.json")}
    assert len(before) == 8

    pincite("resume", run)
    assert {path: path.stat().st_mtime_ns for path in before} == before, "finished trials stay"

    assert "2 trials scored" in here("score", run, "--compat", "reference").stdout
    assert read_json(run / "trials" / "t1__1" / "score.json")["compat"] == "reference"
    assert read_json(run / "run.json")["specification"]["compat"] == "reference"

    assert "a run in" in here("run", "tiny", "--tasks", family, "--name", "one", code=2).stderr


def test_what_a_run_was_started_with_must_stay(here: Pincite, family: Path, tmp_path: Path) -> None:
    here("run", "tiny", "--tasks", family, "--agent", "nop", "--sandbox", "local", "--task", "t1", "--name", "one")
    run = tmp_path / "runs" / "one"
    (run / "trials" / "t1__1" / "trial.json").unlink()
    records = (family / "records.jsonl").read_bytes()
    changed = records.replace(orjson.dumps({"properties": []}), orjson.dumps({"properties": [GOLD]}))
    (family / "records.jsonl").write_bytes(changed)
    assert "task/tiny/t1" in here("resume", run, code=2).stderr

    (family / "records.jsonl").write_bytes(records)
    here("resume", run)
    assert read_json(run / "trials" / "t1__1" / "score.json")["metrics"]["n_gold"] == 0

    (family / "records.jsonl").write_bytes(changed)
    assert "changed since the run: task/tiny/t1" in here("score", run).stdout
    score = read_json(run / "trials" / "t1__1" / "score.json")
    assert (score["metrics"]["n_gold"], score["metrics"]["f1"]) == (1, 0)

    broken = orjson.dumps({"properties": [{"value_string": "93"}]})
    (family / "records.jsonl").write_bytes(records.replace(orjson.dumps({"properties": []}), broken))
    assert "1 failed" in here("score", run, code=1).stdout
    assert read_json(run / "trials" / "t1__1" / "score.json")["status"] == "unscored", "no old score under new gold"

    paper = family / "papers" / "a.pdf"
    paper.write_bytes(paper.read_bytes() + b"\n%")
    assert "paper/tiny/t1/a.pdf" in here("score", run, code=2).stderr


def test_an_own_paper_and_an_own_agent(here: Pincite, tiny_pdf: Path, tmp_path: Path) -> None:
    """No gold: unscored with the reason, while the evidence is still checked."""
    agent = tmp_path / "mine.py"
    agent.write_text(f"open('answer.json', 'w').write({orjson.dumps({'properties': [GOLD]}).decode()!r})")
    words = ("--paper", tiny_pdf, "--agent", agent, "--unsafe", "--sandbox", "local", "--name", "mine")
    here("run", "property_extraction", *words)
    trial = tmp_path / "runs" / "mine" / "trials" / "ad-hoc__1"
    score = read_json(trial / "score.json")
    assert score["status"] == "unscored"
    assert score["reason"]
    assert score["metrics"]["evidence_verified"] == 0
    assert read_json(trial / "trial.json")["agent"] == "mine"


def test_a_failed_trial_is_exit_code_1(here: Pincite, family: Path, tmp_path: Path) -> None:
    agent = tmp_path / "broken.py"
    agent.write_text("raise SystemExit(7)")
    done = here(
        "run",
        "tiny",
        "--tasks",
        family,
        "--agent",
        agent,
        "--unsafe",
        "--task",
        "t1",
        "--name",
        "b",
        "--sandbox",
        "local",
        code=1,
    )
    assert "agent_failed" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["property_extraction", "--judge", "m"], 2, "does not name the model's provider"),
        (["property_extraction", "--paper", "x.pdf", "--task", "t"], 2, "--task cannot choose one"),
        (["property_extraction", "--paper", "gone.pdf"], 1, "There is no paper"),
        (["property_extraction", "--agent", "magic"], 2, "no agent 'magic'"),
        (["property_extraction", "--agent", "gone.py"], 1, "no agent program"),
        (["nothing"], 1, "no task family 'nothing'"),
        (["property_extraction", "--task", "gone"], 1, "There is no task gone"),
        (["property_extraction", "--sandbox", "vm"], 2, "vm"),
        (["property_extraction", "-n", "0"], 2, "equal to 1"),
        (["property_extraction", "--limit", "6"], 2, "for so many tasks: --sample 6"),
        (["property_extraction", "--limit", "pages=6"], 2, "There are wall_clock_seconds, tool_calls"),
        (["property_extraction", "--limit", "tokens=few"], 2, "The limit tokens is not a number"),
        (["property_extraction", "--sample", "2", "--task", "t"], 2, "--sample cannot choose among them"),
        (["property_extraction", "--parameter", "x=y", "--sample", "2"], 2, "--sample cannot choose one"),
        (["property_extraction", "--seed", "2"], 2, "Add --sample N"),
        (["literature_qa", "--parameter", "question"], 2, "--parameter NAME=VALUE"),
    ],
)
def test_what_cannot_be_run_is_said_before_anything_is_made(
    here: Pincite, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    assert said in here("run", *words, code=code).stderr
    assert not (tmp_path / "runs").exists()


def words_for(family: Path, agent: Path) -> list[str]:
    """The command line of a run called ``one`` of a program in the local sandbox."""
    program = ["--agent", str(agent), "--unsafe", "--sandbox", "local"]
    return ["run", "tiny", "--tasks", str(family), *program, "--name", "one"]


def test_one_harness_at_a_time(here: Pincite, family: Path, tmp_path: Path) -> None:
    agent = tmp_path / "slow.py"
    agent.write_text(SLOW)
    run = tmp_path / "runs" / "one"
    words = words_for(family, agent)
    first = started(words, tmp_path, log_has(run / "trials" / "t1__1" / "agent.log", "begun"))
    try:
        assert f"process {first.pid}" in here("resume", run, code=1).stderr
        assert "Another pincite" in here("score", run, code=1).stderr
    finally:
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=30)


def test_trials_that_failed_of_an_outage_can_be_run_again(here: Pincite, family: Path, tmp_path: Path) -> None:
    """No Docker at first: every trial fails; what it left is kept when it is run again."""
    words = ["--tasks", str(family), "--agent", "nop", "--sandbox", "docker", "--name", "one", "--retries", "0"]
    nowhere = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    command = [*PINCITE, "run", "tiny", *words]
    failed = subprocess.run(command, cwd=tmp_path, env=nowhere, capture_output=True, text=True, timeout=120)
    assert failed.returncode == 1
    assert failed.stdout.count("sandbox_failed") >= 2
    run = tmp_path / "runs" / "one"
    document = read_json(run / "run.json")
    document["specification"]["sandbox"] = "local"
    (run / "run.json").write_bytes(orjson.dumps(document))
    before = (run / "trials" / "t1__1" / "trial.json").read_bytes()

    here("resume", run, code=1)
    assert (run / "trials" / "t1__1" / "trial.json").read_bytes() == before, "a failed trial is a finished one"
    here("resume", run, "--outages")
    assert read_json(run / "trials" / "t1__1" / "trial.json")["status"] == "completed"
    assert (run / "trials" / "t1__1" / "retries" / "1" / "trial.json").read_bytes() == before


def test_a_bad_folder_is_told_and_can_be_mended(here: Pincite, family: Path, tmp_path: Path) -> None:
    """A file stands where a trial's folder belongs, as after a strange hand; the other trial is run and reported."""
    words = ("--tasks", family, "--agent", "nop", "--sandbox", "local", "--name", "one")
    here("run", "tiny", *words)
    run = tmp_path / "runs" / "one"
    for name in ("t1__1", "t2__1"):
        shutil.rmtree(run / "trials" / name)
    (run / "trials" / "t1__1").write_text("in the way")
    told = here("resume", run, code=1).stdout
    assert "t1__1 failed (sandbox_failed)" in told
    assert "FileExistsError" in told
    assert read_json(run / "trials" / "t2__1" / "trial.json")["status"] == "completed"
    (run / "trials" / "t1__1").unlink()
    here("resume", run)
    assert read_json(run / "trials" / "t1__1" / "trial.json")["status"] == "completed"


def test_damaged_trials_are_told_of_and_passed_over(here: Pincite, family: Path, tmp_path: Path) -> None:
    """Half a record, half a score, odd wires: report, score and resume say which and go on."""
    run = tmp_path / "runs" / "one"
    here("run", "tiny", "--tasks", family, "--agent", "nop", "--sandbox", "local", "--name", "one")
    first, second = run / "trials" / "t1__1", run / "trials" / "t2__1"
    (first / "trial.json").write_text('{"name": "t1')
    (second / "score.json").write_text("[1]")
    (second / "wire" / "mcp.jsonl").write_bytes(b'{"kind": "requ\n[1]\n')
    told = here("report", run).stdout
    assert "Damaged: t1__1: " in told
    assert "Damaged: t2__1: " in told
    told = here("score", run, code=1).stdout
    assert "t1__1: " in told
    assert "1 trials scored" in told
    assert read_json(second / "score.json")["status"] == "scored"
    before = (second / "trial.json").read_bytes()
    told = here("resume", run).stdout
    assert "t1__1 is run again" in told
    assert read_json(first / "trial.json")["status"] == "completed"
    assert (first / "retries" / "1" / "trial.json").read_text() == '{"name": "t1'
    assert (second / "trial.json").read_bytes() == before


def test_two_interruptions_end_a_run_that_scores(family: Path, tmp_path: Path) -> None:
    """The process that scores is killed with the run, however busy it is."""
    agent = tmp_path / "agent.py"
    records = [{**GOLD, "value_string": str(number), "category": "other"} for number in range(4000)]
    agent.write_text(f"import json; open('answer.json', 'w').write(json.dumps({{'properties': {records!r}}}))")
    run = tmp_path / "runs" / "one"
    workers: list[int] = []

    def scoring() -> bool:
        commands = {int(path.name): _command(int(path.name)) for path in Path("/proc").glob("[0-9]*")}
        found = {pid: words.split(b"\0") for pid, words in commands.items() if b"marking.worker" in words}
        owners = {pid: int(words[-2]) for pid, words in found.items()}
        workers[:] = [pid for pid, owner in owners.items() if bytes(tmp_path) in _command(owner)]
        return bool(workers)

    process = started(words_for(family, agent), tmp_path, scoring)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    assert process.returncode == 130
    deadline = time.monotonic() + 10
    while any(_command(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if _command(pid)]
    assert run.is_dir()


def _command(pid: int) -> bytes:
    """A process's command line; empty for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_is_clean_and_resumable(
    pincite: Pincite, family: Path, tmp_path: Path, number: signal.Signals
) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(
        "import time\nprint('begun', flush=True)\n"
        "open('answer.json', 'w').write('{\"properties\": []}')\n"
        "time.sleep(0 if open('task.json').read().count('t1') else 120)"
    )
    run = tmp_path / "runs" / "one"
    words = words_for(family, agent)
    process = started(words, tmp_path, log_has(run / "trials" / "t2__1" / "agent.log", "begun"))
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130, out
    assert "stopping" in out
    assert "pincite resume" in out
    assert "Traceback" not in out
    first = run / "trials" / "t1__1" / "trial.json"
    assert read_json(first)["status"] == "completed"
    assert read_json(run / "trials" / "t2__1" / "trial.json")["status"] == "cancelled"

    before = first.stat().st_mtime_ns
    text = (run / "run.json").read_text()
    log = run / "trials" / "t2__1" / "agent.log"
    log.unlink()  # what it says is of the first run
    process = started(["resume", str(run)], tmp_path, log_has(log, "begun"))
    process.send_signal(number)
    process.communicate(timeout=30)
    assert first.stat().st_mtime_ns == before
    assert (run / "run.json").read_text() == text


def test_a_second_interruption_ends_it_at_once(make_family: Any, tmp_path: Path) -> None:
    """A server that does not stop holds up the clean-up of the first; the reaper ends it later."""
    family = make_family(servers='["documents"]')
    agent = tmp_path / "slow.py"
    agent.write_text(SLOW)
    run = tmp_path / "runs" / "one"
    words = words_for(family, agent)
    process = started(words, tmp_path, log_has(run / "trials" / "t1__1" / "agent.log", "begun"))
    servers = [pid for pid in _children(process.pid) if b"serve" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert servers
    for pid in servers:
        os.kill(pid, signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None
    while "stopping" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == 130
    assert not (run / "trials" / "t1__1" / "trial.json").exists(), "not recorded: run again by resume"
    _reap()
    assert not [pid for pid in servers if Path(f"/proc/{pid}").exists() and not _is_zombie(pid)]


def _children(parent: int) -> list[int]:
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found


def _is_zombie(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def _reap() -> None:
    code = "import asyncio; from pincite_sandbox.reaper import reap; asyncio.run(reap())"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_tasks_list_show_validate(here: Pincite, family: Path) -> None:
    listed = here("tasks", "list", "--tasks", family).stdout
    assert "property_extraction" in listed
    assert "tiny" in listed
    shown = here("tasks", "show", "tiny", "--tasks", family).stdout
    assert "t2" in shown
    assert "limits: wall_clock_seconds 60, tool_calls 5, model_calls 200" in shown
    assert "- a.pdf" in here("tasks", "show", "tiny", "t1", "--tasks", family).stdout
    assert '"properties"' not in here("tasks", "show", "tiny", "t1", "--tasks", family).stdout.rpartition("```")[2]
    assert 'gold: {\n  "properties"' in here("tasks", "show", "tiny", "t1", "--gold", "--tasks", family).stdout
    assert "no fault" in here("tasks", "validate", "tiny", "--tasks", family).stdout
    records = (family / "records.jsonl").read_bytes()
    (family / "records.jsonl").write_bytes(
        records.replace(orjson.dumps({"properties": []}), orjson.dumps({"properties": [GOLD]}), 1)
    )
    done = here("tasks", "validate", "tiny", "--tasks", family, code=1)
    assert "t1:" in done.stdout
    assert "does not stand in the paper" in done.stdout

    (family / "schema.json").write_text("{")
    done = here("tasks", "validate", "tiny", "record_filling", "--tasks", family, code=1)
    assert "tiny: not loaded, 1 fault" in done.stdout
    assert "record_filling: 24 tasks, no faults" in done.stdout
    done = here("tasks", "list", "--tasks", family, code=1)
    assert "record_filling" in done.stdout
    assert "schema.json is not JSON" in done.stderr


def test_imported_tasks_run(here: Pincite, tmp_path: Path) -> None:
    """Bundled papers and gold, taken apart and imported as a user's own."""
    bundled = REPOSITORY / "tasks" / "property_extraction"
    records = [orjson.loads(line) for line in (bundled / "records.jsonl").read_bytes().splitlines()][:2]
    (tmp_path / "mine").mkdir()
    lines: list[bytes] = []
    for record in records:
        [paper] = record["inputs"]["papers"]
        (tmp_path / "mine" / Path(paper).name).write_bytes((bundled / paper).read_bytes())
        lines.append(orjson.dumps({"paper": Path(paper).name, "properties": record["gold"]["properties"]}))
    (tmp_path / "gold.jsonl").write_bytes(b"\n".join(lines))
    words = ("tasks", "import", "property_extraction", "--papers", "mine", "--gold", "gold.jsonl", "--out", "my-tasks")
    assert "2 tasks in" in here(*words).stdout
    own = ("property_extraction", "--tasks", "my-tasks")
    assert "no fault" in here("tasks", "validate", *own).stdout
    here("run", *own, "--agent", "oracle", "--sandbox", "local", "--name", "own", "-n", "2")
    scores = [read_json(path) for path in (tmp_path / "runs" / "own").glob("trials/*/score.json")]
    assert [score["metrics"]["f1"] for score in scores] == [1, 1]

    lines[0] = lines[0].replace(b'"evidence":"', b'"evidence":"not so: ', 1)
    (tmp_path / "gold.jsonl").write_bytes(b"\n".join(lines))
    partly = here(*words[:-1], "other")
    assert "does not stand" in partly.stdout + partly.stderr
    assert "1 task in" in partly.stdout
