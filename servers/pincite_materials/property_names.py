"""Property names: their normal form, the concepts they may mean, and how alike two of them are."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from pincite_materials.property_lexicon import CONTRASTS, STOP_WORDS, SYNONYMS
from pincite_materials.text import plain

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "Δ": "delta", "ε": "epsilon", "θ": "theta", "Θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ρ": "rho", "σ": "sigma", "τ": "tau", "χ": "chi",
    "ω": "omega", "Ω": "omega", "ϵ": "epsilon", "ϑ": "theta",
}  # fmt: skip
_AT = re.compile(
    r"\bat\s+((?:[<>~≈]\s*)?[-+]?\d[\d.,]*\s*(?:[a-zμ°Ω%]+[\w/^.-]*)?|room temperature|rt\b|zero \w+)", re.IGNORECASE
)
_LONGEST = 500
"""Characters of a property's name; a longer text is the same as itself alone, and patterns need not bear it."""
_SYMBOL = re.compile(r"^(?=.{1,6}$)(?:.*[A-Z0-9Α-Ωα-ω′'].*|[a-z])$")
_PHRASES = sorted((phrase for group in CONTRASTS for side in group for phrase in side), key=len, reverse=True)
_CONTRAST = re.compile(rf"(?<![^ ])(?:{'|'.join(map(re.escape, _PHRASES))})(?![^ ])")


@dataclass(frozen=True, slots=True)
class Name:
    """A property name: ``concepts`` it may mean (none if unknown), its words, its symbols, its printed conditions.

    ``words`` leave out contrast words, stop words and ``at 300 K``; ``symbols`` are short tokens such as K1 or E′.
    """

    normal: str
    concepts: frozenset[str]
    words: frozenset[str]
    symbols: frozenset[str]
    conditions: tuple[str, ...] = ()


def normal_form(text: str) -> str:
    """Lower case words with Greek spelled, marks and punctuation gone, plurals cut: ``T_c^{onset}`` is ``tc onset``."""
    return " ".join(_tokens(text, fold=True))


@lru_cache(maxsize=4096)
def read_name(text: str) -> Name:
    """Parse a property name; a parenthesis is read apart, so that a symbol in it does no harm."""
    if len(text) > _LONGEST:
        normal = " ".join(text.casefold().split())
        return Name(normal, frozenset(), frozenset(normal.split()), frozenset())
    conditions = tuple(match[1] for match in _AT.finditer(text))
    bare = _AT.sub(" ", text)
    outside = re.sub(r"[(\[][^()\[\]]*[)\]]", " ", bare)
    concepts = _concepts(bare) or _concepts(outside)
    content = Counter(_content(bare))
    words: set[str] = set()
    symbols: set[str] = set()
    for index, raw in enumerate(_tokens(bare, fold=False)):
        capital = index > 0 or not raw[:1].isupper() or len(raw) <= 3
        for token in _tokens(raw, fold=True):
            if content[token]:
                (symbols if _SYMBOL.match(raw) and capital else words).add(token)
    return Name(normal_form(text), concepts, frozenset(words), frozenset(symbols), conditions)


def same_quantity(a: str, b: str) -> tuple[bool, str]:
    """Whether two names mean the same quantity, and by what: ``direct``, ``synonym``, ``abbreviation`` or a reason."""
    first, second = read_name(a), read_name(b)
    if first.normal == second.normal:
        return True, "direct"
    if first.concepts and second.concepts:
        if first.concepts & second.concepts:
            short = min(len(first.normal), len(second.normal)) <= 5
            return True, "abbreviation" if short else "synonym"
        return False, "the names mean different quantities"
    if first.words != second.words:
        return False, "the names have different words"
    if first.symbols and second.symbols and not (first.symbols <= second.symbols or second.symbols <= first.symbols):
        return False, "the names carry different symbols"
    return bool(first.words or first.symbols & second.symbols), "direct"


@lru_cache(maxsize=65536)
def similarity(a: str, b: str) -> float:
    """Likeness of two names, 0 to 1, deterministic: equal 1, same quantity above 0.9, else of the words' letters.

    It takes the place of the published embedding similarity, whose model is not ours to run.
    """
    first, second = read_name(a), read_name(b)
    if first.normal == second.normal:
        return 1.0
    letters = fuzz.token_sort_ratio(first.normal, second.normal) / 100
    return 0.9 + 0.09 * letters if same_quantity(a, b)[0] else 0.89 * letters


@lru_cache(maxsize=16384)
def contrasts(text: str) -> frozenset[tuple[int, int]]:
    """Which sides of the contrast groups ``text`` names, as (group, side); longer phrases win over their parts."""
    padded = f" {normal_form(text)} "
    found: set[tuple[int, int]] = set()
    for group, sides in enumerate(CONTRASTS):
        phrases = sorted(((p, side) for side, names in enumerate(sides) for p in names), key=lambda x: -len(x[0]))
        rest = padded
        for phrase, side in phrases:
            if f" {phrase} " in rest:
                found.add((group, side))
                rest = rest.replace(f" {phrase} ", " | ")
    return frozenset(found)


def _concepts(text: str) -> frozenset[str]:
    """Concepts of the whole name, else of the name without its contrast words, else without its last symbols."""
    for candidate in ([t for t in _tokens(text, fold=True) if t not in STOP_WORDS], _content(text)):
        if found := SYNONYMS.get(" ".join(candidate)):
            return found
    content = _content(text)
    while len(content) > 1 and len(content[-1]) <= 5:
        whole, last = SYNONYMS.get(" ".join(content[:-1])), SYNONYMS.get(content[-1])
        if whole and (whole & last if last else not any(map(str.isdigit, content[-1]))):
            return whole & last if last else whole
        content = content[:-1] if whole is None and last is None and len(content[-1]) <= 3 else []
    return frozenset()


def without_contrasts(text: str) -> str:
    """The normal form of a name without contrast phrases (``onset``, ``zero resistance``)."""
    return _CONTRAST.sub(" ", normal_form(text))


def _content(text: str) -> list[str]:
    """The words of a name without contrast phrases and stop words."""
    return [token for token in without_contrasts(text).split() if token not in STOP_WORDS]


def _tokens(text: str, *, fold: bool) -> list[str]:
    text = "".join(_GREEK.get(character, character) for character in plain(text)) if fold else plain(text)
    text = re.sub(r"[\^_]\{?,?([A-Za-z]{3,})\}?", r" \1 ", text)
    text = re.sub(r"[_^{}$\\]", "", text)
    if not fold:
        return re.findall(r"[\w′']+", text)
    text = unicodedata.normalize("NFD", text.lower())
    text = "".join(character for character in text if not unicodedata.combining(character))
    text = re.sub(r"['’]s\b", "", text.replace("′", "'"))
    return [_singular(token) for token in re.findall(r"[a-z0-9']+", text)]


def _singular(token: str) -> str:
    return token[:-1] if len(token) > 3 and token.endswith("s") and not token.endswith(("ss", "'s")) else token
