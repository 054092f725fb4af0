"""The desk's first views: a run of 1,000 trials, a trajectory of 2,000 steps, and wire of 500 MB, beside an empty page.

    python -m tests.benchmarks run desk_speed [--trials 1000] [--steps 2000] [--wire 500] [--rounds 3]

Each round starts `pincite view` on a run whose trials are copies of one that the baseline made, and asks for each page
as a user does: once over HTTP (server time), and once in a headless Chromium that has nothing of it (browser time: to
the `load` event and the first rows on the screen). The empty page is served by the same desk. Memory is the peak
resident size of the desk's own process before and after a record at the end of the wire is shown. Bars: one second a
view, in the server and in the browser; the wire adds less than a tenth of its size.
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from browser import Browser, chromium  # noqa: E402

_BAR_SECONDS = 1.0
_WORDS = "the oxygen content of the sample was measured by iodometric titration and follows the lattice parameter "
_PINCITE = Path(sys.executable).with_name("pincite")
VIEWS = {
    "empty page": ("static/mark.svg", "true"),
    "run": ("run/0", "document.querySelectorAll('tr[data-trial]').length >= 200"),
    "trajectory": ("run/0/trial/{long}#steps", "document.querySelectorAll('.step').length >= 100"),
}


def main() -> int:
    """Print the times, their ratios to the empty page, and the memory; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--wire", type=int, default=500, help="megabytes")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    program = chromium()
    if program is None:
        print("There is no Chromium to measure with.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as held:
        run = make_run(Path(held), options.trials)
        long = make_long(run, options.steps)
        make_wire(run / "trials" / long / "wire" / "mcp.jsonl", options.wire)
        missed = measure(run, long, program, options.rounds)
        return max(missed, measure_memory(run, long, options.wire))


def make_run(folder: Path, count: int) -> Path:
    """A run of so many trials, all of them copies of one of the baseline's."""
    command = [
        _PINCITE,
        "run",
        "property_extraction",
        "--task",
        "ybco_oxygen",
        "--agent",
        "baseline",
        "--sandbox",
        "local",
    ]
    subprocess.run([*command, "--name", "run", "--out", folder], check=True, stdout=subprocess.DEVNULL)
    run = folder / "run"
    document = json.loads((run / "run.json").read_text())
    first = document["trials"][0]
    record = json.loads((run / "trials" / first / "trial.json").read_text())
    document["trials"] = [f"{record['task_id']}__{number}" for number in range(1, count + 1)]
    for number, name in enumerate(document["trials"], start=1):
        if name != first:
            shutil.copytree(run / "trials" / first, run / "trials" / name)
        said = {**record, "name": name, "attempt": number}
        (run / "trials" / name / "trial.json").write_text(json.dumps(said))
    (run / "run.json").write_text(json.dumps(document))
    return run


def make_long(run: Path, steps: int) -> str:
    """Give the last trial a trajectory of so many steps with calls and results of 2,000 characters; its name."""
    name = json.loads((run / "run.json").read_text())["trials"][-1]
    path = run / "trials" / name / "trajectory.json"
    trajectory = json.loads(path.read_text())
    made = [{"step_id": 1, "source": "user", "message": "Do it.", "timestamp": "2026-01-01T00:00:00Z"}]
    for number in range(2, steps + 1):
        at = f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z"
        call = {"tool_call_id": str(number), "function_name": "read_pages", "arguments": {"pages": str(number)}}
        results = [{"source_call_id": str(number), "content": _WORDS * 20}]
        made.append(
            {"step_id": number, "source": "agent", "message": f"Step {number}: {_WORDS}", "timestamp": at}
            | {"model_name": "m", "tool_calls": [call], "observation": {"results": results}}
            | {"metrics": {"prompt_tokens": 1000 + number, "completion_tokens": 50}}
        )
    path.write_text(json.dumps({**trajectory, "steps": made}))
    return name


def make_wire(path: Path, megabytes: int) -> None:
    """Records of a megabyte each, numbered from 0."""
    path.parent.mkdir(exist_ok=True)
    body = "x" * 999_000
    with path.open("w") as file:
        for number in range(megabytes):
            record = {"kind": "request", "at": f"2026-01-01T00:00:00.{number:06}Z", "seq": number, "body": body}
            file.write(json.dumps(record) + "\n")


@contextmanager
def serving(run: Path) -> Iterator[tuple[str, int]]:
    """The desk's address and process."""
    with subprocess.Popen([_PINCITE, "view", run, "--no-browser"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        try:
            yield address.rpartition("/run/")[0], process.pid
        finally:
            process.terminate()


def measure(run: Path, long: str, program: str, rounds: int) -> int:
    """Medians of the rounds; each with a new desk for each view and a new browser."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in VIEWS}
    for _ in range(rounds):
        for name, (path, shown) in VIEWS.items():
            address = path.format(long=long)
            with serving(run) as (base, _):
                server = in_server(f"{base}/{address}")
            with (
                serving(run) as (base, _),
                tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
                Browser(program, Path(profile)) as browser,
            ):
                browser.open(f"{base}/static/mark.svg")
                taken[name].append((server, in_browser(browser, f"{base}/{address}", shown)))
    empty = [statistics.median(each) for each in zip(*taken["empty page"], strict=True)]
    missed = 0
    print(f"{'':12} {'server s':>9} {'ratio':>6} {'browser s':>10} {'ratio':>6}   medians of {rounds} cold starts")
    for name, pairs in taken.items():
        server, browser_time = (statistics.median(each) for each in zip(*pairs, strict=True))
        ratios = server / empty[0], browser_time / empty[1]
        held = server < _BAR_SECONDS and browser_time < _BAR_SECONDS
        missed |= not held
        figures = f"{server:9.3f} {ratios[0]:6.1f} {browser_time:10.3f} {ratios[1]:6.1f}"
        print(f"{name:12} {figures}   {'' if held else 'MISSED'}")
    return missed


def in_server(address: str) -> float:
    """Seconds of the page's own answers: of a trajectory those that its script asks for, too."""
    page, _, part = address.partition("#")
    asked = [page]
    if part:
        asked.append(f"{page}/timeline")
    with httpx.Client(timeout=120) as client:
        started = time.perf_counter()
        for each in asked:
            client.get(each).raise_for_status()
        return time.perf_counter() - started


def in_browser(browser: Browser, address: str, shown: str) -> float:
    """Seconds from asking for the page until it has loaded and its rows are laid out."""
    started = time.perf_counter()
    browser.send("Page.navigate", url=address)
    here = json.dumps(address.partition("#")[0])
    browser.until(f"location.href.startsWith({here}) && document.readyState === 'complete' && ({shown})")
    browser.run("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    return time.perf_counter() - started


def measure_memory(run: Path, long: str, megabytes: int) -> int:
    """The peak of the desk's process before and after the last record of the wire was shown."""
    with serving(run) as (base, process):
        httpx.get(f"{base}/run/0", timeout=120).raise_for_status()
        httpx.get(f"{base}/run/0/trial/{long}", timeout=120).raise_for_status()
        before = peak(process)
        started = time.perf_counter()
        address = f"{base}/run/0/trial/{long}/wire?door=tool&seq={megabytes - 1}"
        httpx.get(address, timeout=120).raise_for_status()
        took = time.perf_counter() - started
        after = peak(process)
    held = after - before < megabytes / 10
    print(f"wire of {megabytes} MB: last record in {took:.2f} s; peak {before} MiB before, {after} MiB after", end="")
    print("" if held else "   MISSED")
    return int(not held)


def peak(process: int) -> int:
    """Peak resident memory of a process in MiB."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) // 1024


if __name__ == "__main__":
    sys.exit(main())
