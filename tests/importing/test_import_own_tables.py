"""A user's own queries and tables become a family: by a published type, by a query of their own, and online."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.curation.importing.dataset import ImportOptions, Reader, choose_dataset
from pincite_harness.curation.importing.own_tables import read_own_tables
from pincite_harness.curation.importing.write import import_dataset
from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_tasks.catalog import Catalog
from pincite_tasks.family import Family

TYPED = """
[[tasks]]
id = "growth"
table = "growth.csv"
documents = ["acme_2022", "acme_2023.md"]
type = "financial_0"
words = { subject = "Acme" }
"""
FREE = """
[[tasks]]
id = "parts"
table = "parts.csv"
documents = ["Acme's report of 2022"]
query = "What are the parts of Acme?"
keys = ["Report"]
numeric = ["Profit"]
online = true
"""
GROWTH = """Filename,Reporting Period,Revenue (CNY),Revenue Growth Rate (%),prior revenue
acme_2022,2022,120,20.00,100
acme_2023,2023,150,25.00,120
"""
PARTS = 'Report,Profit,Parts\nAcme 2022,12,"[""a"", ""b""]"\n'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    (folder / "papers").mkdir(parents=True)
    files = {"tasks.toml": TYPED + FREE, "growth.csv": GROWTH, "parts.csv": PARTS}
    files |= {f"papers/acme_{year}.md": f"# Acme {year}\n\nRevenue: 1." for year in (2022, 2023)}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def imported(own: Path, out: Path, notes: list[str] | None = None) -> Family:
    like, dataset = Catalog().family("table_construction"), choose_dataset("table_construction", None, own)
    with GoldCheck(like, [out]) as gold_check:
        options = ImportOptions(note=[].append if notes is None else notes.append)
        return import_dataset(like, dataset, own, out, gold_check.check, options)


def test_a_family_is_made_of_types_and_of_queries_of_one_s_own(own: Path, tmp_path: Path) -> None:
    family = imported(own, tmp_path / "out")
    growth, parts = family.task("growth"), family.task("parts")
    assert growth.paper_names == ("acme_2022.html", "acme_2023.html")
    assert "How did Acme grow" in family.fill_prompt(growth)
    assert growth.gold["derived"] == {"Revenue Growth Rate (%)": "100 * ({Revenue (CNY)} / {prior revenue} - 1)"}
    assert growth.gold["inputs"] == [{"prior revenue": "100"}, {"prior revenue": "120"}]
    assert parts.paper_names == ()
    assert "- Acme's report of 2022" in family.fill_prompt(parts)
    assert parts.gold["rows"] == [{"Report": "Acme 2022", "Profit": "12", "Parts": ["a", "b"]}]


def test_nobody_fetches_what_is_one_s_own() -> None:
    assert choose_dataset("table_construction", None).name == "aoe"


def test_a_table_with_a_computed_cell_that_its_formula_does_not_give_is_left_out(own: Path, tmp_path: Path) -> None:
    (own / "growth.csv").write_text(GROWTH.replace("25.00", "25.10"), encoding="utf-8")
    notes: list[str] = []
    family = imported(own, tmp_path / "out", notes)
    assert [task.task_id for task in family.tasks] == ["parts"]
    assert not list((tmp_path / "out").glob("*/papers/acme*"))
    assert len(notes) == 1
    assert "task growth" in notes[0]
    assert "gives 25, the cell holds '25.10'" in notes[0]


def test_a_failed_import_leaves_no_folder(own: Path, tmp_path: Path) -> None:
    (own / "tasks.toml").write_text(TYPED, encoding="utf-8")
    (own / "growth.csv").write_text(GROWTH.replace("25.00", "25.10"), encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        imported(own, tmp_path / "new" / "out")
    assert "gives 25, the cell holds '25.10'" in caught.value.seen
    assert not (tmp_path / "new").exists()


def test_a_formula_without_its_inputs_is_left_out_and_said(own: Path) -> None:
    lines = [line.rpartition(",")[0] for line in GROWTH.splitlines()]
    (own / "growth.csv").write_text("\n".join(lines), encoding="utf-8")
    notes: list[str] = []
    entry = next(read_own_tables(own, ImportOptions(note=notes.append)))
    assert "derived" not in (entry.record.gold or {})
    assert notes == ["growth: the formula of Revenue Growth Rate (%), for growth.csv has no prior revenue"]


@pytest.mark.parametrize(
    ("name", "content", "seen"),
    [
        ("tasks.toml", "[[tasks]", "tasks.toml is not TOML"),
        ("tasks.toml", "[[tasks]]", "tasks.toml describes no tasks"),
        ("tasks.toml", TYPED.replace("financial_0", "financial_9"), "no task type 'financial_9'"),
        ("tasks.toml", TYPED.replace("subject", "object"), "growth: the query of financial_0 needs the word 'subject'"),
        ("tasks.toml", TYPED.replace("2023.md", "2024"), "growth: there is no acme_2024"),
        ("tasks.toml", TYPED.replace("growth.csv", "gone.csv"), "There is no "),
        ("tasks.toml", FREE.replace("keys", "lists"), "parts has neither a type nor a query and keys"),
        ("tasks.toml", FREE.replace('["Profit"]', '["Loss"]'), "what tasks.toml says of parts do not agree"),
        ("growth.csv", GROWTH.replace("Revenue (CNY)", "Sales"), "columns that financial_0 does not ask for: Sales"),
        ("growth.csv", GROWTH.replace("Filename,", "File,"), "columns that financial_0 does not ask for: File"),
        ("growth.csv", GROWTH + "acme\n", "growth.csv:4 has not as many cells"),
        ("growth.csv", GROWTH.splitlines()[0], "growth.csv has no rows"),
    ],
)
def test_a_fault_says_where(
    own: Path, name: str, content: str, seen: str, faults: Callable[[Reader, Path], str]
) -> None:
    (own / name).write_text(content, encoding="utf-8")
    assert seen in faults(read_own_tables, own)
