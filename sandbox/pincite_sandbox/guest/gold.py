"""Looking for gold answers from inside."""

from __future__ import annotations

import os
from collections.abc import Iterable

_NAMES = ("gold.json", "gold.jsonl")
_ELSEWHERE = ("//proc", "//sys", "//dev")


def is_gold(name: str, beside: Iterable[str]) -> bool:
    """Whether a file of this name, with these beside it, holds gold: by name, or as a task family's records."""
    return name in _NAMES or (name == "records.jsonl" and "family.toml" in beside)


def gold_files(root: str = "/") -> list[str]:
    """The gold files that this process sees below ``root``."""
    found: list[str] = []
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if f"{folder}/{name}" not in _ELSEWHERE]
        found += [f"{folder}/{name}" for name in files if is_gold(name, files)]
    return found
