"""The answer of a trial beside its gold: record by record where the scorer matched them, with the quotes of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite_harness.desk.evidence import Cited, cited_in, count_verdicts
from pincite_harness.desk.papers import Papers
from pincite_harness.desk.run_book import ListedTrial
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.records import records_table
from pincite_harness.reports.trials.comparison import (
    MOST_RECORDS,
    anchor_of,
    field_table,
    number_of,
    outcome_in_words,
    reasons_of,
    records_of,
    side_by_side,
    title_of,
)
from pincite_harness.reports.trials.page import evidence_in_words, place_in_answer
from pincite_harness.reports.trials.pairs import Pair, Paired, pair_records
from pincite_harness.reports.trials.subject import Subject
from pincite_harness.reports.trials.write import answer_left
from pincite_papers.model import Paper


@dataclass(frozen=True, slots=True)
class RecordShown:
    """A record of the answer, of the gold or of both, with the scorer's verdict (in words, and its colour)."""

    anchor: str
    number: str
    word: str
    kind: str
    title: str
    why: str
    evidence: str
    """The scorer's word on the record's evidence."""
    fields: Markup
    cited: Sequence[Cited]
    gold: int | None = None
    """The place of the gold record that it was matched with."""
    answered: Mapping[str, Any] | None = None
    expected: Mapping[str, Any] | None = None
    """The record of the answer, and that of the gold where it may be shown."""


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """``records`` are empty where the scorer's rows cannot be told one by one: then ``compared`` has them in a table.
    ``loose`` are quotes that belong to no record, each with its place in the answer."""

    records: Sequence[RecordShown]
    left: int
    compared: Markup | None
    both: Markup
    loose: Sequence[tuple[str, Cited]]
    verdicts: Mapping[str, int]
    outcomes: Sequence[tuple[str, str, int]]
    note: str
    answered: bool
    papers: Mapping[str, Paper]
    unread: Sequence[str]
    """Names of papers of the task that could not be opened."""


def show_answer(listed: ListedTrial, folder: Any, subject: Subject, papers: Papers) -> AnswerShown:
    """What the trial in ``folder`` left, beside its gold, with each quote looked for in the task's papers."""
    answer = answer_left(folder)
    opened = papers.open_all(subject.papers)
    cited = cited_in(answer, opened)
    score = listed.trial.score
    rows: Sequence[Mapping[str, Any]] = score.records if score is not None else []
    paired = pair_records(answer, subject.gold, rows)
    columns = listed.shown.columns
    compared = records_table(rows, columns) if paired is None and rows else None
    records: list[RecordShown] = []
    if paired is not None:
        shown = paired.pairs[:MOST_RECORDS]
        records = [_record(paired, pair, listed, rows, cited) for pair in shown]
    of_records = {each.number for record in records for each in record.cited}
    loose = [(place_in_answer(each.quote), each) for each in cited if each.number not in of_records]
    return AnswerShown(
        records=records,
        left=max(0, len(paired.pairs) - len(records)) if paired is not None else 0,
        compared=compared,
        both=side_by_side(answer, subject.gold, ""),
        loose=loose,
        verdicts=count_verdicts(cited),
        outcomes=_outcomes(records),
        note=subject.note,
        answered=answer is not None,
        papers=opened,
        unread=[name for name in subject.papers if name not in opened],
    )


def _record(
    paired: Paired, pair: Pair, listed: ListedTrial, rows: Sequence[Mapping[str, Any]], cited: Sequence[Cited]
) -> RecordShown:
    answer, gold = records_of(paired, pair)
    word, kind = outcome_in_words(pair)
    own = [row for row in rows if row.get("answer") == pair.answer and "evidence" in row and "field" not in row]
    judged = pair.answer is not None and len(own) == 1
    of_it = [each for each in cited if each.quote.path[:2] == (paired.name, pair.answer)]
    return RecordShown(
        anchor=anchor_of(pair),
        number=number_of(pair),
        word=word,
        kind=kind,
        title=title_of(paired, pair, listed.shown.columns),
        why=reasons_of(pair),
        evidence=evidence_in_words(own[0]) if judged else "",
        fields=field_table(answer, gold, pair),
        cited=of_it,
        gold=pair.gold,
        answered=answer,
        expected=gold,
    )


def _outcomes(records: Sequence[RecordShown]) -> list[tuple[str, str, int]]:
    """Each outcome in words with its colour, and how many records have it."""
    counts: dict[tuple[str, str], int] = {}
    for record in records:
        counts[record.word, record.kind] = counts.get((record.word, record.kind), 0) + 1
    return [(word, kind, count) for (word, kind), count in counts.items()]
