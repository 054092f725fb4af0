"""Draw the pictures of docs/desk.md in a headless Chromium: every view of the desk, light and dark, at 1280 and 390 px.

    python scripts/build_desk_pictures.py [VIEW …] [--material DIR]

The runs, the audit, the library and the queue are made by pincite's own commands from the bundled tasks. With
``--material`` they are kept in a folder, and used again.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import INSTALL, Browser, chromium  # noqa: E402

PINCITE = Path(sys.executable).with_name("pincite")
PAPERS = ROOT / "tasks" / "property_extraction" / "papers"
OUT = ROOT / "docs" / "desk-pictures"
TASK = "garnet_electrolyte"
TASKS = (TASK, "ybco_oxygen", "crconi_alloy")
SIZES = ((1280, 800), (390, 780))
WEBP = {"format": "webp", "quality": 20}
REPORT = """# Garnet electrolytes

Nakagawa and colleagues compared two hot-pressed garnets [@nakagawa2026]. The gallium garnet conducts
1.64 × 10^-3 S/cm at 25 °C [@nakagawa2026]. Its relative density is 98.4 %, and that of the tantalum garnet 97.2 %.

> Gallium sits on sodium sites and blocks some of them, but the lower symmetry opens further paths

The activation energy of the gallium garnet is 0.72 eV, lower than the 0.41 eV of the tantalum one. At 60 °C the
critical current density of Li6.4La3Zr1.4Ta0.6O12 is 1.1 A/cm². Fracture toughness: 1.21 MPa m^1/2 (Ta) and
0.49 MPa m^1/2 (Ga). "Polishing in argon restored the first value" [@nakagawa2026].

A later study [@imai2027] reports the same trend.

[@nakagawa2026]: P. Nakagawa, C. Obiora, L. Fairweather, Tantalum and gallium in garnet electrolytes, 2026
[@imai2027]: H. Imai, Gallium-rich garnets under load, J. Solid Power 12 (2027) 44
"""


@dataclass(frozen=True)
class View:
    """``at`` comes after the address of the desk; ``shown`` is true once the page is drawn; ``keys`` are pressed then,
    and ``then`` runs and ``last`` is waited for."""

    desk: str
    at: str
    shown: str = "true"
    keys: str = ""
    then: str = ""
    last: str = "true"


_LOADED = "[...document.querySelectorAll('#pane img')].every((each) => each.complete)"
_MARKED = f"document.querySelector('#pane .mark, #pane mark') && {_LOADED}"
_PRINTED = "document.querySelector('.print img')?.complete"
VIEWS = {
    "run": View("all", "run/0", "document.querySelectorAll('tr[data-trial]').length > 2"),
    "live": View("live", "", "document.querySelector('.badge.running')"),
    "trial": View(
        "all",
        f"run/0/trial/{TASK}__1",
        "document.querySelectorAll('.record').length > 5",
        "nn",
        "document.querySelectorAll('.record')[1].open = true",
        _MARKED,
    ),
    "steps": View(
        "all",
        f"run/0/trial/{TASK}__1#steps",
        "document.querySelectorAll('.step').length > 2 && document.querySelector('#timeline .lane, #timeline svg')",
        then="document.querySelectorAll('.step')[1].open = true",
        last="document.querySelector('.step[open] .body .call, .step[open] .body .text')",
    ),
    "paper": View(
        "paper",
        "",
        f"document.querySelector('.print g') && {_PRINTED}",
        "134",
    ),
    "plot": View("paper", "/plot/0", "document.querySelector('.plot-shown svg')"),
    "audit": View("audit", "", "document.querySelector('a.claim')", "jj", last=_MARKED),
    "library": View(
        "library", "?q=critical+current+density+of+garnets", "document.querySelector('.passage')", "j", last=_MARKED
    ),
    "compare": View("all", "compare/0,1"),
    "pair": View(
        "all",
        f"pair/0,1?family=property_extraction&task={TASK}&attempt=1",
        "document.querySelector('.pairing')",
        "n",
        last=_MARKED,
    ),
    "charts": View("all", "charts/0,1", "document.querySelector('svg')"),
    "label": View("label", "", "document.querySelector('#pane .notice, #pane .sheet')", last=_PRINTED),
    "copy": View("copy", ""),
}


def main() -> int:
    """Write docs/desk-pictures/VIEW-WIDTH[-dark].webp."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("views", nargs="*", metavar="VIEW", help=", ".join(VIEWS))
    parser.add_argument("--material", type=Path, help="a folder for what the views show")
    options = parser.parse_args()
    program = chromium()
    if program is None:
        print(f"no Chromium ({INSTALL})")
        return 1
    with ExitStack() as stack:
        held = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        material = options.material or held
        material.mkdir(exist_ok=True)
        browser = stack.enter_context(Browser(program, held / "profile"))
        OUT.mkdir(exist_ok=True)
        wanted = options.views or list(VIEWS)
        for desk in dict.fromkeys(VIEWS[name].desk for name in wanted):
            with DESKS[desk](material) as address:
                for name in wanted:
                    if VIEWS[name].desk == desk:
                        draw(browser, name, VIEWS[name], address)
    return 0


def draw(browser: Browser, name: str, view: View, address: str) -> None:
    """The four pictures of a view."""
    for width, height in SIZES:
        for dark in (False, True):
            browser.open(f"{address}{view.at}", width=width, height=height, dark=dark)
            browser.until(view.shown)
            for key in view.keys:
                browser.press(key)
            if view.then:
                browser.run(view.then)
            browser.until(view.last)
            time.sleep(0.5)
            wide = browser.run("document.documentElement.scrollWidth")
            if wide > width:
                print(f"{name}: {wide} px wide at {width}")
            browser.picture(OUT / f"{name}-{width}{'-dark' if dark else ''}.webp", **WEBP)


def pincite(*arguments: str | Path) -> None:
    """Run a command of pincite and wait for it."""
    subprocess.run([PINCITE, *arguments], check=True, stdout=subprocess.DEVNULL)


def run_agent(material: Path, name: str, agent: str) -> Path:
    """A run of an agent on the three tasks."""
    if not (material / name / "report").exists():
        shutil.rmtree(material / name, ignore_errors=True)
        tasks = [word for task in TASKS for word in ("--task", task)]
        pincite(
            "run",
            "property_extraction",
            *tasks,
            "--agent",
            agent,
            "--sandbox",
            "local",
            "--name",
            name,
            "--out",
            material,
        )
    return material / name


@contextmanager
def serving(*arguments: str | Path) -> Iterator[str]:
    """The address that a command serves at."""
    with subprocess.Popen([PINCITE, *arguments, "--no-browser"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@contextmanager
def both_runs(material: Path) -> Iterator[str]:
    """A desk of two runs."""
    runs = [run_agent(material, "baseline", "baseline"), run_agent(material, "oracle", "oracle")]
    with serving("view", *runs) as address:
        yield address


@contextmanager
def going(material: Path) -> Iterator[str]:
    """A desk of a run of twenty trials of which some have ended and one is under way."""
    folder = material / "live"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(run_agent(material, "baseline", "baseline"), folder)
    document = json.loads((folder / "run.json").read_text())
    first = document["trials"][0]
    document["trials"] += [f"{task}__{attempt}" for attempt in range(2, 8) for task in TASKS]
    (folder / "run.json").write_text(json.dumps(document))
    shutil.copytree(folder / "trials" / first, folder / "trials" / document["trials"][3])
    (folder / "trials" / document["trials"][3] / "trial.json").unlink()
    (folder / "trials" / document["trials"][3] / "score.json").unlink()
    with subprocess.Popen(["sleep", "600"]) as other, serving("view", folder) as address:
        (folder / ".lock").write_text(str(other.pid))
        try:
            yield address
        finally:
            other.terminate()


@contextmanager
def one_paper(material: Path) -> Iterator[str]:
    """A desk of a paper."""
    with serving("view", PAPERS / f"{TASK}.pdf") as address:
        yield address


@contextmanager
def audited(material: Path) -> Iterator[str]:
    """A desk of a report that is audited."""
    report = material / "garnets.md"
    report.write_text(REPORT)
    with serving("view", report, "--papers", PAPERS / f"{TASK}.pdf") as address:
        yield address


@contextmanager
def searched(material: Path) -> Iterator[str]:
    """A desk of a library of three papers."""
    library = material / "library"
    if not library.exists():
        pincite("library", "add", *(PAPERS / f"{task}.pdf" for task in TASKS), "--library", library)
    with serving("view", library) as address:
        yield address


@contextmanager
def labelled(material: Path) -> Iterator[str]:
    """A queue of doubtful records."""
    queue = material / "queue"
    if not queue.exists():
        run = run_agent(material, "baseline", "baseline")
        pincite("label", "make", run, "--rubric", "labels/evidence", "--sample", "12", "--doubtful", "--out", queue)
    with serving("label", "serve", queue, "--by", "ann") as address:
        yield address


@contextmanager
def copied(material: Path) -> Iterator[str]:
    """A static copy of a trial, opened from the disk."""
    copy = material / "copy"
    if not copy.exists():
        trial = run_agent(material, "baseline", "baseline") / "trials" / f"{TASK}__1"
        pincite("view", trial, "--export", copy)
    pages: Sequence[Path] = sorted(copy.glob("*.html"), key=lambda each: -each.stat().st_size)
    yield pages[0].as_uri()


DESKS: dict[str, Callable[[Path], object]] = {
    "all": both_runs,
    "live": going,
    "paper": one_paper,
    "audit": audited,
    "library": searched,
    "label": labelled,
    "copy": copied,
}


if __name__ == "__main__":
    sys.exit(main())
