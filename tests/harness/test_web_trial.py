"""A trial with the literature server on a recorded web: the same without its source, and nothing after a cutoff."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest

from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.web import WebChoice

pytestmark = pytest.mark.anyio

ANSWER = orjson.dumps({"properties": []}).decode()
ASKED = {"source": "crossref", "query": "query.title=cuprate"}


def _work(number: int, year: int) -> dict[str, Any]:
    return {
        "DOI": f"10.5555/cuprate.{number}",
        "title": [f"A cuprate of {year}"],
        "type": "journal-article",
        "author": [{"given": "Ada", "family": "Lovelace", "sequence": "first", "affiliation": []}],
        "issued": {"date-parts": [[year, 3, 5]]},
        "published": {"date-parts": [[year, 3, 5]]},
        "published-online": {"date-parts": [[year, 3, 5]]},
        "URL": f"https://doi.org/10.5555/cuprate.{number}",
    }


def _crossref(given: Any) -> Callable[[Any], Any]:
    items = [_work(1, 2019), _work(2, 2022)]
    message = {"total-results": 2, "items-per-page": 20, "query": {"start-index": 0}, "items": items}
    return lambda _: given(
        {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message}
    )


@pytest.fixture
def family(make_family: Any) -> Path:
    folder = make_family(servers='["literature"]')
    settings = folder / "family.toml"
    settings.write_text(settings.read_text().replace('title = "Tiny"', 'title = "Tiny"\nbefore = 2021-01-01'))
    return folder


async def test_a_recorded_trial_runs_again_without_its_source(
    family: Path,
    actor: Callable[..., Any],
    source_servers: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent = actor("call", f"query_source {orjson.dumps(ASKED).decode()}", "answer", ANSWER)
    loaded = load_family(family)
    [plan] = plan_trials([(loaded, loaded.tasks[0])], agent, 1)
    marker = Marker([plan.task], ScoringOptions())
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_BEFORE", "2030-01-01")

    async def trial(name: str, mode: Any) -> str:
        web = WebChoice(mode=mode, store=str(tmp_path / "store"))
        run = TrialRun(plan, tmp_path / name, Surroundings("process", marker, SERVERS, web))
        assert (await run.run()).status == "completed", (tmp_path / name / "trial.json").read_text()
        return (tmp_path / name / "agent.log").read_text()

    try:
        with source_servers.SourceServer(_crossref(source_servers.Given)) as server:
            monkeypatch.setenv("PINCITE_SOURCE_URLS", f"crossref={server.url}")
            recorded = await trial("one", "record")
            assert server.asked
        replayed = await trial("two", "replay")
        assert replayed == recorded
        assert "A cuprate of 2019" in recorded
        assert "A cuprate of 2022" not in recorded
    finally:
        marker.close()


async def test_works_that_a_task_withholds_do_not_exist_in_its_trial(
    family: Path,
    actor: Callable[..., Any],
    source_servers: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = family / "records.jsonl"
    record = orjson.loads(records.read_bytes()) | {"metadata": {"withheld": ["10.5555/cuprate.1"]}}
    records.write_bytes(orjson.dumps(record))
    loaded = load_family(family)
    agent = actor("call", f"query_source {orjson.dumps(ASKED).decode()}", "answer", ANSWER)
    [plan] = plan_trials([(loaded, loaded.tasks[0])], agent, 1)
    marker = Marker([plan.task], ScoringOptions())
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    try:
        with source_servers.SourceServer(_crossref(source_servers.Given)) as server:
            monkeypatch.setenv("PINCITE_SOURCE_URLS", f"crossref={server.url}")
            await TrialRun(plan, tmp_path / "one", Surroundings("process", marker, SERVERS)).run()
            assert server.asked
    finally:
        marker.close()
    log = (tmp_path / "one" / "agent.log").read_text()
    assert "withheld" in log and "A cuprate of" not in log
