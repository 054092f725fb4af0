"""The papers of written claims in the data that the tests use: single files, files of an archive, tables of SciTab."""

import html
import json
import re
import tarfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from pincite_papers.model import Paper
from pincite_papers.opening.source import parse_source

_PAGES = 60
_MARK = re.compile(r"\[(?:BOLD|ITALIC|EMPTY|CONTINUE)\]\s*")


def papers_in_folder(names: list[str], folder: Path) -> dict[str, Paper]:
    """The papers of a folder that has each as a file."""
    return {name: parse_source((folder / name).read_bytes(), max_pages=_PAGES) for name in names}


def papers_of(records: list[dict[str, Any]], data: Path) -> dict[str, Paper]:
    """The papers of claims by their ``origin``, a place in the folder ``data``."""
    origins = {record["paper"]: record["origin"] for record in records}
    archives: dict[str, dict[str, str]] = defaultdict(dict)
    sources: dict[str, bytes] = {}
    for name, origin in origins.items():
        archive = re.match(r"(.*\.(?:tar\.gz|json))/(.*)", origin)
        if archive is None:
            sources[name] = (data / origin).read_bytes()
        else:
            archives[archive[1]][archive[2]] = name
    for archive, members in archives.items():
        found = _of_tables if archive.endswith(".json") else _of_archive
        sources |= {members[member]: source for member, source in found(data / archive, set(members)).items()}
    missing = sorted(set(origins) - set(sources))
    if missing:
        raise SystemExit(f"{data} has no {', '.join(missing[:5])}; give the folder that has the data of the tests")
    return {name: parse_source(sources[name], max_pages=_PAGES) for name in sorted(sources)}


def _of_archive(archive: Path, members: set[str]) -> dict[str, bytes]:
    """The files of an archive by the last part of their names."""
    found: dict[str, bytes] = {}
    with tarfile.open(archive) as opened:
        for entry in opened:
            name = entry.name.rpartition("/")[2]
            file = opened.extractfile(entry) if name in members else None
            if file is not None:
                found[name] = file.read()
    return found


def _of_tables(source: Path, papers: set[str]) -> dict[str, bytes]:
    """The tables of SciTab, a page for each of its papers."""
    tables: dict[str, dict[str, Any]] = defaultdict(dict)
    for record in json.loads(source.read_text(encoding="utf-8")):
        if record["paper_id"] in papers:
            tables[record["paper_id"]].setdefault(record["table_id"], record)
    return {paper: _page([*of_paper.values()]).encode() for paper, of_paper in tables.items()}


def _page(tables: list[dict[str, Any]]) -> str:
    title = html.escape(tables[0]["paper"])
    head = f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title></head>'
    parts = [f"{head}<body><article><h1>{title}</h1><h2>Results</h2>"]
    for table in tables:
        heads = "".join(f"<th>{_cell(text)}</th>" for text in table["table_column_names"])
        rows = "".join(
            "<tr>" + "".join(f"<td>{_cell(text)}</td>" for text in row) + "</tr>"
            for row in table["table_content_values"]
        )
        caption = html.escape(table["table_caption"])
        parts.append(
            f"<figure><table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"
            "</table></figure>"
        )
    return "\n".join([*parts, "</article></body></html>"])


def _cell(text: str) -> str:
    return html.escape(_MARK.sub("", text).strip())
