"""The steps of a trial: what the model was told and said, which tools it called, and what they gave, pictures too."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote as escape_url

from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.trials.texts import Budget, block, excerpt, pretty
from pincite_trajectory.atif import (
    Content,
    ImagePart,
    ObservationResult,
    Step,
    TextPart,
    ToolCall,
    Trajectory,
)
from pincite_trajectory.content import text_in
from pincite_trajectory.delegations import role_mark
from pincite_trajectory.exports import clock
from pincite_trajectory.items import tool_name

_MOST_TEXT = 20_000
"""Characters of one message or result: a page of a paper, twice."""
_MOST_PICTURES = 200
"""Pictures on one page."""
_NAMED = 4
"""Calls that the line of a step names."""
_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_SOURCES = {"system": "system", "user": "task", "agent": "agent"}


class StepView:
    """Draws the steps of a trial whose folder is ``trial``, on a page in the folder ``base``."""

    def __init__(self, trial: Path, base: Path) -> None:
        self._trial = trial
        self._base = base
        self._budget = Budget()
        self._pictures = 0
        self._offered: frozenset[str] = frozenset()

    def show(self, trajectory: Trajectory) -> Markup:
        """The main conversation, then each other one folded away."""
        self._offered = offered_tools(trajectory)
        parts = [self._steps(trajectory.steps)]
        for other in trajectory.subagent_trajectories or []:
            self._offered = offered_tools(other)
            role = str((other.extra or {}).get("role") or "other conversation")
            name = f"{role}: {other.trajectory_id or ''} ({len(other.steps)} steps)"
            parts.append(tag("details", tag("summary", name), self._steps(other.steps), class_="more"))
        return join(parts)

    def _steps(self, steps: Sequence[Step]) -> Markup:
        return tag("ol", [tag("li", self._step(steps, index)) for index in range(len(steps))], class_="steps")

    def _step(self, steps: Sequence[Step], index: int) -> Markup:
        step = steps[index]
        results = step.observation.results if step.observation is not None else []
        calls = step.tool_calls or []
        by_call = {result.source_call_id: result for result in results}
        body: list[Markup] = []
        if step.reasoning_content:
            thoughts = block(step.reasoning_content, self._budget, _MOST_TEXT, class_="thought")
            body.append(tag("details", tag("summary", "Reasoning"), thoughts, class_="inner"))
        body.append(self._content(step.message))
        body += [self._call(call, by_call.get(call.tool_call_id)) for call in calls]
        body += [self._result(result) for result in results if result.source_call_id is None]
        summary = tag("summary", self._head(step, steps, index, results))
        return tag("details", summary, body, class_=f"step {step.source}")

    def _head(self, step: Step, steps: Sequence[Step], index: int, results: Sequence[ObservationResult]) -> Markup:
        seconds = (clock.begun(steps, index) - clock.begun(steps, 0)).total_seconds()
        marks = [f"+{seconds:.1f} s"]
        if mark := role_mark(step.extra or {}):
            marks.append(excerpt(mark))
        if step.metrics is not None:
            marks.append(f"{step.metrics.prompt_tokens or 0:,} in, {step.metrics.completion_tokens or 0:,} out")
        names = [call.function_name for call in step.tool_calls or []]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        called = [tag("code", f"{', '.join(names[:_NAMED])}{more}")] if names else []
        faults = [f"{call.function_name}: no such tool" for call in step.tool_calls or [] if self._is_unknown(call)]
        faults += faults_of(results, step.extra or {})
        wrong = [tag("span", ", ".join(faults), class_="badge failed")] if faults else []
        said = excerpt(text_in(step.message))
        return join(
            [
                tag("span", str(step.step_id), class_="count"),
                tag("span", _SOURCES[step.source], class_="source"),
                *called,
                *wrong,
                tag("span", said, class_="said"),
                tag("span", " · ".join(marks), class_="marks"),
            ],
            " ",
        )

    def _call(self, call: ToolCall, result: ObservationResult | None) -> Markup:
        raw = (call.extra or {}).get("raw_arguments")
        arguments = str(raw) if raw else pretty(call.arguments) if call.arguments else ""
        told = [block(arguments, self._budget, _MOST_TEXT, class_="json")] if arguments else []
        given = self._result(result) if result is not None else tag("p", "No result.", class_="sub")
        return tag("div", tag("p", tag("code", call.function_name), class_="calls"), told, given, class_="call")

    def _is_unknown(self, call: ToolCall) -> bool:
        """Whether the model made the tool up: it was offered others, and no server was asked."""
        extra = call.extra or {}
        known = call.function_name in self._offered or "server" in extra or "hosted" in extra
        return bool(self._offered) and not known

    def _result(self, result: ObservationResult) -> Markup:
        extra = result.extra or {}
        marks = [f"{extra['seconds']:.2f} s"] if isinstance(extra.get("seconds"), int | float) else []
        marks += [word for name, word in REMARKS.items() if extra.get(name)]
        marks += [f"turned away: {extra['refused']}"] if extra.get("refused") else []
        kind = "result wrong" if extra.get("is_error") else "result"
        head = [tag("p", " · ".join(marks), class_="marks")] if marks else []
        content = self._content(result.content) if result.content is not None else Markup("")
        return tag("div", head, content, class_=kind)

    def _content(self, content: Content) -> Markup:
        if isinstance(content, str):
            return block(content, self._budget, _MOST_TEXT) if content.strip() else Markup("")
        return join([self._part(part) for part in content])

    def _part(self, part: Any) -> Markup:
        if isinstance(part, TextPart):
            return block(part.text, self._budget, _MOST_TEXT) if part.text.strip() else Markup("")
        path = str(part.source.path)
        if isinstance(part, ImagePart) and self._is_own(path) and self._pictures < _MOST_PICTURES:
            self._pictures += 1
            source = escape_url(Path(os.path.relpath(self._trial / path, self._base)).as_posix())
            return tag("img", src=source, alt="A picture of this step", loading="lazy", class_="picture")
        return tag("p", f"[{path}]", class_="sub")

    def _is_own(self, path: str) -> bool:
        """Whether it is a picture's file inside the trial's folder: a trajectory may name anything."""
        file = (self._trial / path).resolve()
        inside = file.is_relative_to(self._trial.resolve())
        return inside and file.suffix.lower() in _SUFFIXES and file.is_file()


REMARKS: Mapping[str, str] = {
    "is_error": "error",
    "full_text": "cut by the client",
    "images_not_told": "pictures dropped by the client",
    "not_told": "never told to the model",
}
"""What the extra fields of a result say of it."""


def faults_of(results: Sequence[ObservationResult], extra: Mapping[str, Any]) -> list[str]:
    """What went wrong in a step, in a few words each; ``extra`` is the step's own."""
    marks = [result.extra or {} for result in results]
    refused = sum(bool(mark.get("refused")) for mark in marks)
    wrong = sum(bool(mark.get("is_error")) and not mark.get("refused") for mark in marks)
    told = [f"{wrong} failed"] if wrong else []
    told += [f"{refused} turned away"] if refused else []
    error = extra.get("error")
    if isinstance(error, Mapping):
        told.append(str(cast("Mapping[str, Any]", error).get("cause", "error")))
    return told


def offered_tools(trajectory: Trajectory) -> frozenset[str]:
    """The names of the tools that the model was offered."""
    return frozenset(tool_name(tool) for tool in trajectory.agent.tool_definitions or [])
