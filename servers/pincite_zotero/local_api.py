"""LocalApi: a running Zotero by its local API (version 3, ``http://127.0.0.1:23119/api``).

Reads need no key. Writes (Zotero 10) need one that Zotero gives after its user has agreed: see ``consent``.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import orjson

from pincite_core.errors import (
    BadInputError,
    ForbiddenError,
    NotFoundError,
    PinciteError,
    SourceError,
    UnavailableError,
)
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.json_fields import items, mapping
from pincite_zotero.consent import Consent, Grant
from pincite_zotero.model import Collection, Entry, read_collection, read_entry

ADDRESS = "http://127.0.0.1:23119/api"

CONSENT_SECONDS = 120.0
"""Longest wait for the user to answer Zotero's dialog; set by judgement: most clients end a call after some minutes."""

_PAGE = 100
"""Entries a request: the most that the API gives at once."""
_MOST = 5000
"""Most entries of one answer: a larger library is searched by query or collection; set by judgement."""
_HEADERS = {"Zotero-API-Version": "3"}
_SERVER = "zotero-server-id"
_UNANSWERED = (500, 502, 503)
"""HTTP statuses of a Zotero that is starting, busy or failed: an outage."""


class LocalApi:
    """See ``ZoteroSource``; ``write`` changes the library."""

    def __init__(self, web: Web, address: str, library: str, consent: Consent) -> None:
        self._web = web
        self._consent = consent
        self.policy = SourcePolicy("zotero", "Zotero", address, Rate(200, 1.0, at_once=4), 0.0, trusted=True)
        # A group of its own: where Zotero asks to wait before it is asked for consent again, reads go on.
        self._consenting = replace(self.policy, group="zotero consent")
        self.name = f"Zotero at {address}"
        self.library = library

    async def reach(self) -> str:
        """The id of the running Zotero, "" where it is too old to be written to; UnavailableError where none runs,
        ForbiddenError where its local API is switched off."""
        response = await self._get("")
        return response.headers.get(_SERVER, "")

    async def collections(self) -> list[Collection]:
        """See ``ZoteroSource``."""
        return [read_collection(sent) for sent in await self._all(f"{self.library}/collections", ())]

    async def items(self, *, query: str, collection: str, tag: str) -> list[Entry]:
        """See ``ZoteroSource``; ``query`` is Zotero's quick search over all fields and its full-text index."""
        path = f"{self.library}/collections/{collection}/items/top" if collection else f"{self.library}/items/top"
        asked = [(name, value) for name, value in (("q", query), ("tag", tag)) if value]
        if query:
            asked.append(("qmode", "everything"))
        found = [read_entry(sent) for sent in await self._all(path, asked)]
        return [entry for entry in found if not entry.is_child]

    async def entry(self, key: str) -> Entry:
        """See ``ZoteroSource``."""
        response = await self._get(f"{self.library}/items/{key}", expect=(404,))
        if response.status == 404:
            raise NotFoundError(f"Zotero has no item {key}.", next="Copy a key from search_items.")
        return read_entry(response.json())

    async def children(self, key: str) -> list[Entry]:
        """See ``ZoteroSource``."""
        return [read_entry(sent) for sent in await self._all(f"{self.library}/items/{key}/children", ())]

    async def file_path(self, attachment: Entry) -> str:
        """See ``ZoteroSource``."""
        response = await self._get(f"{self.library}/items/{attachment.key}/file/view/url", expect=(400, 404))
        address = urlsplit(response.content.decode(errors="replace").strip())
        if response.status != 200 or address.scheme != "file":
            raise NotFoundError(
                f"The file of {attachment.title!r} is not on this machine.",
                next="Let the user open it in Zotero once, which downloads it.",
            )
        return url2pathname(unquote(address.path))

    async def write(self, objects: list[dict[str, Any]]) -> list[str]:
        """Create or change entries; their keys in the order of ``objects``. Zotero asks its user first.

        ForbiddenError where the user declines or Zotero is too old, BadInputError for what Zotero does not take,
        UnavailableError where an entry has changed meanwhile.
        """
        server = await self.reach()
        if not server:
            raise ForbiddenError("This Zotero cannot be written to.", next="Let the user update to Zotero 10 or newer.")
        grant = self._consent.known(server) or await self._ask(server)
        response = await self._send(objects, grant)
        if response.status == 401:
            self._consent.forget(server)
            response = await self._send(objects, await self._ask(server))
        return _written(response, len(objects))

    async def _send(self, objects: list[dict[str, Any]], grant: Grant) -> Response:
        self._consent.used(grant)
        return await self._web.post(
            self.policy,
            f"{self.library}/items",
            orjson.dumps(objects),
            headers={**_HEADERS, "Content-Type": "application/json", "Zotero-Server-ID": grant.server},
            access=Access(headers={"Zotero-API-Key": grant.key}),
            expect=(400, 401, 403, 404, 405, 409, 412, 413, 428, 429, *_UNANSWERED),
            secret=True,
        )

    async def _ask(self, server: str) -> Grant:
        """Let Zotero ask its user whether pincite may write."""
        response = await self._web.post(
            self._consenting,
            "local/authorize",
            orjson.dumps({"appName": "pincite"}),
            headers={**_HEADERS, "Content-Type": "application/json", "Zotero-Server-ID": server},
            expect=(403, 404, 412, 428, 429, *_UNANSWERED),
            seconds=CONSENT_SECONDS,
            secret=True,
        )
        answer = _object(response)
        key = answer.get("key")
        if response.status == 200 and isinstance(key, str) and key:
            grant = Grant(server, key, lasting=answer.get("remember") is True)
            self._consent.keep(grant)
            return grant
        raise _refused(response, declined=answer.get("denied") is True)

    async def _all(self, path: str, asked: Iterable[tuple[str, str]]) -> list[Any]:
        """All entries of a listing."""
        found: list[Any] = []
        while True:
            params = (*asked, ("limit", str(_PAGE)), ("start", str(len(found))))
            response = await self._get(path, params, expect=(404,))
            if response.status == 404:
                raise NotFoundError("Zotero has no such collection or item.", next="See list_collections.")
            here = items(response.json())
            found += here
            total = response.headers.get("total-results", "")
            if not here or len(found) >= (int(total) if total.isdecimal() else 0):
                return found
            if len(found) >= _MOST:
                raise BadInputError(
                    f"More than {_MOST} items match.", seen=f"{total} of them", next="Give a query or a collection."
                )

    async def _get(
        self, path: str, params: tuple[tuple[str, str], ...] = (), *, expect: tuple[int, ...] = ()
    ) -> Response:
        try:
            response = await self._web.get(self.policy, path, params, headers=_HEADERS, expect=(403, *expect))
        except SourceError as error:
            if error.cause != "unreachable":
                raise
            raise UnavailableError(
                "No running Zotero was found.",
                seen=error.seen or error.what,
                next="Let the user start Zotero, or set PINCITE_ZOTERO to its data folder.",
            ) from error
        if response.status == 403:
            raise ForbiddenError(
                "Zotero's local API is switched off.",
                next="Let the user allow other applications to communicate with Zotero (Settings, Advanced).",
            )
        return response


def _object(response: Response) -> dict[str, Any]:
    """The body as an object, {} where it is none."""
    try:
        return mapping(orjson.loads(response.content))
    except ValueError:
        return {}


def _refused(response: Response, *, declined: bool = False) -> PinciteError:
    """The error for a write, or a request to be allowed one, that Zotero did not take."""
    said = " ".join(response.content.decode(errors="replace").split())[:200]
    seen = f"HTTP {response.status}: {said}"
    if declined:
        return ForbiddenError("The user does not let pincite write to Zotero.", next="Go on without; do not ask again.")
    if response.status == 403:
        return ForbiddenError("Zotero does not allow this.", seen=seen, next="Ask the user about the library's rights.")
    if response.status == 429:
        wait = response.headers.get("retry-after", "60")
        return UnavailableError("Zotero was asked for consent too often.", seen=seen, next=f"Wait {wait} s.")
    if response.status == 412:
        return UnavailableError("Zotero has changed this meanwhile.", seen=seen, next="Repeat the call.")
    if response.status in (400, 404, 405, 409, 413):
        return BadInputError("Zotero does not take this.", seen=seen, next="Give another item, or update Zotero.")
    return UnavailableError("Zotero did not write this.", seen=seen, next="Try again later.")


def _written(response: Response, count: int) -> list[str]:
    """The keys of all ``count`` objects; the error of the first that was not written."""
    if response.status != 200:
        raise _refused(response)
    answer = _object(response)
    for failed in mapping(answer.get("failed")).values():
        reason = mapping(failed)
        raise BadInputError("Zotero does not take this.", seen=str(reason.get("message") or reason.get("code"))[:200])
    done = {**mapping(answer.get("unchanged")), **mapping(answer.get("success"))}
    if len(done) != count:
        raise response.malformed(f"{len(done)} of {count} entries were written")
    return [str(done[str(number)]) for number in range(count)]
