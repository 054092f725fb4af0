"""Trials whose servers see a made-up literature: a precedent is found, cited and scored, and nothing else is asked."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Agent, Program
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord
from pincite_tasks.web import WebChoice

pytestmark = pytest.mark.anyio

REPOSITORY = Path(__file__).parents[3]
PRECEDENTS = REPOSITORY / "tasks" / "precedent_search"
PROGRAMS = REPOSITORY / "tests" / "harness" / "programs"
DOOR = REPOSITORY / "harness" / "pincite_harness" / "agents" / "programs" / "door.py"


@pytest.fixture
def finder() -> Agent:
    """The program ``finder``."""
    files = {".agent/finder.py": PROGRAMS / "finder.py", ".agent/door.py": DOOR}
    return Program("finder", "1", ("python3", ".agent/finder.py"), files)


async def run_trial(
    folder: Path, family_folder: Path, task: str, agent: Agent, servers: Any = SERVERS, web: WebChoice | None = None
) -> TrialRecord:
    """One trial in a plain process, scored by rules."""
    family = load_family(family_folder)
    [plan] = plan_trials([(family, family.task(task))], agent, 1)
    marker = Marker([plan.task], ScoringOptions())
    try:
        return await TrialRun(plan, folder, Surroundings("process", marker, servers, web or WebChoice())).run()
    finally:
        marker.close()


async def test_a_program_finds_a_precedent_and_is_scored(
    finder: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KCo2Te2: a retracted paper says 14.8 K, the one that stands 2.21 K."""
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_SOURCE_URLS", "crossref=http://127.0.0.1:9")
    record = await run_trial(tmp_path / "trial", PRECEDENTS, "kco2te2", finder)
    log = (tmp_path / "trial" / "agent.log").read_text()
    assert record.status == "completed", log
    assert (record.corpus, record.web, record.answered) == ("tellurides", "corpus", True)
    assert log.count("'answered'") == 6
    answer = read_json(tmp_path / "trial" / "answer.json")
    assert [source["doi"] for source in answer["sources"]] == ["10.5555/jis.2016.18.0715"]
    score = read_json(tmp_path / "trial" / "score.json")
    assert score["status"] == "scored"
    assert score["metrics"]["score"] == 2
    assert score["metrics"]["doi_match"] == 1
    assert score["metrics"]["quotes_verified"] == 1
    assert score["also"]["reference"]["score"] == 2, "both definitions are reported"
    wire = (tmp_path / "trial" / "wire" / "mcp.jsonl").read_text()
    assert "https://arxiv.org/src/1611.99715v1" in wire
    assert "127.0.0.1" not in wire, "what is told to the agent is the web's, not the stand-in's"


@pytest.fixture
def oracle() -> Agent:
    """Any agent: it is not reached."""
    return Program("oracle", "1", ("true",))


@pytest.fixture
def family(make_family: Any, write: Callable[..., Path]) -> Path:
    """A family with one task that brings the small literature."""
    folder = make_family(limits="wall_clock_seconds = 60\ntool_calls = 50")
    write().parent.rename(folder / "corpora")
    [record] = map(orjson.loads, (folder / "records.jsonl").read_bytes().splitlines())
    record["inputs"]["corpus"] = "corpora/invented"
    (folder / "records.jsonl").write_bytes(orjson.dumps(record))
    return folder


@pytest.mark.parametrize(
    "way", ['[web]\nallowed_hosts = ["arxiv.org"]\n', '[model]\nhosted_tools = ["googleSearch"]\n']
)
def test_a_family_leaves_no_way_past_the_literature(family: Path, way: str) -> None:
    (family / "family.toml").write_text((family / "family.toml").read_text() + way)
    with pytest.raises(BadInputError, match="task t1 sees a made-up literature"):
        load_family(family)


def telling(file: Path) -> dict[str, list[str]]:
    """A server that writes down what it sees in place of the web, and does not start."""
    return {"demo": ["sh", "-c", f'echo "$PINCITE_STAND_IN,$PINCITE_SOURCE_URLS" > {file}']}


async def test_the_literature_ends_with_its_trial(
    family: Path, oracle: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_SOURCE_URLS", "crossref=http://127.0.0.1:9")
    record = await run_trial(tmp_path / "one", family, "t1", oracle, telling(tmp_path / "seen"))
    address, _, urls = (tmp_path / "seen").read_text().strip().partition(",")
    assert (record.cause, record.corpus, urls) == ("server_failed", "invented", "")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))).close()


async def test_the_real_web_is_there_where_the_user_says_so(family: Path, oracle: Agent, tmp_path: Path) -> None:
    (family / "corpora" / "invented" / "works.jsonl").write_bytes(b"{")
    live = WebChoice(corpora=False)
    record = await run_trial(tmp_path / "one", family, "t1", oracle, telling(tmp_path / "seen"), live)
    assert (tmp_path / "seen").read_text().startswith(","), "the literature is not even read"
    assert (record.web, record.corpus) == ("live", None)


async def test_a_literature_that_cannot_be_read_fails_the_trial_and_not_the_agent(
    family: Path, oracle: Agent, servers: Any, tmp_path: Path
) -> None:
    (family / "corpora" / "invented" / "works.jsonl").write_bytes(b"{")
    record = await run_trial(tmp_path / "one", family, "t1", oracle, servers)
    assert (record.status, record.cause) == ("failed", "server_failed")
    assert "works.jsonl:1 is not JSON" in (record.detail or "")
    assert read_json(tmp_path / "one" / "score.json")["status"] == "unscored"
