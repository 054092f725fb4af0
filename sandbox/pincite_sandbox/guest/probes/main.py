"""The program of the probes: ``probe GROUP TARGETS`` prints one JSON object a line, one for each probe of the group."""

from __future__ import annotations

import json
import sys

from .attempt import Attempt, verdict


def attempts(group: str) -> list[Attempt]:
    """The probes of a group: network, relay, dead, kernel or files."""
    if group == "network":
        from .network import NETWORK

        return NETWORK
    if group == "relay":
        from .relay import RELAY

        return RELAY
    if group == "dead":
        from .relay import DEAD

        return DEAD
    if group == "kernel":
        from .kernel import KERNEL

        return KERNEL
    from .files import FILES

    return FILES


def main(argv: list[str]) -> int:
    """Run every probe of the group ``argv[0]`` with the targets ``argv[1]`` (JSON)."""
    targets = json.loads(argv[1])
    for attempt in attempts(argv[0]):
        sys.stdout.write(json.dumps(verdict(attempt, targets)) + "\n")
        sys.stdout.flush()
    return 0
