"""pincite audit as a user runs it, over a made report and a made paper."""

import json
from pathlib import Path
from typing import Any

import docx
import pytest
from typer.testing import CliRunner

from pincite_harness.cli.main import app

PAPER = """<article article-type="research-article"><front><article-meta>
<article-id pub-id-type="doi">10.5555/tin.1</article-id><title-group><article-title>A study of tin</article-title>
</title-group><contrib-group><contrib contrib-type="author"><name><surname>Ferro</surname><given-names>A.</given-names>
</name></contrib></contrib-group></article-meta></front>
<body><sec><title>Results</title><p>The critical temperature of white tin is 3.72 K, as the furnace showed. Its density
at room temperature is 7.29 g/cm<sup>3</sup>, and no other phase was seen.</p></sec></body></article>"""

REPORT = """# Tin

Ferro found a critical temperature of white tin of 3.72 K (3720 mK) [1]. The density is 7.92 g/cm³ at room temperature.
They say that "no other phase was seen", and that "as the oven showed" it superconducts.

## References

[1] A. Ferro. A study of tin. 2020. doi:10.5555/tin.1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers/tin.xml").write_text(PAPER)
    (tmp_path / "report.md").write_text(REPORT)
    return tmp_path


def run(*arguments: str) -> tuple[int, str]:
    made = CliRunner().invoke(app, ["audit", *arguments])
    return made.exit_code, made.stdout


def test_each_claim_has_its_place_its_verdict_and_what_the_source_says(folder: Path) -> None:
    code, out = run("report.md", "--papers", "papers", "--json")
    assert code == 0
    audit = json.loads(out)["reports"][0]
    claims = {claim["text"]: claim for claim in audit["claims"]}
    verdicts = {text: claim["verdict"] for text, claim in claims.items()}
    reference = "A. Ferro. A study of tin. 2020. doi:10.5555/tin.1"
    assert verdicts == {
        "3.72 K": "value stands",
        "3720 mK": "value stands",
        "7.92 g/cm³": "value differs",
        "no other phase was seen": "exact",
        "as the oven showed": "reworded",
        reference: "exists",
    }
    for text, claim in claims.items():
        assert " ".join(REPORT[claim["start"] : claim["end"]].split()) == text
        assert REPORT[: claim["start"]].count("\n") + 1 == claim["line"]
    assert claims["3.72 K"]["cited"] == ["1"]
    assert claims["7.92 g/cm³"]["reason"].startswith("the source gives 7.29 g/cm^3")
    assert "as the furnace showed" in claims["as the oven showed"]["source_says"]
    assert audit["summary"]["supported"] == {"count": 3, "n": 5}


def test_fail_on_sets_the_exit_code(folder: Path) -> None:
    assert run("report.md", "-p", "papers", "--fail-on", "altered,invented")[0] == 1
    assert run("report.md", "-p", "papers", "--fail-on", "invented")[0] == 0
    (folder / "report.md").write_text('Ferro writes that "no other phase was seen".')
    assert run("report.md", "-p", "papers", "--fail-on", "altered,invented,unsupported")[0] == 0
    assert run("missing.md")[0] == 2
    assert CliRunner().invoke(app, ["audit", "report.md", "--fail-on", "typos"]).exit_code != 0


def test_without_sources_nothing_is_called_true_or_false(folder: Path) -> None:
    code, out = run("report.md", "--json", "--fail-on", "altered,invented")
    assert code == 0
    assert {claim["verdict"] for claim in json.loads(out)["reports"][0]["claims"]} == {
        "source not at hand",
        "not checked",
    }


def test_the_table_shows_what_differs(folder: Path) -> None:
    code, out = run("report.md", "--papers", "papers/tin.xml")
    assert code == 0
    assert "7.92 g/cm³" in out
    assert "3720 mK" not in out
    assert "3 of 5 quotations and values" in out
    assert "3720 mK" in run("report.md", "--papers", "papers", "--all")[1]


def test_a_source_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "papers/broken.pdf").write_bytes(b"%PDF-1.7 broken")
    code, out = run("report.md", "--papers", "papers", "--json")
    assert code == 0
    audit = json.loads(out)
    assert list(audit["sources_not_read"]) == ["broken.pdf"]
    assert audit["summary"]["supported"]["count"] == 3


def test_the_page_shows_each_claim_and_escapes_what_a_report_says(folder: Path) -> None:
    hostile = REPORT.replace("# Tin", "# Tin <script>alert(1)</script>").replace(
        "as the oven", "as <b>the</b> oven & so"
    )
    (folder / "report.txt").write_text(hostile)
    run("report.txt", "--papers", "papers", "--html", "audit.html")
    page = (folder / "audit.html").read_text()
    assert "<script>" not in page
    assert "as &lt;b&gt;the&lt;/b&gt; oven &amp; so showed" in page
    assert "http" not in page.replace("http-equiv", "")
    for words in ("7.92 g/cm³", "value differs", "7.29 g/cm", "tin.xml, pc:"):
        assert words in page, words
    for at in range(6):
        assert f'id="claim0-{at}"' in page
        assert f'id="text0-{at}"' in page


def test_sarif_names_the_places_of_what_is_not_borne_out(folder: Path) -> None:
    run("report.md", "--papers", "papers", "--sarif", "audit.sarif")
    log = json.loads((folder / "audit.sarif").read_text())
    assert log["version"] == "2.1.0"
    made: dict[str, Any] = log["runs"][0]
    rules = {rule["id"] for rule in made["tool"]["driver"]["rules"]}
    found = {result["ruleId"]: result for result in made["results"]}
    assert set(found) == {"value-differs", "reworded"}
    assert set(found) <= rules
    place = found["value-differs"]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "report.md"}
    region = place["region"]
    line = REPORT.splitlines()[int(region["startLine"]) - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "7.92 g/cm³"
    assert REPORT[region["charOffset"] :][: region["charLength"]] == "7.92 g/cm³"
    assert found["value-differs"]["level"] == "error"


def test_a_word_document_is_audited_against_a_library(folder: Path) -> None:
    document = docx.Document()
    document.add_heading("Tin", 1)
    document.add_paragraph("Ferro found a critical temperature of white tin of 3.27 K [1].")
    table = document.add_table(2, 2)
    cells = ("Phase", "Density at room temperature (g/cm3)", "white tin", "7.29")
    for cell, text in zip((cell for row in table.rows for cell in row.cells), cells, strict=True):
        cell.text = text
    document.add_heading("References", 1)
    document.add_paragraph("A. Ferro. A study of tin. 2020. doi:10.5555/tin.1", style="List Number")
    document.save("report.docx")
    added = CliRunner().invoke(app, ["library", "add", "--library", "shelf", "papers/tin.xml"])
    assert added.exit_code == 0, added.output
    verdicts = {"3.27 K": "value differs", "7.29": "value stands"}
    for _ in range(2):
        code, out = run("report.docx", "--library", "shelf", "--json")
        assert code == 0
        claims = json.loads(out)["reports"][0]["claims"]
        assert {claim["text"]: claim["verdict"] for claim in claims if claim["kind"] == "value"} == verdicts
        assert [claim["cited"] for claim in claims if claim["text"] == "3.27 K"] == [["1"]]
        assert claims[-1]["verdict"] == "exists"
        (folder / "papers/tin.xml").unlink(missing_ok=True)  # the library has its text
