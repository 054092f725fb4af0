"""Whether a parsed JATS article holds all that its XML says, in order.

    python tests/benchmarks/jats_completeness.py [--limit N] [--worst N] [--bar 0.999] [FILE...]

Reads the articles of ../shared/data (plos-jats, craft-jats, jats-pdf-pairs, papers-cc-by), or the given files. The XML
is read here a second time, by a walk of its own, and compared with the Paper:

- *body*: characters of body and back matter, white space and script marks aside, that stand in the Paper in the same
  order (longest common subsequence). Named exceptions: comments, all but the first of several alternatives, object
  identifiers, short texts for pictures, and operators of formulas that print does not show.
- *references*: words of each entry that stand in the entry of the Paper (in any order: entries without punctuation are
  composed), and the number of entries.
- *counts*: figures, tables, cells with their texts.

The exit status is 1 when an article fails, or the character recall of all is below the bar.
"""

import argparse
import re
import sys
import tarfile
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree
from rapidfuzz.distance import LCSseq

from pincite_papers.jats import parse_jats
from pincite_papers.model import BlockKind, Paper

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FLOATS = ("fig", "table-wrap", "supplementary-material", "fn", "fig-group", "table-wrap-group", "media")
LEFT_OUT = ("object-id", "alt-text", "long-desc", "permissions", "graphic", "inline-graphic", "ref-list", "front-stub")
MARKS = re.compile(r"[\s^_{}\u00ad\u200b\u2060-\u2064\ufeff\u0300-\u036f\u20d7]")
ACCENTS = frozenset("¯‾ˉ^ˆ~˜→˙.¨ˇ˘-―")
MATH = "{http://www.w3.org/1998/Math/MathML}"


def articles() -> Iterator[tuple[str, bytes]]:
    """Every article of the shared data that is not BioMed Central's own format, with its name."""
    for archive in sorted(DATA.glob("*-jats/*.tar.gz")):
        with tarfile.open(archive) as tar:
            for member in tar:
                file = tar.extractfile(member) if member.name.endswith("xml") and member.isfile() else None
                if file is not None:
                    yield Path(member.name).name, file.read()
    for path in sorted([*DATA.glob("jats-pdf-pairs/*.xml"), *DATA.glob("papers-cc-by/*.xml")]):
        yield path.name, path.read_bytes()


@dataclass
class Score:
    """What was found of what the XML has, of one article or of all."""

    characters: int = 0
    found: int = 0
    words: int = 0
    words_found: int = 0
    cells: int = 0
    cells_found: int = 0
    problems: list[str] = field(default_factory=list)


def squeezed(text: str) -> str:
    """The characters that must be kept: without white space, script marks and accents, compatibility forms folded."""
    return MARKS.sub("", unicodedata.normalize("NFKD", text))


def spoken(element: etree._Element, out: list[str], behind: list[etree._Element]) -> None:
    """Append the text of an element in reading order; floats and notes inside a paragraph are put ``behind``."""
    out.append(element.text or "")
    for child in element:
        if isinstance(child.tag, str):
            tag = child.tag.rpartition("}")[2]
            if tag in FLOATS and element.tag == "p":
                behind.append(child)
            elif tag == "alternatives":
                chosen = next(
                    (one for one in child if one.tag.rpartition("}")[2] in ("math", "table", "tex-math")), None
                )
                if chosen is not None:
                    spoken_one(chosen, out, behind)
            elif tag not in LEFT_OUT:
                spoken_one(child, out, behind)
        out.append(child.tail or "")


def spoken_one(element: etree._Element, out: list[str], behind: list[etree._Element]) -> None:
    if element.tag.startswith(MATH):
        out.append(squeezed_math(element))
        return
    if element.tag in ("disp-formula", "tfoot"):
        label = element.find("label")
        if label is not None:
            element.append(label)
    if element.tag == "p":
        after: list[etree._Element] = []
        spoken(element, out, after)
        for one in after:
            spoken_one(one, out, behind)
        return
    if element.tag == "fig" or element.tag == "table-wrap":
        label, caption = element.find("label"), element.find("caption")
        for index, part in enumerate(one for one in (label, caption) if one is not None):
            element.insert(index, part)
    spoken(element, out, behind)


def squeezed_math(math: etree._Element) -> str:
    """A formula's characters, without the accents that are written as combining characters."""
    texts = []
    for one in math.iter(f"{MATH}mi", f"{MATH}mn", f"{MATH}mo", f"{MATH}mtext", f"{MATH}ms"):
        parent = one.getparent()
        accent = parent.tag == f"{MATH}mover" and one is parent[-1] and (one.text or "").strip() in ACCENTS
        texts.append("" if accent else "".join(one.itertext()))
    return "".join(texts)


def expected_text(root: etree._Element) -> str:
    """Body, back matter and sub-articles, without reference lists."""
    out: list[str] = []
    for part in root:
        if part.tag in ("body", "back", "floats-group", "sub-article", "response"):
            behind: list[etree._Element] = []
            spoken_one(part, out, behind)
            for one in behind:
                spoken_one(one, out, [])
    return squeezed("".join(out))


def score(name: str, data: bytes) -> Score:
    """Parse one article and compare."""
    paper = parse_jats(data, max_pages=1)
    parser = etree.XMLParser(resolve_entities=False, remove_comments=True, remove_pis=True)
    root = etree.fromstring(data, parser)
    result = Score()
    cells = [cell for table in chosen_tables(root) for cell in table.iter("td", "th")]
    texts = [text for cell in cells if (text := cell_text(cell))]
    result.cells = len(texts)
    have = Counter(squeezed(cell.text) for table in paper.tables for cell in table.cells)
    result.cells_found = sum((Counter(texts) & have).values())
    compare_references(root, paper, result)
    figures, tables = len(list(root.iter("fig"))), len(list(chosen_wraps(root)))
    pictured = len(
        [one for one in root.iter("table-wrap") if one.find(".//table") is None and one.find(".//graphic") is not None]
    )
    loose = len([one for one in root.iter("graphic") if one.getparent().tag in ("p", "sec", "body")])
    if not figures <= len(paper.figures) <= figures + pictured + loose:
        result.problems.append(f"{len(paper.figures)} figures of {figures}")
    if len(paper.tables) != tables:
        result.problems.append(f"{len(paper.tables)} tables of {tables}")
    expected = expected_text(root)
    written = squeezed(
        "".join(paper.text[block.start : block.end] for block in paper.blocks if block.kind is not BlockKind.REFERENCE)
    )
    result.characters = len(expected)
    result.found = LCSseq.similarity(expected, written)
    if result.characters - result.found > 5:
        result.problems.append(f"{result.characters - result.found} characters of {result.characters} are missing")
        result.problems += missing(expected, written)[:3]
    return result


def missing(expected: str, written: str) -> list[str]:
    """The longest runs of characters that are not in the Paper, with what stands before them."""
    runs = [
        (code.src_end - code.src_start, code.src_start, code.src_end)
        for code in LCSseq.opcodes(expected, written)
        if code.tag in ("delete", "replace")
    ]
    return [f"…{expected[max(a - 30, 0) : a]}⟦{expected[a:b][:80]}⟧" for _, a, b in sorted(runs, reverse=True)]


def chosen_wraps(root: etree._Element) -> Iterator[etree._Element]:
    """What becomes one table: a wrap that holds a table, or a table without one."""
    for wrap in root.iter("table-wrap"):
        if wrap.find("table") is not None or wrap.find("alternatives/table") is not None:
            yield wrap
    for table in root.iter("table"):
        if not any(one.tag in ("table-wrap", "table") for one in table.iterancestors()):
            yield table


def chosen_tables(root: etree._Element) -> Iterator[etree._Element]:
    for wrap in chosen_wraps(root):
        yield from [wrap] if wrap.tag == "table" else [*wrap.findall("table"), *wrap.findall("alternatives/table")]


def cell_text(cell: etree._Element) -> str:
    out: list[str] = []
    spoken(cell, out, [])
    return squeezed("".join(out))


def compare_references(root: etree._Element, paper: Paper, result: Score) -> None:
    refs = list(root.iter("ref"))
    if len(refs) != len(paper.references):
        result.problems.append(f"{len(paper.references)} references of {len(refs)}")
        return
    for ref, entry in zip(refs, paper.references, strict=True):
        wanted = Counter(word for text in ref.itertext() for word in re.findall(r"\w+", squeezed_word(text)))
        have = Counter(re.findall(r"\w+", squeezed_word(paper.text[entry.start : entry.end])))
        result.words += wanted.total()
        lost = wanted - have
        joined = re.sub(r"\W+", "", squeezed_word(paper.text[entry.start : entry.end]))
        lost = Counter({word: count for word, count in lost.items() if word not in joined})
        result.words_found += wanted.total() - lost.total()
        if lost:
            result.problems.append(f"reference {entry.key}: lost {dict(lost)}")


def squeezed_word(text: str) -> str:
    return re.sub(r"[\^_{}\u0300-\u036f]", "", unicodedata.normalize("NFKD", text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--limit", type=int, default=0, help="only every so many articles, so that this many are read")
    parser.add_argument("--worst", type=int, default=0, help="print the problems of this many articles")
    parser.add_argument("--bar", type=float, default=0.999)
    arguments = parser.parse_args()
    chosen = [(path.name, path.read_bytes()) for path in arguments.files] or list(articles())
    chosen = [(name, data) for name, data in chosen if b"<art>" not in data[:2000]]
    if arguments.limit:
        chosen = chosen[:: max(len(chosen) // arguments.limit, 1)][: arguments.limit]
    if not chosen:
        print(f"No article was found under {DATA}.", file=sys.stderr)
        return 2
    scores: dict[str, Score] = {}
    failed = 0
    began = time.perf_counter()
    for name, data in chosen:
        try:
            scores[name] = score(name, data)
        except Exception as error:  # noqa: BLE001
            failed += 1
            print(f"{name}: {error!r}")
    for name, one in sorted(scores.items(), key=lambda pair: -len(pair[1].problems))[: arguments.worst]:
        print(name, *one.problems, sep="\n   ")
    return report(scores, failed, arguments.bar, time.perf_counter() - began)


def report(scores: dict[str, Score], failed: int, bar: float, seconds: float) -> int:
    total = {
        name: sum(getattr(one, name) for one in scores.values())
        for name in ("characters", "found", "words", "words_found", "cells", "cells_found")
    }
    recall = total["found"] / max(total["characters"], 1)
    clean = sum(not one.problems for one in scores.values())
    print(f"{len(scores)} articles in {seconds:.0f} s, {failed} failed, {clean} without a problem")
    print(f"characters in order {recall:.5f} ({total['characters'] - total['found']} of {total['characters']} missing)")
    print(f"words of references {total['words_found'] / max(total['words'], 1):.5f} of {total['words']}")
    print(f"cells {total['cells_found'] / max(total['cells'], 1):.5f} of {total['cells']}")
    held = not failed and recall >= bar and total["cells_found"] >= bar * total["cells"]
    print(f"bar {bar}: {'holds' if held else 'MISSED'}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
