"""Canaries: things of this machine that a sandbox must not show, kept while it is probed."""

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..owner import owner_label
from ..process import SCRATCH_PREFIX

_KEEPER = """
import ctypes, os, sys
word, name, key = sys.argv[1], sys.argv[2], int(sys.argv[3])
libc = ctypes.CDLL(None)
segment = libc.shmget(ctypes.c_int(key), ctypes.c_size_t(4096), 0o1666)
if os.path.isdir("/dev/shm"):
    with open(name, "w") as file:
        file.write(word)
print(segment, flush=True)
sys.stdin.read()
if segment >= 0:
    libc.shmctl(segment, 0, None)
if os.path.exists(name):
    os.unlink(name)
"""
"""Holds the shared memory, and removes it when the process that reads its output has ended, however that came."""


@dataclass(frozen=True, slots=True)
class Canaries:
    """A word that stands in a file and in a process's words, a secret in its variables, and shared memory by the name
    and by the key."""

    word: str
    secret: str
    file: Path
    shared_name: str
    shared_key: int


@contextmanager
def canaries() -> Generator[Canaries]:
    """Canaries on this machine, gone afterwards; the reaper finds what a killed process leaves."""
    word, secret = f"canary-{secrets.token_hex(8)}", f"secret-{secrets.token_hex(8)}"
    key = int.from_bytes(secrets.token_bytes(3), "big") + 1
    name = f"pincite-{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory(prefix=f"{SCRATCH_PREFIX}{owner_label().replace(':', '-')}-") as folder:
        Path(folder).chmod(0o755)
        file = Path(folder, "canary")
        file.write_text(word)
        command = [sys.executable, "-c", _KEEPER, word, f"/dev/shm/{name}", str(key)]  # noqa: S108
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, env={**os.environ, "PINCITE_CANARY": secret}) as keeper:
            assert keeper.stdout is not None
            keeper.stdout.readline()
            yield Canaries(word, secret, file, name, key)
            keeper.communicate()
