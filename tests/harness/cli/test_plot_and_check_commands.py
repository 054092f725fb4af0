"""pincite plot and pincite check as a user runs them, and papers that are fetched by their identifiers."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import typst
from PIL import Image
from typer.testing import CliRunner

from pincite_core.errors import PinciteError
from pincite_harness.cli.main import app

ROOT = Path(__file__).parents[3]
PAPER = str(ROOT / "tasks/literature_qa/papers/perovskite_ageing.pdf")
LITERATURE = ROOT / "tests/literature"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_PAPERS_DIR", str(tmp_path / "fetched"))
    return tmp_path


def run(*arguments: str) -> tuple[int, str, str]:
    made = CliRunner().invoke(app, arguments)
    if isinstance(made.exception, PinciteError):
        return 2, made.stdout, str(made.exception)
    return made.exit_code, made.stdout, made.stderr


def test_a_plot_gives_its_points_with_their_errors() -> None:
    code, shown, _ = run("plot", PAPER, "Fig. 1", "--csv")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert len(rows) == 20
    fallen = {row["x"]: float(row["y"]) for row in rows if row["series"] == "1"}
    assert abs(fallen["600"] - 0.60) < 0.01
    assert {row["x_error"][:2] for row in rows} == {"± "}
    code, shown, _ = run("plot", PAPER, "1", "--series", "2")
    assert code == 0
    assert "series 2\t" in shown
    assert "series 1\t" not in shown
    assert json.loads(run("plot", PAPER, "1", "--json")[1])["series"][0]["shown"] == "all 5 points"


def test_what_is_no_plot_is_refused_with_its_reason(home: Path) -> None:
    Image.effect_noise((300, 200), 80).convert("RGB").save(home / "photo.png")
    source = 'Grains seen in the microscope.\n#figure(image("photo.png", width: 8cm), caption: [Grains.])'
    (home / "grains.typ").write_text(source)
    typst.compile(home / "grains.typ", output=home / "grains.pdf")
    code, shown, said = run("plot", "grains.pdf", "#1", "--csv")
    assert (code, shown) == (1, "")
    assert "was refused (raster_figure): it is a picture of pixels" in said
    code, shown, _ = run("plot", "grains.pdf", "#1", "--json")
    assert code == 1
    assert json.loads(shown)["refused"] == "raster_figure"
    assert run("plot", PAPER, "Fig. 9")[0] == 2


def test_a_claim_holds_fails_or_is_unsure() -> None:
    words = "is 0.61 eV for CsPbI3 and 0.74 eV for Cs0.85Rb0.15PbI3"
    of = ["--unit", "eV", "--property", "activation energy", "--value"]
    code, shown, _ = run("check", PAPER, words, *of, "0.61", "--material", "CsPbI3")
    assert code == 0
    assert shown.splitlines()[0] == "holds\tpc:3bea062b#p1:1814-1868"
    code, shown, _ = run("check", PAPER, words, *of, "0.74", "--material", "CsPbI3", "--json")
    assert code == 1
    made = json.loads(shown)
    assert made["verdict"] == "fails"
    assert [one["name"] for one in made["checks"] if one["verdict"] == "fails"] == ["material"]
    assert "0.74 eV is given for Cs0.85Rb0.15PbI3" in made["checks"][-1]["reason"]
    assert run("check", PAPER, "100 °C for 45 min", "--value", "45", "--unit", "min", "--property", "dwell")[0] == 3
    assert run("check", PAPER, words, "--at", "pc:3bea062b#p1:0-53")[0] == 1
    assert run("check", "none.pdf", words)[0] == 2


def test_a_statement_in_own_words_never_fails_for_its_wording() -> None:
    code, shown, _ = run("check", PAPER, "CsPbI3 loses its efficiency with an activation energy of 0.61 eV.")
    assert code == 3
    first, value = shown.splitlines()
    assert first.startswith("unsure\t")
    assert value.startswith("0.61 eV\tvalue stands\t")
    code, shown, _ = run("check", PAPER, "The activation energy of the loss is 0.67 eV for CsPbI3.", "--json")
    assert code == 3
    made = json.loads(shown)
    assert (made["verdict"], [one["verdict"] for one in made["values"]]) == ("unsure", ["value differs"])
    assert "0.61 eV" in made["values"][0]["paper_says"]


def test_an_identifier_is_fetched_and_an_outage_is_said(
    source_servers: ModuleType,
    literature_services: ModuleType,
    module_at: Callable[[Path], ModuleType],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    articles = module_at(LITERATURE / "fulltext/articles.py")
    work = literature_services.invented.Invented(
        articles.TITLE, articles.AUTHORS, articles.ABSTRACT, "2019-03-05", arxiv="1903.01234", journal=""
    )
    archive = module_at(LITERATURE / "fulltext/archives.py").Hall({"/arxiv/src/1903.01234v1": articles.latex()})
    with archive as hall, literature_services.serving([work]) as (servers, urls):
        pairs = ",".join(f"{name}={address}" for name, address in {**hall.urls, **urls}.items())
        monkeypatch.setenv("PINCITE_SOURCE_URLS", pairs)
        monkeypatch.setenv("PINCITE_ALLOW_PRIVATE_ADDRESSES", "true")
        monkeypatch.setenv("PINCITE_SOURCE_RATES", "off")
        code, shown, said = run("read", "arXiv:1903.01234", "--to", "json")
        assert code == 0, said
        assert json.loads(shown)["title"] == articles.TITLE
        assert run("read", "1903.01234", "--out", "out")[0] == 0
        assert [path.name for path in Path("out").glob("*.md")] == ["1903.01234.md"]
        for server in servers.values():
            server.fault = source_servers.FAULTS["500"]
        code, shown, said = run("read", "10.5555/of.another", "--to", "text")
        assert (code, shown) == (2, "")
        assert "10.5555/of.another" in said
        assert "answered" in said
