"""File descriptors: enough for every trial that runs at once, however many connections its agent opens."""

import resource

from pincite_core.errors import BadInputError
from pincite_doors.traffic import TrafficLimits

_HARNESS = 256
"""Descriptors of the harness itself: records of the run, judges, scoring, the sandbox's daemon."""
_TRIAL = 64
"""Descriptors of one trial beside its connections: pipes of servers and sandbox, logs, records, listening sockets and
those that wait to be accepted."""
_EACH = 2
"""Descriptors of a connection at a door: the agent's side, and the provider's or the web's."""
_FEWEST = 16
"""Connections that the command lines need at least: about ten were seen at once."""


def connections_for(trials: int) -> int:
    """How many connections each of ``trials`` that run at once may have open, at most what ``TrafficLimits`` says; the
    limit of open files (RLIMIT_NOFILE) is raised where that is allowed. BadInputError where it is too low."""
    wanted = TrafficLimits().connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = _HARNESS + trials * (_TRIAL + _EACH * wanted)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return wanted
    affordable = ((soft - _HARNESS) // trials - _TRIAL) // _EACH
    if affordable < _FEWEST:
        least = _HARNESS + trials * (_TRIAL + _EACH * _FEWEST)
        raise BadInputError(
            f"{trials} trials at once need {least} open files.",
            seen=f"this process may have {soft} (ulimit -n)",
            next="Raise the limit, or run fewer at once (-n).",
        )
    return min(wanted, affordable)
