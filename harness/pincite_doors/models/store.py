"""ModelStore: what models answered servers, kept with the recorded web, so that a trial can be run again on both."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from pincite_tasks.files import write_atomic
from pincite_tasks.web import WebChoice

FOLDER = "models"
"""In the folder of the recorded web."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A good answer as it came: what its content is, and its bytes."""

    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ModelStore:
    """Answers by what was asked. ``reads``: kept ones are given again; ``writes``: new ones are kept; ``asks``: what is
    not kept is asked of the provider."""

    folder: Path
    reads: bool = True
    writes: bool = False
    asks: bool = True

    @classmethod
    def of(cls, web: WebChoice) -> "ModelStore | None":
        """The store of a web that is recorded or replayed; None for a live one."""
        if web.mode == "live" or web.store is None:
            return None
        return cls(Path(web.store) / FOLDER, writes=web.mode == "record", asks=web.mode != "replay")

    def find(self, asked: bytes) -> KeptAnswer | None:
        """The answer that was kept; None where there is none, or where its file is damaged."""
        path = self._path(asked)
        if not self.reads or not path.is_file():
            return None
        try:
            held: Any = orjson.loads(path.read_bytes())
            return KeptAnswer(str(held["content_type"]), str(held["content"]).encode())
        except (orjson.JSONDecodeError, KeyError, TypeError):
            return None

    def keep(self, asked: bytes, answer: KeptAnswer) -> None:
        """Keep an answer whole, or not at all where it is not text; OSError where the disk takes no more."""
        try:
            content = answer.content.decode()
        except UnicodeDecodeError:
            return
        write_atomic(self._path(asked), orjson.dumps({"content_type": answer.content_type, "content": content}))

    def _path(self, asked: bytes) -> Path:
        name = hashlib.sha256(asked).hexdigest()
        return self.folder / name[:2] / f"{name}.json"


def question(provider: str, path: str, body: bytes) -> bytes:
    """What two equal requests have in common, whichever server sends them: provider, path and body."""
    return b"\0".join([provider.encode(), path.encode(), body])
