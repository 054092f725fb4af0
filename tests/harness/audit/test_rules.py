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


def test_units_and_titles_are_read() -> None:
    assert unit_readings("μ_B per V atom") == ("μ_B per V atom", "μ_B")
    assert unit_readings("per K")[0] == "1/K"
    assert not gives_title("A. Moor, B. Fenn, Imagined Glaciers 27 (2026) 3", ["A. Moor"])
    assert gives_title("A. Moor, Slow ice by heavy snow, Imagined Glaciers 27 (2026) 3", ["A. Moor"])
