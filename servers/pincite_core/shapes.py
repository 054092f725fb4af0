"""The JSON Schema of a TypedDict, read from its annotations: a fraction of the time that building a validator takes."""

import inspect
import types
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin

from typing_extensions import ReadOnly, get_type_hints, is_typeddict

_PLAIN: dict[object, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}
_JSON_TYPES: dict[type[Any], str] = {str: "string", int: "integer", bool: "boolean"}


class UnknownShapeError(Exception):
    """An annotation that is read by pydantic alone."""


def schema_of(shape: type[Any]) -> dict[str, Any]:
    """The schema of a TypedDict, closed, with its docstring, those inside it in place; UnknownShapeError where it holds
    another type than texts, numbers, truth values, None, literals, lists, maps by text, unions and TypedDicts.
    """
    hints = get_type_hints(shape, include_extras=True)
    required: frozenset[str] = shape.__required_keys__
    made: dict[str, Any] = {
        "additionalProperties": False,
        "properties": {name: _schema(_bare(hint)) for name, hint in hints.items()},
        "type": "object",
    }
    if shape.__doc__:
        made["description"] = inspect.cleandoc(shape.__doc__)
    if required:
        made["required"] = [name for name in hints if name in required]
    return made


def _schema(hint: Any) -> dict[str, Any]:
    if is_typeddict(hint):
        return schema_of(hint)
    origin, inside = get_origin(hint), get_args(hint)
    if origin is list and len(inside) == 1:
        return {"items": _schema(inside[0]), "type": "array"}
    if origin is dict and len(inside) == 2 and inside[0] is str:
        return {"additionalProperties": _schema(inside[1]), "type": "object"}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(one) for one in inside]}
    if origin is Literal:
        return _choice(inside)
    if origin is None and isinstance(hint, type) and hint in _PLAIN:
        return dict(_PLAIN[hint])
    raise UnknownShapeError(repr(hint))


def _choice(values: tuple[object, ...]) -> dict[str, Any]:
    kinds = {_JSON_TYPES.get(type(value), "") for value in values}
    if len(kinds) != 1 or kinds == {""}:
        raise UnknownShapeError(repr(values))
    (kind,) = kinds
    return {"const": values[0], "type": kind} if len(values) == 1 else {"enum": list(values), "type": kind}


def _bare(hint: Any) -> Any:
    while get_origin(hint) in (NotRequired, Required, ReadOnly):
        (hint,) = get_args(hint)
    return hint
