"""Which places an open-web task may reach."""

import re
from collections.abc import Iterable

from pincite_core.errors import BadInputError, ForbiddenError
from pincite_core.http.urls import Origin, origin, parse

_PATTERN = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)+\Z")
_PORTS = {"http": 80, "https": 443}


class AllowedHosts:
    """Host names, and ``*.suffix`` for all names below a suffix (not the suffix itself). Numbers are never names.

    BadInputError for a pattern of another form.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        lowered = [pattern.lower().removesuffix(".") for pattern in patterns]
        for pattern in lowered:
            if _PATTERN.match(pattern) is None or pattern.rpartition(".")[2].isdigit():
                raise BadInputError(
                    f"{pattern!r} is not a host that a task may open.", next="Write a host name or *.suffix."
                )
        self._names = frozenset(pattern for pattern in lowered if not pattern.startswith("*."))
        self._suffixes = tuple(pattern[1:] for pattern in lowered if pattern.startswith("*."))

    def place(self, scheme: str, address: str) -> Origin:
        """The place that ``address`` (``host[:port]`` or a whole URL) names; ForbiddenError when it is not open,
        BadInputError when it is not an address."""
        url = parse(address if "://" in address else f"{scheme}://{address}")
        found = origin(url)
        if found.scheme != scheme or found.port != _PORTS[scheme]:
            raise ForbiddenError(f"{found} is not open in this trial.", seen="only https on 443 and http on 80 are")
        if found.host not in self._names and not found.host.endswith(self._suffixes or ("\0",)):
            raise ForbiddenError(
                f"The host {found.host} is not open in this trial.", next="Use the hosts that the task names."
            )
        return found
