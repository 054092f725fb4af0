"""Build the hard sets of property_extraction and record_filling: ``python scripts/build_hard_records.py``.

The gold follows from the truth of the long papers (``tasks/shared/truth``). A quote gets its page and exact text from
the parsed paper; one that does not stand, or stands on several pages, stops the build.
"""

import sys
from pathlib import Path
from typing import Any

import orjson

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.quoting.quotes import find_quote
from pincite_scoring.record_filling.compiling import compile_schema
from pincite_scoring.record_filling.schema import PARAMETER, read_schema

TASKS = Path(__file__).resolve().parent.parent / "tasks"
MOST_PAGES = 60
FIELDS = (
    "material_or_system", "property_name", "category", "value_string", "value_unit", "qualifier", "value_detail",
    "conditions", "method", "model_or_fit", "location", "notes",
)  # fmt: skip


def find_evidence(paper: Paper, quote: str) -> tuple[int, str]:
    """(page, exact text) of a quote that stands on one page; ValueError otherwise."""
    match = find_quote(paper, quote)
    pages = {paper.page_at(place.start) for place in match.places} | {match.page}
    if not match.stands or len(pages) != 1 or match.page is None:
        raise ValueError(f"the quote stands on {len(pages) if match.stands else 'no'} pages: {quote!r}")
    return match.page, paper.text[match.start : match.end]


def property_task(truth: dict[str, Any], task: dict[str, Any], paper: Paper) -> dict[str, Any]:
    """A task of property_extraction with a scope."""
    records: list[dict[str, Any]] = []
    for stated in task["records"]:
        page, evidence = find_evidence(paper, stated["location"]["evidence"])
        place = {"page": page, **stated["location"], "evidence": evidence}
        record = {**stated, "location": place}
        records.append({key: record[key] for key in FIELDS if key in record})
    inputs = {"papers": [f"../shared/papers/{truth['name']}.pdf"], "parameters": {"scope": f"\n\n{task['scope']}"}}
    return {
        "task_id": task["task_id"],
        "inputs": inputs,
        "gold": {"properties": records},
        "metadata": about(truth, task),
    }


def filling_task(truth: dict[str, Any], task: dict[str, Any], paper: Paper) -> dict[str, Any]:
    """A task of record_filling with its schema."""
    schema_text = (TASKS / "record_filling" / "schemas" / f"{task['schema']}.toml").read_text(encoding="utf-8").strip()
    names = [field.name for field in read_schema(schema_text).fields]
    objects: list[dict[str, Any]] = []
    for stated in task["objects"]:
        if unknown := set(stated) - set(names):
            raise ValueError(f"unknown fields: {sorted(unknown)}")
        fields = [name for name in names if name in stated]
        filled: dict[str, Any] = {name: stated[name][0] for name in fields}
        evidence: list[dict[str, Any]] = []
        for name in fields:
            if stated[name][1] is not None:
                page, quote = find_evidence(paper, stated[name][1])
                evidence.append({"field": name, "quote": quote, "page": page})
        objects.append({**filled, "evidence": evidence})
    inputs = {
        "papers": [f"../shared/papers/{truth['name']}.pdf"],
        "parameters": {PARAMETER: schema_text},
        "answer_schema": f"schemas/{task['schema']}.json",
    }
    return {"task_id": task["task_id"], "inputs": inputs, "gold": {"objects": objects}, "metadata": about(truth, task)}


def about(truth: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
    """A task's metadata."""
    return {"title": truth["title"], "features": task["features"], "licence": "Apache-2.0"}


def build() -> tuple[dict[str, bytes], list[str]]:
    """The files by their path under tasks, and the faults found."""
    lines: dict[str, list[bytes]] = {"property_extraction": [], "record_filling": []}
    files: dict[str, bytes] = {}
    faults: list[str] = []
    for path in sorted((TASKS / "shared" / "truth").glob("*.json")):
        truth = orjson.loads(path.read_bytes())
        paper = parse_pdf((TASKS / "shared" / "papers" / f"{path.stem}.pdf").read_bytes(), max_pages=MOST_PAGES)
        for family, key, make in (
            ("property_extraction", "property_tasks", property_task),
            ("record_filling", "filling_tasks", filling_task),
        ):
            for task in truth[key]:
                try:
                    made = make(truth, task, paper)
                except ValueError as error:
                    faults.append(f"{task['task_id']}: {error}")
                    continue
                lines[family].append(orjson.dumps(made, option=orjson.OPT_APPEND_NEWLINE))
        for schema in {task["schema"] for task in truth["filling_tasks"]}:
            files |= compiled(schema)
    files |= {f"{family}/records-hard.jsonl": b"".join(made) for family, made in lines.items()}
    return files, faults


def compiled(schema: str) -> dict[str, bytes]:
    """The compiled schema by its path."""
    source = TASKS / "record_filling" / "schemas" / f"{schema}.toml"
    made = compile_schema(read_schema(source.read_text(encoding="utf-8").strip()))
    content = orjson.dumps(made, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    return {f"record_filling/schemas/{schema}.json": content}


def main() -> None:
    """Write the files, or say what is wrong and exit with 1."""
    files, faults = build()
    if faults:
        sys.exit("\n".join(faults))
    for name, content in files.items():
        (TASKS / name).write_bytes(content)
        print(f"{name}\t{len(content)} bytes")


if __name__ == "__main__":
    main()
