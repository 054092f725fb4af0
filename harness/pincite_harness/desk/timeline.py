"""The time line of a trial: when the model answered and tools worked, a lane a conversation, and tokens above."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from pincite_harness.desk.trajectories import Conversation, Told
from pincite_trajectory.atif import Step
from pincite_trajectory.exports import clock
from pincite_trajectory.exports.notes import seconds_in, wire_of

WIDTH = 1000.0
"""Units of the whole time: a bar of one unit is a pixel or so. Set by judgement."""
_LEAST = 1.2
"""Units of the shortest bar: what takes no time is seen, too. Set by judgement."""
MOST_LANES = 12
"""Conversations that have a lane of their own: the longest ones. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What went on from ``x`` on for ``width``; ``kind`` is model, tool or failed. Its step is the first of those that
    share the bar."""

    x: float
    width: float
    kind: str
    step: int
    about: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A conversation with its bars, in order of time."""

    number: int
    title: str
    bars: Sequence[Bar]


@dataclass(frozen=True, slots=True)
class Peak:
    """The tokens that a model was given and gave, as a share of the greatest, at a time."""

    x: float
    width: float
    height: float
    conversation: int
    step: int
    about: str


@dataclass(frozen=True, slots=True)
class TimeLine:
    """``seconds`` in all; ``ticks`` are whole times with their place; ``left`` conversations have no lane."""

    seconds: float
    lanes: Sequence[Lane]
    peaks: Sequence[Peak]
    ticks: Sequence[tuple[float, float]]
    most_tokens: int
    left: int


def draw_time(told: Told) -> TimeLine | None:
    """The time line; None where no step has a time."""
    timed = [each for each in told.conversations if any(step.timestamp for step in each.steps)]
    if not timed:
        return None
    first = min(each.begun[0] for each in timed)
    last = max(clock.ended(each.steps[-3:]) for each in timed)
    seconds = (last - first).total_seconds()
    if seconds <= 0:
        return None
    chosen = sorted(timed, key=lambda each: -len(each.steps))[:MOST_LANES]
    chosen.sort(key=lambda each: each.number)
    lanes = [Lane(each.number, each.title, _joined(_bars(each, first, seconds))) for each in chosen]
    most = max((_tokens(step) for each in timed for step in each.steps), default=0)
    peaks = [peak for each in timed for peak in _peaks(each, first, seconds, most)] if most else []
    return TimeLine(seconds, lanes, _thinned(peaks), _ticks(seconds), most, len(timed) - len(chosen))


def _bars(conversation: Conversation, first: datetime, seconds: float) -> Iterator[Bar]:
    for number, step in enumerate(conversation.steps, start=1):
        begun = conversation.begun[number - 1]
        took = seconds_in(wire_of(step))
        if took > 0:
            about = f"step {number}: the model, {took:.1f} s"
            yield _bar((begun - first).total_seconds(), took, seconds, "model", number, about)
        results = step.observation.results if step.observation is not None else []
        named = {call.tool_call_id: call.function_name.rpartition("__")[2] for call in step.tool_calls or []}
        for result in results:
            extra = result.extra or {}
            if "at" not in extra:
                continue
            start, end = clock.called([step], 0, result)
            wrong = bool(extra.get("is_error") or extra.get("refused"))
            name = named.get(result.source_call_id or "", "a tool")
            lasted = (end - start).total_seconds()
            about = f"step {number}: {name}, {lasted:.2f} s{', failed' if wrong else ''}"
            at = (start - first).total_seconds()
            yield _bar(at, lasted, seconds, "failed" if wrong else "tool", number, about)


def _bar(at: float, took: float, seconds: float, kind: str, step: int, about: str) -> Bar:
    x = min(max(at / seconds * WIDTH, 0.0), WIDTH - _LEAST)
    return Bar(x, max(min(took / seconds * WIDTH, WIDTH - x), _LEAST), kind, step, about)


def _joined(bars: Iterator[Bar]) -> list[Bar]:
    """Bars of one kind that touch become one: a long trial has more steps than a screen has pixels."""
    found: list[Bar] = []
    open_bars: dict[str, int] = {}
    for bar in sorted(bars, key=lambda each: each.x):
        at = open_bars.get(bar.kind)
        last = found[at] if at is not None else None
        if at is not None and last is not None and bar.x <= last.x + last.width and bar.width <= 2 * _LEAST:
            width = max(last.width, bar.x + bar.width - last.x)
            found[at] = Bar(last.x, width, last.kind, last.step, f"{last.about}, and more")
            continue
        open_bars[bar.kind] = len(found)
        found.append(bar)
    return found


def _tokens(step: Step) -> int:
    metrics = step.metrics
    return (metrics.prompt_tokens or 0) + (metrics.completion_tokens or 0) if metrics is not None else 0


def _peaks(conversation: Conversation, first: datetime, seconds: float, most: int) -> Iterator[Peak]:
    for number, step in enumerate(conversation.steps, start=1):
        count = _tokens(step)
        if not count:
            continue
        x = (conversation.begun[number - 1] - first).total_seconds() / seconds * WIDTH
        about = f"step {number}: {count:,} tokens"
        yield Peak(min(max(x, 0.0), WIDTH - _LEAST), _LEAST, count / most, conversation.number, number, about)


def _thinned(peaks: Sequence[Peak]) -> list[Peak]:
    """Of peaks that share a pixel the greatest."""
    best: dict[int, Peak] = {}
    for peak in peaks:
        place = int(peak.x / _LEAST)
        if place not in best or best[place].height < peak.height:
            best[place] = peak
    return [best[place] for place in sorted(best)]


def _ticks(seconds: float) -> list[tuple[float, float]]:
    """Four to eight whole times and their places."""
    steps = (0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200)
    step = next((each for each in steps if seconds / each <= 8), 86400)
    return [(number * step, number * step / seconds * WIDTH) for number in range(1, int(seconds / step) + 1)]
