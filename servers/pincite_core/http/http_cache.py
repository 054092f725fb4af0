"""HttpCache: the response cache. Entries live as long as the source's policy says; equal requests are sent once."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from pincite_core.cache import DiskCache
from pincite_core.errors import NotFoundError
from pincite_core.http.cache_entry import CacheEntry, MemoryCache, read_entry, write_entry
from pincite_core.http.exchange import Next, Request, Response
from pincite_core.http.flights import Flights
from pincite_core.http.keys import request_key

_NAMESPACE = "http"
_VERSION = "1"
_NEGATIVE_SECONDS = 300.0
"""Seconds that "not found" is believed: a work may be registered at any time. Set by judgement."""
_SKEW_SECONDS = 60.0
"""How far in the future an entry may lie (clocks of machines that share a disk); beyond it the clock was set back."""

_MEMORY_BYTES = 16 << 20
"""Bytes of answers in memory, before the cache on disk. Set by judgement."""
_KEPT_STATUSES = frozenset({200, 203, 204})
_NEGATIVE_STATUSES = frozenset({404, 410})
_CONDITIONAL = ("if-none-match", "if-modified-since")


class HttpCache:
    """A layer that answers from memory and ``disk`` for ``policy.fresh_seconds``, and a 404 for five minutes.

    What is older is asked for again with If-None-Match and If-Modified-Since; a 304 makes it fresh ("revalidated").
    Identical questions that are asked at the same time become one. Outages, refusals, credentials and answers with
    ``Cache-Control: no-store`` are never kept. ``now`` gives seconds since the epoch; a clock that was set back makes
    entries stale.
    """

    def __init__(self, disk: DiskCache, *, keep: bool = True, now: Callable[[], float] = time.time) -> None:
        self._disk = disk
        self._keep = keep
        self._now = now
        self._memory = MemoryCache(_MEMORY_BYTES)
        self._flights = Flights[Response]()
        self._writing: dict[str, asyncio.Future[None]] = {}
        self._forgotten: set[str] = set()
        """Keys whose entry on disk may still have to be taken away."""

    async def answer(self, request: Request, call_next: Next) -> Response:
        """The kept answer while it is fresh, else the source's; a kept 404 is raised as NotFoundError."""
        if request.secret or any(name.lower() in _CONDITIONAL for name in request.headers):
            return await call_next(request)
        key = request_key(request).digest
        entry = self._recall(key, request) if self._keep else None
        if entry is not None and self._fresh(entry, request):
            return self._forgettable(key, _answered(entry, request))
        same = (key, request.expect, request.most_bytes)
        response = await self._flights.join(same, lambda: self._ask(key, entry, request, call_next))
        return self._forgettable(key, response if response.request is request else replace(response, request=request))

    def _forgettable(self, key: str, response: Response) -> Response:
        """The answer, which whoever finds that it cannot be read takes out of the cache."""
        loop = asyncio.get_running_loop()

        def forget() -> None:
            self._forgotten.add(key)
            self._memory.remove(key)
            writing = self._writing.get(key)
            if writing is None:
                self._disk.remove(_NAMESPACE, _VERSION, key)
            else:
                loop.call_soon_threadsafe(writing.add_done_callback, removed)

        def removed(_: object) -> None:
            self._disk.remove(_NAMESPACE, _VERSION, key)

        return replace(response, forget=forget)

    def _recall(self, key: str, request: Request) -> CacheEntry | None:
        """What is kept and may answer this request: within its size, and of a kind that it expects."""
        if key in self._forgotten:
            return None
        entry = self._memory.get(key)
        if entry is None or not self._fresh(entry, request):
            entry = self._newer(key, entry)
        if entry is None:
            return None
        if entry.missing is not None:
            return None if request.expect & _NEGATIVE_STATUSES else entry
        taken = entry.status in request.expect or entry.status in _KEPT_STATUSES
        return entry if taken and (not request.most_bytes or len(entry.content) <= request.most_bytes) else None

    def _newer(self, key: str, held: CacheEntry | None) -> CacheEntry | None:
        """What is on disk where it is newer than what memory held: another process may have asked."""
        stored = self._disk.get(_NAMESPACE, _VERSION, key)
        found = read_entry(stored) if stored is not None else None
        if found is None or (held is not None and held.checked >= found.checked):
            return held
        self._memory.put(key, found)
        return found

    def _fresh(self, entry: CacheEntry, request: Request) -> bool:
        lifetime = request.policy.fresh_seconds
        if entry.missing is not None or entry.status in _NEGATIVE_STATUSES:
            lifetime = min(lifetime, _NEGATIVE_SECONDS)
        return lifetime > 0 and -_SKEW_SECONDS <= self._now() - entry.checked < lifetime

    async def _ask(self, key: str, entry: CacheEntry | None, request: Request, call_next: Next) -> Response:
        conditions = _conditions(entry) if entry is not None and request.method == "GET" else {}
        try:
            response = await call_next(_conditional(request, conditions) if conditions else request)
        except NotFoundError as error:
            await self._put(key, CacheEntry.of_missing(error, self._now()), request)
            raise
        if response.status == 304 and conditions and entry is not None:
            again = replace(
                entry, headers={**entry.headers, **response.headers}, retrieved=response.retrieved, checked=self._now()
            )
            await self._put(key, again, request)
            return _answered(again, request, revalidated=True)
        if response.request is not request:
            response = replace(response, request=request)
        if response.status in _KEPT_STATUSES or response.status in _NEGATIVE_STATUSES:
            await self._put(key, CacheEntry.of(response, self._now()), request)
        return response

    async def _put(self, key: str, entry: CacheEntry, request: Request) -> None:
        """Keep it, if it may be kept: at once where memory takes it, on disk in a thread (a flush may take long)."""
        if not self._keep or request.policy.fresh_seconds <= 0:
            return
        if _no_store(entry):
            self._memory.remove(key)
            self._disk.remove(_NAMESPACE, _VERSION, key)
            return
        self._forgotten.discard(key)
        held = self._memory.put(key, entry)
        writing = asyncio.get_running_loop().run_in_executor(
            None, self._disk.put, _NAMESPACE, _VERSION, key, write_entry(entry)
        )
        self._writing[key] = writing
        writing.add_done_callback(lambda done: self._written(key, done))
        if not held:
            await writing

    def _written(self, key: str, writing: "asyncio.Future[None]") -> None:
        if self._writing.get(key) is writing:
            del self._writing[key]


def _answered(entry: CacheEntry, request: Request, *, revalidated: bool = False) -> Response:
    if entry.missing is not None:
        what, seen, following = entry.missing
        raise NotFoundError(what, seen=seen, next=following)
    return Response(
        request=request,
        status=entry.status,
        url=entry.url,
        headers=entry.headers,
        content=entry.content,
        retrieved=entry.retrieved,
        origin="revalidated" if revalidated else "cache",
    )


def _conditions(entry: CacheEntry) -> dict[str, str]:
    found = {
        "If-None-Match": entry.headers.get("etag", ""),
        "If-Modified-Since": entry.headers.get("last-modified", ""),
    }
    return {name: value for name, value in found.items() if value}


def _conditional(request: Request, conditions: dict[str, str]) -> Request:
    return replace(request, headers={**request.headers, **conditions}, expect=request.expect | {304})


def _no_store(entry: CacheEntry) -> bool:
    directives = entry.headers.get("cache-control", "").lower().split(",")
    return any(directive.strip() == "no-store" for directive in directives)
