"""Reading JSON that others wrote: each field in the kind that is wanted, or as if it were not there."""

import json
import mimetypes
import re
from typing import Any, cast

import orjson

from pincite_core.json_fields import items, mapping, objects
from pincite_models.dialects.model import Call, Media, Text

MEDIA = "media:"
"""Begins a string that names a kept file where a recorded body had held its bytes."""
URL_SOURCE = "url_source"
"""Opens, among a task's hosted tools, every address that the provider would fetch."""
_COMMON = {"image/jpg": "image/jpeg"}
"""Types that clients write in their own way."""
_MOST = 2**53
"""Whole numbers above are not exact in JSON readers that use doubles (RFC 8259, 6)."""
_KEPT = re.compile(r"media/\w[\w.-]*")
INPUT_SCHEMA: dict[str, Any] = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
"""The parameters of a tool that takes free text."""


def mappings(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; a lone object is a list of one."""
    return [mapping(value)] if isinstance(value, dict) else objects(value)


def first(value: Any) -> dict[str, Any]:
    """The first object of a list; empty where there is none."""
    found = mappings(value)
    return found[0] if found else {}


def text(value: Any) -> str:
    """A string, empty where it is none. Halves of surrogate pairs that found each other are one character again, lone
    ones become U+FFFD: what is read here can be written as UTF-8."""
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else _whole(value)


def texts(value: Any) -> list[str]:
    """The strings of a list."""
    return [text(item) for item in items(value) if isinstance(item, str)]


def count(value: Any) -> int:
    """A number of tokens, 0 where there is none that can be one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST:
        return 0
    return int(value)


def load(data: str | bytes) -> Any:
    """JSON, or None where it cannot be read. Escaped lone surrogates and NaN, which some servers write, are taken."""
    try:
        return orjson.loads(data)
    except ValueError:
        pass
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def dump(value: Any) -> str:
    """A JSON value as text."""
    return _whole(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def make_call(call_id: Any, name: Any, arguments: Any, *, hosted: bool = False) -> Call:
    """A call whose arguments are an object or the JSON text of one; else ``raw`` keeps what stood there."""
    identifier, function = text(call_id), text(name)
    if isinstance(arguments, dict):
        return Call(identifier, function, cast("dict[str, Any]", arguments), hosted=hosted)
    raw = text(arguments) if isinstance(arguments, str) else "" if arguments is None else dump(arguments)
    found = load(raw)
    if isinstance(found, dict):
        # What was taken leniently is written once more, so that its strings are whole.
        return Call(identifier, function, load(dump(found)) or {}, hosted=hosted)
    return Call(identifier, function, {}, raw=raw.strip() and raw, hosted=hosted)


def make_function(name: Any, description: Any, parameters: Any) -> dict[str, Any]:
    """A tool in the OpenAI function schema."""
    return {
        "type": "function",
        "function": {"name": text(name), "description": text(description), "parameters": mapping(parameters)},
    }


def make_media(media_type: Any, source: Any, default: str = "application/octet-stream") -> Media:
    """``source`` is the name of a kept file, an address, a data URL, or bare base64 (of which nothing is kept). What
    names any other file was written by a client and leads nowhere. ``default`` is the type where nothing tells it."""
    given, where = text(media_type), text(source)
    kind = _COMMON.get(given, given)
    if where.startswith(MEDIA):
        path = where.removeprefix(MEDIA)
        kept = path if _KEPT.fullmatch(path) else ""
        return Media(kind or mimetypes.guess_type(kept)[0] or default, path=kept)
    if where.startswith("data:"):
        told = where[5:].partition(",")[0].partition(";")[0]
        return Media(_COMMON.get(told, told) or kind or default)
    return Media(kind or default, url=where if is_address(where) else "")


def is_address(value: Any) -> bool:
    """Whether a string is an address that a provider would fetch."""
    return isinstance(value, str) and value.lstrip().lower().startswith(("http:", "https:", "gs:", "ftp:"))


def join_texts(parts: "list[str] | tuple[str, ...]") -> str:
    """Pieces of an instruction as one text, empty ones left out."""
    return "\n\n".join(part for part in parts if part)


def as_text(value: Any) -> Text:
    """A string as it is, and any other value as JSON."""
    return Text(text(value) if isinstance(value, str) else dump(value))


def without(body: Any, *names: str) -> dict[str, Any]:
    """The fields that are set, but for ``names``."""
    return {key: value for key, value in mapping(body).items() if key not in names and value is not None}


def _whole(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value
