"""The figures of an audit, each with the number of claims that it is of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED, AuditVerdict, Finding

_UNKNOWN: frozenset[AuditVerdict] = frozenset({"source not at hand", "not checked", "unsure"})


@dataclass(frozen=True, slots=True)
class Share:
    """``count`` of ``n``."""

    count: int
    n: int

    def __str__(self) -> str:
        return f"{self.count} of {self.n}"


@dataclass(frozen=True, slots=True)
class Summary:
    """``supported`` is of the quotations, values and statements; ``open`` of them are neither."""

    claims: int
    supported: Share
    open: Share
    quotes_altered: Share
    values_differ: Share
    values_without_source: Share
    references_invented: Share
    references_not_checked: Share
    retracted: Share


def summarise(findings: Sequence[Finding]) -> Summary:
    """Count the findings of one report or of several."""
    quotes = [each for each in findings if each.claim.kind == "quote"]
    values = [each for each in findings if each.claim.kind == "value"]
    references = [each for each in findings if each.claim.kind in ("reference", "citation")]
    statements = [each for each in findings if each.claim.kind == "statement"]
    said = [*quotes, *values, *statements]
    return Summary(
        claims=len(findings),
        supported=_share(said, SUPPORTED),
        open=_share(said, _UNKNOWN),
        quotes_altered=_share(quotes, ALTERED),
        values_differ=_share(values, {"value differs"}),
        values_without_source=_share(values, {"not there"}),
        references_invented=_share(references, INVENTED),
        references_not_checked=_share(references, {"not checked", "unsure"}),
        retracted=Share(sum("retracted" in each.status.lower() for each in references), len(references)),
    )


def summary_lines(findings: Sequence[Finding]) -> list[str]:
    """The figures in words, each with its n."""
    summary = summarise(findings)
    values = f"{summary.values_differ} values differ, {summary.values_without_source} stand in no source"
    checked = f"{summary.references_not_checked} not checked or unsure, {summary.retracted} retracted"
    return [
        f"{summary.claims} claims.",
        f"Supported: {summary.supported} quotations and values; neither supported nor contradicted: {summary.open}.",
        f"Altered: {summary.quotes_altered} quotations; {values}.",
        f"References: {summary.references_invented} invented or another work, {checked}.",
    ]


def _share(findings: Sequence[Finding], verdicts: Iterable[AuditVerdict]) -> Share:
    wanted = frozenset(verdicts)
    return Share(sum(each.verdict in wanted for each in findings), len(findings))
