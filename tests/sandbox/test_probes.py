"""Nothing gets out of a sandbox, and every probe that says so gets out where it can."""

import asyncio
import errno
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite_sandbox.base import Limits
from pincite_sandbox.daemon import connect
from pincite_sandbox.guest.relay import Relay
from pincite_sandbox.images import DEFAULT_IMAGE
from pincite_sandbox.local import BOOT, PACKAGE
from pincite_sandbox.mounts import INSIDE
from pincite_sandbox.probes.beacon import Beacon
from pincite_sandbox.probes.bombs import BOMBS
from pincite_sandbox.probes.canary import Canaries, canaries
from pincite_sandbox.probes.check import read_results, run_inside, targets
from pincite_sandbox.probes.configuration import probe_configurations
from pincite_sandbox.probes.doors import OneDoor
from pincite_sandbox.probes.promises import PROMISES
from pincite_sandbox.probes.result import Broken

pytestmark = pytest.mark.anyio


@pytest.fixture
async def beacon() -> AsyncIterator[Beacon]:
    async with Beacon() as beacon:
        yield beacon


@pytest.fixture
def kept():
    with canaries() as kept:
        yield kept


def within_reach(beacon: Beacon, kept: Canaries, folder: Path) -> dict[str, object]:
    """Targets that a probe with this machine's network reaches: the beacon stands for the world."""
    near, near6 = ["127.0.0.1", beacon.port], ["::1", beacon.port]
    by_name = ["localhost", beacon.port]
    (folder / "resolv.conf").write_text("nameserver 127.0.0.1\n")
    (folder / "route").write_text("Iface\tDestination\tGateway\nlo\t00000000\t0100007F\n")
    return targets(beacon, kept) | {
        "public": [near, near, near],
        "public6": near6,
        "mapped": ["::ffff:127.0.0.1", beacon.port],
        "models": [by_name] * 4,
        "name": "localhost",
        "name6": "localhost",
        "resolver": near,
        "resolver6": near6,
        "resolv_conf": str(folder / "resolv.conf"),
        "dns_port": beacon.port,
        "stub": near,
        "docker_dns": near,
        "quic": near,
        "ping": "127.0.0.1",
        "routes": str(folder / "route"),
        "metadata": [near, near6, near, near],
        "machine_name": by_name,
        "metadata_name": by_name,
    }


CAPABILITIES = [
    "CHOWN",
    "DAC_OVERRIDE",
    "DAC_READ_SEARCH",
    "FOWNER",
    "FSETID",
    "KILL",
    "SETGID",
    "SETUID",
    "SETPCAP",
    "LINUX_IMMUTABLE",
    "NET_BIND_SERVICE",
    "NET_BROADCAST",
    "NET_ADMIN",
    "NET_RAW",
    "IPC_LOCK",
    "IPC_OWNER",
    "SYS_MODULE",
    "SYS_RAWIO",
    "SYS_CHROOT",
    "SYS_PTRACE",
    "SYS_PACCT",
    "SYS_ADMIN",
    "SYS_BOOT",
    "SYS_NICE",
    "SYS_RESOURCE",
    "SYS_TIME",
    "SYS_TTY_CONFIG",
    "MKNOD",
    "LEASE",
    "AUDIT_WRITE",
    "AUDIT_CONTROL",
    "SETFCAP",
    "MAC_OVERRIDE",
    "MAC_ADMIN",
    "SYSLOG",
    "WAKE_ALARM",
    "BLOCK_SUSPEND",
    "AUDIT_READ",
]
"""By their numbers; what is newer, SYS_ADMIN has too."""


def held_here() -> list[str]:
    """The capabilities that this machine can give at all: it may itself be a container."""
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    return [name for number, name in enumerate(CAPABILITIES) if int(status["CapBnd"], 16) >> number & 1]


def wide_open(client: Any, *mounts: str, without: Sequence[str] = (), **options: object) -> dict[str, object]:
    """What the linter refuses, all at once: as privileged as this machine allows."""
    disks = [path for path in sorted(Path("/dev").iterdir()) if path.is_block_device()][:1]
    devices = [path for path in (Path("/dev/kmsg"), Path("/dev/net/tun"), *disks) if path.exists()]
    host = client.api.create_host_config(
        binds=[f"{PACKAGE / 'guest'}:{INSIDE}/guest", "/sys:/sys", *mounts],
        cap_add=[name for name in held_here() if name not in without],
        devices=[f"{path}:{path}:rwm" for path in devices],
        security_opt=["seccomp=unconfined", "apparmor=unconfined"],
        **options,
    )
    return {**host, "MaskedPaths": [], "ReadonlyPaths": []}


async def in_container(group: str, aims: dict[str, object], *mounts: str, **options: object) -> dict[str, str]:
    """Run the probes of a group in a container of the image that is anything but sealed; verdict and detail by name."""

    def run() -> bytes:
        client = connect()
        try:
            host = wide_open(client, *mounts, **options)
            command = ["python3", "-I", "-S", "-B", "-c", BOOT, INSIDE, "probe", group, json.dumps(aims)]
            variables = {"http_proxy": "http://192.0.2.1:3128"}
            made = client.api.create_container(
                DEFAULT_IMAGE, command, host_config=host, user="0", environment=variables, tty=True
            )["Id"]
            try:
                client.api.start(made)
                client.api.wait(made, timeout=120)
                return client.api.logs(made)
            finally:
                client.api.remove_container(made, force=True)
        finally:
            client.close()

    lines = (await asyncio.to_thread(run)).replace(b"\r\n", b"\n")
    return {result.name: f"{result.verdict}: {result.detail}" for result in read_results("kernel", lines)}


def not_open(*runs: dict[str, str]) -> dict[str, list[str]]:
    """Probes that got out in none of the runs, but for calls that this machine's kernel does not have."""
    lacking = os.strerror(errno.ENOSYS)
    names = sorted({name for run in runs for name in run})
    said = {name: [run[name] for run in runs if name in run] for name in names}
    return {
        name: details
        for name, details in said.items()
        if not any(detail.startswith("open") or lacking in detail for detail in details)
    }


async def test_nothing_gets_out(isolating_kind, opener, beacon, kept, tmp_path) -> None:
    tmp_path.chmod(0o711)
    doors = OneDoor()
    sandbox = await opener(isolating_kind, doors=await doors.open(tmp_path))
    port = int((await sandbox.door_url("door")).rpartition(":")[2])
    aims = targets(beacon, kept, [port])
    results = [result for group in INSIDE_GROUPS for result in await run_inside(sandbox, group, aims)]
    await doors.close()
    results += await run_inside(sandbox, "dead", aims)
    assert [result for result in results if result.verdict != "held"] == []
    assert beacon.reached == []
    ways_out = [result for result in results if result.group in ("network", "relay")]
    ways_in = [result for result in results if result.group in ("kernel", "files")]
    assert len(ways_out) >= 60
    assert len(ways_in) >= 60


@pytest.mark.docker
@pytest.mark.usefixtures("docker_ready")
async def test_every_probe_of_the_network_gets_out_where_there_is_one(beacon, kept, tmp_path) -> None:
    aims = within_reach(beacon, kept, tmp_path)
    mounts = (f"{tmp_path}:{tmp_path}",)
    private, shared = await asyncio.gather(
        in_container("network", aims, *mounts, pid_mode="host", network_mode="none"),
        # Without what would let it change the machine's own network.
        in_container("network", aims, *mounts, network_mode="host", without=["NET_ADMIN"]),
    )
    missed = not_open(private, shared)
    # This machine may have no vsock: that the call is let through is said all the same.
    assert {name: said for name, said in missed.items() if "vsock is let through" not in said[0]} == {}
    assert beacon.reached


@pytest.mark.docker
@pytest.mark.usefixtures("docker_ready")
async def test_every_probe_of_the_kernel_gets_in_where_nothing_is_shut(beacon, kept) -> None:
    found = await in_container("kernel", targets(beacon, kept), network_mode="none")
    # A descriptor cannot be left open in a container: see the next test but one.
    lacking = set() if "SYS_RESOURCE" in held_here() else {"oom-score"}
    assert set(not_open(found)) - lacking == {"descriptors"}


@pytest.mark.docker
@pytest.mark.usefixtures("docker_ready")
async def test_every_probe_of_files_finds_them_where_they_are_shown(beacon, kept, tmp_path) -> None:
    for name in ("family.toml", "records.jsonl"):
        (tmp_path / name).write_text("x")
    mounts = [f"{path}:{path}" for path in (tmp_path, kept.file.parent, "/var/run/docker.sock")]
    found = await in_container(
        "files", targets(beacon, kept), *mounts, pid_mode="host", ipc_mode="host", network_mode="none"
    )
    agents = list(Path("/sys/fs/cgroup").glob("*/release_agent"))
    there = {"release-agent": bool(agents), "sysrq": Path("/proc/sysrq-trigger").exists()}
    assert set(not_open(found)) == {name for name, is_there in there.items() if not is_there}


async def on_this_machine(group: str, aims: dict[str, object], *left_open: int) -> dict[str, str]:
    command = [sys.executable, "-I", "-S", "-B", "-c", BOOT, str(PACKAGE), "probe", group, json.dumps(aims)]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, pass_fds=left_open)
    said, _ = await process.communicate()
    return {result.name: f"{result.verdict}: {result.detail}" for result in read_results("kernel", said)}


async def test_every_probe_of_the_relay_gets_out_through_an_open_proxy(beacon, kept, tmp_path) -> None:
    async def forward(reader, writer) -> None:
        await reader.read(4096)
        there, back = await asyncio.open_connection("127.0.0.1", beacon.port)
        writer.write(await there.read())
        for end in (writer, back):
            end.close()

    (tmp_path / "door").touch()
    async with await asyncio.start_unix_server(forward, tmp_path / "proxy"):
        relay = Relay(str(tmp_path / "proxy"))
        aims = targets(beacon, kept, [await relay.start()])
        aims |= {"door_paths": [str(tmp_path / "door")], "control_paths": [str(tmp_path / "proxy")]}
        assert not_open(await on_this_machine("relay", aims)) == {}
        assert not_open(await on_this_machine("dead", aims)) == {}
        await relay.close()


async def test_a_descriptor_that_was_left_open_is_found() -> None:
    code = (
        "import sys; sys.path.append(sys.argv[1])\n"
        "from guest.probes.attempt import verdict\nfrom guest.probes.kernel import KERNEL\n"
        "(probe,) = [each for each in KERNEL if each.name == 'descriptors']\n"
        "print(verdict(probe, {})['verdict'])\n"
    )
    with tempfile.TemporaryFile() as file:
        for left_open, expected in (((), b"held\n"), ((file.fileno(),), b"open\n")):
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", code, str(PACKAGE)), stdout=asyncio.subprocess.PIPE, pass_fds=left_open
            )
            assert (await process.communicate())[0] == expected


INSIDE_GROUPS = ("network", "relay", "kernel", "files")
LARGE = Limits(memory_mb=1100, scratch_mb=128, pids=400, cpus=2.0)


@pytest.mark.parametrize("name", ["process-limit", "memory-bomb", "disk-bomb"])
async def test_a_bomb_that_is_not_held_is_told(bubblewrap_ready, opener, name) -> None:
    sandbox = await opener("bubblewrap", limits=LARGE)
    with pytest.raises(Broken):
        await BOMBS[name](sandbox)


async def test_processes_that_live_on_are_told(opener) -> None:
    sandbox = await opener("process")

    async def nothing() -> None:
        return

    end, sandbox.end_processes, sandbox._kill = sandbox.end_processes, nothing, nothing
    try:
        for name in ("hidden-processes", "daemons-left"):
            with pytest.raises(Broken, match="live on"):
                await PROMISES[name](sandbox)
    finally:
        del sandbox._kill
        await end()


@pytest.mark.parametrize("name", ["paths-out", "linked-answers", "special-answers", "huge-answers"])
async def test_an_answer_that_is_let_through_is_told(opener, name) -> None:
    sandbox = await opener("process")

    async def follow(path: str, **_options: int) -> bytes:
        return b"whatever it was"

    sandbox.get = follow
    with pytest.raises(Broken, match="let through"):
        await PROMISES[name](sandbox)


def test_every_misconfiguration_is_refused_and_a_sealed_configuration_is_not() -> None:
    results = list(probe_configurations())
    assert [result for result in results if result.verdict != "held"] == []
    assert len(results) >= 40
