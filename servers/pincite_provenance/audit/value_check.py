"""Whether a value of a report stands in a source beside the same words, with another number, or not at all."""

import re
from dataclasses import dataclass, replace

from pincite_materials.units import parse_unit
from pincite_papers.model import Paper
from pincite_provenance.audit.context_words import FULL, ContextWord, number_key
from pincite_provenance.audit.finding import AuditVerdict, SourcePassage
from pincite_provenance.audit.naming import has_word, is_among, is_named, keys_of, pattern_of, words_of
from pincite_provenance.audit.number_match import figures_of, in_formula, is_between, judged, rounds_to
from pincite_provenance.audit.rivals import Rival, find_rival
from pincite_provenance.audit.source import SourceQuantities, SourceQuantity, made_passage, quantities_of
from pincite_provenance.audit.values import CLAUSE, SENTENCE, ReportValue
from pincite_provenance.claims.reading import clean

_DIGIT = re.compile(r"\d")
_ROUNDED = 0.06
"""Share by which a number of two digits can differ from what it was rounded from."""
_ALIKE = 0.3
"""Share of a claim's words, by what they count, from which on a passage is about the same; set on the tuned half of
tests/harness/audit/reports."""
_FEWEST_WORDS = 1.5
"""Words, by what they count, that a passage must share with the claim for "value stands"."""
_BETTER = 2.2
"""How many times better another number must fit a claim's words than its own does for the claim to be unsure."""

_OWN_PASSAGE = 0.6
"""Share of the claim's words from which on a passage is the one that it was taken from."""
_FAR_BETTER = 3.0
"""How many times better that passage must fit the words than another that has the number; both set on sentences of
six papers (twins-cc-by) in which one digit was changed."""
_OF_CLAUSE = 0.4
"""Share of the words of a claim's clause, by what they count, above which a passage is about the same quantity: a
record of a tin's density shares 0.45 with the sentence on it, "superconducts at 39 K" a third with another one."""
_HARDLY_FEWER = 0.7
_ONE_DIGIT = frozenset(range(10))
_OTHER_SIZE = 30
"""Times by which a number without a unit is larger or smaller than one that it could be a slip of: a digit or a power
of ten too many stays below. Set by judgement."""
_NAME_WORDS = 3
"""Words of an item of a list; a longer clause is a sentence of its own, whose words may stand anywhere in it."""


_NO_NAMES = frozenset({"same", "other", "another", "such", "both", "all", "each", "respectively", "latter", "former"})
"""Words that stand for a name."""
_LONG_NUMBER = 3
"""Figures of a number that is hardly the rounding of another one by chance."""
_SLIP = 0.5
"""Share of the fit of a number whose unit cannot be told that the number with a unit of the claim's kind must have.
Set on ``dev`` and ``test`` of tests/benchmarks/written_reports (18 of 18 swapped units found); ``third``, which was not
seen, gives 9 of 11."""


@dataclass(frozen=True, slots=True)
class ValueStanding:
    """How a value stands in one source; ``fit`` is the share of the claim's words (0 to 1) that the passage has."""

    verdict: AuditVerdict
    reason: str
    passage: SourcePassage | None
    fit: float


def check_value(value: ReportValue, name: str, paper: Paper) -> ValueStanding:
    """How ``value`` stands in ``paper``, which the report's reader knows as ``name``."""
    return _ValueCheck(value, name, paper).standing()


class _ValueCheck:
    def __init__(self, value: ReportValue, name: str, paper: Paper) -> None:
        self._value, self._name, self._paper = value, name, paper
        self._source: SourceQuantities = quantities_of.of(paper)
        self._scores = self._source.scores(value.words)
        self._rivals: dict[int, Rival | None] = {}
        self._most = sum(weight * self._source.rarity(word) for word, weight in value.words)

    def standing(self) -> ValueStanding:
        same, rounded, other_unit, unclear = self._same()
        if not same and rounded:
            likeliest = max(rounded, key=lambda at: self._scores[at])
            is_long = self._shares_words(likeliest) and len(figures_of(self._value.digits)) >= _LONG_NUMBER
            same = rounded if is_long or self._is_beside(likeliest, self._nearest()) else []
        if same:
            free = [at for at in same if self._conflict(self._source.entries[at]) is None]
            in_row = [at for at in free if self._row_meant(at) is None]
            same = in_row or free or same
            most = max(self._scores[at] for at in same)
            likely = [at for at in same if self._scores[at] >= _HARDLY_FEWER * most]
            same = [at for at in likely if self._rival(at) is None] or likely
            return self._of_same(max(same, key=lambda at: (self._scores[at], -at)))
        nearest = self._nearest()
        best = max(unclear, key=lambda at: self._scores[at], default=None)
        swapped = max(other_unit, key=lambda at: self._scores[at], default=None)
        if swapped is not None and self._is_slip(swapped, best):
            return self._made("value differs", f"the source gives {self._printed(swapped)}: another unit", swapped)
        if best is not None and self._is_beside(best, nearest, swapped):
            return self._of_unclear(best)
        if swapped is not None and self._shares_words(swapped) and self._is_same_quantity(swapped):
            return self._made("value differs", f"the source gives {self._printed(swapped)}: another unit", swapped)
        if self._value.derived:
            return self._made("unsure", "it may be calculated from other numbers", nearest)
        elsewhere = self._elsewhere(best, nearest)
        if elsewhere is not None:
            return elsewhere
        if nearest is not None and self._fit(nearest) >= _ALIKE and self._shares_words(nearest):
            if self._is_same_quantity(nearest):
                return self._made("value differs", f"the source gives {self._printed(nearest)}", nearest)
            reason = f"no such number stands in the source; {self._printed(nearest)} stands beside some of these words"
            return self._made("not there", reason, nearest)
        return self._made("not there", "no such number stands in the source", nearest)

    def _is_slip(self, swapped: int, unclear: int | None) -> bool:
        """Whether the same number with another unit of the same kind stands beside the claim's words, and none whose
        unit cannot be told stands beside more of them: 4 g/kg is said, 4 mg/kg stands there."""
        entry = self._source.entries[swapped]
        mine = {reading.dimensions for unit in self._value.units for reading in parse_unit(unit)}
        theirs = {reading.dimensions for reading in parse_unit(entry.unit)}
        rival = self._scores[unclear] if unclear is not None else 0.0
        return bool(mine & theirs) and self._shares_words(swapped) and self._scores[swapped] > _SLIP * rival

    def _elsewhere(self, unclear: int | None, nearest: int | None) -> ValueStanding | None:
        """Unsure, where the number stands in the source in another part: with a unit that cannot be told, as the
        uncertainty of a value, in the name of a row or column. None where it does not."""
        is_long = len(_DIGIT.findall(self._value.digits)) > 2
        if unclear is not None and (is_long or self._is_beside(unclear, nearest)):
            return self._of_unclear(unclear)
        uncertain = self._as_uncertainty()
        if uncertain is not None:
            reason = f"it stands as the uncertainty of a value: {self._printed(uncertain)}"
            return self._made("unsure", reason, uncertain)
        labelled = self._source.place_labelled(number_key(self._value.quantity))
        if labelled is not None:
            return self._made("unsure", "it stands in the name of a row or column", labelled)
        if self._value.units == ("%",) and in_formula(self._paper.text, self._value.quantity.value / 100):
            return self._made("unsure", "its hundredth stands in a formula of the source", nearest)
        return None

    def _of_unclear(self, at: int) -> ValueStanding:
        return self._made("unsure", f"the source gives {self._printed(at)}; the unit cannot be told", at)

    def _is_same_quantity(self, at: int) -> bool:
        """Whether enough words of the claim's own clause stand near to the number: else the passage may be about
        another quantity, whose number contradicts nothing. A clause that names nothing lends its sentence's words."""
        own = [word for word, weight in self._value.words if weight >= CLAUSE and not word.is_number]
        if not any(word.weight >= FULL for word in own):
            own = [word for word, weight in self._value.words if weight >= SENTENCE and not word.is_number]
        most = sum(word.weight for word in own)
        there = sum(word.weight for word in own if is_among(word, self._source.entries[at].near))
        return not most or there > _OF_CLAUSE * most

    def _same(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """The places of quantities that are the claimed one, of those that round to it, of those with its number and
        another unit, and of those with its number whose unit cannot be told."""
        same: list[int] = []
        rounded: list[int] = []
        other_unit: list[int] = []
        unclear: list[int] = []
        quantity = self._value.quantity
        for unit in self._value.units or ("",):
            for at in self._source.like(quantity.value, unit, _ROUNDED):
                entry = self._source.entries[at]
                outcome = judged(self._value, unit, entry)
                if outcome is not None and (outcome.unit is None or outcome.unit.verdict == "holds"):
                    same.append(at)
                elif outcome is not None and outcome.unit is not None and outcome.unit.verdict == "fails":
                    other_unit.append(at)
                elif outcome is None and rounds_to(self._value, unit, entry):
                    (rounded if entry.unit or not unit else unclear).append(at)
                elif outcome is not None:
                    unclear.append(at)
        return same, rounded, other_unit, unclear

    def _of_same(self, at: int) -> ValueStanding:
        entry = self._source.entries[at]
        words = self._shared(entry)
        conflict = self._conflict(entry)
        if conflict is not None:
            there, mine = conflict
            nearest = self._nearest(mine)
            shown = f"; for {mine.text} it gives {self._printed(nearest)}" if nearest is not None else ""
            verdict: AuditVerdict = "value differs" if nearest is not None else "unsure"
            return self._made(verdict, f"the source gives it for {there}, not for {mine.text}{shown}", nearest or at)
        rival = self._rival(at)
        if rival is not None:
            shown = f"the source gives it for {rival.owner}; for {rival.named} it gives {self._printed(rival.at)}"
            made = self._made("value differs" if rival.is_sure else "unsure", shown, rival.at)
            return replace(made, fit=max(made.fit, self._fit(at), _ALIKE))
        meant = self._row_meant(at)
        if meant is not None:
            verdict = "unsure" if self._names_row_of(at, meant) else "value differs"
            row = ", ".join(self._source.entries[meant].row)
            return self._made(verdict, f"for {row} the source gives {self._printed(meant)}", meant)
        other = self._named_otherwise(at)
        if other is not None:
            named, word = other
            return self._made("value differs", f"beside {word.text!r} the source gives {self._printed(named)}", named)
        nearest = self._nearest()
        if nearest is not None and self._is_meant(nearest, at):
            labelled = self._source.place_beside(number_key(self._value.quantity))
            if labelled is not None:
                return self._made("unsure", "it stands in the name of a row or column", labelled)
            return self._made("value differs", f"the source gives {self._printed(nearest)}", nearest)
        if nearest is not None and self._scores[nearest] > _BETTER * self._scores[at] + 1e-9:
            return self._made("unsure", f"it stands elsewhere; beside these words stands {self._printed(nearest)}", at)
        if sum(word.weight for word in words) < _FEWEST_WORDS:
            return self._made("unsure", "the number stands in the source, but beside none of these words", at)
        shown = ", ".join(word.text for word in words[:6])
        rounded = "" if self._value.quantity.value == entry.quantity.value else f" as {self._printed(at)}"
        return self._made("value stands", f"it stands{rounded} with: {shown}", at)

    def _rival(self, at: int) -> Rival | None:
        """The value that belongs beside the claim's names, where the source gives this one to something else."""
        if at not in self._rivals:
            self._rivals[at] = find_rival(self._value, self._source, self._paper, at)
        return self._rivals[at]

    def _row_meant(self, at: int) -> int | None:
        """The cell of the same column in the row that the claim's clause names, where the cell at ``at`` stands in a
        row that it does not name: 58.3 K is said of 0.22, and the row of 0.22 has 84.9."""
        own = [word for word, weight in self._value.words if weight >= CLAUSE]
        keys = frozenset[str]().union(*(word.keys for word in own))
        said = self._said(CLAUSE)
        row = self._source.entries[at].row
        for other in self._source.in_column_of(at):
            entry = self._source.entries[other]
            if keys.isdisjoint(keys_of(entry.row)):  # most rows: no word of theirs is in the clause
                continue
            if number_key(entry.quantity) in said or is_named(row, entry.row, own):
                continue
            if is_named(entry.row, row, own):
                return other
        return None

    def _names_row_of(self, at: int, other: int) -> bool:
        """Whether the claim's sentence has a word that names the row of one cell and not that of the other."""
        sentence = [word for word, weight in self._value.words if weight >= SENTENCE]
        own = words_of(self._source.entries[at].row)
        theirs = words_of(self._source.entries[other].row)
        return any(is_among(word, sentence) and not is_among(word, theirs) for word in own)

    def _as_uncertainty(self) -> int | None:
        """The place of the value, of those whose uncertainty is the claimed number, that fits the words best."""
        value = abs(self._value.quantity.value)
        places = [at for at, entry in enumerate(self._source.entries) if entry.quantity.uncertainty == value]
        return max(places, key=lambda at: (self._scores[at], -at), default=None)

    def _is_rival(self, at: int) -> bool:
        """Whether a quantity can be what the claim's number should have been. Of numbers without a unit, a digit in a
        sentence, mostly a label or a count, is none for a longer number, nor is one of another size."""
        entry, own = self._source.entries[at], abs(self._value.quantity.value)
        if is_between(self._value.quantity.value, entry.quantity):
            return False
        if entry.units:
            return True
        if entry.table < 0 and entry.quantity.value in _ONE_DIGIT:
            return own in _ONE_DIGIT and not self._value.units
        there = abs(entry.quantity.value)
        return not own or not there or 1 / _OTHER_SIZE < there / own < _OTHER_SIZE

    def _nearest(self, named: ContextWord | None = None) -> int | None:
        """The quantity of the claim's kind of unit that fits its words best; of those beside a name where one is
        given."""
        units = self._value.units or ("",)
        places = {at for unit in units for at in self._source.of_kind(unit) if self._scores[at] > 0}
        if named is not None:
            places = {at for at in places if has_word(self._source.entries[at], named)}
        ordered = sorted(places, key=lambda at: (-self._scores[at], at))
        return next((at for at in ordered if self._is_rival(at)), None)

    def _conflict(self, entry: SourceQuantity) -> tuple[str, ContextWord] | None:
        """A name beside the number in the source in the place of one beside it in the report, and that one.

        Names are formulas and codes (``E4``, ``M3``) of one pattern; the report's must be known to the source, and
        the source must have none of the report's beside the number.
        """
        mine = [word for word, weight in self._value.words if word.entity and weight >= CLAUSE]
        for word in mine:
            if self._source.rarity(word) == 0 or has_word(entry, word):
                continue
            pattern = pattern_of(word.text)
            others = [other.text for other in entry.near if other.entity and pattern_of(other.text) == pattern]
            if others and not any(has_word(entry, each) for each in mine if pattern_of(each.text) == pattern):
                return others[0], word
        return None

    def _said(self, least: float = 0.0) -> frozenset[str]:
        """The other numbers of the claim's sentence and of those around it; those alone that weigh ``least``, such as
        CLAUSE for its clause."""
        numbers = [word.keys for word, weight in self._value.words if word.is_number and weight >= least]
        return frozenset[str]().union(*numbers)

    def _is_meant(self, at: int, other: int) -> bool:
        """Whether the passage at ``at`` is the claim's own, so that the same number elsewhere is another one. One whose
        number the report's sentence gives too is not: the sentence has the claim's number besides."""
        if number_key(self._source.entries[at].quantity) in self._said():
            return False
        own = [(word, weight) for word, weight in self._value.words if weight >= SENTENCE]
        scores = self._source.scores(own)
        most = sum(weight * self._source.rarity(word) for word, weight in own)
        return scores[at] >= _OWN_PASSAGE * most and scores[at] > _FAR_BETTER * scores[other]

    def _is_beside(self, at: int, *others: int | None) -> bool:
        """Whether the passage at ``at`` shares words with the claim, hardly fewer than the best of the others."""
        rivals = [float(self._scores[other]) for other in others if other is not None]
        return self._shares_words(at) and self._scores[at] >= _HARDLY_FEWER * max(rivals, default=0.0)

    def _named_otherwise(self, at: int) -> tuple[int, ContextWord] | None:
        """Another number of the same sentence that stands in the clause with a word of the claim's clause, where the
        number at ``at`` stands in a clause that has none of them: thymol (2.98 %), germacrene D (2.89 %)."""
        entry = self._source.entries[at]
        own = [word for word, weight in self._value.words if weight >= CLAUSE and word.weight >= FULL]
        others = [word for word in entry.beside if word.weight >= FULL]
        if not 0 < len(own) <= _NAME_WORDS or not 0 < len(others) <= _NAME_WORDS:
            return None
        if any(is_among(word, entry.beside) for word in own) or self._in_series(entry):
            return None
        if not entry.units and not entry.quantity.value.is_integer():  # a list of bare decimals has no names
            return None
        named = [word for word in own if len(word.text) > 1 and word.text.lower() not in _NO_NAMES]
        named = [word for word in named if is_among(word, entry.near)]
        said = self._said()
        for other in self._source.beside_of(at):
            there = self._source.entries[other]
            if number_key(there.quantity) in said:
                continue
            same_kind = set(there.units) & set(entry.units) or there.units == entry.units
            found = next((word for word in named if is_among(word, there.beside)), None)
            if found is not None and same_kind:
                return other, found
        return None

    def _in_series(self, entry: SourceQuantity) -> bool:
        """Whether a number goes on with a series ("from 2 nm to 5 nm to 9 nm"), whose first words are of all."""
        before = clean(self._paper.text[entry.start : entry.end])[: entry.quantity.start]
        return before.rstrip().endswith(" to")

    def _shared(self, entry: SourceQuantity) -> list[ContextWord]:
        """The claim's words that stand near to the number in the source, those that count most first, then far."""
        near = frozenset[str]().union(*(word.keys for word in entry.near))
        far = frozenset[str]().union(*(word.keys for word in entry.far))
        beside = [word for word, _ in self._value.words if word.keys & near]
        others = [word for word, weight in self._value.words if not word.keys & near and weight >= SENTENCE]
        around = [word for word in others if word.keys & far]
        return sorted(beside, key=lambda word: -word.weight) + around

    def _shares_words(self, at: int) -> bool:
        return sum(word.weight for word in self._shared(self._source.entries[at])) >= _FEWEST_WORDS

    def _fit(self, at: int | None) -> float:
        return float(self._scores[at]) / self._most if at is not None and self._most else 0.0

    def _printed(self, at: int) -> str:
        entry = self._source.entries[at]
        printed = entry.quantity.printed
        return printed if not entry.unit or entry.unit in printed else f"{printed} {entry.unit}"

    def _made(self, verdict: AuditVerdict, reason: str, at: int | None) -> ValueStanding:
        if at is None:
            return ValueStanding(verdict, reason, None, 0.0)
        entry = self._source.entries[at]
        if entry.labels:
            reason += f" (in a table, at {', '.join(entry.labels)})"
        passage = made_passage(self._name, self._paper, entry)
        return ValueStanding(verdict, reason, passage, self._fit(at))
