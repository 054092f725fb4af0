"""Make a long task of a bundled one: ``python scripts/build_long_task.py TASK FOLDER [--tokens 180000]``.

Writes a family of table_construction with one task into FOLDER: the gold of TASK, and its documents as HTML with
text of the bundled made-up literatures before and after them, so that they have so many tokens together (by 4
characters each) and policies for long contexts differ. The same arguments give the same files.
"""

import argparse
import html
import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from pincite_papers.html.page import parse_html
from pincite_papers.model import BlockKind, Paper
from pincite_papers.pdf.parse import parse_pdf

TASKS = Path(__file__).resolve().parent.parent / "tasks"
FAMILY = TASKS / "table_construction"
LITERATURES = (TASKS / "literature_qa/corpora/mixed/texts", TASKS / "precedent_search/corpora/germanides/texts")
CHARS_PER_TOKEN = 4
TOKENS = 180_000


def build(task_id: str, folder: Path, tokens: int = TOKENS) -> dict[str, Any]:
    """Write the family; its one record is returned. ValueError for a task that is not there, or has no papers."""
    lines = (FAMILY / "records.jsonl").read_bytes().splitlines()
    record = next((found for line in lines if (found := orjson.loads(line))["task_id"] == task_id), None)
    if record is None or not record["inputs"].get("papers"):
        raise ValueError(f"{task_id} is no bundled task with documents")
    (folder / "papers").mkdir(parents=True, exist_ok=True)
    for name in ("family.toml", "prompt.md", "schema.json"):
        shutil.copyfile(FAMILY / name, folder / name)
    sources = [FAMILY / name for name in record["inputs"]["papers"]]
    filler = _filler()
    for number, source in enumerate(sources, start=1):
        more = tokens * CHARS_PER_TOKEN // len(sources)
        before = more * number // (len(sources) + 1)
        body = [*_taken(filler, before), *_own(source), *_taken(filler, more - before)]
        page = f"<!DOCTYPE html><html><head><title>{source.stem}</title></head><body><article><h1>{source.stem}</h1>\n"
        path = folder / "papers" / f"{source.stem}.html"
        path.write_text(page + "\n".join(body) + "\n</article></body></html>\n", encoding="utf-8")
    record["task_id"] = f"long_{task_id}"
    record["inputs"]["papers"] = [f"papers/{source.stem}.html" for source in sources]
    record["inputs"].pop("corpus", None)
    for evidence in record["gold"].get("evidence", []):
        evidence["paper"] = f"{Path(evidence['paper']).stem}.html"
    (folder / "records.jsonl").write_bytes(orjson.dumps(record) + b"\n")
    return record


def _filler() -> Iterator[str]:
    """Paragraphs of the made-up literatures as HTML, again from the first one when all were given."""
    texts: list[str] = []
    for folder in LITERATURES:
        for pack in sorted(folder.glob("*.jsonl")):
            texts += [str(orjson.loads(line)["text"]) for line in pack.read_bytes().splitlines()]
    paragraphs = [part.strip() for text in texts for part in text.split("\n\n") if part.strip()]
    while True:
        for part in paragraphs:
            heading = part.startswith("#")
            tag, words = ("h2", part.lstrip("# ")) if heading else ("p", " ".join(part.split()))
            yield f"<{tag}>{html.escape(words)}</{tag}>"


def _taken(filler: Iterator[str], chars: int) -> list[str]:
    taken: list[str] = []
    while chars > 0:
        taken.append(next(filler))
        chars -= len(taken[-1])
    return taken


def _own(source: Path) -> list[str]:
    """The blocks of a paper as HTML."""
    data = source.read_bytes()
    paper: Paper = parse_pdf(data, max_pages=100) if source.suffix == ".pdf" else parse_html(data, max_pages=100)
    return list(chain.from_iterable(_block(block.kind, paper.text[block.start : block.end]) for block in paper.blocks))


def _block(kind: BlockKind, text: str) -> Iterator[str]:
    if kind is BlockKind.TABLE:
        rows = [[html.escape(cell) for cell in line.split("\t")] for line in text.splitlines()]
        cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
        yield "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    elif text.strip():
        tag = "h2" if kind in (BlockKind.HEADING, BlockKind.TITLE) else "p"
        yield f"<{tag}>{html.escape(text)}</{tag}>"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("task")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tokens", type=int, default=TOKENS)
    given = parser.parse_args()
    record = build(given.task, given.folder, given.tokens)
    print(f"{record['task_id']}: {', '.join(record['inputs']['papers'])}")


if __name__ == "__main__":
    main()
