"""The checksum that UniProt gives for a sequence."""

import functools

_POLYNOMIAL = 0xD800000000000000
"""The generator x^64 + x^4 + x^3 + x + 1 of CRC-64 (ISO 3309), bits reversed, as UniProt uses it."""


def crc64(sequence: str) -> str:
    """CRC-64 of ISO 3309 (x^64 + x^4 + x^3 + x + 1, bits reversed), 16 hexadecimal digits, as in UniProt's files."""
    table = _table()
    crc = 0
    for byte in sequence.encode("ascii"):
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return f"{crc:016X}"


@functools.cache
def _table() -> tuple[int, ...]:
    entries: list[int] = []
    for byte in range(256):
        part = byte
        for _ in range(8):
            part = (part >> 1) ^ (_POLYNOMIAL if part & 1 else 0)
        entries.append(part)
    return tuple(entries)
