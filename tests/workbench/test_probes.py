"""Programs of the workbench that reach for the machine, for another trial, or for more than their share."""

import json
import os
import re
import struct
import zlib

from pincite_sandbox.probes.beacon import Beacon, machine_addresses

ATTEMPTS = {
    "loopback of the machine": "import socket; socket.create_connection(('127.0.0.1', PORT), 3)",
    "address of the machine": "import socket; socket.create_connection((ADDRESS, PORT), 3)",
    "loopback by IPv6": "import socket; socket.create_connection(('::1', PORT), 3)",
    "public address": "import socket; socket.create_connection(('1.1.1.1', 443), 3)",
    "name of a host": "import socket; socket.getaddrinfo('example.com', 443)",
    "datagram": "import socket; socket.socket(2, 2).sendto(b'x', (ADDRESS, PORT))",
    "metadata of a cloud": "import socket; socket.create_connection(('169.254.169.254', 80), 3)",
    "abstract socket": "import socket; socket.socket(socket.AF_UNIX).connect('\\0' + ABSTRACT)",
    "raw socket": "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "packets": "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 768)",
    "Docker's socket": "import socket; socket.socket(socket.AF_UNIX).connect('/var/run/docker.sock')",
    "sockets below /run": "import os, stat\n"
    "every = [f'{folder}/{name}' for folder, _, names in os.walk('/run') for name in names]\n"
    "got = [path for path in every if stat.S_ISSOCK(os.lstat(path).st_mode) and os.access(path, os.W_OK)]",
    "file of the machine": "got = open(CANARY).read()",
    "folder of the tests": "import os; got = os.listdir(os.path.dirname(CANARY))",
    "users' passwords": "got = open('/etc/shadow').read()",
    "root's home": "import os; got = os.listdir('/root/.ssh')",
    "variables of the server": "import os; got = [value for value in os.environ.values() if SECRET in value]",
    "variables of other processes": "import glob\nseen = b''\nfor path in glob.glob('/proc/[0-9]*/environ'):\n"
    "    try:\n        seen += open(path, 'rb').read()\n    except OSError:\n        pass\n"
    "got = SECRET.encode() in seen",
    "processes of the machine": "import glob\nfound = glob.glob('/proc/[0-9]*')\ngot = found if len(found) > 9 else 0",
    "memory of process 1": "open('/proc/1/mem', 'rb').seek(1)",
    "kernel's settings": "open('/proc/sys/kernel/core_pattern', 'w').write('|/tmp/x')",
    "kernel's trigger": "open('/proc/sysrq-trigger', 'w').write('h')",
    "tracing": "import ctypes; got = ctypes.CDLL(None).ptrace(0x4206, 1, 0, 0) == 0",
    "device of memory": "open('/dev/mem', 'rb').read(1)",
    "kernel's log": "open('/dev/kmsg', 'rb').read(1)",
    "a device of one's own": "import os, stat; os.mknod('disk', 0o666 | stat.S_IFBLK, os.makedev(8, 0))",
    "mount": "import ctypes; got = ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0",
    "namespaces": "import ctypes; got = ctypes.CDLL(None).unshare(0x10000000 | 0x20000) == 0",
    "change of root": "import os; os.chroot('/tmp')",
    "root's identity": "import os; os.setuid(0); got = os.getuid() == 0 and open('/etc/shadow').read()",
    "program in the kernel": "import ctypes; got = ctypes.CDLL(None).syscall(321, 0, ctypes.create_string_buffer(128), "
    "72) >= 0",
    "the task's files": "open('/files/data.csv', 'w')",
    "a link to the task's files": "import os; os.link('/files/data.csv', 'mine.csv')",
    "another task's file": "open('/files/new.csv', 'w')",
    "the packages": "import numpy; open(numpy.__file__, 'a')",
    "the system": "open('/usr/bin/pincite-probe', 'w')",
    "the root": "open('/pincite-probe', 'w')",
}
"""What a program tries; it got out where it does not fail and ``got`` is not set, or is true."""

TRYING = """
import json, os, signal
for name, attempt in ATTEMPTS.items():
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(8)
        found = dict(TARGETS)
        try:
            exec(attempt, found)
            said = f"open: {found.get('got')}" if found.get("got", True) else "held: nothing was seen"
        except BaseException as error:
            said = f"held: {error!r}"
        os.write(tell, said.encode()[:300])
        os._exit(0)
    os.close(tell)
    said = os.read(told, 1000).decode()
    os.close(told)
    _, status = os.waitpid(pid, 0)
    print(json.dumps([name, said or f"ended by signal {status}"]))
"""


async def test_nothing_gets_out(open_bench, files, tmp_path, monkeypatch) -> None:
    (files / "data.csv").write_text("a,b\n1,2\n")
    canary = tmp_path / "canary.txt"
    canary.write_text("of the machine")
    tmp_path.chmod(0o755)
    monkeypatch.setenv("PINCITE_PROBED", "secret-of-the-server")
    async with Beacon() as beacon, open_bench() as bench:
        address = next(iter(machine_addresses()), "127.0.0.1")
        targets = {"PORT": beacon.port, "ADDRESS": address, "ABSTRACT": beacon.abstract, "CANARY": str(canary)}
        targets["SECRET"] = "-".join(("secret", "of", "the", "server"))
        # The word itself must not stand in the command line of the program that looks for it.
        written = {name: value for name, value in targets.items() if name != "SECRET"}
        code = f"TARGETS = {written!r}\nTARGETS['SECRET'] = '-'.join(('secret', 'of', 'the', 'server'))\n"
        said = await bench.says("run_python", code=f"{code}ATTEMPTS = {ATTEMPTS!r}\n{TRYING}", files=["data.csv"])
        assert beacon.reached == []
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("[")]
    assert len(rows) == len(ATTEMPTS) >= 30, said
    assert [row for row in rows if not row[1].startswith("held: ")] == []
    assert (files / "data.csv").read_text() == "a,b\n1,2\n"


FORKS = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
DISK = """
with open("full", "wb") as file:
    for _ in range(2000):
        file.write(bytes(1 << 20))
"""
OUTPUT = """
import os
while True:
    os.write(1, b"x" * 65536)
"""
DEAFNESS = """
import signal, time
signal.signal(15, signal.SIG_IGN)
time.sleep(600)
"""
MURDER = """
import os
for pid in (1, -1):
    try:
        os.kill(pid, 9)
    except OSError as error:
        print(error)
"""
BOMBS = {
    "forks": (FORKS, "stopped after", 1),
    "memory": ("blocks = [bytearray(64 << 20) for _ in range(40)]", "MemoryError|memory ran out", 30),
    "disk": (DISK, "No space left", 30),
    "output": (OUTPUT, "stopped after.*was dropped", 8),
    "deafness": (DEAFNESS, "stopped after", 1),
    "murder": (MURDER, "exit|ended", 30),
}
"""Programs that take what there is, what is said of them, and how many seconds they have."""
AFTERWARDS = """
import os
for name in os.listdir():
    os.remove(name)
print(6 * 7)
"""


async def test_a_bomb_ends_its_own_call_alone(open_bench) -> None:
    async with open_bench() as bench:
        for name, (code, expected, seconds) in BOMBS.items():
            said = await bench.says("run_python", code=code, seconds=seconds)
            assert re.search(expected, said), f"{name}: {said[:500]}"
            assert len(said) < 20_000
            after = await bench.says("run_python", code=AFTERWARDS)
            assert "42" in after, f"after {name}: {after[:500]}"


def picture_bomb() -> bytes:
    """A PNG of 60,000 x 60,000 pixels in few bytes."""
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    body = zlib.compress(b"\0" * 1_000_000)
    chunks = [(b"IHDR", header), (b"IDAT", body), (b"IEND", b"")]
    packed = [
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(content, zlib.crc32(kind)))
        for kind, content in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


async def test_files_that_a_program_leaves_lead_nowhere(open_bench, files, tmp_path) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("of the machine")
    (files / "bomb.png").write_bytes(picture_bomb())
    leave = """
import os, pathlib, zipfile
os.symlink(CANARY, "link.txt"); os.symlink("/etc/passwd", "link.png"); os.symlink("/", "out")
os.mkfifo("pipe.txt"); os.mkfifo("pipe.png")
pathlib.Path("broken.png").write_bytes(b"no picture")
pathlib.Path("numbers.bin").write_bytes(bytes(range(256)))
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("zeros", bytes(100_000_000))
with open("sparse.txt", "wb") as file:
    file.truncate(200_000_000)
""".replace("CANARY", repr(str(canary)))
    refused = {
        "link.txt": "", "out/etc/passwd": "", "../../etc/passwd": "", "/etc/passwd": "", str(canary): "",
        "pipe.txt": "", "bomb.zip": "not a text file", "numbers.bin": "not a text file", "sparse.txt": "",
        "broken.png": "cannot be shown", "pipe.png": "cannot be shown", "/files/bomb.png": "pixels",
        "/files/../canary.txt": "", "/files/none.csv": "no file", "none.txt": "",
    }  # fmt: skip
    async with open_bench() as bench:
        made = await bench("run_python", code=leave)
        assert made.content[0].text.startswith("exit 0"), made
        for file, expected in refused.items():
            answer = await bench("read_file", file=file)
            said = answer.content[0].text
            assert answer.is_error and expected in said, f"{file}: {said[:300]}"
            assert "of the machine" not in said
            assert "root:" not in said
        assert (await bench("read_file", file="link.png")).is_error
        outside = await bench.says("run_python", code="1", files=[os.path.relpath(canary, files)])
        assert "outside" in outside
        listed = await bench.says("list_files")
        assert "link" not in listed and "pipe" not in listed
        assert "42" in await bench.says("run_python", code="print(6 * 7)")
