"""Bombs: whether the limits hold against a program that uses all there is, and whether it is said which was hit."""

from ..base import Limits, Sandbox
from .promises import Promise, python
from .result import Broken, Unknown

LIMITS = Limits(memory_mb=192, scratch_mb=24, pids=48, cpus=0.5)
"""Small, so that they are soon reached."""

_FORK = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
_COUNT = """
import os, time
made = 0
try:
    while made < 300:
        if os.fork() == 0:
            time.sleep(1000)
        made += 1
except OSError:
    pass
print(made, flush=True)
os.kill(0, 9)
"""
_MEMORY = """
import os
for _ in range(8):
    if os.fork() == 0:
        break
block = bytearray(100 << 20)
block[::4096] = b"x" * len(block[::4096])
import time
time.sleep(1)
"""
_SPIN = """
import os, resource, time
ends = time.monotonic() + 1.5
children = [os.fork() for _ in range(2)]
if 0 in children:
    while time.monotonic() < ends:
        pass
    os._exit(0)
for child in children:
    os.wait()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print((used.ru_utime + used.ru_stime) / 1.5)
"""
_TINY_FILES = """
import os
for folder in (".", os.environ["HOME"], "/dev/shm"):
    os.makedirs(f"{folder}/tiny", exist_ok=True)
    try:
        for made in range(3_000_000):
            os.mknod(f"{folder}/tiny/{made}")
        print("unlimited")
    except OSError as error:
        continue
"""


async def _alive(sandbox: Sandbox, after: str) -> None:
    health = await sandbox.health()
    if not health.ok:
        raise Broken(f"the sandbox did not survive {after}: {health.detail}")


async def fork_bomb(sandbox: Sandbox) -> None:
    """A fork bomb is held to the limit of processes, ended by the timeout, and said to be one."""
    result = await python(sandbox, _FORK, seconds=3)
    await _alive(sandbox, "it")
    if not result.timed_out:
        raise Broken(f"it ended by itself: {result}")
    if sandbox.backend == "docker" and not result.out_of_pids:
        raise Broken("the result does not say that processes ran out")


async def process_limit(sandbox: Sandbox) -> None:
    """No more processes than the limit are made."""
    made = int((await python(sandbox, _COUNT)).stdout or b"0")
    if made >= LIMITS.pids:
        raise Broken(f"{made} processes were made; the limit is {LIMITS.pids}")


async def memory_bomb(sandbox: Sandbox) -> None:
    """Many processes do not get more memory together than the limit, and it is said that it ran out."""
    result = await python(sandbox, _MEMORY)
    await _alive(sandbox, "it")
    if not result.out_of_memory:
        if any("memory is limited per process" in warning for warning in sandbox.warnings):
            raise Unknown("memory is limited for each process here, not for all of them together")
        raise Broken(f"800 MiB were used; the limit is {LIMITS.memory_mb} MiB")


async def disk_bomb(sandbox: Sandbox) -> None:
    """Scratch space ends at its limit, and it is said that it ran out."""
    program = "dd if=/dev/zero of=full bs=1M count=100 status=none; s=$?; sleep 0.5; rm -f full; exit $s"
    result = await sandbox.exec(["sh", "-c", program], timeout=60)
    if result.exit_code == 0:
        raise Broken(f"100 MiB were written; the limit is {LIMITS.scratch_mb} MiB")
    if not result.out_of_space:
        if any("limited per file" in warning for warning in sandbox.warnings):
            raise Unknown("scratch space is limited for each file here, not in total")
        raise Broken("the result does not say that space ran out")


async def tiny_files(sandbox: Sandbox) -> None:
    """Files without content do not take the machine's memory: their number, or what they use, is limited."""
    result = await python(sandbox, _TINY_FILES, seconds=20)
    await sandbox.exec(["sh", "-c", "rm -rf tiny $HOME/tiny /dev/shm/tiny"], timeout=60)
    await _alive(sandbox, "it")
    if result.stdout:
        raise Broken("3 million files were made")
    if result.timed_out:
        raise Unknown("20 seconds were not enough to come to a limit")


async def processor_share(sandbox: Sandbox) -> None:
    """Two spinning processes get no more than their share of the processors."""
    if any("processors are not limited" in warning for warning in sandbox.warnings):
        raise Unknown("processors are not limited here")
    used = float((await python(sandbox, _SPIN)).stdout or b"0")
    if used > LIMITS.cpus * 1.5:
        raise Broken(f"{used:.2f} processors were used; the limit is {LIMITS.cpus}")


BOMBS: dict[str, Promise] = {
    "fork-bomb": fork_bomb,
    "process-limit": process_limit,
    "memory-bomb": memory_bomb,
    "disk-bomb": disk_bomb,
    "tiny-files": tiny_files,
    "processor-share": processor_share,
}
