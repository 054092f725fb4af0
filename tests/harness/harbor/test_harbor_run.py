"""Harbor tasks run for real: their image with our doors, their tests as the score."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pincite_core.errors import BadInputError, UnavailableError
from pincite_harness.agents.agent import Agent, Program
from pincite_harness.harbor.images import ImageSource, prepare_image
from pincite_harness.runs.execution import execute
from pincite_harness.runs.lock import lock_run
from pincite_harness.runs.rescore import rescore
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.plan import TrialPlan
from pincite_sandbox.images import DEFAULT_IMAGE
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_ready")]

PREBUILT = f'docker_image = "{DEFAULT_IMAGE}"\nnetwork_mode = "no-network"\n'
SERVER = Path(__file__).with_name("stdio_server.py")
DOOR = Path(__file__).parents[3] / "harness" / "pincite_harness" / "agents" / "programs" / "door.py"
Run = Callable[..., tuple[TrialRecord, Path]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the first task below a folder with an agent of one shell line, or one that is named; its record and its
    folder."""

    def ran(folder: Path, agent: str | Agent, **more: Any) -> tuple[TrialRecord, Path]:
        name = agent if isinstance(agent, str) else "nop"
        specification = RunSpecification(harbor=str(folder), agent=name, retries=0, **more)
        plans = specification.plan([])
        if isinstance(agent, Agent):
            plans = [_with(plan, agent) for plan in plans]
        document = RunDocument(
            name="r",
            created_at="",
            specification=specification,
            lock=lock_run(plans),
            trials=[plan.name for plan in plans],
        )
        place = RunFolder(tmp_path / "run")
        place.create(document)
        [record] = execute(place, document, plans, Console(quiet=True)).values()
        return record, place.trial(record.name)

    return ran


def _with(plan: TrialPlan, agent: Agent) -> TrialPlan:
    return replace(plan, agent=agent)


def shell(line: str) -> Agent:
    return Program("shell", "1", ("/bin/sh", "-c", line), {".agent/door.py": DOOR})


def test_shared_verifier(write_task: Any, run: Run) -> None:
    """The agent's container is the verifier's: what it left running is there, its brief is not."""
    test = """#!/bin/sh
cd /work
test "$(cat a.txt)" = a || exit 1
test -e task.json -o -e .agent && exit 1
kill -0 "$(cat left.pid)" || exit 1
test "$FROM_TASK$FROM_VERIFIER" = onetwo || exit 1
echo "seen $(whoami)"
echo '{"reward": 0.75, "speed": 2}' > /logs/verifier/reward.json
exit 3
"""
    toml = f"""[environment]
{PREBUILT}workdir = "/work"
[environment.env]
FROM_TASK = "one"
[environment.healthcheck]
command = "test -e tried || {{ touch tried; exit 1; }}"
interval_sec = 0
[verifier.env]
FROM_VERIFIER = "${{NOBODY_SETS_THIS:-two}}"
"""
    agent = shell(
        'cat prompt.md; echo "env $FROM_TASK"; echo hello > /logs/artifacts/x; sleep 300 >log 2>&1 & echo $! >left.pid'
    )
    record, folder = run(write_task(toml=toml, test=test, instruction="# canary 1\n\nSay hello {{twice}}.\n"), agent)
    assert (record.status, record.cause, record.answered) == ("completed", None, True)
    assert list(record.stages) == ["prepare", "start", "agent", "collect", "stop", "validate", "score", "write"]
    score = read_json(folder / "score.json")
    assert (score["status"], score["scorer"]) == ("scored", "harbor")
    assert score["metrics"] == {"reward": 0.75, "speed": 2.0}
    log = (folder / "agent.log").read_text()
    assert "Say hello {{twice}}." in log
    assert "canary" not in log
    assert "env one" in log
    assert "seen root" in (folder / "verifier" / "test-stdout.txt").read_text()
    assert (folder / "artifacts" / "logs" / "artifacts" / "x").read_text() == "hello\n"


def test_separate_verifier(write_task: Any, run: Run) -> None:
    """Only the artifacts reach it: what the agent did to its own container does not."""
    test = """#!/bin/sh
test -e /etc/tampered && exit 1
test -e /work/out/skip.tmp && exit 1
test -e /work/answer.txt && exit 1
cp /work/out/kept.txt /logs/verifier/reward.txt
"""
    toml = """artifacts = [{source = "/work/out", exclude = ["*.tmp"]}, "gone.txt"]
[environment]
workdir = "/work"
network_mode = "no-network"
[verifier]
environment_mode = "separate"
"""
    dockerfile = f"FROM {DEFAULT_IMAGE}\nUSER agent\n"
    agent = shell("mkdir out; echo 0.5 > out/kept.txt; touch out/skip.tmp answer.txt; id -un; touch /etc/tampered")
    record, folder = run(write_task(toml=toml, test=test, files={"environment/Dockerfile": dockerfile}), agent)
    assert record.cause == "agent_failed", "an image's own user may not write to /etc"
    assert "agent" in (folder / "agent.log").read_text()
    assert read_json(folder / "score.json")["metrics"] == {"reward": 0.5}, "a failed agent is verified all the same"
    manifest = {row["source"]: row["status"] for row in read_json(folder / "artifacts" / "manifest.json")}
    assert manifest == {"/logs/artifacts": "empty", "/work/out": "ok", "gone.txt": "empty"}


def test_tests_of_a_solution_that_give_no_reward_are_mended_and_run_again(write_task: Any, run: Run) -> None:
    """The oracle runs the task's solution. A separate verifier needs nothing but the artifacts."""
    apart = (
        '[verifier]\nenvironment_mode = "separate"\n[solution.env]\nVALUE = "5"\n[metadata]\nanswer = "answer.txt"\n'
    )
    toml = f'artifacts = ["/work/answer.txt"]\n[environment]\n{PREBUILT}workdir = "/work"\n{apart}'
    files = {"solution/solve.sh": '#!/bin/sh\necho "$(cat /solution/more)$VALUE" > answer.txt\n', "solution/more": "0."}
    task = write_task(toml=toml, test="#!/bin/sh\necho broken; touch /logs/verifier/more\n", files=files)
    record, folder = run(task, "oracle")
    assert (record.status, record.cause) == ("failed", "scorer_failed")
    assert "neither reward.json nor reward.txt" in str(record.detail)
    assert read_json(folder / "score.json")["status"] == "unscored"
    assert (folder / "verifier" / "test-stdout.txt").read_text() == "broken\n"
    assert (folder / "answer.txt").read_text() == "0.5\n", "what it left is the trajectory's last word"
    assert read_json(folder / "trajectory.json")["steps"][-1]["message"] == "0.5\n"
    (task / "tests" / "test.sh").write_text("#!/bin/sh\ncp /work/answer.txt /logs/verifier/reward.txt\n")
    again = RunFolder(folder.parent.parent)
    done = rescore(again)
    assert (done.scored, done.unscored, done.failed) == (1, 0, 0)
    assert done.notes == ["changed since the run: task/harbor/t1"]
    assert read_json(folder / "score.json")["metrics"] == {"reward": 0.5}
    assert {path.name for path in (folder / "verifier").iterdir()} == {"reward.txt", "test-stdout.txt"}
    mended = again.record("t1__1")
    assert mended is not None
    assert (mended.status, mended.cause, mended.answered) == ("completed", None, True)


def test_a_server_in_the_container_stands_behind_our_door(write_task: Any, run: Run) -> None:
    toml = f"""[environment]
{PREBUILT}workdir = "/work"
[[environment.mcp_servers]]
name = "notes"
transport = "stdio"
command = "python3"
args = ["stdio_server.py"]
"""
    program = (
        "import json, sys; sys.path.insert(0, '.agent'); from door import Door; "
        "server = json.load(open('task.json'))['tools']['notes']; "
        "door = Door(server['url'], server['headers']); door.__enter__(); print(door.text('read_note'))"
    )
    agent = Program("caller", "1", ("python3", "-c", program), {".agent/door.py": DOOR})
    files = {"environment/stdio_server.py": SERVER.read_text(), "environment/note.txt": "a note of the task"}
    record, folder = run(write_task(toml=toml, files=files), agent)
    assert (record.cause, record.detail, record.tool_calls) == (None, None, 1)
    assert "a note of the task" in (folder / "agent.log").read_text()
    assert "a note of the task" in (folder / "trajectory.json").read_text()
    with pytest.raises(BadInputError, match="agent's own container, which is gone"):
        rescore(RunFolder(folder.parent.parent))
    with pytest.raises(BadInputError, match="neither a judge"):
        rescore(RunFolder(folder.parent.parent), {"compat": "reference"})


def test_wall_clock_is_verified_too(write_task: Any, run: Run) -> None:
    folder = write_task(test="#!/bin/sh\ncp /work/part /logs/verifier/reward.txt\n")
    (folder / "task.toml").write_text(f'[agent]\ntimeout_sec = 1\n[environment]\n{PREBUILT}workdir = "/work"\n')
    record, trial = run(folder, shell("echo 0.25 > part; sleep 60"))
    assert (record.status, record.detail) == ("limit_reached", "wall clock: 1 s")
    assert read_json(trial / "score.json")["metrics"] == {"reward": 0.25}


def test_an_environment_that_is_never_healthy(write_task: Any, run: Run) -> None:
    check = '[environment.healthcheck]\ncommand = "echo ill; exit 7"\ninterval_sec = 0\nretries = 2\n'
    toml = f"[environment]\n{PREBUILT}{check}"
    record, _ = run(write_task(toml=toml), "nop")
    assert record.cause == "sandbox_failed"
    assert "exit code 7: ill" in str(record.detail)


def test_a_recipe_that_cannot_be_read_is_no_silent_daemon(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text(f"FROM {DEFAULT_IMAGE}\nBOGUS\n")
    with pytest.raises(UnavailableError) as error:
        prepare_image(ImageSource(tmp_path), None)
    assert "task's image" in error.value.what
    assert "unknown instruction" in error.value.seen or "buildx" in error.value.seen


def test_doors_to_the_web(write_task: Any, run: Run) -> None:
    """The agent and the verifier have doors of their own, each to its own hosts; a server inside is reached inside."""
    toml = f"""[environment]
docker_image = "{DEFAULT_IMAGE}"
workdir = "/work"
[agent]
network_mode = "allowlist"
allowed_hosts = ["papers.example"]
[[environment.mcp_servers]]
name = "inside"
transport = "http"
url = "http://localhost:1234/mcp"
"""
    program = (
        "import json, urllib.request, urllib.error\n"
        "print(json.load(open('task.json'))['tools']['inside']['url'])\n"
        "try: urllib.request.urlopen('http://other.example/')\n"
        "except urllib.error.HTTPError as error: print(error.code)\n"
    )
    ask = (
        "import urllib.request, urllib.error\n"
        "try: urllib.request.urlopen('http://papers.example/')\n"
        "except urllib.error.HTTPError as error: print(error.code)\n"
    )
    test = f'#!/bin/sh\npython3 -c "{ask}" | grep -q 403 && echo 1 > /logs/verifier/reward.txt\n'
    agent = Program("asker", "1", ("python3", "-c", program))
    record, folder = run(write_task(toml=toml, test=test), agent, harbor_network=["other.example"])
    assert record.cause is None, record.detail
    log = (folder / "agent.log").read_text()
    assert "http://localhost:1234/mcp" in log
    assert "403" in log
    assert "other.example" in (folder / "wire" / "web.jsonl").read_text()
    assert "papers.example" in (folder / "wire" / "verifier-web.jsonl").read_text()
    assert read_json(folder / "score.json")["metrics"] == {"reward": 1.0}
