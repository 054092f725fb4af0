"""Build the tasks of record_filling: ``python scripts/build_record_filling.py [--out DIR]``.

``sources/NAME.toml`` holds the gold of ``papers/NAME.pdf``: values with the quotes that state them, ``shared`` by all
objects or of one ``object``. A quote gets its page and exact text from the parsed paper; one that does not stand, or
stands on several pages, stops the build. The schemas in use are compiled from ``schemas/NAME.toml`` to ``NAME.json``.
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
from pincite_scoring.record_filling.compiling import compile_schema
from pincite_scoring.record_filling.schema import PARAMETER, Schema, read_schema

FAMILY = Path(__file__).resolve().parent.parent / "tasks" / "record_filling"


def find_evidence(paper: Paper, field: str, quote: str) -> dict[str, Any]:
    """The entry of evidence for a quote that stands on one page of the paper."""
    match = find_quote(paper, quote)
    pages = {paper.page_at(place.start) for place in match.places} | {match.page}
    if not match.stands or len(pages) != 1:
        raise ValueError(f"{field}: the quote stands on {len(pages) if match.stands else 'no'} pages: {quote!r}")
    return {"field": field, "quote": paper.text[match.start : match.end], "page": match.page}


def object_of(schema: Schema, stated: Mapping[str, Any], paper: Paper) -> dict[str, Any]:
    """One gold object, its fields in the schema's order."""
    if unknown := set(stated) - {field.name for field in schema.fields}:
        raise ValueError(f"unknown fields: {sorted(unknown)}")
    names = [field.name for field in schema.fields if field.name in stated]
    values = {name: stated[name]["value"] for name in names}
    quotes = [(name, stated[name]["quote"]) for name in names if "quote" in stated[name]]
    return values | {"evidence": [find_evidence(paper, name, quote) for name, quote in quotes]}


def build(family: Path) -> tuple[dict[str, bytes], list[str]]:
    """The files by their path in the family: records.jsonl and the compiled schemas; and the faults found."""
    sources = sorted((family / "sources").glob("*.toml"))
    golds = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sources}
    used = sorted({gold["schema"] for gold in golds.values()})
    texts = {name: (family / "schemas" / f"{name}.toml").read_text(encoding="utf-8").strip() for name in used}
    schemas = {name: read_schema(text) for name, text in texts.items()}
    files = {f"schemas/{name}.json": compiled(schema) for name, schema in schemas.items()}
    lines: list[bytes] = []
    faults: list[str] = []
    for name, gold in golds.items():
        paper = parse_pdf((family / "papers" / f"{name}.pdf").read_bytes(), max_pages=20)
        objects: list[dict[str, Any]] = []
        for stated in gold["object"]:
            try:
                objects.append(object_of(schemas[gold["schema"]], {**gold.get("shared", {}), **stated}, paper))
            except ValueError as error:
                faults.append(f"{name}: {error}")
        task = {
            "task_id": name,
            "inputs": {
                "papers": [f"papers/{name}.pdf"],
                "parameters": {PARAMETER: texts[gold["schema"]]},
                "answer_schema": f"schemas/{gold['schema']}.json",
            },
            "gold": {"objects": objects},
            "metadata": {"title": gold["title"], "features": gold["features"], "licence": "Apache-2.0"},
        }
        lines.append(orjson.dumps(task, option=orjson.OPT_APPEND_NEWLINE))
    return files | {"records.jsonl": b"".join(lines)}, faults


def compiled(schema: Schema) -> bytes:
    """A compiled schema as the file holds it."""
    return orjson.dumps(compile_schema(schema), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def main() -> None:
    """Write the family's files, or say what is wrong and exit with 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FAMILY)
    out = parser.parse_args().out
    files, faults = build(FAMILY)
    if faults:
        sys.exit("\n".join(faults))
    for name, content in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(content)
        print(f"{name}\t{len(content)} bytes")


if __name__ == "__main__":
    main()
