"""Probes of the network: every way to something that is not a door."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
from pathlib import Path

from .attempt import Attempt, Refused, Targets, Untold

_WAIT = 1.5
_FAMILIES = {"ax25": 3, "x25": 9, "key": 15, "packet": 17, "pppox": 24, "can": 29, "tipc": 30, "bluetooth": 31,
             "alg": 38, "nfc": 39, "vsock": 40, "kcm": 41, "qipcrtr": 42, "smc": 43, "xdp": 44}  # fmt: skip
_RTM_NEWLINK, _RTM_NEWADDR, _RTM_NEWROUTE = 16, 20, 24
_REQUEST_CREATE = 0x1 | 0x4 | 0x400
_CID_HYPERVISOR, _CID_HOST = 0, 2


def tcp(host: str, port: int) -> str:
    """Connect; an address of either kind."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as link:
        link.settimeout(_WAIT)
        link.connect((host, port))
    return f"connected to {host} port {port}"


def beacon(targets: Targets, place: str) -> str:
    """Connect on loopback and hear the machine's beacon: another program inside may have the same port."""
    host, port = targets[place]
    with socket.create_connection((host, port), timeout=_WAIT) as link:
        if targets["word"].encode() not in link.recv(4096):
            raise Refused("something else listens there")
    return f"the beacon at {host} was heard"


def udp(host: str, port: int, data: bytes = b"\x13\x37\x01\x00\x00\x01" + b"\x00" * 6) -> str:
    """Send a datagram; whether an answer comes or not, it left."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as link:
        link.settimeout(_WAIT)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        link.connect((host, port))
        link.send(data)
        try:
            link.recv(4096)
        except ConnectionRefusedError:
            if host.startswith("127.") or host == "::1":
                raise
            return f"{host} port {port} was reached, and refused"
        except TimeoutError:
            return f"a datagram left for {host} port {port}; no answer in {_WAIT} s"
    return f"{host} port {port} answered"


def lookup(name: str, family: int = 0) -> str:
    """Resolve a name as any program would."""
    try:
        found = socket.getaddrinfo(name, 443, family)
    except socket.gaierror as error:
        raise Refused(error.strerror or str(error)) from None
    return f"{name} is {found[0][4][0]}"


def named(name: str, port: int) -> str:
    """Resolve a name and connect."""
    lookup(name)
    with socket.create_connection((name, port), timeout=_WAIT):
        return f"connected to {name}"


def _each(pairs: list[tuple[str, int]], way: str) -> str:
    """The first target that is reached, else the last refusal."""
    last: BaseException = Refused("there is none")
    for host, port in pairs:
        try:
            return tcp(host, port) if way == "tcp" else udp(host, port)
        except (OSError, Refused) as error:
            last = error
    raise last


def configured_resolver(targets: Targets) -> str:
    """Ask the resolvers that this machine is set up for."""
    text = Path(targets["resolv_conf"]).read_text() if Path(targets["resolv_conf"]).exists() else ""
    rows = [line.split() for line in text.splitlines()]
    servers = [row[1] for row in rows if len(row) > 1 and row[0] == "nameserver"]
    return _each([(server, targets["dns_port"]) for server in servers], "udp")


def gateway(targets: Targets) -> str:
    """Connect to the gateway of each route."""
    rows = [line.split() for line in Path(targets["routes"]).read_text().splitlines()[1:]]
    gateways = {socket.inet_ntoa(struct.pack("<I", int(row[2], 16))) for row in rows if int(row[2], 16)}
    if not gateways:
        raise Refused("no route has a gateway")
    for address in gateways:
        try:
            return tcp(address, targets["machine_port"])
        except ConnectionRefusedError:
            return f"the gateway {address} was reached, and refused"
    raise Untold("no gateway answered")


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


def reaching(protocol: int, targets: Targets) -> str:
    """Connect by another transport than TCP."""
    host, port = targets["public"][0]
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol) as link:
        link.settimeout(_WAIT)
        link.connect((host, port))
        return f"connected to {host} by protocol {protocol}"


def fast_open(targets: Targets) -> str:
    """Send data along with the first packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as link:
        link.settimeout(_WAIT)
        try:
            link.sendto(b"x", socket.MSG_FASTOPEN, tuple(targets["public"][0]))
        except BlockingIOError:
            return "the first packet left"
        return "data left with the first packet"


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


def interfaces(_targets: Targets) -> str:
    """See another interface than loopback."""
    found = [name for _, name in socket.if_nameindex() if name != "lo"]
    if not found:
        raise Refused("there is only lo")
    return f"interfaces: {', '.join(found)}"


def routes(_targets: Targets) -> str:
    """See a route that does not end at loopback."""
    four = [line.split()[0] for line in Path("/proc/net/route").read_text().splitlines()[1:]]
    path = Path("/proc/net/ipv6_route")
    six = [line.split()[-1] for line in path.read_text().splitlines()] if path.exists() else []
    found = sorted({name for name in (*four, *six) if name != "lo"})
    if not found:
        raise Refused("all routes end at lo")
    return f"routes over {', '.join(found)}"


def listeners(targets: Targets) -> str:
    """Find something on loopback that listens and is no door."""
    doors = set(targets["door_ports"])
    for name in ("tcp", "tcp6"):
        path = Path(f"/proc/net/{name}")
        rows = [line.split() for line in path.read_text().splitlines()[1:]] if path.exists() else []
        ports = {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A"} - doors
        if ports:
            return f"also listening: {', '.join(str(port) for port in sorted(ports)[:5])}"
    raise Refused("only the doors listen")


def abstract(targets: Targets) -> str:
    """Connect to an abstract Unix socket of the machine."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(_WAIT)
        link.connect("\0" + targets["abstract"])
        return "connected to an abstract socket of the machine"


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
        raise Untold(f"vsock is let through, but this machine has none: {error.strerror}") from None
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


def multicast6(_targets: Targets) -> str:
    """Speak to every machine on the link."""
    last: OSError | None = None
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as link:
        link.settimeout(_WAIT)
        for index in [index for index, name in socket.if_nameindex() if name != "lo"] or [0]:
            try:
                link.sendto(b"x", ("ff02::1", 5353, 0, index))
            except OSError as error:
                last = error
                continue
            return "a datagram left for ff02::1"
    raise last or Refused("there is no interface")


def proxies(_targets: Targets) -> str:
    """Find a proxy in the variables that leads past loopback."""
    found = [
        value for name, value in os.environ.items() if name.lower().endswith("_proxy") and name.lower() != "no_proxy"
    ]
    out = [value for value in found if "127.0.0.1" not in value and "localhost" not in value]
    if not out:
        raise Refused("no variable names one")
    return f"a proxy is named: {out[0].rpartition('@')[2]}"


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


NETWORK = [
    Attempt("tcp-public", "TCP to a public address, port 443", lambda t: tcp(*t["public"][0])),
    Attempt("tcp-public-http", "TCP to a public address, port 80", lambda t: tcp(*t["public"][1])),
    Attempt("tcp-public-ssh", "TCP to a public address, port 22", lambda t: tcp(*t["public"][2])),
    Attempt("tcp-public-v6", "TCP to a public IPv6 address", lambda t: tcp(*t["public6"])),
    Attempt("tcp-mapped", "TCP to a public address written as IPv6", lambda t: tcp(*t["mapped"])),
    Attempt("host-anthropic", "the Anthropic API by its name", lambda t: named(*t["models"][0])),
    Attempt("host-openai", "the OpenAI API by its name", lambda t: named(*t["models"][1])),
    Attempt("host-google", "the Google API by its name", lambda t: named(*t["models"][2])),
    Attempt("host-github", "a code host by its name", lambda t: named(*t["models"][3])),
    Attempt("name-lookup", "a name, as programs look it up", lambda t: lookup(t["name"])),
    Attempt("name-lookup-v6", "a name's IPv6 address", lambda t: lookup(t["name6"], socket.AF_INET6)),
    Attempt("dns-udp", "a DNS question to a public resolver", lambda t: udp(*t["resolver"])),
    Attempt("dns-tcp", "DNS over TCP to a public resolver", lambda t: tcp(*t["resolver"])),
    Attempt("dns-v6", "a DNS question to a public IPv6 resolver", lambda t: udp(*t["resolver6"])),
    Attempt("dns-configured", "a DNS question to the configured resolvers", configured_resolver),
    Attempt("dns-stub", "a DNS question to the machine's stub resolver", lambda t: udp(*t["stub"])),
    Attempt("dns-docker", "a DNS question to Docker's own resolver", lambda t: udp(*t["docker_dns"])),
    Attempt("udp-public", "UDP (QUIC) to a public address", lambda t: udp(*t["quic"])),
    Attempt("udp-broadcast", "UDP to everybody on the link", lambda t: udp(*t["broadcast"])),
    Attempt("udp-multicast", "UDP to the group 224.0.0.251", lambda t: udp("224.0.0.251", t["multicast_port"])),
    Attempt("udp-multicast-v6", "UDP to the group ff02::1", multicast6),
    Attempt("icmp-datagram", "a ping by a datagram socket",
            lambda t: ping(socket.SOCK_DGRAM, t)),
    Attempt("icmp-raw", "a ping by a raw socket", lambda t: ping(socket.SOCK_RAW, t)),
    Attempt("icmp6-raw", "an IPv6 ping by a raw socket",
            lambda _: made(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)),
    Attempt("raw-ip", "a raw IP socket", lambda _: made(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)),
    Attempt("packet-socket", "a frame on the wire", ethernet),
    Attempt("mptcp", "Multipath TCP to a public address", lambda t: reaching(262, t)),
    Attempt("tcp-fast-open", "data with the first packet of TCP", fast_open),
    Attempt("foreign-source", "an address that is not the sandbox's", bound_source),
    Attempt("gateway", "the gateway of a route", gateway),
    Attempt("bridge-gateway", "the machine through Docker's bridges", lambda t: _each(t["bridges"], "tcp")),
    Attempt("machine-address", "the machine by its own addresses", lambda t: _each(t["machine"], "tcp")),
    Attempt("machine-udp", "the machine by UDP", lambda t: _each(t["machine"], "udp")),
    Attempt("machine-loopback", "the machine's loopback", lambda t: beacon(t, "loopback")),
    Attempt("machine-loopback-v6", "the machine's IPv6 loopback", lambda t: beacon(t, "loopback6")),
    Attempt("machine-name", "the machine as host.docker.internal", lambda t: named(*t["machine_name"])),
    Attempt("abstract-socket", "an abstract Unix socket of the machine", abstract),
    Attempt("metadata", "the cloud's metadata (169.254.169.254)", lambda t: tcp(*t["metadata"][0])),
    Attempt("metadata-v6", "the cloud's metadata (fd00:ec2::254)", lambda t: tcp(*t["metadata"][1])),
    Attempt("metadata-tasks", "container credentials (169.254.170.2)", lambda t: tcp(*t["metadata"][2])),
    Attempt("metadata-other", "the cloud's metadata (100.100.100.200)", lambda t: tcp(*t["metadata"][3])),
    Attempt("metadata-name", "metadata.google.internal", lambda t: named(*t["metadata_name"])),
    Attempt("vsock-host", "the machine by vsock", lambda t: vsock(t["vsock_cid"], t)),
    Attempt("vsock-hypervisor", "the hypervisor by vsock", lambda t: vsock(_CID_HYPERVISOR, t)),
    Attempt("other-families", "sockets of families that no program needs", families),
    Attempt("netlink-link", "a new interface", new_link),
    Attempt("netlink-address", "a new address", new_address),
    Attempt("netlink-route", "a new route", new_route),
    Attempt("interfaces", "another interface than loopback", interfaces),
    Attempt("routes", "a route past loopback", routes),
    Attempt("network-namespace", "the network of another process", namespaced),
    Attempt("tunnel", "the device that makes interfaces", tunnel),
    Attempt("proxy-variables", "a proxy named in the variables", proxies),
    Attempt("listeners", "what listens on loopback beside the doors", listeners),
]  # fmt: skip
