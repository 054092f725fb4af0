"""Which network addresses a fetched URL may reach: a defence against server-side request forgery."""

import ipaddress
import socket
from collections.abc import Callable

from pincite_core.errors import ForbiddenError, UnavailableError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Lookup = Callable[[str, int], list[str]]
"""Finds the addresses of a host, in the order to try them; OSError or UnicodeError when there is none."""

_REFUSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments: parts of it count as global in Python 3.11
        "192.88.99.0/24",  # relays of 6to4
        "64:ff9b:1::/48",  # NAT64 for local use
        "2001::/23",  # protocol assignments, Teredo among them
        "3fff::/20",  # documentation
    )
)
_GLOBAL_IPV6 = ipaddress.IPv6Network("2000::/3")
"""All unicast addresses that are given out (IANA); what else a Python version takes for global is not."""

_CARRIERS = tuple(ipaddress.IPv6Network(network) for network in ("64:ff9b::/96", "::/96", "::ffff:0:0/96"))
_ISATAP = (0x00005EFE, 0x02005EFE)
"""The upper half of the interface id of an ISATAP address (RFC 5214, 6.1), local and global."""


def is_public(address: Address) -> bool:
    """Whether the address, and any IPv4 address that it carries inside, is a public unicast one."""
    if not (_carries(address) or _is_6to4(address)):
        if not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
            return False
        if address.version == 6 and address not in _GLOBAL_IPV6:
            return False
    if any(address.version == network.version and address in network for network in _REFUSED):
        return False
    return isinstance(address, ipaddress.IPv4Address) or all(is_public(inner) for inner in _carried(address))


def is_loopback_host(host: str) -> bool:
    """Whether the host names this machine: ``localhost``, or a loopback address. Nothing is resolved."""
    if host.lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def look_up(host: str, port: int) -> list[str]:
    """The addresses of ``host`` by the system's resolver; it blocks."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def resolve(host: str, port: int, *, allow_private: bool = False, lookup: Lookup = look_up) -> list[str]:
    """The addresses of ``host``, in the resolver's order, for the caller to connect to and to no other.

    ForbiddenError when one of them is not public (unless ``allow_private``), UnavailableError when none is found.
    """
    try:
        addresses = lookup(host, port)
        if not addresses:
            raise OSError("it has no address")
    except (OSError, UnicodeError) as error:
        raise UnavailableError(
            f"The host {host} could not be resolved.", seen=str(error), next="Check the address, or try again later."
        ) from error
    for address in addresses:
        if not allow_private and not is_public(ipaddress.ip_address(address)):
            raise ForbiddenError(
                f"The host {host} may not be fetched from.",
                seen=f"{address} is not a public address",
                next="Download the file yourself and open it by its path.",
            )
    return addresses


def _carries(address: Address) -> bool:
    return address.version == 6 and any(address in network for network in _CARRIERS)


def _is_6to4(address: Address) -> bool:
    """2002::/16 (RFC 3056): some versions of Python count all of it as not global, whatever it carries."""
    return address.version == 6 and address.sixtofour is not None


def _carried(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses embedded in an IPv6 one: mapped, compatible, NAT64 (RFC 6052), 6to4, ISATAP (RFC 5214)."""
    low = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    carried: list[ipaddress.IPv4Address] = []
    if _carries(address) or (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        carried.append(low)
    if address.sixtofour is not None:
        carried.append(address.sixtofour)
    return carried
