"""Faults of an expression: what is wrong, where, and what to write instead."""

from pincite_core.errors import BadInputError

_AROUND = 40
"""Characters shown on each side of a fault."""


def fault(text: str, at: int, what: str, write: str) -> BadInputError:
    """The error for what begins at character ``at`` (from 0) of an expression."""
    before = text[max(at - _AROUND, 0) : at]
    return BadInputError(
        f"At character {at + 1}: {what}.", seen=f"{before}⟨here⟩{text[at : at + _AROUND]}", next=f"{write}."
    )
