"""The floors of the fidelity benchmark on the shared pairs of PDF and publisher's XML."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
BENCHMARK = ROOT / "tests" / "benchmarks" / "fidelity"


@pytest.fixture(scope="module")
def totals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The totals of every set of pairs, by its name."""
    if not (DATA / "jats-pdf-pairs").is_dir():
        pytest.skip(f"the shared pairs of PDF and XML are not at {DATA}")
    report = tmp_path_factory.mktemp("fidelity") / "report.json"
    subprocess.run([sys.executable, str(BENCHMARK), "--json", str(report)], check=True, capture_output=True)
    return {name: part["totals"] for name, part in json.loads(report.read_text(encoding="utf-8")).items()}


def test_body_text_is_that_of_the_xml(totals: dict[str, dict[str, Any]]) -> None:
    assert totals["jats-pdf-pairs"]["papers"] == 17
    assert totals["jats-pdf-pairs"]["body"] >= 0.995
    assert totals["jats-pdf-pairs"]["body_least"] >= 0.98
    assert totals["papers-cc-by"]["body"] >= 0.99
    assert totals["papers-cc-by"]["body_least"] >= 0.97


def test_every_heading_is_found(totals: dict[str, dict[str, Any]]) -> None:
    for name, most in (("jats-pdf-pairs", 100), ("papers-cc-by", 80)):
        assert totals[name]["headings_found"] == totals[name]["headings"] > most
        assert totals[name]["headings_reported"] <= 1.03 * totals[name]["headings"]


@pytest.mark.parametrize("name", ["jats-pdf-pairs", "papers-cc-by"])
def test_front_matter_is_that_of_the_xml(totals: dict[str, dict[str, Any]], name: str) -> None:
    for field in ("title", "authors", "doi", "journal", "year"):
        found, expected, reported = (totals[name][f"{field}{part}"] for part in ("_found", "", "_reported"))
        assert found == expected == reported > 0
    assert totals[name]["keywords_found"] == totals[name]["keywords"] == totals[name]["keywords_reported"]


@pytest.mark.parametrize("name", ["jats-pdf-pairs", "papers-cc-by"])
def test_citations_are_linked(totals: dict[str, dict[str, Any]], name: str) -> None:
    found = totals[name]["citations_found"]
    assert found >= 0.96 * totals[name]["citations"] > 200
    assert found >= 0.96 * totals[name]["citations_reported"]


@pytest.mark.parametrize("name", ["jats-pdf-pairs", "papers-cc-by"])
def test_every_caption_is_bound_to_its_float(totals: dict[str, dict[str, Any]], name: str) -> None:
    assert totals[name]["figure_captions_found"] == totals[name]["figure_captions"] > 0
    assert totals[name]["table_captions_found"] == totals[name]["table_captions"] > 0


@pytest.mark.parametrize(("name", "share"), [("jats-pdf-pairs", 0.98), ("papers-cc-by", 0.98)])
def test_cells_are_exact(totals: dict[str, dict[str, Any]], name: str, share: float) -> None:
    assert totals[name]["cells"] > 100
    assert totals[name]["cells_share"] >= share


def test_references_are_split_and_their_dois_read(totals: dict[str, dict[str, Any]]) -> None:
    pairs = totals["jats-pdf-pairs"]
    assert pairs["references_found"] == pairs["references_reported"] == pairs["references"] > 200
    assert pairs["dois"] == pairs["dois_expected"] > 150
