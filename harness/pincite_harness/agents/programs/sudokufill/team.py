"""Team: what all stages of a run share: the crew, the options, the schema, the pages, and the state."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from crew import Crew, Data, Event, Failed, Part, Refused, Role, fan
from crew.state import View
from pydantic_ai.messages import BinaryContent

from .archive import Record
from .board import Board
from .options import Options
from .rows import Rows
from .schema import Schema

I = TypeVar("I")  # noqa: E741 - an item
T = TypeVar("T")
E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page of a paper as its agent sees it; ``number`` is 0 for a paper without pages."""

    id: str
    paper: str
    number: int
    text: Data
    picture: BinaryContent | None = None

    @property
    def parts(self) -> list[Part]:
        """Its text, and its picture where there is one."""
        return [self.text] if self.picture is None else [self.text, self.picture]


@dataclass(frozen=True)
class Team:
    """Everything that a stage needs."""

    crew: Crew
    options: Options
    schema: Schema
    rows: Rows
    sheets: Sequence[Sheet]
    view: View[Board]
    archive: Sequence[Record] = ()
    """Records of earlier papers; none where nothing passed on to this trial, or where they are not to be used."""

    @property
    def board(self) -> Board:
        """The state after all events so far."""
        return self.view.now

    def emit(self, event: Event) -> None:
        """Append an event."""
        self.crew.state.emit(event)

    async def ask(
        self, role: Role[T], parts: Sequence[Part], who: str, step: str, slots: Mapping[str, object] | None = None
    ) -> tuple[T | None, str]:
        """What a role says, or None and why not: a reply that does not fit, or a refusal. Spent and outages are
        raised."""
        try:
            said = await self.crew.ask(role, parts, who=who, step=step, slots=slots)
        except Refused as refused:
            return None, f"refused: {refused}"
        return said.value, said.fault

    async def all(self, items: Iterable[I], job: Callable[[I], Awaitable[Sequence[E]]]) -> list[E]:
        """The events of ``job`` for all items side by side, emitted in the order of the items. What was heard is
        emitted before the first failure is raised."""
        results = await fan(items, job, self.options.width)
        events: list[E] = []
        for result in results:
            if not isinstance(result, Failed):
                events += result
        for event in events:
            self.emit(event)
        for result in results:
            if isinstance(result, Failed):
                raise result.error
        return events
