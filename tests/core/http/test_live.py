import asyncio
import gzip
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import ModuleType
from typing import Any

import pytest

from pincite_core import errors
from pincite_core.http.circuit import FAILURES
from pincite_core.http.limiter import Lane, Limiter
from pincite_core.http.policy import Access, Rate

KEY, MAIL = "s3cr3t+key/with=signs", "ada@example.org"


def _heads(server: Any) -> list[str]:
    return [head for heads in server.heads for head in heads]


async def test_an_answer_carries_where_and_when_it_was_given(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b'{"a": 1}', Content_Type="application/json", ETag='"x"')) as server:
        answer = await source(server.url).get("/works", params=(("q", "tin & zinc"), ("q", "")))
        assert (answer.status, answer.json(), answer.origin) == (200, {"a": 1}, "live")
        assert answer.url == f"{server.url}/works?q=tin+%26+zinc&q="
        assert answer.headers["etag"] == '"x"'
        assert timedelta(0) <= datetime.now(UTC) - answer.retrieved < timedelta(seconds=60)
        assert _heads(server)[0].startswith("GET /works?q=tin+%26+zinc&q= HTTP/1.1\r\n")


async def test_the_agent_names_pincite_and_whom_to_write_to(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply()) as server:
        await source(server.url).get()
        await source(server.url, contact=MAIL).get(headers={"Accept": "application/json"})
        plain, named = _heads(server)
        assert "user-agent: pincite/0.1.0\r\n" in plain
        assert f"user-agent: pincite/0.1.0 (+mailto:{MAIL})\r\n" in named
        assert "accept: application/json\r\n" in named
        assert "accept-encoding: gzip\r\n" in named


async def test_a_post_carries_its_body(raw: ModuleType, source: Callable[..., Any]) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(raw.reply(await reader.readexactly(8)))
        await writer.drain()

    async with raw.raw_server(echo) as server:
        asked = {"body": b'{"a": 1}', "headers": {"Content-Type": "application/json"}}
        answer = await source(server.url).ask("POST", "/works", **asked)
        assert answer.content == b'{"a": 1}'
        assert "content-type: application/json\r\n" in _heads(server)[0]


async def test_a_packed_answer_comes_unpacked(raw: ModuleType, source: Callable[..., Any]) -> None:
    packed = raw.reply(gzip.compress(b"yes" * 100), Content_Encoding="gzip")
    async with raw.raw_server(packed) as server:
        assert (await source(server.url).get()).content == b"yes" * 100


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        ("404 Not Found", errors.NotFoundError, "Source has no such entry."),
        ("410 Gone", errors.NotFoundError, "Source has no such entry."),
        ("400 Bad Request", errors.BadInputError, "Source rejected this query."),
        ("414 URI Too Long", errors.BadInputError, "Source rejected this query."),
        ("422 Unprocessable", errors.BadInputError, "Source rejected this query."),
        ("401 Unauthorized", errors.SourceError, "Source refused access."),
        ("403 Forbidden", errors.SourceError, "Source refused access."),
        ("451 Unavailable", errors.SourceError, "Source refused access."),
        ("429 Too Many Requests", errors.SourceError, "Source asks to wait."),
        ("500 Internal Server Error", errors.SourceError, "Source answered with an error."),
        ("503 Service Unavailable", errors.SourceError, "Source answered with an error."),
        ("304 Not Modified", errors.SourceError, "Source answered with an error."),
        ("302 Found", errors.SourceError, "Source answered with an error."),
        ("418 I'm a teapot", errors.SourceError, "Source answered with an error."),
    ],
)
async def test_a_status_becomes_its_error_unless_it_is_expected(
    raw: ModuleType, source: Callable[..., Any], status: str, kind: type[errors.PinciteError], says: str
) -> None:
    code = int(status[:3])
    body = b"" if code == 304 else b"why"
    async with raw.raw_server(raw.reply(body, status)) as server:
        made = source(server.url)
        with pytest.raises(kind) as caught:
            await made.get()
        assert caught.value.what == says
        assert f"HTTP {code}" in caught.value.seen
        answer = await made.get(expect=frozenset({code}))
        assert (answer.status, answer.content) == (code, body)


async def test_what_a_source_says_about_a_bad_query_is_shown(raw: ModuleType, source: Callable[..., Any]) -> None:
    page = b"<html><head><title>400</title><style>p {}</style></head><body><p>Unknown field: <b>yeer</b>.</p></body>"
    async with raw.raw_server(raw.reply(page, "400 Bad Request")) as server:
        with pytest.raises(errors.BadInputError) as caught:
            await source(server.url).get()
        assert caught.value.seen == "HTTP 400: Unknown field: yeer ."


async def test_a_huge_error_page_is_still_that_error(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"x" * 200_000, "404 Not Found")) as server:
        with pytest.raises(errors.NotFoundError):
            await source(server.url).get(most_bytes=100)


async def test_an_answer_above_the_limit_is_not_read_to_its_end(raw: ModuleType, source: Callable[..., Any]) -> None:
    async def endless(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            await writer.drain()

    async with raw.raw_server(endless) as server:
        with pytest.raises(errors.LimitReachedError):
            await source(server.url).get()


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "truncated"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", "truncated"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "truncated"),
        (b"", "truncated"),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "malformed"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n", "malformed"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", "malformed"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 200_000, "malformed"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain", "malformed"),
    ],
)
async def test_an_answer_that_breaks_off_or_is_none(
    raw: ModuleType, source: Callable[..., Any], answer: bytes, cause: str
) -> None:
    async def talk(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    async with raw.raw_server(talk) as server:
        with pytest.raises(errors.SourceError) as caught:
            await source(server.url).get()
        assert caught.value.cause == cause
        says = {"truncated": "Source broke off its answer.", "malformed": "Source sent an answer that cannot be read."}
        assert caught.value.what == says[cause]


async def test_a_half_closed_connection_still_answers(raw: ModuleType, source: Callable[..., Any]) -> None:
    async def talk(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end")
        await writer.drain()
        writer.write_eof()

    async with raw.raw_server(talk) as server:
        assert (await source(server.url).get()).content == b"to the end"


async def test_a_server_that_drips_or_is_silent_is_slow(raw: ModuleType, source: Callable[..., Any]) -> None:
    async def drip(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.05)

    for talk, stage in ((drip, "reading the answer"), (raw.silence, "waiting for the answer")):
        async with raw.raw_server(talk) as server:
            with pytest.raises(errors.SourceError) as caught:
                await source(server.url).get(seconds=0.4)
            assert caught.value.what == "Source did not answer in 0.4 s."
            assert (caught.value.cause, caught.value.seen) == ("slow", stage)


async def test_failures_that_pass_are_not_seen(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"", "503 Service Unavailable"), raw.hang_up, raw.reply(b"yes")) as server:
        assert (await source(server.url).get()).content == b"yes"
        assert len(_heads(server)) == 3


async def test_a_failure_that_stays_is_tried_three_times(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"oops", "500 Internal Server Error")) as server:
        with pytest.raises(errors.SourceError) as caught:
            await source(server.url).get()
        assert (caught.value.cause, caught.value.seen) == ("server_error", "HTTP 500: oops")
        assert len(_heads(server)) == 3


async def test_a_try_that_hangs_after_one_that_failed_tells_the_failure(
    raw: ModuleType, source: Callable[..., Any]
) -> None:
    async with raw.raw_server(raw.reply(b"oops", "500 Internal Server Error"), raw.silence) as server:
        with pytest.raises(errors.SourceError) as caught:
            await source(server.url).get(seconds=1.0)
        assert caught.value.cause == "server_error"


async def test_a_pause_that_fits_is_waited_for(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"", "429 Too Many Requests", Retry_After="1"), raw.reply(b"yes")) as server:
        loop = asyncio.get_running_loop()
        began = loop.time()
        assert (await source(server.url).get()).content == b"yes"
        assert loop.time() - began >= 1.0


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
@pytest.mark.parametrize("dated", [False, True])
async def test_a_pause_that_does_not_fit_is_told_and_kept(
    raw: ModuleType, source: Callable[..., Any], status: str, dated: bool
) -> None:
    now = datetime.now(UTC)
    asked = format_datetime(now + timedelta(seconds=120), usegmt=True) if dated else "120"
    answer = raw.reply(b"", status, Retry_After=asked, Date=format_datetime(now, usegmt=True))
    async with raw.raw_server(answer) as server:
        for made in (source(server.url), source(server.url), source(server.url, source_rates="published")):
            with pytest.raises(errors.SourceError) as caught:
                await made.get()
            assert caught.value.what == "Source asks to wait 120 s."
            assert (caught.value.cause, caught.value.retry_after) == ("rate_limited", 120.0)
        assert len(_heads(server)) == 1


async def test_absurd_pauses_end_after_a_day(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"", "429 Too Many Requests", Retry_After="999999999")) as server:
        made = source(server.url)
        with pytest.raises(errors.SourceError) as caught:
            await made.get()
        assert caught.value.retry_after == 999999999.0
        with pytest.raises(errors.SourceError) as caught:
            await made.get()
        assert caught.value.retry_after == 86400.0


async def test_a_source_that_keeps_failing_is_left_alone(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"", "500 Internal Server Error")) as server:
        made = source(server.url)
        for _ in range(FAILURES):
            with pytest.raises(errors.SourceError) as caught:
                await made.get(seconds=0.1)
        asked = len(_heads(server))
        with pytest.raises(errors.SourceError) as caught:
            await made.get()
        assert caught.value.what == "Source is left alone for 15 s: it failed 5 times in a row."
        assert (caught.value.cause, caught.value.retry_after) == ("down", 15.0)
        assert len(_heads(server)) == asked


async def test_silence_after_a_long_wait_of_ours_does_not_open_the_circuit(
    raw: ModuleType, source: Callable[..., Any]
) -> None:
    async with raw.raw_server(raw.silence) as server:
        made = source(server.url)
        limiter = Limiter(made.settings.cache_dir / "limits")
        causes: list[str] = []
        for _ in range(FAILURES + 1):
            await limiter.rest(Lane(f"source at {server.url}", Rate(100, 1.0)), 0.5)
            with pytest.raises(errors.SourceError) as caught:
                await made.get(seconds=0.8)
            causes.append(caught.value.cause)
        assert "slow" in causes
        assert "down" not in causes


async def test_a_turn_that_leaves_no_time_is_not_taken(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"yes")) as server:
        made = source(server.url, policy={"rate": Rate(1, 60.0)}, source_rates="published")
        await made.get()
        with pytest.raises(errors.SourceError) as caught:
            await made.get()
        seconds = int(caught.value.retry_after or 0)
        assert 50 <= seconds <= 61
        assert caught.value.what == f"Source has too many lookups of ours waiting: the next turn comes in {seconds} s."
        assert (caught.value.cause, caught.value.seen) == ("rate_limited", "it takes 1 in 60 s")
        assert len(_heads(server)) == 1


async def test_answers_that_are_errors_do_not_open_the_circuit(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"", "404 Not Found")) as server:
        made = source(server.url)
        for _ in range(FAILURES + 2):
            with pytest.raises(errors.NotFoundError):
                await made.get()


async def test_redirects_are_followed_and_end(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(
        raw.reply(b"", "301 Moved", Location="/b?x=1#part"),
        raw.reply(b"", "307 Moved", Location="c"),
        raw.reply(b"yes"),
    ) as server:
        answer = await source(server.url).get("/a/")
        assert (answer.content, answer.url) == (b"yes", f"{server.url}/c")
        assert [head.split()[1] for head in _heads(server)] == ["/a/", "/b?x=1", "/c"]
    async with raw.raw_server(raw.reply(b"", "302 Found", Location="/again")) as server:
        with pytest.raises(errors.SourceError) as caught:
            await source(server.url).get()
        assert "more than 5 redirects" in caught.value.seen


async def test_credentials_and_contact_stay_at_the_source(raw: ModuleType, source: Callable[..., Any]) -> None:
    access = Access(params={"api_key": KEY}, headers={"X-Key": KEY})
    async with (
        raw.raw_server(raw.reply(b"yes")) as other,
        raw.raw_server(
            raw.reply(b"", "302 Found", Location="/here"),
            raw.reply(b"", "302 Found", Location=f"{other.url}/there"),
        ) as server,
    ):
        made = source(server.url, contact=MAIL, allow_private_addresses=True)
        assert (await made.get(access=access)).content == b"yes"
        first, here = _heads(server)
        assert first.startswith("GET /works?api_key=s3cr3t%2Bkey%2Fwith%3Dsigns ")
        assert all(f"x-key: {KEY}\r\n" in head and MAIL in head for head in (first, here))
        (there,) = _heads(other)
        assert "key" not in there
        assert MAIL not in there
        await made.get(f"{other.url}/asked", access=access)
        assert "key" not in _heads(other)[-1]
        assert MAIL not in _heads(other)[-1]


async def test_a_redirected_post_keeps_its_body_at_home_only(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with (
        raw.raw_server(raw.reply(b"yes")) as other,
        raw.raw_server(raw.reply(b"", "303 See Other", Location="/result"), raw.reply(b"yes")) as server,
        raw.raw_server(raw.reply(b"", "308 Moved", Location=f"{other.url}/there")) as leaving,
    ):
        assert (await source(server.url).ask("POST", "/works", body=b"")).content == b"yes"
        assert [head.split()[0] for head in _heads(server)] == ["POST", "GET"]
        with pytest.raises(errors.ForbiddenError):
            await source(leaving.url, allow_private_addresses=True).ask("POST", "/works", body=b"")
        assert other.heads == []


async def test_a_redirected_post_is_repeated_at_the_same_origin(raw: ModuleType, source: Callable[..., Any]) -> None:
    bodies: list[bytes] = []

    def take(answer: bytes) -> Any:
        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            bodies.append(await reader.readexactly(4))
            writer.write(answer)
            await writer.drain()

        return talk

    async with raw.raw_server(take(raw.reply(b"", "307 Moved", Location="/there")), take(raw.reply(b"yes"))) as server:
        assert (await source(server.url).ask("POST", "/works", body=b"body")).content == b"yes"
        assert bodies == [b"body", b"body"]


@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request", "401 No", "404 Not Found", "429 Wait", "500 Oops"])
async def test_no_secret_is_shown_even_where_a_source_repeats_it(
    raw: ModuleType, source: Callable[..., Any], caplog: pytest.LogCaptureFixture, status: str
) -> None:
    caplog.set_level(logging.DEBUG)
    access = Access(params={"api_key": KEY, "mailto": MAIL}, headers={"Authorization": f"Bearer {KEY}"})
    spelt = "s3cr3t%2Bkey%2Fwith%3Dsigns"
    body = f"your key {KEY} ({spelt}) and {MAIL} are not welcome".encode()
    moved = raw.reply(b"", "302 Found", Location=f"/b?api_key={spelt}&mailto={MAIL}&q={spelt}&z=1")
    async with raw.raw_server(moved, raw.reply(body, status, X_Echo=KEY)) as server:
        made = source(server.url, contact=MAIL)
        shown = [repr(access)]
        try:
            answer = await made.get(access=access, seconds=1.0)
        except errors.PinciteError as error:
            shown += [str(error), repr(error), repr(error.args)]
        else:
            shown += [answer.url, str(answer.headers)]
            assert answer.url == f"{server.url}/b?q=***&z=1"
        told = " ".join(shown) + caplog.text
        assert [secret for secret in (KEY, spelt, MAIL, "s3cr3t") if secret in told] == []


@pytest.mark.parametrize("value", ["a key\r\nX-Evil: 1", "a key\nwith more", "\u2713 key", "key\0"])
async def test_a_key_that_cannot_be_sent_is_not_shown(raw: ModuleType, source: Callable[..., Any], value: str) -> None:
    async with raw.raw_server(raw.reply(b"yes")) as server:
        with pytest.raises(errors.BadInputError) as caught:
            await source(server.url).get(access=Access(headers={"X-Key": value}))
        assert "key" not in str(caught.value)
        assert _heads(server) == []


async def test_a_key_with_blanks_around_is_trimmed(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"yes")) as server:
        await source(server.url).get(access=Access(headers={"X-Key": " a key \n"}))
        assert "x-key: a key\r\n" in _heads(server)[0]


async def test_a_host_without_an_address_cannot_be_reached(source: Callable[..., Any]) -> None:
    def nowhere(_host: str, _port: int) -> list[str]:
        raise OSError(-2, "Name or service not known")

    with pytest.raises(errors.SourceError) as caught:
        await source("http://api.example.invalid", lookup=nowhere).get()
    assert caught.value.what == "Source could not be reached."
    assert caught.value.seen == "The host api.example.invalid could not be resolved."


async def test_a_query_inside_an_absolute_address_stays(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"yes")) as server:
        made = source(server.url)
        answer = await made.get("/a?x=%20y&z", params=(("q", "1"),), access=Access(params={"key": KEY}))
        assert _heads(server)[0].split()[1] == "/a?x=%20y&z&q=1&key=s3cr3t%2Bkey%2Fwith%3Dsigns"
        assert answer.url == f"{server.url}/a?x=+y&z=&q=1"
