"""AuditBook: audits of reports as the desk shows them: made here, or read from the JSON of ``pincite audit``."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_core.json_fields import mapping, objects
from pincite_core.locator import parse_locator
from pincite_harness.audit.audited import Audited, audit_path
from pincite_harness.audit.data import FORM, to_json
from pincite_harness.audit.sources import PAPER_ENDS, open_all
from pincite_harness.desk.trajectories import Told, tell
from pincite_papers.model import Span
from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED
from pincite_provenance.audit.reading import FORMS, read_report
from pincite_provenance.audit.text import ReportText
from pincite_tasks.files import decode_text, read_json

REPORT_ENDS = tuple(name for name in FORMS if name not in (".html", ".htm", ".json"))
"""Files that are reports whatever else is asked: papers end otherwise."""
_BLANK = re.compile(r"\n{3,}")
_FLOWING = ("paragraph", "quotation", "item", "heading")
"""Blocks of a report in which a line break is a space."""
_GOOD = SUPPORTED | {"exists"}
_BAD = ALTERED | INVENTED


@dataclass(frozen=True, slots=True)
class ClaimShown:
    """A claim as the audit's JSON has it; ``kind`` of its verdict is good, bad or open. ``start`` and ``end`` are its
    place in the text that is shown, both 0 where that is not known."""

    number: int
    entry: Mapping[str, Any]
    start: int = 0
    end: int = 0

    @property
    def kind(self) -> str:
        """The colour of its verdict."""
        verdict = self.entry["verdict"]
        return "bad" if verdict in _BAD else "good" if verdict in _GOOD else "open"

    @property
    def sight(self) -> Mapping[str, Any]:
        """What the agent saw; empty where no trajectory is known."""
        return mapping(self.entry.get("sight"))

    @property
    def span(self) -> Span | None:
        """The range of its passage in the source's text."""
        try:
            short = parse_locator(str(self.entry.get("locator", "")))
        except PinciteError:
            return None
        return Span(short.start, short.end)


@dataclass(frozen=True, slots=True)
class ReportShown:
    """One report: its text, "" where it is not at hand, its claims, and what its agent did where that is known."""

    name: str
    text: str
    claims: Sequence[ClaimShown]
    about: Mapping[str, Any]
    told: Told | None = None

    @property
    def counts(self) -> list[tuple[str, str, int]]:
        """Each verdict with its colour and how many claims have it, the bad ones first."""
        counts = Counter((claim.kind, str(claim.entry["verdict"])) for claim in self.claims)
        order = ("bad", "open", "good")
        ordered = sorted(counts.items(), key=lambda each: (order.index(each[0][0]), -each[1]))
        return [(verdict, kind, count) for (kind, verdict), count in ordered]

    @property
    def pieces(self) -> Iterator[tuple[str, ClaimShown | None]]:
        """The text in pieces with the claim of each; of claims that overlap the first has the piece."""
        at = 0
        for claim in sorted((each for each in self.claims if each.end > each.start), key=lambda each: each.start):
            if claim.start < at:
                continue
            yield _BLANK.sub("\n\n", self.text[at : claim.start]), None
            yield self.text[claim.start : claim.end], claim
            at = claim.end
        yield _BLANK.sub("\n\n", self.text[at:]), None

    def claim(self, number: int) -> ClaimShown:
        """A claim by its number; NotFoundError where there is none."""
        if not 0 <= number < len(self.claims):
            raise NotFoundError("The report has no such claim.")
        return self.claims[number]


@dataclass(frozen=True, slots=True)
class AuditBook:
    """The reports of one audit. ``files`` are the papers at hand by file name, for their pages."""

    name: str
    reports: Sequence[ReportShown]
    sources: Sequence[Mapping[str, Any]]
    not_read: Mapping[str, str]
    files: Mapping[str, Path] = field(default_factory=dict[str, Path])

    def report(self, number: int) -> ReportShown:
        """A report by its number; NotFoundError where there is none."""
        if not 0 <= number < len(self.reports):
            raise NotFoundError("There is no such report here.")
        return self.reports[number]


def make_book(path: Path, papers: Sequence[Path], library: Path | None = None) -> AuditBook:
    """Audit what lies at ``path``, or read the audit that lies there; a PinciteError where it is neither."""
    files = paper_files(papers)
    document = _audit_in(path)
    if document is not None:
        return _of_json(path, document, files)
    opened = open_all(papers, library)
    audits = audit_path(path, opened)
    made = to_json(audits, opened)
    reports = [_of_audited(audited, entry) for audited, entry in zip(audits, made["reports"], strict=True)]
    return AuditBook(path.name, reports, made["sources"], made["sources_not_read"], files)


def is_audit(path: Path) -> bool:
    """Whether a file is an audit that ``pincite audit --json`` wrote."""
    return _audit_in(path) is not None


def paper_files(papers: Sequence[Path]) -> dict[str, Path]:
    """The files of papers among these files and folders, by name."""
    found: dict[str, Path] = {}
    for path in papers:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for each in inside:
            if each.is_file() and each.name.lower().endswith(PAPER_ENDS):
                found.setdefault(each.name, each)
    return found


def _audit_in(path: Path) -> dict[str, Any] | None:
    if path.suffix.lower() != ".json" or not path.is_file():
        return None
    document = mapping(read_json(path))
    form = document.get("form")
    if isinstance(form, str) and form.startswith("pincite-audit/") and form != FORM:
        raise BadInputError(f"{path} is an audit of another version.", seen=form, next=f"This desk reads {FORM}.")
    return document if form == FORM else None


def _of_audited(audited: Audited, entry: Mapping[str, Any]) -> ReportShown:
    places = [(finding.claim.start, finding.claim.end) for finding in audited.audit.findings]
    claims = [
        ClaimShown(number, claim, *place)
        for number, (claim, place) in enumerate(zip(entry["claims"], places, strict=True))
    ]
    trajectory = audited.subject.trajectory
    told = tell(trajectory) if trajectory is not None else None
    return ReportShown(str(entry["report"]), _flowing(audited.audit.report), claims, _about(entry), told)


def _of_json(path: Path, document: Mapping[str, Any], files: Mapping[str, Path]) -> AuditBook:
    reports: list[ReportShown] = []
    for entry in objects(document.get("reports")):
        name = str(entry.get("report", ""))
        text, offsets = _report_beside(path, name)
        claims: list[ClaimShown] = []
        for number, claim in enumerate(objects(entry.get("claims"))):
            start, end = bisect_left(offsets, int(claim["start"])), bisect_left(offsets, int(claim["end"]))
            claims.append(ClaimShown(number, claim, start, end))
        reports.append(ReportShown(name, text, claims, _about(entry)))
    not_read = {name: str(why) for name, why in mapping(document.get("sources_not_read")).items()}
    return AuditBook(path.name, reports, objects(document.get("sources")), not_read, files)


def _about(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in ("claims", "report")}


def _report_beside(path: Path, name: str) -> tuple[str, Sequence[int]]:
    """The text of the report beside the audit's file, and where each of its characters stands in its file; nothing
    where it is not there or has a form that has no text of its own."""
    file = path.parent / name
    form = FORMS.get(file.suffix.lower())
    if form is None or not file.resolve().is_relative_to(path.parent.resolve()) or not file.is_file():
        return "", ()
    try:
        report = read_report(decode_text(file.read_bytes()), form)
    except (UnicodeDecodeError, PinciteError):
        return "", ()
    return _flowing(report), report.offsets


def _flowing(report: ReportText) -> str:
    """The text with spaces for the line breaks inside of paragraphs; every character keeps its place."""
    parts = list(report.text)
    for block in report.blocks:
        if block.kind in _FLOWING:
            for at in range(block.start, block.end):
                parts[at] = " " if parts[at] == "\n" else parts[at]
    return "".join(parts)
