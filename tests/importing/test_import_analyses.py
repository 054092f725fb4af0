"""Instances of figure_analysis under many names become a family: what is read, what is left out, what is refused."""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import NotFoundError
from pincite_harness.curation.exporting.jsonl import export_jsonl
from pincite_harness.curation.importing.analyses import read_analyses
from pincite_harness.curation.importing.dataset import ImportOptions, Reader, choose_dataset
from pincite_harness.curation.importing.write import import_dataset
from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_tasks.catalog import Catalog
from pincite_tasks.family import Family

PNG = b"\x89PNG\r\n\x1a\n" + bytes(80)
ANALYSIS = (
    "The conductivity of the doped glass rises fourfold between 300 and 500 K, while that of the pure glass hardly "
    "changes, so that the gain comes from the carriers that doping adds."
)
LATEX = r"\begin{tabular}{ll} T & x \\ 300 & 0.12 \end{tabular}"
BASE = {"query": "Analyse it.", "analysis": ANALYSIS, "table": LATEX}


def read(folder: Path, data: Any, name: str = "a.jsonl", papers: Path | None = None) -> tuple[list[Any], list[str]]:
    """The entries and the notes of a file that holds ``data``: one line of JSON, or all of it."""
    (folder / name).write_bytes(orjson.dumps(data))
    notes: list[str] = []
    return list(read_analyses(folder / name, ImportOptions(papers, note=notes.append))), notes


def files_of(entry: Any) -> dict[str, bytes]:
    """The files of a task by their base names."""
    sources = {Path(name).name: source for name, source in entry.sources.items()}
    return {name: one if isinstance(one, bytes) else one.read_bytes() for name, one in sources.items()}


def imported(source: Path, out: Path) -> Family:
    like, dataset = Catalog().family("figure_analysis"), choose_dataset("figure_analysis", None, source)
    with GoldCheck(like, [out]) as gold_check:
        return import_dataset(like, dataset, source, out, gold_check.check, ImportOptions())


def test_written_claims_come_along_and_others_are_noted(tmp_path: Path) -> None:
    claims = {
        "entities": {"doped": ["doped glass"]},
        "claims": [{"text": "The doped glass rises.", "subject": ["doped"], "relation": ["up"]}],
    }
    (entry,), notes = read(tmp_path, BASE | {"claims": claims})
    assert (entry.record.gold["claims"], notes) == (claims, [])
    (entry,), notes = read(tmp_path, BASE | {"claims": ["The doped glass rises."]})
    assert "claims" not in entry.record.gold
    assert len(notes) == 1
    assert "its claims, which cannot be read" in notes[0]


def test_an_instance_becomes_a_task(tmp_path: Path) -> None:
    (tmp_path / "f.png").write_bytes(PNG)
    instance = {
        "Instance ID": 7, "question": "Analyse Fig. 1 and Table 2.", "Reference Analysis": ANALYSIS,
        "images": ["f.png"], "tables": [{"label": "Table 2", "caption": "Conductivity.", "latex": LATEX}],
        "context": [{"section": "Method", "text": "Glasses were drawn in argon."}, f"As said: {ANALYSIS}"],
        "paper": {"title": "Glass", "doi": "10.5555/glass"}, "license": "CC-BY-4.0",
        "dimensions": {"Type": "both", "width": "internal", "colour": "red"},
    }  # fmt: skip
    (entry,), notes = read(tmp_path, instance)
    assert (entry.record.task_id, entry.record.gold) == ("7", {"analysis": ANALYSIS, "evidence": []})
    assert entry.record.inputs.parameters == {"query": "Analyse Fig. 1 and Table 2."}
    assert entry.record.metadata == {
        "title": "Glass", "source": "10.5555/glass", "licence": "CC-BY-4.0", "paper_id": "10.5555/glass",
        "dimensions": {"type": "both", "width": "internal"},
    }  # fmt: skip
    files = files_of(entry)
    assert (files["f.png"], files["table-2.tex"].decode().strip()) == (PNG, LATEX)
    page = files["context.html"].decode()
    assert all(said in page for said in ("Glass", "Table 2. Conductivity.", "Glasses were drawn in argon."))
    assert "fourfold" not in page
    assert notes == [f"{tmp_path}/a.jsonl:1: 1 of its paragraphs, which say the analysis's words"]


@pytest.mark.parametrize(
    ("given", "name", "content"),
    [
        ({"table": LATEX}, "table-1.tex", LATEX.encode()),
        ({"table": "a,b\n1,2"}, "table-1.csv", b"a,b\n1,2"),
        ({"table": "a\tb\n1\t2"}, "table-1.tsv", b"a\tb\n1\t2"),
        ({"table": "| a | b |\n|---|---|\n| 1 | 2 |"}, "table-1.md", b"| a |"),
        ({"table": "<table><tr><td>1</td></tr></table>"}, "table-1.html", b"<table>"),
        ({"table": "a is 1 and b is 2"}, "table-1.txt", b"a is 1"),
        ({"table_latex": "a & b"}, "table-1.tex", b"a & b"),
        ({"table": [["a", "b"], ["1", "2, or so"]]}, "table-1.csv", b'a,b\n1,"2, or so"'),
        ({"tables": [{"rows": [{"a": 1, "b": 2}, {"a": 3}]}]}, "table-1.csv", b"a,b\n1,2\n3,"),
        ({"tables": {"Table 4": "a,b\n1,2"}}, "table-4.csv", b"a,b"),
        ({"table": {"label": "Tab. 3", "path": "t.csv"}}, "table-3.csv", b"x,y"),
        ({"figure": "f.png"}, "f.png", PNG),
        ({"figure_path": "pictures/f.png"}, "f.png", PNG),
        ({"figures": {"Fig. 5": "f.png"}}, "figure-5.png", PNG),
        ({"image": {"bytes": base64.b64encode(PNG).decode(), "path": "gone.png"}}, "figure-1.png", PNG),
        ({"image": "data:image/png;base64," + base64.b64encode(PNG).decode()}, "figure-1.png", PNG),
        ({"images": ["https://example.org/a/f.png"]}, "f.png", PNG),
    ],
)
def test_tables_and_pictures_in_many_forms(tmp_path: Path, given: Any, name: str, content: bytes) -> None:
    (tmp_path / "f.png").write_bytes(PNG)
    (tmp_path / "t.csv").write_text("x,y\n1,2\n")
    (entry,), notes = read(tmp_path, {"query": "Analyse it.", "analysis": ANALYSIS, **given})
    assert files_of(entry)[name].startswith(content)
    assert not notes


@pytest.mark.parametrize(
    ("instance", "note"),
    [
        ({"analysis": "Too short."}, "its analysis has 2 words, fewer than 15"),
        ({"analysis": None}, "it has no analysis"),
        ({"figure": "gone.png"}, "not there: gone.png; give the folder with --papers"),
        ({"figure": "../secret.png"}, "not there: ../secret.png; give the folder with --papers"),
        ({"table": None}, "it has no table, figure or paper"),
        ({"table": f"Seen here: {ANALYSIS}"}, "the analysis stands in table-1.txt"),
        ({"papers": "full.html"}, "the analysis stands in its paper full.html: give an excerpt without it"),
        ({"papers": ["full.html"], "context": "Glasses were drawn."}, "its paper full.html, which says the analysis's"),
    ],
)
def test_what_is_left_out_is_said(tmp_path: Path, instance: Any, note: str) -> None:
    folder = tmp_path / "data set"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (folder / "full.html").write_text(f"<html><body><h1>Glass</h1><p>{ANALYSIS}</p></body></html>")
    entries, notes = read(folder, {**BASE, **instance})
    assert note in notes[0]
    # only a paper in whose place there is a context leaves its instance in
    assert [list(files_of(entry)) for entry in entries] == ([["context.html", "table-1.tex"]] if "say" in note else [])


@pytest.mark.parametrize(
    ("name", "data", "ids"),
    [
        ("a.json", [BASE, {**BASE, "id": "x"}, {**BASE, "id": "x"}], ["analysis", "x", "x-2"]),
        ("a.json", {"test": [BASE], "dev": [{**BASE, "id": "d/1"}]}, ["analysis", "d-1"]),
        ("a.json", {"one": BASE, "two": BASE}, ["one", "two"]),
        ("a.json", BASE, ["analysis"]),
    ],
)
def test_shapes_of_files(tmp_path: Path, name: str, data: Any, ids: list[str]) -> None:
    entries, _ = read(tmp_path, data, name=name)
    assert [entry.record.task_id for entry in entries] == ids


def test_files_may_lie_in_another_folder_and_a_query_is_made_of_labels(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "f.png").write_bytes(PNG)
    instance = {"analysis": ANALYSIS, "figures": [{"label": "Fig. 2", "path": "f.png"}], "tables": {"Table 1": LATEX}}
    (entry,), _ = read(tmp_path, instance, papers=tmp_path / "pictures")
    assert entry.record.inputs.parameters["query"] == "Write the analysis of Table 1 and Fig. 2."
    assert set(files_of(entry)) == {"figure-2.png", "table-1.tex", "context.html"}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"{", r"data\.jsonl:2 is not JSON"),
        (b"[1]", r"data\.jsonl:2 is not an object"),
        (b'{"material": "glass"}', r"data\.jsonl:2 is not an analysis"),
        (b'{"query": "x", "analysis": [1, {"a": 2}]}', "analysis is not text"),
        (b'{"query": "x", "figure": "no picture at all"}', "figure is neither a file's name nor a figure"),
    ],
)
def test_a_fault_says_where(tmp_path: Path, line: bytes, what: str, faults: Callable[[Reader, Path], str]) -> None:
    (tmp_path / "data.jsonl").write_bytes(orjson.dumps(BASE) + b"\n" + line)
    assert re.search(what, faults(read_analyses, tmp_path / "data.jsonl"))


def test_a_folder_without_instances_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no \.json"):
        list(read_analyses(tmp_path, ImportOptions()))


def test_what_an_export_wrote_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "f.png").write_bytes(PNG)
    (tmp_path / "same.html").write_text("<html><body><h1>Glass</h1><p>Drawn in argon.</p></body></html>")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "same.html").write_text("<table><tr><td>0.12</td></tr></table>")
    rows = [
        {**BASE, "context": ["Glasses were drawn."], "type": "table", "doi": "10.5555/a"},
        {**BASE, "figure": "f.png"},
        {"analysis": ANALYSIS, "papers": "same.html", "table": "tables/same.html", "words": "30 to 90"},
    ]
    (tmp_path / "data.json").write_bytes(orjson.dumps(rows))
    first = imported(tmp_path / "data.json", tmp_path / "first")
    export_jsonl([(first, task) for task in first.tasks], tmp_path / "exported")
    second = imported(tmp_path / "exported", tmp_path / "second")
    third = imported(tmp_path / "second", tmp_path / "third")
    assert first.tasks[2].parameters["words"] == "30 to 90"
    assert len(set(first.tasks[2].file_digests().values())) == 2
    for again in (second, third):
        for one, other in zip(first.tasks, again.tasks, strict=True):
            assert (one.task_id, one.gold, one.parameters) == (other.task_id, other.gold, other.parameters)
            assert one.metadata == other.metadata
            assert one.file_digests() == other.file_digests()
