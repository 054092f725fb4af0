"""Form: how a role's output is asked for, and how it is read in a reply."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from .role import Tags

T = TypeVar("T")
OUTPUT = "answer"
"""The output tool's name."""
_ABOUT = "Your answer."
_MOST_FAULTS = 10
"""Faults of an output that the model reads when it is asked to repair it."""
_CUT = "the reply was cut off at the greatest length; answer shorter"


class Form(Generic[T]):
    """The output of one role: by one forced tool, natively where the model has no other way, or in tags."""

    def __init__(self, output: type[T] | Tags, *, tags: bool = False, native: bool = False) -> None:
        self._model = output if isinstance(output, type) and issubclass(output, BaseModel) else None
        self._tags: tuple[str, ...] = ()
        if isinstance(output, Tags):
            self._tags = tuple(output.names)
        elif self._model is not None and tags:
            self._tags = tuple(self._model.model_fields)
        elif self._model is None and output is not str:
            raise TypeError(f"a role's output is a pydantic model, Tags or str, not {output!r}")
        self._native = native

    @property
    def by_tool(self) -> bool:
        """Whether the output is a call of the output tool."""
        return self._model is not None and not self._tags and not self._native

    @property
    def wish(self) -> str:
        """What the instructions say of the form; nothing where a tool or the API says it."""
        if not self._tags:
            return ""
        lines = [f"<{name}>{self._about(name)}</{name}>" for name in self._tags]
        return "\n".join(["Answer with these tags, each once, and nothing else:", *lines])

    def parameters(self, tools: list[ToolDefinition] | None = None) -> ModelRequestParameters:
        """The request's tools: ``tools`` and the one that takes the output, which is forced where it stands alone."""
        functions = tools or []
        if self._model is None or self._tags:
            return ModelRequestParameters(function_tools=functions)
        schema = self._model.model_json_schema()
        if self._native:
            form = OutputObjectDefinition(json_schema=schema, name=OUTPUT, description=_ABOUT)
            return ModelRequestParameters(function_tools=functions, output_mode="native", output_object=form)
        tool = ToolDefinition(name=OUTPUT, description=_ABOUT, parameters_json_schema=schema, kind="output")
        return ModelRequestParameters(
            function_tools=functions, output_mode="tool", output_tools=[tool], allow_text_output=bool(functions)
        )

    def read(self, response: ModelResponse) -> tuple[T | None, str]:
        """The value and no fault, or no value and what is wrong with the reply."""
        text = response.text or ""
        try:
            if self._tags:
                return self._from_tags(text), ""
            if self._model is None:
                if not text.strip():
                    raise ValueError("the reply is empty")
                return cast("T", text.strip()), ""
            return self._validated(_arguments(response, text)), ""
        except ValidationError as error:
            fault = _told(error)
        except ValueError as error:
            fault = str(error)
        return None, f"{_CUT} ({fault})" if response.finish_reason == "length" else fault

    def _validated(self, value: Any) -> T:
        if self._model is None:
            raise TypeError("only a pydantic output is validated")
        return cast("T", self._model.model_validate(value))

    def _from_tags(self, text: str) -> T:
        found = {name: _tagged(text, name) for name in self._tags}
        optional = set(self._tags) - set(self._required)
        missing = [name for name, value in found.items() if value is None and name not in optional]
        if missing:
            raise ValueError(f"these tags are missing: {', '.join(f'<{name}>' for name in missing)}")
        given = {name: value for name, value in found.items() if value is not None}
        if self._model is None:
            return cast("T", given)
        return self._validated({name: self._typed(name, value) for name, value in given.items()})

    @property
    def _required(self) -> list[str]:
        if self._model is None:
            return list(self._tags)
        return [name for name, field in self._model.model_fields.items() if field.is_required()]

    def _typed(self, name: str, text: str) -> Any:
        """The text of a tag as the field's type: JSON for all but texts."""
        if _is_text(self._property(name)):
            return text
        try:
            return json.loads(text)
        except ValueError:
            return text

    def _about(self, name: str) -> str:
        """What stands between a tag and its end in the wish."""
        if self._model is None:
            return "…"
        held = self._property(name)
        about = str(held.get("description", "")) or "…"
        if _is_text(held):
            return about
        shared = self._model.model_json_schema().get("$defs")
        schema = json.dumps({**held, **({"$defs": shared} if shared and "$ref" in json.dumps(held) else {})})
        return f"{about} (as JSON: {schema})"

    def _property(self, name: str) -> Mapping[str, Any]:
        schema = self._model.model_json_schema() if self._model is not None else {}
        return schema.get("properties", {}).get(name, {})


def _is_text(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "string"


def _tagged(text: str, name: str) -> str | None:
    """The text of the last tag of that name: small models name the tag in their thoughts first."""
    found = re.findall(rf"<{re.escape(name)}>(.*?)</{re.escape(name)}>", text, re.DOTALL | re.IGNORECASE)
    return found[-1].strip() if found else None


def _arguments(response: ModelResponse, text: str) -> Any:
    """The arguments of the output tool, or the JSON that was said in its place."""
    calls = [call for call in response.tool_calls if call.tool_name == OUTPUT]
    if calls:
        return calls[-1].args_as_dict(raise_if_invalid=True)
    found = max(_objects(text), key=lambda held: held[1], default=None)
    if found is None:
        raise ValueError(f"there is no call of {OUTPUT}, and no JSON object in the reply")
    return found[0]


def _objects(text: str) -> Iterator[tuple[Any, int]]:
    """Each JSON object of a text that is not inside another one, with its length."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            yield value, end - at
        at = text.find("{", end)


def _told(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False)
    lines = [f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}" for each in found[:_MOST_FAULTS]]
    more = len(found) - len(lines)
    return "\n".join([*lines, *([f"… and {more} more"] if more else [])])
