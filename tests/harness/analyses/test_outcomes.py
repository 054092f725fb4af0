"""Reliability, ends, roles, retrieval, documents and time, counted by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.analyses.document import ranks, recall_by_page, spearman
from pincite_harness.analyses.ends import ends
from pincite_harness.analyses.reliability import pass_all, reliability, variances
from pincite_harness.analyses.retrieval import retrieval_and_extraction
from pincite_harness.analyses.role_tokens import premium, tokens_by_role
from pincite_harness.analyses.timelines import rounds, split_time, time_spent
from pincite_tasks.failure import Cause, Status

SEARCH = "precedent_search"
QA = "literature_qa"


def test_reliability_of_four_tasks_in_three_attempts(tmp_path: Path, analysed: Any, make: Any) -> None:
    table = {"win": "+++", "mostly": "++-", "once": "+--", "lost": "---"}
    trials: list[Any] = []
    for task, marks in table.items():
        for attempt, mark in enumerate(marks, start=1):
            outcome = "correct" if mark == "+" else "incorrect"
            trials.append(make.trial(task, attempt, metrics={"accuracy": float(mark == "+")}, outcome=outcome))
    rows = analysed(reliability, make.run(tmp_path / "one", QA, trials)).rows
    found = {row["what"]: row["value"] for row in rows}
    assert [found[f"right in {k} of 3"] for k in range(4)] == [1, 1, 1, 1]
    assert (found["stable wins"], found["flips"], found["stable losses"]) == (1, 2, 1)
    assert found["stable losses: incorrect"] == 3
    # Pairs that agree: 3 + 1 + 1 + 3 of 12.
    assert found["agreement of pairs of attempts"] == pytest.approx(8 / 12)
    assert found["pass@1"].mean == found["pass^1"].mean == pytest.approx(0.5)
    # pass@2: 1, 1, 1 - 1/3, 0; pass^2: 1, 1/3, 0, 0; of three: 1, 1, 1, 0 and 1, 0, 0, 0.
    assert found["pass@2"].mean == pytest.approx((1 + 1 + 2 / 3) / 4)
    assert found["pass^2"].mean == pytest.approx((1 + 1 / 3) / 4)
    assert (found["pass@3"].mean, found["pass^3"].mean) == (0.75, 0.25)
    # Means 1, 2/3, 1/3, 0 around 1/2: (1/4 + 1/36) · 2 / 4 between; within 2/9 of two tasks of four.
    assert found["variance between tasks"] == pytest.approx(5 / 36)
    assert found["variance within tasks"] == pytest.approx(1 / 9)


def test_the_variances_add_up_and_pass_all_needs_its_attempts() -> None:
    between, within = variances({"a": [True, False], "b": [True, True, True]})
    assert between + within == pytest.approx(0.8 * 0.2)
    assert pass_all(2, 2, 3) is None
    assert pass_all(5, 3, 2) == pytest.approx(3 / 10)


def test_ends(tmp_path: Path, analysed: Any, make: Any) -> None:
    limit = {"status": Status.LIMIT_REACHED, "cause": Cause.LIMIT_REACHED, "detail": "tokens: 100 of 100"}
    trials = [
        make.trial("a", metrics={"accuracy": 1.0}, outcome="correct"),
        make.trial("b", metrics={"accuracy": 0.0}, outcome="incorrect"),
        make.trial("c", metrics={"accuracy": 1.0}, outcome="correct", **limit),
        make.trial("d", metrics={"accuracy": 0.0}, outcome="incorrect", answered=False, **limit),
        make.trial("e", status=Status.FAILED, cause=Cause.MODEL_FAILED, answered=False),
    ]
    rows = analysed(ends, make.run(tmp_path / "one", QA, trials)).rows
    found = {(row["end"], row["answered"]): (row["trials"], row["scored"], row["right"], row["score"]) for row in rows}
    assert found == {
        ("completed", "yes"): (2, 2, 1, 0.5),
        ("limit: tokens", "yes"): (1, 1, 1, 1.0),
        ("limit: tokens", "no"): (1, 1, 0, 0.0),
        ("model failed", "no"): (1, 0, 0, None),
    }


def test_tokens_by_role_and_the_premium_over_the_first_run(tmp_path: Path, analysed: Any, make: Any) -> None:
    crew = {"page": make.spent(30, 10), "critic": make.spent(10, 0)}
    first = [make.trial(task, metrics={"accuracy": 1.0}, tokens=(50, 50)) for task in "ab"]
    second = [
        make.trial("a", metrics={"accuracy": 1.0}, tokens=(100, 100), roles=crew),
        make.trial("b", metrics={"accuracy": 1.0}, tokens=(300, 100), roles={"page": make.spent(40, 10)}),
    ]
    paths = (make.run(tmp_path / "first", QA, first), make.run(tmp_path / "crew", QA, second))
    found = {row["role"]: row for row in analysed(tokens_by_role, *paths).rows}
    assert [found["page"][key] for key in ("fired", "of", "input", "output")] == [2, 2, 70, 20]
    assert (found["critic"]["fired"], found["critic"]["share"]) == (1, 0.1)
    ratios = {row["run"]: (row["of_means"], row["of_medians"]) for row in analysed(premium, *paths).rows}
    assert ratios == {"first": (1, 1), "crew": (3, 3)}


def test_sources_seen_and_cited(tmp_path: Path, analysed: Any, make: Any) -> None:
    folder = tmp_path / "asked"
    folder.mkdir()
    (folder / "family.toml").write_text('name = "asked"\ntitle = "Asked"\nscorer = "precedent_search"\n')
    (folder / "prompt.md").write_text("Answer.")
    (folder / "schema.json").write_text('{"type": "object"}')
    gold = {"reported": "Yes", "sources": [{"doi": "https://doi.org/10.5555/Gold.1"}]}
    lines = [{"task_id": task, "inputs": {"parameters": {"material": "X"}}, "gold": gold} for task in "abcd"]
    (folder / "records.jsonl").write_text("\n".join(map(json.dumps, lines)))
    hit = [make.call("search_works", server="literature", text='{"doi": "10.5555/gold.1"}')]
    near = [make.call("search_works", server="literature", text='{"doi": "10.5555/gold.12"}')]
    cites = {"answer.json": json.dumps({"sources": [{"doi": "10.5555/gold.1"}]})}
    trials = [
        make.trial("a", metrics={"score": 2.0}, outcome="correct", calls=hit, files=cites),
        make.trial("b", metrics={"score": 0.0}, outcome="incorrect", calls=hit),
        make.trial("c", metrics={"score": 0.0}, outcome="incorrect", calls=near),
        make.trial("d", metrics={"score": 2.0}, outcome="correct", calls=near, files=cites),
    ]
    path = make.run(tmp_path / "one", "asked", trials, folder=folder, scorer="precedent_search")
    rows = {row["of"]: row for row in analysed(retrieval_and_extraction, path).rows}
    assert {of: (row["trials"], row["right"]) for of, row in rows.items() if row["right"] is not None} == {
        "seen and cited": (1, 1),
        "seen, not cited": (1, 0),
        "cited, not seen": (1, 1),
        "neither": (1, 0),
        "all cited": (2, 2),
        "all seen": (2, 1),
    }
    assert rows["cited, given correct"]["share_cited"] == 1.0
    assert rows["cited, given incorrect"]["share_cited"] == 0.0


def test_recall_by_page(tmp_path: Path, analysed: Any, make: Any) -> None:
    records = [
        {"status": "correct", "gold": 0, "gold_page": 1},
        {"status": "wrong_value", "gold": 1, "gold_page": 1},
        {"status": "missed", "gold": 2, "gold_page": 2},
        {"status": "unmatched", "gold": None, "gold_page": 2},
    ]
    trial = make.trial("a", metrics={"f1_0.1%": 0.5}, records=records)
    path = make.run(tmp_path / "one", "property_extraction", [trial])
    rows = analysed(recall_by_page, path).rows
    assert [(row["page"], row["gold"], row["found"], row["recall"]) for row in rows] == [(1, 2, 2, 1.0), (2, 1, 0, 0.0)]


def test_rank_correlation_by_hand() -> None:
    assert ranks([10, 20, 20, 5]) == [2, 3.5, 3.5, 1]
    # d = 0, 1, -1, 0, 0: 1 - 6 · 2 / (5 · 24).
    rho, interval = spearman([1, 2, 3, 4, 5], [1, 3, 2, 4, 5])
    assert rho == pytest.approx(0.9)
    assert interval is not None
    assert interval[0] < 0.9 < interval[1] < 1
    assert spearman([1, 1, 1, 1], [1, 2, 3, 4]) == (None, None)


def test_time_with_model_tools_and_idle(tmp_path: Path, analysed: Any, make: Any) -> None:
    # Model 0 to 4 and 2 to 6; tools 5 to 8 and 9 to 10; of 12 seconds 6 with a model, 3 with tools alone, 3 idle.
    model = make.wire([(0, 4.0), (2, 4.0)])
    tools = make.wire([(5, 3.0), (9, 1.0)])
    files = {"wire/llm.jsonl": model, "wire/mcp.jsonl": tools}
    path = make.run(tmp_path / "one", QA, [make.trial("a", metrics={"accuracy": 1.0}, seconds=12.0, files=files)])
    assert split_time(path / "trials" / "a__1", 12.0) == (6.0, 3.0, 3.0)
    assert [(row["with"], row["share"]) for row in analysed(time_spent, path).rows] == [
        ("model", 0.5),
        ("tools", 0.25),
        ("idle", 0.25),
    ]


def test_confidence_by_round(tmp_path: Path, analysed: Any, make: Any) -> None:
    events = [
        {"kind": "Ranked", "order": ["x"]},
        {"kind": "Probed", "claims": [{"confidence": 0.4}, {"confidence": 0.6}]},
        {"kind": "Positioned", "round": 1, "claims": [{"confidence": 0.9}]},
        {
            "kind": "Written",
            "field": "x",
            "rounds": 2,
            "modes": ["regular", "anti_bias"],
            "why": "converged",
            "cells": [],
        },
    ]
    files = {"agent/state.jsonl": "\n".join(map(json.dumps, events))}
    path = make.run(tmp_path / "one", "record_filling", [make.trial("a", metrics={"overall": 0.5}, files=files)])
    found = {row["what"]: row["value"] for row in analysed(rounds, path).rows}
    assert found["confidence in round 0"] == pytest.approx(0.5)
    assert found["confidence in round 1"] == pytest.approx(0.9)
    assert (found["rounds of a debate"], found["rounds that are anti_bias"]) == (2, 0.5)
