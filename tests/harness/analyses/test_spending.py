"""Accuracy against spending, efficiency and effort, counted by hand."""

import math
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_harness.analyses.effort import effort_by_outcome
from pincite_harness.analyses.spending import accuracy_against_spending, efficiency, pareto_front, quantile
from pincite_harness.cli.main import app
from pincite_harness.reports.pictures import Axis, steps

QA = "literature_qa"
SEARCH = "precedent_search"


def test_accuracy_against_spending_of_two_runs_of_three_trials(tmp_path: Path, analysed: Any, make: Any) -> None:
    cheap = [make.trial(f"t{k}", metrics={"accuracy": value}, cost=0.01) for k, value in enumerate((1.0, 0.0, 0.0))]
    costs = (0.1, 0.2, 0.3)
    dear = [
        make.trial(f"t{k}", metrics={"accuracy": 1.0}, cost=cost, tokens=(900, 100)) for k, cost in enumerate(costs)
    ]
    first = make.run(tmp_path / "cheap", QA, cheap)
    second = make.run(tmp_path / "dear", QA, dear)
    rows = analysed(accuracy_against_spending, first, second).rows
    assert [row["run"] for row in rows] == ["cheap", "dear"]
    assert rows[0]["score"].mean == pytest.approx(1 / 3)
    # s = √(((2/3)² + 2 (1/3)²) / 2) = √(1/3); s / √3 = 1/3.
    assert rows[0]["score"].standard_error == pytest.approx(1 / 3)
    assert rows[1]["cost_usd"].mean == pytest.approx(0.2)
    assert rows[1]["cost_usd"].standard_error == pytest.approx(0.1 / math.sqrt(3))
    assert [row["tokens"].mean for row in rows] == [100, 1000]
    assert [row["front_cost_usd"] for row in rows] == ["yes", "yes"]


def test_a_run_with_an_unknown_cost_has_no_point(tmp_path: Path, analysed: Any, make: Any) -> None:
    trials = [make.trial("a", metrics={"accuracy": 1.0}, cost=0.1), make.trial("b", metrics={"accuracy": 1.0})]
    made = analysed(accuracy_against_spending, make.run(tmp_path / "one", QA, trials))
    assert made.rows[0]["cost_usd"] is None
    assert made.rows[0]["unknown_cost_usd"] == 1
    assert made.rows[0]["tokens"].mean == 100
    assert "not known of 1 trials" in made.notes[0]


def test_the_front_has_the_runs_that_no_other_beats() -> None:
    # The second costs more and scores less than the first; the fourth is the first again.
    assert pareto_front([(1, 0.5), (2, 0.4), (3, 0.9), (1, 0.5), (None, 1.0)]) == [0, 3, 2]


def test_calls_by_kind_and_the_mean_of_attempts(tmp_path: Path, analysed: Any, make: Any) -> None:
    calls = [
        make.call("open_paper", server="documents"),
        make.call("open_paper", server="documents", refused="limit"),
        make.call("Bash", arguments={"command": "ls"}),
        make.call("web_search", hosted=True),
        make.call("Read"),
        make.call("Dream"),
    ]
    offered = ("Bash", "Read")
    trials = [
        make.trial("a", 1, metrics={"accuracy": 1.0}, calls=calls, offered=offered),
        make.trial("a", 2, metrics={"accuracy": 1.0}, calls=calls[:1], offered=offered),
        make.trial("b", 1, metrics={"accuracy": 1.0}, calls=calls[2:3], offered=offered),
        make.trial("b", 2, metrics={"accuracy": 1.0}, calls=None),
    ]
    made = analysed(efficiency, make.run(tmp_path / "one", QA, trials))
    rows = {row["what"]: row for row in made.rows}
    # mcp 1, shell 1, hosted 1, own 1 of the first trial; 1 and 1 of the next two; the last has no trajectory.
    assert rows["all calls"]["n"] == 3
    assert rows["all calls"]["mean"].mean == 2
    assert (rows["all calls"]["median"], rows["all calls"]["max"]) == (1, 4)
    means = {what: row["mean"].mean for what, row in rows.items()}
    assert means["mcp calls"] == pytest.approx(2 / 3)
    assert means["shell calls"] == pytest.approx(2 / 3)
    assert means["hosted calls"] == means["own calls"] == means["unknown calls"] == pytest.approx(1 / 3)
    # Attempt 1: (4 + 1) / 2; attempt 2: 1 / 1. Their mean 1.75, standard error 0.75.
    assert (rows["all calls"]["attempts"].mean, rows["all calls"]["attempts"].standard_error) == (1.75, 0.75)
    assert made.notes == ("one: 1 trials have no trajectory and no counts of calls.",)


def test_keystrokes_of_terminus_are_calls_of_a_shell(tmp_path: Path, analysed: Any, make: Any) -> None:
    own = make.trajectory([make.call("bash_command", arguments={"keystrokes": "ls\n"}), make.call("other")])
    trial = make.trial("a", metrics={"accuracy": 1.0}, files={"agent/terminus/trajectory.json": own})
    rows = {row["what"]: row for row in analysed(efficiency, make.run(tmp_path / "one", QA, [trial])).rows}
    assert rows["shell calls"]["mean"].mean == rows["all calls"]["mean"].mean == 1


def test_effort_of_nine_trials_by_outcome(tmp_path: Path, analysed: Any, make: Any) -> None:
    seconds = {"correct": (1, 2, 3), "partial": (4, 6), "not_attempted": (10,), "incorrect": (20, 30, 40)}
    trials: list[Any] = []
    for outcome, own in seconds.items():
        for value in own:
            name = f"{outcome}{value}"
            calls = [make.call("find", server="literature")] * value
            trials.append(make.trial(name, metrics={"score": 1.0}, outcome=outcome, seconds=float(value), calls=calls))
    rows = analysed(effort_by_outcome, make.run(tmp_path / "one", SEARCH, trials)).rows
    found = {(row["outcome"], row["what"]): row for row in rows}
    correct = found["correct", "agent seconds"]
    assert (correct["n"], correct["mean"].mean, correct["median"], correct["lower"], correct["upper"]) == (
        3,
        2,
        2,
        1.5,
        2.5,
    )
    assert correct["mean"].standard_error == pytest.approx(1 / math.sqrt(3))
    assert found["incorrect", "calls"]["mean"].mean == 30
    assert found["not attempted", "calls"]["n"] == 1
    # The published classes: not attempted and incorrect are one, (10 + 20 + 30 + 40) / 4.
    assert found["published: incorrect", "calls"]["mean"].mean == 25
    assert found["published: correct", "calls"]["n"] == 3


def test_quantiles_steps_and_ticks() -> None:
    assert quantile([4, 1, 3, 2], 0.5) == 2.5
    assert quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 0.9) == 10
    assert steps([2.0, 1.0]) == [(1.0, 0.0), (1.0, 0.5), (2.0, 0.5), (2.0, 1.0)]
    assert Axis("x", 0.0, 1.0).ticks() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    log = Axis("x", 0.01, 1.0, log=True)
    assert log.ticks() == pytest.approx([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0])
    assert log.place(0.1) == pytest.approx(0.5)


def test_a_report_that_is_written_again_keeps_its_analysis(tmp_path: Path, make: Any) -> None:
    trials = [
        make.trial("a", metrics={"accuracy": 1.0}, cost=0.1),
        make.trial("b", metrics={"accuracy": 0.0}, cost=0.2),
    ]
    run = make.run(tmp_path / "run", QA, trials)
    command = CliRunner()
    assert command.invoke(app, ["report", str(run)]).exit_code == 0
    page = run / "report.html"
    assert 'id="analysis"' not in page.read_text()
    assert command.invoke(app, ["analyse", str(run)]).exit_code == 0
    numbers = (run / "analysis.json").read_text()
    assert command.invoke(app, ["report", str(run)]).exit_code == 0
    assert 'id="analysis"' in page.read_text()
    assert (run / "analysis.json").read_text() == numbers
