"""Fit an answer to its schema: repairs that lose nothing, have one reading, and are named one by one.

Models write a page as "1" or "p. 3", a whole answer as JSON in a string, one object where a list is wanted. What has
one meaning by the schema is taken so, and the change is reported. What could mean two things, or would have to be made
up, stays as it is, and the schema's own errors report it.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, cast

from jsonschema import Draft202012Validator
from locators import LOCATOR, Place, split_quote

Schema = Mapping[str, Any]

_FENCED = re.compile(r"\s*(`{3,}|~{3,})(?:json)?[ \t]*\n(?P<inner>.*?)\n?\1\s*", re.DOTALL | re.IGNORECASE)
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
"""At most 15 digits: what a JSON number holds exactly everywhere (RFC 8259, section 6)."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_PAGE = re.compile(r"(?:pages?|pg|p)\.?[ \u00a0]?(?P<page>[1-9][0-9]{0,5})", re.IGNORECASE)
_SHOWN = 60
"""Characters of a value in the line that tells its change."""
_QUOTES = re.compile(r"(?:^|_)(?:quote|quotes|evidence|quoted_span)$")
"""Names of fields that hold the words of a source."""


class Fitted:
    """A value with what was changed in it, a line each."""

    def __init__(self, value: Any, schema: Schema) -> None:
        self.changes: list[str] = []
        self._root = schema
        self._validator: Any = Draft202012Validator(schema)
        self.value = self._fit(value, schema, "$", inner=False)

    def _fit(self, value: Any, schema: Schema, path: str, *, inner: bool = True) -> Any:
        """``value`` as the schema wants it where there is one way to that, else as near to it as it comes. ``inner`` is
        False for the answer as a whole."""
        schema = self._resolved(schema)
        if isinstance(schema.get("anyOf"), list) or isinstance(schema.get("oneOf"), list):
            return self._fit_alternative(value, schema, path, inner=inner)
        wanted = _types(schema)
        if not wanted or _is_any(value, wanted):
            return self._inside(value, schema, path, inner=inner)
        ways = [way for repair in (*_REPAIRS, self._wrapped, _unwrapped) for way in repair(value, schema, wanted, path)]
        for good in (self._is_valid, _has_shape):
            for repaired, how in ways:
                before = len(self.changes)
                self.changes.append(f"{path}: {how or f'{_short(value)} -> {_short(repaired)}'}")
                fitted = self._fit(repaired, schema, path, inner=inner)
                if good(fitted, schema):
                    return fitted
                del self.changes[before:]
        return value

    def _wrapped(self, value: Any, schema: Schema, wanted: set[str], path: str) -> "Repair":
        """One value where a list is wanted, or a list where an object is wanted that has one field for a list."""
        items = self._resolved(_mapping(schema.get("items")))
        if "array" in wanted and value is not None and items and "array" not in _types(items):
            yield [value], "one value -> a list of it"
        if "object" in wanted and isinstance(value, list):
            properties: Mapping[str, Schema] = schema.get("properties") or {}
            lists = [name for name, held in properties.items() if "array" in _types(self._resolved(held))]
            required: list[str] = schema.get("required") or []
            if len(lists) == 1 and set(required) <= set(lists):
                yield {lists[0]: value}, f"a list -> an object with it as {lists[0]}"

    def _inside(self, value: Any, schema: Schema, path: str, *, inner: bool) -> Any:
        if isinstance(value, dict):
            return self._fit_object(cast("dict[str, Any]", value), schema, path, inner=inner)
        items = _mapping(schema.get("items"))
        if isinstance(value, list) and items:
            held = cast("list[Any]", value)
            return [self._fit(item, items, f"{path}[{number}]") for number, item in enumerate(held)]
        if isinstance(value, str) and "enum" in schema and value not in schema["enum"]:
            return self._choice(value, schema, path)
        return cast("Any", value)

    def _fit_object(self, value: dict[str, Any], schema: Schema, path: str, *, inner: bool) -> dict[str, Any]:
        properties: Mapping[str, Schema] = schema.get("properties") or {}
        required: list[str] = schema.get("required") or []
        others = _mapping(schema.get("additionalProperties"))
        fitted: dict[str, Any] = {}
        for name, held in self._placed(value, properties, path).items():
            own = properties.get(name, others)
            there = f"{path}.{name}"
            if held is None and name in properties and name not in required and not self._is_valid(None, own):
                self.changes.append(f"{there}: null -> left out")
                continue
            fitted[name] = self._fit(held, own, there)
        for name in required if inner else ():
            # A field of a record that may be null and was left out says the same; of the answer itself it does not.
            if name not in fitted and name in properties and self._is_valid(None, properties[name]):
                self.changes.append(f"{path}.{name}: left out -> null")
                fitted[name] = None
        return fitted

    def _placed(self, value: dict[str, Any], properties: Mapping[str, Schema], path: str) -> dict[str, Any]:
        """An object with each locator that stands in a page or before a quote taken apart into the fields for it."""
        found: dict[str, Any] = {}
        for name, held in value.items():
            found[name] = held
            if name not in properties or not isinstance(held, str):
                continue
            place, left = _place_in(name, held)
            if place is None or (left is None and self._is_valid(held, properties[name])):
                continue
            found[name] = place.page if left is None else left
            how = "" if left is None else ", without its locator"
            self.changes.append(f"{path}.{name}: {_short(held)} -> {_short(found[name])}{how}")
            for more, number in place.fields():
                if more in properties and more not in value and self._is_valid(number, properties[more]):
                    found[more] = number
                    self.changes.append(f"{path}.{more}: left out -> {number}, as the locator says")
        return found

    def _fit_alternative(self, value: Any, schema: Schema, path: str, *, inner: bool) -> Any:
        """The one alternative that can be reached; ``value`` itself where it fits, or where there are several."""
        if self._is_valid(value, schema):
            return value
        ways: list[tuple[Any, list[str]]] = []
        told = self.changes
        alternatives: list[Schema] = schema.get("anyOf") or schema.get("oneOf") or []
        for alternative in alternatives:
            self.changes = []
            fitted = self._fit(value, alternative, path, inner=inner)
            if self._is_valid(fitted, schema) and fitted not in [way for way, _ in ways]:
                ways.append((fitted, self.changes))
        self.changes = told
        if len(ways) != 1:
            return value
        self.changes += ways[0][1]
        return ways[0][0]

    def _choice(self, value: str, schema: Schema, path: str) -> Any:
        """The one choice that ``value`` writes with other capitals or blanks."""
        words = " ".join(value.split()).casefold()
        found = [choice for choice in schema["enum"] if isinstance(choice, str) and choice.casefold() == words]
        if len(found) != 1:
            return value
        self.changes.append(f"{path}: {_short(value)} -> {_short(found[0])}")
        return found[0]

    def _resolved(self, schema: Schema) -> Schema:
        """``schema`` without a reference into the same document; what stands beside the reference holds too."""
        seen: list[str] = []
        while isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#/") and schema["$ref"] not in seen:
            seen.append(schema["$ref"])
            target: Any = self._root
            for step in schema["$ref"][2:].split("/"):
                name = step.replace("~1", "/").replace("~0", "~")
                target = _mapping(target).get(name, {})
            beside = {name: held for name, held in schema.items() if name != "$ref"}
            schema = {**cast("Schema", target), **beside}
        return schema

    def _is_valid(self, value: Any, schema: Schema) -> bool:
        return bool(self._validator.evolve(schema=schema).is_valid(value))


Repair = Iterator[tuple[Any, str]]
"""Values that may be meant, each with how the change is told; empty for "before -> after"."""


def _parsed(value: Any, schema: Schema, wanted: set[str], path: str) -> Repair:
    """A string that is the JSON text of an object or list."""
    if not isinstance(value, str) or not wanted & {"object", "array"}:
        return
    fenced = _FENCED.fullmatch(value)
    text = fenced["inner"] if fenced is not None else value
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict | list):
        kind = "an object" if isinstance(found, dict) else "a list"
        yield found, f"a string with JSON{' in a fence' * (fenced is not None)} -> {kind}"


def _unwrapped(value: Any, schema: Schema, wanted: set[str], path: str) -> Repair:
    """The only item of a list where one value is wanted."""
    if isinstance(value, list) and len(cast("list[Any]", value)) == 1:
        yield value[0], "a list of one -> its item"


def _number(value: Any, schema: Schema, wanted: set[str], path: str) -> Repair:
    """A number in a string, a page as people write it, a truth value in words."""
    if not isinstance(value, str):
        return
    text = value.strip()
    if wanted & {"integer", "number"} and _INTEGER.fullmatch(text):
        yield int(text), ""
    elif "number" in wanted and _NUMBER.fullmatch(text):
        yield float(text), ""
    elif "integer" in wanted and _is_page(path) and (page := _PAGE.fullmatch(text)):
        yield int(page["page"]), ""
    elif "boolean" in wanted and text.casefold() in ("true", "false"):
        yield text.casefold() == "true", ""
    elif "null" in wanted and text.casefold() in ("null", "none"):
        yield None, ""


def _text(value: Any, schema: Schema, wanted: set[str], path: str) -> Repair:
    """A whole number where a text is wanted. A fraction may have lost digits (1.70 arrives as 1.7)."""
    if "string" in wanted and isinstance(value, int) and not isinstance(value, bool):
        yield str(value), ""


_REPAIRS: tuple[Callable[[Any, Schema, set[str], str], Repair], ...] = (_number, _text, _parsed)


def _types(schema: Schema) -> set[str]:
    given = schema.get("type", [])
    return {given} if isinstance(given, str) else set(given)


def _has_shape(value: Any, schema: Schema) -> bool:
    """Whether it is the object or the list of objects that is wanted, though something inside may be wrong."""
    wanted = _types(schema)
    if isinstance(value, dict):
        return "object" in wanted
    return (
        isinstance(value, list) and "array" in wanted and all(isinstance(one, dict) for one in cast("list[Any]", value))
    )


def _is_any(value: Any, types: set[str]) -> bool:
    validator: Any = Draft202012Validator({"type": sorted(types)})
    return bool(types) and bool(validator.is_valid(value))


def _mapping(value: Any) -> Schema:
    """A schema that is an object; empty for any other (``true``, ``false``, nothing)."""
    return cast("Schema", value) if isinstance(value, Mapping) else {}


def _place_in(name: str, text: str) -> tuple[Place | None, str | None]:
    """The place that a field's text tells: of a page a locator, of a quote one before it, with the quote itself."""
    if _QUOTES.search(name):
        return split_quote(text)
    place = Place.read(text) if _is_page(name) else None
    return (place, None) if place is not None and place.page is not None else (None, None)


def _is_page(path: str) -> bool:
    return path.rpartition(".")[2].casefold().endswith("page")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def bare_locators(value: Any, path: str = "$") -> Iterator[str]:
    """The places of quotes that are a locator and nothing else: the words themselves are wanted there."""
    if isinstance(value, dict):
        for name, held in cast("dict[str, Any]", value).items():
            there = f"{path}.{name}"
            if isinstance(held, str) and _QUOTES.search(name) and LOCATOR.fullmatch(held.strip().strip("[]")):
                yield f"{there}: {held!r} is a locator; write the words that stand there"
            yield from bare_locators(held, there)
    elif isinstance(value, list):
        for number, item in enumerate(cast("list[Any]", value)):
            yield from bare_locators(item, f"{path}[{number}]")
