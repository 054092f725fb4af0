"""Is an open answer right? A rule for every kind, and the words by which a model decides instead."""

import math
import re
from collections.abc import Callable, Mapping

from pincite_materials.comparing import Stated, compare_stated
from pincite_materials.formulas import parse_formula
from pincite_materials.units import convert
from pincite_materials.values import find_numbers
from pincite_scoring.judging.judge import Item, Labels, Question, Rubric, Verdict
from pincite_scoring.literature_qa.answers import QuestionReply
from pincite_scoring.literature_qa.gold import TOLERANCE, Gold
from pincite_scoring.literature_qa.kinds import kind_of, without_thousands
from pincite_scoring.literature_qa.listing import says_items
from pincite_scoring.literature_qa.names import (
    FILLER,
    NEGATING,
    Context,
    says,
    says_name,
    says_sequence,
    sequence_of,
    tokens_of,
)
from pincite_scoring.literature_qa.numbers import says_number
from pincite_scoring.literature_qa.prose import announces, broken_off, conclusion, refuses
from pincite_scoring.literature_qa.quantities import quantities
from pincite_scoring.literature_qa.word_answers import normal
from pincite_scoring.literature_qa.works import chooses_works, dois_of
from pincite_scoring.result import Compat, ScoringOptions

OUTCOME = "outcome"
RULES = "rules/2"

RUBRIC = Rubric(
    "literature_qa/1",
    "You are shown a question about the scientific literature, the expected answer and the answer that was handed in. "
    "Decide whether what was handed in is right. The same fact in other words, in another notation or in another unit "
    "is right. A number is right within the tolerance that is stated; without one, a rounding that the question's "
    "precision allows is right. Every part that the question asks for must be there, and nothing may contradict the "
    "expected answer; remarks that do not bear on the question change nothing. Several answers to choose from are "
    "wrong.",
    (
        Item(
            OUTCOME,
            ("incorrect", "unsure", "correct"),
            "correct: it says what is expected. incorrect: it says something else, or only a part. unsure: it declines "
            "to answer, says that it could not find the answer, or commits to nothing.",
        ),
    ),
)

_SEPARATORS = re.compile(r"\s*[;\n]\s*")
_COMMAS = re.compile(r"\s*,\s*(?:(?:and|&)\s+)?|\s+(?:and|&|\+|plus|as well as)\s+", re.IGNORECASE)
_YES_OR_NO = frozenset(("yes", "no"))
_MARKS = re.compile(r"[\s,;()\[\]]+")
_SAID: dict[str, str | None] = {"right": "correct", "wrong": "incorrect", "open": None}


def decide(question: str, reply: QuestionReply, gold: Gold, options: ScoringOptions) -> Verdict:
    """The verdict on an open answer; its label is None where only a model could tell and there is none."""

    def rule() -> Labels:
        return {OUTCOME: outcome_by_rule(reply, gold, options.compat, question)}

    certain = rule()
    if options.compat == "strict" and certain[OUTCOME] in ("correct", "unsure"):
        return Verdict(certain, RULES)
    subject = {"question": question, "expected answer": gold.words}
    if gold.kind == "number":
        subject["tolerance"] = f"relative difference at most {gold.tolerance:g}"
    if gold.accept:
        subject["also expected"] = "; ".join(gold.accept)
    return options.judge.decide(Question(RUBRIC, {**subject, "handed in": reply.words}, rule))


def answer_rule(subject: Mapping[str, str]) -> Labels:
    """What the rules say of a labelled answer, from the texts that a model is shown: a stated tolerance is that of a
    number, else the kind is told from the expected answer's words."""
    expected = subject["expected answer"]
    accept = [each for each in subject.get("also expected", "").split("; ") if each]
    stated = find_numbers(subject.get("tolerance", ""))
    kind = "number" if stated else "text" if accept else kind_of(expected)
    answer = without_thousands(expected) if kind == "number" else expected
    gold = Gold(kind=kind, answer=answer, accept=accept)
    if stated:
        gold = Gold(kind=kind, answer=answer, accept=accept, tolerance=stated[0])
    reply = QuestionReply(subject["handed in"].strip() or None)
    return {OUTCOME: outcome_by_rule(reply, gold, "strict", subject.get("question", ""))}


def outcome_by_rule(reply: QuestionReply, gold: Gold, compat: Compat, question: str = "") -> str | None:
    """correct, incorrect or unsure; None for what the rules cannot tell."""
    if any(normal(reply.words) == normal(spelling) for spelling in gold.spellings):
        return "correct" if gold.kind != "list" or len(gold.items) == 1 else _RULES["list"](reply, gold, question)
    if reply.declined:
        return "unsure"
    if compat == "reference":
        return _reference(reply, gold)
    if broken_off(reply.words):
        works = _works(reply, gold, question) if gold.kind == "free" else None
        return "incorrect" if works == "incorrect" else None
    if isinstance(reply.value, list) and gold.kind in ("text", "formula", "free") and len(reply.value) > 1:
        return _several(reply.value, gold, question)
    found = _RULES[gold.kind](reply, gold, question)
    if not refuses(reply.words) and not announces(reply.words):
        return found
    return None if found == "correct" else "unsure"


def _several(items: list[str], gold: Gold, question: str) -> str | None:
    """A list where one thing is asked for: right where all items are, wrong where one is."""
    each = {outcome_by_rule(QuestionReply(item), gold, "strict", question) for item in items}
    return each.pop() if len(each) == 1 else "incorrect" if "incorrect" in each else None


def _reference(reply: QuestionReply, gold: Gold) -> str | None:
    """Without a model: the published comparison of numbers, equality of words, and None where only a model decides."""
    if gold.kind == "number":
        return "correct" if _same_number(reply, gold) else "incorrect"
    if gold.kind == "free":
        return None
    fits = {"text": _equal, "formula": _same_formula, "list": _same_items}[gold.kind]
    return "correct" if fits(reply, gold) else "incorrect"


def _equal(reply: QuestionReply, gold: Gold) -> bool:
    return normal(reply.words) in map(normal, gold.spellings)


def _same_number(reply: QuestionReply, gold: Gold) -> bool:
    """The published rule: one number against one, absolute or relative difference below 1e-6."""
    given, (true, *_) = find_numbers(reply.words), find_numbers(gold.words)
    return len(given) == 1 and (abs(given[0] - true) < TOLERANCE or abs(given[0] - true) < TOLERANCE * abs(true))


def _same_formula(reply: QuestionReply, gold: Gold) -> bool:
    return any(compare_stated("formula", Stated(reply.words), Stated(true)).equal for true in gold.spellings)


def _same_items(reply: QuestionReply, gold: Gold) -> bool:
    return _matched([normal(item) for item in items_of(reply)], gold)


def _context(gold: Gold, question: str) -> Context:
    passage = gold.source.quote if gold.source is not None else ""
    return Context(question, " ".join([passage or "", *gold.accept]))


def _text(reply: QuestionReply, gold: Gold, question: str) -> str | None:
    """A text whose spellings are listed: what has no word of them is wrong."""
    if normal(gold.words) in _YES_OR_NO:
        return _yes_or_no(reply, normal(gold.words))
    if sequence := sequence_of(gold.words):
        return says_sequence(reply.words, sequence)
    said = conclusion(reply.words)
    found = says(said.words, gold.spellings, _context(gold, question))
    if found != "right" and (set_apart := _CONTRAST.search(said.words)) is not None:
        head, rest = said.words[: set_apart.start()], said.words[set_apart.end() :]
        told = set(tokens_of(rest)) - FILLER
        others = says(rest, gold.spellings, Context()) == "wrong" and not _HEDGE.search(rest)
        others = others and not told & NEGATING and not told <= set(tokens_of(question))
        if others and says(head, gold.spellings, _context(gold, question)) == "right":
            return "correct"
    if found == "open" and _denies_as_asked(said.words, gold, question):
        return "correct"
    if found == "wrong" and _adds_a_clause(said.words, gold, question):
        return None
    if found == "wrong" and not said.whole:
        return None if says(reply.words, gold.spellings, _context(gold, question)) != "wrong" else "incorrect"
    return _SAID[found]


def _adds_a_clause(words: str, gold: Gold, question: str) -> bool:
    """Whether an answer is right up to a clause that tells more of it (", which was kept at 2 μmol/L"): whether that is
    so no rule can tell."""
    begins = _DEPENDENT.search(words)
    if begins is None:
        return False
    clause, context = words[begins.start() :], _context(gold, question)
    if set(tokens_of(clause)) & NEGATING or _HEDGE.search(clause) or _contradicts(clause, context.passage):
        return False
    return says(words[: begins.start()], gold.spellings, context) == "right"


def _contradicts(clause: str, passage: str) -> bool:
    """Whether a clause has a quantity that the passage has another amount of."""
    known = quantities(passage)
    for said in quantities(clause):
        alike = [convert(each.value, each.unit, said.unit) for each in known if each.unit and said.unit]
        amounts = [amount for amount in alike if amount is not None]
        if amounts and not any(math.isclose(amount, said.value, rel_tol=_SAME) for amount in amounts):
            return True
    return False


_SAME = 1e-6
"""Relative difference of two spellings of one amount, by which conversion may be off."""


_DEPENDENT = re.compile(
    r"[,(]\s*(?:which|that|who|where|when|at|with|in|on|by|from|under|of|for|as|during|after|held|kept|fixed|set|given|"
    r"maintained|measured|found|used|reported|seen|shown)\b",
    re.IGNORECASE,
)
"""What begins a clause that is no other answer."""


def _denies_as_asked(words: str, gold: Gold, question: str) -> bool:
    """Whether the answer's first clause is right, and the rest only says in words of the question and the passage, and
    with one negation, what the question too says with "not"."""
    context = _context(gold, question)
    head, _, rest = _CLAUSE_END.sub("\n", words, count=1).partition("\n")
    if says(head, gold.spellings, context) != "right" or not _NOT.search(question):
        return False
    told = tokens_of(rest)
    own = {word for spelling in gold.spellings for word in tokens_of(spelling)}
    known = own | FILLER | NEGATING | set(tokens_of(f"{question} {context.passage}"))
    return sum(word in NEGATING for word in told) == 1 and all(word in known for word in told)


_CLAUSE_END = re.compile(r"[,;(]|\.\s")
_NOT = re.compile(r"\b(?:not|no|never)\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"[,;(]\s*(?:and |but )?not\s|;\s+|"
    r"[,;(]?\s*\b(?:while|whereas|unlike|rather than|instead of|as opposed to|in contrast to)\b\s*",
    re.IGNORECASE,
)
"""What stands behind is what the answer sets its own against."""
_HEDGE = re.compile(r"\b(?:or|sure|certain|alternatively|also|too|possibly|perhaps|maybe|both|and)\b", re.IGNORECASE)


def _yes_or_no(reply: QuestionReply, gold: str) -> str | None:
    """By the first word of the conclusion, or the only one of the two in it."""
    said = conclusion(reply.words)
    words = re.findall(r"\w+", normal(said.words))
    last = normal(reply.words.strip().splitlines()[-1]).strip("* ")
    given = words[0] if words and words[0] in _YES_OR_NO else last if last in _YES_OR_NO else None
    return None if given is None else "correct" if given == gold else "incorrect"


def _formula(reply: QuestionReply, gold: Gold, question: str) -> str | None:
    """The formulas that the conclusion holds; one in words of the question and the passage is right."""
    if _same_formula(reply, gold):
        return "correct"
    said = conclusion(reply.words)
    parts = [part for part in _MARKS.split(said.words.strip(" .*")) if part]
    held = [part.strip(".") for part in parts if sum(map(str.isupper, part)) > 1 and parse_formula(part.strip("."))]
    right = [each for each in held if _same_formula(QuestionReply(each), gold)]
    if not right:
        return "incorrect" if held or not any(map(_looks_like_a_formula, parts)) else None
    rest = said.words
    if len(right) < len(held) and all(_BEHIND_THAN.search(rest[: rest.index(each)]) for each in right):
        return "incorrect"
    for each in right:
        rest = rest.replace(each, gold.words)
    return "correct" if len(right) == len(held) and _SAID[says(rest, [gold.words], _context(gold, question))] else None


_BEHIND_THAN = re.compile(r"\b(?:than|not|unlike|instead of|rather than|compared (?:to|with))\s+$", re.IGNORECASE)


def _looks_like_a_formula(part: str) -> bool:
    return sum(map(str.isupper, part)) > 1


def _list(reply: QuestionReply, gold: Gold, question: str) -> str | None:
    if _same_items(reply, gold):
        return "correct"
    if isinstance(reply.value, str) and not gold.ordered:
        told = says_items(conclusion(reply.words).words, gold.items, question)
        if told is not None:
            return told
    items = items_of(QuestionReply(conclusion(reply.words).words)) if isinstance(reply.value, str) else items_of(reply)
    items = [_APART.sub("", item) for item in items]
    context = Context(question)
    fits = [[says(item, spellings, context) for spellings in gold.items] for item in items]
    missing = [place for place in range(len(gold.items)) if all(row[place] == "wrong" for row in fits)]
    if missing:
        return "incorrect" if not isinstance(reply.value, str) or len(items) < 8 else None
    if any(all(found == "wrong" for found in row) for row in fits):
        return "incorrect" if isinstance(reply.value, list) or all(len(item.split()) <= 4 for item in items) else None
    named = [row.index("right") for row in fits if "right" in row]
    if len(named) == len(items) and sorted(named) == list(range(len(gold.items))):
        return "correct" if not gold.ordered or named == sorted(named) else "incorrect"
    return None


_APART = re.compile(r"\s*\((?:but )?(?:not|unlike|while|whereas|in contrast to|as opposed to)\b[^()]*\)", re.IGNORECASE)
"""What an item is set against, in brackets behind it."""


def _matched(given: list[str], gold: Gold) -> bool:
    wanted = [set(map(normal, spellings)) for spellings in gold.items]
    if len(given) != len(wanted):
        return False
    if gold.ordered:
        return all(item in spellings for item, spellings in zip(given, wanted, strict=True))
    left = list(wanted)
    for item in given:
        place = next((place for place, spellings in enumerate(left) if item in spellings), None)
        if place is None:
            return False
        del left[place]
    return True


def items_of(reply: QuestionReply) -> list[str]:
    """The items of a list: as given, else parted at semicolons and line ends, else at commas and the word "and"."""
    if isinstance(reply.value, list):
        return reply.value
    parts = _SEPARATORS.split(reply.words)
    parts = parts if len(parts) > 1 else _COMMAS.split(reply.words)
    return [part for part in parts if part]


def _free(reply: QuestionReply, gold: Gold, question: str) -> str | None:
    return says_name(reply.words, gold.spellings, Context(question)) or _works(reply, gold, question)


def _works(reply: QuestionReply, gold: Gold, question: str) -> str | None:
    golds = [dois for spelling in gold.spellings if (dois := dois_of(spelling))]
    return chooses_works(reply.words, golds, question) if len(golds) == len(gold.spellings) else None


_RULES: dict[str, Callable[[QuestionReply, Gold, str], str | None]] = {
    "text": _text,
    "number": says_number,
    "formula": _formula,
    "list": _list,
    "free": _free,
}
