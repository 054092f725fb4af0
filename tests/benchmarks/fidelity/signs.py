"""Compare every token that holds a digit or an operator with the publisher's XML: which are wrong, which are marked.

python tests/benchmarks/fidelity/signs.py [--folder DIR] [--paper PART] [--show N]
"""

import argparse
import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from load import load_truth
from pairs import SETS, find_pairs, twin_of
from rapidfuzz.distance import Levenshtein
from truth import Truth

from pincite_papers.model import BlockKind, Paper
from pincite_papers.pdf.parse import parse_pdf

_PART = re.compile(r"[^\W\d_]+|\d+|\S")
_CONTEXT = 3
"""Parts that must agree on both sides of a difference, so that it is a misread sign and no missing sentence."""
_LONGEST = 6
"""Parts on either side of a difference: a longer one is a formula or a float set elsewhere, which others measure."""
_FOLDED = {
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"), **dict.fromkeys("‘’‚‛′`´ʼ", "'"), **dict.fromkeys("“”„‟″", "'"),
    **dict.fromkeys("⩾≧", "≥"), **dict.fromkeys("⩽≦", "≤"), **dict.fromkeys("∼˜～", "~"), **dict.fromkeys("˚º", "°"),
    **dict.fromkeys("∙·⋅•", "·"), "∗": "*", "∆": "Δ", "µ": "μ", "ϕ": "φ", "ɸ": "φ", "ε": "ϵ", "∕": "/", "∣": "|",
    "〈": "⟨", "〉": "⟩", "˂": "<", "˃": ">", "\u00a0": " ",
}  # fmt: skip
_DROPPED = frozenset("^_{}\u200b\u200c\u200d\u2060\ufeff\u00ad\u2009\u200a\u2061\u2062\u2063")


@dataclass(slots=True)
class Parts:
    """A text cut into words, numbers and single signs, folded; ``starts`` and ``ends`` are places in the text."""

    texts: list[str] = field(default_factory=list[str])
    starts: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class Count:
    """Tokens of the XML with a sign, the wrong ones of the Paper, how many have a mark; marked tokens, and right ones.

    ``silent`` are the wrong tokens without a mark, ``needless`` the right ones with one, each with what is around.
    """

    tokens: int = 0
    wrong: int = 0
    caught: int = 0
    marked: int = 0
    right: int = 0
    silent: list[str] = field(default_factory=list[str])
    needless: list[str] = field(default_factory=list[str])

    def add(self, other: "Count") -> None:
        """Take in the counts of another text."""
        self.tokens, self.wrong, self.caught = (
            self.tokens + other.tokens,
            self.wrong + other.wrong,
            self.caught + other.caught,
        )
        self.marked, self.right = self.marked + other.marked, self.right + other.right
        self.silent += other.silent
        self.needless += other.needless


def main() -> int:
    """Print a line a paper and the tokens that are wrong and silent; 1 when no pair was found."""
    arguments = _arguments()
    total = Count()
    pairs = list(_pairs(arguments.folder))
    print(f"{'paper':24} {'tokens':>7} {'wrong':>6} {'marked':>7} {'all marked':>11} {'of these right':>15}")
    for pdf, xml in pairs:
        if arguments.paper and arguments.paper not in pdf.name:
            continue
        count = compare(load_truth(xml), parse_pdf(pdf.read_bytes(), max_pages=1000))
        _print(pdf.stem, count)
        for kind, shown in (("silent", count.silent), ("needless", count.needless)):
            for line in shown[: arguments.show]:
                print(f"    {kind}: {line}")
        total.add(count)
    _print("total", total)
    print(
        f"recall of the marks {_share(total.caught, total.wrong)}, needless marks {_share(total.right, total.marked)}"
    )
    return 0 if pairs else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, help="a folder of PDFs with their XML beside them, instead of the sets")
    parser.add_argument("--paper", help="only papers whose file name holds this")
    parser.add_argument("--show", type=int, default=8, help="how many wrong tokens of each kind to name a paper")
    return parser.parse_args()


def _pairs(folder: Path | None) -> Iterator[tuple[Path, Path]]:
    if folder is None:
        for name in SETS:
            yield from find_pairs(name)
        return
    for pdf in sorted(folder.glob("*.pdf")):
        twin = twin_of(pdf)
        if twin is not None:
            yield pdf, twin


def _print(name: str, count: Count) -> None:
    print(f"{name:24} {count.tokens:7} {count.wrong:6} {count.caught:7} {count.marked:11} {count.right:15}")


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part} of {whole})" if whole else "- (none)"


def compare(truth: Truth, paper: Paper) -> Count:
    """The running text against that of the XML, then each caption and each table against the one most like it."""
    marked = bytearray(len(paper.text))
    for span in paper.suspects:
        marked[span.start : span.end] = b"\x01" * (span.end - span.start)
    count = Count()
    prose = [BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.HEADING, BlockKind.EQUATION, BlockKind.FOOTNOTE]
    blocks = [(block.start, block.end) for block in paper.blocks if block.kind in prose]
    count.add(_differences(_cut(" ".join(truth.paragraphs)), _parts_of(paper, blocks), paper.text, marked))
    captions = [each.caption for each in (*paper.figures, *paper.tables) if each.caption is not None]
    printed = [_parts_of(paper, [(span.start, span.end)]) for span in captions]
    for each in (*truth.figures, *truth.tables):
        _compare_best(_cut(f"{each.label} {each.caption}"), printed, paper, marked, count)
    tables = [_parts_of(paper, [(table.start, table.end)]) for table in paper.tables]
    for table in truth.tables:
        _compare_best(_cut(" ".join(cell.text for cell in table.cells)), tables, paper, marked, count)
    return count


def _compare_best(expected: Parts, printed: list[Parts], paper: Paper, marked: bytearray, count: Count) -> None:
    best = max(printed, key=lambda parts: Levenshtein.normalized_similarity(expected.texts, parts.texts), default=None)
    if best is not None and Levenshtein.normalized_similarity(expected.texts, best.texts) > 1 / 3:
        count.add(_differences(expected, best, paper.text, marked))


def _cut(text: str, offset: int = 0) -> Parts:
    parts = Parts()
    for match in _PART.finditer("".join(" " if char in _DROPPED else char for char in text)):
        folded = "".join(_FOLDED.get(c) or unicodedata.normalize("NFKC", c) for c in match.group())
        folded = "".join(_FOLDED.get(c, c) for c in folded)
        if folded.strip():
            parts.texts.append(folded)
            parts.starts.append(offset + match.start())
            parts.ends.append(offset + match.end())
    return parts


def _parts_of(paper: Paper, ranges: list[tuple[int, int]]) -> Parts:
    whole = Parts()
    for start, end in ranges:
        parts = _cut(paper.text[start:end], start)
        whole.texts += parts.texts
        whole.starts += parts.starts
        whole.ends += parts.ends
    return whole


def _holds_sign(text: str) -> bool:
    """Whether a text holds a digit, an operator, or a character of no ordinary word."""
    return any(
        char.isdigit() or unicodedata.category(char) in ("Sm", "So", "Sk", "Nl", "No", "Co", "Cc") or "Ͱ" <= char <= "Ͽ"
        or char in "\ufffd°þðÞ*#$%@\\"
        for char in text
    )  # fmt: skip


def _differences(expected: Parts, seen: Parts, text: str, marked: bytearray) -> Count:
    """The tokens with a sign that stand in both texts, and those of them that differ."""
    count = Count()
    opcodes = Levenshtein.opcodes(expected.texts, seen.texts)
    codes = [(each.tag, each.src_start, each.src_end, each.dest_start, each.dest_end) for each in opcodes]
    for k, (tag, a, b, c, d) in enumerate(codes):
        if tag == "equal":
            count.tokens += sum(_holds_sign(part) for part in expected.texts[a:b])
            _count_right(seen, c, d, text, marked, count)
            continue
        ends = [codes[j] for j in (k - 1, k + 1) if 0 <= j < len(codes)]
        if any(end[0] != "equal" or end[2] - end[1] < _CONTEXT for end in ends) or max(b - a, d - c) > _LONGEST:
            continue
        ours, theirs = "".join(expected.texts[a:b]), "".join(seen.texts[c:d])
        if ours == theirs or not _misread(ours, theirs, expected, a):
            continue
        count.tokens += 1
        count.wrong += 1
        low, high = _token(seen, c, d, text)
        if any(marked[low:high]):
            count.caught += 1
            count.marked += 1
        else:
            count.silent.append(f"xml {ours!r} paper {theirs!r} in {text[max(low - 25, 0) : high + 15]!r}")
    return count


def _misread(ours: str, theirs: str, expected: Parts, at: int) -> bool:
    """Whether two texts differ in a sign; words that one side has alone are left out by the other."""
    if ours and theirs:
        return _holds_sign(ours) or _holds_sign(theirs)
    lone = ours or theirs
    if lone == "-":
        after = expected.texts[at + len(ours)] if at + len(ours) < len(expected.texts) else ""
        return after.isdigit() and not expected.texts[at - 1].isalnum()
    return _holds_sign(lone) and not any(char.isalnum() for char in lone)


def _count_right(seen: Parts, start: int, end: int, text: str, marked: bytearray, count: Count) -> None:
    last = -1
    for k in range(start, end):
        low, high = _token(seen, k, k + 1, text)
        if low == last or not any(marked[low:high]):
            continue
        last = low
        inner = [j for j in range(start, end) if seen.starts[j] >= low and seen.ends[j] <= high]
        count.marked += 1
        if inner and sum(seen.ends[j] - seen.starts[j] for j in inner) >= sum(
            c not in _DROPPED for c in text[low:high]
        ):
            count.right += 1
            count.needless.append(repr(text[max(low - 20, 0) : high + 15]))


def _token(seen: Parts, first: int, end: int, text: str) -> tuple[int, int]:
    """The range of the printed token, up to white space, around these parts."""
    if first >= len(seen.starts):
        return len(text), len(text)
    low = seen.starts[first]
    high = seen.ends[end - 1] if end > first else low
    while low > 0 and not text[low - 1].isspace():
        low -= 1
    while high < len(text) and not text[high].isspace():
        high += 1
    return low, high


if __name__ == "__main__":
    raise SystemExit(main())
