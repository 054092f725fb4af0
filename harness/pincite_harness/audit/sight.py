"""What the agent saw: for each claim, the step at which its passage was shown, and whether it came before that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from pincite_harness.audit.inputs import Subject
from pincite_harness.audit.steps import Showing, step_of
from pincite_papers.quoting.quotes import MAX_QUOTE_CHARS, quote_stands
from pincite_provenance.audit.auditing import ReportAudit
from pincite_provenance.audit.citing import AuditSource
from pincite_provenance.audit.finding import Finding
from pincite_provenance.audit.quote_check import stands_in
from pincite_provenance.audit.references import ListedReference
from pincite_provenance.audit.summary import Share
from pincite_provenance.audit.value_check import check_value
from pincite_provenance.audit.values import ReportValue
from pincite_scoring.shown import name_form

_SHORTEST_NAME = 6
"""Letters and digits of a DOI, an id or a title that tell one work from another."""


class Sight(TypedDict):
    """``seen_step`` is the first step whose result showed the passage, None where none did; ``claimed_step`` that in
    which the claim was said. ``from_memory`` where it was said before the passage was shown, or without;
    ``opened_step`` is the first step that showed anything of its source."""

    claimed_step: int | None
    seen_step: int | None
    opened_step: int | None
    from_memory: bool


@dataclass(frozen=True)
class Sights:
    """The sights of an audit's quotations and values, by the place of their finding; ``never_opened`` counts the works
    cited that no result names."""

    of: dict[int, Sight]
    never_opened: Share
    unopened: tuple[str, ...]
    before_sight: Share


def see(subject: Subject, audit: ReportAudit) -> Sights | None:
    """What the agent saw of each claim; None where there is no trajectory."""
    if subject.shown is None:
        return None
    wanted = [at for at, finding in enumerate(audit.findings) if finding.claim.kind in ("quote", "value")]
    seen: dict[int, int] = {}
    rows = {at: row for at in wanted if (row := _row_of(audit.findings[at], audit.sources))}
    for showing in subject.shown:
        for at in wanted:
            if at in seen:
                continue
            is_row_shown = at in rows and quote_stands(showing.paper, rows[at])
            if is_row_shown or _shows(showing, audit.findings[at], audit.values.get(at)):
                seen[at] = showing.step
    opened = {source.name: _opened(_names_of(source), subject.shown) for source in audit.sources}
    sights = {at: _sight(subject, audit, at, seen.get(at), opened) for at in wanted}
    cited = [entry for entry in audit.entries if entry.doi or entry.text]
    unopened = [entry.text for entry in cited if _opened(_names_of_entry(entry, audit), subject.shown) is None]
    memory = sum(sight["from_memory"] for sight in sights.values())
    return Sights(sights, Share(len(unopened), len(cited)), tuple(unopened), Share(memory, len(sights)))


def _row_of(finding: Finding, sources: Sequence[AuditSource]) -> str:
    """The row of the table that a value stands in, cells parted by tabs; "" for one in a sentence, or that does not
    stand. A cell alone is too short to be found again."""
    passage = finding.passage
    if passage is None or finding.claim.kind != "value" or finding.verdict not in ("value stands", "unsure"):
        return ""
    text = next((source.paper.text for source in sources if source.name == passage.source), "")
    start = text.rfind("\n", 0, passage.start) + 1
    end = text.find("\n", passage.end)
    row = text[start : end if end >= 0 else len(text)]
    return row if "\t" in row and len(row) <= MAX_QUOTE_CHARS else ""


def _shows(showing: Showing, finding: Finding, value: ReportValue | None) -> bool:
    """Whether a result has the words of a quotation, or the passage or the number with the words of a value."""
    if finding.claim.kind == "quote":
        return stands_in(finding.claim.words, showing.paper)
    passage = finding.passage
    stands = (
        finding.verdict in ("value stands", "unsure") and passage is not None and len(passage.text) > _SHORTEST_NAME
    )
    if (
        stands
        and passage is not None
        and len(passage.text) <= MAX_QUOTE_CHARS
        and quote_stands(showing.paper, passage.text)
    ):
        return "\t" in passage.text or len(passage.text.split()) > 2 or _has_value(showing, value)
    return _has_value(showing, value)


def _has_value(showing: Showing, value: ReportValue | None) -> bool:
    return value is not None and check_value(value, "", showing.paper).verdict == "value stands"


def _sight(subject: Subject, audit: ReportAudit, at: int, seen: int | None, opened: dict[str, int | None]) -> Sight:
    finding = audit.findings[at]
    claimed = (
        step_of(subject.said, audit.report, finding.claim.start) if subject.said is not None else subject.last_step
    )
    passage = finding.passage
    before = seen is None or (claimed is not None and claimed <= seen)
    return Sight(
        claimed_step=claimed,
        seen_step=seen,
        opened_step=opened.get(passage.source) if passage is not None else None,
        from_memory=before,
    )


def _opened(names: Sequence[str], shown: Sequence[Showing]) -> int | None:
    """The first step whose call or result names a work."""
    forms = [form for name in names if len(form := name_form(name)) >= _SHORTEST_NAME]
    for showing in shown:
        if showing.tool and any(form in showing.about for form in forms):
            return showing.step
    return None


def _names_of(source: AuditSource) -> list[str]:
    paper = source.paper
    return [source.name, paper.paper_id[7:15], paper.doi or "", paper.title]


def _names_of_entry(entry: ListedReference, audit: ReportAudit) -> list[str]:
    meant = audit.meant.get(entry.start)
    for source in audit.sources:
        if source.name == meant:
            return [entry.doi, *_names_of(source)]
    return [entry.doi]
