"""References asked of registries on the loopback: doi.org's handles and the sources' records."""

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio

from pincite_core.settings import Settings
from pincite_harness.audit.audited import audit_online, findings_of

TITLE = "Superconductivity of a cuprate that nobody has made"
REPORT = f"""Nobody has made it [1], whatever was said of it [2] and of another [3].

## References

[1] Lovelace, Gödel, Noether. {TITLE}. 2019. doi:10.5555/cuprate.2019.1
[2] Lovelace, Gödel, Noether. {TITLE}. 2019. doi:10.5555/cuprate.2019.77
[3] Curie. Sleep of bees in winter. 2004. doi:10.5555/cuprate.2019.1
"""


def verdicts(path: Path, settings: Settings) -> list[tuple[str, str]]:
    audit = functools.partial(audit_online, path, [], settings, fetch=False, registry=True)
    audits, _ = anyio.run(audit)
    return [(finding.verdict, finding.status) for finding in findings_of(audits)]


def test_a_reference_exists_or_does_not_or_is_another_work(services: Any, invented: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text(REPORT)
    with services([invented.known_everywhere()]) as settings:
        found = verdicts(report, settings)
    assert found == [("exists", ""), ("does not exist", ""), ("is another work", "")]


def test_a_retraction_is_told(services: Any, invented: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text("## References\n\n" + REPORT.splitlines()[4])
    with services([replace(invented.known_everywhere(), retracted=True)]) as settings:
        ((verdict, status),) = verdicts(report, settings)
    assert verdict == "exists"
    assert status.startswith("RETRACTED")


def test_registries_that_are_down_prove_nothing(services: Any, invented: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text(REPORT)
    names = ("crossref", "openalex", "semantic_scholar", "pubmed", "europe_pmc", "arxiv", "doi")
    with services([invented.known_everywhere()], dict.fromkeys(names, "refused")) as settings:
        found = verdicts(report, settings)
    assert {verdict for verdict, _ in found} <= {"not checked", "unsure"}
