"""compose.yaml starts the servers and runs a trial: built and started for real with Docker."""

import json
import os
import shutil
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from pincite_sandbox.images import DEFAULT_IMAGE
from pincite_sandbox.images.registries import apt_options, apt_sources

ROOT = Path(__file__).parents[2]
PORT_OF_SERVERS = {
    "documents": "PINCITE_DOCUMENTS_PORT",
    "figures": "PINCITE_FIGURES_PORT",
    "literature": "PINCITE_LITERATURE_PORT",
    "databases": "PINCITE_DATABASES_PORT",
    "library": "PINCITE_LIBRARY_PORT",
    "provenance": "PINCITE_PROVENANCE_PORT",
    "materials": "PINCITE_MATERIALS_PORT",
}
FIRST_CALLS = {"documents": "open_paper", "figures": "list_figures"}
"""Calls on a paper; the other servers ask the web, which tests do not."""
TOKEN = "a token of the compose test"

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def compose(
    tmp_path_factory: pytest.TempPathFactory, docker_ready: None, missing: Callable[[str], None]
) -> Iterator[tuple[Path, dict[str, str]]]:
    """The compose project of a test, its images built on the sandbox's base image; all of it is removed after."""
    if not shutil.which("docker") or subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        missing("no compose plugin (as root on Debian: scripts/install-compose)")
    folder = tmp_path_factory.mktemp("compose")
    tag = uuid.uuid4().hex[:8]
    for name in ("papers", "runs"):
        (folder / name).mkdir(mode=0o777)
        (folder / name).chmod(0o777)
    ports = {variable: str(free_port()) for variable in PORT_OF_SERVERS.values()}
    env = os.environ | {
        "COMPOSE_PROJECT_NAME": f"pincite-test-{tag}",
        "PINCITE_IMAGE": f"pincite-test:{tag}",
        "PINCITE_PAPERS": str(folder / "papers"),
        "PINCITE_RUNS": str(folder / "runs"),
        "PINCITE_HTTP_TOKEN": TOKEN,
        **ports,
        "DOCKER_BUILDKIT": "0",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    build(env)
    yield folder, env
    run(["docker", "compose", "--profile", "trial", "down", "--volumes", "--timeout", "5"], env)
    run(["docker", "image", "rm", env["PINCITE_IMAGE"], f"{env['PINCITE_IMAGE']}-base"], env)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def build(env: dict[str, str]) -> None:
    """Build the image on the sandbox's base, which comes from Debian's packages, with this machine's pip settings."""
    base = f"{env['PINCITE_IMAGE']}-base"
    sources = "\\n".join(apt_sources()[1])
    options = "".join(f"{option};\\n" for option in apt_options())
    recipe = (
        f"FROM {DEFAULT_IMAGE}\nUSER root\nRUN printf '{sources}\\n' > /etc/apt/sources.list"
        f" && printf '{options}' > /etc/apt/apt.conf.d/99here"
        " && apt-get update -qq && apt-get install -y -qq python3-venv\n"
    )
    run(["docker", "build", "--network", "host", "-t", base, "-"], env, recipe)
    run(["docker", "build", "--network", "host", "--build-arg", f"BASE={base}", "-t", env["PINCITE_IMAGE"], "."], env)


def run(command: list[str], env: dict[str, str], text: str | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=ROOT, env=env, input=text, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_every_server_has_a_container_of_its_own(compose: tuple[Path, dict[str, str]]) -> None:
    _, env = compose
    services = json.loads(run(["docker", "compose", "--profile", "trial", "config", "--format", "json"], env).stdout)
    commands = {name: service["command"] for name, service in services["services"].items()}
    assert commands.pop("trial")[:2] == ["run", "property_extraction"]
    assert {command[1] for command in commands.values()} == set(PORT_OF_SERVERS) == set(commands)


async def test_servers_answer_over_http(compose: tuple[Path, dict[str, str]]) -> None:
    folder, env = compose
    paper = next((ROOT / "tasks/property_extraction/papers").glob("*.pdf"))
    shutil.copy2(paper, folder / "papers")
    run(["docker", "compose", "up", "--detach", "--no-build", "--wait", "--wait-timeout", "90"], env)
    for name, variable in PORT_OF_SERVERS.items():
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http,
            Client(streamable_http_client(f"http://127.0.0.1:{env[variable]}/mcp", http_client=http)) as client,
        ):
            assert (await client.list_tools()).tools
            if name in FIRST_CALLS:
                opened = await client.call_tool(FIRST_CALLS[name], {"paper": paper.name})
                assert not opened.is_error, opened.content


async def test_the_image_answers_over_stdio_as_the_registry_starts_it(
    compose: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    _, env = compose
    run([sys.executable, str(ROOT / "scripts/build-bundles"), str(tmp_path / "bundles")], env)
    packages = json.loads((tmp_path / "bundles/server.json").read_text())["packages"]
    (package,) = [package for package in packages if package["registryType"] == "oci"]
    papers = str(ROOT / "tasks/property_extraction/papers")
    options = [
        part
        for argument in package["runtimeArguments"]
        for part in (argument["name"], argument["value"].replace("{papers}", papers))
    ]
    words = [argument["value"] for argument in package["packageArguments"]]
    command = ["run", "-i", "--rm", "--network", "none", *options, env["PINCITE_IMAGE"], *words]
    async with Client(StdioServerParameters(command="docker", args=command)) as client:
        assert (await client.list_tools()).tools
        asked = {"paper": "ybco_oxygen.pdf", "quotes": ["a Néel temperature of 412(5) K"]}
        verified = await client.call_tool("verify_quotes", asked)
    assert '"stands":true' in str(verified.content)


def test_the_trial_profile_ends_in_scored_trials(compose: tuple[Path, dict[str, str]]) -> None:
    folder, env = compose
    run(["docker", "compose", "--profile", "trial", "run", "--rm", "trial"], env)
    scores = [json.loads(path.read_text()) for path in folder.glob("runs/*/trials/*/score.json")]
    assert len(scores) >= 8
    assert {score["status"] for score in scores} == {"scored"}
