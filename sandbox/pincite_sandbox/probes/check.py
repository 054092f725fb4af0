"""The check: every probe against a sandbox of one kind on this machine."""

import json
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pincite_core.errors import PinciteError

from ..base import Limits, Sandbox, SandboxSpec
from ..choose import SandboxKind, open_sandbox
from ..local import BOOT, PACKAGE
from ..mounts import INSIDE
from ..owner import owner_label
from ..process import SCRATCH_PREFIX
from .beacon import Beacon, machine_addresses
from .bombs import BOMBS, LIMITS
from .canary import Canaries, canaries
from .configuration import probe_configurations
from .doors import Doors, OneDoor
from .promises import PROMISES, Promise
from .result import Broken, Group, Result, Unknown

_INSIDE: tuple[Group, ...] = ("network", "relay", "kernel", "files")
"""Groups of the probes that run inside, while the doors are open."""
GROUPS: tuple[Group, ...] = ("promises", *_INSIDE, "limits", "configuration")
_SHOWN: dict[str, Group] = {"relay": "relay", "dead": "relay", "kernel": "kernel", "files": "files"}
_PROBE_SECONDS = 180
"""Seconds of one probe with all its attempts. Set by judgement."""
_LIMITS = Limits(memory_mb=256, scratch_mb=32, pids=64, cpus=1.0)
_PUBLIC: dict[str, Any] = {
    "public": [["1.1.1.1", 443], ["9.9.9.9", 80], ["8.8.8.8", 22]],
    "public6": ["2606:4700:4700::1111", 443],
    "mapped": ["::ffff:1.1.1.1", 443],
    "models": [["api.anthropic.com", 443], ["api.openai.com", 443], ["generativelanguage.googleapis.com", 443],
               ["github.com", 443]],
    "name": "example.com",
    "name6": "example.com",
    "resolver": ["1.1.1.1", 53],
    "resolver6": ["2606:4700:4700::1111", 53],
    "resolv_conf": "/etc/resolv.conf",
    "dns_port": 53,
    "stub": ["127.0.0.53", 53],
    "docker_dns": ["127.0.0.11", 53],
    "quic": ["1.1.1.1", 443],
    "ping": "1.1.1.1",
    "routes": "/proc/net/route",
    "broadcast": ["255.255.255.255", 67],
    "multicast_port": 5353,
    "metadata": [["169.254.169.254", 80], ["fd00:ec2::254", 80], ["169.254.170.2", 80], ["100.100.100.200", 80]],
    "vsock_cid": 2,
    "vsock_port": 22,
}  # fmt: skip
"""Where a program of the world would go: what each probe of the network aims at."""


def targets(beacon: Beacon, kept: Canaries, ports: Sequence[int] = ()) -> dict[str, Any]:
    """What the probes inside aim at: the world, this machine's beacon and canaries, and the doors at ``ports``."""
    port = beacon.port
    addresses = machine_addresses() or ["127.0.0.1"]
    bridges = [address for address in addresses if address.startswith("172.")]
    return _PUBLIC | {
        "word": beacon.word,
        "abstract": beacon.abstract,
        "machine_port": port,
        "machine": [[address, port] for address in addresses],
        "bridges": [[address, port] for address in bridges or addresses],
        "loopback": ["127.0.0.1", port],
        "loopback6": ["::1", port],
        "machine_name": ["host.docker.internal", port],
        "metadata_name": ["metadata.google.internal", 80],
        "door_ports": list(ports),
        "door_paths": [f"{INSIDE}/doors/{name}" for name in ("0", "0.sock")],
        "control_paths": [f"{INSIDE}/control.sock"],
        "guest": [f"{INSIDE}/guest"],
        "canary": kept.word,
        "secret": kept.secret,
        "canary_files": [str(kept.file)],
        "shared_name": kept.shared_name,
        "shared_key": kept.shared_key,
        "control_sockets": [],
    }


async def probe(
    kind: SandboxKind, image: str = "", runtime: str = "", doors: Doors | None = None, only: Collection[Group] = GROUPS
) -> AsyncIterator[Result]:
    """Every probe of the groups in ``only`` against sandboxes of this kind, as each ends.

    ``doors`` are those that the relay is probed with: the harness's own, say; by default one that answers one word. A
    sandbox that does not come up raises its error.
    """
    prefix = f"{SCRATCH_PREFIX}{owner_label().replace(':', '-')}-"
    if set(only) & {"promises", *_INSIDE}:
        with tempfile.TemporaryDirectory(prefix=prefix) as folder:
            _let_pass(Path(folder))
            opened = doors or OneDoor()
            sockets = await opened.open(Path(folder))
            try:
                async with _opened(kind, image, runtime, _LIMITS, sockets) as sandbox:
                    async for result in _inside(sandbox, opened, list(sockets), only):
                        yield result
            finally:
                await opened.close()
    if "limits" in only:
        async with _opened(kind, image, runtime, LIMITS, {}) as sandbox:
            yield _in_force(sandbox)
            async for result in _kept(sandbox, "limits", BOMBS):
                yield result
    if "configuration" in only:
        for result in probe_configurations():
            yield result


def _let_pass(folder: Path) -> None:
    """The sandbox's user passes through to the door's socket, but cannot list."""
    folder.chmod(0o711)


def _in_force(sandbox: Sandbox) -> Result:
    """Whether the limits that were asked for are in force, as the sandbox found at its start."""
    missing = [warning for warning in sandbox.warnings if "not in force" in warning]
    what = "The limits that were asked for are in force"
    return Result("limits", "in-force", what, "open" if missing else "held", "; ".join(missing))


async def _inside(
    sandbox: Sandbox, doors: Doors, names: Sequence[str], only: Collection[Group]
) -> AsyncIterator[Result]:
    yield Result("promises", "started", "It comes up", "held", "; ".join((sandbox.backend, *sandbox.warnings)))
    if "promises" in only:
        async for result in _kept(sandbox, "promises", PROMISES):
            yield result
    ports = [int((await sandbox.door_url(name)).rpartition(":")[2]) for name in names]
    async with Beacon() as beacon:
        with canaries() as kept:
            aims = targets(beacon, kept, ports) | {"token": doors.token}
            for group in _INSIDE:
                for result in await run_inside(sandbox, group, aims) if group in only else ():
                    yield result
            await doors.close()
            for result in await _with_doors_dead(sandbox, aims) if "relay" in only else ():
                yield result
        if "network" in only:
            reached = "; ".join(beacon.reached[:3])
            yield Result(
                "network", "beacon", "the machine's beacon, as the machine saw it",
                "open" if reached else "held", reached or "nobody has come",
            )  # fmt: skip


@asynccontextmanager
async def _opened(
    kind: SandboxKind, image: str, runtime: str, limits: Limits, doors: Mapping[str, Path]
) -> AsyncGenerator[Sandbox]:
    spec = SandboxSpec("check", owner_label(), doors=doors, limits=limits, image=image, runtime=runtime)
    sandbox = await open_sandbox(kind, spec)
    try:
        yield sandbox
    finally:
        await sandbox.stop()


async def _kept(sandbox: Sandbox, group: Group, promises: Mapping[str, Promise]) -> AsyncIterator[Result]:
    for name, promise in promises.items():
        what = (promise.__doc__ or name).strip().removesuffix(".")
        try:
            await promise(sandbox)
        except Broken as broken:
            yield Result(group, name, what, "open", str(broken))
        except Unknown as unknown:
            yield Result(group, name, what, "unknown", str(unknown))
        except (PinciteError, TimeoutError) as error:
            yield Result(group, name, what, "open", f"the sandbox failed: {error}".replace("\n", " "))
        else:
            yield Result(group, name, what, "held", "")


async def run_inside(sandbox: Sandbox, group: str, aims: Mapping[str, Any]) -> list[Result]:
    """Run the probes of one group inside, as an agent would."""
    folder = str(PACKAGE) if sandbox.backend == "process" else INSIDE
    command = ["python3", "-I", "-S", "-B", "-c", BOOT, folder, "probe", group, json.dumps(aims)]
    result = await sandbox.exec(command, timeout=_PROBE_SECONDS)
    shown: Group = _SHOWN.get(group, "network")
    found = list(read_results(shown, result.stdout))
    if result.exit_code != 0 or not found:
        said = result.stderr.decode("utf-8", "replace")[-300:] or f"exit {result.exit_code}"
        found.append(Result(shown, f"{group}-probes", "all probes of this group have run", "unknown", said))
    return found


def read_results(group: Group, output: bytes) -> Iterator[Result]:
    """What a probe program printed, one result a line."""
    for line in output.splitlines():
        said = json.loads(line)
        yield Result(group, said["name"], said["what"], said["verdict"], said["detail"])


async def _with_doors_dead(sandbox: Sandbox, aims: Mapping[str, Any]) -> list[Result]:
    """With the doors gone nothing answers, and no other way has opened."""
    silent = await run_inside(sandbox, "dead", aims)
    network = await run_inside(sandbox, "network", aims)
    ways = [result for result in network if result.verdict != "held"]
    verdict = "held" if not ways else "open" if any(way.verdict == "open" for way in ways) else "unknown"
    said = "; ".join(f"{way.name}: {way.detail}" for way in ways) or f"{len(network)} ways tried, all closed"
    return [*silent, Result("relay", "doors-dead", "the network, with the doors dead", verdict, said)]
