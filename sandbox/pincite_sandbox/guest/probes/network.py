"""Probes of the network: every way to something that is not a door."""

from __future__ import annotations

import os
import socket
import struct
from pathlib import Path

from .attempt import Attempt, Refused, Targets, Unknown
from .sockets import SOCKETS

_WAIT = 1.0
"""Seconds until a connection that is not refused counts as closed. Set by judgement."""


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
    raise Unknown("no gateway answered")


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
    """Find something on loopback that listens and is not a door."""
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


NETWORK = [
    *SOCKETS,
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
    Attempt("mptcp", "Multipath TCP to a public address", lambda t: reaching(262, t)),
    Attempt("tcp-fast-open", "data with the first packet of TCP", fast_open),
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
    Attempt("interfaces", "another interface than loopback", interfaces),
    Attempt("routes", "a route past loopback", routes),
    Attempt("proxy-variables", "a proxy named in the variables", proxies),
    Attempt("listeners", "what listens on loopback beside the doors", listeners),
]  # fmt: skip
