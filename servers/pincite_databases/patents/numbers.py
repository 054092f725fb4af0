"""Publication numbers of patents."""

import re
from dataclasses import dataclass

from pincite_core.errors import BadInputError

_NUMBER = re.compile(r"([A-Z]{2})\s*[-./]?\s*((?:\d[\d\s,./-]*\d|\d))\s*[-./]?\s*([A-Z]\d?)?")
_URL = re.compile(r"https?://patents\.google\.com/patent/([A-Z0-9]+)(?:/.*)?", re.IGNORECASE)
_MOST_CHARS = 120
"""Characters of a text that is read as a publication number; real ones have under 20."""


@dataclass(frozen=True, slots=True)
class PatentNumber:
    """Country or office (two letters), the digits, and the kind ("A1", "B2") where it is given."""

    country: str
    digits: str
    kind: str = ""

    def __str__(self) -> str:
        return f"{self.country}{self.digits}{self.kind}"


def parse_number(text: str) -> PatentNumber:
    """The number in any usual spelling ("US 7,654,321 B2", "EP1000000A1", "WO 2019/123456 A1"); BadInputError else."""
    cleaned = text.strip()[:_MOST_CHARS]
    address = _URL.fullmatch(cleaned)
    match = _NUMBER.fullmatch((address[1] if address else cleaned).upper())
    digits = re.sub(r"\D", "", match[2]) if match else ""
    if match is None or not 3 <= len(digits) <= 15:
        raise BadInputError(
            f"{text[:60]!r} is not a publication number of a patent.",
            next='Give office, number and kind, as "US7654321B2", "EP1000000A1" or "WO2019123456A1".',
        )
    return PatentNumber(match[1], digits, match[3] or "")
