"""``pincite sandbox check`` tries sandboxes for real, and ``lint`` reads what a user describes."""

import json
import re

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError, UnavailableError
from pincite_harness.cli.main import app


@pytest.fixture(autouse=True)
def no_docker(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")


def check(*words: str):
    return CliRunner().invoke(app, ["sandbox", "check", *words], env={"COLUMNS": "200"})


def test_what_holds_is_shown_by_groups_through_the_real_doors(bubblewrap_ready) -> None:
    result = check("--only", "relay", "--only", "configuration")
    assert result.exit_code == 0, result.output
    assert "docker: does not work. No Docker daemon was found." in result.output
    assert re.search(r"the doors, and what the relay can be talked into +│ +\d+ │ +0 │ +0 │", result.output)
    assert "relay-socks5" not in result.output


def test_a_plain_process_is_said_to_be_open_and_ends_with_an_error() -> None:
    result = check("--sandbox", "process", "--only", "kernel")
    assert result.exit_code == 1
    assert re.search(r"open +│ unfiltered", result.output), result.output


def test_every_probe_can_be_listed_and_had_as_json(bubblewrap_ready) -> None:
    result = check("--sandbox", "bubblewrap", "--only", "configuration", "--all")
    assert re.search(r"held +│ docker-socket", result.output), result.output
    (said,) = json.loads(check("--sandbox", "bubblewrap", "--only", "configuration", "--json").stdout)
    assert said["works"]
    assert said["counts"]["open"] == 0
    assert {"group", "name", "what", "verdict", "detail"} == set(said["probes"][0])


def test_check_of_one_kind_that_does_not_work_fails() -> None:
    result = check("--sandbox", "docker", "--only", "files")
    assert result.exit_code == 1
    assert "scripts/start-docker" in result.output


def test_check_of_auto_says_what_it_passed_over(bubblewrap_ready) -> None:
    result = check("--sandbox", "auto", "--only", "relay")
    assert result.exit_code == 0, result.output
    assert "docker was passed over: No Docker daemon was found." in result.output


def test_build_without_a_daemon_says_how_to_get_one() -> None:
    with pytest.raises(UnavailableError, match="start-docker"):
        CliRunner().invoke(app, ["sandbox", "build"], catch_exceptions=False)


def test_an_unknown_source_is_refused() -> None:
    assert CliRunner().invoke(app, ["sandbox", "build", "--from", "nowhere"]).exit_code == 2


SERVICE = {
    "user": "1000:1000",
    "network_mode": "none",
    "ipc": "private",
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true", "seccomp:profile.json"],
    "read_only": True,
    "mem_limit": "1073741824",
    "pids_limit": 256,
    "cpus": 1.5,
    "tmpfs": ["/work:size=64m"],
}


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"privileged": True}, "privileged"),
        ({"network_mode": None}, "network"),
        ({"pid": "host"}, "namespace"),
        ({"volumes": [{"type": "bind", "source": "/var/run/docker.sock", "target": "/d"}]}, "control socket"),
        ({"volumes": [{"type": "volume", "source": "data", "target": "/d"}]}, "volume"),
        ({"environment": {"OPENAI_API_KEY": "sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa"}}, "key"),
        ({"mem_limit": None}, "limits"),
        ({"read_only": False}, "writable root"),
        ({"cap_add": ["NET_RAW"]}, "capabilities"),
    ],
)
def test_a_composed_service_is_held_against_what_is_sealed(tmp_path, changed, rule) -> None:
    (tmp_path / "sealed.json").write_text(json.dumps({"services": {"agent": SERVICE}}))
    (tmp_path / "not.json").write_text(json.dumps({"services": {"agent": SERVICE | changed}}))
    sealed = CliRunner().invoke(app, ["sandbox", "lint", str(tmp_path / "sealed.json")])
    assert (sealed.exit_code, sealed.output) == (0, "agent: sealed\n")
    found = CliRunner().invoke(app, ["sandbox", "lint", str(tmp_path / "not.json")])
    assert found.exit_code == 1
    assert f"  {rule}: " in found.output
    assert "sk-proj" not in found.output


def test_what_describes_no_container_is_said(tmp_path) -> None:
    runner = CliRunner()
    with pytest.raises(NotFoundError):
        runner.invoke(app, ["sandbox", "lint", str(tmp_path / "none.json")], catch_exceptions=False)
    for text in ("{", "[]", "{}", '[{"Id": "x"}]', "3"):
        (tmp_path / "odd.json").write_text(text)
        if text != "[]":
            with pytest.raises(BadInputError):
                runner.invoke(app, ["sandbox", "lint", str(tmp_path / "odd.json")], catch_exceptions=False)
