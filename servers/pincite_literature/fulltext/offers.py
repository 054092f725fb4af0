"""Offers: the routes to a work's full text, found out kind by kind so that no archive is asked in vain.

arXiv as of 2026: ``/src/<id>v<n>`` (what the authors submitted: an archive, one compressed file, or a PDF),
``/html/<id>v<n>`` (LaTeXML, for works since December 2023), ``/pdf/<id>v<n>``; without a version the newest. Europe PMC
RESTful web service 6.x: ``/<pmcid>/fullTextXML``.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import anyio

from pincite_core.errors import NotFoundError, PinciteError
from pincite_core.http.policy import SourcePolicy
from pincite_literature.fulltext.dating import Dating
from pincite_literature.fulltext.pmc import efetch_route, pmc_routes
from pincite_literature.fulltext.route import Attempt, Route, in_order, policy_of_host
from pincite_literature.identifiers import arxiv_of_doi, identify
from pincite_literature.model import FulltextKind, FulltextLink, Identifiers, Work
from pincite_literature.state import LiteratureState

_ARXIV_PATHS: dict[FulltextKind, str] = {"latex": "src", "html": "html", "pdf": "pdf"}
_LINKED: tuple[FulltextKind, ...] = ("jats", "html", "pdf")


@dataclass(slots=True)
class Offers:
    """The routes of one work. ``failures`` tells of archives that could not be asked, or were not."""

    state: LiteratureState
    work: Work
    dating: Dating
    version: int | None = None
    """The version of arXiv that the caller asked for."""
    failures: list[Attempt] = field(default_factory=list[Attempt])
    _found: list[Route] = field(default_factory=list[Route])
    _asked: set[str] = field(default_factory=set[str])
    _ids: Identifiers = field(default_factory=Identifiers)

    def __post_init__(self) -> None:
        ids = self.work.ids
        if ids.arxiv is None and ids.doi is not None:
            ids = replace(ids, arxiv=arxiv_of_doi(ids.doi))
        self._ids = ids
        for link in self.work.links:
            said_open = bool(link.licence) or link.route != "publisher" or self.work.open_access is True
            if said_open or self.work.open_access is None:
                self._add(link, said_open=said_open)
            else:
                outcome = "not tried: the sources say that it is not open"
                self.failures.append(Attempt(link.route, link.kind, link.url, outcome, certain=True, asked=False))

    async def of(self, kind: FulltextKind) -> list[Route]:
        """The routes to a text of this kind, in the order in which to try them."""
        lookups: list[tuple[str, Callable[[], Awaitable[None]]]] = []
        if kind in _LINKED and self.version is None:
            if kind != "jats" and self._ids.doi and arxiv_of_doi(self._ids.doi) is None:
                lookups.append(("Unpaywall", self._ask_unpaywall))
            lookups.append(("PMC", self._ask_pmc))
        async with anyio.create_task_group() as tasks:
            for name, ask in lookups:
                if name not in self._asked:
                    tasks.start_soon(self._ask, name, ask)
        fixed = [*self._of_arxiv(kind), *(self._of_xml_archives() if kind == "jats" and self.version is None else [])]
        return [*in_order([*(route for route in self._found if route.kind == kind), *fixed])]

    def add_pdf(self, url: str, of: Route) -> None:
        """Remember a PDF that a landing page named."""
        if all(route.url != url for route in self._found):
            self._found.append(replace(of, kind="pdf", url=url, params=(), policy=policy_of_host(url)))

    async def _ask(self, name: str, ask: Callable[[], Awaitable[None]]) -> None:
        self._asked.add(name)
        try:
            await ask()
        except NotFoundError:
            return
        except PinciteError as error:
            self.failures.append(Attempt(name, None, "", error.what, certain=False))

    async def _ask_unpaywall(self) -> None:
        from pincite_literature.sources.unpaywall import Unpaywall

        unpaywall = Unpaywall(self.state.web, self.state.settings)
        if not unpaywall.ready:
            outcome = "not asked: it wants an e-mail address, which the user can set as PINCITE_CONTACT"
            self.failures.append(Attempt("Unpaywall", None, "", outcome, certain=True, asked=False))
            return
        for link in await unpaywall.links(self._ids.doi or "") or ():
            self._add(link, said_open=True)

    async def _ask_pmc(self) -> None:
        if self._ids.pmcid is not None:
            first = self.state.cutoff.before is not None
            self._found += await pmc_routes(self.state.web, self._ids.pmcid, first_version=first)

    def _add(self, link: FulltextLink, *, said_open: bool) -> None:
        """Keep a link; one to arXiv or PMC gives the identifier, by which they are asked as they want to be."""
        try:
            host = (urlsplit(link.url).hostname or "").lower()
        except ValueError:
            return
        if not host:
            return
        named = identify(link.url)
        if named is not None and named.arxiv is not None:
            self._ids = replace(self._ids, arxiv=self._ids.arxiv or named.arxiv)
            return
        if named is not None and named.pmcid is not None:
            self._ids = replace(self._ids, pmcid=self._ids.pmcid or named.pmcid)
        if host == "ncbi.nlm.nih.gov" or host.endswith(".ncbi.nlm.nih.gov"):
            return
        policy = policy_of_host(link.url)
        self._found = [route for route in self._found if route.url != link.url or route.said_open]
        self._found.append(
            Route(
                link.kind,
                link.route,
                policy,
                link.url,
                version=link.version,
                licence=link.licence,
                said_open=said_open,
            )
        )

    def _of_arxiv(self, kind: FulltextKind) -> list[Route]:
        number = self._ids.arxiv
        if number is None or kind not in _ARXIV_PATHS:
            return []
        version = self.version or self.dating.arxiv_version
        path = f"{_ARXIV_PATHS[kind]}/{number}{f'v{version}' if version else ''}"
        return [Route(kind, "arXiv", arxiv_files(), path, version="submitted", number=version)]

    def _of_xml_archives(self) -> list[Route]:
        if self._ids.pmcid is None:
            return []
        from pincite_literature.sources.europe_pmc import POLICY as EUROPE_PMC

        return [
            efetch_route(self._ids.pmcid, self.state.settings),
            Route("jats", "Europe PMC", EUROPE_PMC, f"{self._ids.pmcid}/fullTextXML"),
        ]


def arxiv_files() -> SourcePolicy:
    """How arXiv's files are asked for: at the rate of its API, which they share."""
    from pincite_literature.sources.arxiv import POLICY

    return replace(POLICY, name="arxiv_files", base_url="https://arxiv.org", fresh_seconds=7 * 86_400.0)


_NUMBERED = re.compile(r"\d{4}v(\d{1,3})(?![\d\w])")


def arxiv_number(name: str) -> int | None:
    """The version in an arXiv id, address or file name ("2301.00001v3 [cs.CL]", "arXiv-2301.00001v3.tar.gz")."""
    found = _NUMBERED.search(name)
    return int(found[1]) if found else None
