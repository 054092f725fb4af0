"""Tell interleaved conversations apart: put each request of a model behind the one that it goes on from."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from pincite_models.dialects.model import Text
from pincite_trajectory.items import (
    Item,
    answer_items,
    last_run,
    prefix_digests,
    run_key,
    squeezed,
    text_of,
)
from pincite_trajectory.model_wire import ModelExchange
from pincite_trajectory.spawns import spawning_call
from pincite_trajectory.turns import Turn

_QUOTED_LEAST = 40
"""Letters of an answer that a compacted context must repeat to be known by it."""
_QUOTED_LINE = 12
"""Characters of a line that is looked for elsewhere: shorter ones stand in many texts. Set by judgement."""
_QUOTED_SHARE = 0.6
"""Share of an answer's long lines that a later prompt must repeat to have grown from it. Set by judgement."""
_KEPT_SHARE = 0.5
"""What of a context must still be there for the change to be an edit."""


def link_turns(exchanges: Iterable[ModelExchange]) -> list[Turn]:
    """The turns of all conversations in the order of sending; a request that repeats another is one more attempt."""
    linker = _Linker()
    for exchange in exchanges:
        linker.add(exchange)
    return linker.turns


class _Linker:
    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self._by_digest: defaultdict[bytes, list[Turn]] = defaultdict(list)
        self._by_response: dict[str, Turn] = {}
        self._by_answer: defaultdict[tuple[str, ...], list[Turn]] = defaultdict(list)

    def add(self, exchange: ModelExchange) -> None:
        request = exchange.request
        sent = exchange.sent
        before = self._by_response.get(request.previous_response) if request.previous_response else None
        context = (*before.context, *before.answer, *sent) if before is not None else sent
        digests = prefix_digests(context)
        turn = self._repeated(digests[-1], exchange)
        if turn is not None:
            turn.attempts.append(exchange)
        else:
            turn = Turn([exchange], context, fresh=context)
            if before is not None:
                turn.attach(before, "continued", sent)
            elif context:
                self._place(turn, digests)
            self.turns.append(turn)
            self._by_digest[digests[-1]].append(turn)
        if exchange.response is not None:
            self._by_response[exchange.response.response_id] = turn
            self._by_answer[run_key(answer_items(exchange.response.parts))].append(turn)

    def _repeated(self, digest: bytes, exchange: ModelExchange) -> Turn | None:
        """The turn that ``exchange`` asks again; one that was gone on from is not asked again but gone back to, and
        one whose good answer was still coming is not asked again but beside it. A program that labels its requests
        asks again what failed: the same after a good answer is another sample."""
        at = datetime.fromisoformat(exchange.at)
        for turn in reversed(self._by_digest.get(digest, [])):
            if turn.label != exchange.label:
                continue
            good = [attempt for attempt in turn.attempts if attempt.cause is None]
            answered = bool(good) if turn.label is not None else any(at < attempt.ended_at for attempt in good)
            if turn.akin(exchange.request) and not turn.followed and not answered:
                return turn
        return None

    def _place(self, turn: Turn, digests: Sequence[bytes]) -> None:
        """Find what a request goes on from, surest first: a context that it only adds to; the same context with
        changes; a shorter one that brings the summary, the last answer or the opening of what it stands for. With a
        label only the first two count, and the answer must be there: a role that is asked again may quote itself."""
        labelled = turn.label is not None
        beginning = self._beginning(turn, digests, akin=True)
        echoed = self._echoed(turn)
        if beginning is not None and (echoed is None or echoed is beginning or not echoed.follows(beginning)):
            echo, fresh = _split(turn.context[len(beginning.context) :])
            if echo or not (beginning.followed or labelled):
                beginning.take(echo)
                turn.attach(beginning, "continued", fresh)
                return
        if echoed is not None and _shared(turn, echoed) >= _KEPT_SHARE * len(echoed.context):
            echo, fresh = last_run(turn.context)
            echoed.take(echo)
            turn.attach(echoed, "edited", fresh)
            return
        if labelled:
            return
        spawned = spawning_call(turn.context, self.turns) is not None
        if not spawned and (quoted := self._quoted(turn)) is not None:
            turn.attach(quoted, "compacted", _unseen(turn, quoted))
        elif echoed is not None:
            turn.attach(echoed, "compacted", _unseen(turn, echoed))
        elif not spawned and (tip := self._reset(turn, beginning)) is not None:
            turn.attach(tip, "compacted", _unseen(turn, tip))
        elif beginning is not None:
            turn.attach(beginning, "continued", turn.context[len(beginning.context) :])
        elif (carried := self._beginning(turn, digests, akin=False)) is not None:
            turn.attach(carried, "branch", _split(turn.context[len(carried.context) :])[1])

    def _beginning(self, turn: Turn, digests: Sequence[bytes], *, akin: bool) -> Turn | None:
        """The turn whose whole context is the longest beginning of this one's; of several the one whose answer comes
        next, else the latest."""
        for length in range(len(digests) - 2, 0, -1):
            found = [one for one in self._by_digest.get(digests[length], []) if not akin or one.akin(turn.request)]
            if found:
                said = run_key(_split(turn.context[length:])[0])
                return max(found, key=lambda other: (said in other.answer_keys, other.seq))
        return None

    def _echoed(self, turn: Turn) -> Turn | None:
        """The turn whose answer is the last that the context holds, and that shares most of the context with it."""
        run, _ = last_run(turn.context)
        same = [other for other in self._by_answer.get(run_key(run), []) if other.label == turn.label]
        candidates = [other for other in same if other.akin(turn.request)]
        if not run or not candidates:
            return None
        best = max(candidates, key=lambda other: (_shared(turn, other), other.seq))
        return best if _shared(turn, best) else None

    def _quoted(self, turn: Turn) -> Turn | None:
        """The end of the conversation whose summary, an earlier answer, this context brings."""
        text = text_of(item for item in turn.context if item.role == "user")
        for other in reversed(self.turns):
            if other.final.cause is None and _quotes(text, other.answer):
                origin = other.parent if other.link == "branch" and other.parent is not None else other
                if origin.akin(turn.request):
                    return self._tip(origin)
                # A summary that was asked for in a form that shows no relation: of the conversation at that time.
                akin = [past for past in self.turns if past.seq < other.seq and past.akin(turn.request)]
                return self._tip(akin[-1]) if akin and not other.akin(turn.request) else None
        return None

    def _reset(self, turn: Turn, beginning: Turn | None) -> Turn | None:
        """The end of the conversation whose opening this context is again, with the rest of it gone."""
        for other in self.turns:
            opening = other.context
            if other.link == "root" and other.akin(turn.request) and other.followed:
                same = [item.key for item in turn.context[: len(opening)]] == [item.key for item in opening]
                if same and beginning in (None, other):
                    return self._tip(other)
        return None

    def _tip(self, turn: Turn) -> Turn:
        root = turn.root
        return next(other for other in reversed(self.turns) if other.root is root)


def _split(rest: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The client's repetition of the answer, and what comes after it."""
    for index, item in enumerate(rest):
        if item.role != "assistant":
            return tuple(rest[:index]), tuple(rest[index:])
    return tuple(rest), ()


def _shared(turn: Turn, other: Turn) -> int:
    mine, others = (Counter(item.key for item in one.context) for one in (turn, other))
    return (mine & others).total()


def _unseen(turn: Turn, tip: Turn) -> tuple[Item, ...]:
    """The items of a context that its conversation had not held at its end."""
    held = Counter(item.key for item in (*tip.context, *tip.answer))
    fresh: list[Item] = []
    for item in turn.context:
        if held[item.key]:
            held[item.key] -= 1
        else:
            fresh.append(item)
    return tuple(fresh)


def _quotes(text: str, answer: Sequence[Item]) -> bool:
    """Whether ``text`` (without blanks) brings most of an answer's words; clients strip tags and add words."""
    said = [item.part.text for item in answer if isinstance(item.part, Text)]
    lines = [line for part in said for line in map(squeezed, part.splitlines()) if len(line) >= _QUOTED_LINE]
    total = sum(map(len, lines))
    return total >= _QUOTED_LEAST and sum(len(line) for line in lines if line in text) >= _QUOTED_SHARE * total
