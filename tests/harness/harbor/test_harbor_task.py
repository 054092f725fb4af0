"""Folders of Harbor tasks: what is read, what is wrong, and what is refused before anything runs."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.agents.registry import get_agent
from pincite_harness.cli.main import app
from pincite_harness.harbor.config import TaskConfig
from pincite_harness.harbor.opening import remarks_of
from pincite_harness.harbor.plan import plan_tasks
from pincite_harness.harbor.support import network_of
from pincite_harness.harbor.task import load_task, load_tasks, strip_canary
from pincite_harness.harbor.templates import fill
from pincite_harness.harbor.verifying import read_rewards
from pincite_harness.runs.specification import RunSpecification
from pincite_tasks.failure import TrialError

SEALED = 'network_mode = "no-network"\n'
ENVIRONMENT = f'[environment]\ndocker_image = "x"\n{SEALED}'


def test_older_keys_mean_what_they_meant() -> None:
    config = TaskConfig.model_validate(
        {
            "version": "1.0",
            "artifacts": ["/app/out"],
            "environment": {"memory": "2G", "storage": "512M", "allow_internet": False},
        }
    )
    assert config.schema_version == "1.0"
    assert (config.environment.memory_mb, config.environment.storage_mb) == (2048, 512)
    assert config.environment.network_mode == "no-network"
    assert [str(artifact.place) for artifact in config.collected] == ["logs/artifacts", "app/out"]


def test_what_is_not_kept_is_told() -> None:
    asked = TaskConfig.model_validate({"environment": {"storage_mb": 512, "skills_dir": "skills"}}).environment
    disk, skills = remarks_of(asked)
    assert "disk is not bounded (the task asks for 512 MB)" in disk
    assert "skills were not given" in skills
    assert len(remarks_of(TaskConfig().environment)) == 1


def test_a_server_is_sse_unless_it_says_otherwise() -> None:
    servers = [{"name": "a", "url": "http://a"}, {"name": "b", "transport": "http", "url": "http://b"}]
    config = TaskConfig.model_validate({"environment": {"mcp_servers": servers}})
    assert [server.transport for server in config.environment.mcp_servers] == ["sse", "streamable-http"]


@pytest.mark.parametrize(
    ("verifier", "separate"),
    [({}, False), ({"environment": {}}, True), ({"environment_mode": "separate"}, True), ({"env": {"A": "b"}}, False)],
)
def test_verifier_mode(verifier: dict[str, Any], separate: bool) -> None:
    assert TaskConfig.model_validate({"verifier": verifier}).verifier.separate is separate


@pytest.mark.parametrize(
    ("toml", "seen"),
    [
        ("[agent]\ntimeout_sec = 0\n", "agent.timeout_sec"),
        ('[task]\nname = "no-org"\n', "org/name"),
        ('artifacts = ["../x"]\n', "leads out"),
        ('artifacts = [{source = "/a", destination = "/b"}]\n', "no relative path"),
        ('[environment]\nallowed_hosts = ["a.org"]\n', "allowlist"),
        ('[[environment.mcp_servers]]\nname = "a"\ntransport = "stdio"\n', "needs a command"),
        ('[verifier]\nenvironment_mode = "shared"\n[verifier.environment]\n', "no environment of its own"),
        ("[agent\n", "not TOML"),
    ],
)
def test_broken_tasks_say_where(write_task: Any, toml: str, seen: str) -> None:
    with pytest.raises(BadInputError) as error:
        load_task(write_task(toml=toml))
    assert seen in str(error.value)


def test_a_task_needs_its_test(write_task: Any) -> None:
    folder = write_task()
    (folder / "tests" / "test.sh").unlink()
    with pytest.raises(NotFoundError, match=r"test\.sh"):
        load_task(folder)


def test_a_folder_without_tasks(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no Harbor task"):
        load_tasks(tmp_path)


def test_canary_lines_are_not_shown() -> None:
    text = "<!-- harbor canary GUID 1 -->\n# CANARY 2\n\n# Title\n\n# canary of the text\n"
    assert strip_canary(text) == "# Title\n\n# canary of the text\n"


@pytest.mark.parametrize(
    ("toml", "files", "reason"),
    [
        (f'{ENVIRONMENT}[[steps]]\nname = "a"\n', {}, "several steps"),
        (f'{ENVIRONMENT}os = "Windows"\n', {}, "Windows"),
        (f"{ENVIRONMENT}gpus = 1\n", {}, "GPU"),
        (f"{ENVIRONMENT}[verifier.environment]\ngpus = 2\n{SEALED}", {}, "verifier.environment: it needs a GPU"),
        (ENVIRONMENT, {"environment/docker-compose.yaml": "services: {}\n"}, "docker-compose.yaml"),
        (f"[environment]\n{SEALED}", {}, "no Dockerfile"),
        (ENVIRONMENT, {"trajectory.json": "{}"}, "begin without a session"),
        (ENVIRONMENT, {".harborignore": "x\n"}, ".harborignore"),
        (f'artifacts = [{{source = "/a", service = "db"}}]\n{ENVIRONMENT}', {}, "other services (db)"),
        (f'{ENVIRONMENT}[[environment.mcp_servers]]\nname = "a"\nurl = "http://localhost:1"\n', {}, "SSE"),
        (
            f'{ENVIRONMENT}[[environment.mcp_servers]]\nname = "a"\ntransport = "http"\nurl = "http://a.org"\n',
            {},
            "outside of the container",
        ),
        (
            f'{ENVIRONMENT}[[environment.mcp_servers]]\nname="a"\ntransport="http"\nurl="http://[::1]:1"\nheaders={{X-Key="1"}}\n',
            {},
            "wants headers (X-Key)",
        ),
        ('[environment]\ndocker_image = "x"\n', {}, "its agent has a public network"),
        (f'{ENVIRONMENT}[verifier]\nnetwork_mode = "public"\n', {}, "its verifier has a public network"),
        (f'{ENVIRONMENT}[agent]\nnetwork_mode = "allowlist"\nallowed_hosts = ["10.0.0.0/8"]\n', {}, "10.0.0.0/8"),
        (f'{ENVIRONMENT}[environment.env]\nKEY = "${{NOT_SET_ANYWHERE}}"\n', {}, "NOT_SET_ANYWHERE"),
    ],
)
def test_what_is_not_run_is_refused(write_task: Any, toml: str, files: dict[str, str], reason: str) -> None:
    folder = write_task(toml=toml, files=files)
    with pytest.raises(BadInputError) as error:
        plan_tasks(folder, None, get_agent("nop"), None)
    assert reason in error.value.seen


def test_every_reason_is_told_at_once(write_task: Any) -> None:
    write_task("one", toml=f"{ENVIRONMENT}gpus = 1\n")
    folder = write_task("two", toml='[environment]\ndocker_image = "x"\n').parent
    with pytest.raises(BadInputError) as error:
        plan_tasks(folder, None, get_agent("oracle"), None)
    for word in ("one: environment: it needs a GPU", "two: its agent", "one, two: there is no solution/solve.sh"):
        assert word in error.value.seen
    assert [one.task.task_id for one in plan_tasks(folder, ["two"], get_agent("nop"), [])] == ["two"]


def test_networks_of_the_phases(write_task: Any) -> None:
    public = load_task(write_task("public", toml='[environment]\ndocker_image = "x"\n'))
    assert network_of(public, ["a.org"]).agent == ("a.org",)
    assert network_of(public, []).verifier == ()
    toml = (
        '[environment]\ndocker_image = "x"\n[agent]\nnetwork_mode = "allowlist"\nallowed_hosts = ["*.b.org"]\n'
        f"[verifier.environment]\n{SEALED}"
    )
    apart = load_task(write_task("apart", toml=toml))
    assert network_of(apart, None).agent == ("*.b.org",)
    assert network_of(apart, None).verifier == ()


def test_variables_come_from_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERE", "yes")
    assert fill({"A": "${HERE}", "B": "${GONE:-no}", "C": "x${HERE}"}, "it") == {"A": "yes", "B": "no", "C": "x${HERE}"}
    with pytest.raises(BadInputError, match="GONE"):
        fill({"A": "${GONE}"}, "it")


@pytest.mark.parametrize(
    ("files", "rewards"),
    [
        ({"reward.txt": " 0.5\n"}, {"reward": 0.5}),
        ({"reward.txt": "0", "reward.json": '{"reward": 1, "f1": 0.25}'}, {"reward": 1.0, "f1": 0.25}),
        ({"reward.json": '{"passed": true}'}, {"passed": 1.0}),
    ],
)
def test_rewards(tmp_path: Path, files: dict[str, str], rewards: dict[str, float]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert read_rewards(tmp_path) == rewards


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "neither"),
        ({"reward.txt": "\n"}, "empty"),
        ({"reward.txt": "good"}, "cannot be read"),
        ({"reward.txt": "nan"}, "no finite number under reward"),
        ({"reward.json": '{"a": NaN}'}, "cannot be read"),
        ({"reward.json": '{"b": "1", "a": 1}'}, "no finite number under b"),
    ],
)
def test_rewards_that_are_none(tmp_path: Path, files: dict[str, str], said: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(TrialError, match=said):
        read_rewards(tmp_path)


def test_a_changed_task_is_another(write_task: Any) -> None:
    folder = write_task()
    specification = RunSpecification(harbor=str(folder), agent="nop")
    [before] = specification.plan([])
    (folder / "tests" / "test.sh").write_text("#!/bin/sh\n")
    [after] = specification.plan([])
    assert before.name == after.name == "t1__1"
    assert before.task.digest() != after.task.digest()


def test_a_sample_of_harbor_tasks(write_task: Any) -> None:
    folders = [write_task(f"t{number}") for number in range(6)]
    folder = folders[0].parent
    drawn = [RunSpecification(harbor=str(folder), agent="nop", sample=n).plan([]) for n in (2, 4)]
    two, four = ([plan.task.task_id for plan in plans] for plans in drawn)
    assert (len(two), len(four)) == (2, 4)
    assert set(two) < set(four)


def test_a_run_needs_one_kind_of_tasks(write_task: Any) -> None:
    for words in ([], ["property_extraction", "--harbor", str(write_task())], ["--harbor", "x", "--sandbox", "local"]):
        assert isinstance(CliRunner().invoke(app, ["run", *words]).exception, BadInputError)
