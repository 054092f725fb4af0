"""Options: the agent's switches with their defaults, in one table."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

DEFAULTS = {
    "order": "ranked",
    "reuse": "on",
    "rounds": "adaptive",
    "row": "on",
    "column": "on",
    "guidance": "schema",
    "tau": "0.5",
    "mode": "debate",
    "probe": "page",
    "voices": "all",
    "rebuttal": "on",
    "coordinator": "guarded",
    "objects": "joint",
    "stable": "2",
    "most": "0.8",
    "marginal": "0.1",
    "max_rounds": "6",
    "reopen": "1",
    "steady": "on",
    "check": "on",
    "width": "8",
}
"""The full system. ``probe=page``, ``coordinator=guarded``, ``objects=joint``, ``steady=on`` and the five figures from
``stable`` to ``reopen`` are decisions of ours: the method's description leaves them open."""
_SHARE = r"0+(\.\d+)?|0*1(\.0+)?"
_CHOICES = {
    "order": r"ranked|schema|random:\d+",
    "reuse": "on|archive|document|off",
    "rounds": r"adaptive|[1-9]\d*",
    "row": "on|off",
    "column": "on|off",
    "guidance": "schema|names",
    "tau": _SHARE,
    "mode": "debate|sequential",
    "probe": "page|cell",
    "voices": "all|active",
    "rebuttal": "on|off",
    "coordinator": "guarded|free",
    "objects": "joint|each",
    "stable": r"[1-9]\d*",
    "most": _SHARE,
    "marginal": _SHARE,
    "max_rounds": r"[1-9]\d*",
    "reopen": r"\d+",
    "steady": "on|off",
    "check": "on|off",
    "width": r"[1-9]\d*",
}


@dataclass(frozen=True, slots=True)
class Options:
    """The switches as values; ``rounds`` is 0 where their number is left to convergence."""

    order: str
    reuse: str
    rounds: int
    row: bool
    column: bool
    guided: bool
    tau: float
    sequential: bool
    by_cell: bool
    active: bool
    rebuttal: bool
    guarded: bool
    each: bool
    stable: int
    most: float
    marginal: float
    max_rounds: int
    reopen: int
    steady: bool
    check: bool
    width: int

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """The options of a run; ValueError for a value that cannot be."""
        known = {name: str(given.get(name, default)) for name, default in DEFAULTS.items()}
        for name, value in known.items():
            if not re.fullmatch(_CHOICES[name], value):
                raise ValueError(f"{name}={value!r} is not a valid value; it is like {_CHOICES[name]}")
        return cls(
            order=known["order"],
            reuse=known["reuse"],
            rounds=0 if known["rounds"] == "adaptive" else int(known["rounds"]),
            row=known["row"] == "on",
            column=known["column"] == "on" and known["reuse"] in ("on", "document"),
            guided=known["guidance"] == "schema",
            tau=float(known["tau"]),
            sequential=known["mode"] == "sequential",
            by_cell=known["probe"] == "cell",
            active=known["voices"] == "active",
            rebuttal=known["rebuttal"] == "on",
            guarded=known["coordinator"] == "guarded",
            each=known["objects"] == "each",
            stable=int(known["stable"]),
            most=float(known["most"]),
            marginal=float(known["marginal"]),
            max_rounds=int(known["max_rounds"]),
            reopen=int(known["reopen"]),
            steady=known["steady"] == "on",
            check=known["check"] == "on",
            width=int(known["width"]),
        )

    @property
    def document(self) -> bool:
        """Whether fields that are settled constrain later ones; the column agent depends on it."""
        return self.reuse in ("on", "document")

    @property
    def archive(self) -> bool:
        """Whether records of earlier papers are shown."""
        return self.reuse in ("on", "archive")

    @property
    def last_round(self) -> int:
        """The round that a debate ends with at the latest."""
        return self.rounds or self.max_rounds
