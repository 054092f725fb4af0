"""State: events in a file, and what a fold over them gives, live and read again."""

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def found(crew: Any) -> Any:
    class Found(crew.Event):
        value: int

    return Found


def add(total: int, event: Any) -> int:
    return total + getattr(event, "value", 0)


def test_the_fold_over_a_file_is_the_live_one(crew: Any, found: Any, tmp_path: Path) -> None:
    state = crew.State(tmp_path / "state.jsonl")
    first = state.emit(found(value=2, who="p01", step="fill/x"))
    view = state.view(0, add)
    for value in (3, 5):
        state.emit(found(value=value))
    assert first.at > 0
    events = crew.State.replay(state.path)
    assert events == state.events
    assert (view.now, crew.fold(events, 0, add)) == (10, 10)
    assert (events[0].who, events[0].step) == ("p01", "fill/x")


def test_a_line_that_was_cut_off_is_left_out_and_a_broken_one_is_named(crew: Any, found: Any, tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    whole = found(value=1, at=1.0).line()
    path.write_text(f'{whole}\n{{"kind": "Found", "va')
    assert [event.value for event in crew.State.replay(path)] == [1]
    for line, said in (('{"kind": "Gone"}', "2: there is no event 'Gone'"), ('{"kind": "Found"}', "2: 1 validation")):
        path.write_text(f"{whole}\n{line}\n")
        with pytest.raises(ValueError, match=said):
            crew.State.replay(path)


def test_two_events_of_one_name_are_refused(crew: Any, found: Any) -> None:
    with pytest.raises(TypeError, match="an event Found already"):
        type("Found", (crew.Event,), {"__module__": "other", "__annotations__": {}})
