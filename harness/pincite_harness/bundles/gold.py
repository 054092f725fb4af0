"""Commitments: a salted hash of each task's gold, so that gold shown later can be held against what was scored."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict

from pincite_tasks.task import Task

_SALT_BYTES = 32
"""Bytes of a salt: nobody can try out likely gold against a commitment without it."""


class OpenedGold(BaseModel):
    """What opens a commitment: the salt, and the gold that was scored by."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    salt: str
    gold: Any


def open_gold(tasks: Sequence[tuple[str, Task]]) -> dict[str, OpenedGold]:
    """Gold with a new salt, by ``family/task``; tasks without gold are left out."""
    scored = {f"{family}/{task.task_id}": task.gold for family, task in tasks if task.gold is not None}
    return {name: OpenedGold(salt=secrets.token_hex(_SALT_BYTES), gold=gold) for name, gold in sorted(scored.items())}


def commit(opened: Mapping[str, OpenedGold]) -> dict[str, str]:
    """The commitments, by ``family/task``: SHA-256 over the salt and the gold as JSON with sorted keys."""
    return {name: _commitment(one) for name, one in opened.items()}


def _commitment(opened: OpenedGold) -> str:
    canonical = orjson.dumps(opened.gold, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(bytes.fromhex(opened.salt) + canonical).hexdigest()
