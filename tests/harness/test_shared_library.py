"""--library: an ingested library that every trial reads and none changes, with its digest in the lock."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.settings import load_settings
from pincite_doors.testing import Request, ScriptedModel, call, say
from pincite_harness.cli.main import app
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_harness.trial.shared_library import SharedLibrary
from pincite_library.ingest.pipeline import Ingest
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with one paper in it."""
    folder = tmp_path_factory.mktemp("shelf")
    paper = folder / "papers" / "one.txt"
    paper.parent.mkdir()
    article = "<article><front><article-meta><title-group><article-title>On furnaces</article-title></title-group>"
    article += "</article-meta></front><body><sec><title>Results</title><p>The furnace of nickel reaches 1730 K.</p>"
    paper.with_suffix(".xml").write_text(f"{article}</sec></body></article>")
    settings = load_settings().model_copy(update={"library_dir": folder / "library", "library_uri": ""})
    with Ingest(settings, roots=(paper.parent,)) as ingest:
        report = ingest.add([str(paper.parent)])
    assert report.counts
    return folder / "library"


async def test_every_trial_reads_it_and_none_changes_it(
    make_family: Any, actor: Any, tmp_path: Path, shelf: Path
) -> None:
    library = SharedLibrary(shelf)
    before = library.digests()
    family = load_family(make_family(servers='["library"]'))
    found = json.dumps({"query": "How hot does the furnace of nickel get?"})
    adding = json.dumps({"sources": ["a.pdf"]})
    # The actor ends at a tool's error, so the paper that may not be added comes last.
    calls = ("call", f"search_passages {found}", "answer", '{"properties": []}', "call", f"add_papers {adding}")
    [plan] = plan_trials([(family, family.tasks[0])], actor(*calls), 1)
    marker = Marker([plan.task], ScoringOptions())
    around = Surroundings("process", marker, SERVERS, library=library)
    try:
        for name in ("first", "second"):
            await TrialRun(plan, tmp_path / name, around).run()
            wire = (tmp_path / name / "wire/mcp.jsonl").read_text()
            assert "reaches 1730 K" in wire
            assert "only read here" in wire
    finally:
        marker.close()
    assert library.digests() == before


def test_what_a_run_says_of_it(make_family: Any, tmp_path: Path, shelf: Path) -> None:
    families = make_family(servers='["library"]').parent
    command = ["run", "tiny", "--tasks", str(families), "--agent", "nop", "--unsafe", "--sandbox", "local"]
    done = CliRunner().invoke(
        app, [*command, "--library", str(shelf), "--out", str(tmp_path / "runs"), "--name", "one"]
    )
    document = RunFolder(tmp_path / "runs/one").read()
    assert document.specification.library == str(shelf), done.output
    assert document.lock.digests["library"] == SharedLibrary(shelf).digests()["library"]
    other = tmp_path / "other"
    shutil.copytree(shelf, other)
    (other / "text" / "more.txt").parent.mkdir(exist_ok=True)
    (other / "text" / "more.txt").write_text("another paper")
    assert SharedLibrary(other).digests() != SharedLibrary(shelf).digests()


def test_questions_of_labbench2_are_imported_and_answered_from_a_library(
    tmp_path: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the published form of a line, over a paper that the library alone has."""
    pytest.importorskip("pydantic_ai")
    asked = {"tag": "tableqa2", "id": "0b9c", "type": "", "difficulty": "simple", "expected_output": "1730 K"}
    question = {**asked, "question": "In a study of furnaces, how hot did the furnace of nickel get?"}
    (tmp_path / "tableqa2.jsonl").write_text(json.dumps(question) + "\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "k")
    made = CliRunner().invoke(
        app, ["tasks", "import", "literature_qa", "--from", "tableqa2.jsonl", "--out", "questions"]
    )
    assert made.exit_code == 0, made.output

    def answer(request: Request) -> Any:
        assert "furnace of nickel reaches 1730 K" in request.results[-1]
        return call("write_answer", answer={"answer": "1730 K"})

    script = [call("library.search_passages", query="furnace of nickel"), answer, say("Done.")]
    with ScriptedModel(script) as model:
        words = ["run", "literature_qa", "--tasks", "questions", "--with", "library", "--library", str(shelf)]
        words += ["--agent", "react", "--model", "openai:m", "--model-url", model.url, "--sandbox", "local", "--unsafe"]
        done = CliRunner().invoke(app, [*words, "--without", "literature", "--name", "one"])
    [trial] = (tmp_path / "runs" / "one" / "trials").iterdir()
    assert json.loads((trial / "score.json").read_text())["metrics"]["accuracy"] == 1.0, done.output


def test_what_is_refused(make_family: Any, tmp_path: Path, shelf: Path) -> None:
    family = make_family()
    with pytest.raises(NotFoundError, match="no folder"):
        SharedLibrary(tmp_path / "gone")
    with pytest.raises(BadInputError, match="no library in"):
        SharedLibrary(tmp_path)
    specification = RunSpecification(families={"tiny": str(family)}, library=str(shelf), less=["demo"])
    with pytest.raises(BadInputError, match="has a server that reads a library"):
        specification.load_families()
