"""Answers in words: does a text say the gold's name, and does it say anything else?"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pincite_materials.comparing import relative_error
from pincite_materials.units import same_kind
from pincite_scoring.literature_qa.prose import Conclusion, conclusion, is_aside, opening, seen
from pincite_scoring.literature_qa.quantities import Quantity, quantities, spelled
from pincite_scoring.literature_qa.species import in_names, is_of_another, is_other_species
from pincite_scoring.literature_qa.word_answers import normal

Said = Literal["right", "wrong", "open"]

_TOKEN = re.compile(r"[\w+*%°]+(?:['’′./:][\w+*%°]+)*")
FILLER = frozenset(
    re.findall(
        r"[\w.]+",
        "a an and about all also answer are as at be been being both by called can did do does for found from gas "
        "given had has have here i in into is it its kept known made named namely of on one only paper reported said "
        "see shown so study such that the their them then there therefore these they this those thus to use used using "
        "value was were what when where which while who with work i.e e.g viz abbreviated abbreviation respectively "
        "specifically approximately according based text table figure fig page authors states stated during throughout "
        "under whole entire experiment experiments sample samples same every constant",
    )
)
"""Words that say nothing of their own beside a name."""
NEGATING = frozenset(
    re.findall(
        r"[\w']+",
        "not no never neither nor without except excluding unlike instead rather wrong false isn't wasn't aren't "
        "weren't non cannot absent absence lacks lacking",
    )
)
_CHOOSING = frozenset(("or", "either", "versus", "vs"))
_ADDING = frozenset(("and", "both", "plus", "also", "well", "additionally", "together"))
_AGAINST = frozenset(("not", "no", "than", "unlike", "except", "without", "versus", "isn't", "wasn't", "never"))
"""Words right before a name by which it is what is not meant."""
_ITEMS = re.compile(r"\s*(?:[,;&+]|\s/\s|\band\b|\bplus\b)\s*", re.IGNORECASE)
_SHORT_ITEM = 3
"""Words of an item of a list; more are a remark."""
_SEQUENCE = re.compile(r"[ACGTUN](?:[ \-]?[ACGTUN]){7,}", re.IGNORECASE)
_ENDS = re.compile(r"[53]\s*['’′`]\s*-?|-?\s*[53]\s*['’′`]")
_IDENTIFIER = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z/])[A-Za-z\d][A-Za-z\d.*_/()-]{1,60}")
_LIKE = 0.34
"""Share of letters by which a word may differ from the gold's and still be a slip or a form of it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the question and the gold's passage say: their words tell nothing new in an answer."""

    question: str = ""
    passage: str = ""

    def known(self, left: Sequence[str]) -> frozenset[str]:
        """The words beside a name that may stand there: those of the passage, and those of the question but for its
        numbers and names; where the question offers a choice, or the answer adds something, only the passage's."""
        passage = frozenset(tokens_of(self.passage))
        asked = tokens_of(self.question)
        if _CHOOSING.intersection(asked) or _ADDING.intersection(left):
            return passage
        return passage | {word for word in asked if not any(map(str.isdigit, word))}


def tokens_of(text: str) -> list[str]:
    """The words of a text in comparable form, simple species by their names."""
    return _TOKEN.findall(normal(in_names(text)))


def says(text: str, spellings: Iterable[str], context: Context) -> Said:
    """Whether a short text says one of ``spellings`` and nothing that bears on it beside.

    ``right``: it is one of them, or holds one and else only words of the question, of the passage or of no weight.
    ``wrong``: it holds none, and no word of any; or one of them among others to choose from. ``open``: the rest.
    """
    spellings = list(spellings)
    forms = [tokens_of(spelling) for spelling in spellings]
    if tokens_of(text) in forms:
        return "right"
    text = without_known_quantities(text, f"{context.passage} {' '.join(spellings)}")
    given = tokens_of(text)
    if normal(text) in {normal(spelling) for spelling in spellings} or given in forms:
        return "right"
    rests = [rest for form in forms if (rest := _without(given, form)) is not None]
    if _has_other_quantity(text, spellings):
        return "wrong"
    if not rests:
        if is_other_species([word for word in given if word not in FILLER], forms):
            return "wrong"
        return "open" if _alike(given, forms, context) else "wrong"
    left = min(rests, key=len)
    own = {word for form in forms for word in form}
    strange = [word for word in left if word not in own and word not in FILLER and word not in _CHOOSING]
    if _set_against(given, forms) or _is_another(given, forms, context):
        return "wrong"
    known = context.known(left)
    if any(word in _CHOOSING for word in left) and any(word not in known for word in strange):
        return "wrong"
    new = [word for word in strange if word not in known and not _is_form(word, own) and not _inflects(word, known)]
    if any(is_other_species([word], forms) for word in new):
        return "wrong"
    if new and _only_explained(text, forms, known | own):
        return "right"
    if new and _among_others(text, forms, known | own):
        return "wrong"
    denying = [word for word in left if word in NEGATING or word in _CHOOSING]
    asked = " ".join(tokens_of(context.question))
    asked_too = [word for word, behind in pairwise(given) if f"{word} {behind}" in asked]
    return "open" if new or len(denying) > 1 or any(word not in asked_too for word in denying) else "right"


def _has_other_quantity(text: str, spellings: Sequence[str]) -> bool:
    """Whether a text states another quantity of a kind that the gold's own spellings state."""
    true = [each for spelling in spellings for each in quantities(spelling) if each.unit]
    told = [each for each in quantities(text) if each.unit]
    kinds = [(one, [each for each in true if same_kind(one.unit, each.unit)]) for one in told]
    return any(same and not any(_is_same_quantity(one, each) for each in same) for one, same in kinds)


def _inflects(word: str, known: Iterable[str]) -> bool:
    """Whether a word is one of ``known`` with an ending: ``showed`` and ``show``."""
    return any(
        min(len(word), len(each)) >= 4
        and abs(len(word) - len(each)) <= 3
        and (word.startswith(each) or each.startswith(word))
        for each in known
    )


def _without(given: Sequence[str], form: Sequence[str]) -> list[str] | None:
    """The words without every run of ``form``; None where there is none."""
    left: list[str] = []
    place, found = 0, False
    while place < len(given):
        if form and list(given[place : place + len(form)]) == list(form):
            place, found = place + len(form), True
        else:
            left.append(given[place])
            place += 1
    return left if found else None


def _only_explained(text: str, forms: Sequence[Sequence[str]], known: frozenset[str] | set[str]) -> bool:
    """Whether what is new stands in brackets behind the name, and neither denies it, offers a choice, nor has a number:
    ``GFAP (glial fibrillary acidic protein)``."""
    inside = " ".join(_INSIDE.findall(text))
    weighing = NEGATING | _CHOOSING
    if any(tokens_of(each)[:1] == [word] for each in _INSIDE.findall(text) for word in _ADDING):
        return False
    if any(word in weighing or word[0].isdigit() for word in tokens_of(inside)):
        return False
    bare = tokens_of(_INSIDE.sub(" ", text))
    rests = [rest for form in forms if (rest := _without(bare, form)) is not None]
    return bool(rests) and all(word in FILLER - weighing or word in known for word in min(rests, key=len))


_INSIDE = re.compile(r"\(([^()]*)\)")


def _set_against(given: Sequence[str], forms: Sequence[Sequence[str]]) -> bool:
    """Whether every run of the gold's words stands behind a word that sets it against what is meant."""
    places = [
        place
        for form in forms
        for place in range(len(given))
        if form and list(given[place : place + len(form)]) == list(form)
    ]
    own = {word for form in forms for word in form}
    return bool(places) and all(_word_before(given, place, own) in _AGAINST for place in places)


def _is_another(given: Sequence[str], forms: Sequence[Sequence[str]], context: Context) -> bool:
    """Whether every run of the gold's words is only a part of another compound's name, or has an attribute before it
    that is the opposite of one in the passage: ``nitrogen oxide``, ``humid nitrogen`` for dry."""
    passage = frozenset(tokens_of(context.passage))
    runs = [
        (form, given[place - 1] if place else "", " ".join(given[place + len(form) : place + len(form) + 1]))
        for form in forms
        for place in range(len(given))
        if form and list(given[place : place + len(form)]) == list(form)
    ]
    longest = [run for run in runs if not any(len(other[0]) > len(run[0]) and run[0][0] in other[0] for other in runs)]
    return bool(longest) and all(
        is_of_another(form, before, behind) or (before not in passage and bool(_OPPOSITES.get(before, _NONE) & passage))
        for form, before, behind in longest
    )


_NONE: frozenset[str] = frozenset()
_OPPOSED = (
    ("dry dried anhydrous", "humid wet moist humidified hydrous"), ("warm hot", "cold cool"),
    ("fresh", "aged old stale"),
    ("upper top", "lower bottom"), ("left", "right"), ("inner", "outer"), ("high highest", "low lowest"),
    ("light", "dark"), ("open", "closed covered sealed"), ("thin", "thick"), ("early earlier", "late later"),
    ("male", "female"), ("oxidised oxidized", "reduced"), ("positive", "negative"), ("filtered", "unfiltered"),
    ("treated", "untreated"), ("doped", "undoped"), ("crystalline", "amorphous"), ("liquid", "solid"),
)  # fmt: skip
_OPPOSITES = {
    word: frozenset(others.split())
    for pair in _OPPOSED
    for words, others in (pair, pair[::-1])
    for word in words.split()
}
"""Attributes that exclude each other."""


def _word_before(given: Sequence[str], place: int, own: set[str]) -> str:
    """The word before a place, words of the gold itself left out."""
    while place > 0 and given[place - 1] in own:
        place -= 1
    return given[place - 1] if place else ""


def _among_others(text: str, forms: Sequence[Sequence[str]], known: frozenset[str] | set[str]) -> bool:
    """Whether the text is a list of short items, of which some are the gold's and some are new."""
    items = [tokens_of(item) for item in _ITEMS.split(text)]
    items = [[word for word in item if word not in FILLER] for item in items if item]
    right = [item for item in items if any(_without(item, form) is not None for form in forms)]
    others = [item for item in items if item and not any(word in known for word in item)]
    return bool(right) and any(len(item) <= _SHORT_ITEM for item in others) and len(right[0]) <= _SHORT_ITEM + 2


def without_known_quantities(text: str, passage: str) -> str:
    """``text`` without the quantities that the passage states too, in the same or another unit, or bare."""
    there = quantities(passage)
    searched = spelled(text)
    kept: list[str] = []
    place = 0
    for each in quantities(text):
        if any(_is_same_quantity(each, other) for other in there):
            end = searched.find(each.unit, each.end) + len(each.unit) if each.unit else each.end
            kept.append(searched[place : each.start])
            place = max(end, each.end)
    return "".join([*kept, searched[place:]]) if kept else text


def _is_same_quantity(one: Quantity, other: Quantity) -> bool:
    if one.unit and other.unit:
        error = relative_error(one.value, one.unit, other.value, other.unit)
        return error is not None and error <= _SAME
    return one.value == other.value


_SAME = 1e-6
"""Relative difference of one quantity in two units: the rounding of conversions."""


def _alike(given: Sequence[str], forms: Sequence[Sequence[str]], context: Context) -> bool:
    """Whether the text may name the gold all the same: it has a part of it, or forms of its words, and no word in the
    place of another."""
    asked = frozenset(tokens_of(context.question)) | FILLER
    told = [word for word in given if word not in asked]
    for form in forms:
        own = [word for word in form if word not in asked and not word[0].isdigit()]
        shared = [word for word in told if word in own or _is_form(word, own)]
        replaced = len(shared) < len(told) and any(word not in told and not _is_form(word, told) for word in own)
        if shared and not replaced:
            return True
    return False


def _is_form(word: str, own: Iterable[str]) -> bool:
    """Whether a word has the stem of one of ``own``: ``biopsy`` and ``biopsies``, ``afternoon`` and ``afternoons``."""
    for other in own:
        shorter = min(len(word), len(other))
        if shorter >= 4 and word[: shorter - 1] == other[: shorter - 1] and abs(len(word) - len(other)) <= 3:
            return True
    return False


def says_name(answer: str, golds: Sequence[str], context: Context) -> str | None:
    """The outcome for a name whose spellings nobody has listed in full: correct where the answer commits to one of
    ``golds``, incorrect where it is an identifier that stands nowhere in the answer; None for what only a model can
    tell."""
    said = conclusion(answer)
    first = opening(answer)
    for each in (said, first):
        if each is not None and any(_commits(each, gold, context) for gold in golds):
            return "correct"
    parts = [_parts(gold) for gold in golds]
    if all(len(items) > 1 for items in parts):
        return _several_names(answer, [said, first], parts, context)
    if said.emphasised and not _stands_somewhere(answer, golds):
        return "incorrect"
    return None


def _parts(gold: str) -> list[str]:
    """The names of a gold that is several."""
    items = [item.strip() for item in _PARTS.split(gold.strip(" .")) if item.strip()]
    return items if all(len(item.split()) <= _SHORT_ITEM for item in items) else [gold]


_PARTS = re.compile(r"\s*(?:[,;]|\band\b)\s*", re.IGNORECASE)


def _stands_somewhere(answer: str, names: Sequence[str]) -> bool:
    """Whether one of the names, all of them identifiers, stands in the answer; True where one is none."""
    if not all(_IDENTIFIER.fullmatch(name.strip()) for name in names):
        return True
    there = _letters(answer)
    return any(_letters(name) in there for name in names)


def _several_names(
    answer: str, said: Sequence[Conclusion | None], golds: Sequence[Sequence[str]], context: Context
) -> str | None:
    """The outcome for several names: correct where all are committed to and no other; incorrect where the answer is a
    list with one of them and one that is none, or where an identifier among them stands nowhere."""
    for each in said:
        if each is None:
            continue
        if any(_names_all(each, gold, context) for gold in golds):
            return "correct"
    if not any(_stands_somewhere(answer, gold) for gold in golds):
        return "incorrect"
    if all(_DOI.fullmatch(name) for gold in golds for name in gold):
        return _same_dois(conclusion(answer), golds)
    items = _ITEMS.split(conclusion(answer).words.strip(" ."))
    if len(items) > 1 and all(len(item.split()) <= _SHORT_ITEM for item in items):
        for gold in golds:
            fits = [[says(item, [name], context) for name in gold] for item in items]
            if any("right" in row for row in fits) and any(set(row) == {"wrong"} for row in fits):
                return "incorrect"
    return None


def _same_dois(said: Conclusion, golds: Sequence[Sequence[str]]) -> str | None:
    """The outcome where works are asked for by their DOIs: by those that a conclusion lists, and only where it lists
    nothing that it excludes."""
    held = {doi.casefold().rstrip(".,;)*") for doi in _DOI.findall(said.words)}
    if not held or any(word in NEGATING or word in _LEAVING_OUT for word in tokens_of(_DOI.sub(" ", said.words))):
        return None
    return "correct" if any(held == {doi.casefold() for doi in gold} for gold in golds) else "incorrect"


_DOI = re.compile(r"10\.\d{4,9}/[^\s,;|]+")
_LEAVING_OUT = frozenset(("exclude", "excluded", "inappropriate", "less", "potentially", "possibly", "however", "if"))


def _names_all(said: Conclusion, names: Sequence[str], context: Context) -> bool:
    """Whether what is in bold, or else the whole short conclusion, is all of the names and nothing else."""
    items = [each for each in said.emphasised if not is_aside(each) and not _is_asked(each, context)]
    items = [item for each in items for item in _parts(each)] or _ITEMS.split(said.words.strip(" ."))
    named = [[says(item, [name], context) == "right" for name in names] for item in items]
    words = tokens_of(said.words)
    if any(word in NEGATING or word in _CHOOSING for word in words):
        return False
    return all(map(any, named)) and all(any(row[place] for row in named) for place in range(len(names)))


def _is_asked(text: str, context: Context) -> bool:
    """Whether a text only repeats the question."""
    asked = frozenset(tokens_of(context.question)) | FILLER
    return all(word in asked for word in tokens_of(text)) or _letters(text) in _letters(context.question)


def _letters(text: str) -> str:
    return re.sub(r"\W", "", normal(in_names(seen(text))))


def _commits(said: Conclusion, gold: str, context: Context) -> bool:
    if says(said.words, [gold], context) == "right":
        return True
    bold = [each for each in said.emphasised if not _is_asked(each, context)]
    named = [each for each in bold if not is_aside(each) and not _is_quantity(each)]
    if not named or not all(says(each, [gold], context) == "right" for each in named):
        return False
    words = tokens_of(said.words)
    return not any(word in NEGATING or word in _CHOOSING for word in words)


def _is_quantity(text: str) -> bool:
    """Whether a text is a number with its unit and no name."""
    return re.match(r"[~<>≈±+-]?\s*\d", text) is not None and len(text.split()) <= _SHORT_ITEM


def sequence_of(text: str) -> str:
    """The bases of a text that is a sequence, without its ends, blanks and hyphens; "" where it is none."""
    bare = re.sub(r"[\s-]", "", _ENDS.sub("", seen(text)))
    return bare.upper() if re.fullmatch(r"[ACGTUN]{8,}", bare, re.IGNORECASE) else ""


def says_sequence(answer: str, sequence: str) -> str | None:
    """The outcome for a sequence of bases: correct where the answer holds it and no other, incorrect where it holds
    others only."""
    held = {re.sub(r"[\s-]", "", run).upper() for run in _SEQUENCE.findall(_ENDS.sub(" ", seen(answer)))}
    held = {run for run in held if len(run) >= len(sequence) // 2 or run == sequence}
    if sequence not in held:
        return "incorrect" if held else None
    return "correct" if held == {sequence} else None
