import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pincite_core.cache import DiskCache
from pincite_core.errors import NotFoundError, SourceError
from pincite_core.http.cache_entry import CacheEntry, MemoryCache
from pincite_core.http.exchange import Request, Response
from pincite_core.http.http_cache import HttpCache
from pincite_core.http.policy import Rate, SourcePolicy

pytestmark = pytest.mark.anyio

POLICY = SourcePolicy("library", "Library", "https://library.example", Rate(5, 1.0), fresh_seconds=100.0)
REQUEST = Request(POLICY, "GET", "https://library.example/works/1", most_bytes=1 << 20)


class Source:
    """The live web below the layer: says ``next``, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.status = 200
        self.content = b"first"
        self.headers: dict[str, str] = {}
        self.error: Exception | None = None
        self.gate: asyncio.Event | None = None

    async def ask(self, request: Request) -> Response:
        self.asked.append(request)
        if self.gate is not None:
            await self.gate.wait()
        if self.error is not None:
            raise self.error
        retrieved = datetime(2026, 1, 1, 0, 0, len(self.asked), tzinfo=UTC)
        return Response(request, self.status, request.address, dict(self.headers), self.content, retrieved, "live")


class Clock:
    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


Made = Callable[[], HttpCache]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def make(tmp_path: Path, clock: Clock) -> Made:
    """A layer over one folder, as each process would have it."""
    return lambda: HttpCache(DiskCache(tmp_path, max_bytes=64 << 20), now=clock)


async def _on_disk(folder: Path) -> None:
    """Wait for what is written in the background."""
    while not any(path.is_file() and not path.name.startswith(".") for path in folder.rglob("*")):
        await asyncio.sleep(0.005)


async def test_a_fresh_answer_is_not_asked_for_again(make: Made, source: Source, clock: Clock) -> None:
    layer = make()
    first = await layer.answer(REQUEST, source.ask)
    clock.seconds += 99
    again = await layer.answer(replace(REQUEST), source.ask)
    assert (first.origin, again.origin) == ("live", "cache")
    assert replace(again, origin="live") == first
    assert len(source.asked) == 1


async def test_another_process_finds_it_on_disk(make: Made, source: Source, tmp_path: Path) -> None:
    source.headers = {"etag": '"1"', "content-type": "text/plain"}
    source.content = b"\x00\xff\n\nbinary"
    first = await make().answer(REQUEST, source.ask)
    await _on_disk(tmp_path)
    again = await make().answer(REQUEST, source.ask)
    assert replace(again, origin="live") == first
    assert len(source.asked) == 1


async def test_an_old_answer_is_asked_for_again_with_conditions(make: Made, source: Source, clock: Clock) -> None:
    layer = make()
    source.headers = {"etag": '"1"', "last-modified": "Sat, 01 Jan 2022 00:00:00 GMT"}
    await layer.answer(REQUEST, source.ask)
    clock.seconds += 100
    source.status, source.content, source.headers = 304, b"", {"etag": '"2"'}
    again = await layer.answer(REQUEST, source.ask)
    sent = source.asked[1]
    assert sent.headers["If-None-Match"] == '"1"'
    assert sent.headers["If-Modified-Since"] == "Sat, 01 Jan 2022 00:00:00 GMT"
    assert (again.status, again.content, again.origin) == (200, b"first", "revalidated")
    assert again.retrieved.second == 2
    assert again.request is REQUEST
    clock.seconds += 99
    assert (await layer.answer(REQUEST, source.ask)).origin == "cache"
    clock.seconds += 1
    await layer.answer(REQUEST, source.ask)
    assert source.asked[2].headers["If-None-Match"] == '"2"'


async def test_an_answer_that_changed_takes_the_old_ones_place(make: Made, source: Source, clock: Clock) -> None:
    layer = make()
    source.headers = {"etag": '"1"'}
    await layer.answer(REQUEST, source.ask)
    clock.seconds += 101
    source.content = b"second"
    assert (await layer.answer(REQUEST, source.ask)).content == b"second"
    again = await layer.answer(REQUEST, source.ask)
    assert (again.content, again.origin, len(source.asked)) == (b"second", "cache", 2)


async def test_without_validators_an_old_answer_is_asked_for_plainly(make: Made, source: Source, clock: Clock) -> None:
    layer = make()
    await layer.answer(REQUEST, source.ask)
    clock.seconds += 101
    assert (await layer.answer(REQUEST, source.ask)).origin == "live"
    assert not source.asked[1].headers


async def test_what_is_not_there_is_kept_for_minutes_only(make: Made, source: Source, clock: Clock) -> None:
    layer, days = make(), replace(REQUEST, policy=replace(POLICY, fresh_seconds=86_400.0))
    source.error = NotFoundError("Library has no such entry.", seen="HTTP 404", next="Ask for another.")
    for _ in range(2):
        with pytest.raises(NotFoundError) as raised:
            await layer.answer(days, source.ask)
        assert str(raised.value) == str(source.error)
    assert len(source.asked) == 1
    clock.seconds += 300
    source.error = None
    assert (await layer.answer(days, source.ask)).content == b"first"


async def test_a_caller_that_expects_a_404_gets_its_body(make: Made, source: Source) -> None:
    layer, expecting = make(), replace(REQUEST, expect=frozenset({404}))
    source.error = NotFoundError("Library has no such entry.")
    with pytest.raises(NotFoundError):
        await layer.answer(REQUEST, source.ask)
    source.error, source.status, source.content = None, 404, b"why"
    assert (await layer.answer(expecting, source.ask)).content == b"why"
    assert (await layer.answer(expecting, source.ask)).origin == "cache"
    source.error = NotFoundError("Library has no such entry.")
    with pytest.raises(NotFoundError):
        await layer.answer(REQUEST, source.ask)


async def test_no_outage_is_kept(make: Made, source: Source) -> None:
    layer = make()
    source.error = SourceError("Library answered with an error.", source="library", cause="server_error")
    for _ in range(2):
        with pytest.raises(SourceError):
            await layer.answer(REQUEST, source.ask)
    source.error, source.status = None, 500
    await layer.answer(replace(REQUEST, expect=frozenset({500})), source.ask)
    source.status = 200
    assert (await layer.answer(REQUEST, source.ask)).origin == "live"
    assert len(source.asked) == 4


@pytest.mark.parametrize("header", ["no-store", "private, No-Store", "max-age=0, no-store"])
async def test_no_store_is_obeyed_and_forgets_what_was_kept(
    make: Made, source: Source, clock: Clock, tmp_path: Path, header: str
) -> None:
    layer = make()
    await layer.answer(REQUEST, source.ask)
    await _on_disk(tmp_path)
    clock.seconds += 101
    source.headers = {"cache-control": header}
    for _ in range(2):
        assert (await layer.answer(REQUEST, source.ask)).origin == "live"
    assert (await make().answer(REQUEST, source.ask)).origin == "live"


async def test_a_source_without_freshness_is_always_asked(make: Made, source: Source) -> None:
    layer, never = make(), replace(REQUEST, policy=replace(POLICY, fresh_seconds=0.0))
    for _ in range(2):
        assert (await layer.answer(never, source.ask)).origin == "live"


async def test_a_cache_that_is_switched_off_keeps_nothing(tmp_path: Path, source: Source) -> None:
    layer = HttpCache(DiskCache(tmp_path, max_bytes=0), keep=False)
    for _ in range(2):
        assert (await layer.answer(REQUEST, source.ask)).origin == "live"


async def test_a_clock_set_back_makes_entries_old_and_not_eternal(make: Made, source: Source, clock: Clock) -> None:
    layer = make()
    await layer.answer(REQUEST, source.ask)
    clock.seconds -= 59
    assert (await layer.answer(REQUEST, source.ask)).origin == "cache"
    clock.seconds -= 3600
    assert (await layer.answer(REQUEST, source.ask)).origin == "live"
    assert (await layer.answer(REQUEST, source.ask)).origin == "cache"


async def test_what_is_larger_than_the_caller_takes_is_asked_for(make: Made, source: Source) -> None:
    layer, small = make(), replace(REQUEST, most_bytes=3)
    await layer.answer(REQUEST, source.ask)
    await layer.answer(small, source.ask)
    assert source.asked == [REQUEST, small]


async def test_large_answers_are_kept_on_disk_alone(make: Made, source: Source) -> None:
    layer, large = make(), replace(REQUEST, most_bytes=32 << 20)
    source.content = bytes(5 << 20)
    await layer.answer(large, source.ask)
    again = await layer.answer(large, source.ask)
    assert (again.origin, again.content) == ("cache", source.content)


def test_memory_holds_what_was_used_last_within_its_bound() -> None:
    memory = MemoryCache(1_000_000)
    entry = CacheEntry(0.0, datetime(2026, 1, 1, tzinfo=UTC), 200, content=bytes(100_000))
    for number in range(9):
        assert memory.put(str(number), entry)
    assert memory.get("0") is entry
    assert memory.put("9", entry)
    held = [number for number in range(10) if memory.get(str(number)) is not None]
    assert held == [0, 2, 3, 4, 5, 6, 7, 8, 9]
    assert not memory.put("0", replace(entry, content=bytes(200_000)))
    assert memory.get("0") is None
    assert memory.put("1", entry)
    assert memory.get("2") is entry


@pytest.mark.parametrize("trouble", ["file", "damage"])
async def test_a_disk_that_fails_is_a_cache_that_forgets(
    tmp_path: Path, source: Source, trouble: str, clock: Clock
) -> None:
    if trouble == "file":
        (tmp_path / "cache").write_bytes(b"")
    folder = tmp_path / "cache"
    for _ in range(2):
        layer = HttpCache(DiskCache(folder, max_bytes=1 << 20), now=clock)
        assert (await layer.answer(REQUEST, source.ask)).content == b"first"
        if trouble == "damage":
            await _on_disk(folder)
            for path in folder.rglob("*"):
                if path.is_file():
                    path.write_bytes(b"damaged")
    assert len(source.asked) == 2


async def test_identical_questions_at_the_same_time_are_one(make: Made, source: Source) -> None:
    layer, source.gate = make(), asyncio.Event()
    asking = [asyncio.create_task(layer.answer(replace(REQUEST), source.ask)) for _ in range(20)]
    other = asyncio.create_task(layer.answer(replace(REQUEST, params=(("a", "1"),)), source.ask))
    await asyncio.sleep(0.01)
    source.gate.set()
    answers = await asyncio.gather(*asking, other)
    assert len(source.asked) == 2
    assert {answer.content for answer in answers} == {b"first"}


async def test_an_outage_reaches_all_who_wait(make: Made, source: Source) -> None:
    layer, source.gate = make(), asyncio.Event()
    source.error = SourceError("Library could not be reached.", source="library")
    asking = [asyncio.create_task(layer.answer(REQUEST, source.ask)) for _ in range(3)]
    await asyncio.sleep(0.01)
    source.gate.set()
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(answer) for answer in answers] == [SourceError] * 3
    assert len(source.asked) == 1


async def test_whoever_asked_first_may_go_away(make: Made, source: Source) -> None:
    layer, source.gate = make(), asyncio.Event()
    leader = asyncio.create_task(layer.answer(REQUEST, source.ask))
    await asyncio.sleep(0.01)
    follower = asyncio.create_task(layer.answer(REQUEST, source.ask))
    await asyncio.sleep(0.01)
    leader.cancel()
    await asyncio.sleep(0.01)
    assert leader.cancelled()
    source.gate.set()
    assert (await follower).content == b"first"
    assert len(source.asked) == 1


async def test_a_question_that_nobody_waits_for_is_given_up(make: Made, source: Source) -> None:
    layer, gate = make(), asyncio.Event()
    ended: list[str] = []

    async def ask(request: Request) -> Response:
        try:
            await gate.wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return await source.ask(request)

    asking = [asyncio.create_task(layer.answer(REQUEST, ask)) for _ in range(2)]
    await asyncio.sleep(0.01)
    for task in asking:
        task.cancel()
    # One that comes at this very moment starts again.
    late = asyncio.create_task(layer.answer(REQUEST, source.ask))
    assert (await late).content == b"first"
    await asyncio.gather(*asking, return_exceptions=True)
    assert ended == ["cancelled"]


async def test_posts_are_kept_by_their_body(make: Made, source: Source, clock: Clock) -> None:
    layer, post = make(), replace(REQUEST, method="POST", body=b'{"ids": [1]}')
    source.headers = {"etag": '"1"'}
    await layer.answer(post, source.ask)
    assert (await layer.answer(replace(post, body=b'{"ids":[1]}'), source.ask)).origin == "cache"
    assert (await layer.answer(replace(post, body=b'{"ids": [2]}'), source.ask)).origin == "live"
    clock.seconds += 101
    await layer.answer(post, source.ask)
    assert not source.asked[-1].headers


async def test_a_callers_own_conditions_pass_by(make: Made, source: Source) -> None:
    layer, own = make(), replace(REQUEST, headers={"If-None-Match": '"9"'}, expect=frozenset({304}))
    await layer.answer(REQUEST, source.ask)
    source.status = 304
    assert (await layer.answer(own, source.ask)).status == 304


def test_work_goes_on_in_another_event_loop(make: Made, source: Source) -> None:
    layer = make()

    def run(work: Callable[[], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            return await work()

        return asyncio.run(main())

    assert run(lambda: layer.answer(REQUEST, source.ask)).origin == "live"
    assert run(lambda: layer.answer(REQUEST, source.ask)).origin == "cache"


async def test_an_answer_that_cannot_be_read_is_forgotten(make: Made, source: Source, tmp_path: Path) -> None:
    layer = make()
    source.content = b"<<<"
    with pytest.raises(SourceError):
        (await layer.answer(REQUEST, source.ask)).json()
    source.content = b"{}"
    assert (await layer.answer(REQUEST, source.ask)).json() == {}
    assert len(source.asked) == 2


async def test_an_answer_that_another_process_kept_is_forgotten(make: Made, source: Source, tmp_path: Path) -> None:
    source.content = b"<<<"
    await make().answer(REQUEST, source.ask)
    await _on_disk(tmp_path)
    said = await make().answer(REQUEST, source.ask)
    assert said.origin == "cache"
    await asyncio.to_thread(said.malformed, "no JSON")
    assert (await make().answer(REQUEST, source.ask)).origin == "live"


async def test_an_answer_is_forgotten_while_it_is_being_written(make: Made, source: Source, tmp_path: Path) -> None:
    said = await make().answer(REQUEST, source.ask)
    said.forget()
    for _ in range(200):
        await asyncio.sleep(0.005)
        if not [path for path in tmp_path.rglob("*") if path.is_file()]:
            break
    assert (await make().answer(REQUEST, source.ask)).origin == "live"


async def test_a_forgotten_answer_that_is_on_disk_already_is_asked_for_again(make: Made, source: Source) -> None:
    """The writing thread may have ended while the loop does not know it yet."""
    layer = make()
    for number in range(1, 4):
        said = await layer.answer(REQUEST, source.ask)
        time.sleep(0.05)
        said.forget()
        assert len(source.asked) == number
