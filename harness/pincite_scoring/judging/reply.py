"""A model's answer becomes labels, or the fault for which it is asked once more."""

import json
from dataclasses import dataclass
from typing import Any, cast

from pincite_models.dialects.fields import mapping
from pincite_models.dialects.instruction import texts_of
from pincite_models.dialects.model import Call, ModelResponse
from pincite_scoring.judging.judge import Item, Labels, Rubric

_LONGEST_REASON = 2000
"""Characters of a verdict's reason."""


@dataclass(frozen=True, slots=True)
class Reading:
    """``labels`` hold every item of the rubric, or are None and ``fault`` says why; ``text`` is what the model said."""

    text: str
    labels: Labels | None
    reason: str = ""
    fault: str = ""


def read_reply(response: ModelResponse, rubric: Rubric) -> Reading:
    """The labels of an answer. A label may differ in case, and a number may stand for its text; nothing else is
    guessed."""
    calls = [dict(part.arguments) for part in response.parts if isinstance(part, Call) and not part.raw]
    text = json.dumps(calls[0], ensure_ascii=False) if calls else "\n".join(texts_of(response.parts))
    if response.stop in ("refusal", "filtered"):
        return Reading(text, None, fault="The model refused to judge.")
    found = calls[0] if calls else _find_object(text)
    if found is None:
        cut = " It was cut off at its limit of tokens." if response.stop == "length" else ""
        return Reading(text, None, fault=f"There is no JSON object in it.{cut}")
    given = mapping(found.get("labels")) or found
    labels: dict[str, str | None] = {}
    for item in rubric.items:
        label = label_of(item, given.get(item.name))
        if label is None:
            said = f"has {given[item.name]!r}" if item.name in given else "is missing"
            return Reading(text, None, fault=f"The item {item.name} {said}; it takes one of {', '.join(item.labels)}.")
        labels[item.name] = label
    return Reading(text, labels, str(found.get("reason") or "").strip()[:_LONGEST_REASON])


def label_of(item: Item, value: Any) -> str | None:
    """The label of an item that a value stands for: in any case of letters, and a number in any spelling; None for
    none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    said = str(value).strip()
    folded = {label.casefold(): label for label in item.labels} | {label: label for label in item.labels}
    number = _number(said)
    same = (label for label in item.labels if number is not None and _number(label) == number)
    return folded.get(said) or folded.get(said.casefold()) or next(same, None)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _find_object(text: str) -> dict[str, Any] | None:
    """The last whole JSON object of a text that is inside no other: a model may think aloud before it answers."""
    decoder, at, found = json.JSONDecoder(), 0, None
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            found = cast("dict[str, Any]", value)
    return found
