"""audit_report: every claim of a report against the sources at hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pincite_papers.model import Span
from pincite_provenance.audit.at_hand import ReferenceStanding, check_at_hand
from pincite_provenance.audit.citing import AuditSource, Citing, Grounds
from pincite_provenance.audit.claim import ReportClaim
from pincite_provenance.audit.exchanged import find_exchange
from pincite_provenance.audit.finding import SUPPORTED, Finding, SourcePassage
from pincite_provenance.audit.quotations import find_quotations
from pincite_provenance.audit.quote_check import QuoteStanding, check_quotation, stands_in
from pincite_provenance.audit.references import ListedReference, find_cited, find_entries
from pincite_provenance.audit.source import made_passage, quantities_of
from pincite_provenance.audit.text import ReportText
from pincite_provenance.audit.value_check import ValueStanding, check_value
from pincite_provenance.audit.values import ReportValue, find_values

_ALIKE = 0.3
"""Share of a claim's words from which on a passage is about it, so that its source is the one that was meant; set on
the tuned half of tests/harness/audit/reports."""
_WELL, _FAR_BETTER = 0.5, 2.0
"""Share of a claim's words in another source, and how many times the share in the one that it cites, from which on a
value that the cited source leaves unsure is the other's. Set by judgement."""
_ORDER = ("value stands", "unsure", "value differs", "not there")
"""Of several sources the one that bears a value out best counts."""


@dataclass
class ReportAudit:
    """The findings of a report, in the order in which their claims stand in it."""

    report: ReportText
    sources: Sequence[AuditSource]
    findings: list[Finding] = field(default_factory=list[Finding])
    entries: list[ListedReference] = field(default_factory=list[ListedReference])
    meant: dict[int, str] = field(default_factory=dict[int, str])
    """The names of the sources at hand that entries mean, by where an entry begins."""
    values: dict[int, ReportValue] = field(default_factory=dict[int, ReportValue])
    """The values by the place of their finding."""

    not_in_report: int | None = None
    """How many statements a model named that are not in the report; None where no model was asked."""

    def add(self, findings: Sequence[Finding]) -> None:
        """Put more findings in their places."""
        valued = {id(self.findings[at]): value for at, value in self.values.items()}
        self.findings = sorted([*self.findings, *findings], key=lambda each: (each.claim.start, each.claim.end))
        self.values = {at: valued[id(each)] for at, each in enumerate(self.findings) if id(each) in valued}


def audit_report(report: ReportText, sources: Sequence[AuditSource]) -> ReportAudit:
    """Find the claims of a report and check each against ``sources``; asks nothing of the web."""
    return _Auditor(report, sources).audit()


@dataclass
class _QuoteWork:
    claim: ReportClaim
    grounds: Grounds
    stands: list[str] = field(default_factory=list[str])
    standings: dict[str, QuoteStanding] = field(default_factory=dict[str, QuoteStanding])


@dataclass
class _ValueWork:
    claim: ReportClaim
    value: ReportValue
    grounds: Grounds
    standings: dict[str, ValueStanding] = field(default_factory=dict[str, ValueStanding])
    elsewhere: dict[str, ValueStanding] = field(default_factory=dict[str, ValueStanding])
    """How it stands in sources that the report uses, but not for it; asked where those that it cites do not have it."""

    @property
    def is_own(self) -> bool:
        """Whether its own sentence cites sources at hand."""
        return self.grounds.is_own and bool(self.grounds.names)


class _Auditor:
    def __init__(self, report: ReportText, sources: Sequence[AuditSource]) -> None:
        self._report, self._sources = report, sources
        self._entries = find_entries(report)
        self._references = [check_at_hand(entry, sources) for entry in self._entries]
        meant = {at: each.source for at, each in enumerate(self._references) if each.source}
        self._citing = Citing(report, self._entries, meant, sources)
        self._used: frozenset[str] = frozenset()
        """The sources that the report cites anywhere, or quotes."""
        self._lacks = any(not each.source for each in self._references)
        """Whether the report cites works that are not at hand."""
        self._groups: dict[int, list[ReportValue]] = {}
        """The values of each sentence and table."""
        self._papers = {source.name: source.paper for source in sources}

    def audit(self) -> ReportAudit:
        in_entries = [Span(entry.start, entry.end) for entry in self._entries]
        spans = [span for span in find_quotations(self._report) if not _overlaps(span, in_entries)]
        quotes = [self._quote(span) for span in spans]
        without = [*in_entries, *(Span(*span) for span in spans)]
        values = [self._value(value) for value in find_values(self._report, without)]
        for source in self._sources:
            for work in quotes:
                if stands_in(work.claim.words, source.paper):
                    work.stands.append(source.name)
        self._check_quotes(quotes)
        self._used = self._citing.used | {name for work in quotes for name in work.stands}
        self._check_values(values)
        findings = [self._quote_finding(work) for work in quotes]
        findings += [self._value_finding(work) for work in values]
        findings += [_reference_finding(*pair) for pair in zip(self._entries, self._references, strict=True)]
        findings += self._lone_dois(in_entries)
        findings.sort(key=lambda finding: (finding.claim.start, finding.claim.end))
        meant = {entry.start: each.source for entry, each in zip(self._entries, self._references, strict=True)}
        by_span = {(work.claim.start, work.claim.end): work.value for work in values}
        found = {at: by_span[key] for at, each in enumerate(findings) if (key := _value_key(each)) in by_span}
        return ReportAudit(self._report, self._sources, findings, self._entries, meant, found)

    def _quote(self, span: tuple[int, int]) -> _QuoteWork:
        cited, near = self._citing.around(*span)
        claim = ReportClaim("quote", *span, self._report.text[span[0] : span[1]], cited, near)
        return _QuoteWork(claim, self._citing.grounds(cited, near))

    def _value(self, value: ReportValue) -> _ValueWork:
        cited, near = self._citing.around(value.start, value.end)
        words = self._report.text[value.start : value.end]
        unit = value.units[0] if value.units else ""
        grounds = self._citing.grounds(cited, near)
        if self._citing.goes_on(value.start, value.end, near):
            grounds = replace(grounds, is_own=True)
        self._groups.setdefault(value.group, []).append(value)
        claim = ReportClaim("value", value.start, value.end, words, cited, near, unit)
        return _ValueWork(claim, value, grounds)

    def _check_quotes(self, quotes: Sequence[_QuoteWork]) -> None:
        """Each quotation where it stands, else in the sources that it may come from."""
        for source in self._sources:
            for work in quotes:
                own = work.grounds.is_own and work.grounds.names
                wanted = set(work.grounds.names) if own else set(work.stands) or {each.name for each in self._sources}
                if source.name in wanted:
                    work.standings[source.name] = check_quotation(work.claim.words, source.name, source.paper)

    def _check_values(self, values: Sequence[_ValueWork]) -> None:
        """Each value in the sources that it cites; where these do not bear it out, in those that the report uses
        elsewhere, then in the others."""
        for source in self._sources:
            for work in values:
                if source.name in work.grounds.names:
                    work.standings[source.name] = check_value(work.value, source.name, source.paper)
        for is_used in (True, False):
            open_works = [work for work in values if not _is_borne_out(work) and (is_used or not work.is_own)]
            for source in self._sources:
                if (source.name in self._used) == is_used:
                    for work in open_works:
                        if source.name not in work.standings:
                            into = work.elsewhere if work.is_own else work.standings
                            into[source.name] = check_value(work.value, source.name, source.paper)

    def _that_count(self, work: _ValueWork) -> list[ValueStanding]:
        """How a value stands in the sources that may be meant. One that the report neither cites nor quotes is meant
        where it bears the value out, in a passage that has more of its words than any in those that are."""
        used = [each for name, each in work.standings.items() if name in self._used]
        if not used:
            return list(work.standings.values())
        most = max(_ALIKE, *(each.fit for each in used))
        others = [each for name, each in work.standings.items() if name not in self._used]
        return used + [each for each in others if each.verdict in SUPPORTED and each.fit > most]

    def _quote_finding(self, work: _QuoteWork) -> Finding:
        best = min(work.standings.values(), key=lambda each: (not each.stands, each.distance), default=None)
        if best is None:
            return Finding(work.claim, "source not at hand", "no source is at hand")
        if best.stands:
            return Finding(work.claim, best.verdict, best.reason, best.passage)
        elsewhere = [name for name in work.stands if name not in work.standings]
        if elsewhere:
            reason = f"it stands in {elsewhere[0]}, which is not cited for it"
            return Finding(work.claim, "not there", reason, best.passage)
        if best.verdict == "not there" and self._may_be_missing(work.grounds):
            return Finding(work.claim, "source not at hand", "it stands in none of the sources at hand", None)
        return Finding(work.claim, best.verdict, best.reason, best.passage)

    def _value_finding(self, work: _ValueWork) -> Finding:
        standings = self._that_count(work)
        best = min(standings, key=lambda each: (_ORDER.index(each.verdict), -each.fit), default=None)
        if best is None:
            return Finding(work.claim, "source not at hand", "no source is at hand")
        if best.verdict == "value stands" and best.fit < _ALIKE and work.grounds.is_missing:
            return Finding(work.claim, "source not at hand", "the work that is cited for it is not at hand", None)
        if best.verdict in ("value differs", "not there") and self._may_be_absent(work, best):
            return Finding(work.claim, "source not at hand", "it stands in none of the sources at hand", None)
        elsewhere = _stands_elsewhere(work, best)
        if elsewhere is not None:
            name, passage = elsewhere
            return Finding(work.claim, "not there", f"it stands in {name}, which is not cited for it", passage)
        if best.verdict in ("value stands", "unsure") and best.passage is not None:
            exchanged = self._exchanged(work, best.passage.source)
            if exchanged is not None:
                return exchanged
        return Finding(work.claim, best.verdict, best.reason, best.passage)

    def _exchanged(self, work: _ValueWork, name: str) -> Finding | None:
        """The finding that a value was exchanged with another of its sentence or table, None where it was not."""
        paper = self._papers[name]
        source = quantities_of.of(paper)
        found = find_exchange(work.value, self._groups[work.value.group], source, paper)
        if found is None:
            return None
        entry, other = source.entries[found.at], source.entries[found.other]
        reason = f"the source gives it for {found.owner}; it is exchanged with {other.quantity.printed}"
        passage = made_passage(name, paper, entry)
        return Finding(work.claim, "value differs", reason, passage)

    def _may_be_absent(self, work: _ValueWork, best: ValueStanding) -> bool:
        """Whether a value may come from a work that is not at hand: one is cited for it, or it is like nothing here."""
        return work.grounds.is_missing or (best.fit < _ALIKE and self._may_be_missing(work.grounds))

    def _may_be_missing(self, grounds: Grounds) -> bool:
        """Whether a claim may come from a work that is not at hand."""
        return not self._sources or grounds.is_missing or (self._lacks and not grounds.names)

    def _lone_dois(self, in_entries: Sequence[Span]) -> Iterable[Finding]:
        """The DOIs that the text names outside of its list."""
        known = {entry.doi.lower() for entry in self._entries if entry.doi}
        text = self._report.text
        for one in find_cited(text, 0, len(text), frozenset()):
            span = (one.start, one.start + len(one.name))
            if one.kind != "doi" or one.name.lower() in known or _overlaps(span, in_entries):
                continue
            known.add(one.name.lower())
            entry = ListedReference("", one.name, *span, one.name)
            yield _reference_finding(entry, check_at_hand(entry, self._sources))


def _stands_elsewhere(work: _ValueWork, best: ValueStanding) -> tuple[str, SourcePassage | None] | None:
    """The source that has a value which the one that is cited for it does not have. Where that one leaves it unsure,
    another must have far more of its words."""
    if best.verdict in SUPPORTED:
        return None
    least = max(_WELL, _FAR_BETTER * best.fit) if best.verdict == "unsure" else _ALIKE
    found = [pair for pair in work.elsewhere.items() if pair[1].verdict in SUPPORTED and pair[1].fit >= least]
    if not found:
        return None
    name, standing = max(found, key=lambda pair: pair[1].fit)
    return name, standing.passage


def _is_borne_out(work: _ValueWork) -> bool:
    return any(standing.verdict in SUPPORTED for standing in work.standings.values())


def _value_key(finding: Finding) -> tuple[int, int]:
    """The span of a value; one that none has for another claim."""
    claim = finding.claim
    return (claim.start, claim.end) if claim.kind == "value" else (-1, -1)


def _reference_finding(entry: ListedReference, standing: ReferenceStanding) -> Finding:
    claim = ReportClaim("reference", entry.start, entry.end, entry.text)
    return Finding(claim, standing.verdict, standing.reason)


def _overlaps(span: tuple[int, int], others: Sequence[Span]) -> bool:
    return any(span[0] < other.end and other.start < span[1] for other in others)
