"""Redactor: keeps secrets out of every file."""

from collections.abc import Iterable

PLACEHOLDER = "[trial token]"
KEY_PLACEHOLDER = "[key]"
_SHORTEST = 8
"""Characters of a value that is taken for a secret: shorter ones stand in ordinary text. Set by judgement."""
_SHORTEST_WORD = 24
"""Longer than any word, and than any number, that records are made of."""


def is_secret(value: str) -> bool:
    """Whether a value can be told from ordinary text: at least 8 characters, 24 where they are letters or
    digits alone.

    Servers of one's own often want some key, such as ``x``, ``EMPTY`` or ``12345678``: to take that out of a record
    would break the record, and nobody is protected by it.
    """
    return len(value) >= (_SHORTEST_WORD if value.isalpha() or value.isdigit() else _SHORTEST)


class Redactor:
    """Replaces tokens, and those of a user's keys that are secrets (see ``is_secret``), in bytes; ``feed`` works on a
    stream, where one may lie across two chunks."""

    def __init__(self, tokens: Iterable[str], keys: Iterable[str] = ()) -> None:
        marks = dict.fromkeys(filter(is_secret, keys), KEY_PLACEHOLDER) | dict.fromkeys(tokens, PLACEHOLDER)
        longest_first = sorted(filter(None, marks), key=len, reverse=True)
        self._secrets = {secret.encode(): marks[secret].encode() for secret in longest_first}
        self._longest = max((len(secret) for secret in self._secrets), default=1)

    def clean(self, data: bytes) -> bytes:
        """``data`` with every secret replaced."""
        for secret, mark in self._secrets.items():
            data = data.replace(secret, mark)
        return data

    def feed(self, held: bytes, chunk: bytes) -> tuple[bytes, bytes]:
        """What can be written now, and what to hold back for the next chunk: an end that may begin a secret."""
        data = self.clean(held + chunk)
        for length in range(min(self._longest - 1, len(data)), 0, -1):
            if any(secret.startswith(data[-length:]) for secret in self._secrets):
                return data[:-length], data[-length:]
        return data, b""
