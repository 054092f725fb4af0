"""How a sandbox's container is set up, and how the containers of dead harnesses are found."""

import asyncio
import contextlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docker.types import LogConfig, Mount, Ulimit

from pincite_core.errors import NotFoundError, UnavailableError

from .base import SHOWN, SandboxSpec
from .daemon import SDK_ERRORS, connect
from .local import BOOT, MIB, PACKAGE
from .owner import is_alive, is_out_of_sight, where
from .seccomp import profile

LABEL_OWNER = "pincite.owner"
LABEL_WHERE = "pincite.where"
WORKDIR = "/work"
INSIDE = "/run/pincite"
"""Where the guest programs, the doors' sockets and the control socket are mounted, read-only."""

GVISOR_LINE = "gVisor: install runsc, then: runsc install -- --host-uds=open (it reaches the doors), and restart Docker"

_HOME = "/home/agent"
_SHARED = "rw,noexec,nosuid,nodev,size=64m,nr_inodes=4096,mode=1777"
_FEWEST_FILES, _FILES_A_MIB = 4096, 256
"""Files that scratch space may hold: at least so many, and so many a mebibyte. Set by judgement."""
_BESIDE = 4
"""The home and /tmp have this part of the scratch space each."""
_REMOVAL_SECONDS = 10.0
"""Seconds until a removed container is gone. Set by judgement."""
OPEN_CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETUID")
"""What root of a task's own image needs to be root of its own files and processes: none of them reaches outside."""


@dataclass(frozen=True, slots=True)
class Users:
    """Who runs what inside: process 1 must reach the harness's sockets, the agent must not reach process 1."""

    supervisor: str
    agent: int
    namespace: str
    """"host" where the daemon maps user ids, else empty."""

    @classmethod
    def on(cls, info: Mapping[str, Any]) -> "Users":
        """The users that fit the daemon that describes itself so."""
        options: list[str] = info.get("SecurityOptions") or []
        own, group = os.getuid(), os.getgid()
        # A rootless daemon shows the harness's user as root inside.
        supervisor = "0:0" if any("name=rootless" in option for option in options) else f"{own}:{group}"
        namespace = "host" if any("name=userns" in option for option in options) else ""
        return cls(supervisor=supervisor, agent=1001 if own == 1000 else 1000, namespace=namespace)


def check_runtime(runtime: str, info: Mapping[str, Any]) -> None:
    """NotFoundError when a runtime is asked for that the daemon, which describes itself by ``info``, does not have."""
    there = sorted(info.get("Runtimes") or {})
    if runtime and runtime not in there:
        raise NotFoundError(f"Docker has no runtime {runtime}.", seen=f"runtimes: {', '.join(there)}", next=GVISOR_LINE)


def guest_command(*words: str) -> list[str]:
    """The command line of a guest program inside a container."""
    return ["python3", "-I", "-S", "-B", "-c", BOOT, INSIDE, *words]


def environment() -> dict[str, str]:
    """What every command starts from; shown by ``docker inspect``, so nothing of the trial's is in it."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return {"PATH": path, "HOME": _HOME, "TMPDIR": "/tmp", "USER": "agent", "LANG": "C.UTF-8"}  # noqa: S108


def settings(client: Any, spec: SandboxSpec, image: str, users: Users, control: Path) -> dict[str, Any]:
    """Arguments of the SDK's ``create_container``: everything refused that the agent does not need."""
    binds = {str(PACKAGE / "guest"): f"{INSIDE}/guest", str(control): f"{INSIDE}/control.sock"}
    doors: dict[str, str] = {}
    for number, (name, path) in enumerate(spec.doors.items()):
        doors[name] = f"{INSIDE}/doors/{number}.sock"
        binds[str(path)] = doors[name]
    if spec.shown is not None:
        binds[str(spec.shown)] = SHOWN
    opened = spec.open_image
    config: dict[str, Any] = {"workdir": WORKDIR, "doors": doors, "control_path": f"{INSIDE}/control.sock"}
    config["rules"] = {"whole_namespace": True}
    config["watched"] = [WORKDIR, _HOME, "/tmp", "/dev/shm"]  # noqa: S108
    if opened is not None:
        config |= {"workdir": opened.workdir, "watched": ["/dev/shm"]}  # noqa: S108
    return {
        "image": image,
        "entrypoint": guest_command("supervisor", json.dumps(config)),
        "command": [],
        "user": users.supervisor,
        "working_dir": "/",
        "hostname": "sandbox",
        "environment": environment() if opened is None else {},
        "labels": {LABEL_OWNER: spec.owner, LABEL_WHERE: where(), "pincite.name": spec.name},
        "host_config": _host_config(client, spec, users, binds),
    }


def _host_config(client: Any, spec: SandboxSpec, users: Users, binds: Mapping[str, str]) -> dict[str, Any]:
    limits = spec.limits
    folder = f"rw,exec,nosuid,nodev,uid={users.agent},gid={users.agent}"
    # All of them count as memory, and must leave some: once they fill it, the kernel kills process 1.
    beside = _room(max(limits.scratch_mb // _BESIDE, 1))
    scratch = {
        WORKDIR: f"{folder},{_room(limits.scratch_mb)},mode=0755",
        _HOME: f"{folder},{beside},mode=0755",
        "/tmp": f"{folder},{beside},mode=1777",  # noqa: S108
    }
    opened = spec.open_image is not None
    volumes: Mapping[str, str] = spec.open_image.volumes if spec.open_image is not None else {}
    shown = [Mount(inside, host, type="bind", read_only=True) for host, inside in binds.items()]
    shown += [Mount(inside, name, type="volume", read_only=True) for inside, name in volumes.items()]
    return client.api.create_host_config(
        auto_remove=True,
        cap_add=list(OPEN_CAPABILITIES) if opened else None,
        cap_drop=["ALL"],
        # A namespace of its own, without the daemon's /dev/shm, which takes any number of files.
        ipc_mode="none",
        log_config=LogConfig(type="none"),
        mem_limit=limits.memory_mb * MIB,
        # Unlike "binds", a mount of what is not there is refused instead of made.
        mounts=shown,
        memswap_limit=limits.memory_mb * MIB,
        nano_cpus=int(min(limits.cpus, os.cpu_count() or 1) * 1e9),
        network_mode="none",
        pids_limit=limits.pids,
        read_only=not opened,
        runtime=spec.runtime or None,
        security_opt=["no-new-privileges:true", f"seccomp={profile()}"],
        tmpfs={**({} if opened else scratch), "/dev/shm": _SHARED},  # noqa: S108
        ulimits=[Ulimit(name="core", soft=0, hard=0)],
        userns_mode=users.namespace or None,
    )


def _room(mebibytes: int) -> str:
    """Mount options that bound a scratch folder: files without content take the kernel's memory, not its space."""
    return f"size={mebibytes}m,nr_inodes={max(_FEWEST_FILES, mebibytes * _FILES_A_MIB)}"


async def remove_containers_of_the_dead() -> list[str]:
    """Remove containers whose owner has ended, where a daemon answers; says which."""
    return await asyncio.to_thread(_remove_dead)


def _remove_dead() -> list[str]:
    try:
        client = connect()
    except UnavailableError:
        return []
    try:
        dead = _dead(client)
        for container in dead:
            # Its own end or another harness may be removing it already.
            with contextlib.suppress(*SDK_ERRORS):
                client.api.remove_container(container, force=True)
        deadline = time.monotonic() + _REMOVAL_SECONDS
        while (left := dead & _dead(client)) and time.monotonic() < deadline:
            time.sleep(0.05)
    except SDK_ERRORS:
        # The daemon went away: the next run looks again.
        return []
    finally:
        client.close()
    return [f"container {container[:12]}" for container in sorted(dead - left)]


def _dead(client: Any) -> set[str]:
    """Ids of containers whose owner has ended."""
    listing = client.api.containers(all=True, filters={"label": [LABEL_OWNER]})
    return {
        str(each["Id"])
        for each in listing
        if not is_alive(each["Labels"][LABEL_OWNER]) and not is_out_of_sight(each["Labels"].get(LABEL_WHERE, where()))
    }
