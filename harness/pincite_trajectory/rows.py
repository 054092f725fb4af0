"""A conversation as a row of steps: what each request added, and what the model answered."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Literal

from pincite_models.dialects.model import Call, Media, Result, Text
from pincite_trajectory.answers import answer_draft, call_drafts, fault
from pincite_trajectory.atif import Content, ObservationResult
from pincite_trajectory.content import content_of, joined
from pincite_trajectory.conversations import Conversation
from pincite_trajectory.drafts import CallDraft, Draft
from pincite_trajectory.items import Item, instruction, last_run
from pincite_trajectory.turns import Turn

COMPACTION = {"type": "compaction", "boundary": "replace"}


def draft_steps(conversation: Conversation) -> list[Draft]:
    """The steps of a conversation in order; context that another step holds already is not repeated."""
    row = _Row()
    if conversation.origin is not None:
        row.instruction = instruction(conversation.origin.request)
    for turn in conversation.turns:
        row.read(turn)
        row.answer(turn)
    return row.drafts


class _Row:
    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.instruction = ""
        self._renamed: dict[str, CallDraft] = {}
        """Calls of the last answer by the ids that the client gave them: some APIs have none of their own."""

    def read(self, turn: Turn) -> None:
        """What a request tells the model that it had not been told."""
        at = datetime.fromisoformat(turn.attempts[0].at)
        opening = not self.drafts
        self._renamed = self._renames(turn)
        fresh = list(turn.fresh)
        said = [item for item in fresh if item.role == "system"] if opening else []
        fresh = [item for item in fresh if item not in said]
        self._instruct(turn, said, at)
        if turn.link == "compacted" and not opening:
            self._results([item for item in fresh if isinstance(item.part, Result)], at)
            rest = [item for item in fresh if not isinstance(item.part, Result)]
            self._add("system", rest, at).extra["context_management"] = dict(COMPACTION)
        elif opening:
            self._open(fresh, at)
        else:
            self._go_on(fresh, at)

    def answer(self, turn: Turn) -> None:
        """The answer that counts, behind those that were given up; attempts that brought nothing are told of in it."""
        final = turn.final
        others = [attempt for attempt in turn.attempts if attempt is not final]
        for attempt in others:
            if attempt.delivered:
                self.drafts.append(answer_draft(turn, attempt))
                self.drafts[-1].extra["superseded_by"] = final.seq
        self.drafts.append(answer_draft(turn, final))
        if turn.edited:
            self.drafts[-1].extra["context_edited"] = True
        if failed := [fault(attempt) for attempt in others if not attempt.delivered]:
            self.drafts[-1].extra["attempts"] = failed

    def _instruct(self, turn: Turn, said: Sequence[Item], at: datetime) -> None:
        now = instruction(turn.request)
        parts = [Text(turn.request.system)] if now and now != self.instruction else []
        self.instruction = now or self.instruction
        parts += [item.part for item in said if isinstance(item.part, Text)]
        if parts:
            self.drafts.append(Draft("system", "\n\n".join(part.text for part in parts), at))

    def _open(self, items: Sequence[Item], at: datetime) -> None:
        """What stood before the first answer. A turn of the assistant's there was given to the model, not made by it;
        a single remark, by which clients introduce themselves, stays with the user's words."""
        given = [item for item in items if item.role == "assistant"]
        if len(given) == 1 and isinstance(given[0].part, Text):
            draft = self._add("user", items, at)
            draft.extra["roles"] = [item.role for item in items]
            return
        self._go_on(items, at)
        if given:
            last = max(number for number, draft in enumerate(self.drafts) if draft.source == "agent")
            for draft in self.drafts[: last + 1]:
                draft.fields["is_copied_context"] = True

    def _go_on(self, items: Sequence[Item], at: datetime) -> None:
        answering = {item.message for item in items if isinstance(item.part, Result)}
        for role, group in groupby(items, key=lambda item: item.role):
            run = list(group)
            if role == "assistant":
                draft = self._add("agent", run, at)
                parts = tuple(item.part for item in run)
                draft.calls = call_drafts(parts, f"given_{len(self.drafts)}", at)
                draft.fields = {"is_copied_context": True, "llm_call_count": 0}
                continue
            self._results([item for item in run if isinstance(item.part, Result)], at)
            words = [item for item in run if not isinstance(item.part, Result)]
            asides = [item for item in words if answering and role == "user" and _beside(item, words, answering)]
            self._aside(asides)
            if words := [item for item in words if item not in asides]:
                self._add("system" if role == "system" else "user", words, at)

    def _results(self, items: Sequence[Item], at: datetime) -> None:
        for item in items:
            if not isinstance(item.part, Result):
                continue
            call = self._call_of(item.part.call_id)
            if call is not None:
                call.result, call.told_at = item.part, at
            elif (asked := self._asked()) is not None:
                asked.asides.append(ObservationResult(content=joined(content_of(item.part.parts))))
            else:
                self.drafts.append(Draft("user", joined(content_of(item.part.parts)), at))

    def _call_of(self, call_id: str) -> CallDraft | None:
        """The call that a result answers: by its id, else (APIs without ids) the first that is open."""
        for draft in reversed(self.drafts):
            if (call := draft.call(call_id)) is not None:
                return call
        renamed = self._renamed.get(call_id)
        if renamed is not None and renamed.result is None:
            return renamed
        asked = self._asked()
        return asked.open_call if asked is not None else None

    def _renames(self, turn: Turn) -> dict[str, CallDraft]:
        repeated = [item.part for item in last_run(turn.context)[0] if isinstance(item.part, Call)]
        asked = self._asked()
        pairs = zip(repeated, asked.calls if asked is not None else [], strict=False)
        return {given.call_id: own for given, own in pairs if given.name == own.call.name}

    def _asked(self) -> Draft | None:
        """The step whose calls the results that come now answer."""
        last = next((draft for draft in reversed(self.drafts) if draft.source == "agent"), None)
        return last if last is not None and last.calls else None

    def _aside(self, items: Sequence[Item]) -> None:
        """Words and images that a client sends beside the results of calls: part of what the calls brought."""
        asked = self._asked()
        if asked is not None and items:
            asked.asides.append(ObservationResult(content=_content(items)))

    def _add(self, source: Literal["system", "user", "agent"], items: Sequence[Item], at: datetime) -> Draft:
        message = _content(items)
        draft = Draft(source, joined(message) if source == "agent" else message, at)
        self.drafts.append(draft)
        return draft


def _beside(item: Item, words: Sequence[Item], answering: set[int]) -> bool:
    """Whether words belong to the results that come with them: they stand in one message with them, or their message
    brings an image that an API has no place for in a result, or a client's own remark in tags."""
    message = [other.part for other in words if other.message == item.message]
    tagged = all(isinstance(part, Text) and part.text.lstrip().startswith("<") for part in message)
    return item.message in answering or tagged or any(isinstance(part, Media) for part in message)


def _content(items: Sequence[Item]) -> Content:
    return content_of(item.part for item in items if isinstance(item.part, Text | Media))
