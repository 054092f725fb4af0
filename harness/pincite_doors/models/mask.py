"""Mask: the provider's key never comes back through the door, should its provider repeat it."""


class Mask:
    """Replaces a key by as many stars in a stream, where it may lie across pieces; nothing else is held back."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._held = b""

    def feed(self, piece: bytes) -> bytes:
        """What can be passed on now; an end that may be the beginning of the key waits for the next piece."""
        if not self._key:
            return piece
        data = self.clean(self._held + piece)
        held = self._beginning(data)
        self._held = data[len(data) - held :]
        return data[: len(data) - held]

    def rest(self) -> bytes:
        """What was held back, at the end of the stream."""
        rest, self._held = self._held, b""
        return rest

    def clean(self, data: bytes) -> bytes:
        """``data`` without the key."""
        return data.replace(self._key, b"*" * len(self._key)) if self._key else data

    def _beginning(self, data: bytes) -> int:
        """How many of the last bytes may be the beginning of the key."""
        start = max(0, len(data) - len(self._key) + 1)
        while (start := data.find(self._key[:1], start)) != -1:
            if self._key.startswith(data[start:]):
                return len(data) - start
            start += 1
        return 0
