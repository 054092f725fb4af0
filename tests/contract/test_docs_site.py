"""The documentation as a site: it builds with every link and anchor checked, has every page in its navigation, and
asks no host but its own."""

import functools
import http.server
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ZENSICAL = Path(sys.executable).with_name("zensical")
ASKED = "performance.getEntriesByType('resource').map(each => each.name)"
"""What a page asked for, also what was refused or did not answer."""
_LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)")


@pytest.fixture
def source(tmp_path: Path, missing: Callable[[str], None]) -> Path:
    """A copy of what the site is built from."""
    if not ZENSICAL.exists():
        missing("no zensical (pip install 'pincite[docs]')")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy2(ROOT / "zensical.toml", tmp_path)
    return tmp_path


def build(source: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ZENSICAL, "build", "--strict"], cwd=source, capture_output=True, text=True, timeout=120)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def address(source: Path) -> Iterator[str]:
    """Where a server of the built site listens."""
    built = build(source)
    assert built.returncode == 0, built.stdout + built.stderr
    handler = functools.partial(_Quiet, directory=str(source / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_broken_link_or_anchor_fails_the_build(source: Path) -> None:
    with (source / "docs/index.md").open("a") as page:
        page.write("[there](nowhere.md) [there](limits.md#nowhere)")
    built = build(source)
    assert built.returncode != 0
    assert "page does not exist" in built.stderr + built.stdout
    assert "anchor does not exist" in built.stderr + built.stdout


def test_every_page_is_in_the_navigation() -> None:
    shown = set(pages_of(tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]))
    assert shown == {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}


def pages_of(nav: list[dict[str, Any]]) -> Iterator[str]:
    """The paths of a part of the navigation."""
    for entry in nav:
        for value in entry.values():
            yield from [value] if isinstance(value, str) else pages_of(value)


def test_links_of_the_pages_outside_the_site_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "AGENTS.md"):
        lost = [link for link in _LINK.findall((ROOT / name).read_text()) if not (ROOT / link).exists()]
        assert not lost, name


def test_the_command_reference_is_what_the_command_line_says(module_at: Callable[[Path], ModuleType]) -> None:
    built = module_at(ROOT / "scripts/build_commands_page.py").page()
    assert (ROOT / "docs/command-reference.md").read_text() == built, "run python scripts/build_commands_page.py"


def test_no_other_host_is_asked(
    address: str, module_at: Callable[[Path], ModuleType], missing: Callable[[str], None], tmp_path: Path
) -> None:
    """In a browser: pages with tables, code and pictures, and the index of the search, which a script asks for last."""
    browsing = module_at(ROOT / "tests/browser.py")
    program = browsing.chromium()
    if program is None:
        missing(f"no Chromium ({browsing.INSTALL})")
    with browsing.Browser(program, tmp_path / "profile") as browser:
        for page in ("index.html", "desk.html", "benchmarks/fidelity.html", "servers/documents.html"):
            browser.open(f"{address}/{page}")
            browser.until(f"{ASKED}.some(name => name.endsWith('/search.json'))")
            asked = browser.run(ASKED)
            assert not [each for each in asked if not each.startswith((address, "data:", "blob:"))], page
            assert not browser.complaints, page
