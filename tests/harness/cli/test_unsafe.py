"""Without Docker and bubblewrap only pincite's own programs run, unless a user says that it may be unsafe."""

import json

import pytest
from typer.testing import CliRunner

from pincite_core.errors import UnavailableError
from pincite_harness.cli.main import app


@pytest.fixture
def run(monkeypatch, tmp_path):
    """``run(agent, *words)`` in a folder of its own, on a machine that has neither; the records of its trials."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def run(agent: str, *words: str) -> list[dict[str, object]]:
        command = ["run", "property_extraction", "--agent", agent, "--task", "ybco_oxygen", "--name", "one", *words]
        result = CliRunner().invoke(app, command, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return [json.loads(path.read_text()) for path in tmp_path.glob("runs/one/trials/*/trial.json")]

    return run


@pytest.fixture
def own_agent(tmp_path) -> str:
    path = tmp_path / "agent.py"
    path.write_text("open('answer.json', 'w').write('{\"properties\": []}')")
    return str(path)


def test_the_main_job_runs_on_a_fresh_machine(run) -> None:
    (trial,) = run("nop")
    assert trial["sandbox"]["backend"] == "process"
    assert any("within the agent's reach" in warning for warning in trial["sandbox"]["warnings"])


def test_another_agent_is_refused_before_anything_is_started(run, own_agent, tmp_path) -> None:
    with pytest.raises(UnavailableError, match="--unsafe"):
        run(own_agent)
    assert not (tmp_path / "runs").exists()


def test_another_agent_runs_when_it_may_be_unsafe(run, own_agent) -> None:
    (trial,) = run(own_agent, "--unsafe")
    assert trial["status"] == "completed"
    assert trial["sandbox"]["backend"] == "process"
