"""Steps: the line of each step in a list, and all that one of them holds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from pincite_harness.desk.trajectories import Conversation, Told
from pincite_harness.reports.trials.steps import REMARKS, faults_of
from pincite_harness.reports.trials.texts import excerpt, plain, pretty
from pincite_trajectory.atif import Content, ObservationResult, Step, TextPart, ToolCall
from pincite_trajectory.content import text_in
from pincite_trajectory.exports.notes import wire_of

PAGE_STEPS = 100
"""Lines that a page begins with and that each further piece brings: a screen shows about forty."""
MOST_TEXT = 60_000
"""Characters of one message or result that a page shows: six pages of a paper."""
_MOST_FOUND = 200
"""Steps that a search lists."""
_AROUND = 70
"""Characters around a hit."""
_NAMED = 3
"""Calls that the line of a step names."""
LOCATOR = re.compile(r"\bpc:[0-9a-f]{8}#(?:p[1-9]\d{0,5}:)?\d{1,9}-\d{1,9}\b")


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step in one line; ``seconds`` since the conversation began, ``took`` until the next step."""

    number: int
    source: str
    seconds: float
    took: float
    calls: str
    faults: str
    said: str
    tokens_in: int | None
    tokens_out: int | None
    pictures: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, or a picture by its path in the trial's folder; ``left`` characters of the text are not shown."""

    text: str = ""
    picture: str = ""
    left: int = 0

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """The text in pieces, with whether each is a locator."""
        found: list[tuple[str, bool]] = []
        at = 0
        for match in LOCATOR.finditer(self.text):
            found += [(self.text[at : match.start()], False), (match[0], True)]
            at = match.end()
        return [*found, (self.text[at:], False)]


@dataclass(frozen=True, slots=True)
class ResultShown:
    """What came back: its pieces, remarks, and the conversations that it delegated to."""

    pieces: Sequence[Piece]
    remarks: Sequence[str]
    is_error: bool
    delegated: Sequence[tuple[int, str]]
    at: str = ""
    """When the server was asked, as its wire record says; "" where no server was."""


@dataclass(frozen=True, slots=True)
class CallShown:
    """A call with its arguments by name, or as it was sent where that is not an object, and its result."""

    name: str
    server: str
    is_unknown: bool
    arguments: Sequence[tuple[str, Piece]]
    result: ResultShown | None


@dataclass(frozen=True, slots=True)
class StepShown:
    """All that a step holds."""

    line: StepLine
    timestamp: str
    model: str
    reasoning: Piece | None
    message: Sequence[Piece]
    calls: Sequence[CallShown]
    results: Sequence[ResultShown]
    """Those that answer no call."""
    metrics: Sequence[tuple[str, str]]
    seq: int | None = None
    """The number of the model's answer on the wire."""


def step_lines(conversation: Conversation, first: int, to: int = 0) -> list[StepLine]:
    """The lines of a hundred steps from number ``first`` on, or of as many more as lead behind number ``to``."""
    last = min(len(conversation.steps), max(first, to) + PAGE_STEPS - 1)
    return [_line(conversation, number) for number in range(max(first, 1), last + 1)]


def show_step(told: Told, conversation: Conversation, number: int) -> StepShown:
    """One step; NotFoundError where there is none."""
    step = conversation.step(number)
    results = step.observation.results if step.observation is not None else []
    calls = step.tool_calls or []
    by_call = {result.source_call_id: result for result in results}
    shown = [_call(told, conversation, call, by_call.get(call.tool_call_id)) for call in calls]
    alone = [_result(told, result) for result in results if result.source_call_id is None]
    reasoning = _cut(step.reasoning_content) if step.reasoning_content else None
    return StepShown(
        line=_line(conversation, number),
        timestamp=step.timestamp or "",
        model=step.model_name or "",
        reasoning=reasoning,
        message=_pieces(step.message),
        calls=shown,
        results=alone,
        metrics=_metrics(step),
        seq=seq if isinstance(seq := wire_of(step).get("seq"), int) else None,
    )


def find_in(told: Told, text: str) -> list[tuple[Conversation, int, str]]:
    """The steps that have a text, whatever its case, with what stands around it; the first two hundred."""
    wanted = " ".join(text.split()).casefold()
    found: list[tuple[Conversation, int, str]] = []
    if not wanted:
        return found
    for conversation in told.conversations:
        for number, step in enumerate(conversation.steps, start=1):
            flat = " ".join(_all_text(step).split())
            at = flat.casefold().find(wanted)
            if at >= 0:
                around = flat[max(0, at - _AROUND) : at + len(wanted) + _AROUND]
                found.append((conversation, number, around))
            if len(found) == _MOST_FOUND:
                return found
    return found


def _all_text(step: Step) -> str:
    """All that a step says, is told and calls."""
    parts = [step.reasoning_content or "", text_in(step.message)]
    for call in step.tool_calls or []:
        parts += [call.function_name, pretty(call.arguments)]
    for result in step.observation.results if step.observation is not None else []:
        parts.append(text_in(result.content))
    return "\n".join(parts)


def _line(conversation: Conversation, number: int) -> StepLine:
    step = conversation.step(number)
    results = step.observation.results if step.observation is not None else []
    calls = step.tool_calls or []
    names = [_in_words(call) for call in calls[:_NAMED]]
    more = f" and {len(calls) - _NAMED} more" if len(calls) > _NAMED else ""
    faults = [f"{call.function_name}: no such tool" for call in calls if _is_unknown(conversation, call)]
    begun = conversation.begun
    ended = begun[number] if number < len(begun) else begun[number - 1]
    metrics = step.metrics
    contents = [step.message, *(result.content for result in results)]
    return StepLine(
        number=number,
        source=step.source,
        seconds=(begun[number - 1] - begun[0]).total_seconds(),
        took=(ended - begun[number - 1]).total_seconds(),
        calls=", ".join(names) + more,
        faults=", ".join([*faults, *faults_of(results, step.extra or {})]),
        said=excerpt(text_in(step.message), 220),
        tokens_in=metrics.prompt_tokens if metrics is not None else None,
        tokens_out=metrics.completion_tokens if metrics is not None else None,
        pictures=sum(_count_pictures(content) for content in contents),
    )


def _in_words(call: ToolCall) -> str:
    """A call as one reads it: its tool, without the server's prefix, and its first two arguments that say anything."""
    told = [excerpt(plain(value), 40) for value in call.arguments.values()]
    shown = [each for each in told if each][:2]
    return f"{call.function_name.rpartition('__')[2] or call.function_name}({', '.join(shown)})"


def _count_pictures(content: Content | None) -> int:
    return sum(not isinstance(part, TextPart) for part in content) if isinstance(content, list) else 0


def _is_unknown(conversation: Conversation, call: ToolCall) -> bool:
    """Whether the model made the tool up: it was offered others, and no server was asked."""
    extra = call.extra or {}
    known = call.function_name in conversation.offered or "server" in extra or "hosted" in extra
    return bool(conversation.offered) and not known


def _call(told: Told, conversation: Conversation, call: ToolCall, result: ObservationResult | None) -> CallShown:
    extra = call.extra or {}
    raw = extra.get("raw_arguments")
    arguments = (
        [("", _cut(str(raw)))] if raw else [(name, _cut(_written(each))) for name, each in call.arguments.items()]
    )
    return CallShown(
        name=call.function_name,
        server=str(extra.get("server") or ""),
        is_unknown=_is_unknown(conversation, call),
        arguments=arguments,
        result=_result(told, result) if result is not None else None,
    )


def _written(value: Any) -> str:
    return value if isinstance(value, str) else pretty(value)


def _result(told: Told, result: ObservationResult) -> ResultShown:
    extra: Mapping[str, Any] = result.extra or {}
    remarks = [f"{extra['seconds']:.2f} s"] if isinstance(extra.get("seconds"), int | float) else []
    remarks += [word for name, word in REMARKS.items() if extra.get(name)]
    remarks += [f"turned away: {extra['refused']}"] if extra.get("refused") else []
    delegated: list[tuple[int, str]] = []
    for reference in result.subagent_trajectory_ref or []:
        number = told.numbered(reference.trajectory_id)
        if number is not None:
            delegated.append((number, told.conversation(number).title))
    pieces = _pieces(result.content) if result.content is not None else []
    is_error = bool(extra.get("is_error") or extra.get("refused"))
    return ResultShown(pieces, remarks, is_error, delegated, str(extra.get("at") or ""))


def _pieces(content: Content) -> list[Piece]:
    if isinstance(content, str):
        return [_cut(_in_lines(content))] if content.strip() else []
    found: list[Piece] = []
    for part in content:
        if not isinstance(part, TextPart):
            found.append(Piece(picture=part.source.path))
        elif part.text.strip():
            found.append(_cut(_in_lines(part.text)))
    return found


def _in_lines(text: str) -> str:
    """JSON that a tool wrote on one line, in lines; any other text as it is. The wire has it as it was sent."""
    if len(text) > MOST_TEXT or not text.startswith(("{", "[")) or "\n" in text.strip():
        return text
    try:
        return pretty(orjson.loads(text))
    except orjson.JSONDecodeError:
        return text


def _cut(text: str) -> Piece:
    return Piece(text[:MOST_TEXT], left=max(0, len(text) - MOST_TEXT))


def _metrics(step: Step) -> list[tuple[str, str]]:
    metrics = step.metrics
    if metrics is None:
        return []
    found = [("in", metrics.prompt_tokens), ("cached", metrics.cached_tokens), ("out", metrics.completion_tokens)]
    told = [(name, f"{count:,} tokens") for name, count in found if count is not None]
    return [*told, ("cost", f"{metrics.cost_usd:.5f} USD")] if metrics.cost_usd is not None else told
