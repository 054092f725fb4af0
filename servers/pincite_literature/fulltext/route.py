"""Route: one way to an open full text, and what came of trying it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from pincite_core.http.exchange import Params
from pincite_core.http.policy import NO_ACCESS, Access, Rate, SourcePolicy
from pincite_literature.catalog import TRUST
from pincite_literature.model import FulltextKind, Version

_VERSIONS = ("published", "accepted", "submitted", "")


@dataclass(frozen=True, slots=True)
class Route:
    """A full text that ``source`` offers as ``kind``; ``url`` is absolute, or a path below the policy's address."""

    kind: FulltextKind
    source: str
    policy: SourcePolicy
    url: str
    params: Params = ()
    access: Access = NO_ACCESS
    version: Version = ""
    licence: str = ""
    number: int | None = None
    """The number of the version, where an archive counts them."""
    said_open: bool = True
    """Whether somebody says that it is open: a publisher names its copies also where they are not."""

    @property
    def address(self) -> str:
        """The absolute URL, for results."""
        base = self.url if "://" in self.url else f"{self.policy.base_url.rstrip('/')}/{self.url}"
        return f"{base}?{'&'.join(f'{name}={value}' for name, value in self.params)}" if self.params else base


@dataclass(frozen=True, slots=True)
class Attempt:
    """A route that was tried in vain. ``certain``: it surely does not have the text; else it may only be out of order.

    A route that was not tried has ``asked`` False; it counts as certain when that is for the user's settings.
    """

    source: str
    kind: FulltextKind | None
    url: str
    outcome: str
    certain: bool
    asked: bool = True


def in_order(routes: Iterable[Route]) -> list[Route]:
    """Published before accepted before submitted versions, then by trust, each address once."""
    ranked = sorted(routes, key=lambda route: (_VERSIONS.index(route.version), _distrust(route.source)))
    return list({route.address: route for route in reversed(ranked)}.values())[::-1]


def _distrust(source: str) -> int:
    return TRUST.index(source) if source in TRUST else len(TRUST)


def policy_of_host(url: str) -> SourcePolicy:
    """How a site without a published policy is asked: one request a second, two at once."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2].lower()
    return SourcePolicy(
        name=f"host-{re.sub(r'[^a-z0-9.-]', '_', place)}",
        title=(parts.hostname or "").lower(),
        base_url=f"{parts.scheme}://{parts.netloc}",
        rate=Rate(requests=1, seconds=1.0, at_once=2),
        foreign=True,
    )
