"""A run of twenty trials that another process writes while a browser shows it."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

TRIALS = 20
WRITER = """
import os, sys, time
from pathlib import Path

ready, run = Path(sys.argv[1]), Path(sys.argv[2])
(run / ".lock").write_text(str(os.getpid()))
print("started", flush=True)
for at, source in enumerate(sorted(ready.iterdir())):
    trial = run / "trials" / source.name
    trial.mkdir()
    (trial / "agent.log").write_text("begun")
    if at % 5 == 0:
        sys.stdin.readline()
    for path in sorted(source.iterdir(), key=lambda each: each.name == "trial.json"):
        path.rename(trial / path.name)
    time.sleep(0.05)
sys.stdin.readline()
(run / ".lock").unlink()
"""


def prepare(run: Path, ready: Path) -> None:
    """Twenty attempts of one trial, of which each third failed, lie ready outside of the run's folder."""
    (first,) = (run / "trials").iterdir()
    record = json.loads((first / "trial.json").read_text())
    names = [f"ybco_oxygen__{number:02}" for number in range(1, TRIALS + 1)]
    for at, name in enumerate(names):
        shutil.copytree(first, ready / name)
        changed = {"name": name, "attempt": at + 1}
        if at % 3 == 2:
            changed |= {"status": "failed", "cause": "agent_failed", "detail": "It fell over."}
            (ready / name / "score.json").unlink()
        (ready / name / "trial.json").write_text(json.dumps({**record, **changed}))
    shutil.rmtree(first)
    said = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**said, "trials": names}))


def test_rows_move_as_another_process_writes_twenty_trials(
    open_desk: Any, make_run: Any, answer_of: Callable[..., Any], browser: Any, tmp_path: Path
) -> None:
    run = make_run(tmp_path / "run", {"ybco_oxygen": answer_of("ybco_oxygen")})
    prepare(run, tmp_path / "ready")
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, tmp_path / "ready", run],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdin is not None
    assert writer.stdout is not None
    count = "[...document.querySelectorAll('td.state')].filter((each) => each.textContent.trim() === '{}').length"
    tops = "[...document.querySelectorAll('tr[data-trial]')].map((each) => each.getBoundingClientRect().top)"
    try:
        assert writer.stdout.readline() == "started\n"
        with open_desk(run) as desk:
            browser.open(f"{desk.address}/run/0")
            browser.until(f"document.querySelectorAll('tr[data-trial]').length === {TRIALS}")
            browser.until(f"{count.format('agent')} === 1")
            assert browser.run(count.format("waiting")) == TRIALS - 1
            browser.run("window.same = true")
            before = browser.run(tops)
            for ended in (5, 10, 15, 20):
                writer.stdin.write("\n")
                writer.stdin.flush()
                failed = ended // 3
                browser.until(f"{count.format('done')} === {ended - failed}")
                assert browser.run(count.format("waiting")) == max(TRIALS - ended - 1, 0)
            assert browser.run(tops) == before, "no row shifts while others move"
            assert browser.run("window.same"), "the page was not loaded again"
            writer.stdin.write("\n")
            writer.stdin.flush()
            assert writer.wait(20) == 0
            assert not [each for each in browser.complaints if "EventSource" not in each and "ERR_" not in each]
    finally:
        writer.kill()
        writer.communicate()
