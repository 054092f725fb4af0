"""Small stand-ins of the data that docs/reproducing.md starts from, in the published forms: a folder for each study."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

TASKS = Path(__file__).parents[3] / "tasks"
ADJUVANTS = ("influenza_emulsions", "malaria_saponin", "piglets_oral")
ANALYSIS = (
    "The conductivity of the doped glass rises fourfold between 300 and 500 K, while that of the pure glass hardly "
    "changes, so that the gain comes from the carriers that doping adds."
)
LATEX = r"\begin{tabular}{lll} T & pure & doped \\ 300 & 0.11 & 0.12 \\ 500 & 0.13 & 0.48 \end{tabular}"
SUPERCON = (
    "refno,material,property_name,Has material been reported to be superconducting?,What is the highest measured Tc?,"
    "What is the lowest temp for measurement at which material was not superconducting?\n"
    "PRL122027001,LaH10,tc,Yes,250,\nPRB097104503,Ag0.05Bi1.95Se3,tcn,No,,1.8\n"
)


def lay_out(study: str, folder: Path) -> None:
    """Write the data of the study whose heading begins with one of ``_LAID`` into ``folder``."""
    next(lay for name, lay in _LAID.items() if study.startswith(name))(folder)


def write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """JSON lines."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def _papers(family: str, names: Sequence[str], folder: Path) -> None:
    (folder / "PAPERS").mkdir()
    for name in names:
        shutil.copy(TASKS / family / "papers" / f"{name}.pdf", folder / "PAPERS")


def _records(family: str) -> dict[str, dict[str, Any]]:
    """The bundled tasks of a family by the stem of their first paper."""
    lines = (TASKS / family / "records.jsonl").read_text(encoding="utf-8").splitlines()
    tasks = [json.loads(line) for line in lines]
    return {Path(task["inputs"]["papers"][0]).stem: task for task in tasks}


def _aoe(folder: Path) -> None:
    documents = folder / "AOE" / "data" / "financial"
    documents.mkdir(parents=True)
    rows: list[dict[str, Any]] = []
    for year, revenue in ((2021, "1,200"), (2022, "1,450")):
        table = f"| Item | {year} |\n|---|---|\n| Revenue (CNY) | {revenue} |\n"
        (documents / f"alder {year}.md").write_text(f"# Alder, annual report of {year}\n\n{table}")
        rows.append({"Filename": f"alder {year}", "Reporting Period": year, "Revenue (CNY)": revenue})
    columns = ["Reporting Period", "Revenue (CNY)"]
    config = f"en:\n  financial_4:\n    key_cols: {json.dumps(['Filename'])}\n"
    config += f"    target_value_columns: {json.dumps(columns)}\n    numeric_columns: {json.dumps(columns[1:])}\n"
    (folder / "AOE" / "task_config.yaml").write_text(config)
    record = {
        "record_id": "financial_Alder_4_en", "language": "en", "query": "Compare the revenue of Alder by year.",
        "input_doc": [row["Filename"] for row in rows], "answers": rows,
    }  # fmt: skip
    write_lines(folder / "AOE" / "all_AOE_tables.jsonl", [record])


def _reliability(folder: Path) -> None:
    names = ("cerhge_heavy_fermion", "ybco_oxygen")
    _papers("property_extraction", names, folder)
    tasks = _records("property_extraction")
    gold = [{"paper": f"{name}.pdf", "properties": tasks[name]["gold"]["properties"]} for name in names]
    write_lines(folder / "gold.jsonl", gold)
    (folder / "SuperCon_Tc_Tcn.csv").write_text(SUPERCON)


def _literature(folder: Path) -> None:
    _papers("literature_qa", ("kelp_nitrate", "perovskite_ageing"), folder)
    for tag in ("litqa3", "figqa2", "tableqa2"):
        question = {"tag": tag, "id": f"{tag}-1", "question": "Which nutrient limited the growth of the kelp?"}
        write_lines(folder / f"{tag}.jsonl", [{**question, "expected_output": "Nitrate", "type": "", "files": ""}])


def _sudokufill(folder: Path) -> None:
    _papers("record_filling", ADJUVANTS, folder)
    tasks = _records("record_filling")
    papers = [{"paper": name, "records": tasks[name]["gold"]["objects"]} for name in ADJUVANTS]
    (folder / "adjuvants.json").write_text(json.dumps(papers))
    material = {
        "name": "titanium dioxide", "formula": "TiO2", "acronym": "", "applications": ["photocatalysis"],
        "structure_or_phase": ["anatase"], "description": ["nanoporous"],
    }  # fmt: skip
    text = "Anatase films\nNanoporous titanium dioxide (TiO2, anatase) was tried for photocatalysis."
    completion = f"{json.dumps([material])}\n\nEND\n\n"
    write_lines(folder / "general-materials.jsonl", [{"prompt": f"{text}\n\n###\n\n", "completion": completion}])


def _anagent(folder: Path) -> None:
    _papers("shared", ("ceria_catalyst", "argyrodites"), folder)
    labels = {"type": "table", "width": "internal", "depth": "in-depth", "objective": "experiment"}
    table = {"label": "Table 2", "caption": "Conductivity (S/cm) of both glasses.", "latex": LATEX}
    instance = {"query": "Analyse Table 2.", "analysis": ANALYSIS, "tables": [table], "dimensions": labels}
    context = [{"section": "Method", "text": "Glasses were drawn in argon and measured by impedance."}]
    write_lines(folder / "anabench.jsonl", [{"id": "a1", "title": "Two glasses", "context": context, **instance}])


_LAID: Mapping[str, Callable[[Path], None]] = {
    "AOE": _aoe,
    "The Reliability Gap": _reliability,
    "The multimodal literature agent": _literature,
    "SudokuFill": _sudokufill,
    "ANAGENT": _anagent,
}
