"""Cast: the roles of a program of several, each played by a script or a small function, told by their labels."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping

from pincite_core.errors import NotFoundError
from pincite_doors.testing.cue import Cue, fault_at
from pincite_doors.testing.request import Request
from pincite_doors.testing.script import Script, TurnLike, as_turn
from pincite_models.label import Label

Member = Script | Callable[[Request], TurnLike]
Cast = Mapping[str, Member]
"""Members by role, or by ``role/id`` for one of several. A script is played turn by turn; a function answers every
request of its role."""


class Company:
    """Hands out the turns of a cast; requests of one role may come at the same time."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._lock = threading.Lock()
        self._played: Counter[str] = Counter()
        self._spoiled: Counter[tuple[str, str]] = Counter()

    @property
    def left(self) -> int:
        """How many turns of the members that are scripts are still to be played."""
        with self._lock:
            scripts = {name: member for name, member in self._cast.items() if not callable(member)}
            return sum(len(script) - self._played[name] for name, script in scripts.items())

    def cue(self, request: Request, label: Label) -> Cue:
        """What ``request`` gets; NotFoundError where no member plays its role, or the member's script is over.

        A fault of a script spoils the member's next requests, one of a function those with the same label and body."""
        name = label.name if label.name in self._cast else label.role
        member = self._cast.get(name)
        if member is None:
            raise NotFoundError(
                f"The cast has no member for the role {label.role!r} (request {request.number}, id {label.id!r}).",
                seen=", ".join(self._cast) or "no member at all",
                next=f'Add one: cast={{"{label.role}": script or function}}.',
            )
        if callable(member):
            return self._answered(name, member, request, label)
        return self._next(name, member, request)

    def _answered(self, name: str, member: Callable[[Request], TurnLike], request: Request, label: Label) -> Cue:
        try:
            turn = as_turn(member(request), request)
        except Exception as error:  # a thread's top: the client would see a lost connection and ask again
            raise NotFoundError(f"The member {name!r} gave no answer: {type(error).__name__}: {error}.") from error
        key = (f"{name} {label}", json.dumps(request.body, sort_keys=True))
        with self._lock:
            fault = fault_at(turn.faults, self._spoiled[key])
            self._spoiled[key] += fault is not None
            index = self._played[name]
            self._played[name] += fault is None
        return Cue(turn, index, fault)

    def _next(self, name: str, script: Script, request: Request) -> Cue:
        with self._lock:
            index = self._played[name]
            if index >= len(script):
                turns = len(script)
                raise NotFoundError(
                    f"The script of {name!r} is over: it has {turns} turns, and request {request.number} is one more.",
                    next="Add a turn, or play the role by a function.",
                )
            turn = as_turn(script[index], request)
            fault = fault_at(turn.faults, self._spoiled[name, ""])
            if fault is None:
                self._played[name] += 1
                self._spoiled[name, ""] = 0
            else:
                self._spoiled[name, ""] += 1
            return Cue(turn, index, fault)
