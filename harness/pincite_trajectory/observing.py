"""What a call brought: what the model was told, and of the server's own answer what the client cut or dropped."""

from collections.abc import Set
from typing import Any

import orjson

from pincite_models.dialects.fields import mapping, mappings
from pincite_trajectory.atif import (
    Content,
    ContentPart,
    ObservationResult,
    SubagentTrajectoryRef,
    TextPart,
    ToolCall,
)
from pincite_trajectory.content import content_of, joined, paths_in, text_in, tool_parts
from pincite_trajectory.drafts import CallDraft, Draft
from pincite_trajectory.items import squeezed
from pincite_trajectory.serving import served_name
from pincite_trajectory.wire import Exchange


def tool_call(draft: CallDraft) -> ToolCall:
    """The call under the name by which the model called it; ``extra`` says which server's tool it was."""
    extra: dict[str, Any] = {}
    if draft.served is not None:
        extra["server"], extra["tool"] = served_name(draft.served)
    extra |= raw_arguments(draft.call.raw)
    if draft.call.hosted:
        extra["hosted"] = True
    return ToolCall(
        tool_call_id=draft.call_id,
        function_name=draft.call.name,
        arguments=dict(draft.call.arguments),
        extra=extra or None,
    )


def raw_arguments(raw: str) -> dict[str, Any]:
    """What stood in the place of a call's arguments, where that was not a JSON object, as ``extra`` keeps it."""
    return {"raw_arguments": raw} if raw else {}


def observed(draft: Draft) -> list[ObservationResult]:
    """The results of a step's calls, and what came beside them. An image that a client sends beside a result, where
    an API has no place for it inside, stands with the result of the tool that made it."""
    beside = {path for aside in draft.asides for path in paths_in(aside.content)}
    results = [result for call in draft.calls if (result := _result(call, beside)) is not None]
    placed = {path for result in results for path in paths_in(result.content)}
    return results + [aside for given in draft.asides if (aside := _without(given, placed)) is not None]


def _result(draft: CallDraft, beside: Set[str]) -> ObservationResult | None:
    references = [SubagentTrajectoryRef(trajectory_id=name) for name in draft.subagents] or None
    if draft.result is None and draft.served is None and references is None:
        return None
    content = joined(content_of(draft.result.parts)) if draft.result is not None else None
    extra: dict[str, Any] = {}
    if draft.result is not None and draft.result.is_error:
        extra["is_error"] = True
    if draft.served is not None:
        content = _completed(content, draft.served, beside, extra)
    return ObservationResult(
        source_call_id=draft.call_id, content=content, subagent_trajectory_ref=references, extra=extra or None
    )


def _without(aside: ObservationResult, placed: Set[str]) -> ObservationResult | None:
    """What came beside results without the images that stand there; None where nothing is left."""
    if not isinstance(aside.content, list):
        return aside
    left = [part for part in aside.content if isinstance(part, TextPart) or part.source.path not in placed]
    return aside.model_copy(update={"content": joined(left)}) if left else None


def served_content(exchange: Exchange) -> Content:
    """A server's answer as the tool door recorded it."""
    response = exchange.response
    if response is None:
        return "No result: the trial ended first."
    if "error" in response:
        error = mapping(response["error"])
        return f"Error {error.get('code', '')}: {error.get('message', response['error'])}"
    if "result" not in response:
        return "Cancelled."
    return joined(tool_parts(_parts(exchange)))


def served_extra(exchange: Exchange) -> dict[str, Any]:
    """When the server was asked and how long it took, whether it failed, and its structured content."""
    extra: dict[str, Any] = {"at": exchange.request["at"]}
    if exchange.failed:
        extra["is_error"] = True
    if exchange.refused:
        extra["refused"] = exchange.refused
    if exchange.response is not None:
        extra["seconds"] = exchange.response.get("seconds")
    if "structuredContent" in exchange.result:
        extra["structured_content"] = exchange.result["structuredContent"]
    return extra


def _completed(content: Content | None, served: Exchange, beside: Set[str], extra: dict[str, Any]) -> Content:
    extra |= served_extra(served)
    full = served_content(served)
    if content is None:
        extra["not_told"] = True
        return full
    missing = [part for part in _media(full) if part.source.path not in paths_in(content)]
    if missing:
        content = [*(_as_parts(content)), *missing]
    if dropped := sum(part.source.path not in beside for part in missing):
        extra["images_not_told"] = dropped
    if not _tells(text_in(content), served):
        extra["full_text"] = text_in(full)
    return content


def _media(content: Content) -> list[Any]:
    return [part for part in content if not isinstance(part, TextPart)] if isinstance(content, list) else []


def _as_parts(content: Content) -> list[ContentPart]:
    if isinstance(content, list):
        return content
    return [TextPart(text=content)] if content else []


def _tells(text: str, served: Exchange) -> bool:
    """Whether ``text`` holds all that the server said, as text, within JSON, or as its structured content."""
    said, told = text_in(served_content(served)), squeezed(text)
    if squeezed(said) in told or squeezed(orjson.dumps(said).decode()[1:-1]) in told:
        return True
    structured = served.result.get("structuredContent")
    return structured is not None and any(squeezed(form) in told for form in _forms(structured))


def _forms(structured: Any) -> list[str]:
    plain = orjson.dumps(structured).decode()
    return [plain, orjson.dumps(plain).decode()[1:-1]]


def _parts(exchange: Exchange) -> list[dict[str, Any]]:
    return mappings(exchange.result.get("content"))
