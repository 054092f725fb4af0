"""Analyses: instances of figure_analysis as JSON or JSON lines: query, tables and figures, reference analysis.

AnaBench's own files (arXiv:2602.10081) are published nowhere that we know, so that no field's name is taken for
granted: ``analysis_fields`` lists those that are understood, ``analysis_files`` how tables and pictures may be given.
Folders that ``pincite tasks build`` and ``pincite tasks export --format jsonl`` wrote are read too.

Besides tables and pictures the agent gets a page with the title, the captions and the context, without the paragraphs
that say twelve words in a row of the analysis. A paper that does so is left out where there is a context, and so is the
instance where there is none, or where a table does.
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from pincite_core.errors import PinciteError
from pincite_core.settings import load_settings
from pincite_harness.curation.importing import analysis_fields as names
from pincite_harness.curation.importing.analysis_fields import Fields, is_empty, read_fields
from pincite_harness.curation.importing.analysis_files import Given, find_file, read_files
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.filling import new_task_id
from pincite_harness.curation.importing.json_items import KINDS, read_items
from pincite_papers.opening.store import PaperStore
from pincite_scoring.figure_analysis.claims.model import Claims, to_json
from pincite_scoring.figure_analysis.gold import LEAST_WORDS, TEXTS, shared_stretch
from pincite_scoring.figure_analysis.metrics.tokens import split_words
from pincite_tasks.task import Inputs, Parameters, Record, describe_validation

_FAMILY = "figure_analysis"
_OWN = ("records.jsonl", f"{_FAMILY}/records.jsonl", f"data/{_FAMILY}.jsonl")
"""Where a build and an export put their tasks in the folder that they were given."""
_TITLE = 120
"""Characters of a task's title."""
_RANGE = re.compile(r"\d+ to \d+")
"""How long an analysis shall be, as a build says it."""


def read_analyses(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """One task an instance. Left out with a note: instances without an analysis of ``LEAST_WORDS`` words, without any
    table, figure or paper, with a file that is not there, or with one that says the analysis's own words."""
    path = next((source / name for name in _OWN if (source / name).is_file()), source)
    taken: set[str] = set()
    with PaperStore(load_settings()) as store:
        for where, item in _instances(path, options):
            with options.item(where):
                fields = read_fields(where, item)
                if str(fields.named.get("family", _FAMILY)) != _FAMILY:
                    continue
                instance = _Instance(fields, _folders(path, options), store)
                if reason := instance.unfit():
                    options.note(f"{where}: {reason}")
                    continue
                for note in instance.notes:
                    options.note(f"{where}: {note}")
                yield instance.entry(taken)


def _folders(path: Path, options: ImportOptions) -> tuple[Path, ...]:
    """Where files that an instance names may lie: beside it, above the folder ``data`` of an export, ``--papers``."""
    own = path if path.is_dir() else path.parent
    above = [own.parent] if own.name == "data" else []
    return (own, *above, *([options.papers] if options.papers is not None else []))


def _instances(path: Path, options: ImportOptions) -> Iterator[tuple[str, Any]]:
    """The instances of a file, or of all of a folder: lines, the items of a list, or an object, which is one instance
    or holds instances by their ids or lists of them (``{"test": […]}``)."""
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in KINDS) if path.is_dir() else []
    for file in files or [path]:
        items = read_items(file, options)
        if file.suffix.lower() != ".json":
            yield from items
            continue
        items = list(items)
        pairs = [cast("list[Any]", item) for _, item in items if isinstance(item, list)]
        if {names.plain_name(str(pair[0])) for pair in pairs if pair} & {*names.QUERY, *names.ANALYSIS}:
            yield str(file), dict(pairs)
            continue
        for where, item in items:
            yield from _named(where, cast("list[Any]", item)) if isinstance(item, list) else [(where, item)]


def _named(where: str, pair: list[Any]) -> Iterator[tuple[str, Any]]:
    """The instances that an object holds under one key."""
    key, held = pair if len(pair) == 2 else ("", pair)
    if isinstance(held, list):
        yield from ((f"{where}, record {number}", one) for number, one in enumerate(cast("list[Any]", held)))
    else:
        yield where, {"id": key, **cast("dict[str, Any]", held)} if isinstance(held, dict) else held


class _Instance:
    """One instance, and the task that becomes of it; ``notes`` say which of its parts are left out."""

    def __init__(self, fields: Fields, folders: tuple[Path, ...], store: PaperStore) -> None:
        self._fields, self._store = fields, store
        self._analysis = fields.text(names.ANALYSIS)
        self._given = read_files(fields, folders)
        self._papers = Given()
        for field, name in fields.listed((*names.PAPERS, "paper")):
            path = find_file(str(name), folders)
            if path is not None:
                self._papers.add(path.name, path)
            elif field != "paper":  # which may as well be a title or a DOI
                self._given.missing.append(str(name))
        captions = [f"{label.rstrip('.:')}. {caption}" if label else caption for label, caption in self._given.captions]
        said = dict.fromkeys([*captions, *fields.texts(names.CAPTIONS), *fields.texts(names.CONTEXT)])
        self._paragraphs = [text for text in said if not shared_stretch(self._analysis, text)]
        told = len(said) - len(self._paragraphs)
        self.notes = [f"{told} of its paragraphs, which say the analysis's words"] if told else []
        self._claims = self._read_claims()

    def unfit(self) -> str:
        """Why it makes no task; empty where it does."""
        count = len(split_words(self._analysis))
        if count < LEAST_WORDS:
            return f"its analysis has {count} words, fewer than {LEAST_WORDS}" if count else "it has no analysis"
        if self._given.missing:
            return f"not there: {', '.join(self._given.missing)}; give the folder with --papers"
        if not self._given.files and not self._papers.files:
            return "it has no table, figure or paper"
        texts = {name: one for name, one in self._given.files.items() if Path(name).suffix.lower() in TEXTS}
        given = {name: _bytes(one).decode(errors="replace") for name, one in texts.items()}
        given["its context"] = "\n".join(self._paragraphs)
        telling = [name for name, text in given.items() if shared_stretch(self._analysis, text)]
        return self._unfit_papers() or (f"the analysis stands in {', '.join(telling)}" if telling else "")

    def _unfit_papers(self) -> str:
        """Drop papers that say the analysis's words where there is a context in their place, else say so."""
        for name, source in list(self._papers.files.items()):
            try:
                text = self._store.examine(_bytes(source)).text
            except PinciteError as error:
                return f"its paper {name} cannot be read: {error.what}"
            if not shared_stretch(self._analysis, text):
                continue
            if not self._paragraphs:
                return f"the analysis stands in its paper {name}: give an excerpt without it"
            del self._papers.files[name]
            self.notes.append(f"its paper {name}, which says the analysis's words")
        return ""

    def entry(self, taken: set[str]) -> DatasetEntry:
        """The task and its files; its id becomes one of ``taken``."""
        fields = self._fields
        query = fields.text(names.QUERY) or self._query()
        task_id = new_task_id(fields.text(names.ID) or "analysis", taken)
        title = fields.text(names.TITLE) or query
        if self._paragraphs:
            self._papers.add("context.html", _page(fields.text(names.TITLE), self._paragraphs))
        papers = {f"papers/{task_id}/{name}": one for name, one in self._papers.files.items()}
        files = {f"files/{task_id}/{name}": one for name, one in self._given.files.items()}
        evidence = [one for _, one in fields.listed(("evidence",)) if self._holds(one)]
        told = {
            "source": fields.text(names.SOURCE),
            "licence": fields.text(names.LICENCE),
            "paper_id": fields.text(names.PAPER_ID),
        }
        metadata = {
            "title": " ".join(title.split())[:_TITLE],
            **{name: value for name, value in told.items() if value},
            "dimensions": fields.dimensions(),
        }
        parameters: Parameters = {"query": query}
        words = fields.named.get("words")
        if isinstance(words, str) and _RANGE.fullmatch(words):
            parameters["words"] = words
        inputs = Inputs(papers=list(papers), files=list(files), parameters=parameters)
        gold: dict[str, Any] = {"analysis": self._analysis, "evidence": evidence}
        if self._claims is not None:
            gold["claims"] = to_json(self._claims)
        return DatasetEntry(Record(task_id=task_id, inputs=inputs, gold=gold, metadata=metadata), {**papers, **files})

    def _read_claims(self) -> Claims | None:
        """The written claims of the analysis, as ``claims.model`` has them; None, with a note, where they differ."""
        given = self._fields.named.get("claims")
        if is_empty(given):
            return None
        try:
            return Claims.model_validate(given)
        except ValidationError as error:
            self.notes.append(f"its claims, which cannot be read: {describe_validation(error)}")
            return None

    def _query(self) -> str:
        labels = [label.rstrip(".:") for label, _ in self._given.captions if label]
        return f"Write the analysis of {' and '.join(labels) if labels else 'the tables and figures given'}."

    def _holds(self, evidence: object) -> bool:
        """Whether evidence is of a paper that the task has."""
        return isinstance(evidence, dict) and cast("dict[str, Any]", evidence).get("paper") in self._papers.files


def _bytes(source: Path | bytes) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()


def _page(title: str, paragraphs: list[str]) -> bytes:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    body = "\n".join([*([f"<h1>{escape(title)}</h1>"] if title else []), *(f"<p>{escape(p)}</p>" for p in paragraphs)])
    page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body><article>\n{body}\n</article></body></html>\n'
    return page.encode()
