"""Reports of runs as they lie on the disk: means, failures, escaping, CSV, and the page in a real browser."""

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from pincite_core.errors import NotFoundError
from pincite_harness.cli.main import app
from pincite_harness.reports import write_reports
from pincite_harness.reports.loading import load_run
from pincite_harness.reports.measured import measure
from pincite_harness.reports.statistics import failures
from pincite_harness.runs.lock import Lock
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_tasks.failure import Cause, Status
from pincite_tasks.trial_record import SandboxNote, StageTime, TrialRecord

HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(1)>&amp;'[bold]"
SCORE = {
    "family": "property_extraction",
    "scorer": "property_extraction",
    "scorer_version": "1",
    "matcher": "lexicon/1",
}


def put(path: Path, value: object) -> None:
    """A JSON file, not synced to the disk as the harness does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


class Builder:
    """A run folder with the trials that a test asks for, written through the harness's own models."""

    def __init__(self, path: Path, agent: str = "baseline") -> None:
        self.folder = RunFolder(path)
        self.agent = agent
        self.names: list[str] = []

    def trial(
        self,
        task: str,
        f1: float | None = None,
        *,
        attempt: int = 1,
        status: Status = Status.COMPLETED,
        cause: Cause | None = None,
        detail: str | None = None,
        reason: str | None = None,
        finished: bool = True,
        records: list[dict[str, Any]] | None = None,
    ) -> "Builder":
        name = f"{task}__{attempt}"
        self.names.append(name)
        if not finished:
            return self
        where = self.folder.trial(name)
        metrics: dict[str, Any] = {}
        if f1 is not None:
            metrics = {"f1": f1, "f1_0.1%": f1, "f1_1%": min(f1 + 0.1, 1), "f1_10%": min(f1 + 0.2, 1), "match_f1": 1.0}
            metrics |= {
                "evidence_verified": None if f1 == 0 else 1.0,
                "value_in_quote": 0.5,
                "n_gold": 4,
                "n_answer": 3,
            }
        score = {**SCORE, "status": "unscored" if f1 is None else "scored", "reason": reason, "metrics": metrics}
        put(where / "score.json", {**score, "records": records or []})
        (where / "agent.log").write_text("log\n", encoding="utf-8")
        time = StageTime(started_at="2026-01-01T00:00:00Z", finished_at="2026-01-01T00:00:02Z", seconds=2.0)
        record = TrialRecord(
            name=name,
            task_id=task,
            family="property_extraction",
            attempt=attempt,
            agent=self.agent,
            agent_version="1",
            status=status,
            cause=cause,
            detail=detail,
            stages={"start": time, "agent": time},
            sandbox=SandboxNote(backend="local"),
            tool_calls=7,
            exit_code=0,
        )
        put(where / "trial.json", record.model_dump(mode="json"))
        return self

    def done(self, name: str | None = None) -> Path:
        lock = Lock(digests={}, agent_version="1", versions={}, python="3.11", platform="Linux", git=None)
        specification = RunSpecification(families={"property_extraction": "bundled"}, agent=self.agent)
        document = RunDocument(
            name=name or self.folder.path.name,
            created_at="2026-01-01T00:00:00+00:00",
            specification=specification,
            lock=lock,
            trials=self.names,
        )
        self.folder.create(document)
        return self.folder.path


def mixed_run(path: Path) -> Path:
    return (
        Builder(path)
        .trial("alpha", 0.5)
        .trial("beta", 0.0)
        .trial("gamma", status=Status.FAILED, cause=Cause.AGENT_FAILED, detail="exit code 3", reason="agent_failed")
        .trial("delta", reason="The task has no gold answer.")
        .trial("epsilon", 1.0, status=Status.LIMIT_REACHED, cause=Cause.LIMIT_REACHED, detail="400 tool calls")
        .trial("zeta", finished=False)
        .done("mixed")
    )


def screen_of(width: int = 100) -> Console:
    return Console(file=io.StringIO(), width=width, color_system=None)


def printed(screen: Console) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_an_unscored_trial_is_no_zero_and_every_mean_says_its_n(tmp_path: Path) -> None:
    run = load_run(mixed_run(tmp_path / "r"))
    (measured,) = measure(run)
    mean = measured.mean("f1_0.1%")
    assert mean is not None
    assert (mean.n, mean.mean) == (3, pytest.approx(0.5))
    assert mean.standard_error == pytest.approx(0.5 / 3**0.5)
    verified = measured.mean("evidence_verified")
    assert verified is not None
    assert (verified.n, verified.mean) == (2, 1.0), "a metric that is null counts for nobody"
    padded = measured.estimates["f1_0.1%"].padded
    assert padded is not None
    assert (padded.n, padded.mean) == (4, pytest.approx((0.5 + 0.0 + 1.0 + 0.0) / 4)), "beside it, the failed one as 0"
    assert measured.mean("no such metric") is None
    assert failures(run.finished) == {"agent_failed": 1, "limit_reached": 1}
    rate = measured.failure_rate
    assert rate is not None
    assert (rate.n, rate.mean) == (5, pytest.approx(0.2)), "a limit is scored, an unfinished trial does not count"


def test_the_console_names_causes_reasons_and_what_is_missing(tmp_path: Path) -> None:
    screen = screen_of(80)
    write_reports([mixed_run(tmp_path / "r")], screen)
    text = printed(screen)
    for part in (
        "alpha",
        "Failed: 1 of 5 finished trials; causes: agent_failed 1",
        "Reached a limit: 1 trial",
        "unscored",
        "no gold",
        "calls",
    ):
        assert part in text, part
    assert re.search(r"F1 at 0\.1 % +3 +0\.500 ± 0\.289", text)
    assert "mean of 3 scored" in text
    assert max(map(len, re.findall(r"^ .*$", text, re.MULTILINE))) <= 80


def test_csv_leaves_empty_what_is_not_known_and_runs_no_formula(tmp_path: Path) -> None:
    path = mixed_run(tmp_path / "r")
    detail = '=HYPERLINK("http://x")'
    other = (
        Builder(tmp_path / "s").trial("alpha", status=Status.FAILED, cause=Cause.SANDBOX_FAILED, detail=detail).done()
    )
    put(other / "trials" / "alpha__1" / "score.json", {**SCORE, "status": "unscored", "reason": detail})
    write_reports([path, other], screen_of(), together=tmp_path / "out")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "report.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 7
    by_task = {(row["run"], row["task"]): row for row in rows}
    assert by_task["mixed", "beta"]["f1_0.1%"] == "0.0"
    assert by_task["mixed", "delta"]["f1_0.1%"] == ""
    assert by_task["mixed", "zeta"]["status"] == "not finished"
    assert by_task["mixed", "zeta"]["seconds"] == ""
    assert by_task["mixed", "alpha"]["seconds"] == "4.0"
    assert by_task["s", "alpha"]["reason"].startswith("'=")


class Page(HTMLParser):
    """Element names, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def test_text_from_outside_stays_text_and_nothing_is_fetched(tmp_path: Path) -> None:
    run = Builder(tmp_path / "r", agent=HOSTILE)
    run.trial("alpha", status=Status.FAILED, cause=Cause.SERVER_FAILED, detail=HOSTILE, reason=HOSTILE)
    path = run.trial("beta", 0.5).done(HOSTILE)
    screen = screen_of(200)
    write_reports([path], screen)
    html = (path / "report.html").read_text(encoding="utf-8")
    page = Page(html)
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert HOSTILE in page.text
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    links = [value for name, value in page.attributes if name in ("href", "src") and value]
    assert not [link for link in links if "://" in link or link.startswith("//")]
    assert not re.search(r"url\(|@import", html)
    assert "default-src 'none'" in html
    assert HOSTILE in printed(screen), "markup of the console is text too"


def test_records_are_shown_with_their_quotes_and_evidence_counts_without_gold_too(tmp_path: Path) -> None:
    run = Builder(tmp_path / "r").trial("own", reason="no gold records")
    found = {"answer": 0, "material": "CdSe", "property": "gap", "value": "1.7", "unit": "eV", "page": 2}
    quote = f"a · gap of 1.7 eV {HOSTILE}"
    records = [
        {**found, "status": "correct", "evidence": "verified", "value_in_quote": True, "gold_value": "1.70"},
        {**found, "answer": 1, "status": "unmatched", "reason": HOSTILE, "evidence": "no_such_page", "quote": quote},
        {"answer": None, "status": "missed", "gold_material": "CdTe", "gold_property": "density", "gold_value": "5.8"},
    ]
    metrics = {"f1_0.1%": None, "evidence_verified": 0.5, "n_gold": None, "n_answer": 2.0}
    score = {**SCORE, "status": "unscored", "reason": "no gold records", "metrics": metrics, "records": records}
    put(run.folder.trial("own__1") / "score.json", score)
    path = run.done()
    write_reports([path], screen_of())
    page = Page((path / "report.html").read_text(encoding="utf-8"))
    for part in (quote, "1.7 eV", "no such page", "CdTe", "density", "5.8", "1 missed", "not in the gold"):
        assert part in page.text, part
    assert page.tags.count("details") == page.tags.count("q") == 1
    assert not {"script", "img"} & set(page.tags)
    assert "no gold records" in page.text
    mean = measure(load_run(path))[0].mean("evidence_verified")
    assert mean is not None
    assert (mean.n, mean.mean) == (1, 0.5)


def test_an_answer_that_no_scorer_could_read_says_so(tmp_path: Path) -> None:
    run = Builder(tmp_path / "r").trial("alpha", 0.0, reason="invalid_answer: 2001 objects").trial("beta", 0.0).done()
    write_reports([run], screen_of(80))
    page = (run / "report.html").read_text(encoding="utf-8")
    assert page.count("no answer that can be read") == page.count("2001 objects") == 1


def test_attempts_of_a_task_are_drawn_as_their_mean(tmp_path: Path) -> None:
    path = Builder(tmp_path / "r").trial("alpha", 0.2).trial("alpha", 0.6, attempt=2).done()
    write_reports([path], screen_of())
    page = Page((path / "report.html").read_text(encoding="utf-8"))
    assert "0.400 (n = 2)" in page.text
    assert "alpha (attempt 2)" in page.text


def test_the_records_of_very_many_trials_stay_in_their_files_and_the_page_says_so(tmp_path: Path) -> None:
    run = Builder(tmp_path / "r")
    for number in range(101):
        run.trial(f"task{number}", 0.5, records=[{"status": "correct", "material": "CdSe"}])
    path = run.done()
    write_reports([path], screen_of())
    page = Page((path / "report.html").read_text(encoding="utf-8"))
    assert "The records of 101 trials would make the page too large" in page.text
    assert "CdSe" not in page.text and "task100" in page.text


def test_links_lead_to_the_trials_files_from_wherever_the_page_lies(tmp_path: Path) -> None:
    first, second = mixed_run(tmp_path / "runs" / "a b"), Builder(tmp_path / "c").trial("alpha", 1.0).done()
    write_reports([first, second], screen_of(), together=tmp_path / "out")
    page = Page((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    links = [value for name, value in page.attributes if name == "href" and value and not value.startswith("#")]
    assert len(links) == 24, "the pages of the six trials that ended, and their files"
    for link in links:
        assert (tmp_path / "out" / link.replace("%20", " ")).exists(), link


def test_a_folder_that_is_no_run_is_an_error_and_a_broken_trial_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="is not a run"):
        load_run(tmp_path)
    path = mixed_run(tmp_path / "r")
    put(path / "trials" / "alpha__1" / "score.json", [])
    broken = [trial for trial in load_run(path).trials if trial.damage]
    assert [trial.name for trial in broken] == ["alpha__1"]
    assert "is not a score" in (broken[0].reason or "")
    assert not broken[0].scored


def test_the_command_prints_runs_side_by_side(tmp_path: Path) -> None:
    paths = [mixed_run(tmp_path / "a"), Builder(tmp_path / "b", agent="oracle").trial("alpha", 1.0).done()]
    result = CliRunner().invoke(app, ["report", *map(str, paths)], env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.output
    assert "0.500 ± 0.289" in result.output
    assert "oracle" in result.output
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b", "report.html", "report.csv", "report.json"}
    assert (paths[0] / "report.html").is_file()


@pytest.fixture
def chromium(missing: Callable[[str], None]) -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        missing("no Chromium (as root on Debian: scripts/install-parts)")
    return str(found)


def test_a_browser_shows_the_page(chromium: str, tmp_path: Path) -> None:
    path = mixed_run(tmp_path / "r")
    write_reports([path], screen_of())
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    page = (path / "report.html").as_uri()
    done = subprocess.run([chromium, *options, page], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    dom = Page(done.stdout)
    assert dom.tags.count("svg") == 5
    assert dom.tags.count("table") == 3
    assert ("role", "img") in dom.attributes
    labels = [value for name, value in dom.attributes if name == "aria-label"]
    assert len(labels) == len(set(labels)) == 5
    for part in ("F1 at 0.1 %", "no value", "agent_failed", "exit code 3", "n = 3 scored", "400 tool calls"):
        assert part in dom.text, part
