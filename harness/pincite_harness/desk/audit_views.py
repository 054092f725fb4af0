"""The pages of an audit: each report with its claims in its own text, the page of a source, the step of an agent."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pincite_core.errors import NotFoundError, PinciteError
from pincite_harness.desk.audit_book import AuditBook, ClaimShown, ReportShown
from pincite_harness.desk.marks import Marked, mark
from pincite_harness.desk.papers import key_of
from pincite_harness.desk.site import Site
from pincite_harness.desk.steps import show_step
from pincite_papers.model import Paper


def routes(site: Site) -> list[Route]:
    """The routes below ``/audit/…``."""

    def found(request: Request) -> tuple[AuditBook, ReportShown]:
        book = site.audit(request.path_params["audit"])
        return book, book.report(request.path_params["report"])

    def audit(request: Request) -> Response:
        book, report = found(request)
        named = {"audit": request.path_params["audit"], "number": request.path_params["report"]}
        return site.page(request, "audit.html", book=book, report=report, **named)

    def claim(request: Request) -> Response:
        book, report = found(request)
        shown = report.claim(request.path_params["claim"])
        paper, marked, why = _place(site, book, shown)
        named = {"audit": request.path_params["audit"], "number": request.path_params["report"]}
        key = key_of(paper) if paper is not None else ""
        place = {"paper": paper, "key": key, "marked": marked, "why": why}
        return site.page(request, "claim.html", report=report, claim=shown, **place, **named)

    def step(request: Request) -> Response:
        _, report = found(request)
        if report.told is None:
            raise NotFoundError("What the agent did is not known here.")
        conversation = report.told.conversation(0)
        wanted = request.path_params["step"]
        at = next((at for at, each in enumerate(conversation.steps, 1) if each.step_id == wanted), 0)
        shown = show_step(report.told, conversation, at)
        return site.page(request, "audit_step.html", report=report, shown=shown, number=wanted)

    base = "/audit/{audit:int}/{report:int}"
    return [
        Route(base, audit),
        Route(f"{base}/claim/{{claim:int}}", claim),
        Route(f"{base}/step/{{step:int}}", step),
    ]


def _place(site: Site, book: AuditBook, claim: ClaimShown) -> tuple[Paper | None, Marked | None, str]:
    """The source of a claim's passage with the passage marked, or why its page is not shown."""
    name = str(claim.entry.get("source", ""))
    if not name:
        return None, None, ""
    file = book.files.get(name)
    known = {str(source.get("name")): str(source.get("paper_id", "")) for source in book.sources}
    if file is None:
        return None, None, f"{name} is not at hand: name its folder with --papers to see its page."
    try:
        paper = site.papers.open(file)
    except PinciteError as error:
        return None, None, str(error)
    span = claim.span
    if paper.paper_id != known.get(name) or span is None or not span.start < span.end <= len(paper.text):
        return None, None, f"{name} is not the file that was audited: nothing is marked."
    return paper, mark(paper, [span]), ""
