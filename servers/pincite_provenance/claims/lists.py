"""Lists of names in a sentence, for numbers that are given in the same order."""

import re

from pincite_provenance.claims.words import read_words

_ITEM_END = re.compile(r",\s*(?:and|or)\b|,|\band\b|\bor\b|\bversus\b|\bvs\b\.?|\bthan\b|\bcompared (?:with|to)\b|/|&")
_LONGEST_ITEM = 90


def brackets_of(text: str) -> list[tuple[int, int]]:
    """The outermost brackets, closed ones only."""
    found: list[tuple[int, int]] = []
    depth, start = 0, 0
    for match in re.finditer(r"[()\[\]]", text):
        if match[0] in "([":
            depth += 1
            start = match.start() if depth == 1 else start
        elif depth:
            depth -= 1
            if not depth:
                found.append((start, match.end()))
    return found


def name_lists(text: str, low: int, high: int, count: int) -> list[tuple[tuple[tuple[int, int], ...], str]]:
    """Lists of ``count`` names in ``text[low:high]``: each item's own part, and the last connective."""
    if high <= low:
        return []
    brackets = brackets_of(text)
    for start, end in brackets:
        text = text[:start] + " " * (end - start) + text[end:]
    ends = [
        match
        for match in _ITEM_END.finditer(text, low, high)
        if not any(start < match.start() < end for start, end in brackets)
    ]
    found: list[tuple[tuple[tuple[int, int], ...], str]] = []
    for first in range(len(ends) - count + 2):
        cuts = ends[first : first + count - 1]
        if len(cuts) < count - 1 or cuts[-1][0].strip() in (",", "/"):
            continue
        before = ends[first - 1].end() if first else low
        behind = ends[first + count - 1].start() if first + count - 1 < len(ends) else high
        bounds = [before, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), behind]
        items = [*zip(*bounds, strict=True)]
        if any(end - start > _LONGEST_ITEM or not text[start:end].strip() for start, end in items[1:-1]):
            continue
        head, tail = _last_name(text, *items[0]), _first_name(text, *items[-1])
        if head is None or tail is None:
            continue
        found.append(((head, *items[1:-1], tail), cuts[-1][0].strip(" ,")))
    return found


def _last_name(text: str, low: int, high: int) -> tuple[int, int] | None:
    """The last word of a range, with the names (not common words) directly before it."""
    words = [w for w in read_words(text[low:high]) if not w.stop]
    if not words:
        return None
    start = len(words) - 1
    while (
        start
        and (words[start - 1].text[:1].isupper() or words[start - 1].end >= words[start].start - 0)
        and (text[low + words[start - 1].end : low + words[start].start].strip(" -") == "")
    ):
        start -= 1
    return low + words[start].start, high


def _first_name(text: str, low: int, high: int) -> tuple[int, int] | None:
    """The first word of a range, with the names directly behind it."""
    words = [w for w in read_words(text[low:high]) if not w.stop]
    if not words:
        return None
    end = 0
    while (
        end + 1 < len(words)
        and (words[end + 1].text[:1].isupper() or words[end + 1].text.isdigit())
        and (text[low + words[end].end : low + words[end + 1].start].strip(" -") == "")
    ):
        end += 1
    return low, low + words[end].end
