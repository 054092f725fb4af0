"""Delegations: the conversations of a program's roles, told apart by their labels, and the steps that began them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pincite_models.dialects.fields import mapping
from pincite_models.label import MAIN, Label
from pincite_trajectory.atif import ObservationResult, SubagentTrajectoryRef
from pincite_trajectory.conversations import Conversation, straight_rows
from pincite_trajectory.drafts import Draft
from pincite_trajectory.linking import link_turns
from pincite_trajectory.model_wire import ModelExchange
from pincite_trajectory.turns import Turn


@dataclass(frozen=True, slots=True)
class Delegated:
    """A role's conversation as a trajectory: its name in the document, its first label and request, and its steps."""

    trajectory_id: str
    label: Label
    first: ModelExchange
    drafts: Sequence[Draft]

    @property
    def at(self) -> datetime:
        """When it was first asked."""
        return datetime.fromisoformat(self.first.at)


def role_mark(extra: Mapping[str, Any]) -> str:
    """What a step's ``extra`` tells of roles, in a few words: whom the program asked, or at which step of the work the
    answer was given; empty for neither."""
    asked = mapping(extra.get("delegates"))
    if asked:
        return f"asks {asked.get('role')}" + (f" ({asked['step']})" if asked.get("step") else "")
    return str(mapping(extra.get("label")).get("step") or "")


def role_conversations(exchanges: Iterable[ModelExchange]) -> list[Conversation]:
    """One conversation for each role and id, in the order of their beginnings. All that was asked in their name stands
    in it, question by question: a role that is asked again may have been told nothing of what it said before."""
    groups: dict[tuple[str, str], list[ModelExchange]] = {}
    for exchange in exchanges:
        if exchange.label is not None:
            groups.setdefault((exchange.label.role, exchange.label.id), []).append(exchange)
    return [_conversation(group) for group in groups.values()]


def refer(delegated: Sequence[Delegated], main: list[Draft]) -> None:
    """Let the step that delegated to each conversation refer to it: the last answer of its parent before its first
    request. What no model asked for, the program did: steps of its own in ``main``, one for all of a role that began
    with the same step of the work."""
    own: dict[tuple[str, str], Draft] = {}
    for child in delegated:
        draft = _delegating(child, _parent(child, delegated, main)) or _delegating(child, main)
        if draft is None:
            key = (child.label.role, child.label.step)
            if key not in own:
                own[key] = _program_step(child)
            draft = own[key]
        reference = SubagentTrajectoryRef(trajectory_id=child.trajectory_id)
        draft.asides.append(ObservationResult(content=child.label.name, subagent_trajectory_ref=[reference]))
    for draft in own.values():
        _insert(draft, main)


def _conversation(group: Sequence[ModelExchange]) -> Conversation:
    rows = sorted(straight_rows(link_turns(group)), key=lambda row: row.turns[0].seq)
    turns: list[Turn] = []
    for row in rows:
        first = row.turns[0]
        if first.parent is not None:  # one of several ways on from one answer: told from its beginning
            first.parent, first.link, first.fresh = None, "root", first.context
        turns += row.turns
    return Conversation(turns, "subagent", label=group[0].label)


def _parent(child: Delegated, delegated: Sequence[Delegated], main: Sequence[Draft]) -> Sequence[Draft]:
    """The steps of all conversations that a label names as parent: by ``role/id``, else by id, else by role."""
    wanted = child.label.parent
    if wanted in ("", MAIN):
        return main
    others = [other for other in delegated if other is not child]
    named = [other for other in others if other.label.name == wanted]
    named = named or [other for other in others if other.label.id == wanted]
    named = named or [other for other in others if other.label.role == wanted]
    return [draft for other in named for draft in other.drafts]


def _delegating(child: Delegated, drafts: Iterable[Draft]) -> Draft | None:
    """The last answer that was whole when ``child`` was first asked."""
    before = [
        (draft.exchange.ended_at, draft.exchange.seq, draft)
        for draft in drafts
        if draft.exchange is not None and draft.exchange.seq < child.first.seq
    ]
    whole = [entry for entry in before if entry[0] <= child.at]
    return max(whole, key=lambda entry: entry[:2])[2] if whole else None


def _program_step(child: Delegated) -> Draft:
    told = {"role": child.label.role, "step": child.label.step}
    return Draft("agent", "", child.at, fields={"llm_call_count": 0}, extra={"delegates": told})


def _insert(draft: Draft, drafts: list[Draft]) -> None:
    """Put a step where it belongs by its time, after the opening."""
    opening = next((index for index, one in enumerate(drafts) if one.source == "agent"), len(drafts))
    later = (index for index, one in enumerate(drafts) if index >= opening and one.at > draft.at)
    drafts.insert(next(later, len(drafts)), draft)
