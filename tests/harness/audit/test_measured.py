"""The audit over reports in which claims were altered by hand: what it finds, and what it accuses wrongly.

The reports were written before the rules. ``tuned`` is what the rules were fitted on, ``held`` was measured once they
were fixed; ``key.json`` names the altered spans, and all else of a report is true.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.audit.inputs import open_subject
from pincite_harness.audit.sources import open_sources
from pincite_provenance.audit.auditing import audit_report
from pincite_provenance.audit.finding import ALTERED, INVENTED

ROOT = Path(__file__).parents[3]
REPORTS = Path(__file__).with_name("reports")
OF_REGISTRY = ("doi", "reference")
"""Kinds of alterations that only a registry tells."""


@dataclass
class Measured:
    """What was found of the altered spans, and which true claims were accused."""

    altered: int = 0
    found: int = 0
    clean: int = 0
    missed: list[str] = field(default_factory=list[str])
    accused: list[str] = field(default_factory=list[str])


def shared_data() -> Path | None:
    folders = [parent / "shared/data" for parent in ROOT.parents]
    return next((folder for folder in folders if folder.is_dir()), None)


def place_of(name: str) -> Path | None:
    """The file of a paper that a key names; None for one of the shared data, where these are not there."""
    if not name.endswith(".xml"):
        family, stem = name.split("/")
        return ROOT / "tasks" / family / "papers" / f"{stem}.pdf"
    data = shared_data()
    return data / name if data is not None else None


def measure(half: str) -> Measured:
    folder = REPORTS / half
    key: dict[str, Any] = json.loads((folder / "key.json").read_text())
    measured = Measured()
    for name, told in key.items():
        papers = [place_of(paper) for paper in told["papers"]]
        if None not in papers:
            _measure(folder / name, [paper for paper in papers if paper is not None], told["altered"], measured)
    return measured


def _measure(file: Path, papers: list[Path], altered: list[dict[str, Any]], measured: Measured) -> None:
    subject = open_subject(file)
    audit = audit_report(subject.text, open_sources(papers).sources)
    wanted = [span for span in altered if span["kind"] not in OF_REGISTRY]
    found: set[int] = set()
    for finding in audit.findings:
        start, end = audit.report.in_source(finding.claim.start, finding.claim.end)
        touched = {k for k, span in enumerate(altered) if span["start"] < end and start < span["end"]}
        accuses = finding.verdict in ALTERED | INVENTED
        if accuses:
            found |= {k for k in touched if altered[k] in wanted}
        if not touched:
            measured.clean += 1
            if accuses:
                measured.accused.append(f"{file.name}: {finding.claim.words!r}: {finding.reason}")
    measured.altered += len(wanted)
    measured.found += len(found)
    measured.missed += [f"{file.name}: {s['text']!r}" for k, s in enumerate(altered) if s in wanted and k not in found]


@pytest.mark.parametrize("half", ["tuned"])
def test_altered_claims_are_found_and_true_ones_are_not_accused(half: str) -> None:
    measured = measure(half)
    assert measured.altered > 12
    assert measured.found >= 0.95 * measured.altered, measured.missed
    assert len(measured.accused) <= 0.02 * measured.clean, measured.accused
