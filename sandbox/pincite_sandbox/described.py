"""Containers that a user describes, by ``docker inspect`` or ``docker compose config``, as the daemon takes them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import BadInputError, NotFoundError

Config = dict[str, Any]


def read_containers(file: Path) -> Iterator[tuple[str, Config]]:
    """Each container of the file by name; NotFoundError where there is no file, BadInputError where it is neither."""
    if not file.is_file():
        raise NotFoundError(f"There is no file {file}.")
    try:
        said = json.loads(file.read_bytes())
    except ValueError as error:
        raise BadInputError(
            f"{file} is not JSON.", seen=str(error), next="docker compose config --format json, or docker inspect NAME"
        ) from error
    document = cast("Config", said) if isinstance(said, dict) else {}
    if "services" in document:
        services: Mapping[str, Mapping[str, Any]] = document["services"]
        for name, service in services.items():
            yield name, _of_service(service)
        return
    listed = cast("list[Config]", said) if isinstance(said, list) else [document]
    for number, each in enumerate(listed, start=1):
        if "HostConfig" not in each:
            raise BadInputError(f"{file} does not describe a container.", next="docker inspect NAME, of a container.")
        yield str(each.get("Name") or number).removeprefix("/"), {**each, **(each.get("Config") or {})}


def _of_service(service: Mapping[str, Any]) -> Config:
    """A service of a compose file, in its long form, as the daemon would be given it."""
    variables: Mapping[str, Any] = service.get("environment") or {}
    volumes: list[Mapping[str, Any] | str] = service.get("volumes") or []
    host: Config = {
        "Privileged": service.get("privileged"),
        "NetworkMode": service.get("network_mode") or "bridge",
        "PidMode": service.get("pid"),
        "IpcMode": service.get("ipc"),
        "UTSMode": service.get("uts"),
        "UsernsMode": service.get("userns_mode"),
        "CgroupnsMode": service.get("cgroup"),
        "CapAdd": service.get("cap_add"),
        "CapDrop": service.get("cap_drop"),
        "SecurityOpt": service.get("security_opt"),
        "ReadonlyRootfs": service.get("read_only"),
        "Devices": service.get("devices"),
        "GroupAdd": service.get("group_add"),
        "ExtraHosts": service.get("extra_hosts"),
        "Links": service.get("links"),
        "VolumesFrom": service.get("volumes_from"),
        "PortBindings": service.get("ports"),
        "RestartPolicy": {"Name": service.get("restart")},
        "OomKillDisable": service.get("oom_kill_disable"),
        "Memory": _bytes(service.get("mem_limit")),
        "PidsLimit": _whole(service.get("pids_limit")),
        "NanoCpus": int(float(service.get("cpus") or 0) * 1e9),
        "Mounts": [_mount(volume) for volume in volumes],
        "Tmpfs": _scratch(service.get("tmpfs")),
    }
    return {
        "User": service.get("user"),
        "Env": [f"{name}={'' if value is None else value}" for name, value in variables.items()],
        "Entrypoint": _words(service.get("entrypoint")),
        "Cmd": _words(service.get("command")),
        "Labels": service.get("labels") or {},
        "HostConfig": host,
    }


def _mount(volume: Mapping[str, Any] | str) -> Config:
    if isinstance(volume, str):
        source, _, rest = volume.partition(":")
        return {"Type": "bind", "Source": source, "ReadOnly": rest.endswith(":ro")}
    return {"Type": volume.get("type"), "Source": volume.get("source"), "ReadOnly": volume.get("read_only")}


def _scratch(tmpfs: list[str] | str | None) -> dict[str, str]:
    listed = [tmpfs] if isinstance(tmpfs, str) else tmpfs or []
    return {folder: options for folder, _, options in (entry.partition(":") for entry in listed)}


def _words(command: list[str] | str | None) -> list[str]:
    return [command] if isinstance(command, str) else command or []


def _whole(value: object) -> int:
    return int(str(value)) if value else 0


def _bytes(value: object) -> int:
    """A number of bytes; compose writes it as digits, a person with a unit."""
    text = str(value or "0").lower().removesuffix("b")
    powers = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
    return int(float(text[:-1]) * powers[text[-1]]) if text[-1:] in powers else int(text or "0")
