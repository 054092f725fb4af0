"""Probes of files and processes: what of the machine can be seen or written."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import stat
from collections.abc import Iterable
from pathlib import Path

from ..gold import gold_files
from .attempt import Attempt, Refused, Targets

_SCRATCH = ("tmpfs", "proc", "sysfs", "devpts", "mqueue", "devtmpfs", "ramfs", "cgroup", "cgroup2")
_MEMORY = ("/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/proc/kcore")
_MACHINES = ("/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/vhost-net", "/dev/vhost-vsock", "/dev/loop-control",
             "/dev/mapper/control", "/dev/uinput", "/dev/snapshot")  # fmt: skip
_SOCKETS = ("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock",
            "/var/run/crio/crio.sock", "/run/dbus/system_bus_socket", "/run/systemd/private",
            "/run/systemd/journal/stdout", "/run/snapd.socket", "/tmp/.X11-unix/X0")  # fmt: skip  # noqa: S108
_ROOTS = ("/", "/usr", "/usr/local", "/etc", "/bin", "/lib", "/var", "/run", "/opt", "/root", "/srv", "/boot", "/mnt",
          "/media", "/dev", "/sys", "/proc", "/run/pincite")  # fmt: skip
_KNOBS = ("/sys/kernel", "/sys/fs", "/sys/power", "/sys/module", "/sys/bus/pci")
_FIRST_NAMESPACE = "pid:[4026531836]"
_HARMLESS = {signal.SIGHUP, signal.SIGINT, signal.SIGCHLD}
"""Signals that the supervisor takes note of, and goes on."""


def _opens(paths: Iterable[str], flags: int) -> str:
    for path in paths:
        try:
            os.close(os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC))
        except OSError:
            continue
        return f"{path} opens"
    raise Refused("none opens")


def _below(*folders: str) -> Iterable[str]:
    for folder in folders:
        for parent, _, names in os.walk(folder):
            for name in names:
                yield f"{parent}/{name}"


def sysrq(_targets: Targets) -> str:
    """Open the file that restarts, crashes and dumps the machine."""
    return _opens(["/proc/sysrq-trigger"], os.O_WRONLY)


def core_pattern(_targets: Targets) -> str:
    """Open the file that names a program to be run outside for every crash."""
    return _opens(["/proc/sys/kernel/core_pattern"], os.O_WRONLY)


def kernel_settings(_targets: Targets) -> str:
    """Open any setting of the kernel for writing."""
    for path in _below("/proc/sys"):
        try:
            if Path(path).stat().st_mode & stat.S_IWOTH:
                # Everybody may open it; whether it may be set is asked for only when it is.
                Path(path).write_bytes(Path(path).read_bytes())
            else:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            continue
        return f"{path} can be set"
    raise Refused("none can be set")


def system_settings(_targets: Targets) -> str:
    """Open any knob of the system for writing."""
    return _opens(_below(*_KNOBS), os.O_WRONLY)


def groups(_targets: Targets) -> str:
    """Make a control group, or write to one."""
    for parent, _, _ in os.walk("/sys/fs/cgroup"):
        try:
            Path(parent, "pincite-probe").mkdir()
        except OSError:
            continue
        Path(parent, "pincite-probe").rmdir()
        return f"a group was made in {parent}"
    raise Refused("none can be made")


def release_agent(_targets: Targets) -> str:
    """Name a program that the kernel runs outside when a group ends."""
    return _opens((path for path in _below("/sys/fs/cgroup") if path.endswith("release_agent")), os.O_WRONLY)


def memory_devices(_targets: Targets) -> str:
    """Read the machine's memory or the kernel's messages."""
    return _opens(_MEMORY, os.O_RDONLY)


def machine_devices(_targets: Targets) -> str:
    """Open a device that makes machines, file systems, interfaces or input."""
    return _opens(_MACHINES, os.O_RDWR)


def disks(_targets: Targets) -> str:
    """Read a disk of the machine."""
    found = [path for path in _below("/dev") if _is_disk(path)]
    return _opens(found, os.O_RDONLY)


def _is_disk(path: str) -> bool:
    try:
        return stat.S_ISBLK(Path(path).stat().st_mode)
    except OSError:
        return False


def writable_system(_targets: Targets) -> str:
    """Leave a file anywhere but in the scratch folders."""
    for folder in _ROOTS:
        path = f"{folder}/pincite-probe"
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except OSError:
            continue
        Path(path).unlink()
        return f"{folder} is writable"
    raise Refused("nothing else is writable")


def writable_mounts(_targets: Targets) -> str:
    """Find a mount of a disk that is writable."""
    found: list[str] = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        place, options, kind = left.split()[4], left.split()[5], right.split()[0]
        if kind not in _SCRATCH and "ro" not in options.split(","):
            found.append(f"{place} ({kind})")
    if not found:
        raise Refused("all are read-only")
    return f"writable: {', '.join(found[:5])}"


def guest_programs(targets: Targets) -> str:
    """Change the programs that the harness runs inside."""
    return _opens(_below(*targets["guest"]), os.O_WRONLY)


def _canaries(targets: Targets, roots: Iterable[str]) -> str:
    word = targets["canary"].encode()
    for root in roots:
        for path in targets["canary_files"]:
            try:
                data = Path(f"{root}{path}").read_bytes()
            except OSError:
                continue
            if word in data:
                return f"{root}{path} was read"
    raise Refused("they are not there")


def machine_files(targets: Targets) -> str:
    """Read a file that the harness keeps elsewhere on the machine."""
    return _canaries(targets, [""])


def roots_of_others(targets: Targets) -> str:
    """Read it through the root or the folder of another process."""
    pids = [pid for pid in _pids() if pid != os.getpid()]
    return _canaries(targets, [f"/proc/{pid}/{way}" for pid in pids for way in ("root", "cwd/../../../../..")])


def machine_processes(targets: Targets) -> str:
    """See a process of the machine."""
    word = targets["canary"].encode()
    for pid in _pids():
        try:
            if word in Path(f"/proc/{pid}/cmdline").read_bytes() and not _kin(pid):
                return f"process {pid} of the machine is seen"
        except OSError:
            continue
    raise Refused("none is seen")


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def _kin(pid: int) -> bool:
    """Whether a process is this one or above it: our own words hold the canary too."""
    at = os.getpid()
    while at > 0:
        if at == pid:
            return True
        at = int(Path(f"/proc/{at}/stat").read_bytes().rpartition(b")")[2].split()[1])
    return False


def variables_of_others(targets: Targets) -> str:
    """Read the harness's variables."""
    word = targets["secret"].encode()
    for pid in _pids():
        try:
            if word in Path(f"/proc/{pid}/environ").read_bytes():
                return f"the variables of process {pid} hold it"
        except OSError:
            continue
    raise Refused("no process that is seen holds it")


def shared_folder(targets: Targets) -> str:
    """Read the machine's shared memory, by its folder."""
    return _opens([f"/dev/shm/{targets['shared_name']}"], os.O_RDONLY)  # noqa: S108


def shared_segment(targets: Targets) -> str:
    """Attach to the machine's shared memory, by its key."""
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(ctypes.c_int(targets["shared_key"]), ctypes.c_size_t(0), 0)
    if segment < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return f"segment {segment} of the machine is there"


def control_sockets(targets: Targets) -> str:
    """Speak to a service that commands the machine."""
    for path in (*_SOCKETS, *targets["control_sockets"]):
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(1.5)
            try:
                link.connect(path)
            except OSError:
                continue
            return f"{path} takes connections"
    raise Refused("none takes connections")


def gold(targets: Targets) -> str:
    """Find gold answers."""
    found = [path for path in gold_files() if os.access(path, os.R_OK) and Path(path).stat().st_size > 0]
    if not found:
        raise Refused("none is seen")
    return f"seen: {', '.join(found[:3])}"


def secrets(_targets: Targets) -> str:
    """Read passwords or keys of the system."""
    places = ("/etc/shadow", "/etc/ssh/ssh_host_ed25519_key", "/etc/ssh/ssh_host_rsa_key", "/root/.ssh", "/etc/sudoers")
    return _opens(places, os.O_RDONLY)


def signal_supervisor(_targets: Targets) -> str:
    """End process 1 by a signal (0 asks only whether one may be sent; the first of a namespace is deaf to most)."""
    os.kill(1, 0)
    if str(Path("/proc/self/ns/pid").readlink()) == _FIRST_NAMESPACE:
        return "the machine's process 1 takes our signals"
    rows = (line.partition(":") for line in Path("/proc/1/status").read_text().splitlines())
    caught = int({name: value.strip() for name, _, value in rows}["SigCgt"], 16)
    numbers = {number for number in range(1, 65) if caught >> (number - 1) & 1}
    if numbers <= _HARMLESS:
        raise Refused("it is deaf to every signal that would end it")
    return f"process 1 takes the signals {sorted(numbers - _HARMLESS)}"


FILES = [
    Attempt("sysrq", "/proc/sysrq-trigger", sysrq),
    Attempt("core-pattern", "a program run outside for every crash", core_pattern),
    Attempt("proc-writes", "the kernel's settings (/proc/sys)", kernel_settings),
    Attempt("sys-writes", "the system's knobs (/sys)", system_settings),
    Attempt("cgroups", "a new control group", groups),
    Attempt("release-agent", "a program run outside when a group ends", release_agent),
    Attempt("memory-devices", "the machine's memory as a device", memory_devices),
    Attempt("machine-devices", "devices that make machines and file systems", machine_devices),
    Attempt("disks", "the machine's disks", disks),
    Attempt("writable-system", "files outside the scratch folders", writable_system),
    Attempt("writable-mounts", "a writable mount of a disk", writable_mounts),
    Attempt("guest-programs", "the harness's programs inside", guest_programs),
    Attempt("machine-files", "the machine's files", machine_files),
    Attempt("roots-of-others", "the machine's files, through other processes", roots_of_others),
    Attempt("system-keys", "the system's passwords and keys", secrets),
    Attempt("machine-processes", "the machine's processes", machine_processes),
    Attempt("supervisor-signals", "signals to the supervisor", signal_supervisor),
    Attempt("machine-variables", "the harness's variables", variables_of_others),
    Attempt("shared-memory", "the machine's shared memory, by its folder", shared_folder),
    Attempt("shared-segments", "the machine's shared memory, by its key", shared_segment),
    Attempt("control-sockets", "Docker's and other services' sockets", control_sockets),
    # It walks through every folder, on a busy machine for long.
    Attempt("gold-seen", "gold answers", gold, seconds=60),
]
