import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pincite_harness.cli.main import main
from pincite_library.store.sqlite.store import SqliteStore

ARTICLE = """<article article-type="research-article"><front><journal-meta><journal-title-group>
<journal-title>{journal}</journal-title></journal-title-group></journal-meta><article-meta>
<article-id pub-id-type="doi">10.1234/{key}</article-id><title-group><article-title>A study of {key}</article-title>
</title-group><pub-date><year>{year}</year></pub-date><abstract><p>We studied {key}.</p></abstract></article-meta>
</front><body><sec><title>Methods</title><p>Crystals of {key} were grown by hand.</p></sec><sec><title>Results</title>
<p>The critical temperature of {key} is {value} K at ambient pressure.</p><table-wrap><label>Table 1</label><caption>
<p>Lattice constants.</p></caption><table><thead><tr><th>Sample</th><th>a (nm)</th></tr></thead><tbody>
<tr><td>{key}</td><td>0.{value}</td></tr></tbody></table></table-wrap></sec></body></article>"""


class Said(NamedTuple):
    """What a command said and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Said]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with papers and the settings of the environment that keep all under it."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "papers").mkdir()
    for key, year, value, journal in (
        ("alpha", 2015, 39, "Journal of Tin"),
        ("beta", 2020, 92, "Journal of Lead"),
        ("gamma", 2021, 7, "Letters on Tin"),
    ):
        text = ARTICLE.format(key=key, year=year, value=value, journal=journal)
        (folder / "papers" / f"{key}.xml").write_text(text)
    (folder / "papers" / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    (folder / "papers" / "notes.md").write_text("Buy milk.")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CACHE", "PAPERS", "LIBRARY"):
            patch.setenv(f"PINCITE_{name}_DIR", str(folder / name.lower()) if name != "PAPERS" else str(folder / "got"))
        patch.setenv("PINCITE_PARSE_WORKERS", "1")
        patch.setenv("COLUMNS", "200")
        yield folder


@pytest.fixture
def run(place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A function that runs ``pincite library``."""

    def call(*words: str | Path) -> Said:
        monkeypatch.setattr(sys, "argv", ["pincite", "library", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Said(int(ended.value.code or 0), out, err)

    return call


@pytest.fixture(scope="module")
def library(place: Path) -> Path:
    """The library of the papers, made by the command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["pincite", "library", "add", str(place / "papers")])
        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 1  # one of them is broken
    return place / "library"


def test_add_tells_each_change_and_the_sum(run: Run, place: Path, library: Path) -> None:
    said = run("add", place / "papers", "--library", place / "second")
    lines = said.out.splitlines()
    assert said.code == 1
    assert sum(" added: " in line for line in lines) == 3
    (failed,) = [line for line in lines if " failed: " in line]
    assert "broken.pdf" in failed
    assert lines[-1].startswith("3 added, 1 failed, 1 not papers in ")
    again = run("add", place / "papers", "--library", place / "second", "--json")
    assert again.json["counts"]["unchanged"] == 3
    assert again.json["not_papers"] == 1
    assert run("check", "--library", place / "second").code == 0


def test_list_names_papers_and_failures(run: Run, place: Path, library: Path) -> None:
    said = run("list")
    assert [line.split()[1] for line in said.out.splitlines()[:3]] == ["2015", "2020", "2021"]
    assert said.out.splitlines()[-1] == f"3 papers in {library}"
    papers = run("list", "--json").json
    assert [paper["title"] for paper in papers] == ["A study of alpha", "A study of beta", "A study of gamma"]
    failed = run("list", "--failed")
    assert "broken.pdf" in failed.out
    assert "1 sources failed" in failed.out
    (known,) = run("list", "--failed", "--json").json
    assert known["why"]


def test_search_finds_passages_with_their_locators(run: Run, library: Path) -> None:
    said = run("search", "critical temperature of beta", "-k", "2")
    assert said.code == 0
    assert said.out.startswith("1. pc:")
    assert "A study of beta (2020)" in said.out.splitlines()[0]
    assert "92 K" in said.out
    assert "bm25 #1" in said.out
    found = run("search", "critical temperature of beta", "--json").json["found"]
    assert found[0]["bm25"]["rank"] == 1
    assert found[0]["dense"] is None
    shown = run("show", found[0]["locator"], "--json").json
    assert shown["text"] == found[0]["text"]
    assert shown["chunk"] == found[0]["locator"]


@pytest.mark.parametrize(
    ("options", "titles"),
    [
        (["--year", "2015-2020"], {"A study of alpha", "A study of beta"}),
        (["--year", "2021"], {"A study of gamma"}),
        (["--journal", "tin"], {"A study of alpha", "A study of gamma"}),
        (["--paper", "10.1234/beta"], {"A study of beta"}),
        (["--journal", "none of these"], set[str]()),
    ],
)
def test_search_is_filtered(run: Run, library: Path, options: list[str], titles: set[str]) -> None:
    found = run("search", "critical temperature", "--json", *options).json["found"]
    assert {one["title"] for one in found} == titles


def test_search_is_filtered_by_section_and_kind(run: Run, place: Path, library: Path) -> None:
    found = run("search", "crystals lattice", "--section", "method", "--json").json["found"]
    assert {one["section"] for one in found} == {"Methods"}
    found = run("search", "lattice constants", "--kind", "table", "--json").json["found"]
    assert {one["kind"] for one in found} == {"table"}
    found = run("search", "lattice", "--paper", place / "papers" / "gamma.xml", "--json").json["found"]
    assert {one["title"] for one in found} == {"A study of gamma"}


def test_grep_finds_every_place(run: Run, library: Path) -> None:
    said = run("grep", "critical temperature")
    assert said.out.splitlines()[-1] == "3 of 3 places"
    hits = run("grep", r"is \d\d K", "--regex", "--year", "2015", "--json").json["hits"]
    assert [hit["quote"] for hit in hits] == ["is 39 K"]
    shown = run("show", hits[0]["locator"], "--context", "20")
    assert "alpha is 39 K at" in shown.out
    assert run("grep", "Critical", "-s").out.startswith("0 of 0")
    assert run("grep", "critical temperature", "-n", "1").out.splitlines()[-1] == "1 of 3 places"


def test_show_tells_of_a_paper(run: Run, place: Path, library: Path) -> None:
    said = run("show", "10.1234/alpha")
    for word in ("A study of alpha", "Journal of Tin", "2015", str(place / "papers" / "alpha.xml"), "We studied alpha"):
        assert word in said.out
    assert "critical temperature of alpha is 39 K" in run("show", place / "papers" / "alpha.xml", "--text").out
    paper = run("show", "10.1234/alpha", "--json").json
    assert paper["sources"] == [str(place / "papers" / "alpha.xml")]
    assert {chunk["kind"] for chunk in paper["chunks"]} == {"text", "table"}


def test_names_that_mean_nothing_are_told(run: Run, library: Path) -> None:
    for words in (
        ["show", "10.9999/none"],
        ["show", "pc:00000000#0-3"],
        ["search", "x", "--paper", "none"],
        ["remove", "none"],
    ):
        said = run(*words)
        assert said.code == 1, words
        assert "pincite library list" in said.err, words
        assert "Traceback" not in said.err
    locator = run("search", "beta", "--json").json["found"][0]["locator"].partition("#")[0]
    assert "beyond" in run("show", f"{locator}#5-99999999").err
    for words in (["search", "x", "--year", "20x"], ["search", "x", "--kind", "poem"], ["grep", "(", "--regex"]):
        assert run(*words).code == 2, words


def test_stats_and_check_look_at_the_whole(run: Run, library: Path) -> None:
    found = run("stats", "--json").json
    assert (found["papers"], found["formats"], found["years"]) == (3, "3 jats", "2015-2021")
    assert "3 kept" in run("stats").out
    assert run("check").out == "3 papers, no problems\n"
    assert run("check", "--json").json == {"papers": 3, "problems": []}


def test_removed_papers_are_gone_and_their_room_is_given_back(run: Run, place: Path, library: Path) -> None:
    own = ["--library", place / "third"]
    run("add", place / "papers", *own)
    said = run("remove", place / "papers" / "beta.xml", "10.1234/gamma", *own)
    assert said.out.count("removed: ") == 2
    assert [paper["doi"] for paper in run("list", "--json", *own).json] == ["10.1234/alpha"]
    assert run("grep", "92 K", *own).out.startswith("0 of 0")
    assert "given back" in run("vacuum", *own).out
    assert run("check", *own).code == 0
    run("remove", place / "papers", *own)
    assert "is empty" in run("search", "alpha", *own).err


def test_check_finds_what_is_wrong(run: Run, place: Path, library: Path) -> None:
    own = ["--library", place / "fourth"]
    run("add", place / "papers" / "alpha.xml", *own)
    with contextlib.closing(SqliteStore(place / "fourth")) as store:
        store.remove_papers([entry.paper_id for entry in store.papers()])
    said = run("check", *own)
    assert said.code == 1
    assert f"the paper of {place / 'papers' / 'alpha.xml'} is not in the library" in said.out
    assert run("check", "--json", *own).json["problems"]
    assert " added: " in run("add", place / "papers" / "alpha.xml", *own).out
    assert run("check", *own).code == 0
    (place / "fourth" / "sources.db").write_bytes(b"nothing that a database would hold" * 100)
    damaged = run("check", *own)
    assert damaged.code == 1
    assert "damaged" in damaged.err


def test_a_library_that_is_not_there_is_told_not_made(run: Run, place: Path) -> None:
    for words in (
        ["list"],
        ["search", "x"],
        ["grep", "x"],
        ["show", "x"],
        ["check"],
        ["stats"],
        ["remove", "x"],
        ["embed"],
    ):
        said = run(*words, "--library", place / "nowhere")
        assert said.code == 1, words
        assert "pincite library add" in said.err, words
    assert not (place / "nowhere").exists()


def test_embed_without_an_embedder_says_what_to_set(run: Run, library: Path) -> None:
    said = run("embed")
    assert said.code == 2
    assert "PINCITE_EMBEDDER" in said.err


def test_describe_without_a_model_says_what_to_set(run: Run, place: Path) -> None:
    said = run("add", place / "papers", "--describe", "--library", place / "fifth")
    assert said.code == 2
    assert "PINCITE_TEXT_MODEL" in said.err
