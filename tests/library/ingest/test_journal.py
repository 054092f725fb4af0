import sqlite3
from pathlib import Path

import pytest

from pincite_core.errors import UnreadableError
from pincite_library.ingest.journal import FILE, Journal, Known, Standing


def _kept(name: str, digest: str) -> Known:
    return Known(name, Standing.KEPT, size=3, mtime_ns=4, digest=digest, version="1", at="2026-01-01T00:00:00Z")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    sources = [
        _kept("/a/b/one.pdf", "11"),
        _kept("/a/b/c/two.pdf", "22"),
        Known("/a/bc/three", Standing.FAILED, code="damaged", why="It is broken.", next="Get another."),
        Known("doi:10.1/x", Standing.KEPT, path="/f/x.pdf", digest="11"),
    ]
    with Journal(tmp_path) as journal:
        journal.put(*sources)
    with Journal(tmp_path) as journal:
        assert [journal.of(source.name) for source in sources] == sources
        assert journal.of("/none") is None
        assert journal.under("/a/b") == [sources[1], sources[0]]
        assert journal.of_paper("11") == [sources[0], sources[3]]
        assert journal.with_standing(Standing.FAILED) == [sources[2]]
        assert sources[0].paper_id == "sha256:11"


def test_a_paper_leaves_only_when_no_source_gives_it(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.put(_kept("/one", "11"), _kept("/two", "11"))
        journal.forget(["/one"], leaving="11")
        assert journal.leaving() == []
        journal.put(_kept("/two", "22"), leaving="11")
        assert journal.leaving() == ["11"]
        journal.left()
        assert journal.leaving() == []


def test_a_source_that_failed_still_gives_the_paper_it_gave(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.put(Known("/one", Standing.FAILED, digest="11"), leaving="11")
        assert journal.leaving() == []
        journal.put(Known("/one", Standing.REMOVED, digest="11"))
        assert journal.leaving() == ["11"]


def test_a_batch_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        broken = Known("/two", Standing.KEPT, size=2**70)
        with pytest.raises(OverflowError):
            journal.put(_kept("/one", "11"), broken)
        assert journal.of("/one") is None
        journal.put(_kept("/one", "11"))
        assert journal.of("/one") is not None


def test_damaged_and_newer_files_are_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all, but long enough to be looked at" * 50)
    with pytest.raises(UnreadableError, match="damaged"):
        Journal(tmp_path)
    (tmp_path / FILE).unlink()
    with Journal(tmp_path), sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(UnreadableError, match="newer"):
        Journal(tmp_path)
