"""LAB-Bench and LABBench2 lines become questions: options, kinds of answers, files, sources, and what is left out."""

import datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.cli.tasks import app
from pincite_harness.curation.importing.dataset import ImportOptions, choose_dataset
from pincite_harness.curation.importing.labbench import read_questions
from pincite_harness.curation.importing.write import import_dataset
from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.literature_qa.kinds import kind_of
from pincite_scoring.scorer import get_scorer
from pincite_tasks.catalog import Catalog
from pincite_tasks.family import Family

REAL = Path(__file__).parents[3] / "shared" / "data" / "labbench"
LITQA = {
    "id": "q-1", "question": "Which dye was used?", "ideal": "alizarin", "canary": "made-up canary",
    "distractors": ["eosin", "Eosin.", "Insufficient information to answer the question", "-5", "5"],
    "sources": ["https://doi.org/10.5555/AIO.2017.5.0201"], "key-passage": "Larvae were stained with alizarin.",
}  # fmt: skip
OPEN: dict[str, Any] = {"tag": "suppqa2", "id": "q-2", "question": "How many?", "expected_output": "1,377", "type": ""}


def write(folder: Path, name: str, *lines: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(b"\n\n".join(line if isinstance(line, bytes) else orjson.dumps(line) for line in lines))
    return path


def read(path: Path, papers: Path | None = None) -> tuple[dict[str, Any], list[str]]:
    notes: list[str] = []
    entries = read_questions(path, ImportOptions(papers, note=notes.append))
    return {entry.record.task_id: entry for entry in entries}, notes


@pytest.fixture(scope="module")
def like() -> Family:
    return Catalog().family("literature_qa")


def test_a_question_with_options(tmp_path: Path) -> None:
    tasks, notes = read(write(tmp_path, "litqa-v2-public.jsonl", LITQA))
    record = tasks["q-1"].record
    options = record.inputs.parameters["options"]
    assert sorted(option[4:] for option in options) == [
        "-5", "5", "Eosin.", "Insufficient information to answer the question", "alizarin",
    ]  # fmt: skip
    assert f"({record.gold['answer']}) alizarin" in options
    assert record.gold["source"] == {"doi": "10.5555/aio.2017.5.0201", "quote": "Larvae were stained with alizarin."}
    assert record.gold["route"] == ["literature"]
    assert (record.metadata["canary"], notes) == ("made-up canary", [])
    assert options == read(tmp_path / "litqa-v2-public.jsonl")[0]["q-1"].record.inputs.parameters["options"]


@pytest.mark.parametrize(
    ("ideal", "kind"),
    [
        ("259", "number"), ("1,377", "number"), ("-3.2e-4", "number"), ("71.5%", "number"), ("12, 4", "free"),
        ("+/- 0.125", "free"), ("Yes", "text"), ("no", "text"), ("CCTCGCCTACC", "text"), ("DN1", "free"),
        ("36.45.45", "free"), ("1,2,3", "free"),
    ],
)  # fmt: skip
def test_kinds_of_open_answers(ideal: str, kind: str) -> None:
    assert kind_of(ideal) == kind


def test_an_open_question_has_its_suffix_and_its_cutoff(tmp_path: Path) -> None:
    line = {**OPEN, "question": "How many? Consider only literature published before 2019-08-09.",
            "prompt_suffix": "Give a number.", "paper-title": "Larvae"}  # fmt: skip
    record = read(write(tmp_path, "suppqa2.jsonl", line))[0]["q-2"].record
    assert record.inputs.before == datetime.date(2019, 8, 9)
    assert record.inputs.parameters["question"].endswith("2019-08-09.\n\nGive a number.")
    assert "'Larvae' and its supplement" in record.inputs.parameters["given"]
    assert record.gold == {
        "kind": "number", "answer": "1377", "source": {"title": "Larvae"}, "route": ["literature"],
    }  # fmt: skip


def test_files_are_found_beside_the_lines_or_in_the_papers_folder(tmp_path: Path) -> None:
    write(tmp_path / "figs", "1.png", b"one")
    write(tmp_path / "pdfs", "p-1-pdf.pdf", b"%PDF two")
    write(tmp_path / "pdfs" / "bundle", "a.fasta", b">a")
    lines = [
        {**LITQA, "figure-path": "figs/1.png"},
        {**OPEN, "id": "p-1-pdf", "tag": "figqa2-pdf"},
        {**OPEN, "id": "p-2", "tag": "tableqa2", "files": "protocols/bundle/"},
        {**LITQA, "id": "q-3", "protocol": "Step 1. Mix."},
        {**LITQA, "id": "q-4", "table-path": ["tables/none.png"]},
        {**OPEN, "id": "p-5", "tag": "tableqa2-img"},
    ]
    tasks, notes = read(write(tmp_path, "mixed.jsonl", *lines), tmp_path / "pdfs")
    assert tasks["q-1"].record.inputs.files == ["files/q-1/1.png"]
    assert tasks["p-1-pdf"].record.inputs.papers == ["papers/p-1-pdf/p-1-pdf.pdf"]
    assert tasks["p-2"].record.inputs.files == ["files/p-2/a.fasta"]
    assert tasks["q-3"].sources == {"files/q-3/protocol.txt": b"Step 1. Mix."}
    assert "source" not in tasks["q-1"].record.gold, "what is given need not be found"
    assert [note.partition(": ")[2] for note in notes] == [
        f"{name}: its file is not there; give the folder with --papers" for name in ("q-4", "p-5")
    ]


def test_questions_about_patents_and_trials_get_the_databases(like: Family, tmp_path: Path) -> None:
    lines = [OPEN, {**OPEN, "id": "p", "tag": "patentqa"}, {**OPEN, "id": "t", "tag": "trialqa"}]
    path = write(tmp_path / "in", "patentqa.jsonl", *lines)
    dataset = choose_dataset(like.name, None, path)
    family = import_dataset(like, dataset, path, tmp_path / "out", lambda _: None, ImportOptions())
    assert family.settings.servers == [*like.settings.servers, "databases"]
    assert family.settings.limits == like.settings.limits
    assert (family.settings.parameters, family.settings.nothing) == (like.settings.parameters, like.settings.nothing)
    assert family.settings.description == "LABBench2 (Edison Scientific 2026)"
    assert [task.gold.get("route") for task in family.tasks] == [None, ["databases"], ["databases", "literature"]]
    assert "find the patent with the databases server" in family.fill_prompt(family.task("p"))


@pytest.mark.parametrize("name", ["{secret}", "../secret.png", "figs/../../secret.png", "."])
def test_no_file_outside_the_folders_is_taken(tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    named = name.format(secret=secret)
    lines = [{**LITQA, "figure-path": named}, {**OPEN, "id": "../secret", "tag": "figqa2-img", "files": named}]
    tasks, notes = read(write(tmp_path / "data", "litqa-v2-public.jsonl", *lines))
    assert not tasks
    assert len(notes) == 2


def test_own_questions_name_their_files(tmp_path: Path) -> None:
    write(tmp_path / "pdfs", "a.pdf", b"%PDF one")
    write(tmp_path / "pdfs", "b.csv", b"x,y")
    first = b"\xef\xbb\xbf" + orjson.dumps({**OPEN, "tag": "", "files": "a.pdf"})  # as some editors begin a file
    lines = [first, {**OPEN, "id": "two", "tag": "", "files": ["a.pdf", "b.csv"]}]
    path = write(tmp_path, "questions.jsonl", *lines, {**OPEN, "id": "c", "files": ["a.pdf", "gone.csv"]})
    tasks, notes = read(path, tmp_path / "pdfs")
    assert choose_dataset("literature_qa", None, path).name == "own"
    assert tasks["q-2"].record.inputs.papers == ["papers/q-2/a.pdf"]
    assert (tasks["two"].record.inputs.papers, tasks["two"].record.inputs.files) == (
        ["papers/two/a.pdf"], ["files/two/b.csv"],
    )  # fmt: skip
    assert len(notes) == 1


def test_a_cutoff_that_is_no_day_is_none(tmp_path: Path) -> None:
    line = {**OPEN, "question": "How many published before 2019-13-40?"}
    assert read(write(tmp_path, "x.jsonl", line))[0]["q-2"].record.inputs.before is None


def test_what_is_no_question_of_the_literature_is_left_out_with_its_reason(tmp_path: Path) -> None:
    lines = [
        {**OPEN, "tag": "cloning", "id": "a"},
        {**OPEN, "tag": "dbqa2", "id": "b"},
        {**LITQA, "ideal": "null", "id": "c"},
        {**LITQA, "ideal": "Eosin", "id": "d"},
    ]
    write(tmp_path, "summaries.jsonl", {"run": "x", "n": 14})
    write(tmp_path, "questions.jsonl", *lines)
    tasks, notes = read(tmp_path)
    assert not tasks
    assert [note.split(": ", 1)[-1] for note in notes] == [
        "a: cloning asks for sequences or databases, not for the literature",
        "b: dbqa2 asks for sequences or databases, not for the literature",
        "c: it has no ideal answer",
        "d: a distractor reads as the ideal answer",
        "it holds no questions",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "is not JSON"),
        (b"3", "is no object"),
        ({**LITQA, "ideal": 3}, "ideal or expected_output"),
        ({"question": "x", "ideal": "y"}, "id"),
        ({**LITQA, "question": ""}, "question"),
        ({**LITQA, "distractors": "eosin"}, "no list of texts"),
        ({**LITQA, "id": "§"}, "cannot name a task"),
    ],
)
def test_a_fault_names_file_and_line(tmp_path: Path, line: Any, said: str) -> None:
    path = write(tmp_path, "x.jsonl", LITQA, line)
    notes: list[str] = []
    entries = list(read_questions(path, ImportOptions(note=notes.append)))
    assert len(entries) == 1
    assert f"{path}:3" in notes[0]
    assert said in notes[0]


def test_a_folder_without_lines_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no \.jsonl file"):
        read(tmp_path)


def test_the_family_is_written_and_its_ideal_answers_are_right(like: Family, tmp_path: Path) -> None:
    path = write(tmp_path / "in", "litqa-v2-public.jsonl", LITQA, OPEN, {**OPEN, "id": "q-3", "expected_output": "DN1"})
    with GoldCheck(like, [tmp_path]) as gold_check:
        dataset = choose_dataset(like.name, None, path)
        family = import_dataset(like, dataset, path, tmp_path / "out", gold_check.check, ImportOptions())
    assert dataset.name == "lab-bench"
    assert {task.metadata["licence"] for task in family.tasks} == {"CC-BY-SA-4.0"}
    assert "There are no options" in family.fill_prompt(family.task("q-2"))
    scorer = get_scorer("literature_qa")
    for task in family.tasks:
        case = Case(scorer.ideal(task.gold), task.gold, parameters=task.parameters)
        assert score("literature_qa", case, ScoringOptions()).metrics["accuracy"] == 1.0


def test_the_command_says_what_it_left_out_and_what_comes_next(tmp_path: Path) -> None:
    foreign = [{**OPEN, "id": f"b{number}", "tag": "cloning"} for number in range(8)]
    path = write(tmp_path / "in", "suppqa2.jsonl", OPEN, *foreign)
    out = tmp_path / "mine"
    done = CliRunner().invoke(app, ["import", "literature_qa", "--from", str(path), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "left out: suppqa2.jsonl:3: b0: cloning asks for" in done.stdout
    assert "b5: " not in done.stdout
    assert "left out: 3 more: cloning asks for" in done.stdout
    assert "data set: LABBench2" in done.stdout
    assert "licence: CC-BY-SA-4.0" in done.stdout
    assert f"next: pincite run literature_qa --tasks {out}" in done.stdout
    assert CliRunner().invoke(app, ["validate", "literature_qa", "--tasks", str(out)]).exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("literature_qa",), "either --from PATH or --gold FILE"),
        (("literature_qa", "--from", ".", "--gold", "x.jsonl"), "either --from PATH or --gold FILE"),
        (("literature_qa", "--gold", "x.jsonl", "--papers", "."), "pincite tasks import literature_qa --from PATH"),
        (("property_extraction", "--gold", "x.jsonl", "--limit", "3"), "Leave --limit and --dataset out"),
        (("property_extraction", "--gold", "x.jsonl"), "Give --papers DIR"),
    ],
)
def test_the_command_says_what_it_needs(words: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(app, ["import", *words])
    assert isinstance(done.exception, BadInputError)
    assert said in done.exception.next


@pytest.mark.skipif(not REAL.is_dir(), reason="the LAB-Bench samples are not beside the repository (../shared/data)")
def test_the_published_samples_are_read() -> None:
    tasks, notes = read(REAL)
    assert len(tasks) == 25
    kinds = sorted(entry.record.gold["kind"] for entry in tasks.values())
    assert {kind: kinds.count(kind) for kind in kinds} == {"free": 15, "number": 3, "text": 7}
    assert sum("its file is not there" in note for note in notes) == 10
    assert sum("holds no questions" in note for note in notes) == 1
