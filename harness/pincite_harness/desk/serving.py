"""Serving: the desk on the loopback, at an address with a token that only this start knows."""

import secrets
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn

from pincite_core.serving import listen
from pincite_core.settings import Settings
from pincite_harness.desk.addresses import Addresses
from pincite_harness.desk.app import create_app
from pincite_harness.desk.audit_book import make_book
from pincite_harness.desk.library_book import LibraryBook
from pincite_harness.desk.papers import Papers, key_of
from pincite_harness.desk.run_book import RunBook
from pincite_harness.desk.site import Site
from pincite_harness.desk.targets import Targets
from pincite_harness.reports.loading import load_run
from pincite_harness.reports.trials.subject import Subjects
from pincite_harness.runs.run_folder import RUN_FILE

_TOKEN_BYTES = 24
"""192 random bits."""
_GRACE_SECONDS = 1
"""Seconds that requests under way have to end."""


def open_site(targets: Targets, settings: Settings, base: str) -> Site:
    """What the desk shows of ``targets``; a PinciteError where a run or paper cannot be read."""
    papers = Papers(settings)
    try:
        runs = [RunBook(path) for path in targets.runs]
        given = [key_of(papers.open(path)) for path in targets.papers]
        audits = [make_book(path, _sources(path, targets)) for path in targets.audits]
        libraries = [LibraryBook(path, settings) for path in targets.libraries]
    except BaseException:
        papers.close()
        raise
    return Site(settings, runs, papers, given, Addresses(base), audits, libraries)


def _sources(path: Path, targets: Targets) -> Sequence[Path]:
    """What a report is audited against: the papers that were named, else those of the run's own tasks."""
    run = next((each for each in (path, *path.parents[:2]) if (each / RUN_FILE).is_file()), None)
    if targets.sources or run is None:
        return targets.sources
    report = load_run(run)
    subjects = Subjects(report)
    return list(dict.fromkeys(file for trial in report.trials for file in subjects.of(trial).papers.values()))


def serve_desk(targets: Targets, settings: Settings, port: int, opened: Callable[[str], None]) -> None:
    """Serve at 127.0.0.1 until stopped; ``opened`` is told the address once it listens. Port 0 is a free one."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with listen("127.0.0.1", port) as listener:
        bound = listener.getsockname()[1]
        site = open_site(targets, settings, f"/{token}")
        site.prepare()
        server: uvicorn.Server | None = None
        app = create_app(site, token, bound, lambda: server is not None and server.should_exit)
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE_SECONDS
        )
        server = uvicorn.Server(config)
        threading.Thread(target=site.warm, daemon=True).start()
        try:
            opened(f"http://127.0.0.1:{bound}{first_page(site, targets)}")
            server.run(sockets=[listener])
        finally:
            site.close()


def first_page(site: Site, targets: Targets) -> str:
    """The page that is meant: that of the one trial, run or paper that was named, else the list of all."""
    links = site.links
    if targets.trial:
        return links.trial(0, targets.trial)
    if sum(map(len, (site.audits, site.runs, site.given, site.libraries))) != 1:
        return links.home()
    if site.audits:
        return links.audit(0, 0) if len(site.audits[0].reports) == 1 else links.home()
    if site.libraries:
        return links.library(0)
    return links.run(0) if site.runs else links.paper(site.given[0])
