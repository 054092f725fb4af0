"""Transitions that a name tells by the phases on both sides: ``Pnma-Cmcm transition``, ``cubic to tetragonal``."""

import re

from pincite_materials.symmetry import space_group_number
from pincite_materials.text import plain

_BETWEEN = re.compile(
    r"(?<!\w)(?P<one>[A-Za-z][\w/-]*?)\s*(?:-|/|→|->|\bto\b)\s*(?P<other>[A-Za-z][\w/-]*)"
    r"(?=\s+(?:(?:structural|phase)\s+)*(?:transition|transformation)\b)"
)


def transition_named(text: str) -> str:
    """A name with ``structural`` in the place of two space groups that a transition leads between."""
    found = _BETWEEN.search(plain(text))
    if found is None:
        return text
    printed = plain(text)
    if all(space_group_number(found[side]) is not None for side in ("one", "other")):
        named = f"{printed[: found.start()]}structural{printed[found.end() :]}"
        return named.replace("structural structural", "structural")
    return text
