"""The arguments that tools share: their types, limits and what the model is told of them."""

from typing import Annotated

from pydantic import Field

Cursor = Annotated[str, Field(description="next_cursor of the last page")]
MaxChars = Annotated[int, Field(ge=1000, le=50_000)]
Limit = Annotated[int, Field(ge=1, le=100)]
