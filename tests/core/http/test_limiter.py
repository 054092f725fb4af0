import fcntl
import logging
import os
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from pincite_core.http.limiter import Lane, Limiter, PermitTooLateError
from pincite_core.http.policy import Rate
from pincite_core.http.rate_window import RateWindow
from pincite_core.http.rate_window_file import RateWindowFile


def _lane(requests: int = 1, seconds: float = 0.2, at_once: int = 4) -> Lane:
    return Lane("source", Rate(requests, seconds, at_once))


def _later(seconds: float) -> float:
    return time.monotonic() + seconds


async def _use(limiter: Limiter, lane: Lane, patience: float = 10.0) -> float:
    """Take a permit, use it, and say when it came."""
    async with limiter.permit(lane, _later(patience)) as permit:
        came = time.monotonic()
        await permit.sent()
        permit.answered()
        return came


@asynccontextmanager
async def _waiting(limiter: Limiter, lane: Lane, came: list[str], *names: str) -> AsyncIterator[None]:
    """Callers that wait in the order of their names."""

    async def call(name: str) -> None:
        await _use(limiter, lane)
        came.append(name)

    async with anyio.create_task_group() as group:
        for name in names:
            group.start_soon(call, name)
            await anyio.sleep(0.02)
        yield


async def test_first_come_first_served(tmp_path: Path) -> None:
    limiter, came = Limiter(tmp_path), list[str]()
    await _use(limiter, _lane())
    async with _waiting(limiter, _lane(), came, *"abcde"):
        pass
    assert came == list("abcde")


async def test_the_window_slides(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(3, 0.3)
    times = [await _use(limiter, lane) for _ in range(10)]
    assert all(after - before > 0.3 for before, after in zip(times, times[3:], strict=False))


async def test_a_turn_that_would_come_too_late_is_refused_at_once_and_takes_no_place(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(1, 30.0)
    await _use(limiter, lane)
    for _ in range(3):
        with pytest.raises(PermitTooLateError) as caught:
            await _use(limiter, lane, patience=5.0)
        assert 5 < caught.value.seconds <= 30.1
        assert not caught.value.resting


async def test_a_rest_is_known_to_every_process_and_thread(tmp_path: Path) -> None:
    lane = _lane(100, 1.0)
    await Limiter(tmp_path).rest(lane, 60.0)
    with pytest.raises(PermitTooLateError) as caught:
        await _use(Limiter(tmp_path), lane, patience=1.0)
    assert caught.value.resting
    assert 1 < caught.value.seconds <= 60


async def test_a_short_rest_is_waited_for(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(100, 1.0)
    until = time.monotonic() + 0.3
    await limiter.rest(lane, 0.3)
    assert await _use(limiter, lane) >= until


async def test_no_more_than_allowed_are_unanswered(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(100, 0.1, at_once=2)
    now = most = 0

    async def call() -> None:
        nonlocal now, most
        async with limiter.permit(lane, _later(10)):
            now += 1
            most = max(most, now)
            await anyio.sleep(0.02)
            now -= 1

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(call)
    assert most == 2


async def test_a_caller_that_is_cancelled_while_it_waits_leaves_its_place(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(1, 30.0)
    await _use(limiter, lane)
    (path,) = tmp_path.iterdir()
    places: list[int] = []
    async with anyio.create_task_group() as group:
        group.start_soon(_use, limiter, lane, 60.0)
        while not places or not places[-1]:
            await anyio.sleep(0.01)
            places.append(await RateWindowFile(path).change(lane.rate, lambda kept, _now: len(kept.queue)))
        group.cancel_scope.cancel()
    assert await RateWindowFile(path).change(lane.rate, lambda kept, _now: len(kept.queue)) == 0


async def test_a_turn_that_was_not_used_does_not_count(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(1, 30.0)
    async with limiter.permit(lane, _later(1)) as permit:
        permit.unused()
    await _use(limiter, lane, patience=1.0)


async def test_a_turn_counts_from_when_the_request_was_out_not_from_when_it_came(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(1, 0.2)
    async with limiter.permit(lane, _later(5)) as permit:
        await anyio.sleep(0.3)
        await permit.sent()
        sent = time.monotonic()
    assert await _use(limiter, lane) - sent > 0.2


def test_threads_with_event_loops_of_their_own_share_a_limit(tmp_path: Path) -> None:
    lane, times = _lane(2, 0.2), list[float]()

    async def calls() -> None:
        limiter = Limiter(tmp_path)
        for _ in range(3):
            times.append(await _use(limiter, lane))

    threads = [threading.Thread(target=anyio.run, args=(calls,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times.sort()
    assert len(times) == 12
    assert all(after - before > 0.2 for before, after in zip(times, times[2:], strict=False))


async def test_waiting_for_the_lock_does_not_block_the_event_loop(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(100, 1.0)
    await _use(limiter, lane)
    (path,) = tmp_path.iterdir()
    ticks = 0
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        async with anyio.create_task_group() as group:
            group.start_soon(_use, limiter, lane)
            for _ in range(20):
                await anyio.sleep(0.005)
                ticks += 1
            fcntl.flock(held, fcntl.LOCK_UN)
    assert ticks == 20


@pytest.mark.parametrize(
    "content", [b"", b"x", b"\0" * 3000, b"boot -\n{", b"boot other\n[[],{},{},0,0,0]\n", b"[" * 9]
)
async def test_a_damaged_file_is_mended(tmp_path: Path, content: bytes) -> None:
    limiter, lane = Limiter(tmp_path), _lane(2, 0.1)
    await _use(limiter, lane)
    (path,) = tmp_path.iterdir()
    path.write_bytes(content)
    await _use(limiter, lane)
    assert path.read_bytes().startswith(b"boot ")


async def test_times_of_another_start_of_the_machine_are_forgotten(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(1, 1000.0)
    await _use(limiter, lane)
    (path,) = tmp_path.iterdir()
    _, _, window = path.read_bytes().partition(b"\n")
    path.write_bytes(b"boot another\n" + window)
    await _use(limiter, lane, patience=1.0)


async def test_a_folder_that_is_removed_comes_again(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "limits"
    limiter = Limiter(folder)
    await _use(limiter, _lane(100, 1.0))
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    await _use(limiter, _lane(100, 1.0))
    assert len(list(folder.iterdir())) == 1


async def test_a_disk_that_cannot_be_used_is_told_once_and_the_process_counts_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_bytes(b"")
    lane = _lane(2, 0.2)
    one, other = Limiter(tmp_path / "file"), Limiter(tmp_path / "file")
    times = [await _use(limiter, lane) for limiter in (one, other) * 3]
    await _use(one, Lane("another", Rate(1, 1.0)))
    assert all(after - before > 0.2 for before, after in zip(times, times[2:], strict=False))
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(told) == 1
    assert "hold for this process alone" in told[0]


async def test_a_disk_that_is_full_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    window, rate = RateWindowFile(Path("/dev/full")), Rate(1, 1.0)

    def count(kept: RateWindow, _now: float) -> int:
        return kept.next_number()

    assert [await window.change(rate, count) for _ in range(3)] == [1, 2, 3]
    assert [record.getMessage() for record in caplog.records if "No space left" in record.getMessage()]
    assert len(caplog.records) == 1


async def test_a_link_in_place_of_the_file_is_not_written_through(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_bytes(b"keep me")
    link = tmp_path / "window"
    link.symlink_to(target)
    await RateWindowFile(link).change(Rate(1, 1.0), lambda kept, _now: kept.next_number())
    assert target.read_bytes() == b"keep me"


async def test_the_file_stays_small_and_private(tmp_path: Path) -> None:
    limiter, lane = Limiter(tmp_path), _lane(1000, 0.05, at_once=1000)
    for _ in range(300):
        await _use(limiter, lane)
    (path,) = tmp_path.iterdir()
    assert path.stat().st_size < 20_000
    assert path.stat().st_mode & 0o077 == 0
    assert os.listdir(tmp_path) == [path.name]  # noqa: PTH208


@pytest.mark.parametrize("name", ["a/../../b", "..", "a b@https://x.example:80", "ü" * 300, "."])
async def test_any_name_of_a_lane_is_a_file_of_the_folder(tmp_path: Path, name: str) -> None:
    await _use(Limiter(tmp_path / "limits"), Lane(name, Rate(5, 1.0)))
    assert [path.parent for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / "limits"]


async def test_windows_that_nobody_uses_go(tmp_path: Path) -> None:
    for name, days in (("idle", 3), ("recent", 1), ("other", 30), ("aged", 9)):
        path = tmp_path / name
        path.write_bytes(b"")
        os.utime(path, (time.time() - days * 86_400,) * 2)
    with (tmp_path / "other").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        await _use(Limiter(tmp_path), _lane())
        left = {path.name for path in tmp_path.iterdir()}
    assert {"recent", "other"} <= left
    assert "idle" not in left
