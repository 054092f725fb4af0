"""Terms: what a text is indexed and searched by, the same for every store.

A term is made of ``a`` to ``z``, digits and underscores. An underscore never stands for itself: it opens a code
(``_p`` for a point, ``_x03b1`` for a letter of another script), so that different tokens share no term by chance.
"""

import re
from collections.abc import Iterator

from pincite_library.ranking.folding import SEAM, fold
from pincite_library.ranking.function_words import FUNCTION_WORDS
from pincite_library.ranking.tokens import encoded, scientific, starts_as_symbol, token_terms

TERMS = "terms-2"
"""Version of the terms and of how chunks are indexed by them: an index of another one is made again."""

_WORD = r"[^\W_]"
_TOKEN = re.compile(
    rf"""
    10\.\d{{4,9}}/[^\s"<>{SEAM}]{{1,200}}                                  # a DOI
    | \d+(?:\.\d+)?[eE][-+]?\d{{1,3}}(?!{_WORD}|\.\d)                       # 1.2e-3
    | (?<![\w.])\.\d+(?!{_WORD})                                           # .93
    | {_WORD}+(?:(?:[-./·{SEAM}]|'(?=[^\W\d_])|(?<=\d),(?=\d{{3}}(?!\d))){_WORD}+)*
    """,
    re.VERBOSE,
)
_POWER = re.compile(r"10(?<![\d.]10)(\^?)([-+]?\d{1,3})(?!\d)")
_FACTOR = re.compile(r"(\d+(?:\.\d+)?) ?[×x*·] ?$")
_FACTOR_CHARS = 24
"""Characters before a power of ten in which its factor is looked for."""
_INSIDE = re.compile(r"[(\[](?<=\w.)(?=\w)")
_BEFORE = re.compile(r"[\w.,'+·-]+$")
_MOST_BEFORE = 40
"""Characters before a bracket in which the name that it explains is looked for. Set by judgement."""
_BRACKETED = re.compile(r"[\w.,'+·-]{1,40}(?:[(\[][\w.,'+·-]{1,40}[)\]][\w.,'+·-]{0,40}){1,6}")
_OPERATORS = frozenset(("AND", "OR", "NOT"))
_UNIT_LETTERS = 2
"""Letters of a token beside a number that may be its unit."""
_ONE_SIGN = re.compile("_x[0-9a-f]{4}|_y[0-9a-f]{6}")


def index_terms(text: str) -> str:
    """The terms of a text separated by single spaces: the whole and the parts of what is compound."""
    folded = fold(text)
    found: list[str] = []
    for token in _TOKEN.findall(folded):
        found += token_terms(token)
    return " ".join(found + _wholes(folded))


def query_terms(query: str) -> list[str]:
    """The terms to look for, each once; empty where a query is nothing but function words.

    For what stands in a text as a token of its own they are all among the ``index_terms`` of that text.
    """
    folded = fold(query)
    tokens = [token for token in _TOKEN.findall(folded) if token not in _OPERATORS]
    if len(tokens) > 1 and starts_as_symbol(tokens[0]) and tokens[1] in FUNCTION_WORDS:
        # "In which samples …": the capital is that of a sentence.
        del tokens[0]
    found = [term for token in tokens for term in token_terms(token)] + _wholes(folded)
    # A sign of a script without spaces says little beside the pair that it is part of.
    return [term for term in dict.fromkeys(found) if not (_ONE_SIGN.fullmatch(term) and _within(term, found))]


def only_exact(query: str) -> bool:
    """Whether a query is nothing but numbers, formulas and identifiers that have digits, with units beside them."""
    tokens = _TOKEN.findall(fold(query))
    with_digits = [any(map(str.isdigit, token)) for token in tokens]
    return any(with_digits) and all(
        digits or (len(token) <= _UNIT_LETTERS and token not in FUNCTION_WORDS)
        for token, digits in zip(tokens, with_digits, strict=True)
    )


def _within(sign: str, found: list[str]) -> bool:
    return any(sign in term and sign != term for term in found)


def _wholes(folded: str) -> list[str]:
    """Terms of what runs over several tokens: powers of ten (``1.2 × 10^-3``) and names with brackets in them."""
    found: list[str] = []
    if "10" in folded:
        for power in _POWER.finditer(folded):
            factor = _FACTOR.search(folded[max(power.start() - _FACTOR_CHARS, 0) : power.start()])
            if power[1] or (factor and not power[2].isdigit()):
                found.append(scientific(factor[1] if factor else "1", power[2]))
    if "(" in folded or "[" in folded:
        found += _bracketed(folded)
    return found


def _bracketed(folded: str) -> Iterator[str]:
    reached = 0
    for inside in _INSIDE.finditer(folded):
        if inside.start() < reached:
            continue
        before = _BEFORE.search(folded[max(inside.start() - _MOST_BEFORE, 0) : inside.start()])
        start = inside.start() - (len(before[0]) if before else 0)
        name = _BRACKETED.match(folded, start)
        if name:
            reached = name.end()
            yield encoded(name[0].strip("-.,'+·"))
