"""Unpaywall: where a work can be read for free (API v2 of api.unpaywall.org, 100,000 requests a day)."""

from urllib.parse import quote

from pincite_core.errors import NotFoundError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.model import FulltextLink
from pincite_literature.sources.record import Record
from pincite_literature.sources.route import VERSIONS, kind_of, route_of

NAME = "unpaywall"
POLICY = SourcePolicy(NAME, "Unpaywall", "https://api.unpaywall.org", Rate(10, 1.0, at_once=4))

_SET_CONTACT = "Set PINCITE_CONTACT to your e-mail address: Unpaywall is free, but answers only to one."
_MOST = 50
"""Places of a work that are read. Set by judgement."""


class Unpaywall:
    """Open-access links by DOI."""

    policy = POLICY

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._contact = settings.contact
        self.ready = bool(settings.contact) or settings.http_mode in ("replay", "replay-or-live")
        """Whether it can be asked: only the recorded web wants no PINCITE_CONTACT."""

    async def links(self, doi: str) -> tuple[FulltextLink, ...] | None:
        """Open copies, the best first: published before accepted before submitted as Unpaywall ranks them, the PDF
        before the page. () when it knows of none, None when it does not know the DOI (it knows Crossref's).

        SourceError ("refused") when it is not ``ready``, and when Unpaywall does not take the e-mail address.
        """
        if not self.ready:
            raise SourceError("Unpaywall needs an e-mail address.", source=NAME, cause="refused", next=_SET_CONTACT)
        access = Access(params={"email": self._contact} if self._contact else {})
        try:
            answer = await self._web.get(self.policy, f"v2/{quote(doi, safe='/')}", access=access, expect=(422,))
        except NotFoundError:
            return None
        frame = Record.frame(answer)
        if answer.status == 422:
            said = frame.text("message")[:200]
            said = said.replace(self._contact, "…") if self._contact else said
            raise SourceError("Unpaywall refused access.", source=NAME, cause="refused", seen=said, next=_SET_CONTACT)
        if frame.flag("is_oa") is None:
            raise answer.malformed("it has no truth value 'is_oa'")
        places = (frame.record("best_oa_location"), *frame.records("oa_locations")[:_MOST])
        return tuple(dict.fromkeys(link for place in places for link in _links_of(place)))


def _links_of(place: Record) -> list[FulltextLink]:
    pdf = place.address("url_for_pdf")
    page = place.address("url_for_landing_page") or place.address("url")
    version, licence = VERSIONS.get(place.text("version"), ""), place.text("license")
    otherwise = "publisher" if place.text("host_type") == "publisher" else "Unpaywall"
    links: list[FulltextLink] = []
    if pdf:
        links.append(FulltextLink(kind_of(pdf), pdf, route_of(pdf, otherwise=otherwise), version, licence))
    if page and page != pdf:
        links.append(FulltextLink("html", page, route_of(page, otherwise=otherwise), version, licence))
    return links
