"""Build the records of the bundled task family: ``python scripts/build_task_records.py [--out FILE]``.

Each ``sources/NAME.toml`` holds the gold of ``papers/NAME.pdf`` in groups: a group's fields are shared by its members.
A record gets the page and the exact text of its evidence from the parsed paper; evidence that is missing or ambiguous
stops the build.
"""

import argparse
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.quoting.quotes import find_quote

FAMILY = Path(__file__).resolve().parent.parent / "tasks" / "property_extraction"
FIELDS = (
    "material_or_system", "property_name", "category", "value_string", "value_unit", "qualifier", "value_detail",
    "conditions", "method", "model_or_fit", "location", "notes",
)  # fmt: skip
PLACES = ("page", "section", "figure_or_table", "source_type", "evidence")


def merge(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """``own`` over ``shared``, tables merged."""
    merged = dict(shared)
    for key, value in own.items():
        below = merged.get(key)
        merged[key] = merge(below, value) if isinstance(value, dict) and isinstance(below, dict) else value
    return merged


def find_evidence(paper: Paper, quote: str) -> tuple[int | None, str]:
    """(page, exact text) of the one place where ``quote`` stands in the paper, white space and script marks apart."""
    match = find_quote(paper, quote)
    if match.count != 1:
        raise ValueError(f"the evidence stands {match.count} times: {quote!r}")
    return match.page, paper.text[match.start : match.end]


def records_of(gold: Mapping[str, Any], paper: Paper) -> list[dict[str, Any]]:
    """The records of one paper in the order of its groups, with pages and with fields in the schema's order."""
    records: list[dict[str, Any]] = []
    for group in gold["group"]:
        shared = {key: value for key, value in group.items() if key != "members"}
        for member in group["members"]:
            record = merge(shared, member)
            unknown = set(record) - set(FIELDS)
            if unknown:
                raise ValueError(f"unknown fields: {sorted(unknown)}")
            page, evidence = find_evidence(paper, record["location"]["evidence"])
            location = {**record["location"], "page": page, "evidence": evidence}
            record["location"] = {key: location[key] for key in PLACES if key in location}
            records.append({key: record[key] for key in FIELDS if key in record})
    return records


def build(family: Path) -> tuple[bytes, list[str]]:
    """records.jsonl as bytes, and the faults found, one a line."""
    lines: list[bytes] = []
    faults: list[str] = []
    for source in sorted((family / "sources").glob("*.toml")):
        gold = tomllib.loads(source.read_text(encoding="utf-8"))
        name = source.stem
        paper = parse_pdf((family / "papers" / f"{name}.pdf").read_bytes(), max_pages=20)
        try:
            records = records_of(gold, paper)
        except ValueError as error:
            faults.append(f"{name}: {error}")
            continue
        metadata = {"title": gold["title"], "features": gold["features"], "license": "Apache-2.0"}
        task = {
            "task_id": name,
            "inputs": {"papers": [f"papers/{name}.pdf"]},
            "gold": {"properties": records},
            "metadata": metadata,
        }
        lines.append(orjson.dumps(task) + b"\n")
    return b"".join(lines), faults


def main() -> None:
    """Write the family's records.jsonl, or say what is wrong and exit with 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FAMILY / "records.jsonl")
    arguments = parser.parse_args()
    content, faults = build(FAMILY)
    if faults:
        sys.exit("\n".join(faults))
    arguments.out.write_bytes(content)
    print(content.count(b'"property_name"'), "records in", content.count(b"\n"), "tasks")


if __name__ == "__main__":
    main()
