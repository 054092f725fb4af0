"""Build the papers, files and records of figure_analysis from their sources: ``python scripts/build_figure_tasks.py``.

Papers are set as those of the other families. Data of tables come from ``sources/tables``; pictures of figures are
drawn from the papers themselves. Stops where a quote of the gold does not stand in its paper. Needs the ``dev`` extra.
"""

import argparse
import shutil
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import orjson
from build_task_papers import FAMILY as FIRST_FAMILY
from build_task_papers import build

from pincite_figures.drawing import draw_job
from pincite_figures.naming import find_figure, target_of
from pincite_figures.source import OpenSource
from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.quoting.quotes import find_quote
from pincite_scoring.figure_analysis.claims.model import Claims, to_json

FAMILY = Path(__file__).resolve().parent.parent / "tasks" / "figure_analysis"
DPI = 160
LABEL = 42
"""Points left of a chart in which its turned axis label stands."""


def set_papers(out: Path) -> dict[str, Paper]:
    """Set the papers into ``out`` with the template of the first family; the parsed papers by name."""
    with tempfile.TemporaryDirectory() as scratch:
        sources = Path(scratch) / "sources"
        shutil.copytree(FAMILY / "sources", sources)
        shutil.copyfile(FIRST_FAMILY / "sources" / "template.typ", sources / "template.typ")
        made = build(Path(scratch), out, [])
    return {path.stem: parse_pdf(path.read_bytes(), max_pages=10) for path in made}


def draw_figure(paper: Paper, pdf: Path, label: str, out: Path) -> None:
    """Draw a figure of the paper as PNG."""
    target = target_of(paper, find_figure(paper, label))
    x0, y0, x1, y1 = target["box"]
    target["box"] = [x0 - LABEL, y0 - 4, x1 + 4, y1]
    arguments = {"target": target, "region": [0, 0, 1, 1], "max_side": 1200, "dpi": DPI}
    reply, picture = draw_job(OpenSource(pdf.read_bytes()), arguments)
    assert reply["mime_type"] == "image/png", reply
    out.write_bytes(picture)


def make_files(task: dict[str, Any], paper: Paper, out: Path) -> list[str]:
    """The files of a task, in ``out/files``; their paths in the family."""
    made: list[str] = []
    for label in task.get("tables", []):
        name = f"{task['paper']}-table-{label.split()[-1]}.csv"
        shutil.copyfile(FAMILY / "sources" / "tables" / name, out / "files" / name)
        made.append(f"files/{name}")
    for label in task.get("figures", []):
        name = f"{task['paper']}-figure-{label.split()[-1]}.png"
        draw_figure(paper, out / "papers" / f"{task['paper']}.pdf", label, out / "files" / name)
        made.append(f"files/{name}")
    return made


def make_claims(task: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    """The claims of a task with the names of its paper; what the task names itself replaces those of the paper."""
    own = written["tasks"][task["id"]]
    names = written["papers"][task["paper"]]
    made = {kind: names.get(kind, {}) | own.get(kind, {}) for kind in ("entities", "kinds", "attributes")}
    groups = own.get("groups", names.get("groups", {}))
    return made | {"groups": groups, "numbers": own.get("numbers", []), "claims": own["claims"]}


def make_record(task: dict[str, Any], paper: Paper, files: list[str], written: dict[str, Any]) -> dict[str, Any]:
    """One line of records.jsonl; ``written`` is claims.toml."""
    name = f"{task['paper']}.pdf"
    evidence: list[dict[str, Any]] = []
    for quote in task["evidence"]:
        match = find_quote(paper, quote)
        if not match.stands:
            raise SystemExit(f"{task['id']}: this quote does not stand in {name}: {quote}")
        evidence.append({"paper": name, "quote": quote, "page": match.page})
    claims = to_json(Claims.model_validate(make_claims(task, written)))
    return {
        "task_id": task["id"],
        "inputs": {"papers": [f"papers/{name}"], "files": files, "parameters": {"query": task["query"]}},
        "gold": {"analysis": task["analysis"].strip(), "evidence": evidence, "claims": claims},
        "metadata": {"title": paper.title, "dimensions": {**task["dimensions"], "format": "pdf"}},
    }


def main() -> None:
    """Build into the family's folder or ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FAMILY)
    out: Path = parser.parse_args().out
    papers = set_papers(out / "papers")
    (out / "files").mkdir(exist_ok=True)
    tasks = tomllib.loads((FAMILY / "sources" / "tasks.toml").read_text("utf-8"))["task"]
    written = tomllib.loads((FAMILY / "sources" / "claims.toml").read_text("utf-8"))
    lines: list[bytes] = []
    for task in tasks:
        paper = papers[task["paper"]]
        record = make_record(task, paper, make_files(task, paper, out), written)
        lines.append(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
    (out / "records.jsonl").write_bytes(b"".join(lines))
    print(f"{len(lines)} tasks")


if __name__ == "__main__":
    main()
