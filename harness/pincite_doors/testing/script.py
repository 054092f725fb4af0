"""What a scripted model says: turns made of pieces, the same for every API and every client."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Literal

from pincite_doors.testing.faults import Fault, Pace
from pincite_doors.testing.request import Request
from pincite_models.dialects.model import Usage

Stop = Literal["end", "length", "refusal"]


@dataclass(frozen=True, slots=True)
class Say:
    """Text of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Reasoning that is shown, as far as the API shows any."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. ``tool`` is a tool's own name, or ``server.tool`` for an MCP tool, whatever the client calls it.
    A tool that takes text (OpenAI's custom tools) gets the argument ``input``."""

    tool: str
    arguments: Mapping[str, Any]
    unknown: bool = False
    """Whether the client is asked for it by that very name, though it offers no such tool."""


@dataclass(frozen=True, slots=True)
class Shell:
    """A command for the client's own shell tool, under its name and with its arguments."""

    command: str


Piece = Say | Think | Call | Shell


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the model. ``faults`` happen before it, one a request; ``usage`` None counts what was sent."""

    pieces: tuple[Piece, ...]
    faults: tuple[Fault, ...] = ()
    usage: Usage | None = None
    stop: Stop = "end"
    pace: Pace = field(default_factory=Pace)


_Given = Piece | Fault | Pace | Turn | Sequence[Piece | Fault | Pace]
TurnLike = _Given | Callable[[Request], _Given]
"""A turn, its pieces, one piece, or a function that makes one of these from the request."""
Script = Sequence[TurnLike]


def say(text: str) -> Say:
    """The model says ``text``."""
    return Say(text)


def think(text: str) -> Think:
    """The model thinks ``text``."""
    return Think(text)


def call(tool: str, /, **arguments: Any) -> Call:
    """The model calls a tool: ``call("documents.open_paper", path="a.pdf")``."""
    return Call(tool, arguments)


def call_unknown(tool: str, **arguments: Any) -> Call:
    """A call of a tool that the client does not offer, as models make them up."""
    return Call(tool, arguments, unknown=True)


def shell(command: str) -> Shell:
    """The model runs a shell command with the tool that the client has for it."""
    return Shell(command)


def write(path: str, text: str) -> Shell:
    """The model writes a file by a shell command; it ends with a line feed. ``text`` must not hold the line
    ``PINCITE_END``."""
    folder, quoted = shlex.quote(str(PurePosixPath(path).parent)), shlex.quote(path)
    body = text.removesuffix("\n")
    return Shell(f"mkdir -p {folder} && cat > {quoted} <<'PINCITE_END'\n{body}\nPINCITE_END")


def refuse(text: str = "I cannot help with that.") -> Turn:
    """The model will not answer, in the way in which the API tells a refusal."""
    return Turn((Say(text),), stop="refusal")


def turn(*pieces: Piece | Fault | Pace, usage: Usage | None = None, stop: Stop = "end") -> Turn:
    """Pieces and faults as one turn, with token counts of its own or an end for another reason."""
    paces = [piece for piece in pieces if isinstance(piece, Pace)]
    return Turn(
        tuple(piece for piece in pieces if isinstance(piece, Say | Think | Call | Shell)),
        tuple(piece for piece in pieces if isinstance(piece, Fault)),
        usage,
        stop,
        paces[-1] if paces else Pace(),
    )


def as_turn(value: TurnLike, request: Request) -> Turn:
    """``value`` as a Turn; functions are asked with ``request``."""
    if isinstance(value, Turn):
        return value
    if isinstance(value, Say | Think | Call | Shell | Fault | Pace):
        return turn(value)
    if callable(value):
        return as_turn(value(request), request)
    return turn(*value)
