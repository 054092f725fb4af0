import os
from pathlib import Path

import pytest

from pincite_core.errors import BadInputError, ForbiddenError, NotFoundError
from pincite_library.ingest.finding import Finder, Kind
from pincite_literature.identifiers import identified


def _names(folder: Path, *sources: str, roots: tuple[Path, ...] | None = None) -> list[str]:
    found = Finder(roots).find(sources)
    assert not [candidate.problem for candidate in found.candidates if candidate.problem]
    return [str(Path(candidate.name).relative_to(folder)) for candidate in found.candidates]


def test_a_folder_gives_all_its_files_but_hidden_ones(papers: Path) -> None:
    (papers / ".git").mkdir()
    (papers / ".git" / "config.xml").write_text("<article/>")
    (papers / "half.pdf.part").write_text("%PDF-")
    assert _names(papers, str(papers)) == ["notes.txt", "one.xml", "two.nxml", "sub/three"]


def test_folders_of_ours_are_passed_over(papers: Path) -> None:
    (papers / "library" / "text").mkdir(parents=True)
    (papers / "library" / "text" / "0123.txt").write_text("<p>the text of a paper</p>")
    found = Finder(apart=[papers / "sub" / ".." / "library"]).find([str(papers)])
    assert all("library" not in candidate.name for candidate in found.candidates)
    assert len(found.candidates) == 4


def test_what_is_named_twice_is_found_once(papers: Path) -> None:
    assert _names(papers, str(papers / "one.xml"), str(papers), str(papers / "sub" / ".." / "one.xml")) == [
        "one.xml",
        "notes.txt",
        "two.nxml",
        "sub/three",
    ]


def test_links_within_a_folder_are_followed_once_and_loops_not_at_all(papers: Path) -> None:
    (papers / "again.xml").symlink_to(papers / "one.xml")
    (papers / "sub" / "up").symlink_to(papers)
    assert _names(papers, str(papers)) == ["one.xml", "notes.txt", "two.nxml", "sub/three"]


def test_a_link_that_leads_out_is_told_not_followed(papers: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.xml"
    outside.write_text("<article/>")
    (papers / "link.xml").symlink_to(outside)
    found = Finder().find([str(papers)])
    (told,) = [candidate for candidate in found.candidates if candidate.problem]
    assert told.name == str(papers / "link.xml")
    assert isinstance(told.problem, ForbiddenError)


def test_pipes_and_devices_are_no_sources(papers: Path) -> None:
    os.mkfifo(papers / "pipe.xml")
    assert "pipe.xml" not in _names(papers, str(papers))


def test_a_name_that_is_no_utf8_is_told(papers: Path) -> None:
    Path(os.fsdecode(os.fsencode(papers) + b"/caf\xe9.xml")).write_text("<article/>")
    found = Finder().find([str(papers)])
    (told,) = [candidate for candidate in found.candidates if candidate.problem]
    assert isinstance(told.problem, BadInputError)
    told.name.encode()


def test_a_folder_that_cannot_be_listed_is_remembered(papers: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may list every folder")
    (papers / "sub").chmod(0)
    try:
        assert Finder().find([str(papers)]).unseen == [str(papers / "sub")]
    finally:
        (papers / "sub").chmod(0o755)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("10.1103/PhysRevLett.58.908", "doi:10.1103/physrevlett.58.908"),
        ("https://doi.org/10.1103/PhysRevLett.58.908", "doi:10.1103/physrevlett.58.908"),
        ("arXiv:2101.00001v2", "arxiv:2101.00001v2"),
        ("https://arxiv.org/pdf/2101.00001v3", "arxiv:2101.00001v3"),
        ("2101.00001", "arxiv:2101.00001"),
        ("PMC4521097", "pmcid:PMC4521097"),
        ("PMID: 26214568", "pmid:26214568"),
    ],
)
def test_identifiers_are_brought_to_one_form(source: str, name: str) -> None:
    (candidate,) = Finder().find([source]).candidates
    assert (candidate.name, candidate.kind) == (name, Kind.IDENTIFIER)
    assert identified(name) == name


def test_a_file_with_the_name_of_an_identifier_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "2101.00001").write_text("<article/>")
    monkeypatch.chdir(tmp_path)
    (candidate,) = Finder().find(["2101.00001"]).candidates
    assert (candidate.name, candidate.kind) == (str(tmp_path / "2101.00001"), Kind.FILE)


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    found = Finder().find([str(tmp_path / "none.pdf"), "A title of something", ""])
    assert [type(candidate.problem) for candidate in found.candidates] == [NotFoundError, NotFoundError, BadInputError]
    assert str(tmp_path / "none.pdf") in found.missing


def test_roots_hold_relative_paths_and_keep_others_out(papers: Path, tmp_path: Path) -> None:
    assert _names(papers, "one.xml", "sub", roots=(tmp_path / "nothing", papers)) == ["one.xml", "sub/three"]
    outside = tmp_path / "outside.xml"
    outside.write_text("<article/>")
    (papers / "link.xml").symlink_to(outside)
    for source in (str(outside), "../outside.xml", "link.xml", str(tmp_path)):
        (candidate,) = Finder((papers,)).find([source]).candidates
        assert isinstance(candidate.problem, ForbiddenError), source
    assert not Finder((papers,)).find([str(tmp_path)]).folders
