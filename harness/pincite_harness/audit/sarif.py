"""Audits as SARIF 2.1.0 (OASIS), which code hosts show beside the lines of a report."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pincite_harness.audit.audited import Audited
from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED, Finding

_RULES = {
    "reworded": "The source says something like the quotation, in other words",
    "value differs": "The source gives another number or unit beside the same words",
    "not there": "No source has the words or the number",
    "contradicted": "A model reads the opposite of the statement in the source",
    "does not exist": "The reference does not exist",
    "is another work": "The reference's identifier or title is another work's",
    "source not at hand": "What is cited is not among the sources",
    "unsure": "The rules cannot tell",
    "not checked": "Nobody was asked who would know the reference",
}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def to_sarif(audits: Sequence[Audited], base: Path) -> dict[str, Any]:
    """One run with a result for each claim that is not borne out; files are named relative to ``base``."""
    rules = [{"id": _id(name), "shortDescription": {"text": text}} for name, text in _RULES.items()]
    results = [_result(audited, finding, base) for audited in audits for finding in _open(audited)]
    driver = {
        "name": "pincite audit",
        "version": version("pincite"),
        "rules": rules,
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _open(audited: Audited) -> list[Finding]:
    return [each for each in audited.audit.findings if each.verdict not in SUPPORTED and each.verdict != "exists"]


def _result(audited: Audited, finding: Finding, base: Path) -> dict[str, Any]:
    report, claim = audited.audit.report, finding.claim
    start, end = report.in_source(claim.start, claim.end)
    region = {
        "startLine": report.line(start),
        "startColumn": report.column(start),
        "endLine": report.line(end - 1),
        "endColumn": report.column(end - 1) + 1,
        "charOffset": start,
        "charLength": end - start,
    }
    place = {"artifactLocation": {"uri": _uri(audited.subject.path, base)}, "region": region}
    passage = finding.passage
    said = f' The source has "{passage.text}" ({passage.source}, {passage.locator}).' if passage is not None else ""
    words = " ".join(claim.words.split())
    return {
        "ruleId": _id(finding.verdict),
        "level": "error" if finding.verdict in ALTERED | INVENTED else "note",
        "message": {"text": f'{claim.kind} "{words}": {finding.verdict}; {finding.reason}.{said}'},
        "locations": [{"physicalLocation": place}],
    }


def _id(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _uri(path: Path, base: Path) -> str:
    """Relative to the base where the file lies below it, else the file's own address."""
    whole = path.resolve()
    if whole.is_relative_to(base.resolve()):
        return whole.relative_to(base.resolve()).as_posix()
    return whole.as_uri()
