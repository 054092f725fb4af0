"""pincite provenance, as its user runs it: real processes for exit statuses, the same commands in this one else."""

import html
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import typst
from markdown_it import MarkdownIt
from pypdf import PdfReader
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, DamagedError, NotFoundError, TamperedError
from pincite_core.settings import Settings
from pincite_papers.opening.store import PaperStore
from pincite_papers.passages import locate
from pincite_provenance.claims.check import check_claim
from pincite_provenance.cli import app
from pincite_provenance.export.markdown import plain_markdown
from pincite_provenance.ledger.entry import Caller, claim_content, retraction_content
from pincite_provenance.ledger.ledger import Ledger
from pincite_provenance.model import Claim

SOURCE = """
#set page(paper: "a6", margin: 10mm)
#set document(title: "A made-up {name}")
The {name} has a transition temperature of {value} K in zero field, and [bold]brackets[/bold] too.
"""
QUOTE = "has a transition temperature of {value} K in zero field"


class Desk:
    """Two papers in a folder, and claims about them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "claims.db"
        (folder / "papers").mkdir()
        self.settings = Settings(roots=(folder / "papers",), cache_dir=folder / "cache", parse_workers=1)
        self.ids: dict[str, str] = {}
        with PaperStore(self.settings) as store:
            for name, value in (("cuprate", "92.5"), ("pnictide", "26.1")):
                file = folder / "papers" / f"{name}.pdf"
                file.write_bytes(typst.compile(SOURCE.format(name=name, value=value).encode()))
                self._record(store.open(file), name, value)

    def _record(self, paper, name: str, value: str) -> None:
        quote = QUOTE.format(value=value)
        start = paper.text.replace("\n", " ").index(quote)
        at = locate(paper, start, start + len(quote))
        for kind, claimed in (("wrong", "13"), ("right", value)):
            claim = Claim(quote, at, claimed, "K", "", "transition temperature")
            old = self.ids.get(f"{name} wrong", "") if kind == "right" else ""
            content = claim_content(claim, check_claim(paper, claim), paper, Caller("tester"), supersedes=old)
            self.ids[f"{name} {kind}"] = Ledger(self.ledger).append(lambda _past, made=content: made).row.id

    def environment(self) -> dict[str, str]:
        """What a user would have set."""
        roots, cache = self.folder / "papers", self.folder / "cache"
        return {"PINCITE_LEDGER": str(self.ledger), "PINCITE_ROOTS": str(roots), "PINCITE_CACHE_DIR": str(cache)}


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


@pytest.fixture
def own(desk, tmp_path) -> Path:
    """A copy of the ledger, to do things to."""
    for file in desk.folder.glob("claims.db*"):
        shutil.copyfile(file, tmp_path / file.name)
    return tmp_path / "claims.db"


@pytest.fixture
def run(desk, monkeypatch):
    """Run a command in this process; what it prints. Its errors are raised."""
    for name, value in desk.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "250")

    def run(*arguments, status=0) -> str:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, result.output
        return result.output

    return run


def test_list_shows_every_claim_with_what_became_of_it(desk, run):
    shown = run("list")
    assert all(name in shown for name in desk.ids.values())
    assert f"stands  does not stand  fails, superseded by {desk.ids['cuprate right']}" in shown
    assert "transition temperature: 92.5 K" in shown
    facts = "quote stands in 4, value stands in 2 of 4, claim holds in 2, is unsure in 1, fails in 1"
    assert shown.endswith(f"4 claims: {facts}\n")
    assert "1 claim: " in run("list", "--paper", "pnictide", "--standing")
    assert "1 claim: " in run("list", "--verdict", "fails", "--property", "temperature")
    assert run("list", "--material", "emu") == "0 claims\n"


def test_list_and_show_print_json(desk, run):
    listed = json.loads(run("list", "--json", "--paper", "cuprate"))
    assert [each["id"] for each in listed] == [desk.ids["cuprate wrong"], desk.ids["cuprate right"]]
    assert listed[0]["superseded_by"] == desk.ids["cuprate right"]
    assert listed[0]["facts"] == {"quote": "stands", "value": "does not stand", "claim": "fails"}
    shown = json.loads(run("show", desk.ids["cuprate right"]))
    assert shown["claim"]["value"] == "92.5"
    assert shown["hash"].startswith(shown["id"].partition("-")[2])
    assert shown["checks"]
    with pytest.raises(NotFoundError):
        run("show", "c99-00000000")


def test_check_says_the_head_and_takes_noted_ones(desk, run):
    said = run("check")
    assert said.splitlines()[0].endswith("claims.db: 5 rows")
    assert said.splitlines()[-1] == "intact"
    head = said.splitlines()[-2].removeprefix("head: ")
    assert len(head) == 64
    assert run("check", "--head", head, "--head", desk.ids["cuprate wrong"])
    assert "no row has the noted hash" in run("check", "--head", "0" * 64, status=1)
    with pytest.raises(BadInputError):
        run("check", "--head", "somewhere")
    told = json.loads(run("check", "--json"))
    assert told == {"ledger": str(desk.ledger), "rows": 5, "head": head, "intact": True, "findings": [], "notes": []}


def test_annotations_and_provenance_are_written_whole(desk, run, tmp_path):
    assert run("export", "-o", tmp_path / "a.jsonld").endswith("a.jsonld: 2 claims\n")
    made = json.loads((tmp_path / "a.jsonld").read_bytes())
    assert {item["id"].rpartition("#")[2] for item in made["first"]["items"]} == {
        desk.ids["cuprate right"],
        desk.ids["pnictide right"],
    }
    assert run("export", "--all", "-o", tmp_path / "a.jsonld").endswith(": 4 claims\n")
    run("export", "--format", "prov", "--paper", "pnictide", "-o", tmp_path / "sub/p.json")
    made = json.loads((tmp_path / "sub/p.json").read_bytes())
    assert len(made["activity"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonld", "sub"]
    run("export", "--format", "ro-crate", "-o", tmp_path / "crate")
    assert run("check", "--ledger", tmp_path / "crate/claims.db").endswith("intact\n")


def test_pdfs_are_marked_one_by_file_or_all_in_a_folder(desk, run, tmp_path):
    paper = desk.folder / "papers/cuprate.pdf"
    said = run("export", "--format", "pdf", "--paper", paper, "-o", tmp_path / "marked.pdf")
    assert "marked.pdf: 1 claim marked" in said
    page = PdfReader(io.BytesIO((tmp_path / "marked.pdf").read_bytes()), strict=True).pages[0]
    highlight, legend = (reference.get_object() for reference in page["/Annots"])
    assert legend["/Contents"] == "Colours: claim holds, claim unsure, claim fails"
    assert highlight["/NM"] == desk.ids["cuprate right"]
    (tmp_path / "all").mkdir()
    said = run("export", "--format", "pdf", "--all", "-o", tmp_path / "all")
    assert said.count("2 claims marked") == 2
    assert len(list((tmp_path / "all").iterdir())) == 2
    with pytest.raises(BadInputError, match="2 papers"):
        run("export", "--format", "pdf", "-o", tmp_path / "marked.pdf")


def test_what_cannot_be_exported_is_said(desk, run, tmp_path):
    with pytest.raises(NotFoundError, match="No claim about 'emu'"):
        run("export", "--paper", "emu", "-o", tmp_path / "a.jsonld")
    changed = tmp_path / "cuprate.pdf"
    changed.write_bytes((desk.folder / "papers/cuprate.pdf").read_bytes() + b"\n% changed\n")
    with pytest.raises(BadInputError, match="has changed since"):
        run("export", "--format", "pdf", "--paper", changed, "-o", tmp_path / "marked.pdf")
    with pytest.raises(NotFoundError, match="There is no ledger"):
        run("list", "--ledger", tmp_path / "none.db")
    with pytest.raises(BadInputError, match="verdict"):
        run("list", "--verdict", "perhaps")
    assert not (tmp_path / "marked.pdf").exists()


def test_a_markdown_note_has_a_block_a_claim_and_no_markup_of_a_paper(desk, run, tmp_path):
    run("export", "--format", "markdown", "-o", tmp_path / "claims.md")
    note = (tmp_path / "claims.md").read_text()
    assert note.startswith("---\nledger: urn:uuid:")
    names = [line.removeprefix("^") for line in note.splitlines() if line.startswith("^")]
    assert names == [desk.ids["cuprate right"], desk.ids["pnictide right"]]
    assert "> **holds**: transition temperature: 92.5 K (page 1, `pc:" in note
    run("export", "--format", "markdown", "--all", "-o", tmp_path / "all.md")
    later = desk.ids["cuprate right"]
    assert f"Superseded by [{later}](#^{later})" in (tmp_path / "all.md").read_text()
    hostile = "![[secrets]] <script>x</script> #tag `code` %%note%% [a](b) $x$"
    signs = "".join(dict.fromkeys(char for char in hostile if not char.isalnum() and char not in " ()/"))
    escaped = plain_markdown(hostile)
    assert MarkdownIt().renderInline(escaped) == html.escape(hostile)
    assert all(f"\\{sign}" in escaped for sign in signs)


def test_a_retracted_claim_is_left_out_and_listed(desk, run, own, tmp_path):
    Ledger(own).append(lambda _past: retraction_content(desk.ids["cuprate right"], "wrong", Caller()))
    assert "holds, retracted" in run("list", "--ledger", own)
    run("export", "--ledger", own, "--paper", "pnictide", "-o", tmp_path / "a.jsonld")
    with pytest.raises(NotFoundError, match="superseded or retracted"):
        run("export", "--ledger", own, "--format", "pdf", "--paper", "cuprate", "-o", tmp_path / "m.pdf")


def test_a_tampered_ledger_is_told_by_exit_status_and_not_exported(desk, run, own, tmp_path):
    with closing(sqlite3.connect(own)) as connection:
        for name in ("entries_are_not_changed", "entries_are_not_dropped"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE entries SET content = replace(content, '92.5', '93.5') WHERE seq = 2")
        connection.commit()
    environment = os.environ | desk.environment() | {"PINCITE_LEDGER": str(own)}
    command = [sys.executable, "-m", "pincite_harness", "provenance"]
    done = subprocess.run([*command, "check"], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "changed: row 2 was changed: its content is not the one that was recorded" in done.stdout
    assert "the trigger entries_are_not_dropped is missing" in done.stdout
    assert done.stdout.endswith("tampered with\n")
    out = tmp_path / "a.jsonld"
    with pytest.raises(TamperedError):
        run("export", "--ledger", own, "-o", out)
    assert not out.exists()
    assert "was tampered with" in run("list", "--ledger", own, status=1)


def test_no_ledger_holds_no_claims_and_passes_no_check(tmp_path, monkeypatch, run):
    monkeypatch.setenv("PINCITE_LEDGER", str(tmp_path / "none/claims.db"))
    assert run("list") == "0 claims\n"
    with pytest.raises(NotFoundError, match="or the whole of it is gone"):
        run("check")
    with pytest.raises(NotFoundError, match="No claim is recorded"):
        run("export", "-o", tmp_path / "a.jsonld")


def test_a_quote_is_printed_as_it_is(desk, run, own):
    """Square brackets are no markup, and a control character does nothing to the terminal."""
    text = "[bold red]x[/bold red] [link=http://emu]y[/link] \x1b[2J\x07"

    def made(past):
        content = past.row(1).read()
        return {key: value for key, value in content.items() if key not in ("seq", "time")} | {
            "claim": content["claim"] | {"quote": text, "property": text}
        }

    Ledger(own).append(made)
    shown = run("list", "--ledger", own)
    assert "[bold red]x[/bold red] [link=http://emu]y[/link]" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_a_row_of_another_form_is_said_to_be_so(run, own):
    """Whoever can write the file can chain anything to its end."""
    Ledger(own).append(lambda _past: {"kind": "claim", "claim": {"quote": 5}})
    assert run("check", "--ledger", own).endswith("intact\n")
    with pytest.raises(DamagedError, match="Row 5"):
        run("list", "--ledger", own)
