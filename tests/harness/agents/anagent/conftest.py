"""anagent at work on a bundled task, before real servers and a scripted model that plays each role by its label."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import load_settings
from pincite_doors.testing import Request, ScriptedModel, call

FAMILY = Path(__file__).parents[4] / "tasks" / "figure_analysis"
RECORDS = {record["task_id"]: record for record in map(json.loads, (FAMILY / "records.jsonl").read_text().splitlines())}
TABLE = "sparse_router-table-1"
ROLES = ("planner", "expert", "solver", "critic")
PLAN = "* Find, retrieve, distil and summarise all related context.\n* Compare the variants."
SUMMARY = "* Two experts are active in top-2 routing."
NOTHING: Mapping[str, Any] = {}


def open_paper() -> Any:
    return call("documents.open_paper", paper="sparse_router.pdf")


def graded(total: int = 7, feedback: str = "Name the table.") -> Any:
    """A critique whose grades sum up to that."""
    names = ("accuracy", "completeness", "format", "clarity", "faithfulness")
    grades = {name: min(2, max(0, total - 2 * place)) for place, name in enumerate(names)}
    return call("answer", thought="Checked.", **grades, feedback=feedback)


def cast() -> dict[str, list[Any]]:
    """A cast in which every role does what it should."""
    return {
        "planner": [call("answer", thought="Wide.", plan=PLAN)],
        "expert": [open_paper(), call("answer", thought="Enough.", summary=SUMMARY)],
        "solver": [call("answer", thought="t", answer="First."), call("answer", thought="t", answer="Second.")],
        "critic": [graded()],
    }


def role_of(request: Request) -> str:
    """The role that asks, by its label."""
    return str(json.loads(request.headers.get("x-pincite-label", "{}")).get("role", ""))


@dataclass
class Played:
    """How the program ended: exit code, answer (None where there is none), events, what each role was asked."""

    code: int
    answer: str | None
    events: list[dict[str, Any]]
    complained: str
    requests: Mapping[str, list[Request]] = field(default_factory=dict)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["kind"] == kind]

    @property
    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events]


Play = Callable[..., Played]


@pytest.fixture(scope="session")
def analyses(
    program: Callable[[str], ModuleType], serve: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """The addresses of documents and figures over the papers of the family."""
    from pincite_documents.server import create_server as documents
    from pincite_figures.server import create_server as figures

    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("PINCITE_ROOTS", str(FAMILY / "papers"))
        patch.setenv("PINCITE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        settings = load_settings()
        servers = {"documents": documents(settings), "figures": figures(settings)}
        yield {name: stack.enter_context(serve(server)) for name, server in servers.items()}


@pytest.fixture
def play(
    program: Callable[[str], ModuleType],
    analyses: Mapping[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Play:
    """Runs anagent on a bundled task with a cast: a script for each role."""

    def played(
        players: Mapping[str, Sequence[Any]],
        *,
        task: str = TABLE,
        limits: Mapping[str, float] = NOTHING,
        metadata: Mapping[str, str] = NOTHING,
        servers: Sequence[str] = ("documents", "figures"),
        dialect: str = "openai.chat",
        **options: str,
    ) -> Played:
        inputs = RECORDS[task]["inputs"]
        with ScriptedModel(cast=players) as model:
            brief = {
                "task_id": task,
                "papers": [Path(name).name for name in inputs["papers"]],
                "files": [Path(name).name for name in inputs["files"]],
                "parameters": {"words": "60 to 200", **inputs["parameters"]},
                "answer": "answer.md",
                "tools": {name: {"url": analyses[name], "headers": {}} for name in servers},
                "limits": {"wall_clock_seconds": 60, **limits},
                "model": {"url": model.url, "name": "m", "dialect": dialect, "api_key": "token"},
                "metadata": dict(metadata),
            }
            (tmp_path / "task.json").write_text(json.dumps(brief))
            for name in inputs["files"]:
                (tmp_path / Path(name).name).write_bytes((FAMILY / name).read_bytes())
            (tmp_path / "prompt.md").write_text("Write the analysis into answer.md.")
            (tmp_path / "schema.json").write_bytes((FAMILY / "schema.json").read_bytes())
            (tmp_path / "options.json").write_text(json.dumps(options))
            (tmp_path / "answer.md").unlink(missing_ok=True)
            with monkeypatch.context() as patch:
                patch.chdir(tmp_path)
                patch.setattr(program("crew"), "OPTIONS", tmp_path / "options.json")
                patch.setattr(program("thinking").Patient.__init__, "__defaults__", ((0.0, 0.0, 0.0),))
                code = program("anagent.__main__").main()
        said = capsys.readouterr()
        assert not model.troubles
        left = tmp_path / "answer.md"
        lines = (tmp_path / ".agent" / "state.jsonl").read_text().splitlines()
        asked = {role: [request for request in model.requests if role_of(request) == role] for role in ROLES}
        answer = left.read_text() if left.exists() else None
        return Played(code, answer, [json.loads(line) for line in lines], said.err, asked)

    return played


@pytest.fixture(scope="session")
def stage() -> Any:
    """What tests make casts of: ``cast``, ``graded``, ``open_paper`` and the words of the good cast."""

    class Stage:
        pass

    made: Any = Stage()
    made.cast, made.graded, made.open_paper, made.role_of = cast, graded, open_paper, role_of
    made.plan, made.summary, made.family, made.records = PLAN, SUMMARY, FAMILY, RECORDS
    return made
