"""The score of a claim overrules weak doubts where all else fits, doubts what fits loosely, mends no failure."""

import pytest

from pincite_papers.source import parse_source
from pincite_provenance.claims.check import check_claim
from pincite_provenance.claims.doubts import doubt
from pincite_provenance.claims.scoring import score, settled
from pincite_provenance.model import Check, Claim

HELD = [Check("value", "holds", "39 K"), Check("material", "holds", "MgB2"), Check("property", "holds", "Tc")]
GOOD = {"value holds": 1.0, "material bound": 1.0, "property bound": 1.0, "lead": 2.0, "material lead": 2.0,
        "property lead": 2.0}  # fmt: skip
BAD = GOOD | {"property foreign": 1.0, "other words": 8.0, "other word behind": 1.0, "material bound": 0.0}


def verdicts(checks: list[Check], traits: dict[str, float]) -> set[str]:
    return {check.verdict for check in settled(checks, traits)}


def test_a_claim_that_fits_loosely_is_unsure_and_says_why():
    assert score(GOOD) > score(BAD)
    assert verdicts(HELD, GOOD) == {"holds"}
    assert verdicts(HELD, BAD) == {"holds", "unsure"}
    assert "other words" in settled(HELD, BAD)[-1].reason


def test_only_weak_doubts_are_overruled_and_only_where_all_else_fits():
    weak = [*HELD[:2], doubt("property", "neither", "the sentence names no transition")]
    strong = [*HELD[:2], doubt("property", "contrary", "the sentence says onset, the claim zero")]
    failing = [HELD[0], Check("material", "fails", "given for NbN"), weak[2]]
    assert verdicts(weak, GOOD) == {"holds"}
    assert verdicts(weak, BAD) == {"holds", "unsure"}
    assert verdicts(strong, GOOD) == {"holds", "unsure"}
    assert verdicts(failing, GOOD) == {"holds", "unsure", "fails"}
    assert {type(check) for check in settled(weak, BAD)} == {Check}


ROSE = "The level of sodium in rats rose from 161 to 470 mmol."
YIELD = "The yield of extract was 13.25 g from 100 g of leaves."
CAUSES = """<table><caption>Causes, n(%)</caption><tr><th>Cause</th><th>Adults</th></tr>
<tr><td>Diabetes</td><td>147(42.1)</td></tr></table>"""
TITERS = """<table><caption>Titers</caption><tr><th>Mice</th><th>Titer (mg/ml)</th></tr>
<tr><td>NFR</td><td>0.37<sup>c</sup></td></tr></table>"""


@pytest.mark.parametrize(
    ("body", "quote", "value", "unit", "material", "property_", "check"),
    [
        (f"<p>{ROSE}</p>", ROSE, "470", "mmol", "rats", "sodium level", "value"),
        (f"<p>{YIELD}</p>", YIELD, "13.25", "%", "extract", "yield", "unit"),
        (CAUSES, "147(42.1)", "42.1", "%", "adults", "diabetes", "value"),
        (TITERS, "0.37", "0.37", "mg/ml", "NFR mice", "titer", "quote"),
    ],
)
def test_what_is_printed_so_does_not_fail(body, quote, value, unit, material, property_, check):
    page = f"<html><body><article><h1>A paper</h1><h2>Results</h2>{body}</article></body></html>"
    paper = parse_source(page.encode(), max_pages=9)
    checks = check_claim(paper, Claim(quote, f"pc:{paper.paper_id[7:15]}", value, unit, material, property_))
    assert {c.verdict for c in checks.checks if c.name == check} == {"holds"}, checks
