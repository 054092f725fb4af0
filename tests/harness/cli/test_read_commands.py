"""pincite read, tables and figures as a user runs them."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lxml import html
from PIL import Image
from typer.testing import CliRunner

from pincite_core.errors import PinciteError
from pincite_harness.cli.main import app

ROOT = Path(__file__).parents[3]
PAPER = str(ROOT / "tasks/literature_qa/papers/perovskite_ageing.pdf")
ARTICLE = """<article article-type="research-article"><front><article-meta><title-group>
<article-title>A study of {0}</article-title></title-group></article-meta></front>
<body><sec><title>Results</title><p>The critical temperature of {0} is 39 K.</p></sec></body></article>"""
SPANNED = """<article article-type="research-article"><front><article-meta><title-group>
<article-title>Spans</article-title></title-group></article-meta></front><body><sec><title>Results</title>
<table-wrap><label>Table 1</label><caption><p>Gaps.</p></caption><table><thead><tr><th rowspan="2">Oxide</th>
<th colspan="2">Gap</th></tr><tr><th>eV</th><th>=1+1</th></tr></thead>
<tbody><tr><td>ZnO &amp; <i>co</i></td><td>3.3</td><td>a|b</td></tr></tbody></table></table-wrap></sec></body>
</article>"""


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two papers of the same name in two folders, and another."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    for place, name in (("gold.xml", "gold"), ("more/gold.xml", "lead"), ("tin.xml", "tin")):
        (tmp_path / "papers" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "papers" / place).write_text(ARTICLE.format(name))
    return tmp_path / "papers"


def run(*arguments: str) -> tuple[int, str, str]:
    made = CliRunner().invoke(app, arguments)
    if isinstance(made.exception, PinciteError):
        return 2, made.stdout, str(made.exception)
    return made.exit_code, made.stdout, made.stderr


def index(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]


def test_a_paper_is_read_in_each_format(papers: Path) -> None:
    code, shown, _ = run("read", PAPER, "--section", "methods")
    assert code == 0
    assert shown.startswith("Paper 3bea062b, section '2 Methods'.")
    assert "[pc:3bea062b#p1:581-590 heading] 2 Methods" in shown
    assert "Introduction" not in shown
    assert run("read", PAPER, "--to", "text", "--section", "4")[1].startswith("4 Conclusion\n\nRubidium, not bromide")
    whole = json.loads(run("read", PAPER, "--json", "--pages", "1")[1])
    assert (whole["paper"], whole["pages"], whole["figures"][0]["figure"]) == (PAPER, 1, "Fig. 1")
    assert whole["tables"][0]["cells"][-1] | {"locator": ""} == {"row": 4, "column": 3, "text": "14.5", "locator": ""}
    for block in whole["blocks"]:
        start, end = re.fullmatch(r"pc:3bea062b#p1:(\d+)-(\d+)", block["locator"]).groups()
        assert len(block["text"]) == int(end) - int(start)
    page = html.fromstring(run("read", PAPER, "--to", "html")[1])
    assert [one.text for one in page.iter("h2")][1:3] == ["2 Methods", "3 Results"]
    assert [one.text for one in page.xpath("//table//tr[2]/td")] == ["CsPbI3", "1.51", "19.8", "11.9"]
    assert page.xpath("//td[text()='1.51']/@id") == ["pc:3bea062b#p1:1192-1196"]


def test_what_cannot_be_asked_is_said(papers: Path) -> None:
    rows = [
        (("read", PAPER, "--pages", "7"), "it has 1 pages"),
        (("read", PAPER, "--section", "Nowhere"), "No section is called"),
        (("read", PAPER, "--section", "2", "--pages", "1"), "at once"),
        (("read", "papers", "--to", "html"), "--out"),
        (("read", "papers/gold.xml", "--pages", "1"), "no pages"),
        (("tables", "papers", "--json", "--csv", "x"), "Only one of"),
    ]
    wrong = [row for row in rows if (made := run(*row[0]))[0] != 2 or row[1] not in made[2]]
    assert not wrong


def test_a_folder_is_read_into_files_and_not_read_twice(papers: Path) -> None:
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    out = papers.parent / "out"
    code, _, said = run("read", "papers", "--out", "out")
    assert code == 2
    assert "broken.pdf" in said
    assert "3 written, 1 failed" in said
    assert (out / "more/gold.xml.md").read_text().count("The critical temperature of lead is 39 K.") == 1
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.md")}
    assert len(before) == 3
    (papers / "broken.pdf").unlink()
    (papers / "tin.xml").write_text(ARTICLE.format("zinc"))
    (out / "more/gold.xml.md").unlink()
    assert "2 written, 1 there before" in run("read", "papers", "--out", "out")[2]
    after = {path: path.stat().st_mtime_ns for path in out.rglob("*.md")}
    assert after[out / "gold.xml.md"] == before[out / "gold.xml.md"]
    assert "of zinc is" in (out / "tin.xml.md").read_text()
    assert "3 written" in run("read", "papers", "--out", "out", "--section", "Results")[2]
    with (out / "index.jsonl").open("a") as file:
        file.write('{"paper": "papers/tin.x')
    assert "0 written, 3 there before" in run("read", "papers", "--out", "out", "--section", "Results")[2]


def test_an_interrupted_reading_goes_on(papers: Path) -> None:
    for number in range(200):
        (papers / f"paper{number}.xml").write_text(ARTICLE.format(f"metal number {number}"))
    (papers / "last.pdf").write_bytes(Path(PAPER).read_bytes())
    command = [sys.executable, "-m", "pincite_harness", "read", "papers", "--out", "out"]
    process = subprocess.Popen(command, cwd=papers.parent, env={**os.environ, "PINCITE_PARSE_WORKERS": "1"})
    path = papers.parent / "out/index.jsonl"
    while process.poll() is None and not path.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    done = len(index(papers.parent / "out"))
    assert 0 < done < 204
    assert f"{204 - done} written, {done} there before" in run("read", "papers", "--out", "out")[2]
    assert len(list((papers.parent / "out").rglob("*.part"))) == 0


def test_tables_keep_their_spans_and_texts(papers: Path) -> None:
    (papers / "spans.xml").write_text(SPANNED)
    code, shown, _ = run("tables", "papers/spans.xml")
    assert code == 0
    assert "| ZnO & co | 3.3 | a\\|b |" in shown
    assert run("tables", "papers/tin.xml")[0] == 1
    (table,) = [json.loads(line) for line in run("tables", "papers", "--json")[1].splitlines()]
    assert (table["table"], table["rows"], table["columns"], table["header_rows"]) == ("Table 1", 3, 3, 2)
    assert [cell["column_span"] for cell in table["cells"] if "column_span" in cell] == [2]
    assert "1 written" in run("tables", "papers/spans.xml", "--csv", "out")[2]
    rows = list(csv.reader(io.StringIO((papers.parent / "out/spans.xml.table1.csv").read_text())))
    assert rows[2] == ["ZnO & co", "3.3", "a|b"]
    assert index(papers.parent / "out")[0]["files"][0]["caption"] == "Table 1. Gaps."
    page = html.fromstring(run("read", "papers/spans.xml", "--to", "html")[1])
    assert page.xpath("//th/@rowspan | //th/@colspan") == ["2", "2"]


def test_a_workbook_holds_texts_and_locators(papers: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is missing: pip install 'pincite[office]'")
    (papers / "spans.xml").write_text(SPANNED)
    assert run("tables", "papers/spans.xml", PAPER, "--xlsx", "all.xlsx")[0] == 0
    book = openpyxl.load_workbook(papers.parent / "all.xlsx")
    assert book.sheetnames == ["tables", "cells", "1 Table 1", "2 Table 1"]
    first = book["1 Table 1"]
    assert (first["C2"].value, first["C2"].data_type, first["B3"].value) == ("=1+1", "s", "3.3")
    assert {str(merged) for merged in first.merged_cells.ranges} == {"A1:A2", "B1:C1"}
    rows = [[cell.value for cell in row] for row in book["cells"].iter_rows()]
    (gap,) = [row for row in rows if row[0] == "2 Table 1" and row[3] == "1.51"]
    assert gap[:5] == ["2 Table 1", 1, 1, "1.51", "pc:3bea062b#p1:1192-1196"]


def test_figures_are_drawn_with_their_captions(papers: Path) -> None:
    code, listed, _ = run("figures", PAPER)
    assert code == 0
    assert listed.split("\t")[1:4] == ["Fig. 1", "1", "pc:3bea062b#p1:1622-1740"]
    assert run("figures", "papers/tin.xml")[0] == 1
    assert run("figures", PAPER, "--out", "out", "--side", "300")[0] == 0
    (entry,) = index(papers.parent / "out")
    (figure,) = entry["files"]
    assert figure["caption"].startswith("Fig. 1. Efficiency over its first value.")
    with Image.open(papers.parent / "out" / figure["file"]) as picture:
        assert 290 <= max(picture.size) <= 300
    assert "0 written, 1 there before" in run("figures", PAPER, "--out", "out", "--side", "300")[2]
