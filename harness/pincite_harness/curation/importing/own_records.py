"""Own records: a user's schema and records become tasks of record_filling.

A folder with ``schema.toml`` (or ``schema.json``, in the same words), any other ``.json`` or ``.jsonl`` with papers and
records in one of the shapes of ``paper_records``, and the papers in ``papers/`` (or in the folder of ``--papers``). The
keys of the records are the fields of the schema, and ``evidence``.
"""

from collections.abc import Iterator
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.filling import distinct, filling_entry, new_task_id
from pincite_harness.curation.importing.paper_records import Listed, open_paper, read_papers
from pincite_scoring.record_filling.schema import EVIDENCE, Schema, read_schema

_SCHEMAS = ("schema.toml", "schema.json")


def read_own_records(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """One task a paper; a paper with a key that is not a field, or that is not there, is left out with a note."""
    text, schema = _schema(source)
    known = {field.name for field in schema.fields} | {EVIDENCE}
    folder = options.papers or source / "papers"
    taken: set[str] = set()
    for path in sorted(source.glob("*.json*")):
        if path.name in _SCHEMAS:
            continue
        for paper in read_papers(path, options):
            with options.item(paper.where):
                yield _entry(paper, text, known, folder, taken)


def _entry(paper: Listed, text: str, known: set[str], folder: Path, taken: set[str]) -> DatasetEntry:
    stated = {key for record in paper.records for key in record} | paper.unread
    if unknown := sorted(stated - known):
        raise BadInputError(
            f"{paper.where}: the schema has no such fields: {', '.join(unknown)}.",
            seen=", ".join(sorted(known)),
            next="Name the fields as the schema does.",
        )
    opened = open_paper(paper, folder)
    if opened is None:
        raise NotFoundError(
            f"{paper.where}: there is no paper {paper.name!r} in {folder}.", next="Add it, or give --papers."
        )
    ending, content = opened
    task_id = new_task_id(paper.stem, taken)
    metadata = {"title": paper.title or paper.name}
    return filling_entry(task_id, text, distinct(paper.records), (f"{task_id}{ending}", content), metadata)


def _schema(source: Path) -> tuple[str, Schema]:
    """The schema as it is written, and as it is read; BadInputError names the file."""
    path = next((source / name for name in _SCHEMAS if (source / name).is_file()), None)
    if path is None:
        raise NotFoundError(f"{source} holds no schema.toml.", next="See tasks/record_filling/schemas for examples.")
    text = path.read_text(encoding="utf-8").strip()
    try:
        return text, read_schema(text)
    except BadInputError as error:
        raise BadInputError(f"{path}: {error.what}", seen=error.seen, next=error.next) from error
