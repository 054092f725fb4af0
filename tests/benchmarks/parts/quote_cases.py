"""Quotes that stand in real papers, damaged as reading and copying damage them, and quotes that do not.

True ones are pieces of the canonical text between two spaces, of any kind of block, with damage that leaves every word,
number, sign and unit what it was. What copying does that changes a number is not among them: a power whose mark is
lost (10^5 as 105) is a false quote here. ``raw lines`` are lines as another reader (pdfium) copies them from the page.
False ones are true ones with one thing changed, half of them damaged besides; that a false one does not stand in the
paper after all is made sure by plain comparison.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pincite_papers.model import BlockKind, Paper

PROSE = (BlockKind.PARAGRAPH, BlockKind.ABSTRACT, BlockKind.CAPTION, BlockKind.FOOTNOTE, BlockKind.LIST)
_FLOATS = (BlockKind.CAPTION, BlockKind.TABLE, BlockKind.FIGURE, BlockKind.FOOTNOTE)
_NBSP, _THIN, _NARROW = "\u00a0", "\u2009", "\u202f"
_RAISED = str.maketrans("0123456789-−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_PREFIXES = {"mK": "K", "K": "mK", "nm": "μm", "μm": "nm", "mm": "cm", "cm": "mm", "GPa": "MPa", "MPa": "GPa",
    "eV": "meV", "meV": "eV", "kg": "g", "mg": "μg", "μg": "mg", "ml": "μl", "μl": "ml", "μM": "mM", "mM": "μM",
    "ms": "s", "Hz": "kHz", "kHz": "Hz", "h": "min", "min": "h", "mA": "A", "V": "mV", "mV": "V", "°C": "K",
    "%": "‰", "T": "mT", "kb": "bp", "bp": "kb", "kDa": "Da", "days": "hours", "years": "months"}  # fmt: skip
_UNIT = re.compile(rf"(?<=\d)( ?)({'|'.join(sorted(map(re.escape, _PREFIXES), key=len, reverse=True))})(?![A-Za-z^_])")
_CONTRARY = {
    "with": "without", "increased": "decreased", "decreased": "increased", "higher": "lower", "lower": "higher",
    "more": "less", "before": "after", "after": "before", "all": "no", "always": "never", "is": "was", "and": "or",
    "significant": "insignificant", "increase": "decrease", "decrease": "increase", "positive": "negative",
    "negative": "positive", "first": "second", "above": "below", "below": "above", "large": "small", "high": "low",
    "low": "high",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A quote, the kind of its damage or falsehood, and the paper to look for it in."""

    paper: str
    quote: str
    kind: str
    origin: str = ""


Damage = Callable[[str, random.Random], str]


def _spots(pattern: str, text: str, rng: random.Random, most: int = 3) -> list[re.Match[str]]:
    found = list(re.finditer(pattern, text))
    return sorted(rng.sample(found, min(len(found), rng.randint(1, most))), key=lambda match: -match.start())


def _replaced(pattern: str, by: Callable[[re.Match[str]], str], most: int = 3) -> Damage:
    def damage(text: str, rng: random.Random) -> str:
        for spot in _spots(pattern, text, rng, most):
            text = text[: spot.start()] + by(spot) + text[spot.end() :]
        return text

    return damage


def _loose_scripts(text: str, rng: random.Random) -> str:
    """Marks lost as a copy from a page loses them, but where two numbers would become one."""
    text = re.sub(r"(?<!\d)[_^]\{?|(?<=10)\^(?=[-−]\d)", "", text)
    return re.sub(r"\}(?!\d)", "", text) if "{" not in text else text


def _unicode_scripts(text: str, rng: random.Random) -> str:
    text = re.sub(r"\^\{?([-−+]?\d+)\}?(?![\d./])", lambda m: m[1].translate(_RAISED), text)
    return re.sub(r"(?<=[A-Za-z])_\{?(\d+)\}?(?![\d./])", lambda m: m[1].translate(_LOWERED), text)


def _with_ellipsis(text: str, rng: random.Random) -> str:
    words = text.split(" ")
    if len(words) < 14:
        return text
    low = rng.randint(5, len(words) - 9)
    return " ".join((*words[:low], rng.choice(("…", "...", "[...]", "[…]")), *words[low + rng.randint(1, 3) :]))


_LONG_WORD = r"(?<![\w-])[A-Za-z]?[a-z]{5,}(?![\w-])"


def _halved(word: str, joint: str) -> str:
    """A word parted as at the end of a line, at a place that its letters decide."""
    at = 2 + sum(map(ord, word)) % (len(word) - 4)
    return word[:at] + joint + word[at:]


_WORD_GAP = r"(?<=[a-z]{3}) (?=[a-z]{4})"
DAMAGES: dict[str, Damage] = {
    "none": lambda text, rng: text,
    "hyphenation with line break": _replaced(_LONG_WORD, lambda m: _halved(m[0], "-\n")),
    "hyphenation with space": _replaced(_LONG_WORD, lambda m: _halved(m[0], "- ")),
    "hyphen lost": _replaced(r"(?<=[a-z]{3})-(?=[a-z]{3})", lambda m: ""),
    "hyphen of another kind": _replaced(r"(?<=\w)-(?=[a-z])", lambda m: "\u2010"),
    "soft hyphens": _replaced(r"(?<=[a-z]{3})(?=[a-z]{3})", lambda m: "\u00ad"),
    "ligatures": lambda text, rng: text.replace("ffi", "ﬃ").replace("ff", "ﬀ").replace("fi", "ﬁ").replace("fl", "ﬂ"),
    "spaces doubled": _replaced(r" ", lambda m: "  "),
    "no-break and thin spaces": lambda text, rng: "".join(
        rng.choice((_NBSP, _THIN, _NARROW)) if c == " " and rng.random() < 0.3 else c for c in text
    ),
    "line breaks": lambda text, rng: "".join("\n" if c == " " and rng.random() < 0.15 else c for c in text),
    "spaces lost between words": _replaced(_WORD_GAP, lambda m: ""),
    "space lost before a unit": _replaced(r"(?<=\d) (?=[A-Za-zμ°%Å])", lambda m: ""),
    "spaces inside words": _replaced(r"(?<=[a-z]{2})(?=[a-z]{3})", lambda m: " "),
    "straight quotation marks": lambda text, rng: text.translate(str.maketrans("“”‘’", "\"\"''")),
    "curly quotation marks": lambda text, rng: re.sub(r"\"([^\"]*)\"", r"“\1”", text).replace("'", "’"),
    "typed dashes": lambda text, rng: re.sub("[–−—]", "-", text),
    "unicode minus": _replaced(r"(?<=[\s(=])[-–](?=\d)", lambda m: "−", 9),
    "script marks lost": _loose_scripts,
    "raised and lowered digits": _unicode_scripts,
    "braces around scripts": lambda text, rng: re.sub(r"([_^])([A-Za-z0-9]+)(?![\w./])", r"\1{\2}", text),
    "typed multiplication": lambda text, rng: re.sub(r"(?<=[\d)] )×(?= ?\d)", "x", text),
    "micro and kelvin signs": lambda text, rng: text.replace("μ", "µ").replace("Å", "\u212b").replace("Ω", "\u2126"),
    "in quotation marks": lambda text, rng: f"“{text}”",
    "words left out": _with_ellipsis,
}
"""What reading and copying do; each may find nothing to do in a given quote."""


_OTHER_KINDS = ("several at once", "several at once", "row of a table", "row with separators", "across blocks")
_ALONE = ("words left out", "in quotation marks", "none")


def true_quotes(papers: Mapping[str, Paper], count: int, rng: random.Random) -> Iterator[Case]:
    """``count`` quotes that stand: each kind of damage alone in turns, several at once, rows of tables, text across
    floats. A kind that finds nothing to damage leaves its turn to the next.
    """
    kinds = (*DAMAGES, *DAMAGES, *_OTHER_KINDS)
    made = turn = 0
    while made < count:
        case = _true(papers, kinds[turn % len(kinds)], rng)
        turn += 1
        if case is not None:
            made += 1
            yield case


def _true(papers: Mapping[str, Paper], kind: str, rng: random.Random) -> Case | None:
    for _ in range(40):
        name = rng.choice(sorted(papers))
        paper = papers[name]
        if kind.startswith("row"):
            quote = _row(paper, rng)
            if quote and kind == "row with separators":
                quote = rng.choice(("{} |", "| {} |", "{}")).format(rng.choice((" | ", "; ")).join(quote.split("\t")))
            elif quote and rng.random() < 0.5:
                quote = quote.replace("\t", " ")
        elif kind == "across blocks":
            quote = _across(paper, rng)
        else:
            quote = piece(paper, rng)
        if not quote:
            continue
        origin = quote
        if kind == "several at once":
            for damage in rng.sample([each for name, each in DAMAGES.items() if name not in _ALONE], 3):
                quote = damage(quote, rng)
        elif kind in DAMAGES:
            quote = DAMAGES[kind](quote, rng)
            if quote == origin and kind != "none":
                continue
        return Case(name, quote, kind, origin)
    return None


def piece(paper: Paper, rng: random.Random, least: int = 20, most: int = 300) -> str | None:
    """Words of one block, from a space to a space, with a letter or digit at both ends."""
    blocks = [block for block in paper.blocks if block.kind in PROSE and block.end - block.start > least + 20]
    if not blocks:
        return None
    block = rng.choice(blocks)
    text = paper.text[block.start : block.end]
    breaks = [-1, *(match.start() for match in re.finditer(" ", text)), len(text)]
    start = rng.choice(breaks) + 1
    length = rng.randint(least, most)
    ends = [at for at in breaks if start + least <= at <= start + length]
    if not ends:
        return None
    quote = text[start : ends[-1]].strip()
    behind, before = text[ends[-1] :][:8], text[:start][-8:]
    if re.match(r"\s?[×·x] ?10", behind) or re.search(r"[−-] $", before) or not _whole(quote):
        return None
    return quote


def _whole(quote: str) -> bool:
    """Words that may be quoted: no half of a script, and enough letters or digits."""
    return quote.count("{") == quote.count("}") and sum(c.isalnum() for c in quote) >= 12 and quote[0] not in "^_"


def _row(paper: Paper, rng: random.Random) -> str | None:
    tables = [block for block in paper.blocks if block.kind is BlockKind.TABLE]
    if not tables:
        return None
    block = rng.choice(tables)
    rows = [row.strip() for row in paper.text[block.start : block.end].split("\n")]
    rows = [row for row in rows if row.count("\t") >= 2 and len(row) >= 15]
    rows = [row for row in rows if not any(mark in row for mark in ("\t\t", "|", ";"))]
    return rng.choice(rows) if rows else None


def _across(paper: Paper, rng: random.Random) -> str | None:
    """The end of a paragraph that goes on behind a float, and how it goes on."""
    joints = _joints(paper)
    if not joints:
        return None
    end, start = rng.choice(joints)
    before = paper.text[max(end - 150, 0) : end].split(" ")[-rng.randint(3, 9) :]
    after = paper.text[start : start + 150].split(" ")[: rng.randint(3, 9)]
    quote = " ".join((*before, *after))
    return quote if _whole(quote) and "\n" not in quote else None


_JOINTS: dict[str, list[tuple[int, int]]] = {}
_BARE: dict[str, str] = {}


def _joints(paper: Paper) -> list[tuple[int, int]]:
    """Ends and beginnings of the parts of paragraphs that floats part."""
    if paper.paper_id not in _JOINTS:
        found: list[tuple[int, int]] = []
        last = None
        for block in paper.blocks:
            if block.kind is BlockKind.PARAGRAPH:
                parted = last is not None and last[1]
                if parted and paper.text[last[0] - 1].isalpha() and paper.text[block.start].islower():
                    found.append((last[0], block.start))
                last = (block.end, False)
            elif last is not None and block.kind in _FLOATS:
                last = (last[0], True)
            else:
                last = None
        _JOINTS[paper.paper_id] = found
    return _JOINTS[paper.paper_id]


FALSEHOODS = (
    "digit changed", "digit dropped", "digit added", "digits swapped", "decimal point moved", "decimal point dropped",
    "sign dropped", "sign added", "sign of an exponent", "power's mark lost", "comparison turned round", "unit changed",
    "word changed", "word turned round", "word dropped", "not dropped", "not added", "number cut", "word cut",
    "case of a word", "numbers joined", "subscript changed", "another paper",
)  # fmt: skip


_TRIES = 3000
_STILL_THERE = ("number cut", "word cut", "numbers joined")
"""Falsehoods whose characters do stand in the paper, spaces aside."""


def false_quotes(papers: Mapping[str, Paper], count: int, rng: random.Random) -> Iterator[Case]:
    """``count`` quotes that do not stand, each kind of falsehood in turns; every second one damaged besides."""
    made = turn = 0
    while made < count:
        case = false_quote(papers, FALSEHOODS[turn % len(FALSEHOODS)], rng)
        turn += 1
        if case is not None:
            made += 1
            yield case


def false_quote(papers: Mapping[str, Paper], kind: str, rng: random.Random) -> Case | None:
    """A quote of one paper with one thing wrong, of this kind; None where thousands of tries give none."""
    for _ in range(_TRIES):
        name = rng.choice(sorted(papers))
        quote = piece(papers[name], rng)
        if quote is None:
            continue
        if kind == "another paper":
            other = rng.choice([n for n in sorted(papers) if n != name])
            if len(quote) > 40 and not _stands(papers[other], quote):
                return Case(other, quote, kind, quote)
            continue
        changed = falsify(quote, kind, rng)
        if changed is None or changed == quote or (kind not in _STILL_THERE and _stands(papers[name], changed)):
            continue
        if rng.random() < 0.5:
            harmless = [d for k, d in DAMAGES.items() if k not in ("words left out", "none")]
            changed = rng.choice(harmless)(changed, rng)
        return Case(name, changed, kind, quote)
    return None


def _stands(paper: Paper, quote: str) -> bool:
    """Whether the quote's characters stand in the paper, white space and hyphens aside."""
    if paper.paper_id not in _BARE:
        _BARE[paper.paper_id] = re.sub(r"\s|[-‐]", "", paper.text)
    return re.sub(r"\s|[-‐]", "", quote) in _BARE[paper.paper_id]


_NOUNS = ("sample", "protein", "surface", "method", "patients")
_NOT = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor)\b ?")
_NUMBER = r"(?<![\w.])\d+(?:\.\d+)?(?![\w])"


def falsify(quote: str, kind: str, rng: random.Random) -> str | None:
    """``quote`` with one thing wrong, or None where there is nothing of that kind in it."""
    edits: dict[str, tuple[str, Callable[[re.Match[str]], str]]] = {
        "digit changed": (r"\d", lambda m: rng.choice([d for d in "0123456789" if d != m[0]])),
        "digit dropped": (r"\d(?=\d)|(?<=\d)\d", lambda m: ""),
        "digit added": (r"(?<=\d)(?=\d|\b)", lambda m: rng.choice("123456789")),
        "digits swapped": (r"(\d)(?!\1)(\d)", lambda m: m[2] + m[1]),
        "decimal point moved": (r"\b(\d+)\.(\d)(\d*)", lambda m: f"{m[1]}{m[2]}.{m[3] or '0'}"),
        "decimal point dropped": (r"(?<=\d)\.(?=\d)", lambda m: ""),
        "sign dropped": (r"(?<=[\s(=])[-−–+](?=\d)", lambda m: ""),
        "sign added": (r"(?<=[a-z] )(?=\d)", lambda m: rng.choice("-−")),
        "sign of an exponent": (r"\^(\{?)([-−]?)(?=\d)", lambda m: f"^{m[1]}{'' if m[2] else '−'}"),
        "power's mark lost": (r"(?<=\d)\^\{?(?=\d)", lambda m: ""),
        "comparison turned round": (r"[<>≤≥]", lambda m: {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}[m[0]]),
        "unit changed": (_UNIT.pattern, lambda m: m[1] + _PREFIXES[m[2]]),
        "word changed": (r"\b[a-z]{4,}\b", lambda m: rng.choice(_NOUNS)),
        "word turned round": (rf"\b(?:{'|'.join(_CONTRARY)})\b", lambda m: _CONTRARY[m[0]]),
        "word dropped": (r" [a-z]{2,}(?= )", lambda m: ""),
        "not dropped": (_NOT.pattern, lambda m: ""),
        "not added": (r"\b(?:is|are|was|were|has|have|can|may|does)\b(?! not)", lambda m: m[0] + " not"),
        "number cut": (r"^.*?(?<!\S)\d(?=\d+(?:\.\d+)?\b.{15,})|(?<=.{15}\d)[\d.]*\d(?!\w).*$", lambda m: ""),
        "word cut": (r"^.*?\b[A-Za-z]{2,4}(?=[a-z]{4,}\b.{15,})", lambda m: ""),
        "case of a word": (r"\b[a-zA-Z]{2,}\b", lambda m: m[0].swapcase()),
        "numbers joined": (r"(?<=\d)[ \t](?=\d)", lambda m: ""),
        "subscript changed": (r"(?<=[A-Za-z)])(?:_\{?)?(\d)(?=\D|$)", lambda m: m[0][:-1] + str((int(m[1]) + 1) % 10)),
    }  # fmt: skip
    pattern, by = edits[kind]
    spots = [m for m in re.finditer(pattern, quote, re.DOTALL) if m[0] or by(m)]
    if not spots:
        return None
    spot = rng.choice(spots)
    changed = quote[: spot.start()] + by(spot) + quote[spot.end() :]
    return changed if len(changed) >= 12 else None


def raw_lines(papers: Mapping[str, Paper], paths: Mapping[str, Path], count: int, rng: random.Random) -> Iterator[Case]:
    """Lines as pdfium copies them from a page, two or three together, whose letters and digits stand in the paper one
    behind the other, and in which no power of a number could have lost its mark.
    """
    import pypdfium2 as pdfium

    letters = {name: "".join(c for c in papers[name].text if c.isalnum()) for name in paths}
    pages: dict[str, list[list[str]]] = {}
    made = tried = 0
    while made < count and paths and tried < 200 * count:
        tried += 1
        name = rng.choice(sorted(paths))
        if name not in pages:
            with pdfium.PdfDocument(paths[name]) as document:
                pages[name] = [page.get_textpage().get_text_range().split("\r\n") for page in document]
        lines = rng.choice(pages[name])
        at = rng.randrange(max(len(lines) - 3, 1))
        quote = "\n".join(lines[at : at + rng.randint(1, 3)]).replace("\ufffe", "-").strip()
        bare = "".join(c for c in quote if c.isalnum())
        if (
            len(bare) < 25
            or not quote[0].isalpha()
            or bare not in letters[name]
            or re.search(r"[\ufffd\x00-\x08]", quote)
        ):
            continue
        if re.search(r"10\d|\d\s+\d", quote) and re.search(r"\d\^\{?\d", papers[name].text):
            continue
        made += 1
        yield Case(name, quote, "raw lines of a page")
