"""Turn: one request of a conversation with all attempts at it, and how it goes on from an earlier one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from pincite_models.dialects.model import Call, ModelRequest
from pincite_models.label import Label
from pincite_trajectory.items import Item, akin, answer_items, run_key
from pincite_trajectory.model_wire import ModelExchange

Link = Literal["root", "continued", "edited", "compacted", "branch"]
"""``edited``: the client changed what it had sent before; ``compacted``: it put something shorter in its place;
``branch``: a request with another instruction or other tools that carries another conversation along."""


def _none() -> "list[Turn]":
    return []


@dataclass(eq=False, slots=True)
class Turn:
    """``context`` is all that the model was given, ``fresh`` what of it earlier turns had not been given."""

    attempts: list[ModelExchange]
    context: tuple[Item, ...]
    fresh: tuple[Item, ...] = ()
    parent: "Turn | None" = None
    link: Link = "root"
    children: "list[Turn]" = field(default_factory=_none)
    taken: ModelExchange | None = None
    """The attempt whose answer a later request repeats."""

    @property
    def request(self) -> ModelRequest:
        """The request, as first sent."""
        return self.attempts[0].request

    @property
    def seq(self) -> int:
        """Number on the wire of the first attempt."""
        return self.attempts[0].seq

    @property
    def label(self) -> Label | None:
        """The role that the agent gave the request."""
        return self.attempts[0].label

    @property
    def final(self) -> ModelExchange:
        """The attempt that counts: the one that was taken up, else the last good one, else the last."""
        good = [attempt for attempt in self.attempts if attempt.cause is None]
        return self.taken or (good or self.attempts)[-1]

    @property
    def answer(self) -> tuple[Item, ...]:
        """The items of the answer that counts."""
        response = self.final.response
        return answer_items(response.parts) if response is not None else ()

    @property
    def calls(self) -> list[Call]:
        """The tool calls of the answer that the client is to carry out."""
        return [item.part for item in self.answer if isinstance(item.part, Call) and not item.part.hosted]

    @property
    def root(self) -> "Turn":
        """The first turn of the conversation, through compactions too but not through branches."""
        turn = self
        while turn.parent is not None and turn.link != "branch":
            turn = turn.parent
        return turn

    @property
    def followed(self) -> bool:
        """Whether the conversation went on from here."""
        return any(child.link != "branch" for child in self.children)

    @property
    def edited(self) -> bool:
        """Whether the client changed what it had sent before: reminders moved, old results shortened."""
        if self.parent is None or self.link not in {"continued", "edited"}:
            return False
        pairs = zip(self.parent.context, self.context, strict=False)
        return self.link == "edited" or any(old is not new and old.part != new.part for old, new in pairs)

    def attach(self, parent: "Turn", link: Link, fresh: tuple[Item, ...]) -> None:
        """Make this turn follow ``parent``."""
        self.parent, self.link, self.fresh = parent, link, fresh
        parent.children.append(self)

    @property
    def answer_keys(self) -> "list[tuple[str, ...]]":
        """What tells the answer of each attempt in a later request, empty for none."""
        answers = [attempt.response for attempt in self.attempts]
        return [run_key(answer_items(answer.parts)) if answer is not None else () for answer in answers]

    def take(self, echo: tuple[Item, ...]) -> None:
        """Note which attempt's answer a later request repeats, where there are several."""
        for attempt, key in zip(self.attempts, self.answer_keys, strict=True):
            if key and key == run_key(echo):
                self.taken = attempt

    def akin(self, request: ModelRequest) -> bool:
        """Whether ``request`` can belong to this turn's conversation."""
        return akin(self.request, request)

    def follows(self, earlier: "Turn") -> bool:
        """Whether ``earlier`` is this turn or one that it goes on from."""
        return any(turn is earlier for turn in self.path())

    def path(self) -> "Iterator[Turn]":
        """This turn and all that it goes on from, back to the first."""
        turn: Turn | None = self
        while turn is not None:
            yield turn
            turn = turn.parent
