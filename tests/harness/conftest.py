"""The tool door with a demo server behind it, and clients that reach it over its Unix socket."""

import datetime
import importlib
import secrets
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import orjson
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from pincite_doors.door import ToolDoor
from pincite_doors.media import MediaStore
from pincite_doors.meter import ToolMeter
from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic, TrafficLimits
from pincite_doors.upstream import ServerLaunch
from pincite_harness.agents.agent import Agent, Program
from pincite_tasks.family import ToolFilter

PROGRAMS = Path(__file__).parent / "programs"
REPOSITORY = Path(__file__).parents[2]
SCHEMA = REPOSITORY / "tasks" / "property_extraction" / "schema.json"
DOOR = REPOSITORY / "harness" / "pincite_harness" / "agents" / "programs" / "door.py"
EMPTY_GOLD: dict[str, Any] = {"properties": []}


@pytest.fixture(scope="session")
def program() -> Iterator[Callable[[str], ModuleType]]:
    """A function that imports a module of the agents' programs as it is imported inside a sandbox."""
    sys.path.insert(0, str(DOOR.parent))
    yield importlib.import_module
    sys.path.remove(str(DOOR.parent))


@dataclass
class DoorRig:
    """An open tool door: its trial folder, token and socket."""

    door: ToolDoor
    folder: Path
    token: str
    socket: Path

    @asynccontextmanager
    async def client(
        self, server: str = "demo", *, mode: Any = "auto", token: str | None = None
    ) -> AsyncGenerator[Client]:
        headers = {"Authorization": f"Bearer {token or self.token}"}
        transport = httpx2.AsyncHTTPTransport(uds=str(self.socket))
        async with httpx2.AsyncClient(transport=transport, headers=headers, timeout=60) as http:
            url = f"http://127.0.0.1:80/mcp/{server}"
            async with Client(streamable_http_client(url, http_client=http), mode=mode, cache=None) as client:
                yield client

    def wire(self) -> list[dict[str, Any]]:
        return [orjson.loads(line) for line in (self.folder / "wire" / "mcp.jsonl").read_bytes().splitlines()]


OpenDoor = Callable[..., AbstractAsyncContextManager[DoorRig]]


@pytest.fixture
def sockets() -> Iterator[Path]:
    """A folder whose path is short enough for a Unix socket."""
    with tempfile.TemporaryDirectory(prefix="pincite-test-") as folder:
        yield Path(folder)


@pytest.fixture
def demo_server() -> ServerLaunch:
    return ServerLaunch("demo", [sys.executable, str(PROGRAMS / "demo_server.py")])


@pytest.fixture
def open_door(tmp_path: Path, sockets: Path, demo_server: ServerLaunch) -> OpenDoor:
    @asynccontextmanager
    async def opened(
        *,
        limit: int = 100,
        filters: dict[str, ToolFilter] | None = None,
        launches: list[ServerLaunch] | None = None,
        traffic: TrafficLimits | None = None,
    ) -> AsyncGenerator[DoorRig]:
        folder = tmp_path / "trial"
        token = secrets.token_urlsafe(16)
        metered = Traffic(traffic)
        recorder = WireRecorder(folder / "wire" / "mcp.jsonl", Redactor([token]), metered)
        media = MediaStore(folder, metered)
        meter = ToolMeter(limit)
        door = ToolDoor(sockets / "tools.sock", token, meter=meter, recorder=recorder, media=media, traffic=metered)
        async with door:
            await door.open(launches or [demo_server], filters or {}, folder / "wire")
            yield DoorRig(door, folder, token, sockets / "tools.sock")

    return opened


@pytest.fixture(scope="session")
def tiny_pdf() -> Path:
    """A small bundled paper."""
    return REPOSITORY / "tasks" / "property_extraction" / "papers" / "ybco_oxygen.pdf"


MakeFamily = Callable[..., Path]


@pytest.fixture
def make_family(tmp_path: Path, write_family: MakeFamily) -> MakeFamily:
    """Writes a family folder under ``tmp_path/families`` and returns it."""
    return partial(write_family, tmp_path)


@pytest.fixture(scope="session")
def write_family(tiny_pdf: Path) -> MakeFamily:
    """Writes a family folder under ``families`` of a folder and returns it."""

    def made(
        parent: Path,
        name: str = "tiny",
        *,
        tasks: int = 1,
        servers: str = '["demo"]',
        limits: str = "wall_clock_seconds = 60\ntool_calls = 5",
        more: str = "",
        gold: Any = EMPTY_GOLD,
    ) -> Path:
        folder = parent / "families" / name
        (folder / "papers").mkdir(parents=True)
        shutil.copyfile(tiny_pdf, folder / "papers" / "a.pdf")
        (folder / "family.toml").write_text(
            f'name = "{name}"\ntitle = "Tiny"\nservers = {servers}\nscorer = "property_extraction"\n'
            "nothing = '{\"properties\": []}'\n"
            f"[limits]\n{limits}\n{more}\n"
        )
        (folder / "prompt.md").write_text("Read these papers:\n\n{{papers}}\n")
        shutil.copyfile(SCHEMA, folder / "schema.json")
        lines = [
            {"task_id": f"t{number}", "inputs": {"papers": ["papers/a.pdf"]}, "gold": gold}
            for number in range(1, tasks + 1)
        ]
        (folder / "records.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
        return folder

    return made


@pytest.fixture
def actor() -> Callable[..., Agent]:
    """An agent that does what the words say; see programs/actor.py."""

    def acting(*words: str, needs_gold: bool = False) -> Agent:
        files = {".agent/actor.py": PROGRAMS / "actor.py", ".agent/door.py": DOOR}
        argv = ("python3", ".agent/actor.py", *words)
        return Program("actor", "1", argv, files, needs_gold=needs_gold)

    return acting


@pytest.fixture
def servers(demo_server: ServerLaunch) -> dict[str, Any]:
    return {"demo": demo_server.argv}


@pytest.fixture(params=["process", "bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox_kind(request: pytest.FixtureRequest) -> str:
    """Every backend that is here."""
    if request.param != "process":
        request.getfixturevalue(f"{request.param}_ready")
    return request.param


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate, with its key in the same file, for ``localhost`` and the sites of tests."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "papers.example")])
    start = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName(name) for name in ("localhost", "papers.example", "*.papers.example", "other.example")]
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(start - datetime.timedelta(days=1))
        .not_valid_after(start + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "site.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture(scope="session")
def desk_window(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The module ``desk_window``."""
    return module_at(REPOSITORY / "tests" / "harness" / "desk_window.py")


@pytest.fixture(scope="session")
def browsing(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The module ``browser``."""
    return module_at(REPOSITORY / "tests" / "browser.py")


@pytest.fixture(scope="session")
def browser(browsing: ModuleType, missing: Callable[[str], None], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A headless Chromium."""
    program = browsing.chromium()
    if program is None:
        missing(f"no Chromium ({browsing.INSTALL})")
    with browsing.Browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def faults_in_desk(desk_window: ModuleType, browser: Any, tmp_path: Path) -> Callable[[Path], list[str]]:
    """A function that opens all steps of a trial's folder in the desk, as a reader would: what is missing or broken."""

    def faults(trial: Path) -> list[str]:
        run = desk_window.as_run(trial, tmp_path / "shown")
        with desk_window.open_desk(run) as desk:
            return desk_window.look_through(browser, desk, 0, desk.site.run(0).document.trials[0])

    return faults
