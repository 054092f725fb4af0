"""The vocabulary of exact search: every word of the segments with its code, and words by a part of them.

Words are never forgotten or changed, so that a copy in memory stays good: it is brought up to what a connection sees.
"""

import sqlite3
import threading
from collections.abc import Iterable

from pincite_core.recent import Recent
from pincite_library.pieces import Piece

_COPIES = 4
"""Vocabularies in memory, one a library, the latest ones."""
_LETTERS = str.maketrans("0123456789abcdef", "ABCDEFGHIJKLMNOP")

TABLES = (
    # The code is what the index of segments knows the word by: capital letters, which no folded word has.
    "CREATE TABLE IF NOT EXISTS words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, code TEXT NOT NULL)",
    # Names this vocabulary for copies in memory: no other file ever has the same name.
    "CREATE TABLE IF NOT EXISTS vocabulary (name TEXT NOT NULL)",
    "INSERT INTO vocabulary SELECT hex(randomblob(16)) WHERE NOT EXISTS (SELECT 1 FROM vocabulary)",
)


def codes_of(connection: sqlite3.Connection, words: Iterable[str]) -> dict[str, str]:
    """The code of each word; new words get one."""
    codes: dict[str, str] = {}
    fresh: list[str] = []
    for word in dict.fromkeys(words):
        row = connection.execute("SELECT code FROM words WHERE word = ?", (word,)).fetchone()
        if row is None:
            fresh.append(word)
        else:
            codes[word] = row[0]
    if fresh:
        (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM words").fetchone()
        rows = [(number, word, f"{number:x}".translate(_LETTERS)) for number, word in enumerate(fresh, last + 1)]
        connection.executemany("INSERT INTO words VALUES (?, ?, ?)", rows)
        codes.update((word, code) for _, word, code in rows)
    return codes


def codes_for(connection: sqlite3.Connection, piece: Piece, most: int) -> list[str] | None:
    """The codes of the words that ``piece`` can stand for; None where they are more than ``most``."""
    after = _after(piece.text)
    if not piece.starts or (not piece.ends and after is None):
        return Vocabulary.of(connection).codes(piece, most)
    if piece.ends:
        rows = connection.execute("SELECT code FROM words WHERE word = ?", (piece.text,))
    else:
        rows = connection.execute(
            "SELECT code FROM words WHERE word >= ? AND word < ? LIMIT ?", (piece.text, after, most + 1)
        )
    codes = [code for (code,) in rows]
    return codes if len(codes) <= most else None


def _after(text: str) -> str | None:
    """The first text, in the order of code points, behind all that start with this one."""
    following = ord(text[-1]) + 1
    if 0xD800 <= following < 0xE000 or following > 0x10FFFF:
        return None
    return text[:-1] + chr(following)


class Vocabulary:
    """The words that a connection sees, and maybe some of later states, in memory: ``\\nword CODE\\n`` in UTF-8."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._text = b"\n"
        self._last = 0

    @classmethod
    def of(cls, connection: sqlite3.Connection) -> "Vocabulary":
        """The vocabulary of a connection's file, brought up to the state that it sees."""
        (name,) = connection.execute("SELECT name FROM vocabulary").fetchone()
        with _copies_lock:
            copy = _copies.get(name) or cls()
            _copies.put(name, copy)
        copy.bring_up(connection)
        return copy

    def bring_up(self, connection: sqlite3.Connection) -> None:
        """Add the words that are newer than the copy."""
        with self._lock:
            (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM words").fetchone()
            if last > self._last:
                (more,) = connection.execute(
                    "SELECT CAST(group_concat(word || ' ' || code || char(10), '') AS BLOB) FROM words WHERE id > ?",
                    (self._last,),
                ).fetchone()
                self._text += more
                self._last = last

    def codes(self, piece: Piece, most: int) -> list[str] | None:
        """The codes of the words that ``piece`` can stand for; None where they are more than ``most``."""
        wanted = piece.text.encode()
        sought = (b"\n" if piece.starts else b"") + wanted + (b" " if piece.ends else b"")
        text = self._text
        codes: list[str] = []
        at = text.find(sought)
        while at >= 0:
            end = text.index(b"\n", at + 1)
            if len(codes) == most:
                return None
            codes.append(text[text.rindex(b" ", at, end) + 1 : end].decode())
            at = text.find(sought, end)
        return codes


_copies: Recent[str, Vocabulary] = Recent(_COPIES)
_copies_lock = threading.Lock()
