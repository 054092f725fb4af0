"""How much the scratch folders hold, and whether they were seen full."""

from __future__ import annotations

import asyncio
import os

_LOOK_SECONDS = 0.1
"""Seconds between looks at the scratch folders. Set by judgement."""


class Scratch:
    """Looks at the folders from time to time: a command that met a full one may have cleared it before it ended."""

    def __init__(self, folders: list[str]) -> None:
        self.folders = folders
        self.full = 0
        """How many looks have found a folder without room or without another file."""

    async def watch(self) -> None:
        """Look until cancelled."""
        while self.folders:
            self.look()
            await asyncio.sleep(_LOOK_SECONDS)

    def look(self) -> dict[str, float | None]:
        """Size of the first folder in bytes (None: there is none to look at), and how often one was seen full."""
        states = [os.statvfs(folder) for folder in self.folders]
        self.full += any(state.f_bavail == 0 or state.f_favail == 0 for state in states)
        return {"scratch": states[0].f_blocks * states[0].f_frsize if states else None, "full": self.full}
