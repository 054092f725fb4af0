"""AOE becomes tasks: its tables and documents, gold files alone, names alone, and what is left out or refused."""

import csv
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.importing.aoe import read_aoe
from pincite_harness.curation.importing.aoe_config import read_config
from pincite_harness.curation.importing.aoe_documents import unpacked
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions, Reader, choose_dataset
from pincite_papers.html.page import parse_html
from pincite_scoring import Case, ScoringOptions
from pincite_scoring.table_construction.scorer import SCORER

CONFIG = """
en:
  academic_1:
    key_cols: ["paper_name","method"]
    target_value_columns: ["result"]
    numeric_columns: ["result"]

  financial_4:
    key_cols: ["Filename"]
    target_value_columns: [
      "Reporting Period",
      "Revenue (CNY)"
    ]
    numeric_columns: ["Revenue (CNY)"]

zh:
  legal_0:
    key_cols: ["案件名"]
    target_value_columns: ["关联索引"]
    numeric_columns: []

  legal_1:
    key_cols: ["案件名", "被告"]
    target_value_columns: ["罪名",剥夺政治权利","其他判决"]
    numeric_columns: []"""
REPORT = {"Filename": "alder 2021", "Reporting Period": 2021, "Revenue (CNY)": "1,200", "Colour": "red"}
RECORDS: list[dict[str, Any]] = [
    {
        "record_id": "financial_Alder_4_en",
        "language": "en",
        "query": "Compare the revenue.",
        "input_doc": ["alder 2021.md", "alder 2022"],
        "answers": [REPORT, {**REPORT, "Filename": "alder 2022", "Reporting Period": 2022, "Revenue (CNY)": None}],
    },
    {
        "legal_3_0": {
            "language": "zh",
            "query": "适用哪些条文？",
            "input_doc": [{"案件名": "甲盗窃案", "入库编号": "2023-1", "基本案情": "甲偷了东西。\n价值一千元。"}],
            "answers": [{"案件名": "甲盗窃案", "关联索引": ["《中洲刑法》第264条", "《中洲刑法》第52条"]}],
        }
    },
]


def docx(*paragraphs: str) -> bytes:
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>')
    return out.getvalue()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "aoe"
    (folder / "data" / "financial").mkdir(parents=True)
    (folder / "data" / "law_docx").mkdir()
    (folder / "task_config.yaml").write_text(CONFIG, encoding="utf-8")
    text = "# Alder {}\n\n| Item | Value |\n|---|---|\n| Revenue | 1,200 |\n\n![](images/a.jpg)\n"
    for year in (2021, 2022):
        (folder / "data" / "financial" / f"alder {year}.md").write_text(text.format(year))
    (folder / "data" / "law_docx" / "中洲刑法.docx").write_bytes(docx("第五十二条 罚金", "第二百六十四条 盗窃"))
    write_records(folder, RECORDS)
    return folder


def write_records(folder: Path, records: list[dict[str, Any]]) -> None:
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    (folder / "all_AOE_tables.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(source: Path, papers: Path | None = None) -> tuple[dict[str, DatasetEntry], list[str]]:
    notes: list[str] = []
    entries = list(read_aoe(source, ImportOptions(papers=papers, note=notes.append)))
    return {entry.record.task_id: entry for entry in entries}, notes


def text_of(entry: DatasetEntry, name: str) -> str:
    data = entry.sources[name]
    return parse_html(data if isinstance(data, bytes) else data.read_bytes(), max_pages=9).text


def test_a_record_becomes_a_task_with_its_documents_as_pages(source: Path) -> None:
    entries, notes = read(source)
    entry = entries["financial_Alder_4_en"]
    assert entry.record.inputs.papers == ["papers/financial/alder 2021.html", "papers/financial/alder 2022.html"]
    assert entry.record.inputs.parameters == {"query": "Compare the revenue."}
    page = text_of(entry, "papers/financial/alder 2021.html")
    assert "Alder 2021" in page
    assert "Revenue\t1,200" in page
    assert "images/a.jpg" not in page
    assert entry.record.gold["columns"] == ["Filename", "Reporting Period", "Revenue (CNY)"]
    assert entry.record.gold["rows"][1] == {"Filename": "alder 2022", "Reporting Period": "2022", "Revenue (CNY)": ""}
    assert SCORER.check(Case(None, entry.record.gold, parameters=entry.record.inputs.parameters)) == []
    best = SCORER.score(Case(SCORER.ideal(entry.record.gold), entry.record.gold), ScoringOptions())
    assert best.metrics["cell_f1"] == 1.0
    assert notes == [f'the stray quote of 剥夺政治权利" in {source / "task_config.yaml"}:24']


def test_cases_and_the_codes_that_they_apply_become_pages(source: Path) -> None:
    entry = read(source)[0]["legal_3_0"]
    case, code = "papers/legal_3_0/甲盗窃案.html", "papers/legal/中洲刑法.html"
    assert entry.record.inputs.papers == [case, code]
    assert text_of(entry, case).splitlines()[0] == "甲盗窃案"
    assert "价值一千元。" in text_of(entry, case)
    assert "第二百六十四条 盗窃" in text_of(entry, code)
    assert entry.record.gold["lists"] == ["关联索引"]


def test_documents_are_found_in_an_archive_and_in_another_folder(source: Path, tmp_path: Path) -> None:
    here = read(source)[0]
    with tarfile.open(source / "documents.tar", "w") as tar:
        tar.add(source / "data" / "financial", "financial")
    moved = tmp_path / "elsewhere"
    (source / "data").rename(moved)
    assert read(source)[0]["financial_Alder_4_en"].record == here["financial_Alder_4_en"].record
    (source / "documents.tar").unlink()
    assert read(source, moved)[0]["financial_Alder_4_en"].record == here["financial_Alder_4_en"].record


def test_an_archive_writes_only_below_its_folder_and_follows_no_link(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    link = tarfile.TarInfo("link")
    link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
    with tarfile.open(tmp_path / "documents.tar", "w") as tar:
        for member in (link, *map(tarfile.TarInfo, ("../up.md", "/tmp/root.md", "link/through.md", "fine/a.md"))):
            tar.addfile(member, io.BytesIO())
    assert list(unpacked(tmp_path / "documents.tar", scratch)) == [scratch]
    files = [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert files == ["documents.tar", "scratch/fine/a.md", "scratch/link/through.md"]


def test_without_documents_the_tasks_are_online_ones(source: Path, tmp_path: Path) -> None:
    (source / "data").rename(tmp_path / "gone")
    entries, _ = read(source)
    inputs = entries["financial_Alder_4_en"].record.inputs
    assert inputs.papers == []
    assert inputs.parameters["mode"] == "online"
    assert inputs.parameters["documents"] == ["alder 2021", "alder 2022"]
    assert entries["legal_3_0"].record.inputs.papers == ["papers/legal_3_0/甲盗窃案.html"]


def test_gold_files_alone_get_the_query_of_their_type(source: Path, tmp_path: Path) -> None:
    (source / "all_AOE_tables.jsonl").unlink()
    with (source / "financial_Alder_4_en.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(REPORT))
        writer.writeheader()
        writer.writerow(REPORT)
    (source / "academic_LedgerText-40_1_en").mkdir()
    (source / "academic_LedgerText-40_1_en" / "gold_answer.csv").write_text(
        "paper_name,method,result\nalder 2021,M,12.3\n"
    )
    entries, _ = read(source, source / "data" / "financial")
    assert sorted(entries) == ["academic_LedgerText-40_1_en", "financial_Alder_4_en"]
    academic = entries["academic_LedgerText-40_1_en"].record
    assert "on LedgerText-40?" in str(academic.inputs.parameters["query"])
    assert academic.gold["rows"] == [{"paper_name": "alder 2021", "method": "M", "result": "12.3"}]
    assert entries["financial_Alder_4_en"].record.inputs.papers == ["papers/financial/alder 2021.html"]


def test_what_cannot_be_scored_is_left_out_and_told(source: Path) -> None:
    financial = RECORDS[0]
    gone = {**financial, "record_id": "financial_Birch_4_en", "input_doc": ["birch.md"]}
    keyless = {**financial, "record_id": "financial_Cedar_4_en", "answers": [{"Revenue (CNY)": 1}]}
    twice = {
        **financial,
        "record_id": "financial_Dogwood_4_en",
        "answers": [REPORT, {**REPORT, "Filename": "Alder 2021.md"}],
    }
    write_records(source, [gone, keyless, twice])
    entries, notes = read(source)
    assert list(entries) == ["financial_Dogwood_4_en"]
    assert len(entries["financial_Dogwood_4_en"].record.gold["rows"]) == 1
    assert notes[1:] == [
        "financial_Birch_4_en: its document 'birch.md' is not there",
        "financial_Cedar_4_en: its gold has no key Filename",
        "1 gold rows of financial_Dogwood_4_en without a key of their own",
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", ":2 is not JSON"),
        ("[]", ":2 is not a record"),
        ('{"record_id": "financial_1_4_en", "query": "q"}', ":2 has no record_id, query or answers"),
        ('{"record_id": "financial_1_4_en", "query": "q", "answers": [1]}', ":2: the answers of financial_1_4_en"),
        ('{"record_id": "sports_1_4_en", "query": "q", "answers": [{}]}', ":2: no task type is known"),
    ],
)
def test_a_broken_line_is_named(source: Path, line: str, says: str, faults: Callable[[Reader, Path], str]) -> None:
    path = source / "all_AOE_tables.jsonl"
    path.write_text(f"{json.dumps(RECORDS[0])}\n{line}\n", encoding="utf-8")
    assert re.search(says, faults(read_aoe, source))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no task type"),
        ('key_cols: ["a"]\n', "holds no task type"),
        ('  key_cols: ["a"]\n', ":1: key_cols belongs to no task type"),
        ('en:\n  t:\n    key_cols: ["a",\n', ":3: the list does not end"),
        ('en:\n  t:\n    key_cols: ["a"]\n', "t has no key_cols or no target_value_columns"),
    ],
)
def test_a_broken_configuration_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "task_config.yaml"
    path.write_text(text)
    with pytest.raises(BadInputError, match=says):
        read_config(path, print)


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="holds no tables"):
        read(tmp_path)
    with pytest.raises(NotFoundError):
        read(tmp_path / "gone")


def test_a_word_document_that_is_none_is_named(source: Path, faults: Callable[[Reader, Path], str]) -> None:
    (source / "data" / "law_docx" / "中洲刑法.docx").write_bytes(b"PK no")
    assert "not a Word document" in faults(read_aoe, source)


def test_the_data_set_is_found_by_its_family(source: Path) -> None:
    dataset = choose_dataset("table_construction", None, source)
    assert (dataset.name, dataset.recognises(source)) == ("aoe", True)
    assert [url.rpartition("/")[2] for url in dataset.urls] == ["all_AOE_tables.jsonl", "documents.tar"]
