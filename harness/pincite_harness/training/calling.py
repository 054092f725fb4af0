"""Examples for who holds the tools: the next call, taken from good trials where its result went into the answer, or
made by rule for each tool that was offered."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

from pincite_harness.training.example import Example, conversation, media_of, reply
from pincite_harness.training.rewards import call_is_valid
from pincite_harness.training.trials import MAIN_ROLE, Trial
from pincite_models.dialects.fields import mapping
from pincite_models.dialects.model import Call, Result, Text
from pincite_trajectory.items import tool_name
from pincite_trajectory.model_wire import ModelExchange

HOLDERS = ("expert", "solver", "orchestrator", MAIN_ROLE)
"""Roles that may hold tools; the last one is an agent of one role."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)+|\d{2,}")
"""A number with two digits or more: single digits stand everywhere."""
_RUN = 6
"""Words in a row that two texts share by citing, not by chance; set by judgement."""
_OWN_TOOLS = frozenset({"answer"})
"""Tools by which a program asks for a reply: no call of a server's."""


def called(trial: Trial) -> Iterator[Example]:
    """An example for each call of a tool whose result is quoted in the answer, or gave it a number that nothing before
    had."""
    for role in HOLDERS:
        asked = trial.asked(role)
        for exchange, following in pairwise(asked):
            response = exchange.response
            calls = [part for part in (response.parts if response else ()) if isinstance(part, Call)]
            if len(calls) != 1 or calls[0].hosted or calls[0].name in _OWN_TOOLS:
                continue
            result = _result(following, calls[0].call_id)
            if result and is_used(result, _text(exchange), trial.answer):
                yield _example(trial, exchange, calls[0], made=False)


def made(trial: Trial) -> Iterator[Example]:
    """An example for each tool whose required arguments the task itself gives, at the beginning of the work."""
    for role in HOLDERS:
        exchange = next((one for one in trial.asked(role) if one.request.tools), None)
        if exchange is None:
            continue
        for tool in exchange.request.tools:
            arguments = _filled(trial, tool)
            if arguments is not None:
                yield _example(trial, exchange, Call("call_1", tool_name(tool), arguments), made=True)
        return


def is_used(result: str, before: str, answer: str) -> bool:
    """Whether the answer took something from a tool's result: six words in a row, or a number, that did not stand in
    what the role was shown before."""
    fresh = set(_NUMBER.findall(result)) - set(_NUMBER.findall(before))
    if fresh & set(_NUMBER.findall(answer)):
        return True
    return bool((_runs(result) - _runs(before)) & _runs(answer))


def _example(trial: Trial, exchange: ModelExchange, call: Call, *, made: bool) -> Example:
    prompt = conversation(exchange.request.system, exchange.sent)
    schemas = {tool_name(tool): _schema(tool) for tool in exchange.request.tools}
    schema = schemas.get(call.name, {})
    truth = {"call": {"tool": call.name, "arguments": dict(call.arguments)}, "schema": schema}
    return Example(
        "expert", trial.origin, prompt, reply([call]), exchange.request.tools, truth, media_of(prompt), made=made
    )


def _filled(trial: Trial, tool: Mapping[str, Any]) -> dict[str, Any] | None:
    """Arguments of a tool from the task: its paper, its file, its question; None where one is required that the task
    does not give."""
    schema = _schema(tool)
    if tool_name(tool) in _OWN_TOOLS or not schema:
        return None
    asked = next((str(value) for name, value in trial.task.parameters.items() if name in ("query", "question")), "")
    known = {
        "paper": next(iter(trial.task.paper_names), ""),
        "papers": list(trial.task.paper_names),
        "file": next((path.name for path in trial.task.files), ""),
        "query": asked,
        "question": asked,
        "pattern": next(iter(_NUMBER.findall(asked)), ""),
    }
    required = cast("Sequence[str]", schema.get("required") or [])
    arguments = {name: known[name] for name in required if known.get(name)}
    complete = len(arguments) == len(required) and bool(required)
    return arguments if complete and call_is_valid(arguments, schema) else None


def _schema(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(mapping(tool.get("function")).get("parameters"))


def _result(exchange: ModelExchange, call_id: str) -> str:
    """What a call gave as the next request shows it; empty for a failure."""
    for item in exchange.sent:
        if isinstance(item.part, Result) and item.part.call_id == call_id and not item.part.is_error:
            return "\n".join(part.text for part in item.part.parts if isinstance(part, Text))
    return ""


def _text(exchange: ModelExchange) -> str:
    """All that a role was shown, results of earlier calls too."""
    return json.dumps(conversation("", exchange.sent), ensure_ascii=False)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
