"""The pages of several runs: their charts and analyses, two runs side by side, two trials of one task."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.desk.comparing import (
    MOST_ROWS,
    SHOWS,
    TrialPair,
    choose_pairs,
    count_pairs,
    pair_shown,
    pair_trials,
)
from pincite_harness.desk.site import Site

_MOST_RUNS = 6
"""Runs of one page of charts: there are so many colours."""
_LONGEST = 200
"""Characters of a filter."""


def routes(site: Site) -> list[Route]:
    """The routes below ``/charts``, ``/compare`` and ``/pair``."""

    def charts(request: Request) -> Response:
        numbers = _numbers(request, site)
        books = [site.run(number) for number in numbers]
        families = site.charts.report(books)
        return site.page(request, "charts.html", numbers=numbers, books=books, families=families)

    def analyses(request: Request) -> Response:
        books = [site.run(number) for number in _numbers(request, site)]
        return site.page(request, "analyses.html", families=site.charts.analyses(books), books=books)

    def compare(request: Request) -> Response:
        first, second = _two(request, site)
        pairs = _pairs(site, first, second)
        show = request.query_params.get("show", "")
        show = show if show in SHOWS else "all"
        text = request.query_params.get("q", "")[:_LONGEST].strip()
        chosen = choose_pairs(pairs, show, text)
        books = (site.run(first), site.run(second))
        context: dict[str, Any] = {
            "pairs": chosen[:MOST_ROWS],
            "found": len(chosen),
            "counts": count_pairs(pairs),
            "show": show,
        }
        notes = site.charts.notes(books)
        listed = [each for pair in chosen for each in (pair.first, pair.second) if each is not None]
        context["spent"] = any(each.tokens is not None for each in listed)
        return site.page(
            request, "compare.html", numbers=(first, second), books=books, text=text, notes=notes, **context
        )

    def pair(request: Request) -> Response:
        first, second = _two(request, site)
        shown = _pair(request, _pairs(site, first, second))
        books = (site.run(first), site.run(second))
        answers = [
            site.answer(number, listed.trial.name) if listed is not None else None
            for number, listed in ((first, shown.first), (second, shown.second))
        ]
        mine, theirs = answers
        records = pair_shown(mine, theirs) if mine is not None and theirs is not None else []
        return site.page(
            request, "pair.html", numbers=(first, second), books=books, pair=shown, answers=answers, records=records
        )

    return [
        Route("/charts/{runs}", charts),
        Route("/charts/{runs}/analyses", analyses),
        Route("/compare/{runs}", compare),
        Route("/pair/{runs}", pair),
    ]


def _numbers(request: Request, site: Site) -> list[int]:
    """The runs of an address: ``0`` or ``0,2``."""
    parts = request.path_params["runs"].split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        raise NotFoundError("These are not runs of the desk.")
    numbers = list(dict.fromkeys(map(int, parts)))
    if len(numbers) > _MOST_RUNS:
        raise BadInputError(f"{_MOST_RUNS} runs are drawn together at most.", seen=f"{len(numbers)} runs")
    for number in numbers:
        site.run(number)
    return numbers


def _two(request: Request, site: Site) -> tuple[int, int]:
    numbers = _numbers(request, site)
    if len(numbers) != 2:
        raise BadInputError("Two runs are compared.", seen=f"{len(numbers)} named")
    return numbers[0], numbers[1]


def _pairs(site: Site, first: int, second: int) -> list[TrialPair]:
    return pair_trials(site.run(first).trials(), site.run(second).trials())


def _pair(request: Request, pairs: list[TrialPair]) -> TrialPair:
    query = request.query_params
    named = (query.get("family", ""), query.get("task", ""), query.get("attempt", ""))
    for each in pairs:
        if (each.family, each.task, str(each.attempt)) == named:
            return each
    raise NotFoundError("Neither run has this task.")
