import io
import os
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite_core.settings import Settings
from pincite_library.ingest.journal import FILE, Journal, Standing
from pincite_library.ingest.outcome import Options, Outcome, Report, State, Watcher
from pincite_library.ingest.pipeline import Ingest
from pincite_library.model import Filters, PaperEntry
from pincite_library.ranking.terms import query_terms
from pincite_library.store.opening import open_store
from pincite_library.store.store import Store

Add = Callable[..., Report]


@pytest.fixture
def add(settings: Settings) -> Iterator[Add]:
    """A function that adds sources to the library."""
    with Ingest(settings) as ingest:

        def call(*sources: Path | str, watcher: Watcher | None = None, **options: bool) -> Report:
            return ingest.add([str(source) for source in sources], Options(**options), watcher)

        yield call


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    """The library's store, as a reader beside the ingests has it."""
    opened = open_store(settings)
    yield opened
    opened.close()


def _add_anew(settings: Settings, *sources: Path) -> Report:
    """Add sources as a new process would."""
    with Ingest(settings) as ingest:
        return ingest.add([str(source) for source in sources])


def _states(report: Report, folder: Path) -> dict[str, State]:
    return {os.path.relpath(outcome.name, folder): outcome.state for outcome in report.outcomes}


def _titles(store: Store) -> list[str]:
    return [entry.title for entry in store.papers()]


def _of(report: Report, path: Path) -> Outcome:
    (outcome,) = [outcome for outcome in report.outcomes if outcome.name == str(path)]
    return outcome


def _entry(store: Store, title: str) -> PaperEntry:
    (entry,) = [entry for entry in store.papers() if entry.title == title]
    return entry


def _aged(*paths: Path) -> None:
    """Let files look as if they had been written long ago."""
    for path in paths:
        status = path.stat()
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - 10**10))


def test_papers_of_every_format_come_in_with_their_chunks(
    add: Add, store: Store, papers: Path, tex: str, page: str, typeset: Callable[[str], bytes]
) -> None:
    (papers / "page").write_text(page)
    printed = '#set document(title: "On lead")\n= On lead\nThe Debye temperature of lead is 105 K, as we measured.'
    (papers / "printed").write_bytes(typeset(printed))
    with tarfile.open(papers / "source.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("main.tex")
        member.size = len(tex)
        archive.addfile(member, io.BytesIO(tex.encode()))
    report = add(papers)
    assert _states(report, papers) == {
        "notes.txt": State.SKIPPED,
        **dict.fromkeys(["one.xml", "two.nxml", "sub/three", "page", "printed", "source.tar.gz"], State.ADDED),
    }
    formats = {entry.title: (entry.format, entry.pages) for entry in store.papers()}
    assert formats == {
        "A study of alpha": ("jats", 0),
        "A study of beta": ("jats", 0),
        "A study of gamma": ("jats", 0),
        "On gold": ("html", 0),
        "On lead": ("pdf", 1),
        "On tin": ("latex", 0),
    }
    (found,) = store.rank_terms(query_terms("Debye temperature 105"), 1, Filters())
    (chunk,) = store.fetch([found.key])
    assert "105 K" in chunk.chunk.text
    assert store.check() == []


def test_an_entry_tells_what_the_paper_says_of_itself(add: Add, store: Store, papers: Path) -> None:
    add(papers)
    entry = _entry(store, "A study of alpha")
    assert (entry.year, entry.journal, entry.doi) == (2020, "Journal of Made Papers", "10.1234/alpha")
    assert entry.source == str(papers / "one.xml")
    assert "we say a little" in entry.abstract
    assert entry.chunks == len(store.chunks_of(entry.paper_id)) > 0
    assert store.text(entry.paper_id).count("critical temperature") == 1


def test_an_archive_of_something_else_is_no_paper_unless_it_is_named(add: Add, papers: Path) -> None:
    with zipfile.ZipFile(papers / "data.zip", "w") as archive:
        archive.writestr("values.csv", "1,2,3\n")
    found = _of(add(papers), papers / "data.zip")
    assert (found.state, found.foreign) == (State.SKIPPED, True)
    assert _of(add(papers / "data.zip"), papers / "data.zip").code == "unknown_format"


class _NoParse(Watcher):
    """Fails where a source is read that should not be."""

    def started(self, name: str) -> None:
        raise AssertionError(f"{name} was read")


def test_what_is_unchanged_is_not_read_again(add: Add, store: Store, papers: Path) -> None:
    _aged(*(path for path in papers.rglob("*") if path.is_file()))
    add(papers)
    before = store.papers()
    report = add(papers, watcher=_NoParse())
    assert set(_states(report, papers).values()) == {State.UNCHANGED, State.SKIPPED}
    assert store.papers() == before


def test_a_touched_file_is_read_but_not_written_again(add: Add, store: Store, papers: Path) -> None:
    add(papers)
    before = store.papers()
    (papers / "one.xml").touch()
    assert _of(add(papers), papers / "one.xml").state is State.UNCHANGED
    assert store.papers() == before


def test_a_changed_file_replaces_its_paper(add: Add, store: Store, papers: Path, article: Callable[..., str]) -> None:
    add(papers)
    old = _entry(store, "A study of alpha").paper_id
    (papers / "one.xml").write_text(article("alpha", title="A better study"))
    report = add(papers)
    assert _of(report, papers / "one.xml").state is State.UPDATED
    assert _titles(store) == ["A better study", "A study of beta", "A study of gamma"]
    assert store.paper(old) is None
    assert len(report.written) == 1


def test_the_same_paper_under_two_paths_is_one_with_both_known(
    add: Add, store: Store, settings: Settings, papers: Path, article: Callable[..., str]
) -> None:
    (papers / "copy.xml").write_text(article("alpha"))
    report = add(papers)
    states = {_of(report, papers / name).state for name in ("copy.xml", "one.xml")}
    assert states == {State.ADDED, State.UNCHANGED}
    (same,) = [outcome for outcome in report.outcomes if outcome.why.startswith("The same paper as")]
    entry = _entry(store, "A study of alpha")
    with Journal(settings.library_dir) as journal:
        assert {known.name for known in journal.of_paper(entry.paper_id[7:])} == {
            str(papers / "copy.xml"),
            str(papers / "one.xml"),
        }
    assert entry.source != same.name
    (papers / "copy.xml").unlink()
    (papers / "one.xml").rename(papers / "moved.xml")
    add(papers, prune=True)
    assert _entry(store, "A study of alpha").source == str(papers / "moved.xml")
    assert store.check() == []


def test_a_paper_stays_while_another_path_gives_it(
    add: Add, store: Store, papers: Path, article: Callable[..., str]
) -> None:
    (papers / "copy.xml").write_text(article("alpha"))
    add(papers)
    source = Path(_entry(store, "A study of alpha").source)
    source.write_text(article("delta"))
    add(papers)
    entry = _entry(store, "A study of alpha")
    assert entry.source == str(papers / ("one.xml" if source.name == "copy.xml" else "copy.xml"))
    assert len(_titles(store)) == 4


def test_what_is_gone_is_reported_and_removed_only_when_asked(add: Add, store: Store, papers: Path) -> None:
    add(papers)
    (papers / "one.xml").unlink()
    (papers / "sub" / "three").unlink()
    (papers / "sub").rmdir()
    report = add(papers)
    assert _of(report, papers / "one.xml").state is State.GONE
    assert _of(report, papers / "sub" / "three").state is State.GONE
    assert len(_titles(store)) == 3
    report = add(papers / "two.nxml", prune=True)
    assert len(_titles(store)) == 3
    report = add(papers, prune=True)
    assert _of(report, papers / "one.xml").state is State.REMOVED
    assert _titles(store) == ["A study of beta"]
    assert State.GONE not in add(papers).counts


def test_a_named_path_that_is_gone_is_no_failure(add: Add, store: Store, papers: Path) -> None:
    add(papers / "one.xml", papers / "sub")
    (papers / "one.xml").unlink()
    (papers / "sub").rename(papers / "other")
    report = add(papers / "one.xml", papers / "sub", prune=True)
    assert _states(report, papers) == {"one.xml": State.REMOVED, "sub/three": State.REMOVED}
    assert _titles(store) == []
    assert [outcome.code for outcome in add(papers / "sub").outcomes] == ["not_found"]


def test_a_bad_paper_stops_no_other_and_is_remembered(add: Add, store: Store, settings: Settings, papers: Path) -> None:
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    _aged(papers / "broken.pdf")
    failed = _of(add(papers), papers / "broken.pdf")
    assert (failed.state, bool(failed.why), bool(failed.next)) == (State.FAILED, True, True)
    assert len(_titles(store)) == 3
    again = _of(add(papers), papers / "broken.pdf")
    assert again.state is State.SKIPPED
    assert failed.why in again.why
    assert "--retry" in again.next
    assert _of(add(papers, retry=True), papers / "broken.pdf").state is State.FAILED
    assert _of(add(papers / "broken.pdf"), papers / "broken.pdf").state is State.FAILED
    with Journal(settings.library_dir) as journal:
        (known,) = journal.with_standing(Standing.FAILED)
    assert (known.name, known.why) == (str(papers / "broken.pdf"), failed.why)


def test_a_failed_file_is_tried_again_when_it_changes(
    add: Add, store: Store, papers: Path, article: Callable[..., str]
) -> None:
    path = papers / "broken.xml"
    path.write_text("<article><front></article>" * 3)
    _aged(path)
    add(papers)
    path.write_text(article("delta"))
    assert _of(add(papers), path).state is State.ADDED
    assert "A study of delta" in _titles(store)


def test_the_paper_of_a_file_that_broke_stays_until_there_is_a_better_one(
    add: Add, store: Store, papers: Path, article: Callable[..., str]
) -> None:
    add(papers)
    (papers / "one.xml").write_bytes(b"%PDF-1.7\nnothing more")
    assert _of(add(papers), papers / "one.xml").state is State.FAILED
    assert "A study of alpha" in _titles(store)
    (papers / "one.xml").write_text(article("omega"))
    assert _of(add(papers), papers / "one.xml").state is State.UPDATED
    assert _titles(store) == ["A study of beta", "A study of gamma", "A study of omega"]


def test_a_failed_file_that_is_gone_is_forgotten(add: Add, settings: Settings, papers: Path) -> None:
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    add(papers)
    (papers / "broken.pdf").unlink()
    assert State.GONE not in add(papers).counts
    with Journal(settings.library_dir) as journal:
        assert journal.with_standing(Standing.FAILED) == []


def test_what_was_to_go_when_the_process_was_killed_goes_with_the_next(
    add: Add, store: Store, settings: Settings, papers: Path
) -> None:
    add(papers)
    entry = _entry(store, "A study of alpha")
    with Journal(settings.library_dir) as journal:  # as it stands before the paper is removed from the store
        known = journal.of(entry.source)
        assert known is not None
        journal.forget([known.name], leaving=known.digest)
    add(papers / "two.nxml")
    assert _titles(store) == ["A study of beta", "A study of gamma"]


def test_a_removed_paper_comes_back_only_by_its_own_name(
    add: Add, store: Store, settings: Settings, papers: Path
) -> None:
    add(papers)
    with Ingest(settings) as ingest:
        (outcome,) = ingest.remove([str(papers / "one.xml")]).outcomes
    assert (outcome.state, outcome.title) == (State.REMOVED, "A study of alpha")
    (papers / "one.xml").rename(papers / "renamed.xml")
    assert _of(add(papers), papers / "renamed.xml").state is State.SKIPPED
    assert len(_titles(store)) == 2
    assert _of(add(papers / "renamed.xml"), papers / "renamed.xml").state is State.ADDED
    assert _of(add(papers), papers / "renamed.xml").state is State.UNCHANGED


def test_other_versions_make_papers_anew(add: Add, store: Store, papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(papers)
    monkeypatch.setattr("pincite_library.chunks.cut.CHUNKER", "chunks-0")
    report = add(papers)
    assert report.counts == {State.UPDATED: 3, State.SKIPPED: 1}
    assert {entry.chunker.split()[0] for entry in store.papers()} == {"chunks-0"}
    assert add(papers).counts == {State.UNCHANGED: 3, State.SKIPPED: 1}


def test_a_lost_journal_costs_no_parse(add: Add, store: Store, settings: Settings, papers: Path) -> None:
    add(papers)
    before = store.papers()
    (settings.library_dir / FILE).unlink()
    assert add(papers).counts == {State.UNCHANGED: 3, State.SKIPPED: 1}
    assert store.papers() == before


def test_a_lost_library_is_made_again_from_the_cache(add: Add, settings: Settings, papers: Path) -> None:
    add(papers)
    (settings.library_dir / FILE).rename(settings.library_dir.parent / FILE)
    for path in sorted(settings.library_dir.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (settings.library_dir.parent / FILE).rename(settings.library_dir / FILE)
    assert _add_anew(settings, papers).counts == {State.ADDED: 3, State.SKIPPED: 1}


class _Stopper(Watcher):
    """Stops an ingest after its first paper."""

    def __init__(self, ingest: Ingest) -> None:
        self._ingest = ingest

    def ended(self, outcome: Outcome) -> None:
        threading.Thread(target=self._ingest.stop).start()


def test_a_stopped_ingest_keeps_what_it_did_and_the_next_goes_on(
    store: Store, settings: Settings, papers: Path, article: Callable[..., str]
) -> None:
    for number in range(20):
        (papers / f"{number:02}.xml").write_text(article(f"made{number}"))
    with Ingest(settings) as ingest:
        report = ingest.add([str(papers)], watcher=_Stopper(ingest))
    assert report.stopped
    assert len(_titles(store)) == len(report.written) < 23
    assert not report.failed
    finished = _add_anew(settings, papers)
    assert not finished.stopped
    assert len(finished.written) == 23 - len(report.written)
    assert len(_titles(store)) == 23


class _Interrupting(Watcher):
    """As Ctrl-C while a paper is being written."""

    def ended(self, outcome: Outcome) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_is_reported_not_raised(add: Add, settings: Settings, papers: Path) -> None:
    report = add(papers, watcher=_Interrupting())
    assert report.stopped
    assert len(report.outcomes) == 1
    assert _add_anew(settings, papers).counts[State.ADDED] + report.counts.get(State.ADDED, 0) == 3


def test_a_fault_of_ours_with_one_paper_stops_no_other(
    add: Add, papers: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from pincite_library.ingest import reading

    whole = reading.look

    def broken(path: str, **arguments: object) -> object:
        if path.endswith("one.xml"):
            raise ZeroDivisionError("a fault")
        return whole(path, **arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(reading, "look", broken)
    report = add(papers)
    assert _of(report, papers / "one.xml").code == "unreadable"
    assert "ZeroDivisionError" in _of(report, papers / "one.xml").why
    assert len(report.written) == 2
    assert "Reading" in caplog.text


def test_roots_keep_an_ingest_inside(
    settings: Settings, papers: Path, tmp_path: Path, article: Callable[..., str]
) -> None:
    (tmp_path / "outside.xml").write_text(article("outside"))
    with Ingest(settings, roots=settings.roots) as ingest:
        report = ingest.add(["one.xml", "../outside.xml", str(tmp_path)])
    assert [outcome.code for outcome in report.failed] == ["forbidden", "forbidden"]
    assert [outcome.name for outcome in report.written] == [str(papers / "one.xml")]


def test_an_ingest_can_use_a_store_that_is_open(settings: Settings, store: Store, papers: Path) -> None:
    with Ingest(settings, store=store) as ingest:
        ingest.add([str(papers)])
    assert len(_titles(store)) == 3
