"""Probes below TCP and UDP: other kinds of sockets, frames, devices, and changes of the network itself."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
from pathlib import Path

from .attempt import Attempt, Refused, Targets, Unknown

_WAIT = 1.0
"""Seconds until a send that is not refused counts as closed. Set by judgement."""
_FAMILIES = {"ax25": 3, "x25": 9, "key": 15, "packet": 17, "pppox": 24, "can": 29, "tipc": 30, "bluetooth": 31,
             "alg": 38, "nfc": 39, "vsock": 40, "kcm": 41, "qipcrtr": 42, "smc": 43, "xdp": 44}  # fmt: skip
_RTM_NEWLINK, _RTM_NEWADDR, _RTM_NEWROUTE = 16, 20, 24
"""Messages of rtnetlink(7): a new device, address and route."""
_REQUEST_CREATE = 0x1 | 0x4 | 0x400
"""Flags of netlink(7): a request, to be acknowledged, that makes something."""
_CID_HYPERVISOR, _CID_HOST = 0, 2
"""Addresses of vsock(7) outside a virtual machine."""


def ping(kind: int, targets: Targets) -> str:
    """Send an echo request to a public address over a socket of this kind."""
    with socket.socket(socket.AF_INET, kind, socket.IPPROTO_ICMP) as link:
        link.settimeout(_WAIT)
        link.sendto(b"\x08\x00\xf7\xff\x00\x00\x00\x00", (targets["ping"], 0))
        return f"an echo request left for {targets['ping']}"


def made(family: int, kind: int, protocol: int = 0) -> str:
    """Make a socket that no program here needs."""
    with socket.socket(family, kind, protocol):
        return f"a socket of family {family}, kind {kind}, was made"


def netlink(kind: int, body: bytes) -> str:
    """Ask the kernel to change the network; an acknowledgement without an error is a success."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        link.bind((0, 0))
        link.settimeout(_WAIT)
        link.send(struct.pack("=IHHII", 16 + len(body), kind, _REQUEST_CREATE, 1, 0) + body)
        (code,) = struct.unpack_from("=i", link.recv(4096), 16)
    if code:
        raise OSError(-code, os.strerror(-code))
    return "the kernel did it"


def new_link(_targets: Targets) -> str:
    """Make a bridge of our own (its name, kind in nested attributes)."""
    kind = struct.pack("=HH", 11, 1) + b"bridge\x00\x00"[:8]
    info = struct.pack("=HH", 4 + len(kind), 18) + kind
    name = struct.pack("=HH", 4 + 8, 3) + b"pincite\x00"
    return netlink(_RTM_NEWLINK, struct.pack("=BxHiII", 0, 0, 0, 0, 0) + name + info)


def new_address(_targets: Targets) -> str:
    """Give loopback another address."""
    body = struct.pack("=BBBBI", socket.AF_INET, 32, 0, 0, 1)
    address = socket.inet_aton("127.99.99.99")
    return netlink(_RTM_NEWADDR, body + b"".join(struct.pack("=HH", 8, at) + address for at in (1, 2)))


def new_route(_targets: Targets) -> str:
    """Send 198.51.100.0/24, which nobody has, to loopback."""
    body = struct.pack("=BBBBBBBBI", socket.AF_INET, 24, 0, 0, 254, 4, 253, 1, 0)
    to = struct.pack("=HH", 8, 1) + socket.inet_aton("198.51.100.0")
    return netlink(_RTM_NEWROUTE, body + to + struct.pack("=HHI", 8, 4, 1))


def vsock(cid: int, targets: Targets) -> str:
    """Connect to the machine, or to what runs it, past the network."""
    try:
        with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as link:
            link.settimeout(_WAIT)
            link.connect((cid, targets["vsock_port"]))
    except (ConnectionResetError, ConnectionRefusedError):
        return f"cid {cid} was reached, and refused"
    except OSError as error:
        if error.errno == errno.EPERM:
            raise
        raise Unknown(f"vsock is let through, but this machine has none: {error.strerror}") from None
    return f"connected to cid {cid}"


def tunnel(_targets: Targets) -> str:
    """Open the device that makes interfaces."""
    os.close(os.open("/dev/net/tun", os.O_RDWR))
    return "/dev/net/tun opens"


def families(_targets: Targets) -> str:
    """Make a socket of a family that talks to drivers and other machines."""
    done: list[str] = []
    for name, family in _FAMILIES.items():
        for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                socket.socket(family, kind).close()
            except (OSError, OverflowError):
                continue
            done.append(name)
            break
    if not done:
        raise Refused("none of them is made")
    return f"sockets made: {', '.join(done)}"


def ethernet(_targets: Targets) -> str:
    """Write a frame to the wire."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as link:
        link.bind(("lo", 0))
        link.send(b"\xff" * 6 + b"\x00" * 6 + b"\x88\xb5" + b"\x00" * 46)
        return "a frame was sent"


def bound_source(targets: Targets) -> str:
    """Connect from an address of another machine (IP_FREEBIND, IP_TRANSPARENT)."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as link:
        link.settimeout(_WAIT)
        link.setsockopt(socket.IPPROTO_IP, 19, 1)
        link.bind(("198.51.100.7", 0))
        return f"bound to an address that is not ours; next would be {targets['public'][0][0]}"


def namespaced(_targets: Targets) -> str:
    """Enter the network of another process."""
    libc = ctypes.CDLL(None, use_errno=True)
    own = Path("/proc/self/ns/net").readlink()
    for entry in Path("/proc").glob("[0-9]*/ns/net"):
        try:
            if entry.readlink() == own:
                continue
            descriptor = os.open(entry, os.O_RDONLY)
        except OSError:
            continue
        if libc.setns(descriptor, 0) == 0:
            return f"the network of process {entry.parts[2]} was entered"
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    raise Refused("no process of another network is seen")


SOCKETS = [
    Attempt("icmp-datagram", "a ping by a datagram socket",
            lambda t: ping(socket.SOCK_DGRAM, t)),
    Attempt("icmp-raw", "a ping by a raw socket", lambda t: ping(socket.SOCK_RAW, t)),
    Attempt("icmp6-raw", "an IPv6 ping by a raw socket",
            lambda _: made(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)),
    Attempt("raw-ip", "a raw IP socket", lambda _: made(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)),
    Attempt("packet-socket", "a frame on the wire", ethernet),
    Attempt("foreign-source", "an address that is not the sandbox's", bound_source),
    Attempt("vsock-host", "the machine by vsock", lambda t: vsock(t["vsock_cid"], t)),
    Attempt("vsock-hypervisor", "the hypervisor by vsock", lambda t: vsock(_CID_HYPERVISOR, t)),
    Attempt("other-families", "sockets of families that no program needs", families),
    Attempt("netlink-link", "a new interface", new_link),
    Attempt("netlink-address", "a new address", new_address),
    Attempt("netlink-route", "a new route", new_route),
    Attempt("network-namespace", "the network of another process", namespaced),
    Attempt("tunnel", "the device that makes interfaces", tunnel),
]  # fmt: skip
