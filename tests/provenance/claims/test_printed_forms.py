"""What papers print in other forms (a share in brackets, a level after a change) does not make a claim fail."""

import pytest

from pincite_papers.opening.source import parse_source
from pincite_provenance.claims.check import check_claim
from pincite_provenance.model import Claim

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
def test_what_is_printed_so_does_not_fail(
    body: str, quote: str, value: str, unit: str, material: str, property_: str, check: str
) -> None:
    page = f"<html><body><article><h1>A paper</h1><h2>Results</h2>{body}</article></body></html>"
    paper = parse_source(page.encode(), max_pages=9)
    checks = check_claim(paper, Claim(quote, f"pc:{paper.paper_id[7:15]}", value, unit, material, property_))
    assert {c.verdict for c in checks.checks if c.name == check} == {"holds"}, checks
