"""Is the number that an answer states the gold's? A rule that reads units, prose and what stands beside."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pincite_materials.comparing import Stated, compare_stated
from pincite_materials.units import same_kind
from pincite_scoring.literature_qa.answers import QuestionReply
from pincite_scoring.literature_qa.clauses import asked_clause
from pincite_scoring.literature_qa.gold import Gold
from pincite_scoring.literature_qa.prose import Conclusion, bold_of, conclusion, opening, tidy
from pincite_scoring.literature_qa.quantities import (
    Fit,
    Quantity,
    Wanted,
    distinct,
    fit,
    joined,
    quantities,
    wanted_of,
)


def says_number(reply: QuestionReply, gold: Gold, question: str) -> str | None:
    """correct, incorrect, or None where the rules cannot tell: the number agrees and its unit may not, it is a
    rounding of the true one, or it stands among others."""
    exact = "tolerance" in gold.model_fields_set
    true = [wanted_of(spelling, gold.unit, question, gold.tolerance, exact=exact) for spelling in gold.spellings]
    wanted = [each for each in true if each is not None]
    if len(wanted) < len(true) or not wanted:
        return _as_stated(reply, gold)
    if isinstance(reply.value, list) and len(reply.value) > 1:
        each = {says_number(QuestionReply(item), gold, question) for item in reply.value}
        return each.pop() if len(each) == 1 else "incorrect"
    passage = gold.source.quote or "" if gold.source is not None else ""
    found = _says(conclusion(reply.words), reply, wanted, question, passage)
    first = opening(reply.words)
    if found is not None or first is None or not any(map(quantities, first.emphasised)):
        return found
    if _says(first, reply, wanted, question, passage) != "correct":
        return found
    bold = [each for text in bold_of(reply.words) for each in quantities(text)]
    right = [each for each in bold if _best(each, wanted, question) == "right"]
    asked = {each.value for each in quantities(tidy(question))}
    rivals = [each for each in bold if each.value not in asked and _best(each, wanted, question) == "wrong"]
    return None if any(_may_be_meant(each, right) for each in rivals) else "correct"


def _may_be_meant(rival: Quantity, right: list[Quantity]) -> bool:
    """Whether a quantity in bold is of the kind of the right one, or either has no unit that would tell."""
    return any(_same_class(rival, each) or not (rival.unit and each.unit) for each in right)


def _says(said: Conclusion, reply: QuestionReply, wanted: list[Wanted], question: str, passage: str) -> str | None:
    clause = asked_clause(said.words, question, wanted[0].unit)
    if clause is not None:
        said = Conclusion(clause, tuple(each for each in said.emphasised if each in clause), said.marked, False)
        stated = [_best(each, wanted, question) for each in quantities(clause) if _same_unit(each, wanted)]
        if all(each == "wrong" for each in stated):
            return "incorrect"
    against = _AGAINST.search(said.words)
    if clause is None and against is not None and any(map(quantities, [said.words[: against.start()]])):
        said = replace(said, words=said.words[: against.start()], whole=False)
    named = _committed(said, question, wanted)
    if not named:
        return _elsewhere(reply, wanted, question) if not said.whole else "incorrect"
    fits: list[Fit] = [_best(each, wanted, question) for each in named]
    if all(each == "wrong" for each in fits):
        return "incorrect" if said.marked and len(named) == 1 else _elsewhere(reply, wanted, question)
    if any(each.negated for each in named):
        return None
    if _to_choose(said, wanted, question) or (question and _opposite(said.words, question)):
        return "incorrect"
    return "correct" if "right" in fits and not _rivals(said, named, fits, passage) else None


_AGAINST = re.compile(r"[,;(]?\s*\b(?:against|(?:as )?compared (?:to|with)|versus|vs\.?)\s", re.IGNORECASE)
"""What stands behind is what the answer's number is held against."""
_RISING = re.compile(r"\b(?:increas|ros|rise|rising|gain|grow|grew|improv|climb)\w*", re.IGNORECASE)
_FALLING = re.compile(r"\b(?:decreas|fall|fell|los[et]|losing|loss|drop|declin|shr[iau]nk|reduc)\w*", re.IGNORECASE)


def _opposite(words: str, question: str) -> bool:
    """Whether a change is said to go the other way than the one that is asked for."""
    asked = bool(_RISING.search(question)), bool(_FALLING.search(question))
    told = bool(_RISING.search(words)), bool(_FALLING.search(words))
    return any(asked) and any(told) and asked == (told[1], told[0]) and asked[0] != asked[1]


def _rivals(said: Conclusion, named: list[Quantity], fits: Sequence[Fit], passage: str) -> list[Quantity]:
    """The quantities beside the right one that could be meant as the answer: of its kind, and no remark in brackets
    or from the passage behind it."""
    right = named[fits.index("right")]
    others = [each for each, found in zip(named, fits, strict=True) if found != "right" and _same_class(each, right)]
    if fits[0] != "right":
        return others
    known = {each.value for each in quantities(passage)}
    remarks = _remarks(said.words)
    return [each for each in others if each.value not in known and each.value not in remarks]


def _same_unit(each: Quantity, wanted: list[Wanted]) -> bool:
    return bool(each.unit) and same_kind(each.unit, wanted[0].unit)


def _same_class(one: Quantity, other: Quantity) -> bool:
    if one.unit and other.unit:
        return same_kind(one.unit, other.unit)
    return one.unit == other.unit and one.strange.casefold() == other.strange.casefold()


_BRACKETS = re.compile(r"\(([^()]*)\)")


def _remarks(words: str) -> set[float]:
    """The values that stand in brackets with words of their own: what is no other print of the answer."""
    held: set[float] = set()
    for inner in _BRACKETS.findall(words):
        if len(re.findall(r"[A-Za-z]{3,}", inner)) >= _WORDS_OF_A_REMARK:
            held |= {each.value for each in quantities(inner)}
    return held


_WORDS_OF_A_REMARK = 2
"""Words from which what stands in brackets is a remark, not a unit. Set by judgement."""


def _as_stated(reply: QuestionReply, gold: Gold) -> str | None:
    """A gold that is a bound, a range or several numbers: the whole answer against the whole gold."""
    stated = Stated(reply.words)
    value, unit = stated.quantity()
    if value is not None and not unit and gold.unit:
        stated = Stated(reply.words, gold.unit)
    fits = [compare_stated("number", stated, Stated(true)) for true in gold.spellings]
    if any(each.within(gold.tolerance) for each in fits):
        return "correct"
    return None if value is None or len(reply.words) > _SHORT else "incorrect"


_SHORT = 60
"""Characters of an answer that is a value and no sentence."""


def _committed(said: Conclusion, question: str, wanted: list[Wanted]) -> list[Quantity]:
    """The quantities that a conclusion commits to: those in bold where there are any, else all; numbers that the
    question itself gives are conditions, unless one of them is right."""
    asked = {each.value for each in quantities(tidy(question))} - {each.value for each in wanted}
    bold = [each for text in said.emphasised for each in quantities(_result(text)) if each.value not in asked]
    return distinct(bold or [each for each in quantities(_result(said.words)) if each.value not in asked])


_CALCULATION = re.compile(
    r"[^\n.;:]*?\d[^\n=≈]*[-+×*/÷−–][^\n=≈]*\d[^\n=≈]*[=≈]|(?<=[=≈])[^\n=≈]*[-+×*/÷−–][^\n=≈]*[=≈]"
)


def _result(text: str) -> str:
    """``text`` with only the result of a calculation that is written out: ``19.4 - 16.2 = 3.2``."""
    return _CALCULATION.sub(" ", text)


def _best(stated: Quantity, wanted: list[Wanted], question: str) -> Fit:
    """The best fit to any of the spellings; a bound is not the number itself, and may stand for it where no tolerance
    is stated."""
    fits = {fit(stated, each, question) for each in wanted}
    best: Fit = "right" if "right" in fits else "open" if "open" in fits else "wrong"
    if stated.bound and best != "wrong":
        return "wrong" if wanted[0].exact else "open"
    return best


def _elsewhere(reply: QuestionReply, wanted: list[Wanted], question: str) -> str | None:
    """incorrect where no number of the whole answer is, or may be, the true one."""
    fits = [_best(each, wanted, question) for each in quantities(tidy(reply.words))]
    return "incorrect" if fits and all(each == "wrong" for each in fits) else None


def _to_choose(said: Conclusion, wanted: list[Wanted], question: str) -> bool:
    """Whether the right number stands only as the end of a range, or among several to choose from."""
    inside = quantities(said.words)
    right = {place for place, each in enumerate(inside) if _best(each, wanted, question) == "right"}
    chosen: set[int] = set()
    for place, (one, other) in enumerate(pairwise(inside)):
        only_one = (place in right) != (place + 1 in right)
        if only_one and joined(said.words, one, other):
            chosen |= {place, place + 1}
    return bool(right) and right <= chosen
