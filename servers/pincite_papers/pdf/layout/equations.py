"""Equations: displayed formulas, whose parts the content stream scatters over short blocks, made one block each."""

import re

from pincite_papers.model import BlockKind
from pincite_papers.pdf.elements import Rule, Style
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.characters import UNKNOWN
from pincite_papers.pdf.layout.formulas import linear_lines

_OPERATOR = re.compile(rf"[=≈≡≤≥<>±∓×÷∑∏∫√∞∂∇→←⇌∝∈⊂⟨⟩{UNKNOWN}]|[−+]\s|\(\d{{1,3}}[a-z]?\)$")
_WORD = re.compile(r"[A-Za-z]{4,}")
_PROSE = re.compile(r"(?<![\w^])[a-z]{2,}(?=[\s,;.])")
_FUNCTIONS = frozenset(
    (
        "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "ln", "log",
        "exp", "max", "min", "sup", "inf", "lim", "det", "arg", "trace", "const",
    )
)  # fmt: skip
_MOST_LINES = 6
"""Lines of a block: one of more is a paragraph with formulas in it and not a part of a displayed formula. Set by
judgement."""
_MOST_WORDS = 4
"""Words (names of functions not counted) of a part of a displayed formula; a block of more is prose. Set by
judgement."""
_MOST_PROSE = 6
"""Words that only prose has in a part of a displayed formula at most; a block of more is prose. Set by judgement."""
_WORDS_SHARE = 0.25
"""Share of a block's characters that stand in words: from this on it is prose and not a formula. Set by judgement."""
_NEAR = 1.8
"""Type sizes of the body, halved, between two parts of one formula, one above the other; more parts two formulas. Set
by judgement."""
_REACH = 0.4
"""Type sizes of the body by which a formula's height is widened before another part's height is compared with it. Set
by judgement."""
_MOST_HEIGHT = 0.7
"""Share of a block's height that lies within a formula's: more makes it a part of that formula. Set by judgement."""
_ASIDE = 16
"""Type sizes of the body from a formula to a part beside it, such as its number; what is further off is another
block's. Set by judgement."""


def join_equations(drafts: list[Draft], body: Style, rules: list[Rule]) -> list[Draft]:
    """The blocks of one page in order, the parts of each displayed formula joined into an EQUATION that reads in line.

    ``rules`` are those of the page, bars of fractions among them.
    """
    joined = _gather(_join_neighbours(drafts, body), body)
    for draft in joined:
        if draft.kind is BlockKind.EQUATION and len({page for page, _ in draft.lines}) == 1:
            lines = linear_lines([line for _, line in draft.lines], rules)
            draft.lines = [(draft.page, line) for line in lines]
    return joined


def _gather(drafts: list[Draft], body: Style) -> list[Draft]:
    """The blocks with each formula's parts that came elsewhere in the stream given back to it."""
    taken: set[int] = set()
    for equation in drafts:
        if equation.kind is not BlockKind.EQUATION or id(equation) in taken:
            continue
        for draft in drafts:
            if draft is equation or id(draft) in taken or draft.page != equation.page:
                continue
            if (draft.kind is BlockKind.EQUATION or _is_scrap(draft)) and _within(equation, draft, body):
                equation.lines.extend(draft.lines)
                taken.add(id(draft))
    return [draft for draft in drafts if id(draft) not in taken]


def _within(equation: Draft, draft: Draft, body: Style) -> bool:
    """Whether most of a block's height lies within that of a formula of the same column."""
    a, b = equation.rect(), draft.rect()
    shared = min(a.y1 + _REACH * body.size, b.y1) - max(a.y0 - _REACH * body.size, b.y0)
    aside = max(b.x0 - a.x1, a.x0 - b.x1)
    return shared > _MOST_HEIGHT * (b.y1 - b.y0) and aside < _ASIDE * body.size


def _join_neighbours(drafts: list[Draft], body: Style) -> list[Draft]:
    """The blocks in order, neighbouring parts of one displayed formula joined into an EQUATION."""
    joined: list[Draft] = []
    for draft in drafts:
        last = joined[-1] if joined else None
        formula = _is_formula(draft, body)
        if last is not None and last.kind is BlockKind.EQUATION and _near(last, draft, body):
            if formula or _is_scrap(draft):
                last.lines.extend(draft.lines)
                continue
        elif formula and last is not None and _is_scrap(last) and _near(last, draft, body):
            last.kind = BlockKind.EQUATION
            last.lines.extend(draft.lines)
            continue
        if formula:
            draft.kind = BlockKind.EQUATION
        joined.append(draft)
    return joined


def _is_formula(draft: Draft, body: Style) -> bool:
    """Whether a short block holds operators and hardly any word."""
    if draft.kind not in {BlockKind.PARAGRAPH, BlockKind.LIST} or len(draft.lines) > _MOST_LINES:
        return False
    text = draft.text
    if len(text) > 240 or not _OPERATOR.search(text):
        return False
    words = [word for word in _WORD.findall(text) if word.casefold() not in _FUNCTIONS]
    prose = [word for word in _PROSE.findall(text) if word not in _FUNCTIONS]
    if len(prose) > _MOST_PROSE:
        return False
    large = draft.lines[0][1].style.size > 1.3 * body.size
    return len(words) <= _MOST_WORDS and sum(map(len, words)) < _WORDS_SHARE * len(text) and not large


def _is_scrap(draft: Draft) -> bool:
    """Whether a block is too short to be text: a numerator, a limit, a bracket."""
    if draft.kind is not BlockKind.PARAGRAPH or len(draft.lines) > 3:
        return False
    text = draft.text
    return len(text) < 40 and not _WORD.search(text)


def _near(one: Draft, other: Draft, body: Style) -> bool:
    """Whether two blocks of a page stand within a formula's height of each other."""
    a, b = one.rect(), other.rect()
    apart = max(b.y0 - a.y1, a.y0 - b.y1)
    aside = max(b.x0 - a.x1, a.x0 - b.x1)
    return apart < _NEAR / 2 * body.size and aside < 20 * body.size
