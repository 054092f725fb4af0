"""Runs the literature agent on bundled tasks, before real servers, a made-up literature and a scripted model."""

import contextlib
import json
import os
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pincite_core.settings import Settings, load_settings
from pincite_doors.testing import Request, ScriptedModel
from pincite_scoring.case import Case
from pincite_scoring.result import ScoringOptions
from pincite_scoring.scorer import get_scorer
from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.corpus.server import CorpusServer

TASKS = Path(__file__).parents[4] / "tasks"
FAMILIES = ("literature_qa", "precedent_search")
EMPTY = {
    "literature_qa": '{"answer": null}',
    "precedent_search": '{"reported": "Unknown", "sources": [], "measurements": [], "negative_measurements": []}',
}
PROPERTY = {
    "property": "superconductivity",
    "values": "the transition temperature",
    "unit": "K",
    "negative_values": "the lowest temperature",
}


@dataclass
class Ran:
    """How the program ended, and what its model was asked."""

    code: int
    answer: Any
    events: list[dict[str, Any]]
    requests: list[Request]
    troubles: list[str]


class Literatures:
    """The five servers over each made-up literature; those of one are started when they are first asked for."""

    def __init__(self, stack: contextlib.ExitStack, serve: Callable[[Any], Any], folder: Path) -> None:
        self._stack = stack
        self._serve = serve
        self._folder = folder
        self._known: dict[Path, Mapping[str, str]] = {}

    def addresses(self, family: str, corpus: str) -> Mapping[str, str]:
        """The address of each server by its name."""
        place = TASKS / family / corpus
        if place not in self._known:
            stand_in = self._stack.enter_context(CorpusServer(read_corpus(place)))
            settings = self._settings(family, stand_in.environment, len(self._known))
            servers = _servers(settings)
            self._known[place] = {
                name: self._stack.enter_context(self._serve(server)) for name, server in servers.items()
            }
        return self._known[place]

    def _settings(self, family: str, web: Mapping[str, str], number: int) -> Settings:
        folder = self._folder / str(number)
        folder.mkdir()
        papers = TASKS / family / "papers"
        given = {"PINCITE_ROOTS": str(papers if papers.is_dir() else folder), "PINCITE_LEDGER": str(folder / "ledger")}
        for name in ("PAPERS_DIR", "LIBRARY_DIR", "CACHE_DIR"):
            given[f"PINCITE_{name}"] = str(folder / name.lower())
        with _environment({**given, **web}):
            return load_settings()


def record_of(task: str) -> tuple[str, Mapping[str, Any]]:
    """The family and the record of a task."""
    for family in FAMILIES:
        for record in records(family):
            if record["task_id"] == task:
                return family, record
    raise KeyError(task)


def records(family: str) -> list[Mapping[str, Any]]:
    """The bundled tasks of a family."""
    lines = (TASKS / family / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def answer(
    program: Callable[[str], ModuleType],
    literatures: Literatures,
    folder: Path,
    task: str,
    cast: Mapping[str, Any],
    options: Mapping[str, str],
    *,
    question: str = "",
    name: str = "m",
) -> Ran:
    """Runs the program on a task in ``folder``; ``question`` stands in for the task's own."""
    family, record = record_of(task)
    inputs: Mapping[str, Any] = record["inputs"]
    parameters: dict[str, Any] = {**(PROPERTY if family == "precedent_search" else {}), **inputs["parameters"]}
    if question:
        parameters["question"] = question
    files: list[str] = inputs.get("files") or []
    papers: list[str] = inputs.get("papers") or []
    addresses = literatures.addresses(family, inputs["corpus"])
    path = folder / "answer.json"
    with ScriptedModel(cast=cast) as model, contextlib.chdir(folder):
        brief: dict[str, Any] = {
            "papers": [Path(paper).name for paper in papers],
            "files": [Path(file).name for file in files],
            "parameters": parameters,
            "answer": path.name,
            "nothing": EMPTY[family],
            "tools": {each: {"url": url, "headers": {}} for each, url in addresses.items()},
            "limits": {"wall_clock_seconds": 900, "model_calls": 200},
            "model": {"url": model.url, "name": name, "dialect": "openai.chat", "api_key": "token"},
        }
        for file in files:
            (folder / Path(file).name).write_bytes((TASKS / family / file).read_bytes())
        (folder / "task.json").write_text(json.dumps(brief))
        (folder / "prompt.md").write_text(_prompt(parameters))
        (folder / "schema.json").write_bytes((TASKS / family / "schema.json").read_bytes())
        (folder / "options.json").write_text(json.dumps(options))
        path.unlink(missing_ok=True)
        crew, defaults = program("crew"), program("literature.settings").defaults()
        work = program("literature.pipeline").work
        code = crew.run(work, name="literature", defaults=defaults, options=folder / "options.json")
    lines = (folder / ".agent" / "state.jsonl").read_text(encoding="utf-8").splitlines()
    left = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return Ran(code, left, [json.loads(line) for line in lines], model.requests, model.troubles)


def score(task: str, left: Any) -> Mapping[str, float | None]:
    """The metrics of an answer to a task, as in a trial, but for what needs the wire."""
    family, record = record_of(task)
    case = Case(
        left,
        record["gold"],
        parameters=record["inputs"]["parameters"],
        corpus=TASKS / family / record["inputs"]["corpus"],
    )
    return get_scorer(family).score(case, ScoringOptions()).metrics


def _prompt(parameters: Mapping[str, Any]) -> str:
    asked = parameters.get("question") or f"Is superconductivity reported for {parameters.get('material')}?"
    options = "\n".join(map(str, parameters.get("options") or ["Answer in your own words."]))
    return f"Answer one question.\n\n{asked}\n\n{options}\n"


def _servers(settings: Settings) -> dict[str, Any]:
    from pincite_documents.server import create_server as documents
    from pincite_figures.server import create_server as figures
    from pincite_library.server import create_server as library
    from pincite_literature.server import create_server as literature
    from pincite_provenance.server import create_server as provenance

    made = {
        "documents": documents,
        "figures": figures,
        "library": library,
        "literature": literature,
        "provenance": provenance,
    }
    return {name: create(settings) for name, create in made.items()}


@contextlib.contextmanager
def _environment(given: Mapping[str, str]) -> Generator[None]:
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
