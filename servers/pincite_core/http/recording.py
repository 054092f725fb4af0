"""Recording: stores responses while the web is asked, and replays them without it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from pincite_core.errors import LimitReachedError, PinciteError, SourceError
from pincite_core.http.exchange import Next, Request, Response
from pincite_core.http.keys import RequestKey, request_key
from pincite_core.http.store import ExchangeStore, Outcome

Mode = Literal["record", "replay", "replay-or-live"]


class Recording:
    """A layer that answers from ``store`` what it has, with ``origin`` "record", and in the mode

    - "record" asks for everything else and keeps it. The first answer of a question stays; a failure is kept too (one
      that was given up counts as slow), and so is an answer that cannot be read, so that a replay fails with the same
      words, until the same question has a proper answer. What is kept is what is answered, so that a recorded session
      and its replay do not differ.
    - "replay" asks nothing: what the store does not have is a SourceError ("not_recorded"). No limit, circuit or cache
      takes part.
    - "replay-or-live" asks for everything else and keeps nothing; recorded failures stand.

    A source's other address (``source_urls``) does not matter: a question is known by its source and path.
    """

    def __init__(self, store: ExchangeStore, mode: Mode, source_urls: Mapping[str, str]) -> None:
        self._store = store
        self._mode: Mode = mode
        self._source_urls = dict(source_urls)

    async def answer(self, request: Request, call_next: Next) -> Response:
        """The recorded response or failure; otherwise what the mode asks for."""
        if request.secret:
            if self._mode == "replay":
                raise _not_recorded(request, self._store)
            return await call_next(request)
        key = self.key(request)
        recording = self._mode == "record"
        recorded = await asyncio.to_thread(self._store.find, key, request, settled=recording)
        if recorded is not None and _serves(recorded, request):
            return _replayed(recorded, request)
        if self._mode == "replay":
            raise _not_recorded(request, self._store)
        return await (self._record(key, request, call_next) if recording else call_next(request))

    def key(self, request: Request) -> RequestKey:
        """The name of a question in the store."""
        return request_key(request, self._source_urls)

    async def _record(self, key: RequestKey, request: Request, call_next: Next) -> Response:
        try:
            outcome: Outcome = await call_next(request)
        except PinciteError as error:
            outcome = error
        except asyncio.CancelledError:
            # Whoever asked has run out of time: in a replay the same question ends the same way.
            self._store.keep(key, request, _cut_off(request))
            raise
        recorded = await asyncio.to_thread(self._store.keep, key, request, outcome)
        response = _replayed(recorded if _serves(recorded, request) else outcome, request)
        return replace(response, forget=lambda: self._doubt(key, outcome, response))

    def _doubt(self, key: RequestKey, outcome: Outcome, response: Response) -> None:
        """Take an answer that cannot be read out of the cache, and let a later recording replace it."""
        self._store.doubt(key, response)
        if isinstance(outcome, Response):
            outcome.forget()


def _serves(outcome: Outcome, request: Request) -> bool:
    """Whether this caller would get such an answer from the live web: one may expect statuses that another does not."""
    return isinstance(outcome, PinciteError) or 200 <= outcome.status < 300 or outcome.status in request.expect


def _replayed(outcome: Outcome, request: Request) -> Response:
    if isinstance(outcome, PinciteError):
        raise outcome
    if request.most_bytes and len(outcome.content) > request.most_bytes:
        raise LimitReachedError(
            "The response is too large to be read.",
            seen=f"more than {request.most_bytes} bytes",
            next="Ask for less: fewer results, or a narrower query.",
        )
    return outcome


def _cut_off(request: Request) -> SourceError:
    what = f"{request.policy.title} did not answer in {request.seconds:g} s."
    return SourceError(what, source=request.policy.name, cause="slow")


def _not_recorded(request: Request, store: ExchangeStore) -> SourceError:
    return SourceError(
        "The recorded web does not have this request.",
        source=request.policy.name,
        cause="not_recorded",
        seen=f"{request.method} {request.address}; the store is {store.folder}",
        next="Ask what was asked when it was recorded, or record it: PINCITE_HTTP_MODE=record.",
    )
