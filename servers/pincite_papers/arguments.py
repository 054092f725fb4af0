"""The arguments that several tools share: their types, limits and what the model is told of them."""

from typing import Annotated

from pydantic import Field

PaperName = Annotated[
    str,
    Field(
        description="Path of a PDF, JATS XML, LaTeX source (.tex, .tar.gz) or HTML page, its URL where allowed, "
        "or its id (8 digits of a locator)"
    ),
]
Cursor = Annotated[str, Field(description="next_cursor of the last call with the same arguments, to go on")]
MaxChars = Annotated[int, Field(ge=1000, le=50_000, description="Most characters of the result (one entry at least)")]
Pages = Annotated[str, Field(description="Pages of the file, from 1: 3, 3-5 or 1,4-6; empty for all or where none are")]
