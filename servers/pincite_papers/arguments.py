"""The arguments that several tools share: their types, limits and what the model is told of them."""

from typing import Annotated

from pydantic import Field

PaperName = Annotated[str, Field(description="Path, URL or 8-digit id")]
Cursor = str
"""``next_cursor`` of the last call with the same arguments: the instructions of each server say so."""
MaxChars = Annotated[int, Field(ge=1000, le=50_000)]
"""Most characters of a result; one entry at least."""
Pages = Annotated[str, Field(description="3, 3-5 or 1,4-6, from 1; empty for all")]
