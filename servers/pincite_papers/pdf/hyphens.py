"""Hyphens at line ends: joined, or kept where the paper elsewhere writes the compound."""

import re
from collections import Counter
from collections.abc import Iterable

from pincite_papers.pdf.elements import Line
from pincite_papers.pdf.scriptcodes import LAST_SPACED

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ASIAN = "\u3040-\u30ff\u3400-\u9fff"
_PARTED = re.compile(rf"[{_ASIAN}] [A-Za-z0-9]|[A-Za-z0-9] [{_ASIAN}]")
_CLOSED = re.compile(rf"[{_ASIAN}][A-Za-z0-9]|[A-Za-z0-9][{_ASIAN}]")
_UNSPACED = re.compile(f"[^\x00-{LAST_SPACED}]")
_TAIL = re.compile(r"(?:[^\W_]+-)*[^\W_]+$")
_HEAD = re.compile(r"^[^\W_]+(?:-[^\W_]+)*")
_KEEPING = frozenset(
    ("self", "well", "high", "low", "long", "short", "one", "two", "three", "four", "cross", "half", "so", "ill", "all")
)

_SMALL_WORDS = frozenset(("a", "and", "by", "for", "in", "of", "on", "per", "the", "to", "up"))
_ENDINGS = frozenset(
    ("able", "ible", "ment", "ments", "ness", "less", "ful", "ship", "hood", "ward", "wards", "ing", "ings", "age")
)
_SUFFIX = re.compile(
    r"(?:[aeiouy]|[bcdfglmnprstv]?(?:at|it|iz|is|al|ic|if|ol|og|ion|able|ment|ness)|ship|hood|graph|metr|scop)"
)
_KEPT = frozenset(
    {
        *("based", "dependent", "independent", "like", "free", "specific", "related", "induced", "driven", "level"),
        *("type", "scale", "order", "term", "speaking", "oriented", "rich", "poor", "doped", "mediated", "assisted"),
        *("resolved", "containing", "shaped", "sized", "wide", "linked", "coupled", "neutral"),
    }
)


class Hyphenation:
    """The words of a paper, by which a hyphen at a line's end is judged."""

    def __init__(self, lines: Iterable[Line]) -> None:
        texts: list[str] = []
        cut = False
        for line in lines:
            words = [word.text for word in line.words]
            if cut and words:
                words[0] = ""
            cut = bool(words) and words[-1].endswith("-")
            if cut:
                words[-1] = ""
            texts += words
            texts.append("\n")
        whole = " ".join(texts)
        self._words = Counter(_WORD.findall(whole.casefold()))
        asian = _UNSPACED.search(whole) is not None
        self._balance = len(_PARTED.findall(whole)) - len(_CLOSED.findall(whole)) if asian else 0
        self._parts = {part for word in self._words if "-" in word for part in word.split("-") if len(part) > 3}

    @property
    def spaced(self) -> bool:
        """Whether the paper puts spaces between Chinese or Japanese characters and letters or digits beside them."""
        return self._balance > 0

    def keeps(self, before: str, after: str) -> bool:
        """Whether the hyphen at the end of ``before`` stays when ``after``, the next line's first word, follows it."""
        tail, head = _TAIL.search(before[:-1]), _HEAD.match(after)
        if tail is None or head is None:
            return True
        left, right = tail.group().casefold(), head.group().casefold()
        if not head.group()[0].islower() or not tail.group()[-1].isalpha() or tail.group()[-1].isupper():
            return True
        whole, compound = self._words[left + right], self._words[f"{left}-{right}"]
        if whole or compound:
            return compound > whole
        last = left.rpartition("-")[2]
        if right.partition("-")[0] in _ENDINGS:
            return False
        if last in _KEEPING or (last in _SMALL_WORDS and last != left):
            return True
        if right.partition("-")[0] in _KEPT and self._words[last]:
            return True
        first = right.partition("-")[0]
        if self._known(last) and self._known(first) and len(last) > 2 and len(right) > 2:
            return True
        if last != left:
            return self._known(last) and len(last) > 3
        return len(left) > 4 and len(first) > 6 and self._words[left] > 1 and not _SUFFIX.match(first)

    def _known(self, word: str) -> bool:
        """Whether the paper has a word, by itself or as a part of a compound."""
        return self._words[word] > 0 or word in self._parts
