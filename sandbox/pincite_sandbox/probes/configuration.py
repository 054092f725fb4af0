"""Misconfigurations: whether the linter refuses each before anything is started."""

import copy
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pincite_core.errors import ForbiddenError

from ..bubblewrap_linter import lint_bubblewrap
from ..linter import Finding, Known, lint_container, lint_image, lint_shown, lint_words, refuse
from .result import Result

Config = dict[str, Any]

SEALED: Config = {
    "Image": "pincite-sandbox:1",
    "User": "1000:1000",
    "Env": ["PATH=/usr/bin:/bin", "HOME=/home/agent"],
    "HostConfig": {
        "NetworkMode": "none",
        "IpcMode": "private",
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true", "seccomp={}"],
        "ReadonlyRootfs": True,
        "Memory": 1 << 30,
        "PidsLimit": 256,
        "NanoCpus": 1_000_000_000,
        "Tmpfs": {"/work": "rw,size=64m"},
    },
}
"""A container's configuration that is sealed: the linter finds nothing in it."""

SEALED_BUBBLEWRAP = [
    "bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session",
    "--cap-drop", "ALL", "--ro-bind", "/usr", "/usr", "--proc", "/proc", "--remount-ro", "/", "--", "python3",
]  # fmt: skip
"""A command line of ``bwrap`` that is sealed."""

_FAKE_KEY = "sk-ant-" + "api03-not-a-key-but-looks-like-one"


def _host(**changes: Any) -> Config:
    config = copy.deepcopy(SEALED)
    config["HostConfig"] |= changes
    return config


def _options(*options: str) -> Config:
    return _host(SecurityOpt=list(options))


_CONTAINERS: dict[str, tuple[str, Config]] = {
    "privileged": ("a privileged container", _host(Privileged=True)),
    "host-network": ("the machine's network", _host(NetworkMode="host")),
    "bridge-network": ("a bridged network", _host(NetworkMode="bridge")),
    "other-network": ("another container's network", _host(NetworkMode="container:other")),
    "host-pid": ("the machine's processes", _host(PidMode="host")),
    "host-ipc": ("the machine's shared memory", _host(IpcMode="host")),
    "host-uts": ("the machine's name", _host(UTSMode="host")),
    "host-userns": ("the machine's user ids", _host(UsernsMode="host")),
    "host-cgroup": ("the machine's control groups", _host(CgroupnsMode="host")),
    "docker-socket": ("Docker's socket mounted", _host(Binds=["/var/run/docker.sock:/var/run/docker.sock:ro"])),
    "root-mount": ("the machine's root mounted", _host(Binds=["/:/host:ro"])),
    "home-mount": ("a user's home mounted", _host(Binds=["/root:/root"])),
    "etc-mount": ("/etc mounted", _host(Mounts=[{"Type": "bind", "Source": "/etc", "ReadOnly": True}])),
    "volume": ("a volume that stays", _host(Mounts=[{"Type": "volume", "Source": "data"}])),
    "added-capability": ("an added capability", _host(CapAdd=["SYS_ADMIN"])),
    "kept-capabilities": ("Docker's default capabilities", _host(CapDrop=[])),
    "no-seccomp": ("no filter of system calls", _options("no-new-privileges:true")),
    "seccomp-unconfined": ("the filter switched off", _options("no-new-privileges:true", "seccomp=unconfined")),
    "apparmor-unconfined": ("AppArmor switched off",
                            _options("no-new-privileges", "seccomp={}", "apparmor=unconfined")),
    "unmasked-proc": ("all of /proc shown", _options("no-new-privileges", "seccomp={}", "systempaths=unconfined")),
    "new-privileges": ("privileges that can be gained", _options("seccomp={}")),
    "writable-root": ("a writable root", _host(ReadonlyRootfs=False)),
    "device": ("a device of the machine", _host(Devices=[{"PathOnHost": "/dev/sda"}])),
    "published-port": ("a published port", _host(PortBindings={"80/tcp": [{"HostPort": "8080"}]})),
    "no-memory-limit": ("no limit of memory", _host(Memory=0)),
    "no-process-limit": ("no limit of processes", _host(PidsLimit=-1)),
    "unsized-scratch": ("scratch space without a size", _host(Tmpfs={"/work": "rw"})),
    "restarts": ("a container that starts again by itself", _host(RestartPolicy={"Name": "always"})),
    "root-user": ("root inside", copy.deepcopy(SEALED) | {"User": "0"}),
    "key-in-variables": ("a key in the variables", copy.deepcopy(SEALED) | {"Env": [f"ANTHROPIC_API_KEY={_FAKE_KEY}"]}),
    "key-in-command": ("a key in the command", copy.deepcopy(SEALED) | {"Cmd": ["agent", f"--key={_FAKE_KEY}"]}),
    "key-in-label": ("a key in a label", copy.deepcopy(SEALED) | {"Labels": {"note": _FAKE_KEY}}),
}  # fmt: skip
_BUBBLEWRAP: dict[str, tuple[str, tuple[str, ...]]] = {
    "bwrap-network": ("bubblewrap with the machine's network", ("--share-net",)),
    "bwrap-writable": ("bubblewrap with a writable folder", ("--bind", "/var", "/var")),
    "bwrap-devices": ("bubblewrap with the machine's devices", ("--dev-bind", "/dev", "/dev")),
    "bwrap-root": ("bubblewrap with the machine's root", ("--ro-bind", "/", "/host")),
    "bwrap-docker": ("bubblewrap with Docker's socket", ("--ro-bind", "/run/docker.sock", "/run/docker.sock")),
    "bwrap-capability": ("bubblewrap with a capability", ("--cap-add", "CAP_SYS_ADMIN")),
}


def probe_configurations() -> Iterator[Result]:
    """Try each misconfiguration; and that a sealed configuration is let through, or the rest would say nothing."""
    yield _let_through("sealed", "a sealed container is let through", lambda: lint_container(SEALED))
    yield _let_through("sealed-bwrap", "a sealed bubblewrap is let through", lambda: lint_bubblewrap(SEALED_BUBBLEWRAP))
    for name, (what, config) in _CONTAINERS.items():
        yield _refused(name, what, lambda config=config: lint_container(config))
    for name, (what, options) in _BUBBLEWRAP.items():
        line = [SEALED_BUBBLEWRAP[0], *options, *SEALED_BUBBLEWRAP[1:]]
        yield _refused(name, what, lambda line=line: lint_bubblewrap(line))
    image: Config = {"Config": {"Env": [f"OPENAI_API_KEY={_FAKE_KEY}"], "Volumes": {"/data": {}}}}
    yield _refused("key-in-image", "a key in the image", lambda: lint_image(image))
    yield _refused("key-for-command", "a key given to one command", lambda: lint_words({"KEY": _FAKE_KEY}))
    with tempfile.TemporaryDirectory() as folder:
        family = Path(folder, "family")
        family.mkdir()
        for file in ("family.toml", "records.jsonl"):
            (family / file).touch()
        yield _refused("gold-mount", "gold answers mounted", lambda: lint_shown([(str(family), True)]))
        hidden = Known(programs=(family,), hidden=(Path(folder),))
        yield _refused("hidden-program", "a program beside the gold", lambda: lint_shown([(str(family), True)], hidden))
    yield _refused(
        "docker-as-door", "Docker's socket as a door",
        lambda: lint_shown([("/var/run/docker.sock", True)], Known(mounts=frozenset({Path("/var/run/docker.sock")}))),
    )  # fmt: skip


def _refused(name: str, what: str, lint: Callable[[], list[Finding]]) -> Result:
    try:
        refuse(lint())
    except ForbiddenError as error:
        return Result("configuration", name, what, "held", error.seen)
    return Result("configuration", name, what, "open", "the linter found nothing")


def _let_through(name: str, what: str, lint: Callable[[], list[Finding]]) -> Result:
    found = lint()
    verdict = "open" if found else "held"
    return Result("configuration", name, what, verdict, "; ".join(finding.seen for finding in found) or "nothing found")
