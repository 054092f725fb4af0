import hashlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite_core import errors
from pincite_core.settings import Settings
from pincite_papers.opening.roots import Roots
from pincite_papers.opening.store import PaperStore

ENTRY = "misbehaving_parsers:behave"
ENTRIES = Path(__file__).parent / "entries"


@pytest.fixture(autouse=True)
def _entries_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ENTRIES))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


@pytest.fixture
def settings(tmp_path: Path, root: Path) -> Settings:
    return Settings(
        roots=(root,),
        cache_dir=tmp_path / "cache",
        papers_dir=tmp_path / "fetched",
        parse_workers=2,
        max_source_bytes=10_000,
    )


@pytest.fixture
def store(settings: Settings) -> Iterator[PaperStore]:
    with PaperStore(settings, entry=ENTRY) as store:
        yield store


def _id(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _logged(root: Path, name: str = "a.pdf") -> tuple[Path, Path]:
    """A source whose parses are counted in a file, and that file."""
    log = root.parent / f"{name}.log"
    path = root / name
    path.write_text(f"log {log}")
    return path, log


def test_a_path_relative_to_a_root_opens(store: PaperStore, root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "a.pdf").write_bytes(b"hello")
    paper = store.open("sub/a.pdf")
    assert paper.text == "hello"
    assert paper.paper_id == _id(b"hello")
    assert store.open(root / "sub" / "a.pdf") is paper
    assert store.open(str(root / "sub" / ".." / "sub" / "a.pdf")) is paper


def test_the_first_root_that_has_the_file_wins(tmp_path: Path, settings: Settings) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    (two / "b.pdf").write_bytes(b"in two")
    (one / "a.pdf").write_bytes(b"a in one")
    (two / "a.pdf").write_bytes(b"a in two")
    with PaperStore(settings.model_copy(update={"roots": (one, two)}), entry=ENTRY) as store:
        assert store.open("b.pdf").text == "in two"
        assert store.open("a.pdf").text == "a in one"


@pytest.mark.parametrize(
    "way", ["../secret.pdf", "absolute", "link.pdf", "linked/secret.pdf", "sub/../../secret.pdf", "~"]
)
def test_what_is_outside_the_roots_is_refused(store: PaperStore, root: Path, way: str) -> None:
    secret = root.parent / "secret.pdf"
    secret.write_bytes(b"hello")
    (root / "link.pdf").symlink_to(secret)
    (root / "linked").symlink_to(root.parent)
    with pytest.raises(errors.ForbiddenError) as caught:
        store.open(str(secret) if way == "absolute" else way)
    assert str(root) in caught.value.seen
    assert "PINCITE_ROOTS" in caught.value.next


def test_outside_the_roots_existing_and_missing_files_look_the_same(store: PaperStore, root: Path) -> None:
    (root.parent / "secret.pdf").write_bytes(b"hello")
    words: list[str] = []
    for name in ("secret.pdf", "nothing.pdf"):
        with pytest.raises(errors.ForbiddenError) as caught:
            store.open(f"../{name}")
        words.append(str(caught.value).replace(name, ""))
    assert words[0] == words[1]


def test_a_link_that_stays_inside_is_followed(store: PaperStore, root: Path) -> None:
    (root / "a.pdf").write_bytes(b"hello")
    (root / "link.pdf").symlink_to(root / "a.pdf")
    assert store.open("link.pdf") is store.open("a.pdf")


def test_a_root_that_is_itself_a_link_works(tmp_path: Path, root: Path, settings: Settings) -> None:
    (root / "a.pdf").write_bytes(b"hello")
    (tmp_path / "alias").symlink_to(root)
    with PaperStore(settings.model_copy(update={"roots": (tmp_path / "alias",)}), entry=ENTRY) as store:
        assert store.open("a.pdf").text == "hello"
        assert store.open(tmp_path / "alias" / "a.pdf").text == "hello"


def test_a_missing_file_is_answered_with_similar_names(store: PaperStore, root: Path) -> None:
    for name in ("smith2020_cuprates.pdf", "smith2021_cuprates.pdf", "jones.pdf", "notes.txt"):
        (root / name).write_bytes(b"x")
    with pytest.raises(errors.NotFoundError) as caught:
        store.open("smith2020-cuprate.pdf")
    assert "smith2020_cuprates.pdf" in caught.value.seen
    assert "jones" not in caught.value.seen
    with pytest.raises(errors.NotFoundError) as caught:
        store.open("nowhere/at/all.pdf")
    assert "3 files that may be papers" in caught.value.seen
    assert "notes.txt" not in caught.value.seen


@pytest.mark.parametrize("source", ["", "   ", "a\0b.pdf", "sub", "pipe"])
def test_what_cannot_name_a_file_is_bad_input(store: PaperStore, root: Path, source: str) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "inner.pdf").write_bytes(b"x")
    os.mkfifo(root / "pipe")
    with pytest.raises(errors.BadInputError) as caught:
        store.open(source)
    if source == "sub":
        assert "inner.pdf" in caught.value.seen


def test_a_name_that_is_too_long_or_loops_is_a_typed_error(store: PaperStore, root: Path) -> None:
    (root / "loop").symlink_to(root / "loop")
    for source in ("x" * 5000, "loop"):
        with pytest.raises(errors.PinciteError):
            store.open(source)


def test_an_empty_file_and_a_large_file_say_so(store: PaperStore, root: Path) -> None:
    (root / "empty.pdf").write_bytes(b"")
    (root / "large.pdf").write_bytes(b"x" * 10_001)
    (root / "just.pdf").write_bytes(b"x" * 10_000)
    with pytest.raises(errors.EmptySourceError):
        store.open("empty.pdf")
    with pytest.raises(errors.LimitReachedError) as caught:
        store.open("large.pdf")
    assert "10001 bytes" in caught.value.seen
    assert len(store.open("just.pdf").text) == 10_000


def test_a_second_open_parses_nothing_and_reads_nothing(store: PaperStore, root: Path) -> None:
    path, log = _logged(root)
    paper = store.open("a.pdf")
    state = path.stat()
    path.write_bytes(b"X" * state.st_size)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert store.open("a.pdf") is paper
    assert log.read_text() == "parsed\n"


def test_a_changed_file_is_read_again(store: PaperStore, root: Path) -> None:
    path = root / "a.pdf"
    path.write_bytes(b"old")
    assert store.open("a.pdf").text == "old"
    path.write_bytes(b"new")
    os.utime(path, ns=(1, 1))
    assert store.open("a.pdf").text == "new"


def test_equal_bytes_at_two_paths_are_one_paper(store: PaperStore, root: Path) -> None:
    path, log = _logged(root)
    (root / "copy.pdf").write_bytes(path.read_bytes())
    assert store.open("a.pdf") is store.open("copy.pdf")
    assert log.read_text() == "parsed\n"


def test_another_process_would_find_it_in_the_disk_cache(settings: Settings, root: Path) -> None:
    _, log = _logged(root)
    with PaperStore(settings, entry=ENTRY) as first:
        paper = first.open("a.pdf")
    with PaperStore(settings, entry="no_such_module:parse") as second:
        again = second.open("a.pdf")
    assert again is not paper
    assert (again.text, again.paper_id, again.blocks) == (paper.text, paper.paper_id, paper.blocks)
    assert log.read_text() == "parsed\n"


@pytest.mark.parametrize("harm", ["flip", "foreign"])
def test_a_damaged_cache_means_another_parse(settings: Settings, root: Path, harm: str) -> None:
    path, log = _logged(root)
    with PaperStore(settings, entry=ENTRY) as first:
        first.open("a.pdf")
        (root / "b.pdf").write_bytes(b"other")
        first.open("b.pdf")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (entry,) = (found for found in settings.cache_dir.glob("papers/**/*") if found.name == digest)
    content = bytearray(entry.read_bytes())
    content[len(content) // 2] ^= 1
    if harm == "foreign":
        content = bytearray(next(settings.cache_dir.glob(f"papers/**/{_id(b'other')[7:]}")).read_bytes())
    entry.write_bytes(content)
    with PaperStore(settings, entry=ENTRY) as second:
        assert second.open("a.pdf").paper_id == f"sha256:{digest}"
    assert log.read_text() == "parsed\nparsed\n"


def test_simultaneous_opens_parse_once(store: PaperStore, root: Path) -> None:
    _, log = _logged(root)
    gate = threading.Barrier(8)

    def opening(_: int) -> object:
        gate.wait()
        return store.open("a.pdf")

    with ThreadPoolExecutor(8) as threads:
        papers = list(threads.map(opening, range(8)))
    assert all(paper is papers[0] for paper in papers)
    assert log.read_text() == "parsed\n"


def test_simultaneous_opens_share_an_error_and_a_later_one_tries_again(store: PaperStore, root: Path) -> None:
    (root / "a.pdf").write_bytes(b"encrypted")
    gate = threading.Barrier(4)

    def opening(_: int) -> str:
        gate.wait()
        with pytest.raises(errors.EncryptedError) as caught:
            store.open("a.pdf")
        return caught.value.what

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(opening, range(4))) == {"This needs a password."}
    with pytest.raises(errors.EncryptedError):
        store.open("a.pdf")


@pytest.mark.parametrize("form", ["sha256:{0}", "sha256:{1}", "{1}", "pc:{1}", "pc:{1}#p1:0-5", " {0}\n"])
def test_an_id_opens_what_was_opened_before(store: PaperStore, root: Path, form: str) -> None:
    (root / "a.pdf").write_bytes(b"hello")
    paper = store.open("a.pdf")
    digest = paper.paper_id.removeprefix("sha256:")
    assert store.open(form.format(digest, digest[:8])) is paper


def test_an_id_works_in_a_later_process_under_the_same_roots(settings: Settings, root: Path, tmp_path: Path) -> None:
    (root / "a.pdf").write_bytes(b"hello")
    with PaperStore(settings, entry=ENTRY) as first:
        first.open("a.pdf")
    with PaperStore(settings, entry=ENTRY) as later:
        assert later.open(_id(b"hello")[:15]).text == "hello"
    (tmp_path / "elsewhere").mkdir()
    elsewhere = settings.model_copy(update={"roots": (tmp_path / "elsewhere",)})
    with PaperStore(elsewhere, entry=ENTRY) as stranger, pytest.raises(errors.NotFoundError):
        stranger.open(_id(b"hello"))


def test_the_folder_of_fetched_papers_is_read_beside_the_roots(settings: Settings, root: Path) -> None:
    with PaperStore(settings, entry=ENTRY) as store:
        with pytest.raises(errors.NotFoundError):
            store.open(settings.papers_dir / "a.pdf")
        settings.papers_dir.mkdir()
        (settings.papers_dir / "a.pdf").write_bytes(b"fetched")
        assert store.open(settings.papers_dir / "a.pdf").text == "fetched"
        assert store.open("a.pdf").text == "fetched"
        (root / "a.pdf").write_bytes(b"of the user")
        assert store.open("a.pdf").text == "of the user"


@pytest.mark.parametrize("name", ["link.pdf", "sub/../../secret.pdf", "../secret.pdf"])
def test_the_folder_of_fetched_papers_leads_nowhere_else(settings: Settings, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.pdf").write_bytes(b"secret")
    (settings.papers_dir / "sub").mkdir(parents=True)
    (settings.papers_dir / "link.pdf").symlink_to(tmp_path / "secret.pdf")
    with PaperStore(settings, entry=ENTRY) as store, pytest.raises(errors.ForbiddenError):
        store.open(settings.papers_dir / name)


def test_a_folder_of_fetched_papers_that_becomes_a_link_is_not_followed(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "a.pdf").write_bytes(b"secret")
    with PaperStore(settings, entry=ENTRY) as store:
        settings.papers_dir.symlink_to(tmp_path / "secrets")
        with pytest.raises(errors.ForbiddenError):
            store.open(settings.papers_dir / "a.pdf")


def test_an_id_of_a_fetched_paper_works_for_those_who_share_its_folder(settings: Settings, tmp_path: Path) -> None:
    settings.papers_dir.mkdir()
    (settings.papers_dir / "a.pdf").write_bytes(b"fetched")
    with PaperStore(settings, entry=ENTRY) as first:
        first.open("a.pdf")
    (tmp_path / "elsewhere").mkdir()
    other_roots = settings.model_copy(update={"roots": (tmp_path / "elsewhere",)})
    with PaperStore(other_roots, entry=ENTRY) as store:
        assert store.open(_id(b"fetched")[:15]).text == "fetched"
    other_folder = settings.model_copy(update={"papers_dir": tmp_path / "elsewhere"})
    with PaperStore(other_folder, entry=ENTRY) as stranger, pytest.raises(errors.NotFoundError):
        stranger.open(_id(b"fetched"))


def test_an_id_in_a_root_that_is_the_folder_of_fetched_papers_works_for_both(settings: Settings, root: Path) -> None:
    (root / "a.pdf").write_bytes(b"hello")
    with PaperStore(settings.model_copy(update={"papers_dir": root}), entry=ENTRY) as first:
        first.open("a.pdf")
    with PaperStore(settings, entry=ENTRY) as later:
        assert later.open(_id(b"hello")).text == "hello"


@pytest.mark.parametrize("cache_max_bytes", [0, 10_000_000])
def test_an_id_whose_paper_was_dropped_is_read_from_its_place(
    settings: Settings, root: Path, cache_max_bytes: int
) -> None:
    small = settings.model_copy(update={"memory_max_bytes": 0, "cache_max_bytes": cache_max_bytes})
    for name in ("a", "b"):
        (root / f"{name}.pdf").write_bytes(name.encode())
    with PaperStore(small, entry=ENTRY) as store:
        store.open("a.pdf")
        store.open("b.pdf")
        for entry in settings.cache_dir.glob("papers/*/*/*"):
            entry.unlink()
        assert store.open(_id(b"a")).text == "a"
        store.open("b.pdf")
        for entry in settings.cache_dir.glob("papers/*/*/*"):
            entry.unlink()
        (root / "a.pdf").write_bytes(b"changed")
        with pytest.raises(errors.NotFoundError) as caught:
            store.open(_id(b"a"))
        assert "a.pdf" in caught.value.seen


def test_an_unknown_id_says_what_to_do(store: PaperStore) -> None:
    for source in ("sha256:" + "0" * 64, "pc:00000000"):
        with pytest.raises(errors.NotFoundError) as caught:
            store.open(source)
        assert "path" in caught.value.next


def test_a_file_whose_name_looks_like_an_id_opens(store: PaperStore, root: Path) -> None:
    (root / "20201231").write_bytes(b"hello")
    assert store.open("20201231").text == "hello"


def test_a_prefix_of_two_papers_is_refused(settings: Settings, store: PaperStore, root: Path) -> None:
    (root / "a.pdf").write_bytes(b"hello")
    digest = store.open("a.pdf").paper_id.removeprefix("sha256:")
    (noted,) = settings.cache_dir.glob(f"opened/**/{digest}")
    noted.with_name(digest[:-1] + ("0" if digest[-1] != "0" else "1")).write_bytes(b"")
    with pytest.raises(errors.BadInputError) as caught:
        store.open(digest[:8])
    assert digest in caught.value.seen
    assert store.open(digest).text == "hello"


def test_memory_holds_no_more_than_its_bound_but_always_the_last(settings: Settings, root: Path) -> None:
    bounded = settings.model_copy(update={"memory_max_bytes": 60_000, "cache_max_bytes": 0})
    for name in "abc":
        (root / f"{name}.pdf").write_bytes(name.encode() * 2000)
    with PaperStore(bounded, entry=ENTRY) as store:
        first = store.open("a.pdf")
        assert store.open("a.pdf") is first
        store.open("b.pdf")
        store.open("c.pdf")
        assert store.open("a.pdf") is not first
    with PaperStore(bounded.model_copy(update={"memory_max_bytes": 0}), entry=ENTRY) as store:
        assert store.open("a.pdf") is store.open("a.pdf")


def test_a_disk_that_cannot_be_written_does_not_stop_it(settings: Settings, root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (root / "a.pdf").write_bytes(b"hello")
    with PaperStore(settings.model_copy(update={"cache_dir": tmp_path / "file" / "x"}), entry=ENTRY) as store:
        paper = store.open("a.pdf")
        assert store.open("a.pdf") is paper
        assert store.open(paper.paper_id) is paper


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/x.pdf", "https://example.org/x.pdf", "ftp://example.org/x.pdf"]
)
def test_addresses_are_refused_unless_allowed(store: PaperStore, address: str) -> None:
    with pytest.raises(errors.ForbiddenError) as caught:
        store.open(address)
    assert "PINCITE_ALLOW_URLS" in caught.value.next


def test_after_close_a_known_paper_still_opens(store: PaperStore, root: Path) -> None:
    (root / "a.pdf").write_bytes(b"hello")
    (root / "b.pdf").write_bytes(b"unknown")
    paper = store.open("a.pdf")
    store.close()
    assert store.open("a.pdf") is paper
    with pytest.raises(errors.UnavailableError):
        store.open("b.pdf")


def test_a_link_that_is_turned_elsewhere_is_followed_anew(store: PaperStore, root: Path) -> None:
    for name in ("a", "b"):
        (root / f"{name}.pdf").write_bytes(name.encode())
    (root.parent / "secret.pdf").write_bytes(b"secret")
    link = root / "link.pdf"
    link.symlink_to(root / "a.pdf")
    assert store.open("link.pdf").text == "a"
    link.unlink()
    link.symlink_to(root / "b.pdf")
    assert store.open("link.pdf").text == "b"
    link.unlink()
    link.symlink_to(root.parent / "secret.pdf")
    assert store.recall("link.pdf") is None
    with pytest.raises(errors.ForbiddenError):
        store.open("link.pdf")
    link.unlink()
    with pytest.raises(errors.NotFoundError):
        store.open("link.pdf")


def test_a_file_that_appears_in_an_earlier_root_wins(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "two" / "a.pdf").write_bytes(b"two")
    roots = Roots((tmp_path / "one", tmp_path / "two"))
    assert roots.read("a.pdf", 100)[1] == b"two"
    assert roots.locate("a.pdf") == roots.locate("a.pdf")
    (tmp_path / "one" / "a.pdf").write_bytes(b"one")
    assert roots.locate("a.pdf").path == str(tmp_path / "one" / "a.pdf")


def test_a_name_with_a_tilde_is_a_name(store: PaperStore, root: Path) -> None:
    (root / "~$draft.pdf").write_bytes(b"hello")
    assert store.open("~$draft.pdf").text == "hello"


def test_recall_finds_what_is_in_memory_and_nothing_else(settings: Settings, root: Path) -> None:
    path, log = _logged(root)
    with PaperStore(settings, entry=ENTRY) as store:
        assert store.recall("a.pdf") is None
        paper = store.open("a.pdf")
        for source in ("a.pdf", str(path), paper.paper_id, f"pc:{paper.paper_id[7:15]}#p1:0-3"):
            assert store.recall(source) is paper
        for source in ("", "b.pdf", "../a.pdf", "sha256:00000000", "https://example.org/a.pdf"):
            assert store.recall(source) is None
    with PaperStore(settings, entry=ENTRY) as later:
        assert later.recall(paper.paper_id) is None
    assert log.read_text() == "parsed\n"


def test_reading_checks_the_place_anew(tmp_path: Path, root: Path) -> None:
    (tmp_path / "secret.pdf").write_bytes(b"secret")
    (root / "a.pdf").write_bytes(b"hello")
    roots = Roots((root,))
    located = roots.locate("a.pdf")
    (root / "a.pdf").unlink()
    (root / "a.pdf").symlink_to(tmp_path / "secret.pdf")
    assert located.path == str(root / "a.pdf")
    with pytest.raises(errors.ForbiddenError):
        roots.read("a.pdf", 100)
