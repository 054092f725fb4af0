"""pincite grep and pincite cite as a user runs them, over made papers."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_harness.cli.main import app

ARTICLE = """<article article-type="research-article"><front><article-meta><title-group>
<article-title>A study of {0}</article-title></title-group></article-meta></front>
<body><sec><title>Results</title><p>The critical temperature of {0} is 39 K, as the furnace showed.</p></sec></body>
</article>"""


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two papers, a note, and a third paper in a folder below."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "papers"
    (folder / "more").mkdir(parents=True)
    for place, name in (("gold.xml", "gold"), ("tin.xml", "tin"), ("more/lead.xml", "lead")):
        (folder / place).write_text(ARTICLE.format(name))
    (folder / "note.txt").write_text("critical temperature")
    return folder


def run(*arguments: str) -> tuple[int, str, str]:
    made = CliRunner().invoke(app, arguments)
    if isinstance(made.exception, BadInputError):
        return 2, made.stdout, str(made.exception)
    return made.exit_code, made.stdout, made.stderr


def test_a_folder_a_glob_and_a_file_are_searched(papers: Path) -> None:
    rows = [(["papers"], 3), (["papers/*.xml"], 2), (["papers/tin.xml"], 1), (["papers", "papers/tin.xml"], 3)]
    wrong = [row for row in rows if len(run("grep", "critical temperature", *row[0])[1].splitlines()) != row[1]]
    assert not wrong
    code, out, _ = run("grep", "--regex", r"\d+ K", "papers", "--json")
    assert code == 0
    hits = [json.loads(line) for line in out.splitlines()]
    assert {hit["text"] for hit in hits} == {"39 K"}
    assert {Path(hit["paper"]).stem for hit in hits} == {"gold", "tin", "lead"}
    assert all(re.fullmatch(r"pc:[0-9a-f]{8}#\d+-\d+", hit["locator"]) for hit in hits)
    assert run("grep", "nowhere in it", "papers") == (1, "", "")


def test_a_paper_that_cannot_be_read_is_not_one_without_hits(papers: Path) -> None:
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    code, out, err = run("grep", "critical temperature", "papers")
    assert code == 2
    assert len(out.splitlines()) == 3
    assert "broken.pdf" in err
    assert run("grep", "x", "papers/*.pd")[0] == 2
    assert run("grep", "x", "papers/none.pdf")[0] == 2
    assert run("cite", "papers/broken.pdf", "x")[0] == 2


def test_a_quote_is_cited_or_refused(papers: Path) -> None:
    code, out, _ = run("cite", "papers/gold.xml", "The critical temperature of gold is 39 K")
    assert code == 0
    assert re.fullmatch(r"exact\tpc:[0-9a-f]{8}#\d+-\d+\n", out)
    code, out, _ = run("cite", "papers/gold.xml", "The critical temperature of gold is 93 K, as the", "--json")
    assert code == 1
    found = json.loads(out)
    assert (found["stands"], found["standing"]) == (False, "near")
    assert "39 K" in found["paper_says"]
    assert run("cite", "papers/gold.xml", "made of cheese and of other things")[0] == 1
