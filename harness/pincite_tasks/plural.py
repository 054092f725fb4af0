"""Plural: how many there are of something, in words."""


def plural(count: int, word: str) -> str:
    """``1 trial``, ``15 trials``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
