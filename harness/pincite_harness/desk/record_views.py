"""The pages of what was recorded of a trial: its time line, the claims of its ledger, its records of the wire."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pincite_core.errors import NotFoundError
from pincite_harness.desk.ledger_shown import has_ledger, show_ledger
from pincite_harness.desk.site import Site
from pincite_harness.desk.timeline import draw_time
from pincite_harness.desk.trial_views import count_in, named_in

_LONGEST = 60
"""Characters of a time as records write it. Set by judgement."""


def routes(site: Site) -> list[Route]:
    """The routes below ``/run/…/trial/…`` that show records."""

    def timeline(request: Request) -> Response:
        run, name = named_in(request)
        _, folder = site.trial(run, name)
        line = draw_time(site.trajectories.of(folder))
        return site.page(request, "timeline.html", run=run, name=name, line=line)

    def ledger(request: Request) -> Response:
        run, name = named_in(request)
        _, folder = site.trial(run, name)
        if not has_ledger(folder):
            raise NotFoundError("The agent recorded no claim in this trial.")
        return site.page(request, "ledger.html", run=run, name=name, shown=show_ledger(folder))

    def wire(request: Request) -> Response:
        run, name = named_in(request)
        _, folder = site.trial(run, name)
        query = request.query_params
        number = count_in(request, "seq") if "seq" in query else None
        records = site.wire.records(folder, query.get("door", ""), number, query.get("at", "")[:_LONGEST])
        return site.page(request, "wire.html", run=run, name=name, records=records)

    base = "/run/{run:int}/trial/{trial}"
    return [
        Route(f"{base}/timeline", timeline),
        Route(f"{base}/ledger", ledger),
        Route(f"{base}/wire", wire),
    ]
