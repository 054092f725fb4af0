"""Naming: longer names of one thing, where the paper itself puts the added words beside the name."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pincite_papers.model import Paper

MOST_ADDED = 8
"""Words that may stand beside a name; more are a sentence."""
LONGEST = 200
"""Characters of a name."""
_WORD = re.compile(r"[^\W_]+(?:[-:'’][^\W_]+)*|[+/]")
_NAME = re.compile(r"(?=.*\d|(?:[^A-ZΑ-Ω]*[A-ZΑ-Ω]){2}).{2,}")
"""A code or acronym (QV-7, F4c, STING): it names one thing, whatever stands beside it."""
_OTHERWISE = frozenset({
    "without", "no", "not", "non", "nor", "never", "minus", "free", "lacking", "anti", "against", "and", "or", "plus",
    "with", "+", "/", "versus", "vs", "than", "from", "in", "on", "by", "at", "before", "after", "instead", "except",
    "analog", "analogue", "derivative", "mutant", "variant", "fragment", "deficient", "inactivated",
    "inhibitor", "antagonist", "agonist", "blocker", "antibody", "antibodies", "conjugate", "conjugated", "combined",
    "mixture", "placebo", "control",
})  # fmt: skip
"""Words beside a name that make it another thing, or more than one."""
_FUNCTION = frozenset({
    "a", "an", "the", "this", "that", "these", "our", "its", "their", "of", "to", "with", "for", "from", "in", "on",
    "by", "and", "or", "as", "is", "was", "are", "were", "than", "against",
})  # fmt: skip
"""Words before a noun that say nothing of its kind."""
_SHORT = re.compile(r"(?=.*[A-Z])[A-Za-z0-9-]{2,10}")
_ASIDE = re.compile(r"(?P<first>[^()]+?)\s*\((?P<second>[^()]+)\)")
_COPULAS = frozenset({"is", "are", "means", "denotes", "called"})
_OF = re.compile(r"^(\S+(?: \S+)?) of (\S+(?: \S+)?)$")


@dataclass(frozen=True, slots=True)
class Context:
    """What else is known of a gold value: the words of the papers, and the other values of its object."""

    papers: Callable[[], tuple[str, ...]] = tuple
    """The words of each paper, folded, a blank before and behind each; read when they are first needed."""
    others: frozenset[str] = frozenset()
    """Values of the object's other fields."""

    @classmethod
    def of(cls, papers: Mapping[str, Paper]) -> "Context":
        """The context that holds for every object of the papers."""
        return cls(cache(lambda: tuple(_spaced(words_of(paper.text)) for paper in papers.values())))

    def within(self, others: Iterable[str]) -> "Context":
        """The context of one object that has these other values."""
        return Context(self.papers, frozenset(others))


NOTHING = Context()


def words_of(text: str) -> tuple[str, ...]:
    """Words in lower case, without punctuation."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).replace("\u2011", "-").casefold()))


_words = lru_cache(maxsize=16384)(words_of)


def same_name(answer: str, gold: str, context: Context) -> bool:
    """Whether ``answer`` is ``gold`` by another name: "beads of X" for "X beads"; or a code or acronym with words
    beside it (``saponin QV-7``, ``CSR-9, a repeat protein``, ``STING (stimulator …)``) that the paper prints there."""
    if max(len(answer), len(gold)) > LONGEST:
        return False
    name, words = _words(gold), _words(answer)
    if _spelled_out(answer, gold, context):
        return True
    if not {*name} <= {*words} and not {*words} <= {*name}:
        return False
    if _turned(words) == " ".join(name) or _turned(name) == " ".join(words):
        return True
    if not _NAME.fullmatch(gold) or not name or len(words) > len(name) + MOST_ADDED:
        return False
    for at in range(len(words) - len(name) + 1):
        if words[at : at + len(name)] == name:
            added = (words[:at], words[at + len(name) :])
            return _adds_nothing_else(answer, name, [*added[0], *added[1]]) and _beside(name, added, context.papers())
    return False


def _adds_nothing_else(answer: str, name: Sequence[str], added: Sequence[str]) -> bool:
    """Whether the added words are plain ones: no second name, no number, nothing that makes it another thing."""
    plain = all(word.isalpha() or "-" in word for word in added) and not any(map(str.isdigit, "".join(added)))
    codes = [word for word in _WORD.findall(answer) if _NAME.fullmatch(word) and word.casefold() not in name]
    return bool(added) and plain and not codes and not _OTHERWISE & set(added)


def _spelled_out(answer: str, gold: str, context: Context) -> bool:
    """Whether one is the other's long form, alone or with the short one in brackets (``Toll-like receptor 4 (TLR4)``),
    where a paper prints the two side by side."""
    aside = _ASIDE.fullmatch(answer.strip())
    pairs = [(aside["first"], aside["second"])] if aside is not None else [(answer, gold)]
    for one, other in pairs:
        if aside is not None and _words(gold) not in (_words(one), _words(other)):
            continue
        long, short = sorted((one, other), key=len, reverse=True)
        sides = _words(long), _words(short)
        if _SHORT.fullmatch(short.strip()) and _stands_for(short, sides[0]):
            printed = {_spaced([*a, *b]) for a, b in (sides, sides[::-1])}
            if any(each in paper for each in printed for paper in context.papers()):
                return True
    return False


def _stands_for(short: str, long: Sequence[str]) -> bool:
    """Whether the letters and digits of a short form stand in the long one in their order, the first at its beginning,
    and every number of the long one is one of the short one's."""
    wanted = [mark for mark in short.casefold() if mark.isalnum()]
    letters = iter("".join(long))
    numbers = {word for word in long if word.isdigit()}
    return (
        len(long) > 1
        and long[0][:1] == wanted[0]
        and all(mark in letters for mark in wanted)
        and numbers <= {*re.findall(r"\d+", short)}
    )


def _one_kind(word: str, noun: str, papers: tuple[str, ...]) -> bool:
    """Whether the word is the only one that tells the noun's kind wherever a paper prints one before it."""
    before = re.compile(rf" (\S+) (?={re.escape(noun)} )")
    return {kind for paper in papers for kind in before.findall(paper)} - _FUNCTION == {word}


def _without_kinds(words: Sequence[str], papers: tuple[str, ...]) -> Sequence[str]:
    """Words before a name without an article, and without what tells the kind of their last one in the papers:
    ``haemagglutinin`` of ``the recombinant haemagglutinin``."""
    while len(words) > 1 and (
        words[0] in _FUNCTION
        or (len(words) == 2 and not {*words} & _OTHERWISE and _one_kind(words[0], words[1], papers))
    ):
        words = words[1:]
    return words


def _beside(name: Sequence[str], added: Sequence[Sequence[str]], papers: tuple[str, ...]) -> bool:
    """Whether a paper prints the words before and behind the name on a side of it, as they stand or joined by "is"."""
    before, behind = added
    shorter = _without_kinds(before, papers)
    return all(
        any(_spaced(way) in paper for paper in papers for words in ways for way in _ways(name, words))
        for ways in ((before, shorter), (behind,))
        if ways[0]
    )


def _ways(name: Sequence[str], words: Sequence[str]) -> list[list[str]]:
    joined = [[*name, copula, *words] for copula in sorted(_COPULAS)]
    return [[*words, *name], [*name, *words], *joined]


def _turned(words: Sequence[str]) -> str | None:
    """ "chitosan beads" of "beads of chitosan"."""
    found = _OF.match(" ".join(words))
    return f"{found[2]} {found[1]}" if found is not None else None


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


_COUNTED = re.compile(r"\b(?:atoms?|ions?|carriers?|electrons?|holes?)\b", re.IGNORECASE)
_EACH = re.compile(r"\s*(?:,? each|(?:/|per |a )\s?(?:dose|injection|immuni[sz]ation|vaccination|shot|animal))\s*$")
"""What a dose is given with; it is one of it by the definition of the field."""
_MCG = re.compile(r"\bmcg\b")
_BRACKETED = re.compile(r"^[^\d()]{1,40}\((\d[^()]*)\)$")
"""A value in words with its number behind: ``room temperature (300 K)``."""
_SPELLED = tuple(
    (re.compile(rf"\b{word} ?(?:%|per ?cent\b)", re.IGNORECASE), said)
    for word, said in (("atom(?:ic)?", "at.%"), ("weight", "wt.%"), ("mol(?:e|ar)?", "mol%"), ("vol(?:ume)?", "vol%"))
)


_SHARE = re.compile(r"\b(at|mol|wt|mass|vol)(?=[\W_]{0,2}%)", re.IGNORECASE)


def share_of(text: str) -> str:
    """What a percentage is a share of: ``at`` (moles too), ``wt``, ``vol``; empty where it does not say."""
    found = _SHARE.search(bare_number(text, NOTHING.others))
    said = found[1].lower() if found is not None else ""
    return {"mol": "at", "mass": "wt"}.get(said, said)


@lru_cache(maxsize=8192)
def bare_number(text: str, others: frozenset[str]) -> str:
    """A number with its unit, without the names of what is counted: ``2.4e19 Mg atoms per cm^3`` of an object with Mg,
    ``2.0 at% Al``; ``atomic %`` becomes ``at.%``."""
    bracketed = _BRACKETED.match(text)
    plain = _EACH.sub("", _MCG.sub("µg", bracketed[1] if bracketed is not None else text))
    for pattern, said in _SPELLED:
        plain = pattern.sub(said, plain)
    for other in others:
        if other.isalpha():
            plain = re.sub(rf"(?<=[\s\d%.]){re.escape(other)}\b", " ", plain)
    counted = _COUNTED.sub(" ", plain) if re.search(r"\d", plain) else plain
    return re.sub(r"\s+", " ", counted).strip()
