"""Quotations of a report: what stands in quotation marks or is set off, and is long enough to be a quote."""

import re
from collections.abc import Iterator

from pincite_provenance.audit.text import ReportText, TextBlock

FEWEST_WORDS = 3
"""Words from which on words in quotation marks are taken for a quote: fewer are a term or irony."""
_FEWEST_CHARS = 12
_FEWEST_WORDS_SINGLE = 5
"""The same within single quotation marks, which are apostrophes too."""
_LONGEST = 4000
_PAIRS = re.compile(
    r"“(?P<curly>[^“”]{1,4000})”|„(?P<low>[^„“”]{1,4000})[“”]|«(?P<angle>[^«»]{1,4000})»"
    r"|(?:(?<=[\s(\[—–:])|^)\"(?P<straight>[^\"]{1,4000})\"(?!\w)"
    r"|(?:(?<=[\s(\[—–:])|^)‘(?P<single>[^‘]{1,4000}?)’(?!\w)"
)
_ATTRIBUTION = re.compile(
    r"\n\s*(?:[—–]|--)\s*\S[^\n]{0,200}\s*$|\s*\[[^\[\]]{1,40}\]\s*$|\s+\([^()]{4,80}\d{4}[^()]{0,20}\)\s*$"
)


def find_quotations(report: ReportText) -> Iterator[tuple[int, int]]:
    """The spans of the quoted words in the plain text, in order, without their marks."""
    for block in report.blocks:
        if block.kind == "heading":
            continue
        inside = list(_in_marks(report.text, block))
        if block.kind == "quotation" and not inside:
            whole = _set_off(report.text, block)
            inside = [whole] if whole is not None else []
        yield from inside


def _in_marks(text: str, block: TextBlock) -> Iterator[tuple[int, int]]:
    for match in _PAIRS.finditer(text[block.start : block.end]):
        kind = match.lastgroup or "curly"
        words = match[kind]
        fewest = _FEWEST_WORDS_SINGLE if kind == "single" else FEWEST_WORDS
        if len(words.split()) >= fewest and len(words) >= _FEWEST_CHARS:
            yield block.start + match.start(kind), block.start + match.end(kind)


def _set_off(text: str, block: TextBlock) -> tuple[int, int] | None:
    """The words of a block quotation without what says whose they are."""
    words = text[block.start : block.end].rstrip()
    while (behind := _ATTRIBUTION.search(words)) is not None:
        words = words[: behind.start()].rstrip()
    if len(words.split()) < FEWEST_WORDS or len(words) > _LONGEST:
        return None
    return block.start, block.start + len(words)
