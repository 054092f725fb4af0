"""Conversation: a straight row of turns; the task's own one, its sub-agents and what else was asked of the model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_models.dialects.model import Call
from pincite_models.label import Label
from pincite_trajectory.items import squeezed, text_of
from pincite_trajectory.spawns import spawning_call
from pincite_trajectory.turns import Turn

Role = Literal["main", "subagent", "side_request", "branch", "conversation"]
"""``side_request``: a single question without tools of its own, as for a title; ``branch``: it carries another
conversation's context along, as for a summary; ``conversation``: anything else beside the main one."""

_PROMPT_SHOWN = 200
"""First characters of a prompt by which it is found again in another conversation. Set by judgement."""


@dataclass(eq=False, slots=True)
class Conversation:
    """``spawned_by`` is the turn and the call of another conversation that started this one; ``label`` the first of
    those that its requests had. A program that asks no model in its own name has a main one without turns."""

    turns: list[Turn]
    role: Role = "conversation"
    spawned_by: tuple[Turn, Call] | None = None
    label: Label | None = None

    @property
    def origin(self) -> Turn | None:
        """The turn of another conversation whose context this one carries along."""
        return self.turns[0].parent if self.turns else None


def tell_apart(turns: Sequence[Turn], prompt: str) -> list[Conversation]:
    """All conversations, the main one first, the others in the order of their beginnings."""
    lines = sorted(straight_rows(turns), key=lambda line: line.turns[0].seq)
    taken: set[int] = set()
    for line in lines:
        own = {id(turn) for turn in line.turns}
        earlier = [turn for turn in turns if turn.seq < line.turns[0].seq and id(turn) not in own]
        line.spawned_by = spawning_call(line.turns[0].fresh, earlier, taken)
        if line.spawned_by is not None:
            taken.add(id(line.spawned_by[1]))
    if not lines:
        return []
    main = max(lines, key=lambda line: _rank(line, prompt))
    for line in lines:
        line.role = "main" if line is main else _role(line)
    return [main, *(line for line in lines if line is not main)]


def straight_rows(turns: Sequence[Turn]) -> Iterator[Conversation]:
    """Each turn goes on in the child with most behind it, of equals the last; its other children begin their own."""
    sizes: dict[int, int] = {}
    heirs: dict[int, Turn] = {}
    for turn in reversed(turns):
        kept = [child for child in turn.children if child.link != "branch"]
        sizes[id(turn)] = 1 + sum(sizes[id(child)] for child in kept)
        if kept:
            heirs[id(turn)] = max(kept, key=lambda child: (sizes[id(child)], child.seq))
    inherited = {id(heir) for heir in heirs.values()}
    for turn in turns:
        if id(turn) not in inherited:
            row = [turn]
            while (heir := heirs.get(id(row[-1]))) is not None:
                row.append(heir)
            yield Conversation(row)


def _rank(line: Conversation, prompt: str) -> tuple[bool, bool, bool, int, int]:
    first = line.turns[0]
    asked = squeezed(prompt)[:_PROMPT_SHOWN] in text_of(first.context)
    return (
        line.spawned_by is None and line.origin is None,
        asked and bool(first.request.tools),
        asked,
        len(line.turns),
        -first.seq,
    )


def _role(line: Conversation) -> Role:
    if line.spawned_by is not None:
        return "subagent"
    if line.origin is not None:
        return "branch"
    single = len(line.turns) == 1 and not line.turns[0].calls
    return "side_request" if single else "conversation"
