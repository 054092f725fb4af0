"""Redactor: keeps secrets out of every file."""

from collections.abc import Iterable

PLACEHOLDER = "[trial token]"
KEY_PLACEHOLDER = "[key]"


class Redactor:
    """Replaces tokens, and a user's keys, in bytes; ``feed`` works on a stream, where one may lie across two chunks."""

    def __init__(self, tokens: Iterable[str], keys: Iterable[str] = ()) -> None:
        marks = dict.fromkeys(keys, KEY_PLACEHOLDER) | dict.fromkeys(tokens, PLACEHOLDER)
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
