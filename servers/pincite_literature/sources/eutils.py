"""E-utilities: how NCBI is asked (esearch, efetch, elink of PubMed) and how it says that something is wrong.

After "Entrez Programming Utilities Help" (https://www.ncbi.nlm.nih.gov/books/NBK25499/): 3 requests a second, 10 with a
key; ``tool`` and ``email`` identify us; ESearch shows the first 9,999 works of a query. Errors come with status 200
(``ERROR``) and 400, sometimes as JSON with raw control characters in its texts.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from pincite_core.errors import BadInputError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.outcomes import asks_to_wait, failure
from pincite_core.http.policy import DAY, Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.sources.record import Record

DEEPEST = 9_999
"""Most works of one query that ESearch shows."""

_LONGEST_ADDRESS = 1_500
"""Characters of an address; longer queries are posted. Set by judgement."""
_MOST_BYTES = 32 << 20
"""Bytes of an answer that is read; a longer one is an error. Set by judgement."""
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_OUTAGES = (
    "rate limit", "backend", "unavailable", "timeout", "timed out", "exception", "could not", "couldn't", "server",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hits:
    """What ESearch found: PMIDs of one page, how many works in all, words that it does not know and left out."""

    pmids: tuple[str, ...]
    total: int
    unknown: tuple[str, ...] = ()
    unknown_fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """What ELink knows of one PMID: PMIDs with their scores (0 where it gives none), in its order."""

    pmids: tuple[tuple[str, int], ...]


def policy_of(settings: Settings) -> SourcePolicy:
    """PubMed's policy: a key allows more."""
    return SourcePolicy(
        name="pubmed",
        title="PubMed",
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        rate=Rate(requests=10 if settings.ncbi_api_key else 3, seconds=1.0, at_once=3),
        fresh_seconds=DAY,
        group="ncbi",
    )


def access_of(settings: Settings) -> Access:
    """What identifies us to NCBI."""
    params = {"tool": "pincite"}
    if settings.contact:
        params["email"] = settings.contact
    if settings.ncbi_api_key is not None:
        params["api_key"] = settings.ncbi_api_key.get_secret_value()
    return Access(params=params)


class Eutils:
    """NCBI's E-utilities for PubMed."""

    def __init__(self, web: Web, settings: Settings) -> None:
        self.policy = policy_of(settings)
        self._web = web
        self._access = access_of(settings)

    async def search(self, term: str, *, start: int = 0, most: int, **others: str) -> Hits:
        """PMIDs that fit ``term``; ``others`` are parameters of ESearch (sort, mindate, …)."""
        params = {
            "db": "pubmed",
            "term": term,
            "retmode": "json",
            "retstart": str(start),
            "retmax": str(most),
            **others,
        }
        response = await self._ask("esearch.fcgi", params)
        found = Record.of(_lenient(response))
        result = found.record("esearchresult") if found is not None else Record()
        self._check(response, result if "ERROR" in result else found or Record())
        total, listed = result.text("count"), result.fields.get("idlist")
        if not (total.isascii() and total.isdigit() and len(total) < 12 and isinstance(listed, list)):
            raise response.malformed("it has no count and no list of ids")
        pmids = tuple(pmid for pmid in result.texts("idlist") if pmid.isascii() and pmid.isdigit())
        if not pmids and most and int(total) > start:
            raise response.malformed(f"it counts {total} works and gives none of them")
        errors = result.record("errorlist")
        return Hits(pmids, int(total), errors.texts("phrasesnotfound"), errors.texts("fieldsnotfound"))

    async def fetch(self, pmids: Sequence[str]) -> Response:
        """The XML of these records."""
        return await self._ask("efetch.fcgi", {"db": "pubmed", "id": ",".join(pmids), "retmode": "xml"})

    async def link(self, pmid: str, name: str, *, scores: bool = False) -> Linked:
        """The works that NCBI links with ``pmid`` under ``name`` (such as ``pubmed_pubmed_citedin``)."""
        command = "neighbor_score" if scores else "neighbor"
        params = {"dbfrom": "pubmed", "db": "pubmed", "id": pmid, "linkname": name, "cmd": command, "retmode": "json"}
        response = await self._ask("elink.fcgi", params)
        found = Record.of(_lenient(response)) or Record()
        self._check(response, found)
        pairs: list[tuple[str, int]] = []
        for linkset in found.rows(response, "linksets"):
            self._check(response, linkset)
            for links in linkset.records("linksetdbs"):
                if links.text("linkname") == name:
                    pairs += _pairs(links)
        return Linked(tuple(dict.fromkeys(pairs)))

    async def _ask(self, path: str, params: Mapping[str, str]) -> Response:
        """By POST where the address would be too long for some of the servers between us and NCBI."""
        asked = urlencode(params)
        if len(asked) <= _LONGEST_ADDRESS:
            response = await self._web.get(
                self.policy, path, params, access=self._access, expect=(400,), most_bytes=_MOST_BYTES
            )
        else:
            response = await self._web.post(
                self.policy,
                path,
                asked.encode(),
                headers=_FORM,
                access=self._access,
                expect=(400,),
                most_bytes=_MOST_BYTES,
            )
        if response.status == 400:
            raise self._refused(response)
        return response

    def _refused(self, response: Response) -> Exception:
        """The error for status 400: a key that is none, or a query."""
        said = response.content[:2000].decode(errors="replace")
        if "api key" in said.lower() or "api-key" in said.lower():
            return failure(
                response.request,
                "refused",
                f"{self.policy.title} refused access.",
                "NCBI does not know the key",
                next="Correct or unset PINCITE_NCBI_API_KEY.",
            )
        return BadInputError(
            f"{self.policy.title} rejected this query.",
            seen=" ".join(said.split())[:300],
            next="Correct the query.",
        )

    def _check(self, response: Response, record: Record) -> None:
        """Raise what an answer says of an error."""
        words = record.text("ERROR") or record.text("error")
        if not words:
            return
        lower = words.lower()
        if "cannot be larger than" in lower or not any(sign in lower for sign in _OUTAGES):
            raise BadInputError(
                f"{self.policy.title} rejected this query.", seen=words[:300], next="Correct the query."
            )
        response.forget()
        if "rate limit" in lower:
            raise asks_to_wait(response.request, None, words[:300])
        raise failure(response.request, "server_error", f"{self.policy.title} answered with an error.", words[:300])


def _lenient(response: Response) -> object:
    """The body as JSON, raw control characters in its texts allowed."""
    try:
        return response.json()
    except SourceError:
        try:
            return json.loads(response.content.decode(), strict=False)
        except (ValueError, RecursionError):
            pass
        raise


def _pairs(links: Record) -> list[tuple[str, int]]:
    """PMIDs with scores of a list of links, which are texts or objects with ``id`` and ``score``."""
    found = [(pmid, 0) for pmid in links.texts("links")]
    found += [(one.text("id"), _score(one)) for one in links.records("links")]
    return [(pmid, score) for pmid, score in found if pmid.isascii() and pmid.isdigit()]


def _score(link: Record) -> int:
    text = link.text("score")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
