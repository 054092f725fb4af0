"""The pages of trials: what they say, that text from outside stays text, and how they look to a browser."""

import json
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.reports.loading import load_run
from pincite_harness.reports.measured import measure
from pincite_harness.reports.trials import PAGES, write_trial_pages
from pincite_harness.runs.lock import Lock
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.marking import Marker
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.files import digest_file
from pincite_tasks.task import Task
from pincite_tasks.trial_record import StageTime, TokenCount, TrialRecord
from pincite_trajectory.atif import (
    Agent,
    ImagePart,
    ImageSource,
    Observation,
    ObservationResult,
    Step,
    TextPart,
    ToolCall,
    Trajectory,
)

HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(1)><style>*{display:none}</style>&amp;'"
FAMILY = Path(__file__).parents[3] / "tasks" / "property_extraction"
TASK = "ybco_oxygen"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


class Page(HTMLParser):
    """Elements with their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, class_: str = "") -> list[dict[str, str | None]]:
        found = [held for name, held in self.elements if name == tag]
        return [held for held in found if not class_ or class_ in (held.get("class") or "").split()]


def record_of(evidence: str, page: int, **fields: Any) -> dict[str, Any]:
    location = {"page": page, "source_type": "text", "evidence": evidence}
    return {"material_or_system": "X", "property_name": "p", "value_string": "1", **fields, "location": location}


def task() -> Task:
    return next(task for task in load_family(FAMILY).tasks if task.task_id == TASK)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A run of one trial with an answer, its score by the real scorer, and a trajectory with a picture."""
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))

    def made(answer: Any, *, log: str = "", digest: str | None = None, **record: Any) -> Path:
        one, family = task(), load_family(FAMILY)
        name = f"{TASK}__1"
        folder = RunFolder(tmp_path / "run")
        where = folder.trial(name)
        (where / "media").mkdir(parents=True)
        (where / "media" / "a.png").write_bytes(PIXEL)
        (where / "agent.log").write_text(log)
        (where / "answer.json").write_text(json.dumps(answer))
        marker = Marker([one], ScoringOptions())
        try:
            score = marker.mark(family, one, answer if isinstance(answer, dict) else None)
        finally:
            marker.close()
        (where / "score.json").write_text(json.dumps(score))
        (where / "trajectory.json").write_text(trajectory().model_dump_json(exclude_none=True))
        stage = StageTime(started_at="2026-01-01T00:00:00Z", finished_at="2026-01-01T00:00:02Z", seconds=2.0)
        told: dict[str, Any] = {"status": "completed", "tool_calls": 4, **record}
        written = TrialRecord(
            name=name,
            task_id=TASK,
            family="property_extraction",
            attempt=1,
            agent="react",
            agent_version="1",
            stages={"agent": stage},
            model="openai:m",
            model_calls=3,
            tokens=TokenCount(input=1234, output=56),
            **told,
        )
        (where / "trial.json").write_text(written.model_dump_json())
        digests = {f"task/property_extraction/{TASK}": digest or one.digest()}
        digests[f"paper/property_extraction/{TASK}/{one.papers[0].name}"] = digest_file(one.papers[0])
        lock = Lock(digests=digests, agent_version="1", versions={}, python="3.11", platform="Linux", git=None)
        document = RunDocument(
            name="run",
            created_at="2026-01-01T00:00:00+00:00",
            specification=RunSpecification(families={"property_extraction": "bundled"}, agent="baseline"),
            lock=lock,
            trials=[name],
        )
        folder.create(document)
        loaded = load_run(folder.path)
        write_trial_pages(loaded, measure(loaded))
        return folder.path / PAGES / f"{name}.html"

    return made


def trajectory() -> Trajectory:
    content = [
        TextPart(text=f"a page {HOSTILE}"),
        ImagePart(source=ImageSource(media_type="image/png", path="media/a.png")),
        ImagePart(source=ImageSource(media_type="image/png", path="../../../../etc/a.png")),
        ImagePart(source=ImageSource(media_type="image/png", path="https://example.org/a.png")),
    ]
    results = [
        ObservationResult(source_call_id="1", content=list(content)),
        ObservationResult(source_call_id="2", content="No such tool."),
        ObservationResult(source_call_id="3", content="spent", extra={"is_error": True, "refused": "limit"}),
    ]
    calls = [
        ToolCall(tool_call_id="1", function_name="view_page", arguments={"paper": HOSTILE}),
        ToolCall(tool_call_id="2", function_name="made_up", arguments={}),
        ToolCall(tool_call_id="3", function_name="view_page", arguments={"paper": "b.pdf"}),
    ]
    offered: list[dict[str, Any]] = [
        {"type": "function", "function": {"name": "view_page", "description": "", "parameters": {}}}
    ]
    steps = [
        Step(step_id=1, source="user", message=f"Do it. {HOSTILE}", timestamp="2026-01-01T00:00:00Z"),
        Step(
            step_id=2,
            source="agent",
            message="Looking.",
            reasoning_content=HOSTILE,
            tool_calls=calls,
            observation=Observation(results=results),
        ),
        Step(step_id=3, source="agent", message="y" * 50_000, llm_call_count=0),
    ]
    return Trajectory(agent=Agent(name="react", version="1", tool_definitions=offered), steps=steps)


def quote_of_gold() -> tuple[str, int]:
    gold: Any = task().gold
    location = gold["properties"][0]["location"]
    return location["evidence"], location["page"]


def test_a_page_has_answer_beside_gold_marked_quotes_and_the_steps(run: Callable[..., Path]) -> None:
    gold: Any = task().gold
    right = gold["properties"][0]
    text, page = quote_of_gold()
    answer = {
        "properties": [
            right,
            record_of(text, page + 1, value_string="77"),
            record_of(f"Nobody ever wrote this {HOSTILE}", page, property_name=HOSTILE),
        ]
    }
    path = run(answer, refused_tool_calls=2, unknown_tool_calls=1)
    found = Page(path.read_text())
    cards = found.all("article", "card")
    assert len(cards) == len(gold["properties"]) + 2, "each record of the answer, and each gold record that was missed"
    assert {"record-1", "record-3", "gold-2"} <= {card.get("id") for card in cards}
    for part in ("stands", "wrong page", "not found", "scorer: verified", "2 refused, 1 unknown", "1,234", "77"):
        assert part in found.text, part
    marks = found.all("span", "mark")
    assert marks
    assert all("left:" in (mark["style"] or "") for mark in marks)
    for picture in found.all("img"):
        file = path.parent / str(picture["src"])
        assert file.is_file(), picture
        assert picture["alt"]
    assert sum(str(picture["src"]).endswith("a.png") for picture in found.all("img")) == 1, "the trial's own alone"
    for part in ("made_up: no such tool", "1 turned away", "30,000 more characters", "Looking."):
        assert part in found.text, part


def test_text_from_outside_stays_text_and_nothing_is_fetched(run: Callable[..., Path]) -> None:
    text, page = quote_of_gold()
    path = run(
        {"properties": [record_of(f"{text} {HOSTILE}", page, value_string=HOSTILE, notes=HOSTILE)]},
        log=HOSTILE,
        status="failed",
        cause="agent_failed",
        detail=HOSTILE,
    )
    html = path.read_text()
    found = Page(html)
    assert found.text.count(HOSTILE) >= 6
    names = {name for name, _ in found.elements}
    assert not {"script", "link", "iframe", "object", "form"} & names
    assert len(found.all("style")) == 1
    assert not [key for _, held in found.elements for key in held if key.startswith("on")]
    links = [held.get(key) or "" for _, held in found.elements for key in ("href", "src") if key in held]
    assert not [link for link in links if ":" in link or link.startswith("//")]
    assert "default-src 'none'" in html
    assert "Why: agent failed" in found.text
    assert any("open" in held for held in found.all("details", "more")), "the log of a failed trial is open"


def test_an_answer_that_is_none_and_gold_that_has_changed_are_said(run: Callable[..., Path]) -> None:
    found = Page(run(None, digest="sha256:0", status="failed", cause="invalid_answer").read_text())
    assert "There is no answer that can be read" in found.text
    assert "The task has changed since the run, so its gold is not shown" in found.text
    assert not found.all("article")


@pytest.fixture
def chromium(missing: Callable[[str], None]) -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        missing("no Chromium (as root on Debian: scripts/install-parts)")
    return str(found)


def test_a_browser_draws_the_marks_over_the_quoted_words(chromium: str, run: Callable[..., Path]) -> None:
    """In a narrow window, from a file: the picture is loaded under the page's own policy, and the mark tints it."""
    from PIL import Image

    text, page = quote_of_gold()
    path = run({"properties": [record_of(text, page)]})
    drawn = path.parent / "drawn.png"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=420,2800"]
    options += [f"--user-data-dir={path.parent / 'profile'}", f"--screenshot={drawn}"]
    done = subprocess.run([chromium, *options, path.as_uri()], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    pixels = Image.open(drawn).convert("RGB")
    counts = pixels.getcolors(pixels.width * pixels.height) or []
    yellow = sum(count for count, colour in counts if isinstance(colour, tuple) and _is_yellow(colour))
    dark = _dark_between(pixels)
    assert yellow > 200, "the mark"
    assert dark > 15, "the printed words under it"


def _is_yellow(colour: tuple[int, ...]) -> bool:
    red, green, blue = colour[:3]
    return red > 240 and 200 < green < 245 and blue < 190


def _dark_between(pixels: Any) -> int:
    """Dark pixels in the rows that have yellow ones."""
    dark = 0
    for row in range(pixels.height):
        line = [pixels.getpixel((column, row)) for column in range(0, pixels.width, 2)]
        if sum(map(_is_yellow, line)) > 5:
            dark += sum(max(colour) < 140 for colour in line)
    return dark
