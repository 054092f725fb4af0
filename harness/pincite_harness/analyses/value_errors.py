"""A8: wrong values by class."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import TrialData
from pincite_harness.analyses.value_classes import CLASSES, WrongValue, classify
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import TrialRow
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.trials.subject import Subject
from pincite_harness.reports.trials.write import answer_left
from pincite_materials.comparing import Stated
from pincite_papers.model import Paper
from pincite_scoring.property_extraction.condition_classes import THEORY, classes
from pincite_scoring.property_extraction.records import Reading, Record, read_records

_WRONG = frozenset({"wrong_value", "wrong"})
"""What scorers say of a value that is matched and is not the gold's."""
_QUOTED = {True: "value in quote", False: "value not in quote"}


def value_errors(group: Group, data: TrialData) -> Analysis | None:
    """The wrong values of answers by class."""
    rows: list[Row] = []
    bars: list[tuple[str, dict[str, int]]] = []
    notes: list[str] = []
    for measured in group.measured:
        counts: Counter[str] = Counter()
        quoted: Counter[tuple[str, str]] = Counter()
        unread = 0
        for trial in measured.trials:
            subject = data.subject(measured.run, trial)
            papers = [paper for path in subject.papers.values() if (paper := data.paper(path)) is not None]
            unread += len(papers) < len(subject.papers)
            answer = answer_left(data.folder(measured.run, trial))
            for wrong, in_quote in wrong_values(trial, answer, subject, papers):
                name = classify(wrong)
                counts[name] += 1
                if in_quote is not None:
                    quoted[name, _QUOTED[in_quote]] += 1
        if not counts:
            continue
        rows += _rows(measured, counts, quoted)
        bars.append((measured.run.name, dict(counts)))
        if unread:
            notes.append(
                f"{measured.run.name}: papers of {unread} trials cannot be read: no number is looked for there."
            )
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("class", "Class"),
        Column("count", "Values"),
        Column("of", "Of"),
        Column("share", "Share", 3),
        Column("value in quote", "In its quote"),
        Column("value not in quote", "Not in its quote"),
    )
    about = (
        "values that are matched to a gold record and are not its value, each in the first class that holds: computed"
        " where the gold is measured or the other way round; a bound where the other is none; the sign, or a printed"
        " power of ten; the gold to fewer digits; right after a power of ten or in another unit; another gold value or"
        " a printed number of the same papers; not printed there. A number may be printed there by chance. Records of a"
        " computed value beside a measured gold are not matched by the scorer, and still counted here"
    )
    picture = stacks("Wrong values by class", CLASSES, bars)
    return Analysis("values", "Value errors by class", about, columns, tuple(rows), picture, tuple(notes))


def wrong_values(
    trial: TrialRow, answer: Any, subject: Subject, papers: Sequence[Paper]
) -> Iterator[tuple[WrongValue, bool | None]]:
    """The wrong values of a trial, each with whether its quote holds it, None where that is not known."""
    records = trial.score.records if trial.score is not None else []
    golds = dict(_golds(records))
    mine, true = _readings(answer, subject)
    for row in records:
        at = row.get("gold") if row.get("gold") is not None else row.get("compared_with")
        theory = _is_theory(mine.get(_index(row.get("answer"))), true.get(_index(at)))
        if row.get("status") not in _WRONG and not (row.get("status") == "unmatched" and theory):
            continue
        if not row.get("value") or not row.get("gold_value"):
            continue
        gold = _gold(row)
        others = [stated for stated in golds.values() if stated != gold]
        in_quote = row.get("value_in_quote")
        stated = Stated(str(row["value"]), str(row.get("unit") or ""), _qualifier(mine, row))
        gold = Stated(gold.text, gold.unit, _qualifier_at(true, at))
        yield WrongValue(stated, gold, others, papers, theory), in_quote if isinstance(in_quote, bool) else None


def _golds(records: Sequence[Mapping[str, Any]]) -> Iterator[tuple[tuple[Any, ...], Stated]]:
    """The gold values that rows name, each once."""
    for row in records:
        if row.get("gold_value"):
            yield (row.get("gold"), row.get("compared_with"), row.get("field"), row["gold_value"]), _gold(row)


def _gold(row: Mapping[str, Any]) -> Stated:
    return Stated(str(row["gold_value"]), str(row.get("gold_unit") or ""))


def _readings(answer: Any, subject: Subject) -> tuple[dict[int, Record], dict[int, Record]]:
    """The records of answer and gold by their places, where they are records of properties."""
    found: list[dict[int, Record]] = []
    for value in (answer, subject.gold):
        reading = read_records(value, placed=False)
        found.append(reading.records if isinstance(reading, Reading) else {})
    return found[0], found[1]


def _is_theory(mine: Record | None, true: Record | None) -> bool:
    """Whether both say of what method their value is, and one of them computed it."""
    if mine is None or true is None or not mine.method or not true.method:
        return False
    return bool(classes(mine.method, THEORY)) != bool(classes(true.method, THEORY))


def _qualifier(mine: Mapping[int, Record], row: Mapping[str, Any]) -> str:
    return _qualifier_at(mine, row.get("answer"))


def _qualifier_at(records: Mapping[int, Record], place: object) -> str:
    record = records.get(_index(place))
    return record.qualifier if record is not None else ""


def _index(value: object) -> int:
    """A place in a list of records; -1, which none has, for anything else."""
    return value if isinstance(value, int) else -1


def _rows(measured: Measured, counts: Counter[str], quoted: Counter[tuple[str, str]]) -> list[Row]:
    whole = counts.total()
    rows: list[Row] = []
    known = bool(quoted)
    for name in CLASSES:
        held = {words: quoted[name, words] if known else None for words in _QUOTED.values()}
        counted = {"count": counts[name], "of": whole, "share": counts[name] / whole}
        rows.append({"run": measured.run.name, "class": name, **counted, **held})
    return rows
