"""Loop: a role that works with tools, one call a turn where that is asked, and that has to answer in its last turn."""

import asyncio
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_ai.exceptions import ModelRetry, ToolFailed
from pydantic_ai.messages import ModelRequest, ModelRequestPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.tools import Tool

from .ask import Crew, Said, told
from .form import OUTPUT
from .role import Part, Role
from .state import Called

T = TypeVar("T")
_SKIPPED = "Not made: one call a turn. Make it again if you still need it."
_LAST = "No call is left. Answer now with what you have found."


async def work(
    crew: Crew,
    role: Role[T],
    parts: Sequence[Part],
    toolbox: Sequence[Tool[object]],
    *,
    who: str,
    turns: int = 0,
    one_call: bool = False,
    tell_turns: bool = False,
    step: str = "",
    slots: Mapping[str, object] | None = None,
    parent: str = "main",
) -> Said[T]:
    """At most ``turns`` replies of ``role`` (its own ``turns`` for 0) with the tools of the toolbox that it may use; in
    the last it can only answer. A reply that does not fit is told its faults and costs a turn.

    ``one_call`` makes only the first call of a reply and says so of the others; ``tell_turns`` says after each turn
    which one comes next, of how many. Raises what ``ask`` does."""
    tools = {tool.name: tool for tool in toolbox if _may_use(role, tool.name)}
    form = crew.form(role)
    talk = crew.open(role, parts, form, who=who, step=step, slots=slots, parent=parent)
    most = turns or role.turns
    while True:
        last = talk.calls >= most - 1
        offered = [] if last else [tool.tool_def for tool in tools.values()]
        response = await crew.reply(role, talk, form.parameters(offered))
        calls = [call for call in response.tool_calls if call.tool_name != OUTPUT]
        value, fault = (None, "a tool was called in place of the answer") if calls else form.read(response)
        if not fault or last:
            return crew.close(role, talk, response, value, fault, who=who, step=step)
        if calls:
            results = await _results(crew, role, response.tool_calls, tools, one_call=one_call, who=who, step=step)
        else:
            talk.repairs += 1
            results = told(response, fault)
        if tell_turns:
            results.append(UserPromptPart(f"Turn {talk.calls + 1} of {most}."))
        if talk.calls >= most - 1:
            results.append(UserPromptPart(_LAST))
        talk.messages += [response, ModelRequest(results)]


async def _results(
    crew: Crew,
    role: Role[Any],
    calls: Sequence[ToolCallPart],
    tools: Mapping[str, Tool[object]],
    *,
    one_call: bool,
    who: str,
    step: str,
) -> list[ModelRequestPart]:
    """The result of each call, in their order."""
    wanted = [call for call in calls if call.tool_name != OUTPUT]
    made = wanted[:1] if one_call else wanted
    found = await asyncio.gather(*(_result(call, tools) for call in made))
    by_id = {call.tool_call_id: result for call, result in zip(made, found, strict=True)}
    results: list[ModelRequestPart] = []
    for call in calls:
        content, outcome = by_id.get(call.tool_call_id, (_SKIPPED, "skipped"))
        crew.state.emit(Called(role=role.name, tool=call.tool_name, outcome=outcome, who=who, step=step))
        success = "success" if outcome == "ok" else "failed"
        results.append(ToolReturnPart(call.tool_name, content, call.tool_call_id, outcome=success))
    return results


async def _result(call: ToolCallPart, tools: Mapping[str, Tool[object]]) -> tuple[Any, str]:
    """What a call gave, and ``ok`` or ``error``; a door that cannot be reached is raised."""
    tool = tools.get(call.tool_name)
    if tool is None:
        return f"There is no tool {call.tool_name}; there are {', '.join(tools)}.", "error"
    try:
        arguments = tool.function_schema.validator.validate_python(call.args_as_dict(raise_if_invalid=True))
        return await tool.function_schema.function(**arguments), "ok"
    except (ToolFailed, ModelRetry, ValidationError, ValueError) as error:
        return str(error), "error"


def _may_use(role: Role[Any], name: str) -> bool:
    """Whether a tool, ``mcp__SERVER__TOOL`` or a plain name, is one of the role's."""
    plain = name.removeprefix("mcp__").replace("__", ".", 1)
    return not role.tools or any(fnmatchcase(plain, wanted) for wanted in role.tools)
