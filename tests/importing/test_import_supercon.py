"""SuperCon's list of materials as tasks of precedent_search."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.curation.importing.dataset import ImportOptions, Reader, choose_dataset
from pincite_harness.curation.importing.supercon import read_supercon
from pincite_harness.curation.importing.write import import_dataset
from pincite_scoring import Case, ScoringOptions, score
from pincite_tasks.catalog import Catalog

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "supercon"
HEADER = (
    "refno,material,property_name,property_value,property_unit,Has material been reported to be superconducting?,"
    "What is the highest measured Tc?,"
    "What is the lowest temp for measurement at which material was not superconducting?,file\n"
)
ROWS = (
    "PRB097104503,Ag0.05Bi1.95Se3,tcn,0.0,K,No,,0,\n"
    "1377,Ag0.5Al0.5Th2,tc,0.78,K,Yes,0.78,,\n"
    "PRL0833289,Ba0.6K0.4Bi1O3+Z,tc,30.0,K,Yes,30,,\n"
    "PHC2350981,Ba0.6K0.4Bi1O3-Z,tc,29.0,K,Yes,29,,\n"
)


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "SuperCon_Tc_Tcn_small.csv"
    path.write_text(HEADER + ROWS, encoding="utf-8")
    return path


def test_a_row_becomes_a_task_whose_gold_scores_full_marks(listed: Path, tmp_path: Path) -> None:
    like = Catalog().family("precedent_search")
    notes: list[str] = []
    dataset = choose_dataset("precedent_search", None, listed)
    family = import_dataset(
        like, dataset, listed, tmp_path / "out", lambda task: None, ImportOptions(note=notes.append)
    )
    assert [task.task_id for task in family.tasks] == [
        "Ag0.05Bi1.95Se3",
        "Ag0.5Al0.5Th2",
        "Ba0.6K0.4Bi1O3plusZ",
        "Ba0.6K0.4Bi1O3-Z",
    ]
    assert [task.gold["reported"] for task in family.tasks] == ["No", "Yes", "Yes", "Yes"]
    assert [_dois(task.gold) for task in family.tasks] == [
        ["10.1103/PhysRevB.97.104503"],
        [],
        ["10.1103/PhysRevLett.83.3289"],
        [],
    ]
    assert notes == [
        "the sources of 2 materials: the list gives no DOI or title of their papers",
        "what was measured of 1 materials: the list says 0 K, which 0 alone meets",
    ]
    for task in family.tasks:
        assert (task.metadata["licence"], task.corpus) == ("CC-BY-4.0", None)
        assert str(task.parameters["material"]) in family.fill_prompt(task)
        for compat in ("strict", "reference"):
            case = Case(task.gold, task.gold, parameters=task.parameters)
            assert score("precedent_search", case, ScoringOptions(compat=compat)).metrics["score"] == 2


def test_looked_up_papers_become_sources(tmp_path: Path) -> None:
    path = tmp_path / "dev-set_with_dois.csv"
    columns = "doi,true_doi,title,arxiv_title,year"
    row = "X1,Nb3Sn,tc,18.0,K,Yes,18,,,10.1103/A.1,10.1103/B.2,On Nb3Sn,A preprint on Nb3Sn,1999"
    path.write_text(f"{HEADER.strip()},{columns}\n{row}\n", encoding="utf-8")
    (entry,) = read_supercon(path, ImportOptions())
    cited = [(each["doi"], each["title"], each["year"]) for each in entry.record.gold["sources"]]
    assert cited == [("10.1103/A.1", "On Nb3Sn", 1999), ("10.1103/B.2", "A preprint on Nb3Sn", 1999)]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1,,tc,1,K,Yes,1,,\n", ":2 names no material"),
        ("1,Nb,tc,1,K,Maybe,1,,\n", ":2: Has material"),
        ("1,Nb,tcn,1,K,Yes,1,,\n", ":2: Yes goes with tc"),
        ("1,Nb,tc,1,K,Yes,9.2,,\n1,Nb3Sn,tc,1,K,Yes,warm,,\n", ":3 has no temperature"),
        ("1,Nb,tc,1,K,Yes,-4,,\n", ":2 has no temperature"),
        ("1,Nb,tc,1,K,Yes,9.2\n", ":2 has not as many cells"),
        ("1,Nb,tc,1,K,Yes,9.2,,,more\n", ":2 has not as many cells"),
    ],
)
def test_a_fault_is_named_with_its_line(
    tmp_path: Path, rows: str, said: str, faults: Callable[[Reader, Path], str]
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(HEADER + rows, encoding="utf-8")
    assert said in faults(read_supercon, path)


def test_a_file_of_other_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("material,Tc\nNb,9.2\n", encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        list(read_supercon(path, ImportOptions()))
    assert "refno" in caught.value.seen


def test_the_whole_list_is_read() -> None:
    if not DATA.is_dir():
        pytest.skip("needs ../shared/data/supercon")
    notes: list[str] = []
    records = [entry.record for entry in read_supercon(DATA, ImportOptions(note=notes.append))]
    assert len(records) == 16_419
    assert len({record.task_id.lower() for record in records}) == 16_419
    assert sum(record.gold["reported"] == "Yes" for record in records) == 14_164
    assert sum(bool(record.gold["sources"]) for record in records) > 2_000
    assert [note.split(": ")[0] for note in notes] == [
        "the sources of 14087 materials",
        "what was measured of 182 materials",
    ]


def _dois(gold: dict[str, Any]) -> list[str]:
    return [source["doi"] for source in gold["sources"]]
