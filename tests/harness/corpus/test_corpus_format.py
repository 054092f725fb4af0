"""The format of a corpus: what cannot be read is an error with file and line, what makes no sense a fault."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.cli.main import app
from pincite_tasks.corpus.check import check_corpus
from pincite_tasks.corpus.corpus import read_corpus

Write = Callable[..., Path]
TITLE = "Kagome bismuthides without inversion symmetry"
LONG = "A sentence that makes the text long enough to be a paper. " * 20


def test_a_sound_corpus_has_no_fault(write: Write) -> None:
    folder = write()
    assert check_corpus(folder) == []
    corpus = read_corpus(folder)
    assert [work.id for work in corpus.citing(corpus.works[0])] == ["harker2016", "silva2021"]
    assert len({work.openalex for work in corpus.works} | {work.s2 for work in corpus.works}) == 2 * len(corpus.works)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"title": "No"}, "title: String should have at least 5"),
        ({"titel": "A title"}, "titel: "),
        ({"authors": []}, "authors"),
        ({"authors": ["Okonjo,"]}, "'Family, Given'"),
        ({"published": "2014-13"}, "published"),
        ({"published": "May 2014"}, "YYYY-MM-DD"),
        ({"doi": "doi:10.5555/x"}, "doi"),
        ({"doi": "10.5555/Upper"}, "doi"),
        ({"doi": "", "arxiv": "", "text": ""}, "no source knows it"),
        ({"arxiv": "1403.9911"}, "not of the month"),
        ({"published": "2014-13"}, "published: month must be in"),
        ({"posted": "", "published": "2014"}, "the day on which it was posted"),
        ({"arxiv": "", "posted": ""}, "no source holds its text"),
        ({"kind": "blog"}, "kind"),
        ({"text": "../okonjo2014.txt"}, "text"),
        ({"references": ["nobody2000"]}, "names works that do not exist.*nobody2000"),
        ({"corrects": ["nobody2000"]}, "names works that do not exist.*nobody2000"),
        ({"references": ["okonjo2014"]}, "names works that do not exist.*okonjo2014"),
        ({"retracted": {"notice": "nobody", "on": "2015"}}, "names works that do not exist"),
        ({"text": "texts/other.txt"}, "there is no .*other.txt"),
        ({"id": "dube2019"}, "the id dube2019 appears twice"),
        ({"doi": "10.5555/jim.2021.7"}, "the doi 10.5555/jim.2021.7 appears twice"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(write: Write, works: Any, change: Any, says: str) -> None:
    works[0] |= change
    with pytest.raises((BadInputError, NotFoundError), match=rf"(?s)works\.jsonl:\d.*{says}"):
        read_corpus(write(works))
    [fault] = check_corpus(write(works))
    assert "works.jsonl:" in fault


def test_what_is_no_json_or_no_work_at_all_is_named(write: Write) -> None:
    folder = write()
    path = folder / "works.jsonl"
    path.write_bytes(path.read_bytes() + b"\n{")
    with pytest.raises(BadInputError, match=r"works\.jsonl:7 is not JSON"):
        read_corpus(folder)
    path.write_bytes(b"\n\n")
    with pytest.raises(BadInputError, match="does not contain a work"):
        read_corpus(folder)
    path.unlink()
    with pytest.raises(NotFoundError, match="There is no"):
        read_corpus(folder)
    assert len(check_corpus(folder)) == 1


@pytest.mark.parametrize(
    ("at", "change", "says"),
    [
        (0, {"doi": "10.1103/jim.2014.101"}, "may be a real work's: use the prefix 10.5555"),
        (0, {"arxiv": "1402.1234"}, "arXiv number 1402.1234 may be a real work's"),
        (4, {"arxiv": "1906.01001"}, "may be a real work's"),
        (0, {"arxiv": "1402.99110"}, "five digits from 2015 on"),
        (1, {"pmcid": "PMC123456"}, "the pmcid 123456 may be a real work's"),
        (5, {"pmid": "31234567"}, "the pmid 31234567 may be a real work's"),
        (2, {"retracted": {"notice": "dube2019", "on": "2017-03-01"}}, "dube2019 retracts it, and is not a notice"),
        (2, {"retracted": {"notice": "harker2017", "on": "2015-03-01"}}, "retracted before it was published"),
        (3, {"doi": "", "pmid": "99000002"}, "its notice harker2017 has no DOI"),
        (1, {"references": ["dube2019"]}, "cites dube2019, which is of a later year"),
    ],
)
def test_what_makes_no_sense_is_a_fault(write: Write, works: Any, at: int, change: Any, says: str) -> None:
    works[at] |= change
    [fault] = check_corpus(write(works))
    line = 3 if at == 3 else at + 1  # a notice without a DOI is a fault of what it retracts
    assert fault.startswith(f"{write(works) / 'works.jsonl'}:{line}: ")
    assert says in fault


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("okonjo2014.txt", "# Results\n\nToo short.", "fewer than 1000 characters"),
        ("okonjo2014.txt", LONG, "no heading"),
        ("okonjo2014.txt", f"# Results\n\n{LONG}\n\n| a | b |\n| 1 |", "rows of different lengths"),
        ("okonjo2014.txt", f"# Results\n\n{LONG}\x01", "which XML does not take"),
        ("dube2019.html", f"<p>{TITLE}</p>", "its page is too short"),
        ("dube2019.html", f"<p>{LONG * 4}</p>", "passes for another paper's"),
        ("stray.txt", LONG, "no work names this text"),
    ],
)
def test_a_text_that_no_reader_takes_for_a_paper_is_a_fault(write: Write, name: str, text: str, says: str) -> None:
    folder = write()
    (folder / "texts" / name).write_text(text)
    [fault] = check_corpus(folder)
    assert says in fault


def test_a_text_that_no_source_gives_is_a_fault(write: Write, works: Any) -> None:
    works[0] |= {"text": "texts/okonjo2014.xml"}
    works[1] |= {"text": "texts/lindqvist2009.html"}
    folder = write(works)
    page = f"<html><body><h1>Resistivity of Sr3Ta2Bi4 down to 1.8 K</h1>{LONG * 4}</body></html>"
    for name in ("okonjo2014", "lindqvist2009"):
        (folder / "texts" / f"{name}.txt").unlink()
    (folder / "texts" / "okonjo2014.xml").write_text(f"<article><front/>{LONG}</article>")
    (folder / "texts" / "lindqvist2009.html").write_text(page)
    faults = "\n".join(check_corpus(folder))
    assert "okonjo2014: a JATS text is given by PMC alone" in faults
    assert "okonjo2014: its text has no <body>" in faults
    assert "lindqvist2009: a web page is given by arXiv alone" in faults


def test_the_command_says_what_a_corpus_holds_and_what_is_wrong(write: Write, works: Any) -> None:
    good = CliRunner().invoke(app, ["tasks", "corpus", str(write())])
    assert good.exit_code == 0, good.output
    assert "6 works" in good.output
    assert "3 open texts" in good.output
    works[0]["doi"] = "10.1103/jim.2014.101"
    bad = CliRunner().invoke(app, ["tasks", "corpus", str(write(works))])
    assert bad.exit_code == 1
    assert "works.jsonl:1: okonjo2014: the DOI 10.1103/jim.2014.101" in bad.output


def test_texts_may_lie_in_packs(write: Write) -> None:
    folder = write()
    plain = {work.id: read_corpus(folder).text(work) for work in read_corpus(folder).works}
    texts = folder / "texts"
    files = sorted(path for path in texts.iterdir() if path.is_file())
    lines = [orjson.dumps({"name": path.name, "text": path.read_text()}) for path in files]
    for path in files:
        path.unlink()
    (texts / "part-1.jsonl").write_bytes(b"\n".join(lines[:1]))
    (texts / "part-2.jsonl").write_bytes(b"\n".join(lines[1:]))
    assert check_corpus(folder) == []
    assert {work.id: read_corpus(folder).text(work) for work in read_corpus(folder).works} == plain

    (texts / "part-2.jsonl").write_bytes(b"\n".join([*lines[1:], orjson.dumps({"name": "stray.txt", "text": "a"})]))
    assert any("stray.txt: no work names this text" in fault for fault in check_corpus(folder))
    (texts / "part-2.jsonl").write_bytes(b"\n".join(lines))
    assert any("appears twice" in fault for fault in check_corpus(folder))
    (texts / "part-2.jsonl").write_bytes(b'{"text": "without a name"}')
    assert any("part-2.jsonl:1 is not text" in fault for fault in check_corpus(folder))
