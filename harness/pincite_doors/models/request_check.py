"""Which fields of a request may pass: those on the dialect's list, and those that the task opens."""

from collections.abc import Mapping
from typing import Any, cast

from pincite_doors.models.opened import Opened
from pincite_doors.models.parts import check_parts
from pincite_doors.models.refusals import closed_field, unknown_field
from pincite_models.dialects.dialect import Operation
from pincite_models.dialects.fields import mapping
from pincite_models.dialects.google_contents import camels
from pincite_models.dialects.request_fields import EMBEDDING_FIELDS, REQUEST_FIELDS, RequestFields

_INNER_REQUEST = "generateContentRequest"


def check_fields(opened: Opened, operation: Operation, body: Mapping[str, Any]) -> str | None:
    """Why a request may not pass for one of its fields or a part of its messages; None when it may."""
    embeds = operation.kind == "embeddings"
    fields = EMBEDDING_FIELDS if embeds else REQUEST_FIELDS[operation.dialect]
    google = operation.dialect == "google.generate"
    asked = camels(dict(body)) if google else body
    if google and len(asked) != len(body):
        return "The request has a field twice, in camel case and in snake case. Next: send it once."
    for name, value in asked.items():
        if reason := _closed(opened, fields, name, value):
            return reason
    if google and _INNER_REQUEST in asked:
        if operation.kind != "count_tokens":
            return unknown_field(_INNER_REQUEST)
        inner = mapping(asked[_INNER_REQUEST])
        if _INNER_REQUEST in camels(inner):
            return unknown_field(f"{_INNER_REQUEST}.{_INNER_REQUEST}")
        if reason := check_fields(opened, operation, inner):
            return reason
    if embeds:
        return _not_words(asked.get("input"))
    return check_parts(opened, operation.dialect, asked)


def _not_words(given: Any) -> str | None:
    """Why what shall become vectors may not pass: it is words or tokens, never an address that would be fetched."""
    items = cast("list[Any]", given) if isinstance(given, list) else [given]
    for item in items:
        tokens = cast("list[Any]", item) if isinstance(item, list) else []
        if not isinstance(item, str | int | list) or not all(isinstance(token, int) for token in tokens):
            return "The input of a request for vectors is a text, tokens, or a list of these. Next: send texts."
    return None


def _closed(opened: Opened, fields: RequestFields, name: str, value: Any) -> str | None:
    """Why one top-level field may not pass."""
    if value is None:
        return None
    if name in fields.passing:
        known = fields.inner.get(name)
        inner = camels(value) if known is not None else {}
        wrong = [key for key, held in inner.items() if held is not None and key not in (known or ())]
        return next((unknown_field(f"{name}.{key}") for key in wrong if not opened.unknown(key)), None)
    if name in fields.switches and value is False:
        return None
    opens = fields.closed.get(name) or fields.switches.get(name)
    if opens is None:
        return None if opened.unknown(name) else unknown_field(name)
    return None if opened.field(name) else closed_field(name, opens)
