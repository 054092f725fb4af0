"""JudgeMatcher: a judge decides whether two records report the same measurement, as the published study asks a model.

The words of the rubric are ours. A judge sees what the lexicon sees (property, unit, detail, conditions, method, fit)
and neither value, material nor place: materials and values are compared by rule (stated here).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson

from pincite_core.errors import UnavailableError
from pincite_scoring.judging.judge import Item, Judge, Labels, Question, Rubric, decide_all
from pincite_scoring.judging.judge import Verdict as Judged
from pincite_scoring.property_extraction.matcher import LexiconMatcher, Verdict
from pincite_scoring.property_extraction.records import Record

RUBRIC = Rubric(
    "property_extraction/same_measurement/1",
    "Two people extracted values of material properties from the same paper. Each record below names a property and "
    "states its unit, its conditions and its method, as far as the paper does; the values are hidden. Decide whether "
    "both records report the same measurement of the same property. Synonyms, abbreviations and spellings of a name "
    "are the same. Different are: another quantity, even a near one (onset, midpoint and zero of a transition; a "
    "density and an absolute amount; upper and lower critical fields; a gap and a binding energy); another axis or "
    "orientation; and conditions, samples or methods that cannot be reconciled (another temperature, pressure or "
    "field, a film and a crystal, a calculation and an experiment). What only one record states does not "
    "contradict the other.",
    (Item("match", ("no", "yes"), "Do both records report the same measurement?"),),
)
_FACETS = ("property_name", "value_unit", "value_detail", "conditions", "method", "model_or_fit")
Same = Callable[[str, str], bool]


class JudgeMatcher:
    """Asks about pairs of records whose materials are the same by ``same_material``; no others can match.

    With ``rules`` only about those that the rules leave undecided; without, about all, as published.
    """

    def __init__(self, judge: Judge, same_material: Same, *, rules: LexiconMatcher | None = None) -> None:
        self.name = ", ".join(filter(None, (rules.name if rules else "", RUBRIC.name, judge.name)))
        self._judge = judge
        self._rules = rules
        self._same_material = same_material
        self._known: dict[tuple[str, str], Judged] = {}

    def foresee(self, pairs: Iterable[tuple[Record, Record]]) -> None:
        """Ask about all pairs together, which is faster than one by one."""
        questions = {
            _key(question): question
            for answer, gold in pairs
            if self._same_material(answer.material_or_system, gold.material_or_system)
            and _key(question := make_question(answer, gold)) not in self._known
        }
        verdicts = decide_all(self._judge, list(questions.values()))
        self._known |= dict(zip(questions, verdicts, strict=True))

    def decide(self, answer: Record, gold: Record) -> Verdict:
        """See Matcher. UnavailableError where the judge does not decide: a guess would be a made-up score."""
        if self._rules is not None:
            return self._rules.decide(answer, gold)
        materials = answer.material_or_system, gold.material_or_system
        if not self._same_material(*materials):
            return Verdict(False, f"the material differs: {materials[0]} against {materials[1]}")
        self.foresee([(answer, gold)])
        return self._verdict(self._known[_key(make_question(answer, gold))])

    def ask(self, answer: Record, gold: Record) -> Verdict | None:
        """See Matcher: of pairs that were foreseen, the judge's word."""
        judged = self._known.get(_key(make_question(answer, gold)))
        return None if judged is None else self._verdict(judged)

    def _verdict(self, judged: Judged) -> Verdict:
        label = judged.labels.get("match")
        if label is None:
            raise UnavailableError(
                "The judge did not decide whether two records match.",
                seen=judged.reason,
                next="pincite score RUN asks again; another --judge may do better.",
            )
        return Verdict(label == "yes", judged.reason or f"the judge says {label}", "judge", judged)


def make_question(answer: Record, gold: Record) -> Question:
    """The question about one pair; the lexicon is its rule."""
    subject = {"first record": _described(gold), "second record": _described(answer)}
    return Question(RUBRIC, subject, lambda: lexicon_rule(subject))


def lexicon_rule(subject: Mapping[str, str]) -> Labels:
    """What the lexicon says of the records of a question."""
    first, second = (_record(orjson.loads(subject[name])) for name in ("first record", "second record"))
    return {"match": "yes" if LexiconMatcher().decide(second, first).match else "no"}


def _described(record: Record) -> str:
    facets = record.model_dump(include=set(_FACETS))
    facets["conditions"] = {name: value for name, value in facets["conditions"].items() if value}
    ordered = {name: facets[name] for name in _FACETS if facets[name]}
    return orjson.dumps(ordered, option=orjson.OPT_INDENT_2).decode()


def _record(facets: dict[str, Any]) -> Record:
    hidden = {"material_or_system": "hidden", "value_string": "hidden", "location": {"page": 1}}
    return Record.model_validate({**facets, **hidden})


def _key(question: Question) -> tuple[str, str]:
    first, second = question.subject.values()
    return first, second
