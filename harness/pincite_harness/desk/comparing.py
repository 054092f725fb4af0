"""Two runs side by side: their trials of the same task, and the records of two trials against one gold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite_harness.desk.answers import AnswerShown, RecordShown
from pincite_harness.desk.run_book import ListedTrial
from pincite_harness.reports.trials.pairs import fields_of
from pincite_harness.reports.trials.texts import plain

MOST_ROWS = 500
"""Tasks that one page compares: the filters lead to the others."""
SHOWS = ("all", "differ", "first", "second", "alone")
"""Which pairs are listed: all, those whose score or state differs, those where one run is better, or that one lacks."""


@dataclass(frozen=True, slots=True)
class TrialPair:
    """The trials of one task and attempt in two runs; None where a run does not have it."""

    family: str
    task: str
    attempt: int
    first: ListedTrial | None
    second: ListedTrial | None

    @property
    def difference(self) -> float | None:
        """The second's score less the first's; None where one has none, or they are scored by different metrics."""
        if self.first is None or self.second is None or self.first.metric != self.second.metric:
            return None
        mine, theirs = self.first.score, self.second.score
        return None if mine is None or theirs is None else theirs - mine

    @property
    def is_different(self) -> bool:
        """Whether score or state differ, or one run lacks it."""
        if self.first is None or self.second is None:
            return True
        return bool(self.difference) or self.first.state != self.second.state


@dataclass(frozen=True, slots=True)
class RecordPair:
    """What two trials say of one gold record, or of none: then only one of them has it."""

    first: RecordShown | None
    second: RecordShown | None

    @property
    def title(self) -> str:
        """What the record is."""
        shown = self.first or self.second
        return shown.title if shown is not None else ""

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """Each field with what the first says, the second, and the gold."""
        sides = [each.answered if each is not None else None for each in (self.first, self.second)]
        gold = next((each.expected for each in (self.first, self.second) if each is not None and each.expected), None)
        mine, theirs, expected = (fields_of(side or {}) for side in (*sides, gold))
        names = dict.fromkeys([*expected, *mine, *theirs])
        return [(name, plain(mine.get(name)), plain(theirs.get(name)), plain(expected.get(name))) for name in names]

    @property
    def is_different(self) -> bool:
        """Whether the scorer says otherwise of the two."""
        mine = self.first.word if self.first is not None else ""
        return mine != (self.second.word if self.second is not None else "")


def pair_trials(first: Sequence[ListedTrial], second: Sequence[ListedTrial]) -> list[TrialPair]:
    """All tasks and attempts of both runs, in the order of the first."""
    mine, theirs = _by_task(first), _by_task(second)
    return [TrialPair(*key, mine.get(key), theirs.get(key)) for key in dict.fromkeys([*mine, *theirs])]


def choose_pairs(pairs: Sequence[TrialPair], show: str, text: str) -> list[TrialPair]:
    """Those that are asked for, the ones that differ most first."""
    wanted = text.casefold()
    found = [pair for pair in pairs if _fits(pair, show) and wanted in pair.task.casefold()]
    return sorted(found, key=lambda pair: (not pair.is_different, -abs(pair.difference or 0.0)))


def count_pairs(pairs: Sequence[TrialPair]) -> dict[str, int]:
    """How many pairs each of ``SHOWS`` has."""
    return {show: sum(_fits(pair, show) for pair in pairs) for show in SHOWS}


def pair_shown(first: AnswerShown, second: AnswerShown) -> list[RecordPair]:
    """The records of two answers, by the gold record that they were matched with; then those of no gold record."""
    mine, theirs = _by_gold(first), _by_gold(second)
    golds = sorted({*mine, *theirs})
    found = [RecordPair(mine.get(gold), theirs.get(gold)) for gold in golds]
    found += [RecordPair(record, None) for record in first.records if record.gold is None]
    return found + [RecordPair(None, record) for record in second.records if record.gold is None]


def _fits(pair: TrialPair, show: str) -> bool:
    difference = pair.difference or 0.0
    if show == "differ":
        return pair.is_different
    if show == "first":
        return difference < 0
    if show == "second":
        return difference > 0
    return show != "alone" or pair.first is None or pair.second is None


def _by_task(trials: Sequence[ListedTrial]) -> Mapping[tuple[str, str, int], ListedTrial]:
    return {(each.trial.family, each.trial.task, each.trial.attempt): each for each in trials}


def _by_gold(shown: AnswerShown) -> dict[int, RecordShown]:
    return dict(_with_gold(shown.records))


def _with_gold(records: Sequence[RecordShown]) -> Iterator[tuple[int, RecordShown]]:
    for record in reversed(records):
        if record.gold is not None:
            yield record.gold, record
