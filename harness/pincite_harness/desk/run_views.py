"""The pages of a run: its trials, filtered, sorted and paged, and their changes as they happen."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from pincite_harness.desk.listing import Wanted, first_page, list_trials
from pincite_harness.desk.live import run_events
from pincite_harness.desk.site import Site


def routes(site: Site, ended: Callable[[], bool]) -> list[Route]:
    """The routes below ``/run/…``."""

    def run(request: Request) -> Response:
        number = request.path_params["run"]
        book = site.run(number)
        wanted = Wanted.of(request.query_params)
        at_once = wanted == Wanted() and not book.is_read
        listing = first_page(book) if at_once else list_trials(book.trials(), wanted)
        return site.page(request, "run.html", run=number, book=book, listing=listing, wanted=listing.wanted)

    async def events(request: Request) -> Response:
        book = site.run(request.path_params["run"])
        return StreamingResponse(run_events(book, ended), media_type="text/event-stream")

    return [Route("/run/{run:int}", run), Route("/run/{run:int}/events", events)]
