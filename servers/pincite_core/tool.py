"""Tools of a pincite server: closed flat arguments, hand-made results, errors that a model can act on."""

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

import orjson
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.context_injection import find_context_parameter
from mcp.server.mcpserver.utilities.func_metadata import func_metadata
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ClientCapabilities, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from pincite_core.client_roots import InputNeededError
from pincite_core.errors import BadInputError, PinciteError
from pincite_core.json_fields import one_or_more
from pincite_core.shapes import UnknownShapeError, schema_of

logger = logging.getLogger(__name__)

Offered = Callable[[ClientCapabilities | None], bool]
"""Whether a tool can work at all for a client with these capabilities (None where it declared none)."""

READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class PinciteTool(Tool):
    """A tool whose every failure is an ``isError`` result with a text of its own."""

    offered: Offered | None = Field(default=None, exclude=True)
    """Whether it is listed; always, where this is None. One that is not may still be called, and says why it cannot."""

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """The ``CallToolResult`` of one call; MCPError alone is raised, being a protocol error."""
        try:
            values = self._validated(arguments)
            if self.context_kwarg is not None:
                values[self.context_kwarg] = context
            return to_result(await self.fn_metadata.call_fn(self.fn, self.is_async, values))
        except PinciteError as error:
            return error_result(str(error))
        except InputNeededError as needed:
            return needed.result
        except MCPError:
            raise
        except Exception:
            logger.exception("The tool %s failed", self.name)
            return error_result(
                f"{self.name} failed because of a bug in pincite, not because of the call.\n"
                "Next: try other arguments, or report it with the server's log (stderr)."
            )

    def _validated(self, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            return self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            texts = _numbers_as_text(error)
            if not texts:
                raise self._argument_error(error) from error
        try:
            return self.fn_metadata.validate_arguments(arguments | texts)
        except ValidationError as error:
            raise self._argument_error(error) from error

    def _argument_error(self, error: ValidationError) -> BadInputError:
        problems: list[str] = []
        for problem in error.errors(include_url=False, include_context=False):
            name = ".".join(str(part) for part in problem["loc"])
            kind, given = problem["type"], repr(problem["input"])[:60]
            if kind == "extra_forbidden":
                problems.append(f"{name!r} is not an argument")
            elif kind == "missing":
                problems.append(f"{name!r} is missing")
            else:
                problems.append(f"{name!r} was {given}: {problem['msg']}")
        required = self.parameters.get("required", [])
        known = [f"{name} (required)" if name in required else name for name in self.parameters["properties"]]
        return BadInputError(
            f"{self.name} cannot be called with these arguments.",
            seen="; ".join(problems),
            next=f"{self.name} takes {', '.join(known)}.",
        )


def make_tool(
    function: Callable[..., Any],
    *,
    title: str,
    output: type[Any] | None = None,
    annotations: ToolAnnotations = READ_ONLY,
    offered: Offered | None = None,
) -> PinciteTool:
    """A tool named like ``function``, described by its docstring, with arguments after its signature.

    A tool with ``output`` (a TypedDict) returns such a dict: it goes out as structured content and as the same JSON in
    text. A tool without returns a string: it goes out as text alone. ``offered`` says for which clients it is listed:
    a tool that cannot work (no model to ask, no engine set up) only misleads a model.
    """
    calling = find_context_parameter(function)
    metadata = func_metadata(function, skip_names=[calling] if calling else [], structured_output=False)

    class Arguments(metadata.arg_model, extra="forbid"):
        pass

    metadata.arg_model = Arguments
    if output is not None:
        metadata.output_schema = flat_schema(output)
    return PinciteTool(
        fn=function,
        name=function.__name__,
        title=title,
        description=" ".join(inspect.cleandoc(function.__doc__ or "").split()),
        parameters=_shown_to_models(flat_schema(Arguments)),
        fn_metadata=metadata,
        is_async=inspect.iscoroutinefunction(function),
        context_kwarg=calling,
        annotations=annotations,
        offered=offered,
    )


_NOT_SHOWN = ("minimum", "minLength", "maxLength", "pattern", "minItems")
"""Bounds that a model keeps without being told; a value beyond them is refused with the reason."""


def _shown_to_models(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of arguments without what each model pays for and none needs: lower bounds, lengths, and defaults
    that say nothing ("" and false)."""
    properties = cast("dict[str, dict[str, Any]]", schema.get("properties", {}))
    return {**schema, "properties": {name: _slim(argument) for name, argument in properties.items()}}


def _slim(argument: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in argument.items() if key not in _NOT_SHOWN}
    default = kept.get("default")
    if default == "" or default is False:
        del kept["default"]
    if isinstance(kept.get("items"), dict):
        kept["items"] = _slim(kept["items"])
    return kept


def bind(function: Callable[..., Awaitable[Any]], first: object) -> Callable[..., Awaitable[Any]]:
    """The coroutine function ``function`` with ``first`` as its first argument: a tool without that parameter."""

    async def call(**arguments: Any) -> Any:
        return await function(first, **arguments)

    signature = inspect.signature(function, eval_str=True)
    own = list(signature.parameters.values())[1:]
    made = cast("Any", call)
    made.__name__, made.__doc__ = function.__name__, function.__doc__
    made.__signature__ = signature.replace(
        parameters=[parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    )
    made.__annotations__ = {parameter.name: parameter.annotation for parameter in own}
    return made


def flat_schema(shape: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a model or TypedDict, closed, without ``$defs`` and without titles."""
    if issubclass(shape, BaseModel):
        schema = shape.model_json_schema(schema_generator=_ClosedSchema)
    else:
        try:
            return schema_of(shape)
        except UnknownShapeError:
            schema = TypeAdapter(shape).json_schema(schema_generator=_ClosedSchema)
    definitions = schema.pop("$defs", {})
    return _inline(schema, definitions)


def to_result(
    value: str | dict[str, Any] | CallToolResult | InputRequiredResult,
) -> CallToolResult | InputRequiredResult:
    """A result: text alone for a string; structured content and the same JSON as text for a dict; a result as it is."""
    if isinstance(value, CallToolResult | InputRequiredResult):
        return value
    if isinstance(value, str):
        return CallToolResult(content=[TextContent(text=value)])
    return CallToolResult(content=[TextContent(text=orjson.dumps(value).decode())], structured_content=value)


def error_result(message: str) -> CallToolResult:
    """A failed call, told to the model as text."""
    return CallToolResult(content=[TextContent(text=message)], is_error=True)


def _numbers_as_text(error: ValidationError) -> dict[str, str]:
    """The arguments that are a number, or a list of numbers, where text is wanted (a page, a table, a box), as text."""
    texts: dict[str, str] = {}
    for problem in error.errors(include_url=False, include_context=False):
        given = problem["input"]
        numbers = one_or_more(given)
        plain = bool(numbers) and all(type(number) in (int, float) for number in numbers)
        if problem["type"] == "string_type" and len(problem["loc"]) == 1 and plain:
            texts[str(problem["loc"][0])] = ",".join(str(number) for number in numbers)
    return texts


class _ClosedSchema(GenerateJsonSchema):
    """Objects take no further properties unless they say so; nothing has a title."""

    def typed_dict_schema(self, schema: Any) -> dict[str, Any]:
        made = super().typed_dict_schema(schema)
        made.setdefault("additionalProperties", False)
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _inline(part: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_inline(item, definitions) for item in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    schema = cast("dict[str, Any]", part)
    if "$ref" in schema:
        return _inline(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    made = {key: _inline(value, definitions) for key, value in schema.items() if key not in ("title", "properties")}
    if "properties" in schema:
        made["properties"] = {name: _inline(item, definitions) for name, item in schema["properties"].items()}
    return made
