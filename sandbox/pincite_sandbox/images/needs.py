"""What an agent needs that its image does not have, and where a layer of the image puts it."""

from dataclasses import dataclass

LAYER_PATH = "/opt/agent/bin"
"""Where the commands of a layer are."""
LAYER_PYTHON = f"{LAYER_PATH}/python"
"""The interpreter that has a layer's libraries."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What an agent needs beside its files: ``requirements`` is the text of a requirements.txt, ``npm`` names packages
    with their versions (``NAME@VERSION``)."""

    requirements: str = ""
    npm: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.requirements.strip() or self.npm)
