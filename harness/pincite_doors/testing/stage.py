"""Stage: how far a script has been played."""

import threading
from collections.abc import Callable, Sequence

from pincite_core.errors import NotFoundError
from pincite_doors.testing.cast import Cast, Company
from pincite_doors.testing.cue import Cue, fault_at
from pincite_doors.testing.request import Request
from pincite_doors.testing.script import Call, Script, Shell, Turn, as_turn, say

LAST_WORD = "The script is over."
_PROBE_TOKENS = 1
"""What a client asks for that only looks whether its key works."""

When = Callable[[Request], bool]


def asks(words: str) -> When:
    """Whether a user message of a request holds ``words``: tells a sub-agent's conversation by its task, say."""
    return lambda request: any(words in text for text in request.users)


class Stage:
    """Hands out the turns of one script, in order, to requests that take part in its conversation."""

    def __init__(self, script: Script) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self._index = 0
        self._spoiled = 0
        self._saw_tools = False

    @property
    def left(self) -> int:
        """How many turns are still to be played."""
        return len(self._script) - self._index

    def cue(self, request: Request) -> Cue:
        """What ``request`` gets. A turn counts as played once it is handed out without a fault."""
        with self._lock:
            if self._index >= len(self._script):
                over = self._saw_tools and not request.tools
                return Cue() if over else Cue(as_turn(say(LAST_WORD), request))
            turn = as_turn(self._script[self._index], request)
            if self._is_aside(request, turn):
                return Cue()
            self._saw_tools = self._saw_tools or bool(request.tools)
            fault = fault_at(turn.faults, self._spoiled)
            cue = Cue(turn, self._index, fault)
            if fault is None:
                self._index += 1
                self._spoiled = 0
            else:
                self._spoiled += 1
            return cue

    def _is_aside(self, request: Request, turn: Turn) -> bool:
        """A request without tools is a client's own affair where the script or the conversation has tools."""
        if request.tools:
            return False
        wants_tools = any(isinstance(piece, Call | Shell) for piece in turn.pieces)
        return wants_tools or self._saw_tools or request.body.get("max_tokens") == _PROBE_TOKENS


class Stages:
    """The main script, those of other conversations (sub-agents, summaries) that are told apart by a question, and a
    cast, whose members are told by the label of a request."""

    def __init__(self, script: Script, others: Sequence[tuple[When, Script]], cast: Cast | None) -> None:
        self.main = Stage(script)
        self._has_script = bool(script)
        self._others = [(when, Stage(other)) for when, other in others]
        self._company = Company(cast) if cast is not None else None

    def cue(self, request: Request) -> Cue:
        """What ``request`` gets; NotFoundError for a role that the cast does not have, and for a request without a role
        where there is a cast alone."""
        if self._company is not None and request.label is not None:
            return self._company.cue(request, request.label)
        stage = next((stage for when, stage in self._others if when(request)), self.main)
        if self._company is not None and stage is self.main and not self._has_script:
            raise NotFoundError(
                f"Request {request.number} has no label, and there is a cast alone.",
                next="Label it, give a script too, or let labels pass the model door: PINCITE_PASS_LABELS=yes.",
            )
        return stage.cue(request)

    @property
    def left(self) -> int:
        """How many turns of all scripts are still to be played."""
        cast = self._company.left if self._company is not None else 0
        return self.main.left + sum(stage.left for _, stage in self._others) + cast
