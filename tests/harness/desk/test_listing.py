"""Many trials and many steps: what a page lists of them, and how it goes on."""

import json
import random
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from pincite_harness.runs.run_folder import RunFolder
from pincite_trajectory.atif import Agent, Step, Trajectory

TRIALS, STEPS = 450, 2000


@pytest.fixture(scope="module")
def many(desk_window: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A desk with a run of 450 trials, a tenth failed and the last fifty not begun; the first has 2,000 steps."""
    folder = RunFolder(tmp_path_factory.mktemp("many") / "run")
    names = [f"task_{number}__1" for number in range(TRIALS)]
    chance = random.Random(1)
    for number, name in enumerate(names[:-50]):
        where = folder.trial(name)
        where.mkdir(parents=True)
        failed = {"status": "failed", "cause": "model_failed", "detail": f"outage {number}"} if number % 10 == 9 else {}
        record = desk_window.record_of(name, name[:-3], tool_calls=number, **failed)
        (where / "trial.json").write_text(record.model_dump_json())
        score = {"family": "property_extraction", "scorer": "property_extraction", "status": "scored"}
        (where / "score.json").write_text(json.dumps({**score, "metrics": {"f1_0.1%": round(chance.random(), 3)}}))
    steps = [Step(step_id=number, source="agent", message=f"step no. {number}") for number in range(1, STEPS + 1)]
    told = Trajectory(agent=Agent(name="react", version="1"), steps=steps)
    (folder.trial(names[0]) / "trajectory.json").write_text(told.model_dump_json(exclude_none=True))
    folder.create(desk_window.run_document("many", names, {}))
    with desk_window.open_desk(folder.path) as desk:
        yield desk


def names_in(page: str) -> list[str]:
    return re.findall(r'<tr data-trial="([^"]+)"', page)


def test_trials_are_paged_filtered_and_sorted_in_the_server(many: Any) -> None:
    first = many.text("run/0")
    assert names_in(first) == [f"task_{number}__1" for number in range(200)]
    assert "page 1 of 3, 450 trials" in first
    assert names_in(many.text("run/0?page=3")) == [f"task_{number}__1" for number in range(400, 450)]
    assert names_in(many.text("run/0?page=99")) == names_in(many.text("run/0?page=3")), "the last page there is"
    failed = many.text("run/0?state=failed")
    assert len(names_in(failed)) == 40
    assert "outage 9" in failed
    assert names_in(many.text("run/0?q=outage+399")) == ["task_399__1"]
    assert len(names_in(many.text("run/0?state=stopped"))) == 0
    assert len(names_in(many.text("run/0?state=waiting"))) == 50
    by_calls = many.text("run/0?sort=-calls")
    assert names_in(by_calls)[:2] == ["task_399__1", "task_398__1"]
    assert 'aria-sort="descending"' in by_calls
    for sort in ("score", "-score"):
        scores = [
            float(each) for each in re.findall(r'title="F1 at 0.1 %">([0-9.]+)<', many.text(f"run/0?sort={sort}"))
        ]
        assert scores == sorted(scores, reverse=sort.startswith("-"))
    assert names_in(many.text("run/0?sort=nonsense&page=x&state=odd")) == names_in(first)


def test_a_long_trajectory_comes_in_pieces(many: Any) -> None:
    trial = "run/0/trial/task_0__1"
    page = many.text(trial)
    assert page.count('<details class="step') == 100
    assert "1900 more steps" in page
    piece = many.text(f"{trial}/steps?conversation=0&first=101&last=150")
    assert re.findall(r'id="step-0-(\d+)"', piece)[0] == "101"
    assert 'id="step-0-150"' in piece
    assert "more steps" not in many.text(f"{trial}/steps?conversation=0&first=1901")
    assert "step no. 1999" in many.text(f"{trial}/step?conversation=0&number=1999")
    assert many.text(f"{trial}/find?q=NO.+1999").count("<li>") == 1
    assert many.get(f"{trial}/step?conversation=0&number=2001").status_code == 404


def test_a_link_to_a_late_step_brings_it(many: Any, browser: Any) -> None:
    browser.open(f"{many.address}/run/0/trial/task_0__1#step-0-1990")
    browser.until("document.querySelector('#step-0-1990 pre')?.textContent === 'step no. 1990'")
    top = browser.run("document.getElementById('step-0-1990').getBoundingClientRect().top")
    assert 0 <= top < 900, "it is in view"
