"""A desk that listens, and a browser before it that looks through what an agent did."""

import json
import shutil
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from pincite_core.serving import listen
from pincite_core.settings import load_settings
from pincite_harness.desk.app import create_app
from pincite_harness.desk.serving import open_site
from pincite_harness.desk.site import Site
from pincite_harness.desk.targets import read_targets
from pincite_harness.runs.lock import Lock
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_tasks.trial_record import StageTime, TokenCount, TrialRecord

TOKEN = "token-of-the-tests"
_OPEN_ALL = "document.querySelectorAll('#steps details.{}').forEach((each) => {{ each.open = true; }})"
_ALL_FILLED = "[...document.querySelectorAll('#steps .{}[open] > .body')].every((each) => each.textContent.trim())"


@dataclass
class Desk:
    """A desk that listens: ``get`` asks for a path behind its token."""

    site: Site
    port: int
    http: httpx.Client

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/{TOKEN}"

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.http.get(f"{self.address}/{path}", headers=headers)

    def text(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text


@contextmanager
def open_desk(*named: Path, **options: Any) -> Iterator[Desk]:
    """A desk of runs, papers, audits and libraries, over real HTTP."""
    site = open_site(read_targets(named, **options), load_settings(), f"/{TOKEN}")
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        app = create_app(site, TOKEN, port, lambda: server.should_exit)
        config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.005)
        try:
            with httpx.Client(timeout=60) as http:
                yield Desk(site, port, http)
        finally:
            server.should_exit = True
            thread.join()
            site.close()


def run_document(name: str, trials: Sequence[str], digests: Mapping[str, str]) -> RunDocument:
    lock = Lock(digests=dict(digests), agent_version="1", versions={}, python="3.11", platform="Linux", git=None)
    return RunDocument(
        name=name,
        created_at="2026-01-01T00:00:00+00:00",
        specification=RunSpecification(families={"property_extraction": "bundled"}, agent="baseline"),
        lock=lock,
        trials=list(trials),
    )


def record_of(name: str, task: str, **more: Any) -> TrialRecord:
    stage = StageTime(started_at="2026-01-01T00:00:00Z", finished_at="2026-01-01T00:00:02Z", seconds=2.0)
    told: dict[str, Any] = {
        "status": "completed",
        "stages": {"agent": stage},
        "model": "openai:m",
        "model_calls": 3,
        "tokens": TokenCount(input=1234, output=56),
        **more,
    }
    told = {"family": "property_extraction", "attempt": 1, "agent": "react", "agent_version": "1", **told}
    return TrialRecord(name=name, task_id=task, **told)


def as_run(trial: Path, folder: Path) -> Path:
    """The trial's folder in a run of its own, that it is shown like the trials of any run."""
    name = json.loads((trial / "trial.json").read_bytes())["name"]
    run = RunFolder(folder)
    shutil.copytree(trial, run.trial(name))
    run.create(run_document("one", [name], {}))
    return folder


def look_through(browser: Any, desk: Desk, run: int, trial: str) -> list[str]:
    """Open every conversation and step of a trial in the browser, as a reader does: the calls, pictures and titles that
    are missing there, and what the page complained about."""
    told = desk.site.trajectories.of(desk.site.run(run).folder.trial(trial))
    browser.open(f"{desk.address}/run/{run}/trial/{trial}#steps")
    browser.until("document.querySelectorAll('#steps .step').length > 0")
    folded = browser.run("[...document.querySelectorAll('#steps .conversation')].every((each) => !each.open)")
    for kind in ("conversation", "step"):
        browser.run(_OPEN_ALL.format(kind))
        browser.until(_ALL_FILLED.format(kind))
    shown: str = browser.run("document.getElementById('steps').textContent")
    expected = [each.title for each in told.conversations[1:]]
    for conversation in told.conversations:
        for step in conversation.steps[:100]:
            expected += [call.function_name for call in step.tool_calls or []]
    faults = [f"{name} is not shown" for name in dict.fromkeys(expected) if name not in shown]
    if not folded:
        faults.append("a conversation is open before it is asked for")
    pictures = "[...document.querySelectorAll('#steps img')]"
    browser.run(f"{pictures}.forEach((each) => {{ each.loading = 'eager'; }})")
    browser.until(f"{pictures}.every((each) => each.complete)")
    if not browser.run(f"{pictures}.every((each) => each.naturalWidth > 0)"):
        faults.append("a picture is broken")
    return [*faults, *browser.complaints]
