"""A seccomp filter for commands in sandboxes without a daemon, as classic BPF instructions (seccomp(2), bpf(2)).

It refuses io_uring, BPF programs, performance events, kernel keys, tracing and new namespaces, and sockets of other
families than Unix, internet and netlink. On processors that it does not know it is not installed.
"""

from __future__ import annotations

import ctypes
import os
import struct

_PR_SET_SECCOMP = 22
"""Option of prctl(2)."""
_SECCOMP_MODE_FILTER = 2
"""Mode of seccomp(2): a filter in BPF."""
_LOAD_WORD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""Instructions of classic BPF (linux/bpf_common.h)."""
_ALLOW, _REFUSE, _NOT_THERE = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38
"""Let it pass, fail with EPERM, fail with ENOSYS."""

_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
"""Bytes of ``struct seccomp_data`` before the call's number, the architecture and the first argument."""
_X32_BIT = 0x40000000
"""The bit of calls of the x32 interface on x86-64."""
_NEW_NAMESPACES = 0x7E020000
"""The flags CLONE_NEW* of clone(2) and unshare(2)."""
_FAMILIES = (1, 2, 10, 16)
"""Families of sockets: Unix, IPv4, IPv6 and netlink, which name look-ups ask."""
_CLONE3 = 435
"""Number of clone3(2): its flags lie in memory, where a filter cannot look."""
_REFUSED_EVERYWHERE = (425, 426, 427, 428, 429, 430, 431, 432, 433, 442)
"""io_uring_setup, _enter, _register; open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr."""

_MACHINES: dict[str, tuple[int, int, int, tuple[int, ...]]] = {
    "x86_64": (0xC000003E, 56, 41, (101, 103, 248, 249, 250, 272, 298, 304, 308, 310, 311, 321, 323)),
    "aarch64": (0xC00000B7, 220, 198, (117, 116, 217, 218, 219, 97, 241, 265, 268, 270, 271, 280, 282)),
}
"""For each its audit architecture, the numbers of clone and socket, and those of ptrace, syslog, add_key, request_key,
keyctl, unshare, perf_event_open, open_by_handle_at, setns, process_vm_readv, process_vm_writev, bpf and userfaultfd."""

_Instruction = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def program(machine: str) -> list[_Instruction] | None:
    """The filter's instructions (code, jump if true, jump if false, operand), or None for an unknown machine."""
    if machine not in _MACHINES:
        return None
    architecture, clone, socket, refused = _MACHINES[machine]
    lines: list[_Instruction] = [
        (_LOAD_WORD, 0, 0, _ARCHITECTURE_AT),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD_WORD, 0, 0, _NUMBER_AT),
        (_JUMP_GREATER_EQUAL, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, _REFUSE),
    ]
    for number in (*refused, *_REFUSED_EVERYWHERE):
        lines += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    # clone3's flags lie in memory that a filter cannot read: "not there" makes libc take clone instead.
    lines += [(_JUMP_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _NOT_THERE)]
    lines += [
        (_JUMP_EQUAL, 0, 4, clone),
        (_LOAD_WORD, 0, 0, _FIRST_ARGUMENT_AT),
        (_JUMP_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
        (_JUMP_EQUAL, 1, 0, socket),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD_WORD, 0, 0, _FIRST_ARGUMENT_AT),
    ]
    for family in _FAMILIES:
        lines += [(_JUMP_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    return [*lines, (_RETURN, 0, 0, _REFUSE)]


def install(libc: ctypes.CDLL) -> None:
    """Put the filter on this process and all it starts; it needs "no new privileges" before. OSError if refused."""
    lines = program(os.uname().machine)
    if lines is None:
        return
    packed = b"".join(struct.pack("=HBBI", *line) for line in lines)
    buffer = ctypes.create_string_buffer(packed, len(packed))
    whole = _Program(len(lines), ctypes.cast(buffer, ctypes.c_void_p).value)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(whole), 0, 0) != 0:
        raise OSError(ctypes.get_errno() or 1, "the system call filter was refused")
