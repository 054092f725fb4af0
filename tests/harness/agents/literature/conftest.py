"""The literature agent at work on bundled tasks, before real servers, a made-up literature and a cast of roles."""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_doors.testing import Request, call

KELP = "kelp-limit-held-constant"
FIGURE = "kelp-crossing-figure"
HERRING = "find-herring-night-depth"
CAPELIN = "find-capelin-salinity"
NOTHING: Mapping[str, Any] = {}


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
def running() -> ModuleType:
    """The module that runs the program."""
    return _beside("running")


@pytest.fixture(scope="session")
def rules() -> ModuleType:
    """The module of the rule cast."""
    return _beside("rule_cast")


def _beside(name: str) -> ModuleType:
    """The module of a file in this folder; test folders are no packages."""
    full = f"literature_{name}"
    spec = importlib.util.spec_from_file_location(full, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def literatures(
    running: ModuleType, serve: Any, program: Callable[[str], ModuleType], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """The servers of each family, started when they are first asked for."""
    with ExitStack() as stack:
        yield running.Literatures(stack, serve, tmp_path_factory.mktemp("literatures"))


@pytest.fixture
def play(
    running: ModuleType,
    program: Callable[[str], ModuleType],
    literatures: Any,
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
        name: str = "m",
        troubled: bool = False,
        options: Mapping[str, str] = NOTHING,
        **more: str,
    ) -> Played:
        monkeypatch.setattr(program("thinking").Patient.__init__, "__defaults__", ((0.0, 0.0, 0.0),))
        ran = running.answer(
            program, literatures, tmp_path, task, cast, {**options, **more}, question=question, name=name
        )
        assert troubled or not ran.troubles, ran.troubles
        return Played(ran.code, ran.answer, ran.events, capsys.readouterr().err, ran.requests)

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
