"""One broken item never ends an import: it is left out and named, and the items around it come through."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_harness.curation.importing.adjuvant import read_adjuvants
from pincite_harness.curation.importing.aoe import read_aoe
from pincite_harness.curation.importing.dataset import ImportOptions, Reader, choose_dataset
from pincite_harness.curation.importing.labbench import read_questions
from pincite_harness.curation.importing.nerre import read_nerre
from pincite_harness.curation.importing.own_records import read_own_records
from pincite_harness.curation.importing.sofc import read_sofc
from pincite_harness.curation.importing.supercon import read_supercon
from pincite_harness.curation.importing.write import import_dataset
from pincite_tasks.catalog import Catalog

SUPERCON = (
    "refno,material,property_name,Has material been reported to be superconducting?,What is the highest measured Tc?,"
    "What is the lowest temp for measurement at which material was not superconducting?\n"
)


def abstract(number: int) -> dict[str, Any]:
    sentence: dict[str, Any] = {"sentence_text": "We doped ZnO.", "relevant": True}
    sentence |= {
        "basemats": {"b0": "ZnO"},
        "dopants": {},
        "dopants2basemats": {},
        "results": {},
        "doping_modifiers": [],
    }
    return {"doi": f"10.1/{number}", "title": f"T{number}", "text": "We doped ZnO.", "doping_sentences": [sentence]}


def nerre(folder: Path) -> Path:
    path = folder / "train.jsonl"
    lines = [orjson.dumps(abstract(1)), b"{no json", orjson.dumps({"doi": "x"}), orjson.dumps(abstract(2))]
    path.write_bytes(b"\n".join(lines))
    return path


def supercon(folder: Path) -> Path:
    path = folder / "list.csv"
    path.write_text(SUPERCON + "1,Nb,tc,Yes,9.2,\n2,Pb,tc,Yes,warm,\n3,Sn,tc,Yes,3.7,\n", encoding="utf-8")
    return path


def questions(folder: Path) -> Path:
    path = folder / "questions.jsonl"
    good = [{"id": f"q{n}", "question": f"Which oxide is number {n}?", "ideal": "ZnO"} for n in (1, 2)]
    path.write_bytes(b"\n".join([orjson.dumps(good[0]), b'{"id": "bad"}', orjson.dumps(good[1])]))
    return path


def adjuvants(folder: Path) -> Path:
    path = folder / "adjuvants.jsonl"
    good = [{"paper": f"p{n}", "text": "Alum was given.", "records": [{"Adjuvant": "Alum"}]} for n in (1, 2)]
    bad = {"paper": "p3", "text": "x", "records": "no json"}
    path.write_bytes(b"\n".join(map(orjson.dumps, [good[0], bad, good[1]])))
    return path


def own_records(folder: Path) -> Path:
    (folder / "papers").mkdir()
    (folder / "schema.toml").write_text(
        'name = "films"\nobject = "A film."\n[[fields]]\nname = "host"\ndefinition = "Its host."\n', encoding="utf-8"
    )
    for name in ("a", "c"):
        (folder / "papers" / f"{name}.txt").write_text("ZnO films.", encoding="utf-8")
    (folder / "papers" / "b.txt").write_bytes(b"\xff\xfe no text")
    records = {f"{name}.txt": [{"host": "ZnO"}] for name in ("a", "b", "c")}
    (folder / "records.json").write_bytes(orjson.dumps(records))
    return folder


def sofc(folder: Path) -> Path:
    text = "The cell was tested at 700 K.\n"
    for name in ("texts", "annotations/frames", "annotations/sentences"):
        (folder / name).mkdir(parents=True)
    for name in ("A", "B", "C"):
        (folder / "texts" / f"{name}.txt").write_text(text, encoding="utf-8")
        (folder / "annotations" / "sentences" / f"{name}.csv").write_text("1\tx\t0\t29\n", encoding="utf-8")
        frames = "SPAN\t1\tEXPERIMENT:current_exp\t1\t13\t19\nSPAN\t2\tVALUE\t1\t23\t28\n"
        frames += "EXPERIMENT\t1\t1\n\tworking_temperature\t2\n"
        (folder / "annotations" / "frames" / f"{name}.csv").write_text(frames, encoding="utf-8")
    (folder / "texts" / "B.txt").write_bytes(b"\xff\xfe is not text")
    return folder


CASES: list[tuple[str, Reader, Callable[[Path], Path], str]] = [
    ("nerre", read_nerre, nerre, "train.jsonl:2"),
    ("supercon", read_supercon, supercon, "list.csv:3"),
    ("questions", read_questions, questions, "questions.jsonl:2"),
    ("adjuvants", read_adjuvants, adjuvants, "adjuvants.jsonl:2"),
    ("own records", read_own_records, own_records, "b.txt"),
    ("sofc", read_sofc, sofc, "B"),
]


def test_one_broken_item_is_left_out_and_named(tmp_path: Path) -> None:
    wrong: list[str] = []
    for name, reader, make, named in CASES:
        folder = tmp_path / name.replace(" ", "_")
        folder.mkdir()
        notes: list[str] = []
        entries = list(reader(make(folder), ImportOptions(note=notes.append)))
        if len(entries) != 2 or not any(named in note for note in notes):
            wrong.append(f"{name}: {len(entries)} tasks, {notes}")
    assert not wrong


def test_an_import_of_broken_items_alone_says_why_and_leaves_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(SUPERCON + "1,Pb,tc,Yes,warm,\n", encoding="utf-8")
    like = Catalog().family("precedent_search")
    dataset = choose_dataset("precedent_search", "supercon", path)
    with pytest.raises(BadInputError, match="has no temperature"):
        import_dataset(like, dataset, path, tmp_path / "new" / "out", lambda task: None, ImportOptions())
    assert not (tmp_path / "new").exists()


COLUMNS = "Name,Category,Sub_type,Target,Target_Cell,Combination_mode\n"


@pytest.mark.parametrize(("ending", "tab"), [("csv", ","), ("tsv", "\t")])
def test_a_table_of_adjuvants_is_read(tmp_path: Path, ending: str, tab: str) -> None:
    path = tmp_path / f"AdjuvareDB.{ending}"
    rows = (
        "PMID," + COLUMNS + '17,Alum,inorganic_salt,,,,\n17,MF59,emulsion,,"[""TLR4"", ""TLR9""]",,\n18,Q1,other,,,,\n'
    )
    path.write_text(rows.replace(",", tab) if ending == "tsv" else rows, encoding="utf-8")
    (tmp_path / "17.txt").write_text("Alum and MF59 were given.", encoding="utf-8")
    notes: list[str] = []
    dataset = choose_dataset("record_filling", None, path)
    entries = list(dataset.read(path, ImportOptions(tmp_path, note=notes.append)))
    assert dataset.name == "adjuvant"
    gold = [entry.record.gold for entry in entries]
    first = {name: value for name, value in gold[0]["objects"][0].items() if name != "evidence"}
    assert (len(gold), len(gold[0]["objects"]), first) == (
        1,
        2,
        {"adjuvant": "Alum", "adjuvant_class": "inorganic_salt"},
    )
    assert any("'18'" in note for note in notes)


def test_a_table_that_does_not_name_its_papers_says_so(tmp_path: Path) -> None:
    path = tmp_path / "AdjuvareDB.csv"
    path.write_text(COLUMNS.replace("Name,", "Adjuvant,") + "Alum,salt,,,,\n", encoding="utf-8")
    with pytest.raises(BadInputError, match="no column that names the paper") as caught:
        list(read_adjuvants(path, ImportOptions()))
    assert "Combination_mode" in caught.value.seen


def test_a_broken_table_of_aoe_is_left_out(tmp_path: Path) -> None:
    head = "Filename,Reporting Period,Revenue (CNY)\n"
    (tmp_path / "financial_a_1_en.csv").write_text(head + "x,2023\n", encoding="utf-8")
    notes: list[str] = []
    list(read_aoe(tmp_path, ImportOptions(note=notes.append)))
    assert any("financial_a_1_en.csv" in note for note in notes)
