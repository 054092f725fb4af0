"""A trajectory to read on a terminal: a line or two a step, a step in full, or everything."""

import re
from collections.abc import Iterator, Sequence

import orjson
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from pincite_core.errors import NotFoundError
from pincite_tasks.plural import plural
from pincite_trajectory.atif import FinalMetrics, ObservationResult, Step, ToolCall, Trajectory
from pincite_trajectory.call_counts import CallCounts
from pincite_trajectory.content import paths_in, text_in
from pincite_trajectory.delegations import role_mark
from pincite_trajectory.exports import clock
from pincite_trajectory.exports.notes import error_of, wire_of
from pincite_trajectory.totals import roles_of

_SHOWN = 160
"""Characters of a text on one line."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_STYLES = {"system": "magenta", "user": "cyan", "agent": "green"}
_INDENT = 6
"""Columns."""


def show_trajectory(trajectory: Trajectory, screen: Console, *, step: int | None = None, full: bool = False) -> None:
    """Print all conversations, the main one first; ``step`` prints that step of it alone and in full.

    NotFoundError for a step that is not there.
    """
    if step is not None:
        if not 1 <= step <= len(trajectory.steps):
            raise NotFoundError(f"There is no step {step}.", seen=f"steps 1 to {len(trajectory.steps)}")
        _print_step(trajectory.steps, step - 1, screen, full=True)
        return
    for one in [trajectory, *(trajectory.subagent_trajectories or [])]:
        screen.print(Rule(_plain(_title(one, embedded=one is not trajectory)), align="left"))
        for index in range(len(one.steps)):
            _print_step(one.steps, index, screen, full=full)
    _print_totals(trajectory, screen)


def _title(trajectory: Trajectory, *, embedded: bool) -> str:
    role = (trajectory.extra or {}).get("role") or ("subagent" if embedded else "")
    agent = f"{trajectory.agent.name} {trajectory.agent.version}"
    told = [role, trajectory.trajectory_id or "", agent, trajectory.agent.model_name or "no model"]
    return " · ".join(str(part) for part in told if part)


def _print_step(steps: Sequence[Step], index: int, screen: Console, *, full: bool) -> None:
    step = steps[index]
    head = Text(f"{step.step_id:>4}  ")
    head.append(f"{step.source:<6}", style=_STYLES[step.source])
    head.append(f" +{(clock.begun(steps, index) - clock.begun(steps, 0)).total_seconds():.1f} s", style="dim")
    head.append("".join(f" · {mark}" for mark in _marks(step)), style="dim")
    screen.print(head)
    for label, text in _said(step):
        _print_text(label, text, screen, full=full)
    results = step.observation.results if step.observation is not None else []
    by_call = {result.source_call_id: result for result in results}
    for call in step.tool_calls or []:
        _print_call(call, by_call.get(call.tool_call_id), screen, full=full)
    for result in results:
        if result.source_call_id is None:
            _print_result("  beside ", result, screen, full=full)


def _marks(step: Step) -> Iterator[str]:
    extra = step.extra or {}
    if mark := role_mark(extra):
        yield _excerpt(mark)
    if step.metrics is not None:
        yield f"{step.metrics.prompt_tokens or 0:,} in, {step.metrics.completion_tokens or 0:,} out"
    if "seconds" in wire_of(step):
        yield f"{wire_of(step)['seconds']:.1f} s"
    if error := error_of(step):
        yield _excerpt(f"ERROR {error['cause']}: {error.get('detail', '')}")
    if attempts := extra.get("attempts"):
        yield f"after {len(attempts)} failed: " + ", ".join(str(attempt["cause"]) for attempt in attempts)
    for name, words in (
        ("refusal", "REFUSED"),
        ("superseded_by", "given up"),
        ("context_management", "context replaced"),
        ("context_edited", "earlier context edited"),
        ("reasoning_hidden", "reasoning hidden"),
    ):
        if name in extra:
            yield words
    if "file" in extra:
        yield f"file {extra['file'] or 'none'}"
    if step.is_copied_context:
        yield "copied"


def _said(step: Step) -> Iterator[tuple[str, str]]:
    if step.reasoning_content:
        yield "thinks ", step.reasoning_content
    parts = [step.message] if isinstance(step.message, str) else [[part] for part in step.message]
    for part in parts:
        if text := text_in(part):
            yield "", text
        for path in paths_in(part):
            yield "image  ", path


def _print_call(call: ToolCall, result: ObservationResult | None, screen: Console, *, full: bool) -> None:
    option = orjson.OPT_INDENT_2 if full else None
    arguments = (call.extra or {}).get("raw_arguments") or orjson.dumps(call.arguments, option=option).decode()
    _print_text("calls  ", f"{call.function_name} {arguments}", screen, full=full, style="yellow")
    if result is None:
        _print_text("  gave ", "(nothing)", screen, full=full, style="dim")
    else:
        _print_result("  gave ", result, screen, full=full)


def _print_result(label: str, result: ObservationResult, screen: Console, *, full: bool) -> None:
    extra = result.extra or {}
    marks = [f"{extra['seconds']:.2f} s"] if "seconds" in extra else []
    marks += ["ERROR"] if extra.get("is_error") else []
    marks += ["cut by the client"] if "full_text" in extra else []
    marks += [f"{extra['images_not_told']} images dropped by the client"] if "images_not_told" in extra else []
    marks += ["never told to the model"] if extra.get("not_told") else []
    marks += [f"sub-agent {one.trajectory_id}" for one in result.subagent_trajectory_ref or []]
    marks += [f"image {path}" for path in paths_in(result.content)]
    told = "".join(f"[{mark}] " for mark in marks)
    text = str(extra.get("full_text") or "") if full and "full_text" in extra else text_in(result.content)
    _print_text(label, told + text, screen, full=full, style="red" if extra.get("is_error") else "")


def _print_text(label: str, text: str, screen: Console, *, full: bool, style: str = "") -> None:
    shown = text if full else _excerpt(text)
    line = Text(label, style="dim")
    line.append(_CONTROLS.sub(" ", shown), style=style)
    screen.print(Padding(line, (0, 0, 0, _INDENT)))


def _excerpt(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else f"{flat[:_SHOWN]}… ({len(text):,} characters)"


def _plain(text: str) -> Text:
    return Text(_CONTROLS.sub(" ", text))


def _print_totals(trajectory: Trajectory, screen: Console) -> None:
    metrics = trajectory.final_metrics or FinalMetrics()
    extra = metrics.extra or {}
    tokens = f"{metrics.total_prompt_tokens or 0:,} tokens in ({metrics.total_cached_tokens or 0:,} cached)"
    cost = f"{metrics.total_cost_usd:.4f} US dollars" if metrics.total_cost_usd is not None else "cost not known"
    steps = [step for one in [trajectory, *(trajectory.subagent_trajectories or [])] for step in one.steps]
    tools = CallCounts.read(extra, steps)
    models = extra.get("model_calls", sum(step.metrics is not None for step in steps))
    calls = f"{models} calls of a model, {tools}"
    screen.print(Rule(style="dim"))
    screen.print(_plain(f"{calls}; {tokens}, {metrics.total_completion_tokens or 0:,} out; {cost}"))
    for role, spent in roles_of(extra).items():
        cost = f"{spent.cost_usd:.4f} US dollars" if spent.cost_usd is not None else "cost not known"
        tokens = f"{spent.tokens.input:,} tokens in ({spent.tokens.cached:,} cached), {spent.tokens.output:,} out"
        screen.print(_plain(f"  {role or 'no role'}: {plural(spent.model_calls, 'call')} of a model; {tokens}; {cost}"))
