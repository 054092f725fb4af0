"""Draw the pictures of docs/desk.md again: a run of the baseline on the bundled tasks, shown in a headless Chromium."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import INSTALL, Browser, chromium  # noqa: E402

TASK = "lscf_cathode"
SIZE = {"width": 1280, "height": 820}
OPTIONS = {"format": "webp", "quality": 80}


def main() -> int:
    """Write docs/desk-trial.webp and docs/desk-paper.webp."""
    program = chromium()
    if program is None:
        print(f"no Chromium ({INSTALL})")
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as held:
        folder = Path(held)
        pincite = Path(sys.executable).with_name("pincite")
        run = [pincite, "run", "property_extraction", "--agent", "baseline", "--sandbox", "local"]
        subprocess.run([*run, "--name", "first", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        paper = ROOT / "tasks" / "property_extraction" / "papers" / f"{TASK}.pdf"
        view = [pincite, "view", folder / "first", paper, "--no-browser"]
        with subprocess.Popen(view, stdout=subprocess.PIPE, text=True) as serving:
            assert serving.stdout is not None
            address = serving.stdout.readline().strip()
            try:
                with Browser(program, folder / "profile") as browser:
                    draw(browser, address)
            finally:
                serving.terminate()
    return 0


def draw(browser: Browser, address: str) -> None:
    """Both pictures, from the list of what is open."""
    browser.open(address)
    links = "[...document.querySelectorAll('.list a')].map((each) => each.href)"
    run, paper = browser.run(links)
    browser.open(f"{run}/trial/{TASK}__1", **SIZE)
    browser.until("document.querySelectorAll('.record').length > 5")
    browser.press("n")
    browser.press("n")
    browser.until("document.querySelector('#pane .mark') && document.querySelector('#pane img').complete")
    browser.run("document.querySelectorAll('.record')[1].open = true")
    time.sleep(0.5)
    browser.picture(ROOT / "docs" / "desk-trial.webp", **OPTIONS)
    browser.open(paper, **SIZE)
    browser.until("document.querySelector('.print g.selected') && document.querySelector('.print img').complete")
    for key in "134":
        browser.press(key)
    browser.run("document.querySelector('.outline .hit').click()")
    browser.until("document.querySelector('#selection .locator')")
    browser.run("scrollTo(0, 0)")
    time.sleep(0.5)
    browser.picture(ROOT / "docs" / "desk-paper.webp", **OPTIONS)


if __name__ == "__main__":
    sys.exit(main())
