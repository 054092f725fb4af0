"""Row: one entry of the ledger, its canonical content, hash and seal (the format is described in the package)."""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pincite_core.errors import BadInputError

FORMAT = "pincite-ledger-1"
"""Version of contents, hashes and seals."""

NO_ROW = "0" * 64
"""What row 0 has for the hash of the row before it."""

_ID = re.compile(r"c(?P<seq>\d{1,15})-(?P<digits>[0-9a-f]{8})")
_ID_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as it is stored; ``content`` is canonical JSON."""

    seq: int
    previous: str
    hash: str
    content: str
    seal: str = ""

    @property
    def id(self) -> str:
        """The entry's name, ``c17-9f3b2a1c``: its number and the first digits of its hash."""
        return f"c{self.seq}-{self.hash[:_ID_DIGITS]}"

    def read(self) -> dict[str, Any]:
        """The content as a dict."""
        return cast("dict[str, Any]", json.loads(self.content))


def make_row(content: Mapping[str, Any], previous: str, key: bytes | None) -> Row:
    """The row of ``content``, which has its ``seq``, after the row with the hash ``previous``; sealed with ``key``."""
    text = canonical(content)
    digest = chain(previous, text)
    return Row(content["seq"], previous, digest, text, seal_row(digest, key))


def true_row(row: Row, key: bytes | None) -> Row:
    """``row`` with the hash that its content has after the row it names, and the seal of that."""
    digest = chain(row.previous, row.content)
    return Row(row.seq, row.previous, digest, row.content, seal_row(digest, key))


def canonical(content: Mapping[str, Any]) -> str:
    """RFC 8785 JSON of texts, whole numbers, truth values, None, lists and dicts with ASCII keys."""
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadInputError("The claim holds half a character (a lone surrogate).", next="Copy it again.") from error
    return text


def read_canonical(text: str) -> dict[str, Any] | None:
    """The JSON object in ``text``, None where that is anything else or not in canonical form."""
    try:
        content = json.loads(text)
        if isinstance(content, dict) and canonical(cast("dict[str, Any]", content)) == text:
            return cast("dict[str, Any]", content)
    except (ValueError, RecursionError, BadInputError):
        pass
    return None


def chain(previous: str, content: str) -> str:
    """The hash of a row with this content after the row with the hash ``previous``."""
    return hashlib.sha256(f"{FORMAT}\n{previous}\n{content}".encode()).hexdigest()


def seal_row(digest: str, key: bytes | None) -> str:
    """The seal of the row with this hash, "" without a key."""
    return _seal(f"{FORMAT} row\n{digest}", key)


def seal_head(ledger: str, count: int, digest: str, key: bytes | None) -> str:
    """The seal of a head record, "" without a key."""
    return _seal(f"{FORMAT} head\n{ledger}\n{count}\n{digest}", key)


def read_id(text: str) -> tuple[int, str]:
    """The number and the first digits of the hash in an entry's name; BadInputError for anything else."""
    match = _ID.fullmatch(text.strip())
    if match is None:
        raise BadInputError(
            f"{text[:60]!r} is not the id of a claim.", next="Copy an id that record_claim returned, as c17-9f3b2a1c."
        )
    return int(match["seq"]), match["digits"]


def _seal(text: str, key: bytes | None) -> str:
    return "" if key is None else hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
