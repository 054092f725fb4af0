"""System calls by number, past libc, which knows only some of them and checks before it asks."""

from __future__ import annotations

import ctypes
import errno
import os
import platform

from .attempt import Refused, Unknown

_NUMBERS = {
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "ptrace": (101, 117), "process_vm_readv": (310, 270), "bpf": (321, 280),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "keyctl": (250, 219), "add_key": (248, 217),
    "init_module": (175, 105), "kexec_load": (246, 104), "reboot": (169, 142), "swapon": (167, 224),
    "sethostname": (170, 161), "open_by_handle_at": (304, 265), "fsopen": (430, 430), "open_tree": (428, 428),
    "io_uring_setup": (425, 425), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "clone": (56, 220),
    "clone3": (435, 435), "syslog": (103, 116), "acct": (163, 89), "fanotify_init": (300, 262),
}  # fmt: skip
"""For each its number on x86_64 and on aarch64."""
_MACHINES = ("x86_64", "aarch64")
_libc = ctypes.CDLL(None, use_errno=True)
_REFUSALS = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EROFS)


def call(name: str, *arguments: object) -> int:
    """Make a system call; OSError when it fails, Unknown on a processor whose numbers are not known here."""
    if platform.machine() not in _MACHINES:
        raise Unknown(f"the number of {name} on {platform.machine()} is not known")
    number = _NUMBERS[name][_MACHINES.index(platform.machine())]
    ctypes.set_errno(0)
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result = _libc.syscall(ctypes.c_long(number), *words)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(result)


def heard(name: str, *arguments: object) -> str:
    """What it means that the kernel looked at a call: any error but a refusal says that it would have done it."""
    try:
        return f"{name} returned {call(name, *arguments)}"
    except OSError as error:
        if error.errno in _REFUSALS:
            raise Refused(error.strerror) from None
        return f"{name} was looked at: {error.strerror}"
