"""Candidates: what trials left, one subject a quote, a record, an analysis or an answer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_core.json_fields import mapping, objects
from pincite_harness.desk.evidence import Cited, cited_in
from pincite_harness.desk.papers import Papers
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.trials.comparison import outcome_in_words
from pincite_harness.reports.trials.pairs import Pair, fields_of, pair_records
from pincite_harness.reports.trials.subject import Subject, Subjects
from pincite_harness.reports.trials.texts import plain, pretty
from pincite_harness.reports.trials.write import answer_left
from pincite_papers.model import Paper
from pincite_scoring.figure_analysis.gold import read_texts
from pincite_scoring.figure_analysis.rubric import make_question
from pincite_scoring.judging.pictures import pictures_among

_AROUND = 400
"""Characters of the paper before and after a quote that a judge without the page is given: five lines or so."""
NOT_ON_PAGE = "The quote does not stand on this page."
NOT_IN_PAPER = "The quote does not stand in this paper."


@dataclass(slots=True)
class Candidate:
    """A subject with all that orders it, shows it and tells what it is from. ``same`` is what equal records of other
    attempts share; ``confidence`` is the agent's own, from 0 to 1."""

    subject: dict[str, str]
    origin: dict[str, Any]
    run: str
    trial: str
    same: str = ""
    facts: dict[str, str] = field(default_factory=dict[str, str])
    failed: list[str] = field(default_factory=list[str])
    confidence: float | None = None
    cited: Cited | None = None
    pictures: Mapping[str, Path] = field(default_factory=dict[str, Path])


@dataclass(frozen=True, slots=True)
class Left:
    """What one trial left, opened: its answer, what it was about, and its quotes in the papers."""

    run: RunReport
    trial: TrialRow
    folder: Path
    answer: Any
    subject: Subject
    papers: Mapping[str, Paper]
    cited: Sequence[Cited]

    @property
    def facts(self) -> dict[str, str]:
        """What a page says of the trial where the queue is not blind."""
        return {"trial": self.trial.name, "agent": self.run.agent}

    def origin(self, **more: Any) -> dict[str, Any]:
        """What a label of it is for."""
        return {"family": self.trial.family, "task": self.trial.task, **more}


def trials_left(runs: Sequence[RunReport], papers: Papers) -> Iterator[Left]:
    """Each trial that left an answer which can be read."""
    for run in runs:
        subjects = Subjects(run)
        for trial in run.trials:
            folder = run.path / "trials" / trial.name
            answer = answer_left(folder)
            if answer is None:
                continue
            subject = subjects.of(trial)
            opened = papers.open_all(subject.papers)
            yield Left(run, trial, folder, answer, subject, opened, cited_in(answer, opened))


def of_quotes(left: Left) -> Iterator[Candidate]:
    """Each quote with the record that it is the evidence of."""
    outcomes = _outcomes(left)
    for cited in left.cited:
        path = cited.quote.path
        record = _record_at(left.answer, path)
        subject = {"record": record_text(record), "quote": cited.quote.text, **_passage(cited, left.papers)}
        yield _candidate(left, subject, record, path, outcomes.get(path[:2], _UNMATCHED), cited)


def of_records(left: Left) -> Iterator[Candidate]:
    """Each record of the answer, and each of the gold that no record was matched with."""
    outcomes = _outcomes(left)
    for name, records in _lists(left.answer):
        for number, record in enumerate(records):
            cited = next((each for each in left.cited if each.quote.path[:2] == (name, number)), None)
            quoted = {"quote": cited.quote.text, **_passage(cited, left.papers)} if cited is not None else {}
            subject = {"record": record_text(record), **quoted}
            matched = outcomes.get((name, number), _UNMATCHED)
            yield _candidate(left, subject, record, (name, number), matched, cited)
    for name, pair, gold in _pairs(left):
        if pair.answer is None and pair.gold is not None and gold is not None:
            yield _of_gold(left, name, pair.gold, gold)


def _of_gold(left: Left, name: str, number: int, record: Mapping[str, Any]) -> Candidate:
    (cited, *_) = [*cited_in({name: [record]}, left.papers), None]
    quoted = {"quote": cited.quote.text, **_passage(cited, left.papers)} if cited is not None else {}
    subject = {"record": record_text(record), **quoted}
    made = _candidate(left, subject, record, (name, number), _UNMATCHED, cited)
    made.origin["side"] = "gold"
    made.facts = {"from": "the gold; no record was matched with it"}
    return made


def of_analyses(left: Left) -> Iterator[Candidate]:
    """The analysis of a task of figure_analysis beside the paper's own; nothing where the gold may not be shown."""
    gold, task = left.subject.gold, left.subject.task
    written = mapping(left.answer).get("analysis", left.answer)
    reference = mapping(gold).get("analysis", gold)
    if not isinstance(written, str) or not isinstance(reference, str) or task is None:
        return
    files = {path.name: path for path in task.files}
    texts, pictures = read_texts(files), pictures_among(files)
    unseen = [name for name in files if name not in texts and name not in pictures]
    question = make_question(str(task.parameters.get("query", "")), texts, reference, written, pictures, unseen)
    failed = [f"{each.found.verdict}: {each.quote.text[:80]}" for each in left.cited if not each.placed]
    unsupported = left.trial.metrics.get("n_unsupported")
    failed += [f"{unsupported:.0f} numbers without support"] if unsupported else []
    yield Candidate(
        dict(question.subject),
        left.origin(side="answer"),
        left.run.name,
        left.trial.name,
        facts=left.facts,
        failed=failed,
        pictures=question.pictures,
    )


def of_questions(left: Left) -> Iterator[Candidate]:
    """A question with its answer, the expected one and the words of its source."""
    task, gold = left.subject.task, left.subject.gold
    if task is None or "question" not in task.parameters:
        return
    held = mapping(left.answer)
    given = plain(held.get("answer")) if held else plain(left.answer)
    known = mapping(gold)
    source = known.get("source")
    texts = {
        "question": str(task.parameters["question"]),
        "expected answer": plain(known.get("answer")),
        "source": plain(source),
        "answer": given or pretty(left.answer),
    }
    found = cited_in({"source": source}, left.papers) if source else []
    shown = next((each for each in [*left.cited, *found] if each.placed), None)
    confidence = _confidence(held)
    yield Candidate(
        {name: text for name, text in texts.items() if text},
        left.origin(side="answer"),
        left.run.name,
        left.trial.name,
        same=_flat(given),
        facts=left.facts,
        failed=[each.found.verdict for each in left.cited if not each.placed],
        confidence=confidence,
        cited=shown,
    )


MAKERS: Mapping[str, Callable[[Left], Iterator[Candidate]]] = {
    "quotes": of_quotes,
    "records": of_records,
    "analyses": of_analyses,
    "answers": of_questions,
}
OF_RUBRIC: Mapping[str, str] = {
    "labels/evidence": "quotes",
    "labels/candidate": "records",
    "labels/error_patterns": "analyses",
    "labels/analysis_quality": "analyses",
    "figure_analysis": "analyses",
    "labels/reading_errors": "answers",
}
"""What each rubric is about."""


def record_text(record: Mapping[str, Any]) -> str:
    """A record in lines, without its quotes."""
    lines: list[str] = []
    for name, value in fields_of(record).items():
        if name.rpartition(".")[2] in ("quote", "evidence", "quoted_span") or name.endswith(("_quote", "_evidence")):
            continue
        lines.append(f"{name.removeprefix('location.').replace('_', ' ')}: {plain(value)}")
    return "\n".join(lines) or pretty(record)


def _candidate(
    left: Left,
    subject: dict[str, str],
    record: Mapping[str, Any],
    path: Sequence[str | int],
    matched: "_Matched",
    cited: Cited | None,
) -> Candidate:
    failed = [_fault(cited)] if cited is not None and cited.found.verdict != "stands" else []
    origin = left.origin(side="answer", list=path[0], record=record)
    if matched.gold is not None:
        origin["gold"] = matched.gold
    return Candidate(
        subject,
        origin,
        left.run.name,
        left.trial.name,
        same=_same(record),
        facts={**left.facts, **matched.facts},
        failed=[*failed, *matched.against],
        confidence=_confidence(record),
        cited=cited,
    )


def _fault(cited: Cited) -> str:
    return f"quote: {cited.found.verdict}"


def _passage(cited: Cited, papers: Mapping[str, Paper]) -> dict[str, str]:
    """What stands around a quote; nothing where it cannot be placed, and no guess."""
    paper = papers.get(cited.found.paper)
    if paper is None or not cited.placed:
        return {}
    start, end = cited.found.spans[0].start, cited.found.spans[-1].end
    return {"passage": paper.text[max(0, start - _AROUND) : end + _AROUND]}


def _record_at(answer: Any, path: Sequence[str | int]) -> Mapping[str, Any]:
    """The record of a list that a quote belongs to, else the object that holds it."""
    held: Any = answer
    found: Mapping[str, Any] = {}
    for step in path[:-1]:
        held = held[step]
        found = mapping(held) or found
        if found and isinstance(step, int):
            break
    return found or mapping(answer)


def _lists(answer: Any) -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
    for name, value in mapping(answer).items():
        records = objects(value)
        if records:
            yield name, records


def _pairs(left: Left) -> Iterator[tuple[str, Pair, Mapping[str, Any] | None]]:
    """The list and the pairs of records that the scorer made, each with its gold record where that may be shown."""
    rows: Sequence[Mapping[str, Any]] = left.trial.score.records if left.trial.score is not None else []
    paired = pair_records(left.answer, left.subject.gold, rows)
    if paired is None:
        return
    for pair in paired.pairs:
        shown = paired.golds or []
        yield paired.name, pair, shown[pair.gold] if pair.gold is not None and shown else None


@dataclass(frozen=True, slots=True)
class _Matched:
    """What the scorer says of a record, the gold record that it was matched with, and how the gold contradicts it."""

    facts: Mapping[str, str]
    gold: Mapping[str, Any] | None
    against: Sequence[str] = ()


_UNMATCHED = _Matched({}, None)


def _outcomes(left: Left) -> dict[tuple[Any, ...], _Matched]:
    """What the scorer says by list and number of a record."""
    found: dict[tuple[Any, ...], _Matched] = {}
    for name, pair, gold in _pairs(left):
        if pair.answer is None:
            continue
        word, kind = outcome_in_words(pair)
        facts = {"scorer": word}
        if gold is not None:
            facts["gold record"] = record_text(gold)
        against = [f"gold: {word}"] if left.subject.gold is not None and kind == "failed" else []
        found[name, pair.answer] = _Matched(facts, gold, against)
    return found


def _same(record: Mapping[str, Any]) -> str:
    """What two attempts share that found the same: the fields of a record but for its place and what is said of it."""
    own = {name: value for name, value in record.items() if name not in _ABOUT and not isinstance(value, dict)}
    return _flat(plain(own))


_ABOUT = frozenset({"confidence", "notes", "note", "evidence", "quote", "page", "section", "value_detail", "category"})


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


_WORDS = {"high": 0.9, "medium": 0.6, "low": 0.3}
"""What agents mean that say their confidence in a word; set by judgement."""


def _confidence(record: Mapping[str, Any]) -> float | None:
    value = record.get("confidence")
    if isinstance(value, str):
        return _WORDS.get(value.strip().lower())
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        return None
    return value / 100 if value > 1 else float(value)
