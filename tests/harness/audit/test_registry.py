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


WITHOUT_DOI = f"""## References

1. Lovelace A, Gödel K, Noether E. {TITLE}. J Invented Phys 2019;3:12–19.
2. Haldane PJ, Brückner S. Mint-family oils as peripheral painkillers: a dose survey. J Phytother 2016;9(4):211–226.
3. Okonkwo A, Marchetti D. The Basil Handbook: Chemotypes and Pharmacology. 2nd ed. Leiden: Herbaria Press; 2017.
4. Lovelace A, Gödel K, Noether E. How warm can a layered oxide become? J Invented Phys 2019;4:1–9.
5. Haldane PJ. Letter on mint oils and pain in the hands. J Phytother 1911;9(4):211–226.
"""


def test_an_article_that_no_registry_has_does_not_exist_as_cited(services: Any, invented: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text(WITHOUT_DOI)
    with services([invented.known_everywhere()]) as settings:
        audit = functools.partial(audit_online, report, [], settings, fetch=False, registry=True)
        findings = findings_of(anyio.run(audit)[0])
    # Books are in no registry as a rule, one work has its authors and year, and one is older than the registries.
    assert [each.verdict for each in findings] == ["exists", "does not exist", "unsure", "unsure", "unsure"]
    assert "Crossref, OpenAlex" in findings[1].reason
    assert TITLE in findings[3].reason


def test_one_registry_alone_leaves_an_article_open(services: Any, invented: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text(WITHOUT_DOI)
    for down in ("crossref", "openalex"):
        with services([invented.known_everywhere()], {down: "refused"}) as settings:
            found = verdicts(report, settings)
        assert {verdict for verdict, _ in found[1:]} <= {"not checked", "unsure"}
