"""Checking and scoring happen in processes with limits, which can be killed; what they need comes from this one."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import UnavailableError
from pincite_harness.marking.errors import ScorerFailedError
from pincite_harness.trial.marking import Marker, Marking
from pincite_scoring import ScoringOptions
from pincite_scoring.judging.judge import Question, Verdict
from pincite_tasks.family import Family, load_family

RECORD = {
    "material_or_system": "YBa2Cu3O6.93",
    "property_name": "critical temperature",
    "category": "superconductive",
    "value_string": "93",
    "value_unit": "K",
    "location": {"page": 1, "source_type": "text", "evidence": "words that stand nowhere"},
}
ODD = {
    **RECORD,
    "property_name": "characteristic point",
    "location": {"page": 1, "source_type": "text", "evidence": "another sentence, which stands elsewhere"},
}
"""What neither its name nor its quote tells: a judge is asked."""
_NARROW = "scoring_memory_mb = 256\nanswer_bytes = 100_000_000\nanswer_records = 100_000"
Mark = Callable[..., Marking]


def answer(*records: dict[str, Any]) -> bytes:
    return orjson.dumps({"properties": records or (RECORD,)})


@pytest.fixture
def marking(make_family: Any) -> Iterator[Mark]:
    opened: list[Marker] = []

    def made(limits: str = "", judge: Any = None) -> Marking:
        family = load_family(make_family(limits=limits, gold={"properties": [RECORD]}, servers="[]"))
        options = ScoringOptions() if judge is None else ScoringOptions(judge)
        opened.append(Marker(family.tasks, options))
        return opened[-1].marking(family, family.tasks[0])

    yield made
    for marker in opened:
        marker.close()


def test_an_answer_is_counted_before_it_is_read(marking: Mark) -> None:
    mark = marking("answer_bytes = 2000\nanswer_records = 3")
    assert mark.check(answer()) is None
    assert mark.check(b" " * 2001) == "answer.json has 2,001 bytes; it may have 2,000 (answer_bytes)."
    # The seven numbers are no records of the schema's, and there are too many of them all the same.
    fault = mark.check(orjson.dumps({"properties": [1, [2, 3, 4], [5]]}))
    assert fault == "answer.json has 7 records; it may have 3 (answer_records)."


def test_a_byte_order_mark_is_no_fault(marking: Mark) -> None:
    mark, text = marking(), answer().decode()
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        data = text.encode(encoding)
        assert mark.check(data) is None, encoding
        assert mark.mark(data)["metrics"]["n_gold"] == mark.mark(text.encode())["metrics"]["n_gold"]
    assert "is not UTF-8" in (mark.check(b"\xff{}") or "")


def test_deep_nesting_is_the_answers_fault(marking: Mark) -> None:
    mark = marking()
    for depth in (200, 900, 100_000):
        assert "answer.json" in (mark.check(b'{"properties":' + b"[" * depth + b"]" * depth + b"}") or "")


def test_what_takes_too_long_or_too_much_is_ended_and_the_next_answer_scored(marking: Mark, make_family: Any) -> None:
    # Its check takes ten times as long: a process that answers at once would be in time for any limit.
    with pytest.raises(ScorerFailedError, match="longer than is allowed"):
        marking("scoring_seconds = 0.05\nanswer_records = 5000").check(answer(*[RECORD] * 5000))
    small = load_family(make_family("small", limits=_NARROW, servers="[]"))
    many = [{**RECORD, "value_string": "9" * 900} for _ in range(40_000)]
    marker = Marker(small.tasks, ScoringOptions())
    try:
        with pytest.raises(ScorerFailedError, match="more memory than is allowed"):
            marker.marking(small, small.tasks[0]).check(answer(*many))
        assert marker.mark(_roomy(small), small.tasks[0], {"properties": []})["status"] == "scored"
    finally:
        marker.close()


def _roomy(family: Family) -> Family:
    import dataclasses

    limits = family.settings.limits.changed({"scoring_memory_mb": 2048})
    return dataclasses.replace(family, settings=family.settings.model_copy(update={"limits": limits}))


class Waiting:
    """A judge that does not answer until it is told to, and calls everything the same."""

    name = "waiting/1"

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go_on = threading.Event()

    def decide(self, question: Question) -> Verdict:
        self.asked.set()
        assert self.go_on.wait(30)
        return Verdict({item.name: item.labels[-1] for item in question.rubric.items}, self.name, "so it is")


def test_waiting_for_a_judge_is_not_counted(marking: Mark) -> None:
    judge = Waiting()
    mark = marking("scoring_seconds = 10", judge)
    odd = ODD
    threading.Timer(11, judge.go_on.set).start()
    score = mark.mark(answer(odd))
    assert judge.asked.is_set()
    assert score["status"] == "scored"


def test_a_marking_that_is_ended_lets_go_at_once(marking: Mark) -> None:
    judge = Waiting()
    judge.go_on.clear()
    mark = marking("", judge)
    seen: list[BaseException] = []

    def work() -> None:
        try:
            mark.mark(answer(ODD))
        except UnavailableError as error:
            seen.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert judge.asked.wait(60)
    mark.end()
    judge.go_on.set()
    thread.join(30)
    assert not thread.is_alive()
    assert seen
    with pytest.raises(UnavailableError):
        mark.check(answer())


def test_no_process_outlives_its_marker(marking: Mark, tmp_path: Path) -> None:
    mark = marking()
    assert mark.check(answer()) is None
    processes = mark._marker.processes  # pyright: ignore[reportPrivateUsage]
    [pid] = processes.pids()
    mark._marker.close()  # pyright: ignore[reportPrivateUsage]
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}/cmdline").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}/cmdline").exists()


def test_long_crafted_values_do_not_hold_the_scorer_up(marking: Mark) -> None:
    """Each stood for minutes where a pattern went back and forth over it; all of them are done within the limit."""
    mark = marking("scoring_seconds = 30")
    names = ("material_or_system", "property_name", "value_string", "value_unit")
    slow: list[str] = []
    for piece in ("9.", "1-", " ", "a-", "(", "1e", "a-a-a-", "{", "^{", "<", ", ", "\t\n"):
        text = piece * (50_000 // len(piece))
        try:
            status = mark.mark(answer(*({**RECORD, name: f"x {text} K"} for name in names)))["status"]
        except ScorerFailedError as error:
            status = str(error)
        if status != "scored":
            slow.append(f"{piece!r}: {status}")
    assert slow == []
