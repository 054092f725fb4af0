"""Rules by which an audit tells true claims from altered ones, on made-up sentences."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite_harness.audit.audited import audit_path
from pincite_harness.audit.sources import open_sources
from pincite_provenance.audit.titles import gives_title
from pincite_provenance.audit.unit_readings import unit_readings

MOMENTS = (
    "The ordered moment of the vanadate is 1.37 μ_B per V atom at 20 K. "
    "Pellets of the vanadate were pressed with 6 mg of wax. "
    "The oil of the pump lasted 41.73 h at 80 °C. The kiln is the best of its kind so far^12,14–16, as was said. "
    "Furnace numbers of the vanadate run from one on."
)
OTHER = "The harbour has 6 cranes. A ship of 870 kg wax lay there."

Verdicts = Callable[[str], dict[str, str]]


@pytest.fixture
def verdicts(tmp_path: Path) -> Verdicts:
    """The verdicts of a report by the words of its claims, with two sources at hand of which it names one."""
    (tmp_path / "moments.md").write_text(f"# Moments of a vanadate\n\n{MOMENTS}\n", encoding="utf-8")
    (tmp_path / "harbour.md").write_text(f"# A harbour\n\n{OTHER}\n", encoding="utf-8")
    sources = open_sources([tmp_path / "moments.md", tmp_path / "harbour.md"])

    def audit(text: str) -> dict[str, str]:
        (tmp_path / "report.md").write_text(text, encoding="utf-8")
        (audited,) = audit_path(tmp_path / "report.md", sources)
        return {finding.claim.words: finding.verdict for finding in audited.audit.findings}

    return audit


def test_what_is_no_slip_is_not_accused(verdicts: Verdicts) -> None:
    found = verdicts(
        "The moment of the vanadate is 1.37 μB at 20 K. The pump oil lasted 41.7 h. "
        "“The kiln is the best of its kind so far” is said. "
        "Read in inv:2601.00318, Letters 18 (2026) 27, Digest (2021) 21:134."
    )
    assert found["1.37 μB"] != "value differs"
    assert found["41.7 h"] == "value stands"
    assert found["The kiln is the best of its kind so far"] == "exact but for print"
    assert not {"2601.00318", "18 (2026)", "27", "134", "21"} & set(found)


def test_a_slip_of_the_unit_is_found(verdicts: Verdicts) -> None:
    assert verdicts("Pellets of the vanadate were pressed with 6 g of wax.")["6 g"] == "value differs"


def test_exchanged_values_are_found_and_those_in_their_places_are_not(tmp_path: Path) -> None:
    """Each source gives both numbers; the report says the first of the other's thing."""
    cases = [
        (
            "The hexon (2841 nm), fiber (978 nm) and penton (1674 nm) were read.",
            "The lengths were 978 nm for the hexon, 2841 nm for the fiber and 1674 nm for the penton.",
            {"978 nm": "value differs", "2841 nm": "value differs", "1674 nm": "value stands"},
        ),
        (
            "The hexon (2841 nm), fiber (978 nm) and penton (1674 nm) were read.",
            "The lengths were 2841 nm for the hexon, 978 nm for the fiber and 1674 nm for the penton.",
            {"978 nm": "value stands", "2841 nm": "value stands", "1674 nm": "value stands"},
        ),
        (
            "The steel has Ac_1e at 840 °C and Ac3 at 895 °C in the furnace.",
            "| Point of the steel | Temperature |\n|---|---|\n| Ac1e | 895 °C |\n| Ac3 | 840 °C |",
            {"895 °C": "value differs", "840 °C": "value differs"},
        ),
    ]
    for source, report, wanted in cases:
        (tmp_path / "source.md").write_text(f"# A source\n\n{source}\n", encoding="utf-8")
        (tmp_path / "report.md").write_text(report, encoding="utf-8")
        (audited,) = audit_path(tmp_path / "report.md", open_sources([tmp_path / "source.md"]))
        found = {finding.claim.words: finding.verdict for finding in audited.audit.findings}
        assert found == wanted, report


PAGE = """<html><head><title>{title}</title><meta name="citation_title" content="{title}">
<meta name="citation_author" content="{author}"></head><body><h1>{title}</h1><p>{text}</p></body></html>"""
REFERENCES = """

## References

1. Moor A. Moments of a layered vanadate in the cold. 2026.
2. Fenn B. A harbour and the ships that lay in it. 2026.
3. Elk C. Ports of the north and what they hold. 2026.
"""


def test_a_value_of_another_source_is_not_there_and_the_reason_names_that(tmp_path: Path) -> None:
    titles = ("Moments of a layered vanadate in the cold", "A harbour and the ships that lay in it")
    for name, title, author, text in zip(
        ("moments", "harbour"), titles, ("Ada Moor", "Bo Fenn"), (MOMENTS, OTHER), strict=True
    ):
        page = PAGE.format(title=title, author=author, text=text)
        (tmp_path / f"{name}.html").write_text(page, encoding="utf-8")
    sources = open_sources([tmp_path / "moments.html", tmp_path / "harbour.html"])
    cases = {
        "A ship of 870 kg wax lay in the harbour [2].": "value stands",
        "A ship of 870 kg wax lay in the harbour [1].": "not there",
        "The vanadate is of interest [1]. In the same paper a ship of 870 kg wax lay in the harbour.": "not there",
        "Moor's group [1] had a ship of 870 kg wax in the harbour.": "not there",
        # A work that is not at hand may say it.
        "A ship of 940 kg wax lay in the harbour [3].": "source not at hand",
    }
    for text, wanted in cases.items():
        (tmp_path / "report.md").write_text(text + REFERENCES, encoding="utf-8")
        (audited,) = audit_path(tmp_path / "report.md", sources)
        (finding,) = (each for each in audited.audit.findings if each.claim.kind == "value")
        assert finding.verdict == wanted, (text, finding.reason)
        assert "harbour.html" in finding.reason or wanted != "not there"


def test_numbers_of_places_strains_and_parted_thousands_are_no_values(verdicts: Verdicts) -> None:
    found = verdicts(
        "See Letters 2014, 14:419, Front. Sci. 11:1092 (2020) and strain ATCC 6258. Of 47 000 men some are at least 20 "
        "and less than 75 years old."
    )
    assert not {"419", "1092", "6258", "47", "000", "14", "11"} & set(found)


def test_units_and_titles_are_read() -> None:
    assert unit_readings("μ_B per V atom") == ("μ_B per V atom", "μ_B")
    assert unit_readings("per K")[0] == "1/K"
    assert not gives_title("A. Moor, B. Fenn, Imagined Glaciers 27 (2026) 3", ["A. Moor"])
    assert gives_title("A. Moor, Slow ice by heavy snow, Imagined Glaciers 27 (2026) 3", ["A. Moor"])
