"""A published data set becomes a family: what is read, left out and refused, and how its files are fetched."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError, SourceError
from pincite_core.settings import load_settings
from pincite_harness.curation.importing.dataset import Dataset, DatasetEntry, ImportOptions, choose, named
from pincite_harness.curation.importing.fetch import fetch_dataset
from pincite_harness.curation.importing.write import import_dataset
from pincite_tasks.family import Family, load_family
from pincite_tasks.task import Inputs, Record, Task


def read_lines(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """Of every line ``id text`` a task with a paper of that text; ``broken`` stops, ``empty`` is left out."""
    for number, line in enumerate(source.read_text().splitlines(), start=1):
        task_id, _, text = line.partition(" ")
        if text == "broken":
            raise BadInputError(f"{source}:{number} is broken.")
        if text == "empty":
            options.note(f"{source.name}:{number}: no text")
            continue
        record = Record(
            task_id=task_id, inputs=Inputs(papers=["papers/same.pdf"]), gold={}, metadata={"licence": "CC0-1.0"}
        )
        yield DatasetEntry(record, {"papers/same.pdf": text.encode()})


LINES = Dataset("lines", "tiny", "Lines of text", "MIT", f"{__name__}:read_lines", named("*.txt"))
COLUMNS = replace(LINES, name="columns", recognises=named("*.csv", "*.tsv"), where="Ask its authors.")


def accept(_task: Task) -> None:
    return None


@pytest.fixture
def like(make_family: Any) -> Family:
    return load_family(make_family())


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "data.txt"
    path.write_text("one x\ntwo empty\nthree x\nfour x\n")
    return path


def test_a_data_set_becomes_a_family(like: Family, source: Path, tmp_path: Path) -> None:
    notes: list[str] = []
    options = ImportOptions(limit=2, note=notes.append)
    family = import_dataset(like, LINES, source, tmp_path / "out", accept, options)
    assert [task.task_id for task in family.tasks] == ["one", "three"]
    assert notes == ["data.txt:2: no text"]
    assert family.tasks[0].papers[0].read_bytes() == b"x"
    assert family.tasks[0].metadata == {"licence": "CC0-1.0", "source": "Lines of text"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one x\ntwo broken\n", "data.txt:2 is broken"),
        ("one empty\n", "has no task of"),
        ("../one x\n", "should match pattern"),
    ],
)
def test_nothing_stays_of_a_data_set_with_a_fault(like: Family, source: Path, text: str, said: str) -> None:
    source.write_text(text)
    out = source.parent / "out"
    with pytest.raises(ValueError if "match" in said else BadInputError, match=said):
        import_dataset(like, LINES, source, out, accept, ImportOptions())
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one x\ntwo y\nthree x\n", "task two: Task two: another file is called 'papers/same.pdf'"),
        ("one x\none x\nthree x\n", "task one: The task 'one' appears twice"),
    ],
)
def test_a_task_that_cannot_be_placed_is_left_out(like: Family, source: Path, text: str, said: str) -> None:
    source.write_text(text)
    notes: list[str] = []
    family = import_dataset(like, LINES, source, source.parent / "out", accept, ImportOptions(note=notes.append))
    assert [task.task_id for task in family.tasks] == ["one", "three"]
    assert [note for note in notes if said in note]


def test_a_data_set_is_chosen_by_its_files_or_its_name(tmp_path: Path) -> None:
    table = (LINES, COLUMNS)
    (tmp_path / "Data.CSV").touch()
    assert choose(table, "tiny", None, tmp_path / "a.TXT") is LINES
    assert choose(table, "tiny", None, tmp_path) is COLUMNS
    assert choose(table, "tiny", "lines", tmp_path) is LINES
    for source in (tmp_path / "a.json", None):
        with pytest.raises(BadInputError) as unclear:
            choose(table, "tiny", None, source)
        assert unclear.value.seen == "lines, columns"
    with pytest.raises(NotFoundError, match="no importer for 'rows'"):
        choose(table, "tiny", "rows", None)
    with pytest.raises(NotFoundError, match="No data set is known for other"):
        choose(table, "other", None, None)


async def test_files_are_fetched_whole_and_never_over_others(source_servers: ModuleType, tmp_path: Path) -> None:
    urls = ("https://data.example.org/sets/one%20two.jsonl", "https://data.example.org/sets/pictures.zip?download=1")
    dataset = replace(LINES, urls=urls)

    def answer(asked: Any) -> Any:
        return source_servers.Given(f"{asked.path} {asked.params}")

    with source_servers.SourceServer(answer) as server:
        settings = load_settings().model_copy(update={"source_urls": {"datasets": server.url}})
        got = await fetch_dataset(dataset, tmp_path / "to", settings)
        assert {path.name: path.read_text() for path in got} == {
            "one two.jsonl": "/sets/one%20two.jsonl {}",
            "pictures.zip": "/sets/pictures.zip {'download': '1'}",
        }
        with pytest.raises(BadInputError, match="already exists"):
            await fetch_dataset(dataset, tmp_path / "to", settings)
        server.fault = source_servers.FAULTS["truncated"]
        with pytest.raises(SourceError):
            await fetch_dataset(dataset, tmp_path / "other", settings)
    assert not list(tmp_path.glob("other/*"))


async def test_without_an_address_it_is_said_where_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as unknown:
        await fetch_dataset(COLUMNS, tmp_path, load_settings())
    assert unknown.value.next == "Ask its authors. Then: pincite tasks import tiny --from PATH"
