"""Environment: the libraries of one agent for sandboxes without an image, installed once and kept in the cache."""

import fcntl
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from pincite_core.errors import UnavailableError
from pincite_tasks.files import digest_json

_SECONDS = 900
"""As long as a step of an image's build may take."""
_SHOWN = 900


def build_environment(requirements: str, cache: Path) -> Path:
    """The folder of a virtual environment with these requirements, below ``cache``; blocks. UnavailableError with
    pip's last words where they cannot be installed."""
    key = digest_json([requirements, sys.version, platform.machine()]).removeprefix("sha256:")[:24]
    folder = cache / "agents" / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{key}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            try:
                _install(folder, requirements)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
    return folder


def _install(folder: Path, requirements: str) -> None:
    _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
    listing = folder / "requirements.txt"
    listing.write_text(requirements, encoding="utf-8")
    python = str(folder / "bin" / "python")
    if (uv := shutil.which("uv")) is not None and not _has_pip():
        _run([uv, "pip", "install", "--python", python, "-r", str(listing)])
    else:
        _run([sys.executable, "-m", "pip", "--python", python, "install", "--no-input", "-r", str(listing)])
    (folder / "complete").touch()


def _has_pip() -> bool:
    return subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
        said = (done.stderr or done.stdout).strip()
    except subprocess.TimeoutExpired:
        done, said = None, f"no end within {_SECONDS} s"
    if done is None or done.returncode != 0:
        raise UnavailableError(
            "What the agent needs could not be installed.",
            seen=" / ".join(said.splitlines()[-4:])[-_SHOWN:],
            next="Check its requirements.txt, and that this machine reaches its package index.",
        )
