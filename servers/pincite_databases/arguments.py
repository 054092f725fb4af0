"""The arguments that tools share. So many tools share them that their schemas say no more than the server's
instructions and the error of a wrong value do: what a cursor is, and which limits hold.
"""

from typing import Annotated

from pydantic import AfterValidator


def within(least: int, most: int) -> AfterValidator:
    """A whole number between these bounds, both included; the bounds are not in the schema."""

    def check(value: int) -> int:
        if not least <= value <= most:
            raise ValueError(f"it must be {least} to {most}")
        return value

    return AfterValidator(check)


Cursor = Annotated[str, AfterValidator(str.strip)]
"""``next_cursor`` of the last page."""

MaxChars = Annotated[int, within(1000, 50_000)]
"""Most characters of a result, but one entry at least."""

Limit = Annotated[int, within(1, 100)]
"""Most entries of a page."""
