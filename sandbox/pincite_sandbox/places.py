"""Places of this machine that no sandbox may show."""

import re
from pathlib import Path

from pincite_core.platform import optional_module

_SYSTEM = ("/", "/boot", "/dev", "/etc", "/home", "/media", "/mnt", "/proc", "/root", "/run", "/srv", "/sys", "/var")
_KEYS = (".aws", ".azure", ".config/gcloud", ".docker/config.json", ".git-credentials", ".gnupg", ".kube", ".netrc",
         ".npmrc", ".pypirc", ".ssh")  # fmt: skip
_SOCKETS = ("docker", "containerd", "podman", "crio", "dbus", "system_bus", "session_bus", "ssh-agent",
            "S.gpg-agent", "wayland-", "X0", "libvirt", "buildkitd", "kubelet", "snapd")  # fmt: skip

_SSH_AGENT = re.compile(r"agent\.\d+")


def why_not_shown(path: Path) -> str:
    """Why the folder or file must not be seen in a sandbox; empty when nothing speaks against it."""
    real = path.resolve()
    if real in _homes():
        return "it is a user's whole home"
    if str(real) in _SYSTEM:
        return "it is the machine's own folder"
    if held := next((name for name in _KEYS if (real / name).exists()), ""):
        return f"it holds keys ({held})"
    return ""


def is_control_socket(path: Path) -> bool:
    """Whether a socket leads to a service that commands this machine: Docker, D-Bus, a key agent, a display."""
    return any(each.name.startswith(_SOCKETS) or _SSH_AGENT.fullmatch(each.name) for each in (path, path.resolve()))


def _homes() -> set[Path]:
    pwd = optional_module("pwd")
    if pwd is None:
        return {Path.home().resolve()}
    # Accounts of services live in folders such as /usr/sbin and /.
    people = [Path(entry.pw_dir).resolve() for entry in pwd.getpwall() if entry.pw_uid == 0 or entry.pw_uid >= 1000]
    return {Path.home().resolve(), *(folder for folder in people if str(folder) not in ("/", "/nonexistent"))}
