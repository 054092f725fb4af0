"""A trajectory as an audit sees it: what was shown to the agent at which step, and what it said."""

from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from pincite_papers.model import Paper
from pincite_provenance.audit.text import ReportText
from pincite_scoring.shown import name_form, readable, text_paper
from pincite_trajectory.atif import Step, Trajectory
from pincite_trajectory.content import text_in


@dataclass(frozen=True, slots=True)
class Showing:
    """A text that reached the agent at a step: the result of a call, or what the user or the system said.

    ``about`` is what the call and its result name, in letters and digits alone.
    """

    step: int
    tool: str
    paper: Paper
    about: str


@dataclass(frozen=True, slots=True)
class Said:
    """The texts that the agent said, and the step of each by where it begins in them."""

    text: str
    starts: tuple[int, ...]
    steps: tuple[int, ...]


def showings(trajectory: Trajectory) -> list[Showing]:
    """All that was shown, in order; what a sub-agent saw counts at the step that called it."""
    found: list[Showing] = []
    embedded = {each.trajectory_id: each for each in trajectory.subagent_trajectories or []}
    for step in trajectory.steps:
        if step.source != "agent" and not step.is_copied_context and (text := text_in(step.message)).strip():
            found.append(Showing(step.step_id, "", text_paper(text), name_form(text)))
        found += _results(step, step.step_id, embedded)
    return found


def _results(step: Step, at: int, embedded: dict[str | None, Trajectory]) -> Iterator[Showing]:
    calls = {call.tool_call_id: call for call in step.tool_calls or []}
    for result in step.observation.results if step.observation else []:
        call = calls.get(result.source_call_id or "")
        sent = orjson.dumps(call.arguments).decode() if call is not None else ""
        text = readable(text_in(result.content))
        if text.strip():
            yield Showing(at, call.function_name if call else "", text_paper(text), name_form(f"{sent}\n{text}"))
        for reference in result.subagent_trajectory_ref or []:
            sub = embedded.get(reference.trajectory_id)
            if sub is not None:
                inner = {each.trajectory_id: each for each in sub.subagent_trajectories or []}
                for each in sub.steps:
                    yield from _results(each, at, inner)


def said_by(trajectory: Trajectory) -> Said:
    """What the agent said, message by message; messages that were copied from an earlier context are left out."""
    parts: list[str] = []
    starts: list[int] = []
    steps: list[int] = []
    length = 0
    for step in trajectory.steps:
        text = text_in(step.message)
        if step.source != "agent" or step.is_copied_context or not text.strip():
            continue
        parts.append(text.rstrip())
        starts.append(length)
        steps.append(step.step_id)
        length += len(parts[-1]) + 2
    return Said("\n\n".join(parts), tuple(starts), tuple(steps))


def step_of(said: Said, report: ReportText, start: int) -> int | None:
    """The step in which the character at ``start`` of the report's text was said."""
    at, _ = report.in_source(start, start + 1)
    step: int | None = None
    for begin, number in zip(said.starts, said.steps, strict=True):
        if begin > at:
            break
        step = number
    return step
