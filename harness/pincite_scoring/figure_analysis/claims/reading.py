"""Reading: an answer as sentences and clauses with the names, numbers and words of comparison in them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from pincite_papers.passages import sentence_breaks
from pincite_provenance.claims.quantities import Quantity, find_quantities
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.roles import role_of
from pincite_scoring.figure_analysis.claims.lexicon import Said, said_in
from pincite_scoring.figure_analysis.claims.model import Claims

_CUT = re.compile(
    r"[;:](?=\s)|,?\s+\b(?:but|while|whereas|although|though|yet|however|nevertheless)\b|,\s+(?:and|so that|so|which"
    r"|where|who|because|since|with|whose|as|for|when)\b|\s+and\s+(?=(?:its|it|their|the|no|they|brings?|takes?|needs?"
    r"|loses?|ends?|stays?|keeps?)\b)",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\s*-?\s*(?:(?:\w+|percentage|log|index)[\s-])?points?\b", re.IGNORECASE)
_SPELLED_UNITS = (
    ("point", _POINTS),
    (
        "decade",
        re.compile(r"\s*(?:(?:decimal|log10?|log)\s)?(?:decades?|orders? of magnitude|log units?)\b", re.IGNORECASE),
    ),
    ("times", re.compile(r"\s*(?:-\s?)?(?:times|fold|×|x)(?![\w=])", re.IGNORECASE)),
    ("trillion", re.compile(r"\s*(?:trillion|tn)\b")),
    ("billion", re.compile(r"\s*(?:billion|bn|B)\b")),
    ("million", re.compile(r"\s*(?:million|mn)\b")),
    *((unit, re.compile(rf"\s*{unit}\b")) for unit in ("kB", "MB", "GB", "TB")),
)
_FACTOR = re.compile(r"\b(?:factor|ratio)\b[^.;,]{0,40}$", re.IGNORECASE)
"""Before a number that says how many times."""
_MANIFOLD = re.compile(
    r"\b(?:(twice|twofold|double[sd]?)|(thrice|threefold|three-fold|triple[sd]?)|(tenfold|ten-fold))\b", re.IGNORECASE
)
_WITHIN = re.compile(r"\b(?:within|up to|nearly|almost|beyond)\s+(?:about\s+)?$", re.IGNORECASE)
_SHARING = re.compile(r"\s*(?:to|and|or|,|against|versus|vs\.?|instead of|compared (?:with|to))\s*", re.IGNORECASE)
"""Between two numbers of which the first goes without the unit of the second."""
_HALF = re.compile(r"\bhalf an? (?=(?:\w+ )?point|decade)|(?<=\w)\s+and a half\b", re.IGNORECASE)
_SECOND = re.compile(r"\s(?:and|then)\s(?:then\s|even\s|finally\s|later\s|only\s|it\s){0,2}$", re.IGNORECASE)
"""Between two words of direction where a second verb begins."""
_LONGEST = 2_000
"""Characters of a sentence that are read: prose has no longer ones, and reading takes the square of it."""
_ITEM = re.compile(r"\A\s*(?:[-*•–]|#{1,6}|\(?\d{1,2}[.)])\s+")
"""Before an item of a list, or a heading."""
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")
_OPEN = re.compile(
    r"\b(?:whether|(?:ask|judge|decide|tell|know|see) (?:which|what)"
    r"|how (?:far|much|many|the|\w+ (?:the|this|these|it|they)))\b",
    re.IGNORECASE,
)
"""What makes a clause a question rather than a statement."""
_FORMER_LATTER = re.compile(r"\bthe (former|latter)\b", re.IGNORECASE)
_TWO = 2
"""How many names "the former" and "the latter" refer to."""
_FIRST_PRONOUN = re.compile(r"(?:It|Its|They|Their)\b")
_BUILT_ON = re.compile(r"\s+with\s+(?:both\s+)?(?:the\s+|an?\s+)?", re.IGNORECASE)
_COMPARING = re.compile(r"\b(?:compar\w*|contrast\w*|together|along)\s[^.;]*$", re.IGNORECASE)
"""Before a name, what makes the "with" behind it set two things beside each other."""
_PRONOUN = re.compile(
    r"\b(?:it|its|they|their|them|this|these|that|those|here|such|both|each|one|latter|former)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of an entity or attribute at ``[start:end]``."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number at ``[start:end]`` with the unit that it is taken to have; ``role`` as ``roles.role_of`` has it."""

    start: int
    end: int
    value: float
    unit: str
    printed: str
    role: str = ""
    word: bool = False
    approximate: bool = False
    bound: bool = False
    """Whether it is said to be a limit: "below 50 %"."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence, ``[start:end]`` of its text."""

    start: int
    end: int
    said: tuple[Said, ...]

    def holds(self, at: int) -> bool:
        """Whether an offset of the sentence is in this clause."""
        return self.start <= at < self.end


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, offsets counted in its own text."""

    text: str
    mentions: tuple[Mention, ...]
    attributes: tuple[Mention, ...]
    numbers: tuple[Number, ...]
    clauses: tuple[Clause, ...]
    before: frozenset[str] = frozenset()
    """Entities and attributes of the sentence before, which a pronoun may stand for."""

    @property
    def keys(self) -> frozenset[str]:
        """Entities and attributes that it names."""
        return frozenset(one.key for one in (*self.mentions, *self.attributes))

    @property
    def refers_back(self) -> bool:
        """Whether it has a pronoun."""
        return _PRONOUN.search(self.text) is not None

    def clause_at(self, at: int) -> Clause:
        """The clause that holds an offset."""
        return next((one for one in self.clauses if one.holds(at)), self.clauses[-1])


def read_answer(text: str, claims: Claims) -> list[Sentence]:
    """The sentences of an answer, with what of the claims' names and of the lexicon is in them."""
    pieces = [piece for block in _blocks(text) for piece in _sentences(block)]
    entities, attributes = name_pattern(claims.entities), name_pattern(claims.attributes)
    units = tuple(sorted({clean(one.unit) for one in claims.claims if one.unit}, key=len, reverse=True))
    found: list[Sentence] = []
    before: frozenset[str] = frozenset()
    last: tuple[Mention, ...] = ()
    for piece in pieces:
        mentions, names = _with_latter(piece, _mentions(piece, entities), _mentions(piece, attributes), last, claims)
        mentions = _without_bases(piece, mentions, claims)
        mentions = _with_pronoun(piece, mentions, last, claims)
        last = (*mentions, *names) or last
        numbers = tuple(n for n in read_numbers(piece, units) if not any(m.start <= n.start < m.end for m in mentions))
        one = Sentence(piece, mentions, names, numbers, _clauses(piece, mentions), before)
        found.append(one)
        before = one.keys or before
    return found


def _blocks(text: str) -> Iterator[str]:
    """The paragraphs and list items of an answer, each on one line and without marks of Markdown."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and (not line.strip() or _ITEM.match(line)):
            yield " ".join(lines)
            lines = []
        lines += _EMPHASIS.sub("", _ITEM.sub("", line)).split()
    yield " ".join(lines)


def _sentences(block: str) -> Iterator[str]:
    edges = [0, *sentence_breaks(block, 0, len(block)), len(block)]
    for low, high in pairwise(edges):
        piece = clean(block[low:high].strip()[:_LONGEST])
        if piece:
            yield piece


def name_pattern(names: Mapping[str, Sequence[str]]) -> list[tuple[str, re.Pattern[str]]]:
    """A pattern for each name, the longest first; blanks may be hyphens, and a plural counts."""
    pairs = [(key, name) for key, forms in names.items() for name in forms]
    pairs.sort(key=lambda pair: -len(pair[1]))
    return [(key, re.compile(_spelled(clean(name)), re.IGNORECASE)) for key, name in pairs]


def _spelled(name: str) -> str:
    escaped = re.escape(name).replace(r"\ ", " ").replace(r"\-", "-")
    flexible = re.sub(r" (?=[%=])|(?<=[=]) ", r"\\s?", escaped)
    flexible = re.sub(r"[ -]", r"[\\s-]+", flexible)
    tail = r"(?:e?s)?(?![\w])" if name[-1:].isalpha() else r"(?![\w])"
    return rf"(?<![\w.]){flexible}{tail}"


def _mentions(text: str, patterns: Sequence[tuple[str, re.Pattern[str]]]) -> tuple[Mention, ...]:
    found: list[Mention] = []
    for key, pattern in patterns:
        for match in pattern.finditer(text):
            if not any(one.start < match.end() and match.start() < one.end for one in found):
                found.append(Mention(key, match.start(), match.end()))
    return tuple(sorted(found, key=lambda one: one.start))


def _with_latter(
    text: str,
    entities: tuple[Mention, ...],
    attributes: tuple[Mention, ...],
    last: tuple[Mention, ...],
    claims: Claims,
) -> tuple[tuple[Mention, ...], tuple[Mention, ...]]:
    """Entities and attributes with "the former" and "the latter" as names of what they stand for: the last two of a
    kind named before them in the sentence, or the two that the sentence before names (``last``)."""
    for match in _FORMER_LATTER.finditer(text):
        here = [one for one in sorted((*entities, *attributes), key=lambda one: one.start) if one.end <= match.start()]
        pair = list(dict.fromkeys(one.key for one in reversed(here)))[:2]
        if len(pair) < _TWO:
            pair = list(dict.fromkeys(one.key for one in sorted(last, key=lambda one: -one.start)))
        if len(pair) != _TWO or len({key in claims.entities for key in pair}) != 1:
            continue
        key = pair[0] if match[1].lower() == "latter" else pair[1]
        added = Mention(key, match.start(), match.end())
        if key in claims.entities:
            entities = tuple(sorted((*entities, added), key=lambda one: one.start))
        else:
            attributes = tuple(sorted((*attributes, added), key=lambda one: one.start))
    return entities, attributes


def _with_pronoun(
    text: str, mentions: tuple[Mention, ...], last: tuple[Mention, ...], claims: Claims
) -> tuple[Mention, ...]:
    """The names with the "it" that begins a sentence, where the sentence before names one thing and nothing else."""
    match = _FIRST_PRONOUN.match(text)
    keys = {one.key for one in last}
    if match is None or len(keys) != 1 or not keys <= set(claims.entities):
        return mentions
    return (Mention(keys.pop(), match.start(), match.end()), *mentions)


def _without_bases(text: str, mentions: tuple[Mention, ...], claims: Claims) -> tuple[Mention, ...]:
    """The names without those that another one only builds on: "top-2 routing with the shared expert" is the latter,
    where a claim about that has the former beside it or compares with it."""
    kept: list[Mention] = []
    for one, following in zip_longest(mentions, mentions[1:]):
        if following is not None and _BUILT_ON.fullmatch(text, one.end, following.start):
            related = claims.related([following.key])
            about = [claim for claim in claims.claims if related & set(claim.subject)]
            base = any(one.key in (*claim.beside, *claim.object) for claim in about)
            if base and not _COMPARING.search(text, 0, one.start):
                continue
        kept.append(one)
    return tuple(kept)


def _clauses(text: str, mentions: Sequence[Mention]) -> tuple[Clause, ...]:
    """Names are blanked first: the "without" of "without a rival" negates nothing."""
    for one in mentions:
        text = text[: one.start] + "_" * (one.end - one.start) + text[one.end :]
    edges = [0, *(match.start() for match in _CUT.finditer(text) if match.start()), len(text)]
    found: list[Clause] = []
    for low, high in pairwise(edges):
        if _OPEN.search(text, low, high):
            found.append(Clause(low, high, ()))
            continue
        said = [replace(one, start=one.start + low, end=one.end + low) for one in said_in(text[low:high])]
        found += _at_second_verb(text, Clause(low, high, tuple(said)))
    return tuple(found)


def _at_second_verb(text: str, clause: Clause) -> list[Clause]:
    """A clause that says two things of one subject ("does not fall and then rises") as two."""
    for one, following in pairwise(clause.said):
        joint = _SECOND.search(text, one.end, following.start)
        if joint:
            head = tuple(said for said in clause.said if said.start < joint.start())
            tail = tuple(said for said in clause.said if said.start > joint.start())
            rest = _at_second_verb(text, Clause(joint.start(), clause.end, tail))
            return [Clause(clause.start, joint.start(), head), *rest]
    return [clause]


def read_numbers(text: str, units: Sequence[str] = ()) -> list[Number]:
    """The numbers of a sentence with units, those of lists and ranges shared; ``half a point`` is one too.

    ``units`` are further ones, as the gold spells them.
    """
    found: list[Number] = []
    for quantity in _unbracketed(text):
        unit, end = _unit(text, quantity, units)
        role = role_of(text, quantity)
        printed = text[quantity.start : end].rstrip(".")
        bound = bool(quantity.bound) or _WITHIN.search(text, 0, quantity.start) is not None
        about = quantity.approximate
        found.append(Number(quantity.start, end, quantity.value, unit, printed, role, quantity.word, about, bound))
        if quantity.uncertainty is not None:
            found.append(Number(quantity.start, end, quantity.uncertainty, unit, printed, "spread"))
    for match in _MANIFOLD.finditer(text):
        value = (2.0, 3.0, 10.0)[(match.lastindex or 1) - 1]
        found.append(Number(match.start(), match.end(), value, "times", match[0], word=True))
    for match in _HALF.finditer(text):
        found = _with_half(text, found, match)
    return sorted(_shared(found, text), key=lambda one: one.start)


def _unbracketed(text: str) -> Iterator[Quantity]:
    """The quantities of a text, a second one in brackets behind the first apart from its unit: "0.044 GPa (+16 %)"."""
    for quantity in find_quantities(text):
        head, bracket, inside = quantity.unit.partition(" (")
        if not bracket or not any(char.isdigit() for char in inside):
            yield quantity
            continue
        cut = text.index("(", quantity.start)
        printed = text[quantity.start : cut].rstrip()
        yield replace(quantity, end=quantity.start + len(printed), unit=head, printed=printed)
        for one in find_quantities(text[cut + 1 : quantity.end]):
            yield replace(one, start=one.start + cut + 1, end=one.end + cut + 1)


def _unit(text: str, quantity: Quantity, units: Sequence[str]) -> tuple[str, int]:
    printed = re.compile(r"[\d.,]*\d|[a-z-]+", re.IGNORECASE).match(
        text, quantity.start + (text[quantity.start] in "+-")
    )
    bare = printed.end() if printed else quantity.end
    for unit, pattern in _SPELLED_UNITS:
        match = pattern.match(text, bare)
        if match:
            return unit, match.end()
    for unit in units:
        if not quantity.unit and text[bare:].lstrip().startswith(unit):
            return unit, text.index(unit, bare) + len(unit)
    if not quantity.unit and _FACTOR.search(text, 0, quantity.start):
        return "times", quantity.end
    return quantity.unit, quantity.end


def _with_half(text: str, found: list[Number], match: re.Match[str]) -> list[Number]:
    """``half a point`` as 0.5, ``three and a half points`` as 3.5."""
    unit = next((name for name, pattern in _SPELLED_UNITS if pattern.match(text, match.end())), "")
    whole = next((one for one in found if one.end == match.start()), None)
    if whole is None:
        return [*found, Number(match.start(), match.end(), 0.5, unit, match[0].strip(), word=True)] if unit else found
    raised = replace(whole, value=whole.value + 0.5, unit=whole.unit or unit, end=match.end())
    return [raised if one is whole else one for one in found]


def _shared(found: list[Number], text: str) -> list[Number]:
    """Numbers of one list or range without a unit take that of the next one: ``2 to 3 points``, ``4 points and 14``."""
    shared = sorted(found, key=lambda one: one.start)
    for index in range(len(shared) - 2, -1, -1):
        this, following = shared[index], shared[index + 1]
        gap = text[this.end : following.start]
        if not this.unit and following.unit and _SHARING.fullmatch(gap):
            shared[index] = replace(this, unit=following.unit)
    return shared
