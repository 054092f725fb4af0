"""``values_all``: every value with its conditions and a quote that carries it, and nothing that is not so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_materials.comparing import Stated, compare_stated
from pincite_materials.identity import same_material
from pincite_materials.text import plain
from pincite_scoring.precedent_search.answer import Answer, Measurement, Phase, Related, Source
from pincite_scoring.precedent_search.citations import is_match
from pincite_scoring.precedent_search.claim import carries
from pincite_scoring.precedent_search.conditions import condition_conflict, left_out, techniques
from pincite_scoring.precedent_search.values import Frame, is_about, is_right, prints
from pincite_scoring.property_extraction.assignment import assign

Stands = Callable[[Source], bool]
"""Whether a source's quoted span stands: in a work that is not retracted, or in what a tool showed."""

_EXACT = 1e-3
"""Relative: as for the values of the property."""


@dataclass(frozen=True, slots=True)
class Complete:
    """``whole`` are the answered measurements that are a gold one entirely, ``repeated`` those that say one of these
    again, ``faults`` (by answered measurement) what is wrong with the others; ``claims`` are wrong or uncarried values
    of related materials and phases."""

    whole: dict[int, int]
    repeated: frozenset[int]
    faults: dict[int, str]
    claims: tuple[str, ...]

    def share(self, golds: int, answered: int) -> float:
        """F1: twice the whole measurements over the gold's and the answered ones; 1 where neither has any."""
        stated = answered - len(self.repeated) + len(self.claims)
        total = golds + stated
        return 2 * len(self.whole) / total if total else 1.0


def values_all(
    answer: Answer | None, gold: Answer, frame: Frame, right_class: bool, stands: Stands | None
) -> float | None:
    """The headline: F1 of whole measurements, 0 for a wrong class and without an answer.

    None where nothing is at hand that quotes could stand in, and where the gold has values and quotes none: a list of
    highest or lowest values (SuperCon's) does not have all of them. A gold without values is met by an answer of its
    class without values: F1 of the gold's works with a quote that stands and carries the claim (``claim.carries``),
    where another work counts as stated unless a quote of it does.
    """
    if stands is None or (gold.counted and not any(s.quoted_span for each in gold.counted for s in each.sources)):
        return None
    if answer is None or not right_class:
        return 0.0
    found = complete(answer, gold, frame, stands)
    share = found.share(len(gold.counted), len(answer.counted))
    if gold.counted:
        return share
    return share * _works(answer.sources, gold.sources, frame.property, stands) if gold.sources else share


def _works(sources: Sequence[Source], gold: Sequence[Source], wanted: str, stands: Stands) -> float:
    """F1 of works, where the property has no values to count."""
    good = [source for source in sources if stands(source) and carries(source.quoted_span, wanted, gold)]
    found = sum(any(is_match(source, [true], "strict") for source in good) for true in gold)
    others = {source.doi or source.title for source in sources if source not in good}
    return 2 * found / (len(gold) + found + len(others))


def complete(answer: Answer, gold: Answer, frame: Frame, stands: Stands) -> Complete:
    """Pair answered and gold measurements that agree in everything, one to one, and say what is wrong with the rest."""
    answered, golds = answer.counted, gold.counted
    faults: dict[int, str] = {}
    weights: dict[tuple[int, int], float] = {}
    for i, mine in enumerate(answered):
        for j, true in enumerate(golds):
            fault = _fault(mine, true, golds, frame, stands)
            if fault is None:
                weights[i, j] = 1.0
            elif fault and i not in faults:
                faults[i] = fault
    whole = dict(assign(weights)) if weights else {}
    repeated = frozenset(
        i
        for i, mine in enumerate(answered)
        if i not in whole and any(_repeats(mine, golds[j], golds, frame, stands) for j in set(whole.values()))
    )
    left = {
        i: faults.get(i) or "no gold measurement has this value"
        for i in range(len(answered))
        if i not in whole and i not in repeated
    }
    return Complete(whole, repeated, left, tuple(_claims(answer, gold, frame, stands)))


def _fault(
    mine: Measurement, true: Measurement, golds: Sequence[Measurement], frame: Frame, stands: Stands
) -> str | None:
    """Why an answered measurement is not this gold one: None where it is, "" where its value is another."""
    if not is_about(mine, frame) or not is_right(mine, true, frame):
        return ""
    others = [each for each in golds if each is not true]
    reason = condition_conflict(mine, true) or left_out(mine, true, others)
    if reason is not None:
        return reason
    if not _carried(mine, true.sources, frame, stands):
        return "no quoted span of the work that measured it stands and prints it"
    return None


def _carried(mine: Measurement, wanted: Sequence[Source], frame: Frame, stands: Stands) -> bool:
    return any(
        prints(source, mine, frame) and stands(source) and (not wanted or bool(is_match(source, wanted, "strict")))
        for source in mine.sources
    )


def _repeats(mine: Measurement, true: Measurement, golds: Sequence[Measurement], frame: Frame, stands: Stands) -> bool:
    """Whether an answered measurement says a gold one again, perhaps by another method that its quote names: neither
    right nor wrong. Not by a method that another gold value has: one sentence may name two methods and two values."""
    if _fault(mine, true, golds, frame, stands) is None:
        return True
    same = mine.model_copy(update={"method": true.method})
    if _fault(same, true, golds, frame, stands) is not None:
        return False
    named = techniques(mine)
    if any(named & techniques(other) for other in golds if not is_right(other, true, frame)):
        return False
    return any(plain(mine.method).casefold() in plain(source.quoted_span).casefold() for source in mine.sources)


def _claims(answer: Answer, gold: Answer, frame: Frame, stands: Stands) -> list[str]:
    """The values of related materials and of phases that the gold gives otherwise or that their quotes do not carry,
    and what is written under the class that the answer denies. What is left out is not asked for here."""
    denied = answer.negative_measurements if answer.reported == "Yes" else answer.measurements
    faults = [f"{each.value} is stated of the class that is denied" for each in denied]
    faults += [fault for each in answer.related if (fault := _related_fault(each, gold, frame, stands))]
    return faults + [fault for each in answer.phases if (fault := _phase_fault(each, gold, stands))]


def _related_fault(mine: Related, gold: Answer, frame: Frame, stands: Stands) -> str:
    if not mine.value:
        return ""
    unit = mine.unit or frame.unit
    known = [each for each in gold.related if each.value and same_material(mine.material, each.material)]
    if any(_same_number(mine.value, unit, each.value, each.unit or frame.unit) for each in known):
        return ""
    return _uncarried(mine.value, unit, mine.sources, mine.material, stands)


def _phase_fault(mine: Phase, gold: Answer, stands: Stands) -> str:
    words = frozenset(plain(mine.phase).casefold().split())
    known = [
        each
        for each in gold.phases
        if same_material(mine.material, each.material)
        and (words <= (w := frozenset(plain(each.phase).casefold().split())) or w <= words)
    ]
    if not mine.temperature or any(_same_number(mine.temperature, "", each.temperature, "") for each in known):
        return ""
    return _uncarried(mine.temperature, "", mine.sources, f"{mine.phase} of {mine.material}", stands)


def _uncarried(value: str, unit: str, sources: Sequence[Source], what: str, stands: Stands) -> str:
    """Why a value that the gold does not have is not believed; "" where its quote carries it or it quotes nothing."""
    quoted = [source for source in sources if source.quoted_span]
    if not quoted:
        return ""
    measured = Measurement(material=what, value=value, unit=unit)
    frame = Frame(what, unit, positive=True)
    if any(prints(source, measured, frame) and stands(source) for source in quoted):
        return ""
    return f"no quoted span carries {value} {unit} of {what}".replace("  ", " ")


def _same_number(value: str, unit: str, true: str, true_unit: str) -> bool:
    return bool(true) and compare_stated("number", Stated(value, unit), Stated(true, true_unit)).within(_EXACT)
