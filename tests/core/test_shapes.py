"""The schema read from a TypedDict is the one that pydantic makes of it."""

from datetime import date
from typing import Annotated, Any, Literal, NotRequired, Optional

import pytest
from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from pincite_core.shapes import UnknownShapeError, schema_of
from pincite_core.tool import _ClosedSchema, _inline, flat_schema  # pyright: ignore[reportPrivateUsage]


class Inner(TypedDict):
    """A thing inside.

    It has a second paragraph.
    """

    title: str
    value: NotRequired[float]


class Bare(TypedDict, total=False):
    flag: bool


class Outer(Bare):
    """Everything that results hold."""

    name: str
    count: int | None
    older: Optional[str]  # noqa: UP045
    inner: Inner
    listed: NotRequired[list[Inner]]
    nested: list[list[float]]
    counts: dict[str, int]
    by_name: dict[str, list[Inner]]
    either: str | int | Inner
    kind: Literal["a", "b"]
    one: Literal["only"]
    number: Literal[1, 2]
    anything: Any
    nothing: None


class Empty(TypedDict):
    pass


@pytest.mark.parametrize("shape", [Inner, Bare, Outer, Empty])
def test_the_schema_is_pydantics(shape: type[Any]) -> None:
    made = TypeAdapter(shape).json_schema(schema_generator=_ClosedSchema)
    definitions = made.pop("$defs", {})
    assert schema_of(shape) == _inline(made, definitions) == flat_schema(shape)


class Dated(TypedDict):
    day: date


class Bounded(TypedDict):
    page: Annotated[int, Field(ge=1)]


class Mixed(TypedDict):
    kind: Literal["a", 1]


class Numbered(TypedDict):
    by_number: dict[int, str]


@pytest.mark.parametrize("shape", [Dated, Bounded, Mixed, Numbered])
def test_what_it_does_not_know_is_left_to_pydantic(shape: type[Any]) -> None:
    with pytest.raises(UnknownShapeError):
        schema_of(shape)
    assert flat_schema(shape)["properties"]
