"""Head: the record beside a ledger that says how many rows it has and the hash of the last."""

import hmac
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from pincite_core.durable import sync_folder
from pincite_provenance.ledger.row import FORMAT, Row, seal_head

_MOST_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Head:
    """``count`` rows, the last with ``hash``, in the ledger that names itself ``ledger``."""

    ledger: str
    count: int
    hash: str
    seal: str = ""
    format: str = FORMAT

    @classmethod
    def at(cls, ledger: str, row: Row, key: bytes | None) -> "Head":
        """The head of a ledger that ends with ``row``."""
        return cls(ledger, row.seq + 1, row.hash, seal_head(ledger, row.seq + 1, row.hash, key))

    def is_sealed_with(self, key: bytes) -> bool:
        """Whether the seal is that of this key."""
        return hmac.compare_digest(self.seal.encode(), seal_head(self.ledger, self.count, self.hash, key).encode())


def head_path(ledger: Path) -> Path:
    """The file of the head: beside the ledger, with ``.head`` behind its name."""
    return ledger.with_name(f"{ledger.name}.head")


def read_head(ledger: Path) -> Head | None:
    """The head of the ledger at this path, None where there is no such file; ValueError where it is not a head."""
    try:
        with head_path(ledger).open("rb") as file:
            text = file.read(_MOST_BYTES)
    except FileNotFoundError:
        return None
    content = json.loads(text)
    try:
        head = Head(**cast("dict[str, Any]", content))
    except TypeError as error:
        raise ValueError(f"its fields are not those of a head: {error}") from error
    texts = (content["ledger"], content["hash"], head.seal)
    if head.format != FORMAT or type(content["count"]) is not int or {type(text) for text in texts} != {str}:
        raise ValueError(f"its format is not {FORMAT}")
    return head


def write_head(ledger: Path, head: Head) -> None:
    """Write the head as a whole: a file beside it, flushed to disk, renamed; then the folder is flushed. OSError.

    Only who holds the ledger's write lock may call this: the one name of the file beside it leaves nothing behind.
    """
    path = head_path(ledger)
    beside = path.with_name(f"{path.name}.tmp")
    text = json.dumps(asdict(head), sort_keys=True).encode() + b"\n"
    try:
        with beside.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)
