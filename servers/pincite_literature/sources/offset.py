"""Cursors of sources that count: how many works were given before."""

from pincite_core.errors import BadInputError


def offset_of(cursor: str | None, title: str) -> int:
    """The offset that a cursor is, 0 for None; BadInputError when it is not a number."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise BadInputError(
            f"The cursor {cursor[:40]!r} was not given by {title}.",
            next="Repeat the call that returned it with the same arguments, or leave the cursor out to start again.",
        )
    return int(cursor)
