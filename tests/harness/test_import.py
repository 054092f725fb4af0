"""A user's papers and gold become a family: every gold format, and what is wrong is said."""

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_harness.curation.importing.dataset import ImportOptions
from pincite_harness.curation.importing.gold_file import read_gold
from pincite_harness.curation.importing.own_papers import import_family
from pincite_tasks.family import Family, load_family
from pincite_tasks.task import Task

ONE = {"property_name": "Tc", "value_string": "93", "location": {"page": 2, "evidence": "x"}}
TWO = {"property_name": "density", "value_string": "6,3", "conditions": {"temperature": "300 K"}}
EXPECTED = {"a.pdf": [ONE, TWO], "b.pdf": [TWO]}
CSV = (
    "paper,property_name,value_string,location.page,location.evidence,conditions.temperature\n"
    'papers/a.pdf,Tc,93,2,x,\na.pdf,density,"6,3",,,300 K\nb.pdf,density,"6,3",,,300 K\n'
)


def flat(paper: str, record: dict[str, Any]) -> dict[str, Any]:
    return {"paper": paper, **record}


def lines(*values: Any) -> bytes:
    return b"\n\n".join(map(orjson.dumps, values))


FORMATS: dict[str, tuple[str, bytes]] = {
    "by paper": ("g.json", orjson.dumps(EXPECTED)),
    "answers by paper": ("g.json", orjson.dumps({name: {"properties": p} for name, p in EXPECTED.items()})),
    "list of papers": ("g.json", orjson.dumps([{"paper": n, "properties": p} for n, p in EXPECTED.items()])),
    "list of properties": ("g.json", orjson.dumps([flat("a.pdf", ONE), flat("a.pdf", TWO), flat("b.pdf", TWO)])),
    "lines of papers": ("g.jsonl", lines(*({"paper": n, "properties": p} for n, p in EXPECTED.items()))),
    "lines of properties": ("G.JSONL", lines(flat("a.pdf", ONE), flat("a.pdf", TWO), flat("b.pdf", TWO))),
    "table": ("g.csv", CSV.encode()),
    "table with a byte order mark": ("g.csv", b"\xef\xbb\xbf" + CSV.encode()),
}

WRONG: dict[str, tuple[str, bytes, str]] = {
    "format": ("g.txt", b"", "not a gold file"),
    "no json": ("g.json", b"{", "is not JSON"),
    "no json line": ("g.jsonl", b"{}\n{", "g.jsonl:1 names no paper"),
    "second line": ("g.jsonl", b'{"paper": "a.pdf", "properties": []}\n{', "g.jsonl:2 is not JSON"),
    "no object": ("g.jsonl", b"3", "g.jsonl:1 is not an object"),
    "properties no list": ("g.json", b'{"a.pdf": 3}', "no list of properties"),
    "properties no list in an object": ("g.json", b'[{"paper": "a.pdf", "properties": {}}]', "not a gold record"),
    "unknown key": ("g.json", b'[{"paper": "a.pdf", "properties": [], "props": 1}]', "props"),
    "no record": ("g.jsonl", b"\n", "holds no gold record"),
    "too many cells": ("g.csv", b"paper,value_string\na.pdf,1,2\n", "more cells"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats(tmp_path: Path, name: str) -> None:
    file, data = FORMATS[name]
    (tmp_path / file).write_bytes(data)
    assert read_gold(tmp_path / file) == EXPECTED


@pytest.mark.parametrize("name", WRONG)
def test_wrong_gold_files(tmp_path: Path, name: str) -> None:
    file, data, said = WRONG[name]
    (tmp_path / file).write_bytes(data)
    with pytest.raises(PinciteError) as caught:
        read_gold(tmp_path / file)
    assert said in str(caught.value)
    assert caught.value.next


def test_no_gold_file(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        read_gold(tmp_path / "g.json")


@pytest.fixture
def like(make_family: Any) -> Family:
    return load_family(make_family())


@pytest.fixture
def papers(tmp_path: Path, tiny_pdf: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("a b.pdf", "a-b.pdf", "other.PDF"):
        shutil.copyfile(tiny_pdf, folder / name)
    return folder


def anything(_task: Task) -> None:
    return None


def test_a_family_is_made(like: Family, papers: Path, tmp_path: Path) -> None:
    gold = {"a b.pdf": [ONE], "a-b.pdf": [TWO]}
    done = import_family(like, papers, gold, tmp_path / "out", anything)
    assert done.left_out == ("other.PDF",)
    assert done.family.folder == tmp_path / "out" / "tiny"
    assert {task.task_id: task.gold for task in load_family(done.family.folder).tasks} == {
        "a-b": {"properties": [ONE]},
        "a-b-2": {"properties": [TWO]},
    }
    assert done.family.prompt == like.prompt
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["tiny"]
    with pytest.raises(BadInputError, match="already exists"):
        import_family(like, papers, gold, tmp_path / "out", anything)


def test_nothing_is_made_when_a_paper_is_missing_or_gold_is_wrong(like: Family, papers: Path, tmp_path: Path) -> None:
    def refuse(checked: Task) -> None:
        raise BadInputError(f"{checked.paper_names[0]} is wrong")

    with pytest.raises(NotFoundError, match=r"gone\.pdf"):
        import_family(like, papers, {"gone.pdf": [ONE]}, tmp_path / "out", anything)
    with pytest.raises(BadInputError, match=r"a b\.pdf is wrong"):
        import_family(like, papers, {"a b.pdf": [ONE]}, tmp_path / "out", refuse)
    assert not (tmp_path / "out" / "tiny").exists()


def test_what_is_broken_is_left_out_and_named(like: Family, papers: Path, tmp_path: Path) -> None:
    def refuse(checked: Task) -> None:
        if checked.gold == {"properties": [TWO]}:
            raise BadInputError(f"{checked.paper_names[0]} is wrong")

    notes: list[str] = []
    options = ImportOptions(note=notes.append)
    file = tmp_path / "g.jsonl"
    good, halved = flat("a b.pdf", ONE), [flat("other.PDF", ONE), {"paper": "other.PDF", "properties": 3}]
    file.write_bytes(lines(good, *halved, flat("a-b.pdf", TWO), flat("gone.pdf", ONE)) + b"\n{")
    done = import_family(like, papers, read_gold(file, options), tmp_path / "out", refuse, options)
    assert {task.task_id: task.gold for task in done.family.tasks} == {"a-b": {"properties": [ONE]}}
    for said in (
        "g.jsonl:5",
        "other.PDF: another",
        "gone.pdf: there is no",
        "g.jsonl:10 is not JSON",
        "a-b.pdf is wrong",
    ):
        assert [note for note in notes if said in note], (said, notes)
    assert len(notes) == 5


def test_a_published_list_without_places_is_imported(papers: Path, tmp_path: Path) -> None:
    """Records by the paper's number, with a rubric and neither page nor quote: answers need no place either."""
    file = tmp_path / "g.csv"
    rows = "refno,property_name,value_string,rubric\na-b,Tc,93,0.1% SI\na-b,space group,Pmmm,space_group\n"
    file.write_text(rows, encoding="utf-8")
    from pincite_tasks.catalog import Catalog

    family = import_family(
        Catalog().family("property_extraction"), papers, read_gold(file), tmp_path / "out", anything
    ).family
    (task,) = family.tasks
    assert (task.paper_names, task.metadata["evidence"]) == (("a-b.pdf",), "not known")
    assert "location" not in family.answer_schema(task)["properties"]["properties"]["items"]["required"]
    assert "location" in family.schema["properties"]["properties"]["items"]["required"]
