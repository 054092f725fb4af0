"""The literature agent at work on bundled tasks, before real servers, a made-up literature and a cast of roles."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import load_settings
from pincite_doors.testing import Request, ScriptedModel, call
from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.corpus.server import CorpusServer

TASKS = Path(__file__).parents[4] / "tasks"
KELP = "kelp-limit-held-constant"
FIGURE = "kelp-crossing-figure"
HERRING = "find-herring-night-depth"
CAPELIN = "find-capelin-salinity"
NOTHING: Mapping[str, Any] = {}
CORPORA = {"literature_qa": "fjord", "precedent_search": "antimonides"}
EMPTY = {
    "literature_qa": '{"answer": null}',
    "precedent_search": '{"reported": "Unknown", "sources": [], "measurements": [], "negative_measurements": []}',
}


def record_of(task: str) -> tuple[str, Mapping[str, Any]]:
    """The family and the record of a task."""
    for family in CORPORA:
        for line in (TASKS / family / "records.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if record["task_id"] == task:
                return family, record
    raise KeyError(task)


@dataclass
class Played:
    """How the program ended: exit code, answer, events, what each role was asked, and what it said on stderr."""

    code: int
    answer: Any
    events: list[dict[str, Any]]
    complained: str
    requests: list[Request] = field(default_factory=list[Request])

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["kind"] == kind]

    def asked(self, role: str) -> list[Request]:
        return [request for request in self.requests if request.label is not None and request.label.role == role]

    @property
    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events]


Play = Callable[..., Played]


@pytest.fixture(scope="session")
def served_literature(
    program: Callable[[str], ModuleType], serve: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Mapping[str, str]]]:
    """The addresses of the five servers, by family, each over its literature."""
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
    known: dict[str, Mapping[str, str]] = {}
    with ExitStack() as stack:

        def serving(family: str) -> Mapping[str, str]:
            if family not in known:
                folder = tmp_path_factory.mktemp(family)
                corpus = read_corpus(TASKS / family / "corpora" / CORPORA[family])
                stand_in = stack.enter_context(CorpusServer(corpus))
                with pytest.MonkeyPatch.context() as patch:
                    papers = TASKS / family / "papers"
                    patch.setenv("PINCITE_ROOTS", str(papers if papers.is_dir() else folder))
                    for name in ("PAPERS_DIR", "LIBRARY_DIR", "CACHE_DIR"):
                        patch.setenv(f"PINCITE_{name}", str(folder / name.lower()))
                    patch.setenv("PINCITE_LEDGER", str(folder / "ledger"))
                    for name, value in stand_in.environment.items():
                        patch.setenv(name, value)
                    settings = load_settings()
                    servers = {name: create(settings) for name, create in made.items()}
                known[family] = {name: stack.enter_context(serve(server)) for name, server in servers.items()}
            return known[family]

        yield serving


@pytest.fixture
def play(
    program: Callable[[str], ModuleType],
    served_literature: Callable[[str], Mapping[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Play:
    """Runs the agent on a bundled task, or on a question of its own, with a cast by role."""

    def played(
        cast: Mapping[str, Any],
        task: str = KELP,
        *,
        question: str = "",
        limits: Mapping[str, float] = NOTHING,
        name: str = "m",
        troubled: bool = False,
        options: Mapping[str, str] = NOTHING,
        **more: str,
    ) -> Played:
        family, record = record_of(task)
        inputs: Mapping[str, Any] = record["inputs"]
        own_files: list[str] = inputs.get("files") or []
        own_papers: list[str] = inputs.get("papers") or []
        parameters = {**inputs["parameters"], **({"question": question} if question else {})}
        asked = question or parameters.get("question") or f"Is superconductivity of {parameters['material']} reported?"
        files = [Path(file).name for file in own_files]
        with ScriptedModel(cast=cast) as model:
            brief = {
                "papers": [Path(file).name for file in own_papers],
                "files": files,
                "parameters": parameters,
                "answer": "answer.json",
                "nothing": EMPTY[family],
                "tools": {each: {"url": url, "headers": {}} for each, url in served_literature(family).items()},
                "limits": {"wall_clock_seconds": 60, "model_calls": 200, **limits},
                "model": {"url": model.url, "name": name, "dialect": "openai.chat", "api_key": "token"},
            }
            for file in own_files:
                (tmp_path / Path(file).name).write_bytes((TASKS / family / file).read_bytes())
            (tmp_path / "task.json").write_text(json.dumps(brief))
            (tmp_path / "prompt.md").write_text(f"Answer one question.\n\n{asked}\n{parameters.get('options', '')}")
            (tmp_path / "schema.json").write_bytes((TASKS / family / "schema.json").read_bytes())
            (tmp_path / "options.json").write_text(json.dumps({**options, **more}))
            (tmp_path / "answer.json").unlink(missing_ok=True)
            with monkeypatch.context() as patch:
                patch.chdir(tmp_path)
                patch.setattr(program("thinking").Patient.__init__, "__defaults__", ((0.0, 0.0, 0.0),))
                code = program("crew").run(
                    program("literature.pipeline").work,
                    name="literature",
                    defaults=program("literature.settings").defaults(),
                    options=tmp_path / "options.json",
                )
        said = capsys.readouterr()
        assert troubled or not model.troubles, model.troubles
        lines = (tmp_path / ".agent" / "state.jsonl").read_text().splitlines()
        left = tmp_path / "answer.json"
        answer = json.loads(left.read_text()) if left.exists() else None
        return Played(code, answer, [json.loads(line) for line in lines], said.err, model.requests)

    return played


def allow(_: Request) -> Any:
    """A gate that lets everything pass."""
    return call("answer", decision="allow", why="harmless")


def choose(request: Request) -> Any:
    """A selector that takes the first two works."""
    ids = [f"w{number}" for number in range(1, 99) if f'"id": "w{number}"' in request.first]
    return call("answer", chosen=[{"id": name, "why": "it reports it"} for name in ids[:2]])


def scores(answers: int = 9, figure: int = 0) -> Callable[[Request], Any]:
    """A reranker that gives all passages one score for answering, and figures another for looking at."""

    def score(request: Request) -> Any:
        passages = json.loads(request.first[request.first.index("[{") : request.first.rindex("]") + 1])
        given = [
            {"passage": each["passage"], "answers": answers, "figure": figure if each["kind"] == "figure" else 0}
            for each in passages
        ]
        return call("answer", scores=given)

    return score


def steps(*turns: Any) -> Callable[[Request], Any]:
    """An orchestrator that plays its turns in order; a function gets the data of the last tool's result."""
    at = iter(turns)

    def play_turn(request: Request) -> Any:
        turn = next(at)
        if not callable(turn):
            return turn
        last = request.results[-1] if request.results else "{}"
        return turn(json.loads(last) if last.startswith("{") else last)

    return play_turn


def search(query: str = "growth of the blades against the concentration of nitrate") -> Any:
    return call("library.search_passages", query=query, k=8)


def end(**fields: Any) -> Any:
    return call("answer", **{"basis": "passages", "why": "found", **fields})


def first_chunk(found: Any) -> Any:
    """Ends on the best passage of the last search."""
    return end(chunks=[found["passages"][0]["locator"]])


def first_selected(found: Any) -> Any:
    """Ends on the abstract of the first work that the selector took."""
    return end(basis="abstract", works=[found["selected"][0]["id"]])


def always(turn: Any) -> Callable[[Any], Any]:
    """A function that gives the same turn, whatever it is given."""
    return lambda _: turn


def inspect(figure: str = "Fig. 1", question: str = "Where do the curves cross?") -> Any:
    return call("figures.inspect_figure", paper="kelp_nitrate.pdf", figure=figure, question=question)


def quoting(answer: Any, text: str, quote: str, evidence: str = "e1", computation: str = "") -> Any:
    """A synthesis of one claim."""
    cited = [{"evidence": evidence, "quote": quote}]
    return call("answer", answer=answer, claims=[{"text": text, "computation": computation, "cited": cited}])


HELD = "Phosphate was held at 2 μmol/L throughout, so that it never limited growth."


def good() -> dict[str, Any]:
    """A cast that answers the question of the task ``kelp`` as it should."""
    asked = "Which nutrient was held at one concentration in all tanks, so that it never limited growth?"
    return {
        "gate": allow,
        "selector": choose,
        "reranker": scores(),
        "orchestrator": steps(search(asked), first_chunk),
        "synthesis": [quoting("phosphate", "Phosphate was held at 2 μmol/L.", HELD)],
    }


@pytest.fixture(scope="session")
def stage() -> Any:
    """What tests make casts of: roles that do what they should, and the names of tasks."""

    class Stage:
        pass

    made: Any = Stage()
    made.allow, made.choose, made.scores, made.steps = allow, choose, scores, steps
    made.search, made.end, made.first_chunk, made.inspect = search, end, first_chunk, inspect
    made.first_selected, made.always = first_selected, always
    made.quoting, made.good, made.held = quoting, good, HELD
    made.kelp, made.figure, made.herring, made.capelin = KELP, FIGURE, HERRING, CAPELIN
    return made
