"""pincite judge: rubrics by name or from a file, labelled answers, and the agreement with them."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.settings import load_settings
from pincite_doors.testing import Request, ScriptedModel, say
from pincite_harness.cli.main import app
from pincite_scoring import ScoringOptions
from pincite_scoring.figure_analysis.claims.judging import claim_question
from pincite_scoring.figure_analysis.rubric import make_question as make_analysis
from pincite_scoring.judging.calibration import calibrate
from pincite_scoring.judging.choice import JudgeChoice
from pincite_scoring.judging.collecting import collect
from pincite_scoring.judging.judge import Question, RuleJudge, Verdict
from pincite_scoring.judging.labelled import read_labelled
from pincite_scoring.judging.model_judge import ModelJudge
from pincite_scoring.judging.notebook import Notebook, write_record
from pincite_scoring.judging.rubrics import KnownRubric, find_rubric, rubric_names
from pincite_scoring.literature_qa.answers import QuestionReply
from pincite_scoring.literature_qa.deciding import decide as decide_answer
from pincite_scoring.literature_qa.gold import Gold
from pincite_scoring.property_extraction.judged import make_question as make_pair
from pincite_scoring.property_extraction.records import Record
from pincite_scoring.record_filling.matching import Match
from pincite_scoring.record_filling.objects import Filled
from pincite_scoring.record_filling.same_meaning import judge_values
from pincite_scoring.record_filling.schema import Field, Schema
from pincite_scoring.table_construction.cells import cell_question
from pincite_scoring.table_construction.quality import rate
from pincite_tasks.catalog import bundled_folder

RUBRIC = {
    "name": "own/1",
    "instruction": "Say how good it is.",
    "items": [
        {"name": "accuracy", "labels": ["0", "1", "2"], "meaning": "Is it right?"},
        {"name": "cites", "labels": ["no", "yes"], "meaning": "Does it cite?"},
    ],
}


def write_lines(path: Path, lines: list[Any]) -> Path:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "rubric.json", [RUBRIC])


def labelled(text: str, accuracy: object, cites: str | None = None) -> dict[str, Any]:
    labels = {"accuracy": accuracy} | ({"cites": cites} if cites else {})
    return {"subject": {"answer": text}, "labels": labels, "by": "ann"}


def test_every_named_rubric_is_there_and_whole() -> None:
    assert len(rubric_names()) >= 6
    for name in rubric_names():
        found = find_rubric(name).rubric
        assert found.name.startswith(name.split("/")[0])
        assert found.instruction and all(len(item.labels) > 1 for item in found.items)


def test_a_model_is_measured_against_labels(rubric: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Right on accuracy 0 and 2, wrong on 1; on cites it always says yes."""
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))

    def judge(request: Request) -> Any:
        accuracy = "2" if "good" in request.last else "0"
        return say(json.dumps({"reason": "r", "labels": {"accuracy": accuracy, "cites": "yes"}}))

    lines = [labelled("good", 2, "yes"), labelled("bad", "0", "no"), labelled("so so, bad", 1), labelled("good too", 2)]
    file, out = write_lines(tmp_path / "labels.jsonl", [*lines, ""]), tmp_path / "verdicts.jsonl"
    with ScriptedModel([judge] * 4) as model:
        words = ["judge", "calibrate", file, "--rubric", rubric, "--judge", "scripted", "--judge-url", model.url]
        done = CliRunner().invoke(app, [*map(str, words), "--out", str(out)])
    assert done.exit_code == 0, done.output
    for part in (
        "Rubric own/1; judge compatible:scripted, temperature 0, 1 vote, prompt judge/1",
        "4 labelled answers, labelled by ann",
        "accuracy: n = 4",
        "accuracy 0.750",
        "Cohen's kappa 0.600",
        "cites: n = 2, 2 without a label",
        "accuracy 0.500",
        "Cohen's kappa 0.000",
        "4 questions, 0 known already",
    ):
        assert part in done.output, part
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert rows[2]["labels"] == {"accuracy": "1"} and rows[2]["verdict"]["labels"]["accuracy"] == "0"


def test_the_rules_are_measured_without_a_model(tmp_path: Path) -> None:
    names = [("critical temperature", "Tc", "yes"), ("band gap", "density", "no"), ("band gap", "optical gap", "no")]
    lines = [
        {
            "subject": {
                "first record": json.dumps({"property_name": first}),
                "second record": json.dumps({"property_name": second}),
            },
            "labels": {"match": label},
        }
        for first, second, label in names
    ]
    known = find_rubric("property_extraction/same_measurement")
    answers = read_labelled(write_lines(tmp_path / "l.jsonl", lines), known)
    (item,) = calibrate(known, answers, RuleJudge()).items
    assert (item.agreement.table, item.undecided) == (((1, 1), (0, 1)), 0)
    assert item.agreement.kappa == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))


def test_the_bundled_pairs_measure_the_lexicon() -> None:
    """34 of 36 different pairs and 19 of 24 same ones: what it joins and what it misses is known, not assumed."""
    known = find_rubric("property_extraction/same_measurement")
    answers = read_labelled(bundled_folder() / "property_extraction" / "same_measurement.jsonl", known)
    (item,) = calibrate(known, answers, RuleJudge()).items
    ((right_no, joined), (missed, right_yes)) = item.agreement.table
    assert (right_no + joined, missed + right_yes) == (36, 24)
    assert right_no >= 34 and right_yes >= 19


def test_what_only_a_model_can_decide_is_undecided_by_the_rules(rubric: Path, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "l.jsonl", [labelled("good", 2)])
    done = CliRunner().invoke(app, ["judge", "calibrate", str(file), "--rubric", str(rubric)])
    assert done.exit_code == 1
    assert "accuracy: n = 0, 1 undecided by the judge" in done.output
    known: KnownRubric = find_rubric(str(rubric))
    assert calibrate(known, read_labelled(file, known), RuleJudge()).items[0].agreement.kappa is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{not json", "l.jsonl:2 is not JSON"),
        ({"subject": {"a": "b"}}, "l.jsonl:2 is not a labelled answer"),
        (labelled("x", "3"), "l.jsonl:2: the rubric own/1 has no label '3' for 'accuracy'"),
        ({"subject": {"a": "b"}, "labels": {"style": "no"}}, "no label 'no' for 'style'"),
        ({"subject": {"a": 3}, "labels": {"cites": "no"}}, "l.jsonl:2 is not a labelled answer"),
        (labelled("x", True), "has no label True for 'accuracy'"),
        (labelled("x", 1.5), "has no label 1.5 for 'accuracy'"),
        (labelled("x", 1) | {"pictures": ["gone.png"]}, "l.jsonl:2: there is no picture"),
        (labelled("x", 1) | {"pictures": ["a/f.png", "b/f.png"]}, "l.jsonl:2: two pictures have one name"),
    ],
)
def test_a_fault_is_told_with_its_line(rubric: Path, tmp_path: Path, line: Any, words: str) -> None:
    file = write_lines(tmp_path / "l.jsonl", [labelled("good", 2), line])
    with pytest.raises((BadInputError, NotFoundError), match=words):
        read_labelled(file, find_rubric(str(rubric)))


@pytest.mark.parametrize(
    ("name", "subject", "words"),
    [
        ("literature_qa", {"question": "q"}, "missing: expected answer, handed in"),
        (
            "literature_qa",
            {"question": "q", "expected answer": "3", "handed in": "3", "answer": "3"},
            "strange: answer",
        ),
        ("property_extraction/same_measurement", {"first record": "Tc", "second record": "{}"}, "rules cannot read"),
        ("property_extraction/same_measurement", {"first record": "{}", "second record": "{}"}, "rules cannot read"),
    ],
)
def test_a_subject_that_the_rubric_does_not_know_is_told_with_its_line(
    tmp_path: Path, name: str, subject: dict[str, str], words: str
) -> None:
    known = find_rubric(name)
    item = known.rubric.items[0]
    file = write_lines(tmp_path / "l.jsonl", [{"subject": subject, "labels": {item.name: item.labels[0]}}])
    with pytest.raises(BadInputError, match=r"l\.jsonl:1") as caught:
        calibrate(known, read_labelled(file, known), RuleJudge())
    assert words in str(caught.value)


def test_labels_may_be_numbers_and_differ_in_case_and_texts_in_order(tmp_path: Path) -> None:
    cells = find_rubric("table_construction/cells")
    texts = {"cell of the answer": "b", "column": "a", "expected cell": "c"}
    lines = [{"subject": texts, "labels": {"score": score}} for score in (0, 0.5, 1, "1.0")]
    read = read_labelled(write_lines(tmp_path / "l.jsonl", lines), cells)
    assert [answer.labels["score"] for answer in read] == ["0.0", "0.5", "1.0", "1.0"]
    assert list(read[0].subject) == ["column", "expected cell", "cell of the answer"]


def test_the_rule_of_answers_holds_to_a_stated_tolerance(tmp_path: Path) -> None:
    texts = {"question": "How hot?", "expected answer": "93 K", "handed in": "94 K"}
    stated = [{"expected answer": "warm"}]
    stated += [{"tolerance": f"relative difference at most {most}"} for most in (0.02, 0.001)]
    lines = [{"subject": texts | more, "labels": {"outcome": "correct"}} for more in stated]
    known = find_rubric("literature_qa")
    done = calibrate(known, read_labelled(write_lines(tmp_path / "l.jsonl", lines), known), RuleJudge())
    assert [verdict.labels["outcome"] for verdict in done.verdicts] == [None, "correct", "incorrect"]


def test_scorers_ask_in_the_texts_that_the_rubrics_name() -> None:
    asked: list[Question] = []

    class Asked:
        name = "asked"

        def decide(self, question: Question) -> Verdict:
            asked.append(question)
            return RuleJudge().decide(question)

    judge = Asked()
    same_measurement = Record.model_validate(
        {"material_or_system": "A", "property_name": "Tc", "value_string": "1", "location": {"page": 1}}
    )
    asked.append(make_pair(same_measurement, same_measurement))
    asked.append(cell_question("a", "b", "c", 10))
    schema = Schema(name="s", object="o", fields=[Field(name="f", definition="d", judged=True)])
    objects = [Filled(values={"f": (value,)}, strays=[], evidence=[], faults=[]) for value in "ab"]
    judge_values([Match(0, 0, {})], objects[:1], objects[1:], schema, judge)
    rate("query", "a,b\n", "a,b\n", judge, step=10)
    asked.append(make_analysis("query", {"t.csv": "1"}, "gold", "answer", unseen=["f.svg"]))
    asked.append(claim_question("claim", "answer"))
    number = Gold(kind="number", answer="3", accept=["4"])
    decide_answer("question", QuestionReply("5"), number, ScoringOptions(judge))
    asked_by_models = [name for name in rubric_names() if not name.startswith("labels/")]
    by_rubric = {find_rubric(name).rubric.name: find_rubric(name) for name in asked_by_models}
    assert sorted(question.rubric.name for question in asked) == sorted(by_rubric)
    for question in asked:
        known = by_rubric[question.rubric.name]
        assert list(question.subject) == [name.removesuffix("?") for name in known.texts]


def test_what_a_run_s_judge_was_asked_can_be_corrected_and_measured_against(
    rubric: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    known = find_rubric(str(rubric))
    Image.new("RGB", (9, 9)).save(tmp_path / "plot.png")
    run, out = tmp_path / "run", tmp_path / "asked.jsonl"

    def answer(request: Request) -> Any:
        if request.images and "pincite" not in request.system and "colour" in request.system:
            return say('{"labels": {"colour": "purple"}}')
        return say('{"reason": "r", "labels": {"accuracy": "2", "cites": "no"}}')

    with ScriptedModel([answer] * 9) as model:
        choice = JudgeChoice.parse("first", model.url)
        assert choice is not None
        judge = ModelJudge(choice, load_settings())
        for number in (1, 2):
            notebook = Notebook(judge)
            for text in ("shared", f"own {number}"):
                notebook.decide(Question(known.rubric, {"answer": text}, pictures={"plot.png": tmp_path / "plot.png"}))
            write_record(notebook, run / "trials" / f"t{number}__1")
        judge.close()
        words = ["judge", "collect", run, "--rubric", rubric, "--out", out]
        done = CliRunner().invoke(app, list(map(str, words)))
        assert done.output == f"3 of 3 questions written to {out}\n"
        lines = [json.loads(line) for line in out.read_text().splitlines()]
        assert {line["subject"]["answer"] for line in lines} == {"shared", "own 1", "own 2"}
        assert lines[0]["labels"] == {"accuracy": "2", "cites": "no"}
        lines[0] |= {"labels": {"accuracy": 1}, "by": "ann"}
        out.write_text("\n".join(map(json.dumps, lines)))
        assert isinstance(CliRunner().invoke(app, list(map(str, words))).exception, BadInputError), "never overwritten"
        words = ["judge", "calibrate", out, "--rubric", rubric, "--judge", "second", "--judge-url", model.url]
        done = CliRunner().invoke(app, list(map(str, words)))
        assert model.requests[-1].images == 1, "the other judge sees what the first one saw"
    assert "accuracy: n = 3\n  accuracy 0.667" in done.output
    assert "labelled by ann; compatible:first" in done.output
    with pytest.raises(NotFoundError, match="No model was asked"):
        collect([run], find_rubric("literature_qa"), tmp_path / "other.jsonl")
    assert collect([run], known, tmp_path / "few.jsonl", 1).written == 1


def test_a_rubric_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no rubric 'style'"):
        find_rubric("style")
    for more in ({"items": []}, {"items": [{"name": "a", "labels": ["one"], "meaning": ""}]}, {"extra": 1}):
        broken = write_lines(tmp_path / "r.json", [{**RUBRIC, **more}])
        with pytest.raises(BadInputError, match="is not a rubric"):
            find_rubric(str(broken))
    empty = write_lines(tmp_path / "e.jsonl", [""])
    with pytest.raises(BadInputError, match="does not contain a labelled answer"):
        read_labelled(empty, find_rubric("figure_analysis"))
