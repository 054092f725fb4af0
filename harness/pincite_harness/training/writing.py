"""Examples for who writes the answer: its prompt as it was in a trial, and the gold in place of what it wrote."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pincite_harness.training.example import Example, Message, conversation, media_of, reply
from pincite_harness.training.trials import MAIN_ROLE, Trial
from pincite_models.dialects.fields import mapping
from pincite_scoring.scorer import get_scorer
from pincite_trajectory.model_wire import ModelExchange

FIELD = "answer"
"""The field, or the tag, in which a program on the kernel asks for the answer."""
_TAGGED = re.compile(rf"<{FIELD}>(.*?)</{FIELD}>", re.DOTALL)


def gold_text(trial: Trial) -> str:
    """The gold as the answer that would be right, empty where there is none; a text as it is, else as JSON."""
    if trial.task.gold is None:
        return ""
    ideal = get_scorer(trial.family.settings.scorer).ideal(trial.task.gold)
    return ideal if isinstance(ideal, str) else json.dumps(ideal, ensure_ascii=False)


def written(trial: Trial, kind: Literal["sft", "solver"], gold: str) -> Iterator[Example]:
    """One example, none where nobody wrote an answer: the prompt of the solver, or of an agent of one role; for ``sft``
    the first one, for ``solver`` the last, in which stand what was looked up and the feedback."""
    asked = trial.asked("solver") or trial.asked(MAIN_ROLE)
    if not asked:
        return
    exchange = asked[0] if kind == "sft" else asked[-1]
    prompt = conversation(exchange.request.system, exchange.sent)
    completion = completed(exchange, gold)
    tools = exchange.request.tools
    yield Example(kind, trial.origin, prompt, completion, tools, {"answer": gold}, media_of(prompt))


def completed(exchange: ModelExchange, gold: str) -> list[Message]:
    """The reply in the form that was asked for, with ``gold`` where the answer stood and no other words."""
    response = exchange.response
    said = reply(response.parts) if response is not None else []
    for message in said:
        calls = [call for call in message.get("tool_calls", []) if FIELD in _arguments(call)]
        if calls:
            return [{"role": "assistant", "content": "", "tool_calls": [_with_answer(calls[0], gold)]}]
        if isinstance(message["content"], str) and _TAGGED.search(message["content"]):
            return [{"role": "assistant", "content": f"<{FIELD}>{gold}</{FIELD}>"}]
    return [{"role": "assistant", "content": gold}]


def _arguments(call: Mapping[str, Any]) -> dict[str, Any]:
    try:
        arguments = json.loads(call["function"]["arguments"])
    except json.JSONDecodeError:
        return {}
    return mapping(arguments)


def _with_answer(call: Mapping[str, Any], gold: str) -> dict[str, Any]:
    """The call with nothing but the gold: other fields told of another answer."""
    function = {"name": call["function"]["name"], "arguments": json.dumps({FIELD: gold}, ensure_ascii=False)}
    return {"id": call["id"], "type": "function", "function": function}
