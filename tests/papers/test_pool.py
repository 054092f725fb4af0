import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite_core import errors
from pincite_papers.codec import decode_paper
from pincite_papers.limits import ParseLimits
from pincite_papers.opening.pool import ParsePool

ENTRY = "misbehaving_parsers:behave"
ENTRIES = Path(__file__).parent / "entries"


@pytest.fixture(autouse=True)
def _entries_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ENTRIES))


@pytest.fixture
def pool() -> Iterator[ParsePool]:
    with ParsePool(ParseLimits(memory_mb=1024, seconds=30, max_pages=7), workers=2, entry=ENTRY) as pool:
        yield pool


def _text(pool: ParsePool, word: str) -> str:
    return decode_paper(pool.parse(word.encode())).text


def _alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _until(condition: object, seconds: float = 30.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_a_process_is_used_again_while_healthy(pool: ParsePool) -> None:
    assert [_text(pool, "count"), _text(pool, "count"), _text(pool, "count")] == ["1", "2", "3"]
    assert len(pool.pids()) == 1


def test_the_page_limit_reaches_the_parser(pool: ParsePool) -> None:
    assert _text(pool, "pages") == "7"


def test_prints_of_the_parser_do_not_reach_the_pipe(pool: ParsePool) -> None:
    assert _text(pool, "print") == "read ''"
    assert _text(pool, "count") == "2"


def test_a_large_source_passes_both_ways(pool: ParsePool) -> None:
    assert _text(pool, "x" * 5_000_000) == "x" * 5_000_000


def test_the_parsers_own_error_comes_back_whole(pool: ParsePool) -> None:
    with pytest.raises(errors.EncryptedError) as caught:
        pool.parse(b"encrypted")
    error = caught.value
    assert (error.what, error.seen, error.next) == ("This needs a password.", "AES", "Remove the password.")
    assert _text(pool, "count") == "2"


def test_a_bug_in_the_parser_is_a_damaged_file(pool: ParsePool, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(errors.DamagedError) as caught:
        pool.parse(b"bug")
    assert "IndexError" in caught.value.seen
    assert caught.value.next
    assert "list index out of range" in caplog.text


@pytest.mark.parametrize(("word", "name"), [("abort", "SIGABRT"), ("segfault", "SIGSEGV")])
def test_a_crash_is_a_hostile_file_and_the_pool_lives_on(pool: ParsePool, word: str, name: str) -> None:
    with pytest.raises(errors.HostileError) as caught:
        pool.parse(word.encode())
    assert name in caught.value.seen
    assert _text(pool, "hello") == "hello"


def test_growing_past_the_memory_is_hostile(pool: ParsePool) -> None:
    with pytest.raises(errors.HostileError) as caught:
        pool.parse(b"grow")
    assert "1024 MiB" in caught.value.seen
    assert _text(pool, "count") == "1"


@pytest.mark.parametrize("word", ["slow 600", "spin"])
def test_a_parse_that_takes_too_long_is_killed(word: str) -> None:
    with ParsePool(ParseLimits(1024, 0.5, 7), workers=1, entry=ENTRY) as pool:
        pool.parse(b"hello")
        (pid,) = pool.pids()
        with pytest.raises(errors.LimitReachedError) as caught:
            pool.parse(word.encode())
        assert "0.5 s" in caught.value.seen
        assert not _alive(pid)
        assert _text(pool, "count") == "1"


def test_too_much_cpu_time_is_a_limit_too(pool: ParsePool) -> None:
    with pytest.raises(errors.LimitReachedError):
        pool.parse(b"overspend")


def test_an_end_without_an_answer_is_an_outage(pool: ParsePool) -> None:
    with pytest.raises(errors.UnavailableError) as caught:
        pool.parse(b"exit")
    assert "exit status 0" in caught.value.seen


def test_a_crash_of_a_used_process_is_tried_once_more_in_a_fresh_one(pool: ParsePool) -> None:
    pool.parse(b"hello")
    before = pool.pids()
    assert _text(pool, "abort-when-used") == "abort-when-used"
    assert pool.pids() != before


def test_an_idle_process_that_died_is_replaced(pool: ParsePool) -> None:
    pool.parse(b"hello")
    (pid,) = pool.pids()
    os.kill(pid, signal.SIGKILL)
    assert _text(pool, "count") == "1"


def test_a_process_that_holds_much_memory_is_replaced(pool: ParsePool) -> None:
    pool.parse(b"hold 600")
    assert pool.pids() == []
    assert _text(pool, "count") == "1"


def test_a_parser_that_cannot_be_loaded_is_an_outage() -> None:
    with (
        ParsePool(ParseLimits(1024, 30, 7), workers=1, entry="no_such_module:parse") as pool,
        pytest.raises(errors.UnavailableError) as caught,
    ):
        pool.parse(b"hello")
    assert "no_such_module" in caught.value.seen


def test_secrets_of_the_environment_do_not_reach_the_parser(pool: ParsePool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-real-key")
    names = _text(pool, "environment").split("\n")
    assert "ANTHROPIC_API_KEY" not in names
    assert "PATH" in names


def test_threads_share_it_and_each_gets_its_own_paper(pool: ParsePool) -> None:
    words = [f"paper {number}" if number % 5 else "abort" for number in range(40)]

    def parse(word: str) -> str:
        try:
            return _text(pool, word)
        except errors.HostileError:
            return "abort"

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(parse, words)) == words
    assert len(pool.pids()) <= 2


def test_processes_outlive_the_thread_that_asked_first(pool: ParsePool) -> None:
    thread = threading.Thread(target=pool.parse, args=(b"hello",))
    thread.start()
    thread.join()
    assert _text(pool, "count") == "2"


def test_close_ends_idle_and_busy_processes() -> None:
    pool = ParsePool(ParseLimits(1024, 60, 7), workers=2, entry=ENTRY)
    pool.parse(b"hello")
    caught: list[BaseException] = []

    def busy() -> None:
        try:
            pool.parse(b"slow 600")
        except errors.UnavailableError as error:
            caught.append(error)

    threads = [threading.Thread(target=busy) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert _until(lambda: len(pool.pids()) == 2)
    pids = pool.pids()
    pool.close()
    for thread in threads:
        thread.join(30)
    assert [pid for pid in pids if _alive(pid)] == []
    assert len(caught) == 2
    with pytest.raises(errors.UnavailableError):
        pool.parse(b"hello")
    pool.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a busy child with its parent")
@pytest.mark.parametrize("word", ["hello", "slow 600"])
def test_processes_end_with_a_parent_that_is_killed(word: str) -> None:
    code = (
        "import sys, threading, time\n"
        "from pincite_papers.limits import ParseLimits; from pincite_papers.opening.pool import ParsePool\n"
        f"pool = ParsePool(ParseLimits(1024, 600, 7), workers=1, entry={ENTRY!r})\n"
        "pool.parse(b'hello')\n"
        "print(*pool.pids(), flush=True)\n"
        f"threading.Thread(target=pool.parse, args=({word.encode()!r},)).start()\n"
        "time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.2)
        assert _alive(pid)
        parent.kill()
    assert _until(lambda: not _alive(pid))


def test_the_parent_loads_neither_numpy_nor_pdfium() -> None:
    heavy = "{'numpy', 'pypdfium2', 'pypdf', 'httpx'}"
    code = f"import sys, pincite_papers.opening.pool, pincite_papers.opening.store; print(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
