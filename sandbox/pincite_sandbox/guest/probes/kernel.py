"""Probes of the kernel: calls and files that reach for the machine rather than for a program's own data."""

from __future__ import annotations

import ctypes
import os
import resource
import stat
import tempfile
from pathlib import Path

from .attempt import Attempt, Refused, Targets, Unknown
from .calls import call, heard
from .namespaces import NAMESPACES

_TRACEME, _SEIZE = 0, 0x4206
"""Requests of ptrace(2)."""
_SETS = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


def _status() -> dict[str, str]:
    rows = (line.partition(":") for line in Path("/proc/self/status").read_text().splitlines())
    return {name: value.strip() for name, _, value in rows}


def traced(_targets: Targets) -> str:
    """Have ourselves traced, as a debugger's child."""
    call("ptrace", _TRACEME, 0, 0, 0)
    return "tracing is allowed"


def trace_supervisor(_targets: Targets) -> str:
    """Trace process 1."""
    call("ptrace", _SEIZE, 1, 0, 0)
    return "process 1 was seized"


def read_supervisor(_targets: Targets) -> str:
    """Read the memory, the variables or the descriptors of process 1."""
    try:
        return heard("process_vm_readv", 1, 0, 1, 0, 1, 0)
    except Refused:
        for name in ("mem", "environ", "fd/0", "fd/3", "maps"):
            try:
                with Path(f"/proc/1/{name}").open("rb") as file:
                    file.read(1)
            except OSError:
                continue
            return f"/proc/1/{name} was read"
        raise


def take_descriptor(_targets: Targets) -> str:
    """Take a descriptor out of process 1."""
    descriptor = call("pidfd_open", 1, 0)
    return f"descriptor {call('pidfd_getfd', descriptor, 0, 0)} was taken"


def io_uring(_targets: Targets) -> str:
    """Ask for io_uring, which system call filters do not see into."""
    block = ctypes.create_string_buffer(256)
    return heard("io_uring_setup", 1, ctypes.byref(block))


def bpf(_targets: Targets) -> str:
    """Load a program into the kernel."""
    block = ctypes.create_string_buffer(128)
    return heard("bpf", 0, ctypes.byref(block), 72)


def fault_handler(_targets: Targets) -> str:
    """Handle page faults ourselves, which widens races in the kernel."""
    return heard("userfaultfd", 1)


def performance(_targets: Targets) -> str:
    """Watch the processor's counters."""
    block = ctypes.create_string_buffer(128)
    return heard("perf_event_open", ctypes.byref(block), 0, -1, -1, 0)


def kernel_keys(_targets: Targets) -> str:
    """Keep or find keys in the kernel's keyrings, which containers share."""
    try:
        return f"keyring {call('keyctl', 0, -3, 1, 0, 0)} was opened"
    except OSError:
        return f"key {call('add_key', b'user', b'pincite', b'x', 1, -2)} was added"


def modules(_targets: Targets) -> str:
    """Load a module into the kernel."""
    return heard("init_module", 0, 0, b"")


def kexec(_targets: Targets) -> str:
    """Load another kernel (with flags that there are not)."""
    return heard("kexec_load", 0, 0, 0, 0xDEAD)


def reboot(_targets: Targets) -> str:
    """Restart the machine (with a number that the kernel does not take)."""
    return heard("reboot", 1, 2, 3, 0)


def swap(_targets: Targets) -> str:
    """Swap to a file that is not there."""
    return heard("swapon", b"/no-such-file", 0)


def accounting(_targets: Targets) -> str:
    """Have the kernel write process accounting to a file that is not there."""
    return heard("acct", b"/no-such-folder/file")


def hostname(_targets: Targets) -> str:
    """Change the machine's name to what it is."""
    name = os.uname().nodename.encode()
    return f"the name was set: {call('sethostname', name, len(name))}"


def kernel_log(_targets: Targets) -> str:
    """Read the kernel's log."""
    block = ctypes.create_string_buffer(4096)
    return f"{call('syslog', 3, ctypes.byref(block), 4096)} bytes of the kernel's log were read"


def watch_all_files(_targets: Targets) -> str:
    """Watch and hold up what others do with files."""
    return heard("fanotify_init", 4, 0)


def capabilities(_targets: Targets) -> str:
    """Hold a capability, or be able to gain one."""
    status = _status()
    held = {name: status[name] for name in _SETS if int(status[name], 16)}
    if not held:
        raise Refused("all sets are empty")
    return ", ".join(f"{name} {value}" for name, value in held.items())


def become_root(_targets: Targets) -> str:
    """Become root."""
    os.setuid(0)
    return "the user id is 0"


def gain_privileges(_targets: Targets) -> str:
    """Gain privileges by starting a program that has them."""
    if _status()["NoNewPrivs"] == "1":
        raise Refused("no new privileges")
    return "programs may gain privileges"


def unfiltered(_targets: Targets) -> str:
    """Make system calls that nobody filters."""
    if _status().get("Seccomp") == "2":
        raise Refused("a filter is installed")
    return "system calls are not filtered"


def devices(_targets: Targets) -> str:
    """Make a device."""
    path = f"{tempfile.mkdtemp()}/device"
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    return f"{path} was made"


def urgent(_targets: Targets) -> str:
    """Be the last to be killed when memory runs out."""
    Path("/proc/self/oom_score_adj").write_text("-999", encoding="ascii")
    return "this process is the last to be killed"


def first_in_line(_targets: Targets) -> str:
    """Run before everything else on the machine."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except OSError:
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    return "this process runs first"


def higher_limits(_targets: Targets) -> str:
    """Raise a limit beyond what was given."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if hard == resource.RLIM_INFINITY:
        return "core files are unlimited"
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (hard + 1, hard + 1))
    except ValueError as error:
        raise Refused(str(error)) from None
    return "a hard limit was raised"


def terminal(_targets: Targets) -> str:
    """Type into the terminal of who started this."""
    os.close(os.open("/dev/tty", os.O_RDWR))
    return "there is a terminal"


def leaked(targets: Targets) -> str:
    """Use a descriptor that was left open."""
    own = {0, 1, 2}
    found: list[str] = []
    for path in Path("/proc/self/fd").iterdir():
        try:
            place = str(path.readlink())
        except OSError:
            continue
        if int(path.name) not in own and not place.startswith(("pipe:", "/proc/")):
            found.append(place)
    if not found:
        raise Refused("none was left")
    return f"open: {', '.join(found)}"


def supervisors_program(_targets: Targets) -> str:
    """Overwrite the program that process 1 runs (it runs outside again, next time)."""
    try:
        os.close(os.open("/proc/1/exe", os.O_WRONLY))
    except OSError as error:
        if error.strerror == "Text file busy":
            return "only that it runs keeps it from being written"
        raise
    return "it opens for writing"


def unknown_processor(_targets: Targets) -> str:
    """Make a call by the numbers of 32-bit programs, past a filter that knows only the others."""
    if os.uname().machine != "x86_64":
        raise Unknown("only x86-64 has two sets of numbers here")
    libc = ctypes.CDLL(None, use_errno=True)
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(0x40000000 | 39))
    if result > 0:
        return f"the x32 call getpid returned {result}"
    raise Refused(os.strerror(ctypes.get_errno()))


KERNEL = [
    *NAMESPACES,
    Attempt("ptrace", "tracing", traced),
    Attempt("supervisor-traced", "the supervisor traced", trace_supervisor),
    Attempt("supervisor-read", "the supervisor's memory and variables", read_supervisor),
    Attempt("supervisor-descriptors", "the supervisor's descriptors", take_descriptor),
    Attempt("supervisor-program", "the supervisor's program overwritten", supervisors_program),
    Attempt("io-uring", "io_uring", io_uring),
    Attempt("bpf", "BPF programs", bpf),
    Attempt("userfaultfd", "userfaultfd", fault_handler),
    Attempt("perf", "performance counters", performance),
    Attempt("kernel-keys", "the kernel's keyrings", kernel_keys),
    Attempt("modules", "kernel modules", modules),
    Attempt("kexec", "another kernel", kexec),
    Attempt("reboot", "a restart of the machine", reboot),
    Attempt("swap", "swap files", swap),
    Attempt("accounting", "process accounting", accounting),
    Attempt("hostname", "the machine's name", hostname),
    Attempt("kernel-log", "the kernel's log", kernel_log),
    Attempt("fanotify", "others' use of files", watch_all_files),
    Attempt("capabilities", "a capability", capabilities),
    Attempt("setuid-root", "becoming root", become_root),
    Attempt("setuid-programs", "privileges gained by a program", gain_privileges),
    Attempt("unfiltered", "system calls that nobody filters", unfiltered),
    Attempt("x32-calls", "system calls by other numbers", unknown_processor),
    Attempt("device-nodes", "a new device", devices),
    Attempt("oom-score", "being the last killed for memory", urgent),
    Attempt("priority", "running before everything else", first_in_line),
    Attempt("limits-raised", "higher limits", higher_limits),
    Attempt("terminal", "the harness's terminal", terminal),
    Attempt("descriptors", "descriptors left open", leaked),
]
