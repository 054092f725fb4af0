"""Abbreviations as a paper defines them: ``objective response rate (ORR)``, ``CL: clearance``, ``OS = survival``.

Short and long forms are matched by their letters, after Schwartz and Hearst, "A simple algorithm for identifying
abbreviation definitions in biomedical text", Pac. Symp. Biocomput. 2003.
"""

import re
from collections.abc import Mapping

from pincite_papers.model import Paper
from pincite_papers.passages import PerPaper
from pincite_provenance.claims.reading import clean

_BRACKETED = re.compile(r"\(([A-Za-z][\w./+-]{0,11})(?:\s?[;,][^()]{0,30})?\)")
_REVERSED = re.compile(r"(?<![\w-])([A-Z][\w./+-]{0,11})\s+\(([A-Za-z][^()]{4,70})\)")
_NOTE = re.compile(
    r"(?:^|[.;:,\n*†‡]|\bAbbreviations?\b:?)\s*([A-Za-z][A-Za-z0-9./+-]{0,9})\s*(?:[:=]"
    r"|,\s(?=[a-z]))\s*([A-Za-z][^;:=.()\n]{3,70})(?=[;.\n,]|$)"
)
_NAME = re.compile(r"(?<![\w-])([A-Z][\w/-]*\d[\w/-]*)\s*$")
_MOST_WORDS = 9
_PIECE = 4000


def _long_form(short: str, before: str) -> str:
    """The words at the end of ``before`` that ``short`` abbreviates, "" for none."""
    letters = [c.lower() for c in short if c.isalnum()]
    if len(letters) < 2 or not any(c.isupper() for c in short):
        return ""
    limit = min(len(letters) + 5, 2 * len(letters), _MOST_WORDS + 1)
    words = list(re.finditer(r"\S+", before))[-limit:]
    if not words:
        return ""
    text = before[words[0].start() :]
    lowered = text.lower()
    at = len(text)
    for number in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and (lowered[at] != letters[number] or (number == 0 and at > 0 and lowered[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return ""
    long = text[at:].strip(" ,;(")
    return long if len(long) > len(short) + 2 else ""


def _read(paper: Paper) -> Mapping[str, str]:
    text = paper.text
    found: dict[str, str] = {}
    for match in _BRACKETED.finditer(text):
        short = match[1].rstrip(".")
        singular = short[:-1] if len(short) > 2 and short.endswith("s") and short[:-1].isupper() else short
        long = _long_form(singular, text[max(match.start() - 110, 0) : match.start()].rpartition("\n")[2].rstrip())
        if long and long.count("(") == long.count(")"):
            found.setdefault(singular, clean(long))
            continue
        before = _NAME.search(text, max(match.start() - 25, 0), match.start())
        if before is not None and _letters_in(singular, before[1], first=False):
            found.setdefault(singular, clean(before[1]))
    for match in _REVERSED.finditer(text):
        short, long = match[1], match[2].split(";")[0].split(",")[0].strip()
        if _long_form(short, long) and len(long.split()) <= _MOST_WORDS:
            found.setdefault(short, clean(long))
    for low in range(0, len(text), _PIECE):
        for match in _NOTE.finditer(text, low, min(low + _PIECE + 100, len(text))):
            short, long = match[1], match[2].strip()
            named = _long_form(short, long) or ((":" in match[0] or "=" in match[0]) and _letters_in(short, long))
            if any(c.isupper() for c in short) and len(short) > 1 and named and len(long.split()) <= _MOST_WORDS:
                found.setdefault(short, clean(long))
    return found


def _letters_in(short: str, long: str, *, first: bool = True) -> bool:
    """Whether the letters of ``short`` stand in ``long`` in order, the first one ``first``."""
    letters = [c for c in short.lower() if c.isalnum()]
    rest = iter(long.lower())
    return bool(letters) and (not first or long[:1].lower() == letters[0]) and all(letter in rest for letter in letters)


abbreviations_of = PerPaper(_read)
"""Short forms of a paper with their long forms, in the spelling of ``reading.clean``."""
