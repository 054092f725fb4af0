"""The rewards as training libraries call them; neither library is imported."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pincite_harness.training.rewards import choice_reward, length_reward, letters, tool_reward


def trl_reward(completions: Sequence[Any], truth: Sequence[Mapping[str, Any]], **_columns: Any) -> list[float]:
    """For ``reward_funcs`` of trl's GRPOTrainer, on the data set of ``--format trl``: a reward for each completion."""
    return [reward_of(_text(completion), true) for completion, true in zip(completions, truth, strict=True)]


def compute_score(data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None) -> float:
    """For verl's ``custom_reward_function``, on the data set of ``--format verl``."""
    del data_source, extra_info
    return reward_of(solution_str, json.loads(ground_truth))


def reward_of(text: str, truth: Mapping[str, Any]) -> float:
    """The reward of a reply by what the example has for it: options that should be chosen, a call that should be made,
    or an answer, of which the length alone is checked here (its meaning needs an encoder: ``meaning_reward``).
    ValueError for an example without any of them."""
    if "choice" in truth:
        return choice_reward(letters(text), cast("Sequence[str]", truth["choice"]))
    if "call" in truth:
        return tool_reward(_call(text), cast("Mapping[str, Any]", truth["call"]), truth.get("schema"))
    if "answer" in truth:
        return length_reward(text, str(truth["answer"]))
    raise ValueError("the example has nothing that a reward compares a reply with")


def _call(text: str) -> dict[str, Any]:
    """A call as JSON of ``name`` or ``tool`` and ``arguments``, perhaps among other words; empty without one."""
    start, end = text.find("{"), text.rfind("}")
    try:
        read = json.loads(text[start : end + 1])
    except (json.JSONDecodeError, RecursionError):
        return {}
    if not isinstance(read, dict):
        return {}
    call = cast("dict[str, Any]", read)
    call = cast("dict[str, Any]", call.get("function")) if isinstance(call.get("function"), dict) else call
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except json.JSONDecodeError:
            arguments = {}
    return {"tool": call.get("tool") or call.get("name"), "arguments": arguments if isinstance(arguments, dict) else {}}


def _text(completion: Any) -> str:
    """A completion's words: a text, or messages whose calls come as JSON."""
    if isinstance(completion, str):
        return completion
    parts: list[str] = []
    for message in cast("Sequence[Mapping[str, Any]]", completion):
        parts.append(str(message.get("content") or ""))
        calls: Sequence[Any] = message.get("tool_calls") or ()
        parts += [json.dumps(call) for call in calls]
    return "\n".join(part for part in parts if part)
