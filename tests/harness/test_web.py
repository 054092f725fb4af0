"""The web that a run's servers see: its cutoff, its mode and store, what of it is kept, and what is kept out."""

import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_doors.redactor import KEY_PLACEHOLDER
from pincite_harness.cli.main import app
from pincite_harness.runs.lock import lock_run
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_scoring import ScoringOptions
from pincite_tasks.catalog import ad_hoc_task
from pincite_tasks.family import load_family
from pincite_tasks.files import digest_json, read_json
from pincite_tasks.trial_record import TrialRecord, parse_record
from pincite_tasks.web import WebChoice, choose_web

PINCITE = [sys.executable, "-P", "-m", "pincite_harness"]
NAMES = (
    "BEFORE",
    "HTTP_MODE",
    "HTTP_STORE",
    "PAPERS_DIR",
    "LIBRARY_DIR",
    "LIBRARY_URI",
    "LEDGER",
    "ROOTS",
    "BRAVE_API_KEY",
)
ANSWER = orjson.dumps({"properties": []}).decode()


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(f"PINCITE_{name}", raising=False)


def dated(folder: Path, family: str, record: str = "") -> Path:
    """Set the cutoff of a family, and of its first record."""
    settings = folder / "family.toml"
    settings.write_text(settings.read_text().replace('title = "Tiny"', f'title = "Tiny"\nbefore = {family}'))
    if record:
        lines = [orjson.loads(line) for line in (folder / "records.jsonl").read_bytes().splitlines()]
        lines[0]["inputs"]["before"] = record
        (folder / "records.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
    return folder


@pytest.mark.parametrize("spelling", ["2021-01-01", '"2021-01-01"'])
def test_a_family_sets_a_cutoff_and_a_record_its_own(make_family: Any, tiny_pdf: Path, spelling: str) -> None:
    family = load_family(dated(make_family(tasks=2), spelling, "2019-06-30"))
    assert [task.before for task in family.tasks] == [date(2019, 6, 30), date(2021, 1, 1)]
    assert ad_hoc_task(family, tiny_pdf).before == date(2021, 1, 1)


def test_a_cutoff_is_shown(make_family: Any) -> None:
    folder = dated(make_family(tasks=2), "2021-01-01", "2019-06-30")
    shown = CliRunner().invoke(app, ["tasks", "show", "tiny", "--tasks", str(folder)])
    assert "  t1  a.pdf  before 2019-06-30\n  t2  a.pdf  before 2021-01-01\n" in shown.output
    shown = CliRunner().invoke(app, ["tasks", "show", "tiny", "t1", "--tasks", str(folder)])
    assert "works before: 2019-06-30" in shown.output


def test_a_cutoff_that_is_no_day_is_refused(make_family: Any) -> None:
    with pytest.raises(BadInputError, match="does not describe a family"):
        load_family(dated(make_family(), '"next year"'))
    with pytest.raises(BadInputError, match=r"records\.jsonl:1"):
        load_family(dated(make_family("other"), "2021-01-01", "soon"))


def test_a_cutoff_is_part_of_a_tasks_digest_and_none_changes_nothing(make_family: Any) -> None:
    plain = load_family(make_family("one")).tasks[0]
    assert plain.digest() == digest_json([plain.task_id, list(plain.paper_names), plain.gold, plain.metadata])
    family = load_family(dated(make_family("two"), "2021-01-01"))
    assert family.tasks[0].digest() != plain.digest()


def test_the_earliest_cutoff_holds() -> None:
    task, own = date(2020, 1, 1), date(2021, 1, 1)
    assert WebChoice().cutoff(None, None) is None
    assert WebChoice().cutoff(task, None) == task
    assert WebChoice(before=own).cutoff(task, None) == task
    assert WebChoice(before=own).cutoff(None, None) == own
    assert WebChoice(before=own).cutoff(task, date(2019, 1, 1)) == date(2019, 1, 1)
    assert WebChoice(before=own).cutoff(task, date(2030, 1, 1)) == task


@pytest.mark.anyio
async def test_the_users_own_cutoff_reaches_a_trial(
    make_family: Any, asking: Any, servers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_BEFORE", "2019-01-01")
    record = await _trial(tmp_path / "one", make_family(), asking, servers, WebChoice())
    assert record.before == date(2019, 1, 1)


def test_options_go_before_the_users_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_web(None, None) == WebChoice()
    assert choose_web("record", tmp_path / "new") == WebChoice(mode="record", store=str(tmp_path / "new"))
    monkeypatch.setenv("PINCITE_HTTP_MODE", "replay")
    monkeypatch.setenv("PINCITE_HTTP_STORE", str(tmp_path))
    monkeypatch.setenv("PINCITE_BEFORE", "2021-01-01")
    own = choose_web(None, None)
    assert own == WebChoice(mode="replay", store=str(tmp_path), before=date(2021, 1, 1))
    assert choose_web("live", None) == WebChoice(before=date(2021, 1, 1), corpora=False)
    assert choose_web("replay-or-live", None).mode == "replay-or-live"


@pytest.mark.parametrize(
    ("mode", "store", "says"),
    [
        ("record", None, "needs a store"),
        ("replay", None, "needs a store"),
        ("replay", "gone", "no recorded web"),
        ("replay-or-live", "gone", "no recorded web"),
        (None, "gone", "has no store"),
        ("live", "gone", "has no store"),
    ],
)
def test_a_mode_and_a_store_that_do_not_fit(tmp_path: Path, mode: Any, store: str | None, says: str) -> None:
    with pytest.raises(BadInputError, match=says) as raised:
        choose_web(mode, tmp_path / store if store else None)
    assert "--web" in str(raised.value)


def test_a_replayed_web_is_locked(tmp_path: Path, make_family: Any, actor: Callable[..., Any]) -> None:
    family = load_family(make_family())
    plans = plan_trials([(family, family.tasks[0])], actor("exit", "0"), 1)
    (tmp_path / "store" / "crossref").mkdir(parents=True)
    replay = WebChoice(mode="replay", store=str(tmp_path / "store"))
    first = lock_run(plans, replay)
    first.check(lock_run(plans, replay))
    (tmp_path / "store" / "crossref" / "works.exchange").write_bytes(b"another answer")
    with pytest.raises(BadInputError, match="has changed") as raised:
        first.check(lock_run(plans, replay))
    assert raised.value.seen == "web"
    assert "web" not in lock_run(plans, replay.model_copy(update={"mode": "record"})).digests


def test_what_was_written_before_there_was_a_choice_can_be_read() -> None:
    old = RunSpecification.model_validate({"families": {"tiny": "bundled"}})
    assert old.web == WebChoice()
    record = {"name": "t", "task_id": "t", "family": "f", "attempt": 1, "agent": "a", "agent_version": "1"}
    parsed = parse_record(record | {"status": "completed"}, "trial.json")
    assert (parsed.before, parsed.web) == (None, "live")


async def _trial(folder: Path, family_folder: Path, agent: Any, servers: Any, web: WebChoice) -> TrialRecord:
    family = load_family(family_folder)
    [plan] = plan_trials([(family, family.tasks[0])], agent, 1)
    marker = Marker([plan.task], ScoringOptions())
    try:
        return await TrialRun(plan, folder, Surroundings("process", marker, servers, web)).run()
    finally:
        marker.close()


@pytest.fixture
def asking(actor: Callable[..., Any]) -> Any:
    """An agent that asks a server for its variables."""
    words = [word for name in NAMES for word in ("call", f'variable {{"name": "PINCITE_{name}"}}')]
    return actor(*words, "answer", ANSWER)


def _variables(folder: Path) -> dict[str, str]:
    lines = (folder / "agent.log").read_text().splitlines()
    return dict(line.removeprefix("PINCITE_").split("=", 1) for line in lines if line.startswith("PINCITE_"))


@pytest.mark.anyio
async def test_servers_see_the_web_that_was_chosen(
    make_family: Any, asking: Any, servers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_BEFORE", "2025-01-01")
    monkeypatch.setenv("PINCITE_HTTP_MODE", "live")
    monkeypatch.setenv("PINCITE_LIBRARY_URI", "s3://mine/library")
    monkeypatch.setenv("PINCITE_BRAVE_API_KEY", "brave-key-0123456789")
    folder = dated(make_family(limits="wall_clock_seconds = 60\ntool_calls = 50"), "2021-01-01")
    web = WebChoice(mode="replay", store=str(tmp_path))
    places: list[str] = []
    for name in ("one", "two"):
        record = await _trial(tmp_path / name, folder, asking, servers, web)
        assert record.status == "completed"
        assert (record.before, record.web) == (date(2021, 1, 1), "replay")
        assert read_json(tmp_path / name / "trial.json")["before"] == "2021-01-01"
        seen = _variables(tmp_path / name)
        assert (seen["BEFORE"], seen["HTTP_MODE"], seen["HTTP_STORE"]) == ("2021-01-01", "replay", str(tmp_path))
        assert seen["BRAVE_API_KEY"] == KEY_PLACEHOLDER, "the server has the key, and no file does"
        assert Path(seen["PAPERS_DIR"]).parent == Path(seen["ROOTS"].partition(":")[0]).parent
        assert not Path(seen["PAPERS_DIR"]).exists(), "what was fetched ends with its trial"
        assert Path(seen["LIBRARY_DIR"]).parent == Path(seen["ROOTS"].partition(":")[0]).parent
        assert Path(seen["LEDGER"]).parent == tmp_path / name, "claims outlive the workspace"
        assert seen["LIBRARY_URI"] == "", "a trial has a library of its own"
        places.append(seen["PAPERS_DIR"])
        everything = b"".join(path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file())
        assert b"brave-key" not in everything
    assert len(set(places)) == 2


@pytest.mark.anyio
async def test_a_live_web_without_a_cutoff_says_so(make_family: Any, asking: Any, servers: Any, tmp_path: Path) -> None:
    folder = make_family(limits="wall_clock_seconds = 60\ntool_calls = 50")
    record = await _trial(tmp_path / "one", folder, asking, servers, WebChoice())
    assert (record.before, record.web) == (None, "live")
    seen = _variables(tmp_path / "one")
    assert (seen["BEFORE"], seen["HTTP_MODE"], seen["HTTP_STORE"]) == ("", "live", "")


def test_a_run_keeps_its_web_when_it_is_resumed(
    make_family: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_family(servers='["documents"]')
    store = tmp_path / "web"

    def pincite(*words: str, code: int = 0) -> str:
        done = subprocess.run([*PINCITE, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stderr

    options = ("--tasks", str(folder), "--agent", "nop", "--sandbox", "local", "--name", "one")
    assert "no recorded web" in pincite("run", "tiny", *options, "--web", "replay", "--web-store", "web", code=2)
    assert not (tmp_path / "runs").exists()
    store.mkdir()
    monkeypatch.setenv("PINCITE_BEFORE", "2021-01-01")
    pincite("run", "tiny", *options, "--web", "replay", "--web-store", "web")
    run = tmp_path / "runs" / "one"
    kept = read_json(run / "run.json")
    assert kept["specification"]["web"] == {
        "mode": "replay",
        "store": str(store),
        "before": "2021-01-01",
        "corpora": True,
    }
    assert "web" in kept["lock"]["digests"]
    monkeypatch.delenv("PINCITE_BEFORE")
    monkeypatch.setenv("PINCITE_HTTP_MODE", "live")
    (run / "trials" / "t1__1" / "trial.json").unlink()
    pincite("resume", str(run))
    record = read_json(run / "trials" / "t1__1" / "trial.json")
    assert (record["before"], record["web"]) == ("2021-01-01", "replay")
    (run / "trials" / "t1__1" / "trial.json").unlink()
    (store / "more").write_bytes(b"")
    assert "web" in pincite("resume", str(run), code=2)
    pincite("score", str(run))
