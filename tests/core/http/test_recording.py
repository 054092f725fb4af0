import asyncio
import os
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from pincite_core import errors
from pincite_core.errors import (
    BadInputError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    PinciteError,
    SourceError,
    UnavailableError,
)
from pincite_core.http.exchange import Request, Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.http.recording import Mode, Recording
from pincite_core.http.store import ExchangeStore

pytestmark = pytest.mark.anyio

POLICY = SourcePolicy("library", "Library", "https://library.example/api", Rate(5, 1.0))
REQUEST = Request(POLICY, "GET", "https://library.example/api/works/1", (("q", "é"),), most_bytes=1 << 20)
BUSY = SourceError(
    "Library asks to wait 120 s.",
    source="library",
    cause="rate_limited",
    retry_after=120.0,
    seen="HTTP 429",
    next="Try again later.",
)


class Source:
    """The live web below the layer: says ``content`` or raises ``error``, and counts."""

    def __init__(self) -> None:
        self.asked = 0
        self.status = 200
        self.content = b"first"
        self.headers: dict[str, str] = {}
        self.error: PinciteError | None = None

    async def ask(self, request: Request) -> Response:
        self.asked += 1
        if self.error is not None:
            raise self.error
        retrieved = datetime(2026, 1, 1, 12, 30, self.asked, tzinfo=UTC)
        return Response(request, self.status, request.address, self.headers, self.content, retrieved, "live")


@pytest.fixture
def source() -> Source:
    return Source()


def _layer(folder: Path, mode: Mode, source_urls: dict[str, str] | None = None) -> Recording:
    return Recording(ExchangeStore(folder, writable=mode == "record"), mode, source_urls or {})


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


async def test_what_is_recorded_is_replayed_and_the_first_answer_stays(tmp_path: Path, source: Source) -> None:
    source.content, source.headers = b"\x00\n\n{}\xff", {"content-type": "x", "set-cookie": "session=1"}
    recorded = await _layer(tmp_path, "record").answer(REQUEST, source.ask)
    assert (recorded.origin, recorded.content, recorded.retrieved.second) == ("record", source.content, 1)
    assert recorded.headers == {"content-type": "x"}
    source.content = b"second"
    for mode in ("record", "replay", "replay-or-live"):
        assert await _layer(tmp_path, mode).answer(REQUEST, source.ask) == recorded
    assert source.asked == 1


async def test_a_miss_of_a_replay_names_the_request_and_the_store(tmp_path: Path, source: Source) -> None:
    with pytest.raises(SourceError) as raised:
        await _layer(tmp_path, "replay").answer(REQUEST, source.ask)
    assert raised.value.what == "The recorded web does not have this request."
    assert (raised.value.source, raised.value.cause) == ("library", "not_recorded")
    assert "GET https://library.example/api/works/1?q=%C3%A9" in raised.value.seen
    assert str(tmp_path) in raised.value.seen
    assert source.asked == 0


async def test_replay_or_live_asks_for_the_rest_and_keeps_nothing(tmp_path: Path, source: Source) -> None:
    for number in (1, 2):
        assert (await _layer(tmp_path, "replay-or-live").answer(REQUEST, source.ask)).origin == "live"
        assert source.asked == number
    assert _files(tmp_path) == []


@pytest.mark.parametrize(
    "error",
    [
        BUSY,
        SourceError("Library could not be reached.", source="library"),
        NotFoundError("Library has no such entry.", seen="HTTP 404"),
        BadInputError("Library rejected this query.", seen="HTTP 400: é", next="Change it."),
        ForbiddenError("That may not be fetched."),
        LimitReachedError("The response is too large to be read."),
    ],
    ids=lambda error: error.code,
)
async def test_a_failure_is_replayed_with_its_words(tmp_path: Path, source: Source, error: PinciteError) -> None:
    source.error = error
    modes: list[Mode] = ["record", "replay", "replay-or-live"]
    for mode in modes:
        with pytest.raises(type(error)) as raised:
            await _layer(tmp_path, mode).answer(REQUEST, source.ask)
        assert vars(raised.value) == vars(error)
        assert type(raised.value) is type(error)
    assert source.asked == 1


async def test_an_answer_takes_the_place_of_a_failure_and_no_failure_that_of_an_answer(
    tmp_path: Path, source: Source
) -> None:
    layer, source.error = _layer(tmp_path, "record"), BUSY
    with pytest.raises(SourceError):
        await layer.answer(REQUEST, source.ask)
    assert [path.suffix for path in _files(tmp_path)] == [".failure"]
    source.error = replaced = SourceError("Library answered with an error.", source="library", cause="server_error")
    with pytest.raises(SourceError, match="asks to wait 120 s"):
        await layer.answer(REQUEST, source.ask)
    source.error = None
    assert (await layer.answer(REQUEST, source.ask)).content == b"first"
    assert [path.suffix for path in _files(tmp_path)] == [".exchange"]
    store, key = ExchangeStore(tmp_path, writable=True), layer.key(REQUEST)
    kept = store.keep(key, REQUEST, replaced)
    assert isinstance(kept, Response)
    assert [path.suffix for path in _files(tmp_path)] == [".exchange"]


async def test_a_question_that_was_given_up_is_slow_in_a_replay(tmp_path: Path, source: Source) -> None:
    async def ask(_: Request) -> Response:
        await asyncio.sleep(60)
        raise AssertionError

    asked = replace(REQUEST, seconds=10.0)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(_layer(tmp_path, "record").answer(asked, ask), 0.05)
    with pytest.raises(SourceError, match=r"did not answer in 10 s\.") as raised:
        await _layer(tmp_path, "replay").answer(asked, ask)
    assert raised.value.cause == "slow"
    assert (await _layer(tmp_path, "record").answer(asked, source.ask)).content == b"first"


async def test_an_answer_that_cannot_be_read_is_replayed_and_asked_for_again(tmp_path: Path, source: Source) -> None:
    source.content = b"<html>We are down for maintenance.</html>"
    said = await _layer(tmp_path, "record").answer(REQUEST, source.ask)
    words = str(said.malformed("no JSON"))
    assert [path.suffix for path in _files(tmp_path)] == [".unreadable"]
    replayed = await _layer(tmp_path, "replay").answer(REQUEST, source.ask)
    assert str(replayed.malformed("no JSON")) == words
    assert source.asked == 1
    source.error = BUSY
    again = await _layer(tmp_path, "record").answer(REQUEST, source.ask)
    assert again == said
    source.error, source.content = None, b"{}"
    assert (await _layer(tmp_path, "record").answer(REQUEST, source.ask)).content == b"{}"
    said.forget()
    assert [path.suffix for path in _files(tmp_path)] == [".exchange"]
    assert (await _layer(tmp_path, "replay").answer(REQUEST, source.ask)).content == b"{}"


async def test_a_status_that_only_another_caller_expects_is_no_answer(tmp_path: Path, source: Source) -> None:
    source.status, source.content = 404, b"why"
    expecting = replace(REQUEST, expect=frozenset({404}))
    assert (await _layer(tmp_path, "record").answer(expecting, source.ask)).status == 404
    assert (await _layer(tmp_path, "replay").answer(expecting, source.ask)).content == b"why"
    with pytest.raises(SourceError, match="does not have this request"):
        await _layer(tmp_path, "replay").answer(REQUEST, source.ask)
    source.error = NotFoundError("Library has no such entry.")
    with pytest.raises(NotFoundError):
        await _layer(tmp_path, "record").answer(REQUEST, source.ask)


async def test_a_caller_that_takes_less_is_told(tmp_path: Path, source: Source) -> None:
    await _layer(tmp_path, "record").answer(REQUEST, source.ask)
    with pytest.raises(LimitReachedError, match="too large to be read"):
        await _layer(tmp_path, "replay").answer(replace(REQUEST, most_bytes=4), source.ask)


async def test_a_file_is_named_for_people_and_reads_as_a_head_and_the_body(tmp_path: Path, source: Source) -> None:
    source.content = "<a>\n\n  <b>é</b>\n</a>\n".encode()
    source.headers = {"content-type": "text/xml"}
    posted = replace(REQUEST, method="POST", body=b'{"ids": ["W1"]}', headers={"Content-Type": "application/json"})
    await _layer(tmp_path, "record").answer(posted, source.ask)
    (path,) = _files(tmp_path)
    assert path.parent.name == "library"
    assert path.name.startswith("works-1.")
    head, _, body = path.read_bytes().partition(b"\n\n")
    assert body == source.content
    told = orjson.loads(head)
    del told["checksum"], told["key"]
    assert told == {
        "format": "pincite-exchange/1",
        "source": "library",
        "method": "POST",
        "url": "https://library.example/api/works/1",
        "params": [["q", "é"]],
        "headers": {"content-type": "application/json"},
        "body": '{"ids": ["W1"]}',
        "answer": {
            "status": 200,
            "url": "https://library.example/api/works/1?q=%C3%A9",
            "headers": {"content-type": "text/xml"},
            "retrieved": "2026-01-01T12:30:01+00:00",
            "bytes": len(source.content),
        },
    }


@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "head", "swap", "binary"])
@pytest.mark.parametrize("mode", ["record", "replay", "replay-or-live"])
async def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, source: Source, harm: str, mode: Mode) -> None:
    source.content = b"x" * 1000
    await _layer(tmp_path, "record").answer(REQUEST, source.ask)
    (path,) = _files(tmp_path)
    stored = bytearray(path.read_bytes())
    if harm == "flip":
        stored[-500] ^= 1
    elif harm == "cut":
        del stored[-300:]
    elif harm == "empty":
        stored.clear()
    elif harm == "head":
        stored = bytearray(stored.replace(b'"status": 200', b'"status": 204'))
    elif harm == "binary":
        stored = bytearray(os.urandom(200))
    else:
        other = replace(REQUEST, params=(("q", "other"),))
        await _layer(tmp_path / "other", "record").answer(other, source.ask)
        stored = bytearray(_files(tmp_path / "other")[0].read_bytes())
    path.write_bytes(stored)
    asked = source.asked
    with pytest.raises(SourceError, match="damaged entry") as raised:
        await _layer(tmp_path, mode).answer(REQUEST, source.ask)
    assert str(path) in raised.value.seen
    assert (raised.value.source, source.asked) == ("library", asked)
    assert path.read_bytes() == bytes(stored)


async def test_a_damaged_failure_is_an_error_too(tmp_path: Path, source: Source) -> None:
    source.error = BUSY
    with pytest.raises(SourceError):
        await _layer(tmp_path, "record").answer(REQUEST, source.ask)
    (path,) = _files(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"120 s", b"121 s"))
    with pytest.raises(SourceError, match="damaged entry"):
        await _layer(tmp_path, "replay").answer(REQUEST, source.ask)


async def test_a_recording_through_a_mirror_is_the_sources(tmp_path: Path, source: Source) -> None:
    mirror = {"library": "http://127.0.0.1:8123/gate"}
    through = replace(REQUEST, url="http://127.0.0.1:8123/gate/works/1")
    recorded = await _layer(tmp_path, "record", mirror).answer(through, source.ask)
    replayed = await _layer(tmp_path, "replay").answer(REQUEST, source.ask)
    assert replayed == recorded
    assert replayed.request.address == "http://127.0.0.1:8123/gate/works/1?q=%C3%A9"


async def test_a_store_that_cannot_be_written_is_an_error(tmp_path: Path, source: Source) -> None:
    layer = _layer(tmp_path, "record")
    (tmp_path / "library").write_bytes(b"in the way")
    with pytest.raises(UnavailableError, match="cannot be"):
        await layer.answer(REQUEST, source.ask)


async def test_a_source_cannot_leave_the_store(tmp_path: Path, source: Source) -> None:
    outside = replace(REQUEST, policy=replace(POLICY, name="../outside"))
    await _layer(tmp_path / "store", "record").answer(outside, source.ask)
    assert all(path.is_relative_to(tmp_path / "store") for path in _files(tmp_path))


@pytest.mark.parametrize("place", ["missing", "file"])
@pytest.mark.parametrize("writable", [False, True])
def test_a_store_has_to_be_a_folder(tmp_path: Path, place: str, writable: bool) -> None:
    (tmp_path / "file").write_bytes(b"")
    folder = tmp_path / place
    if place == "missing" and writable:
        ExchangeStore(folder / "deep", writable=True)
        assert (folder / "deep").is_dir()
        return
    with pytest.raises(BadInputError, match="recorded web") as raised:
        ExchangeStore(folder, writable=writable)
    assert "PINCITE_HTTP_STORE" in raised.value.seen


def test_every_error_can_be_recorded() -> None:
    """What is read back is looked up by its class's name in ``pincite_core.errors``. The harness, whose own errors no
    source can raise, is not below the recorded web."""
    left = [PinciteError]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if kind.__module__.startswith("pincite_") and not kind.__module__.startswith("pincite_harness."):
            assert getattr(errors, kind.__name__, None) is kind


_WRITER = """
import asyncio, sys
from datetime import UTC, datetime
from pathlib import Path
from pincite_core.errors import SourceError
from pincite_core.http.exchange import Request, Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.http.recording import Recording
from pincite_core.http.store import ExchangeStore

me = sys.argv[2]
policy = SourcePolicy("library", "Library", "https://library.example/api", Rate(5, 1.0))
layer = Recording(ExchangeStore(Path(sys.argv[1]), writable=True), "record", {})

async def ask(request):
    if int(request.url[-1]) == int(me) % 3:
        raise SourceError("Library asks " + me, source="library")
    now = datetime.now(UTC).replace(microsecond=0)
    return Response(request, 200, request.url, {}, me.encode() * 50_000, now, "live")

async def one(number):
    try:
        return (await layer.answer(Request(policy, "GET", f"https://library.example/api/{number}"), ask)).content
    except SourceError as error:
        return error.what.encode()

async def main():
    said = [await one(number) for number in range(60)]
    again = [await one(number) for number in range(60)]
    print([a[:20] if a == b or a.startswith(b"Library") else b"CHANGED" for a, b in zip(said, again)])

asyncio.run(main())
"""


def test_processes_that_record_the_same_questions_agree(tmp_path: Path) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), str(number)], stdout=subprocess.PIPE, text=True)
        for number in range(4)
    ]
    outputs = [process.communicate(timeout=60)[0] for process in started]
    assert [process.returncode for process in started] == [0] * 4
    assert "CHANGED" not in "".join(outputs)
    assert len(_files(tmp_path)) == len([path for path in _files(tmp_path) if path.suffix == ".exchange"]) == 60
    rows = zip(*(orjson.loads(output.replace("b'", '"').replace("'", '"')) for output in outputs), strict=True)
    for row in rows:
        answers = {said for said in row if not said.startswith("Library")}
        assert len(answers) <= 1


def test_a_failure_that_an_answer_replaces_is_never_lost_between(tmp_path: Path) -> None:
    layer, store = _layer(tmp_path, "record"), ExchangeStore(tmp_path, writable=True)
    requests = [replace(REQUEST, params=(("q", str(number)),)) for number in range(300)]
    for request in requests:
        store.keep(layer.key(request), request, BUSY)
    lost: list[Request] = []
    current, stop = requests[0], threading.Event()

    def look() -> None:
        while not stop.is_set():
            request = current
            if store.find(layer.key(request), request) is None:
                lost.append(request)

    looking = threading.Thread(target=look)
    looking.start()
    for current in requests:
        answer = Response(current, 200, current.url, {}, b"42", datetime.now(UTC), "live")
        store.keep(layer.key(current), current, answer)
    stop.set()
    looking.join()
    assert not lost


async def test_a_process_killed_while_it_records_leaves_no_half_file(tmp_path: Path, source: Source) -> None:
    process = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), "7"], stdout=subprocess.PIPE)
    while len(_files(tmp_path)) < 10:
        assert process.poll() is None
    process.kill()
    process.communicate()
    whole = [path for path in _files(tmp_path) if not path.name.startswith(".")]
    layer = _layer(tmp_path, "replay")
    for number in range(60):
        request = Request(POLICY, "GET", f"https://library.example/api/{number}")
        try:
            assert (await layer.answer(request, source.ask)).content == b"7" * 50_000
            whole.pop()
        except SourceError as error:
            if error.cause != "not_recorded":
                whole.pop()
            assert "damaged" not in error.what
    assert whole == []
