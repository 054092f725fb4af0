"""Reports of any family, of several in one run, of attempts, of clusters, and of two runs compared by task."""

import csv
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pincite_core.errors import BadInputError
from pincite_harness.reports import write_reports
from pincite_harness.reports.loading import load_run
from pincite_harness.reports.measured import Measured, measure
from pincite_harness.reports.statistics import compare, is_binary
from pincite_harness.runs.lock import Lock
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_scoring.scorer import get_scorer
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord

QA = {"accuracy": 1.0, "precision": 1.0, "coverage": 1.0}
ROW = {"status": "correct", "question": "Which gas?", "answer": "argon", "gold": "argon"}
Trials = Sequence[tuple[str, str, int, Mapping[str, float | None]]]
"""Family, task, attempt and metrics."""


def put(path: Path, value: object) -> None:
    """A JSON file, not synced to the disk as the harness does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def write_run(
    path: Path,
    trials: Trials,
    *,
    records: Sequence[dict[str, Any]] | Mapping[str, Sequence[dict[str, Any]]] = (),
    scorer: str = "",
    compat: str = "strict",
    digests: dict[str, str] | None = None,
    judging: dict[str, Any] | None = None,
    unfinished: Sequence[str] = (),
) -> Path:
    folder = RunFolder(path)
    names: list[str] = []
    for family, task, attempt, metrics in trials:
        name = f"{task}__{attempt}"
        names.append(name)
        if name in unfinished:
            continue
        score = {"family": family, "scorer": scorer or family, "scorer_version": "1", "matcher": "rules/1"}
        score |= {"status": "scored" if metrics else "unscored", "reason": None, "metrics": dict(metrics)}
        own = records.get(name, ()) if isinstance(records, Mapping) else records
        score |= {"records": list(own), "compat": compat} | ({"judging": judging} if judging else {})
        put(folder.trial(name) / "score.json", score)
        record: dict[str, Any] = {"name": name, "task_id": task, "family": family, "attempt": attempt}
        record |= {"agent": "baseline", "agent_version": "1", "status": "completed"}
        put(folder.trial(name) / "trial.json", TrialRecord(**record).model_dump(mode="json"))
    families = dict.fromkeys((family for family, *_ in trials), "bundled")
    lock = Lock(digests=digests or {}, agent_version="1", versions={}, python="3.11", platform="Linux", git=None)
    document = RunDocument(
        name=path.name,
        created_at="2026-01-01T00:00:00+00:00",
        specification=RunSpecification(families=families),
        lock=lock,
        trials=names,
    )
    folder.create(document)
    return path


def reported(path: Path, width: int = 160) -> tuple[str, str]:
    """The page and the terminal's text."""
    screen = Console(file=io.StringIO(), width=width, color_system=None)
    write_reports([path], screen)
    assert isinstance(screen.file, io.StringIO)
    return (path / "report.html").read_text(encoding="utf-8"), screen.file.getvalue()


def compared(paths: Sequence[Path], out: Path, width: int = 200) -> tuple[str, str]:
    """The same of runs side by side."""
    screen = Console(file=io.StringIO(), width=width, color_system=None)
    write_reports(paths, screen, together=out)
    assert isinstance(screen.file, io.StringIO)
    return (out / "report.html").read_text(encoding="utf-8"), screen.file.getvalue()


def measured(path: Path) -> Measured:
    """The first family of a run."""
    return measure(load_run(path))[0]


@pytest.mark.parametrize(
    "name",
    [
        "property_extraction",
        "precedent_search",
        "record_filling",
        "table_construction",
        "figure_analysis",
        "literature_qa",
    ],
)
def test_a_family_is_shown_by_its_scorers_metrics_and_columns(tmp_path: Path, name: str) -> None:
    scorer = get_scorer(name)
    metrics = {metric.name: 0.25 for metric in scorer.headline} | {"another": 3.0}
    row = {column.key: f"in {column.key}" for column in scorer.columns} | {"status": "correct"}
    page, text = reported(write_run(tmp_path / "r", [(name, "alpha", 1, metrics)], records=[row]))
    for metric in scorer.headline:
        assert metric.title.replace("&", "&amp;") in page, metric
    for column in scorer.columns:
        assert column.title in page and f"in {column.key}" in page, column
    assert "0.250" in text
    (line,) = csv.DictReader(io.StringIO((tmp_path / "r" / "report.csv").read_text(encoding="utf-8")))
    assert line["another"] == "3.0"
    assert all(line[metric.name] == "0.25" for metric in scorer.headline)


def test_families_of_one_run_stand_apart(tmp_path: Path) -> None:
    trials: Trials = [
        ("property_extraction", "alpha", 1, {"f1_0.1%": 0.5}),
        ("literature_qa", "beta", 1, {**QA, "accuracy": 0.0}),
        ("literature_qa", "gamma", 1, QA),
        ("literature_qa", "delta", 1, QA),
    ]
    digests = {f"task/literature_qa/{task}": "sha256:x" for task in ("beta", "gamma", "delta")}
    path = write_run(tmp_path / "r", trials, digests=digests, unfinished=["delta__1"])
    first, second = measure(load_run(path))
    assert [trial.task for trial in first.trials] == ["alpha"]
    assert [trial.task for trial in second.trials] == ["beta", "gamma", "delta"], "the lock knows its family"
    mean = second.mean("accuracy")
    assert mean is not None
    assert (mean.n, mean.mean) == (2, 0.5)
    page, text = reported(path)
    assert page.count('class="family"') == 2
    assert page.count('id="trials"') == 1
    assert 'href="#family-literature_qa"' in page
    assert "Accuracy by task · literature_qa" in page
    assert "r · agent baseline · property_extraction" in text and "r · agent baseline · literature_qa" in text


def test_a_scorer_nobody_knows_is_shown_by_what_it_measured(tmp_path: Path) -> None:
    path = write_run(tmp_path / "r", [("own", "alpha", 1, {"reward": 0.75})], records=[{"status": "wrong", "why": "x"}])
    page, text = reported(path)
    assert "<dt>reward</dt>" in page and "0.750" in page and ">why<" in page
    assert "0.750" in text


def test_attempts_give_pass_at_k_deviation_and_agreement(tmp_path: Path) -> None:
    """alpha is right in 1 of 3, beta in 2 of 3: pass@1 (1/3 + 2/3)/2, pass@2 (2/3 + 1)/2, pass@3 1."""
    right = {"alpha": (1, 0, 0), "beta": (1, 1, 0)}
    trials: Trials = [
        ("literature_qa", task, attempt, {**QA, "accuracy": float(value), "precision": value / 2})
        for task, values in right.items()
        for attempt, value in enumerate(values, start=1)
    ]
    path = write_run(tmp_path / "r", trials, records=[ROW])
    run = measured(path)
    attempts = run.estimates["accuracy"].attempts
    assert attempts is not None and attempts.rounds is not None
    assert {k: mean.mean for k, mean in attempts.passes.items()} == {
        1: pytest.approx(0.5),
        2: pytest.approx((2 / 3 + 1) / 2),
        3: pytest.approx(1.0),
    }
    for name, why in {"precision": "halves are no yes or no", "coverage": "all right: nothing to tell"}.items():
        other = run.estimates[name].attempts
        assert other is not None and (other.passes, other.agreement) == ({}, None), why
    assert attempts.rounds.means == (1.0, 0.5, 0.0)
    assert attempts.rounds.deviation == pytest.approx(math.sqrt(1 / 6))
    assert attempts.agreement == (pytest.approx(2 / 6), 6)
    page, text = reported(path)
    for part in (
        "Mean ± deviation of 3 attempts",
        "0.500 ± 0.408",
        "0.333 (6 pairs)",
        "0.833 ± 0.167 (n = 2)",
        "Answers: correct",
        "1.000 (6 pairs)",
    ):
        assert part in page, part
    told = read_json(path / "report.json")["families"]["literature_qa"]["runs"]["r"]["metrics"]["accuracy"]
    assert told["pass_at"]["2"]["mean"] == pytest.approx(5 / 6)
    assert told["attempts"]["pairs"] == 6
    assert "pass@3 (n)" in text and "1.000 (2)" in text


def test_answers_that_only_a_model_can_judge_are_told_with_what_to_do(tmp_path: Path) -> None:
    trials: Trials = [("literature_qa", "alpha", 1, {"coverage": 1.0}), ("literature_qa", "beta", 1, QA)]
    path = write_run(tmp_path / "r", trials, records={"alpha__1": [{**ROW, "status": "undecided"}], "beta__1": [ROW]})
    assert f"Undecided: 1 answer; a model decides: pincite score {path} --judge" in reported(path)[1]


def test_single_attempts_tell_nothing_of_attempts(tmp_path: Path) -> None:
    path = write_run(tmp_path / "r", [("literature_qa", "alpha", 1, QA), ("literature_qa", "beta", 1, QA)])
    page, text = reported(path)
    assert "pass@" not in page and "pass@" not in text
    assert not is_binary({})


def test_tasks_of_one_paper_and_attempts_of_one_task_are_clusters(tmp_path: Path) -> None:
    """a and b share a paper, b and c were made of one, d has its own; the values of a cluster move together."""
    papers = {"a": ["1"], "b": ["1", "2"], "c": ["4"], "d": ["3"]}
    digests = {
        f"paper/literature_qa/{task}/{digest}.pdf": f"sha256:{digest}" for task, own in papers.items() for digest in own
    }
    digests |= {f"origin/literature_qa/{task}/paper": "sha256:5" for task in "bc"}
    values = {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0}
    trials: Trials = [("literature_qa", task, 1, {**QA, "accuracy": value}) for task, value in values.items()]
    mean = measured(write_run(tmp_path / "r", trials, digests=digests)).mean("accuracy")
    assert mean is not None
    assert (mean.n, mean.clusters) == (4, 2)
    assert mean.standard_error == pytest.approx(math.sqrt(2 * (0.75**2 + 0.75**2)) / 4)
    assert "n = 4 in 2 clusters" in reported(tmp_path / "r")[0]
    twice: Trials = [("literature_qa", "a", attempt, {**QA, "accuracy": 1.0}) for attempt in (1, 2)]
    alone = measured(write_run(tmp_path / "s", [*twice, *trials[3:]])).mean("accuracy")
    assert alone is not None
    assert (alone.n, alone.clusters) == (3, 2)


def test_two_runs_are_compared_by_the_tasks_that_both_scored(tmp_path: Path) -> None:
    """Differences 0.1, 0.2, 0.3 over three tasks, one of them from two attempts; p by hand in test_estimates."""

    def run(name: str, values: dict[str, float | None], more: Trials = ()) -> Path:
        trials: Trials = [
            ("record_filling", task, 1, {} if value is None else {"overall": value}) for task, value in values.items()
        ]
        return write_run(tmp_path / name, [*trials, *more])

    first = run("one", {"a": 0.1, "b": 0.2, "c": 0.3, "d": None})
    second = run("two", {"a": 0.1, "b": 0.4, "c": 0.6, "d": 0.9}, [("record_filling", "a", 2, {"overall": 0.3})])
    found = compare(load_run(first), load_run(second), "overall")
    assert found is not None
    assert found.difference.n == 3, "a task that one run has not scored is not a zero"
    assert (found.difference.mean, found.only_second) == (pytest.approx(0.2), 1)
    page, text = compared([first, second], tmp_path / "out")
    for part in ("+0.200", "3 (1 left out)", "0.074", "0.250", "Paired comparison"):
        assert part in page, part
    assert "record_filling: one (first) and two (second)" in text and "+0.200" in text
    assert "pincite report: one, two" in page
    numbers = read_json(tmp_path / "out" / "report.json")["families"]["record_filling"]
    assert numbers["runs"]["two"]["metrics"]["overall"]["clusters"] == 4, "five trials of four tasks"
    assert numbers["runs"]["one"]["metrics"]["overall"]["interval"] == pytest.approx(
        [0.2 - 4.302653 * 0.1 / math.sqrt(3), 0.2 + 4.302653 * 0.1 / math.sqrt(3)], abs=1e-6
    )
    (comparison,) = numbers["comparisons"]
    assert comparison["metrics"]["overall"]["p_permutation"] == 0.25


def test_runs_of_different_families_are_not_compared(tmp_path: Path) -> None:
    first = write_run(tmp_path / "one", [("literature_qa", "a", 1, QA)])
    second = write_run(tmp_path / "two", [("record_filling", "a", 1, {"overall": 1.0})])
    page, _ = compared([first, second], tmp_path / "out")
    assert "Paired comparison" not in page
    assert page.count('class="family"') == 2


def test_what_the_judge_took_is_told(tmp_path: Path) -> None:
    judging = {"judge": "openai:gpt, temperature 0", "questions": 4, "kept": 1, "cost_usd": 0.25}
    path = write_run(tmp_path / "r", [("figure_analysis", "a", 1, {"s_avg": 0.5})], judging=judging)
    page, text = reported(path)
    assert "Judge openai:gpt, temperature 0." in page
    assert "Judge's questions a trial" in page
    assert "Judge: openai:gpt, temperature 0; 4 questions, 1 known already" in text
    (line,) = csv.DictReader(io.StringIO((path / "report.csv").read_text(encoding="utf-8")))
    assert (line["judged_by"], line["judge_questions"], line["judge_cost_usd"]) == (judging["judge"], "4", "0.25")


def test_verdicts_lists_and_what_was_missed_are_words_in_the_table(tmp_path: Path) -> None:
    verdict: dict[str, Any] = {"labels": {"match": "yes"}, "judge": "x", "reason": "", "votes": []}
    rows: list[dict[str, Any]] = [
        {"status": "wrong_value", "material": ["Cu", "O"], "property": verdict, "value": 1.23456789, "page": True},
        {"status": "missed", "gold_material": "CdTe", "gold_value": "5.8", "gold_unit": "eV"},
    ]
    page, _ = reported(write_run(tmp_path / "r", [("property_extraction", "a", 1, {"f1_0.1%": 0.0})], records=rows))
    for part in (
        "wrong value",
        "Cu, O",
        "match: yes",
        "1.235",
        "<td>yes</td>",
        '<td class="of-gold">CdTe</td>',
        "5.8 eV",
    ):
        assert part in page, part


def test_what_became_of_the_trials_is_counted(tmp_path: Path) -> None:
    """A trial has one diagnosis, and any number of measurements; what is not scored stands apart and is not a zero."""

    def rows(diagnosis: str, *measurements: str) -> list[dict[str, Any]]:
        return [{"status": diagnosis, "kind": "class"}, *({"status": s, "kind": "measurement"} for s in measurements)]

    said = {
        "a__1": rows("correct", "right", "missed"),
        "b__1": rows("incorrect", "wrong_class"),
        "c__1": rows("failed"),
    }
    trials: Trials = [
        ("precedent_search", task, 1, {"score": 2.0 * (task == "a")} if task != "d" else {}) for task in "abcd"
    ]
    path = write_run(tmp_path / "r", trials, records=said)
    assert measured(path).outcome == {"a__1": "correct", "b__1": "incorrect", "c__1": "failed"}
    page, text = reported(path, width=80)
    assert "Diagnosis: 1 correct, 1 incorrect, 1 failed (n = 3; 1 unscored)" in text
    assert "Measurements: 1 right, 1 wrong class, 1 missed (n = 3)" in text
    assert "Cited sources" not in text
    assert "1 (25 %)" in page and "not attempted" in page
    assert re.search(r"^ b +incorrect +0\.000", text, re.MULTILINE)
    told = read_json(path / "report.json")["families"]["precedent_search"]["runs"]["r"]["outcomes"]
    assert told["Diagnosis"] == {
        "n": 3,
        "unscored": 1,
        "counts": {"correct": 1, "partial": 0, "not_attempted": 0, "incorrect": 1, "failed": 1},
    }
    lines = list(csv.DictReader(io.StringIO((path / "report.csv").read_text(encoding="utf-8"))))
    assert [line["outcome"] for line in lines] == ["correct", "incorrect", "failed", ""]


def test_classes_of_failure_are_counted_among_those_that_failed(tmp_path: Path) -> None:
    said = {"a__1": [ROW | {"failure": None}], "b__1": [ROW | {"status": "unsure", "failure": "retrieval"}]}
    trials: Trials = [("literature_qa", task, 1, QA) for task in "ab"]
    _, text = reported(write_run(tmp_path / "r", trials, records=said))
    assert "Answers: 1 correct, 1 unsure (n = 2)" in text
    assert "Why not right: 1 retrieval (n = 1)" in text


def test_attempts_that_failed_count_against_pass_at_k(tmp_path: Path) -> None:
    """The published share of right answers leaves a failed trial out; the diagnosis does not: right in 1 of 2."""
    said = {"a__1": [{"status": "correct", "kind": "class"}], "a__2": [{"status": "failed", "kind": "class"}]}
    trials: Trials = [
        ("precedent_search", "a", 1, {"score": 2.0, "accuracy_strict": 1.0}),
        ("precedent_search", "a", 2, {"score": 0.0, "accuracy_strict": None}),
    ]
    attempts = measured(write_run(tmp_path / "r", trials, records=said)).attempts
    assert attempts is not None
    assert {k: mean.mean for k, mean in attempts.passes.items()} == {1: 0.5, 2: 1.0}
    assert attempts.agreement == (0.0, 1)


def test_metrics_counted_over_all_tasks_stand_beside_their_means(tmp_path: Path) -> None:
    """Of one value 1 is right, of nine none: the mean of F1 is 1/2, that of all values together 2 · 1/20."""

    def counts(right: int, of: int) -> dict[str, float | None]:
        rows = {"n_rows_right": right, "n_rows_covered": right, "n_rows": of, "n_answer": of, "n_gold": of}
        values = {"n_values_right": right, "n_values_answer": of, "n_values_gold": of}
        return {"entity_f1": float(right > 0), **rows, **values}

    trials: Trials = [("record_filling", "a", 1, counts(1, 1)), ("record_filling", "b", 1, counts(0, 9))]
    page, text = reported(write_run(tmp_path / "r", trials))
    told = read_json(tmp_path / "r" / "report.json")["families"]["record_filling"]["runs"]["r"]["metrics"]["entity_f1"]
    assert (told["mean"], told["micro"]) == (0.5, pytest.approx(0.1))
    assert "0.100 counted over all (micro)" in page
    assert "Micro" in text and re.search(r"Entity F1 .*0\.500.* 0\.100", text)


def test_both_definitions_stand_beside_each_other(tmp_path: Path) -> None:
    """Strict means of 0.5 and 0.3; as published one is 0.7 and the other is not defined."""
    trials: Trials = [("record_filling", "a", 1, {"overall": 0.5}), ("record_filling", "b", 1, {"overall": 0.3})]
    path = write_run(tmp_path / "r", trials)
    for name, other in {"a__1": 0.7, "b__1": None}.items():
        score = path / "trials" / name / "score.json"
        put(score, read_json(score) | {"also": {"reference": {"overall": other}}})
    page, text = reported(path)
    assert "by strict definitions" in page and "0.700 (n = 1)" in page
    assert re.search(r"Reference", text) and re.search(r"Overall .*0\.400.* 0\.700 \(n = 1\)", text)
    told = read_json(path / "report.json")["families"]["record_filling"]["runs"]["r"]
    assert (told["definitions"], told["metrics"]["overall"]["other"]["mean"]) == ("strict", 0.7)


def test_what_no_trial_has_is_said_and_takes_no_column(tmp_path: Path) -> None:
    page, _ = reported(write_run(tmp_path / "r", [("figure_analysis", "a", 1, {"s_avg": 0.5, "bleu": 0.5})]))
    assert "S_LEX; S_SEM;" in page
    assert ">S_AVG, of all six metrics</th>" in page and ">S_LEX</th>" not in page


def test_every_name_in_report_json_is_documented(tmp_path: Path) -> None:
    trials: Trials = [
        ("literature_qa", task, attempt, {"accuracy": float(attempt == 1)}) for task in "ab" for attempt in (1, 2)
    ]
    paths = [write_run(tmp_path / name, trials, records=[ROW]) for name in ("one", "two")]
    compared(paths, tmp_path / "out")
    report = read_json(tmp_path / "out" / "report.json")
    family = report["families"]["literature_qa"]
    run, (comparison,) = family["runs"]["one"], family["comparisons"]
    objects = [report, family, run, run["outcomes"]["Answers"], run["best_outcome"], run["best_outcome"]["attempts"]]
    objects += [run["metrics"]["accuracy"], comparison, comparison["metrics"]["accuracy"]]
    text = (Path(__file__).parents[3] / "docs" / "reports.md").read_text(encoding="utf-8")
    assert not [name for each in objects for name in each if f'"{name}"' not in text]


def test_what_is_not_the_same_of_two_runs_is_said(tmp_path: Path) -> None:
    digests = {"task/figure_analysis/a": "1", "family/figure_analysis/prompt.md": "1"}
    both: dict[str, float | None] = {"s_avg": 0.5, "bleu": 0.5}
    first = write_run(tmp_path / "one", [("figure_analysis", "a", 1, both | {"meteor": 0.5})], digests=digests)
    changed = digests | {"task/figure_analysis/a": "2"}
    second = write_run(tmp_path / "two", [("figure_analysis", "a", 1, both)], digests=changed, compat="reference")
    page, text = compared([first, second], tmp_path / "out")
    expected = [
        "Definitions: strict in the first run, reference in the second.",
        "Tasks that changed between the runs: a.",
        "METEOR: measured in the first run alone.",
    ]
    (comparison,) = read_json(tmp_path / "out" / "report.json")["families"]["figure_analysis"]["comparisons"]
    assert comparison["notes"] == expected
    for note in expected:
        assert note in page and f"Not the same: {note}" in text
    alike = write_run(tmp_path / "three", [("figure_analysis", "a", 1, both | {"meteor": 0.4})], digests=digests)
    _, same = compared([first, alike], tmp_path / "out")
    assert "Not the same" not in same


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = [write_run(tmp_path / agent / "x", [("literature_qa", "a", 1, QA)]) for agent in ("one", "two")]
    compared(paths, tmp_path / "out")
    assert list(read_json(tmp_path / "out" / "report.json")["families"]["literature_qa"]["runs"]) == ["one/x", "two/x"]
    with pytest.raises(BadInputError, match="named twice"):
        compared([paths[0], tmp_path / "two" / ".." / "one" / "x"], tmp_path / "out")


def test_of_many_tasks_the_spread_is_drawn_and_those_that_differ_most_are_named(tmp_path: Path) -> None:
    """100 tasks at 0.005, 0.015 … 0.995: ten in each tenth; the second run lacks one task and is better in another."""
    values: dict[str, float | None] = {f"t{k:03}": (k + 0.5) / 100 for k in range(100)}
    first = write_run(tmp_path / "one", [("record_filling", task, 1, {"overall": v}) for task, v in values.items()])
    changed = values | {"t003": 1.0, "t050": 0.5, "t099": None}
    second = write_run(
        tmp_path / "two", [("record_filling", task, 1, {"overall": v} if v else {}) for task, v in changed.items()]
    )
    page, text = compared([first, second], tmp_path / "out", width=80)
    told = re.search(r"<desc>(one: 0 to 0\.1 .*?)</desc>", page)
    assert told is not None
    tenths = [f"{k / 10:g} to {(k + 1) / 10:g}" for k in range(10)]
    assert told[1].split(". two: ")[0] == "one: " + ", ".join(f"{tenth} 10" for tenth in tenths) + ", no value 0"
    assert told[1].endswith("0.9 to 1 10, no value 1"), "one that left the last tenth, one that came"
    assert "Overall differs on 2 tasks" in page
    assert "2 of 100 tasks, those that differ most" in " ".join(text.split())
    rows = [line.split()[0] for line in text.splitlines() if line.startswith(" t")]
    assert rows[:3] == ["task", "t003", "t050"]
    assert "one · agent baseline: 100 trials, listed in the report" in text
    assert page.count('<details class="more">') == 2, "long tables are folded away"
    assert "t042" in page


@pytest.mark.parametrize("width", [80, 140])
def test_nothing_is_cut_off_on_a_terminal(tmp_path: Path, width: int) -> None:
    metrics: dict[str, float | None] = {metric.name: 0.25 for metric in get_scorer("precedent_search").headline}
    path = write_run(tmp_path / "r", [("precedent_search", "a-task-with-a-very-long-name-indeed", 1, metrics)])
    record = read_json(path / "trials" / "a-task-with-a-very-long-name-indeed__1" / "trial.json")
    put(path / "trials" / "a-task-with-a-very-long-name-indeed__1" / "trial.json", record | {"tool_calls": 1234})
    _, text = reported(path, width)
    (row,) = [line for line in text.splitlines() if line.startswith(" a-task-with-a-ver")]
    assert row.rstrip().endswith("1234")
    tables = [line for line in text.splitlines() if line.startswith(" ")]
    assert max(map(len, tables)) <= width


def test_the_spread_of_rewards_may_lie_below_zero(tmp_path: Path) -> None:
    """Of 50 rewards from -4.9 to 4.9 each step of one holds five."""
    trials: Trials = [("own", f"t{k}", 1, {"reward": (2 * k - 49) / 10}) for k in range(50)]
    page, _ = reported(write_run(tmp_path / "r", trials))
    steps = ", ".join(f"{low} to {low + 1} 5" for low in range(-5, 5))
    assert f"<desc>r: {steps}</desc>" in page
