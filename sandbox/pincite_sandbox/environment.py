"""Environment: Python libraries for sandboxes without an image, installed once and kept in the cache."""

import fcntl
import hashlib
import json
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from pincite_core.errors import UnavailableError

_SECONDS = 900
"""As long as a step of an image's build may take."""
_SHOWN = 900
"""Characters of pip's last lines that an error shows."""


def build_environment(requirements: str, cache: Path) -> Path:
    """The folder of a virtual environment with these requirements, below ``cache``; blocks. UnavailableError with
    pip's last words where they cannot be installed."""
    identity = json.dumps([requirements, sys.version, platform.machine()])
    key = hashlib.sha256(identity.encode()).hexdigest()[:24]
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
    listing = folder / "requirements.txt"
    python = str(folder / "bin" / "python")
    arguments = ["install", "--no-input", "-r", str(listing)]
    uv = shutil.which("uv")
    if _has_pip():
        _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
        command = [sys.executable, "-m", "pip", "--python", python, *arguments]
    elif uv is not None:
        _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
        command = [uv, "pip", "install", "--python", python, "-r", str(listing)]
    else:
        # The environment gets the pip that comes with Python.
        _run([sys.executable, "-m", "venv", str(folder)])
        command = [python, "-m", "pip", *arguments]
    listing.write_text(requirements, encoding="utf-8")
    _run(command)
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
            "What the sandbox needs could not be installed.",
            seen=" / ".join(said.splitlines()[-4:])[-_SHOWN:],
            next="Check the requirements, and that this machine reaches its package index.",
        )
