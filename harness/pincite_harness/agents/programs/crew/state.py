"""State: append-only events. Whatever a pipeline knows is a fold over them, live and when they are read again."""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

S = TypeVar("S")
FILE = Path(".agent/state.jsonl")
"""Where the events of a trial stand, below the working folder; the harness keeps the file with the trial."""


class Event(BaseModel):
    """One thing that happened. Make your own by subclasses with fields; the class's name is the event's ``kind``."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    kinds: ClassVar[dict[str, type["Event"]]] = {}

    at: float = 0.0
    """Seconds since 1970; ``emit`` sets it."""
    step: str = ""
    """Where in the pipeline: ``fill/Particle_Size/2``."""
    who: str = ""
    """Which of the agents of a role: ``p07``."""

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Makes the class known to ``State.replay``."""
        known = Event.kinds.setdefault(cls.__name__, cls)
        if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise TypeError(f"there is an event {cls.__name__} already, in {known.__module__}")
        Event.kinds[cls.__name__] = cls

    def line(self) -> str:
        """It as one line of JSON."""
        fields = self.model_dump(mode="json")
        return json.dumps({"kind": type(self).__name__, **fields}, ensure_ascii=False)


class Asked(Event):
    """The kernel asked a role and got a reply."""

    role: str
    fault: str = ""
    repairs: int = 0
    calls: int = 1
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class Called(Event):
    """A role called a tool; ``outcome`` is ``ok``, ``error`` or ``skipped``."""

    role: str
    tool: str
    outcome: str


class Began(Event):
    """The program started, with these options."""

    agent: str
    options: dict[str, str]


class Ended(Event):
    """The program ended: ``why`` is ``done``, ``spent`` or an error."""

    why: str
    calls: int = 0
    tokens: int = 0


class View(Generic[S]):
    """A fold that is kept up to date: ``now`` is its value after all events so far."""

    def __init__(self, start: S, apply: Callable[[S, Event], S]) -> None:
        self.now = start
        self._apply = apply

    def take(self, event: Event) -> None:
        """Go on by one event."""
        self.now = self._apply(self.now, event)


class State:
    """The events of one trial, in memory and in a file that only grows."""

    def __init__(self, path: Path = FILE) -> None:
        self.path = path
        self.events: list[Event] = []
        self._views: list[View[Any]] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")

    def emit(self, event: Event) -> Event:
        """Append an event, with the time where it has none; every view goes on by it."""
        if not event.at:
            event = event.model_copy(update={"at": round(time.time(), 3)})
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{event.line()}\n")
        self.events.append(event)
        for view in self._views:
            view.take(event)
        return event

    def view(self, start: S, apply: Callable[[S, Event], S]) -> View[S]:
        """The fold over all events, those to come too."""
        view = View(fold(self.events, start, apply), apply)
        self._views.append(view)
        return view

    @staticmethod
    def replay(path: Path) -> list[Event]:
        """The events of a file; ValueError with the line that cannot be read. A last line that was cut off by a kill
        is left out."""
        return list(_events(path))


def fold(events: Iterable[Event], start: S, apply: Callable[[S, Event], S]) -> S:
    """The state after all events: ``apply(state, event)`` gives the next one."""
    state = start
    for event in events:
        state = apply(state, event)
    return state


def _events(path: Path) -> Iterator[Event]:
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines[:-1], start=1):  # what follows the last line feed was not written whole
        try:
            fields: dict[str, Any] = json.loads(line)
            kind = Event.kinds[fields.pop("kind")]
            yield kind.model_validate(fields)
        except KeyError as error:
            raise ValueError(f"{path}:{number}: there is no event {error}; import the module that has it") from error
        except (ValueError, ValidationError) as error:
            raise ValueError(f"{path}:{number}: {error}") from error
