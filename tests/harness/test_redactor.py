"""Secrets are kept out of streams however they are cut."""

from pathlib import Path

import orjson
import pytest

from pincite_doors.lines import JsonLines
from pincite_doors.redactor import Redactor

SECRET = "abcab-secret"
TEXT = f"say {SECRET}, {SECRET}{SECRET} and abcab, abc".encode()


def stream(chunks: list[bytes]) -> bytes:
    redactor = Redactor([SECRET])
    written, held = b"", b""
    for chunk in chunks:
        ready, held = redactor.feed(held, chunk)
        assert SECRET.startswith(held.decode()), "no more is held back than may begin a secret"
        written += ready
    return written + held


@pytest.mark.parametrize("size", range(1, len(TEXT) + 1))
def test_every_chunk_size(size: int) -> None:
    chunks = [TEXT[start : start + size] for start in range(0, len(TEXT), size)]
    assert stream(chunks) == b"say [trial token], [trial token][trial token] and abcab, abc"


def test_lines_are_not_held_back() -> None:
    assert Redactor([SECRET]).feed(b"", b"begun\n") == (b"begun\n", b"")


def test_without_secrets_everything_passes() -> None:
    assert Redactor([""]).feed(b"", b"abc") == (b"abc", b"")


@pytest.mark.parametrize("key", ["x", "EMPTY", "response", "23456789"])
def test_a_key_that_is_no_secret_leaves_a_record_whole(tmp_path: Path, key: str) -> None:
    """Servers of one's own take any key: its letters stand in every record."""
    record = {"kind": "response", "seconds": 0.123456789, "text": "six boxes, EMPTY"}
    lines = JsonLines(tmp_path / "llm.jsonl", Redactor([SECRET], [key, "sk-12345"]))
    lines.write(record | {"said": f"sk-12345 {SECRET}"})
    lines.close()
    assert orjson.loads((tmp_path / "llm.jsonl").read_bytes()) == record | {"said": "[key] [trial token]"}
