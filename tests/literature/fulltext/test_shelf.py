"""The folder of fetched papers."""

import hashlib
import json
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from pincite_core.errors import UnavailableError
from pincite_literature.fulltext.shelf import Kept, Shelf, safe_stem, suffix_of
from pincite_literature.model import Identifiers

KEPT = Kept(
    name="",
    sha256="",
    kind="pdf",
    url="https://publisher.example/7.pdf",
    route="publisher",
    retrieved="2026-01-02T03:04:05Z",
    version="published",
    licence="cc-by",
    date="2019-03-05",
    title="A made-up paper",
    ids={"doi": "10.1234/abc", "pmid": "99"},
    without=("latex",),
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "not" / "yet")


def test_a_paper_is_kept_with_its_record(shelf: Shelf) -> None:
    kept = shelf.put("10.1234/abc", b"%PDF-1.7 x", KEPT)
    assert kept.name == "10.1234_abc.pdf"
    assert shelf.path(kept).read_bytes() == b"%PDF-1.7 x"
    record = json.loads((shelf.folder / "10.1234_abc.pdf.json").read_text())
    assert record["sha256"] == hashlib.sha256(b"%PDF-1.7 x").hexdigest()
    assert record["url"] == KEPT.url
    assert record["ids"] == {"doi": "10.1234/abc", "pmid": "99"}
    assert sorted(path.name for path in shelf.folder.iterdir()) == ["10.1234_abc.pdf", "10.1234_abc.pdf.json"]
    for ids in (Identifiers(doi="10.1234/abc"), Identifiers(pmid="99"), Identifiers(pmid="99", arxiv="1")):
        assert Shelf(shelf.folder).find(ids) == shelf.find(ids) == [kept]
    assert shelf.find(Identifiers(doi="10.1234/abcd", pmid="9")) == []


def test_a_folder_that_has_settled_is_not_listed_anew(shelf: Shelf) -> None:
    kept = shelf.put("10.1234/abc", b"one", KEPT)
    os.utime(shelf.folder, ns=(1, 1))
    for _ in range(2):
        assert shelf.find(Identifiers(pmid="99")) == [kept]
    other = Shelf(shelf.folder).put("10.1234/abc", b"two", KEPT)
    assert len(shelf.find(Identifiers(pmid="99"))) == 2
    shelf.path(other).unlink()
    assert shelf.find(Identifiers(pmid="99")) == [kept]


def test_the_same_bytes_are_kept_once_and_others_beside_them(shelf: Shelf) -> None:
    first = shelf.put("10.1234/abc", b"one", KEPT)
    assert shelf.put("10.1234/abc", b"one", KEPT) == first
    known = shelf.put("10.1234/abc", b"one", replace(KEPT, ids={"doi": "10.1234/abc", "pmcid": "PMC5"}))
    assert shelf.find(Identifiers(pmcid="PMC5")) == [known]
    first = shelf.put("10.1234/abc", b"one", KEPT)
    second = shelf.put("10.1234/abc", b"two", KEPT)
    assert second.name == f"10.1234_abc-{hashlib.sha256(b'two').hexdigest()[:8]}.pdf"
    assert shelf.path(first).read_bytes() == b"one"
    assert shelf.find(Identifiers(doi="10.1234/abc")) == sorted([first, second], key=lambda kept: kept.name)


def test_files_of_others_are_left_alone(shelf: Shelf, tmp_path: Path) -> None:
    shelf.folder.mkdir(parents=True)
    (shelf.folder / "10.1234_abc.pdf").write_bytes(b"the user's own")
    (shelf.folder / "PMC1.pdf.json").write_text('{"my": "notes"}')
    assert shelf.put("10.1234/abc", b"new", KEPT).name != "10.1234_abc.pdf"
    assert shelf.put("PMC1", b"new", KEPT).name != "PMC1.pdf"
    assert (shelf.folder / "10.1234_abc.pdf").read_bytes() == b"the user's own"
    assert (shelf.folder / "PMC1.pdf.json").read_text() == '{"my": "notes"}'


def test_links_in_the_folder_are_not_followed(shelf: Shelf, tmp_path: Path) -> None:
    shelf.folder.mkdir(parents=True)
    secret = tmp_path / "secret"
    secret.write_bytes(b"secret")
    (shelf.folder / "10.1234_abc.pdf").symlink_to(secret)
    (shelf.folder / "10.1234_abd.pdf").symlink_to(tmp_path / "nothing")
    (shelf.folder / "PMC1.pdf.json").symlink_to(secret)
    for stem in ("10.1234/abc", "10.1234/abd", "PMC1"):
        kept = shelf.put(stem, b"new", KEPT)
        assert not shelf.path(kept).is_symlink()
        assert shelf.path(kept).read_bytes() == b"new"
    assert secret.read_bytes() == b"secret"
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize(
    "stem",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "..",
        ".hidden",
        "-rf",
        "a\x00b",
        "a\nb",
        "",
        "ünï/ø",
        "a" * 5000,
        "CON",
        "a\\b",
        "10.1234/<abc>?x=%2e%2e%2f",
        "10.1002/(SICI)1097-4555(199706)28:6<401::AID-JRS107>3.0.CO;2-4",
    ],
)
def test_no_name_leads_out_of_the_folder(shelf: Shelf, stem: str) -> None:
    kept = shelf.put(stem, b"x", KEPT)
    assert shelf.path(kept).resolve().parent == shelf.folder.resolve()
    assert not kept.name.startswith((".", "-"))
    assert kept.name.isascii()
    assert len(kept.name) <= 140
    assert kept.name == Path(kept.name).name


def test_long_names_stay_different() -> None:
    assert safe_stem("10.1/" + "a" * 500) != safe_stem("10.1/" + "a" * 501)


@pytest.mark.parametrize(
    ("data", "suffix"),
    [
        (b"\\documentclass{x}", ".tex"),
        (b"PK\x03\x04", ".zip"),
        (b"x" * 257 + b"ustar", ".tar"),
        (b"\x1f\x8bbad", ".tex.gz"),
    ],
)
def test_latex_is_named_after_its_packing(data: bytes, suffix: str) -> None:
    assert suffix_of("latex", data) == suffix


@pytest.mark.parametrize(
    "change",
    [
        {"form": "another"},
        {"kind": "exe"},
        {"ids": None},
        {"sha256": 7},
        {"name": "../../secret.pdf"},
        {"name": "another.pdf"},
        {"url": None},
    ],
)
def test_records_that_are_not_ours_are_passed_over(shelf: Shelf, change: dict[str, object]) -> None:
    kept = shelf.put("10.1234/abc", b"one", KEPT)
    path = shelf.folder / f"{kept.name}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert shelf.find(Identifiers(doi="10.1234/abc")) == []


def test_records_of_files_that_are_gone_or_unreadable_are_passed_over(shelf: Shelf) -> None:
    kept = shelf.put("10.1234/abc", b"one", KEPT)
    assert shelf.find(Identifiers(doi="10.1234/abc")) == [kept]
    (shelf.folder / "broken.pdf").write_bytes(b"x")
    (shelf.folder / "broken.pdf.json").write_bytes(b"\xff{")
    shelf.path(kept).unlink()
    assert shelf.find(Identifiers(doi="10.1234/abc")) == []


def test_many_at_once_keep_every_file_whole(shelf: Shelf) -> None:
    contents = [bytes([65 + n]) * 200_000 for n in range(8)] * 2
    kept: list[Kept] = []
    threads = [
        threading.Thread(target=lambda data=data: kept.append(shelf.put("10.1/x", data, KEPT))) for data in contents
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == len(contents)
    for one in kept:
        assert hashlib.sha256(shelf.path(one).read_bytes()).hexdigest() == one.sha256
    assert len({one.name for one in kept}) == 8
    assert not [path for path in shelf.folder.iterdir() if path.name.startswith(".tmp-")]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UnavailableError, match="could not be kept"):
        Shelf(tmp_path / "file" / "papers").put("x", b"x", KEPT)
