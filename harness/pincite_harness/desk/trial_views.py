"""The pages of a trial: its steps, its answer beside gold, its pictures, and where its locators lead."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.desk.ledger_shown import has_ledger
from pincite_harness.desk.live import trial_events
from pincite_harness.desk.marks import mark
from pincite_harness.desk.papers import key_of
from pincite_harness.desk.pictures import PICTURES, picture_in
from pincite_harness.desk.site import Site
from pincite_harness.desk.steps import PAGE_STEPS, find_in, show_step, step_lines
from pincite_harness.desk.surroundings import crops_of
from pincite_harness.desk.trajectories import Told
from pincite_harness.reports.trials.page import end_of
from pincite_harness.trial.faults import FAULTS_FILE
from pincite_papers.model import Span

_LONGEST = 200
"""Characters of a search."""


def routes(site: Site, ended: Callable[[], bool]) -> list[Route]:
    """The routes below ``/run/…/trial/…``."""

    def trial(request: Request) -> Response:
        run, name = named_in(request)
        listed, folder = site.trial(run, name)
        told, why = _told(site, folder)
        names = site.run(run).document.trials
        at = names.index(name)
        around = (names[at - 1] if at else None, names[at + 1] if at + 1 < len(names) else None)
        lines = step_lines(told.conversation(0), 1) if told is not None else []
        context: dict[str, Any] = {"run": run, "listed": listed, "trial": listed.trial, "told": told, "why": why}
        context["lines"] = lines
        logs = [(path.name, end_of(path)) for path in (folder / "agent.log", folder / FAULTS_FILE)]
        context["has_ledger"] = has_ledger(folder)
        return site.page(request, "trial.html", **context, around=around, page_steps=PAGE_STEPS, logs=logs)

    def answer(request: Request) -> Response:
        run, name = named_in(request)
        return site.page(request, "answer.html", run=run, name=name, shown=site.answer(run, name))

    def steps(request: Request) -> Response:
        run, name = named_in(request)
        conversation = _told_or_error(site, run, name).conversation(count_in(request, "conversation"))
        lines = step_lines(conversation, max(1, count_in(request, "first")), count_in(request, "last"))
        context = {"conversation": conversation, "lines": lines, "page_steps": PAGE_STEPS}
        return site.page(request, "steps.html", run=run, name=name, **context)

    def step(request: Request) -> Response:
        run, name = named_in(request)
        told = _told_or_error(site, run, name)
        conversation = told.conversation(count_in(request, "conversation"))
        shown = show_step(told, conversation, count_in(request, "number"))
        return site.page(request, "step.html", run=run, name=name, conversation=conversation, shown=shown)

    def find(request: Request) -> Response:
        run, name = named_in(request)
        text = request.query_params.get("q", "")[:_LONGEST]
        found = find_in(_told_or_error(site, run, name), text)
        return site.page(request, "found.html", run=run, name=name, text=text, found=found)

    def media(request: Request) -> Response:
        run, name = named_in(request)
        _, folder = site.trial(run, name)
        path = picture_in(folder, request.path_params["path"])
        return FileResponse(path, media_type=PICTURES[path.suffix.lower()])

    def locator(request: Request) -> Response:
        run, name = named_in(request)
        site.open_papers_of(run, name)
        paper, start, end = site.papers.named_in(request.query_params.get("at", ""))
        spans = [Span(start, end)] if start < end else []
        marked = mark(paper, spans, paper.page_at(start))
        key = key_of(paper)
        context = {"key": key, "name": site.papers.name(key), "paper": paper, "marked": marked}
        return site.page(request, "place.html", crops=crops_of(paper, spans), **context)

    async def events(request: Request) -> Response:
        run, name = named_in(request)
        _, folder = await anyio.to_thread.run_sync(site.trial, run, name)
        return StreamingResponse(trial_events(folder, ended), media_type="text/event-stream")

    base = "/run/{run:int}/trial/{trial}"
    return [
        Route(base, trial),
        Route(f"{base}/events", events),
        Route(f"{base}/answer", answer),
        Route(f"{base}/steps", steps),
        Route(f"{base}/step", step),
        Route(f"{base}/find", find),
        Route(f"{base}/media/{{path:path}}", media),
        Route(f"{base}/locator", locator),
    ]


def named_in(request: Request) -> tuple[int, str]:
    """The run and the trial of an address."""
    parameters: Mapping[str, str] = request.path_params
    return int(parameters["run"]), parameters["trial"]


def count_in(request: Request, name: str) -> int:
    """A number of the query, 0 without it; BadInputError for anything that is not one."""
    text = request.query_params.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadInputError(f"{name} is not a number.", seen=text[:40])
    return int(text)


def _told(site: Site, folder: Path) -> tuple[Told | None, str]:
    """The trajectory, or why there is none."""
    try:
        return site.trajectories.of(folder), ""
    except PinciteError as error:
        return None, str(error)


def _told_or_error(site: Site, run: int, name: str) -> Told:
    _, folder = site.trial(run, name)
    return site.trajectories.of(folder)
