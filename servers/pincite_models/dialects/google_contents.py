"""Contents and parts of the Gemini API, read into messages and parts."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from pincite_models.dialects.fields import as_text, dump, make_call, make_function, make_media, mapping, mappings, text
from pincite_models.dialects.model import Call, Media, Message, Part, Reasoning, Result, Text

_SNAKE = re.compile(r"_([a-z0-9])")
_ANSWERS = {"output", "result", "return_value", "error"}
"""Fields in which clients put what a tool said, where that is all there is."""


def camel(name: str) -> str:
    """A field's name in camel case."""
    return _SNAKE.sub(lambda found: found.group(1).upper(), name)


def camels(value: Any) -> dict[str, Any]:
    """An object with its own names in camel case."""
    return {camel(key): item for key, item in mapping(value).items()}


def read_contents(value: Any) -> list[Message]:
    """A conversation; each result answers the call of its id, or else the first open one of its name."""
    messages: list[Message] = []
    calls: list[Call] = []
    for content in [value] if isinstance(value, str) else mappings(value) if isinstance(value, dict | list) else []:
        if isinstance(content, str):
            messages.append(Message("user", (Text(text(content)),)))
        elif content.get("role") == "model":
            parts = read_parts(mappings(content.get("parts")))
            calls = [part for part in parts if isinstance(part, Call) and not part.hosted]
            messages.append(Message("assistant", parts))
        else:
            found = read_answers(mappings(content.get("parts")), calls)
            messages.append(Message("system" if content.get("role") == "system" else "user", found))
    return messages


def read_parts(parts: Iterable[dict[str, Any]]) -> tuple[Part, ...]:
    """Parts; a call without an id is called ``NAME:N``, N counting from 0 the calls of that name beside it."""
    seen: Counter[str] = Counter()
    found: list[Part] = []
    for part in map(camels, parts):
        made = _part(part, seen)
        if made is not None:
            found.append(made)
    return tuple(found)


def make_tools(tool: dict[str, Any]) -> list[dict[str, Any]]:
    """The functions that a tool declares, and its other kinds by their names."""
    made: list[dict[str, Any]] = []
    for kind, held in tool.items():
        if kind != "functionDeclarations":
            made += [{"type": kind}] if held is not None else []
            continue
        for one in map(camels, mappings(held)):
            schema = one.get("parametersJsonSchema") or one.get("parameters")
            made.append(make_function(one.get("name"), one.get("description"), schema))
    return made


def _part(part: dict[str, Any], seen: "Counter[str]") -> Part | None:
    call = mapping(part.get("functionCall"))
    if call:
        name = text(call.get("name"))
        identifier = text(call.get("id")) or f"{name}:{seen[name]}"
        seen[name] += 1
        return make_call(identifier, name, call.get("args") or {})
    if "functionResponse" in part:
        return _result(camels(part["functionResponse"]), "")
    if "executableCode" in part:
        held = mapping(part["executableCode"])
        seen["codeExecution"] += 1
        return make_call(
            text(held.get("id")) or f"codeExecution:{seen['codeExecution'] - 1}", "codeExecution", held, hosted=True
        )
    if "codeExecutionResult" in part:
        held = mapping(part["codeExecutionResult"])
        failed = text(held.get("outcome")) not in {"OUTCOME_OK", ""}
        identifier = text(held.get("id")) or f"codeExecution:{max(0, seen['codeExecution'] - 1)}"
        return Result(identifier, (as_text(held.get("output") or ""),), failed)
    if "toolCall" in part:
        held = camels(part["toolCall"])
        return make_call(held.get("id"), text(held.get("toolType")).lower(), held.get("args") or {}, hosted=True)
    if "toolResponse" in part:
        held = camels(part["toolResponse"])
        return Result(text(held.get("id")), (as_text(held.get("response")),))
    return _media(part) or _words(part)


def _words(part: dict[str, Any]) -> Part | None:
    if not isinstance(part.get("text"), str):
        return None
    said = text(part["text"])
    if part.get("thought") is True:
        return Reasoning(said)
    return Text(said) if said else None


def _media(part: dict[str, Any]) -> Media | None:
    for field, where in (("inlineData", "data"), ("fileData", "fileUri")):
        held = camels(part.get(field))
        if held:
            return make_media(held.get("mimeType"), held.get(where))
    return None


def read_answers(parts: list[dict[str, Any]], calls: list[Call]) -> tuple[Part, ...]:
    """A user's parts that may answer ``calls``; media that follow a result belong to it: older models of the API have
    no place for them inside."""
    open_calls = list(calls)
    found: list[Part] = []
    for part in map(camels, parts):
        media, last = _media(part), found[-1] if found else None
        if "functionResponse" in part:
            response = camels(part["functionResponse"])
            found.append(_result(response, _take(open_calls, response)))
        elif media is not None and isinstance(last, Result):
            found[-1] = Result(last.call_id, (*last.parts, media), last.is_error)
        else:
            found += read_parts([part])
    return tuple(found)


def _take(open_calls: list[Call], response: dict[str, Any]) -> str:
    """The id of the call that a response answers, which is then closed."""
    identifier, name = text(response.get("id")), text(response.get("name"))
    found = [call for call in open_calls if call.call_id == identifier]
    found += [call for call in open_calls if call.name == name]
    if not found:
        return identifier or f"{name}:0"
    open_calls.remove(found[0])
    return found[0].call_id


def _result(response: dict[str, Any], call_id: str) -> Result:
    held = response.get("response")
    given = mapping(held)
    media = [made for part in map(camels, mappings(response.get("parts"))) if (made := _media(part)) is not None]
    lone = next(iter(given.values())) if len(given) == 1 and set(given) <= _ANSWERS else None
    words = Text(text(lone)) if isinstance(lone, str) else Text(dump(held if lone is None else lone))
    failed = bool(given.get("error")) or given.get("isError") is True
    return Result(call_id or text(response.get("id")), (words, *media), failed)
