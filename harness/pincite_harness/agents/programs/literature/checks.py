"""Checks: quotes and numbers of a synthesis must stand in the evidence that it names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .arithmetic import read_sum
from .evidence import Evidence
from .outputs import Cited, Claim, Measured, Phase, Precedent, Related, Synthesis

_DASH = "[-\u2010-\u2015\u2212]"
_SINGLE = "['\u2018\u2019]"
_DOUBLE = '["\u201c\u201d]'
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


@dataclass
class Report:
    """What a check found: ``faults`` for the model, ``removed`` what was taken out, ``factors`` numbers of sums that
    stand in no source (units), for the note."""

    faults: list[str] = field(default_factory=list[str])
    removed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    factors: list[str] = field(default_factory=list[str])

    def fault(self, what: str, why: str) -> None:
        """A part that does not stand."""
        self.faults.append(f"{what}: {why}")
        self.removed.append((what, why))


class Checker:
    """Checks against ``evidence`` by id. Numbers of ``known`` (the task's own words) need no source, and none of
    ``elsewhere`` (those that the library's check finds in the chunks) is missing."""

    def __init__(self, evidence: Mapping[str, Evidence], known: str, elsewhere: set[str]) -> None:
        self.evidence = evidence
        self.known = numbers(known)
        self.elsewhere = elsewhere

    def synthesis(self, said: Synthesis) -> tuple[Synthesis, Report]:
        """The answer with what stands of it: claims without a source are left out, and an answer of which a number
        stands nowhere, or that no claim is left for, is taken back."""
        report = Report()
        claims: list[Claim] = []
        sums: set[str] = set()
        for number, claim in enumerate(said.claims, start=1):
            what = f"claim {number}"
            cited = self._cited(claim.cited, what, report)
            if not cited:
                report.fault(what, "it names no evidence that stands")
                continue
            results = self._sum(claim, cited, what, report)
            if missing := self._missing(claim.text, cited, results):
                report.fault(what, f"not in the evidence that it names: {', '.join(missing)}")
                continue
            sums |= results
            claims.append(claim.model_copy(update={"cited": cited}))
        answer = said.answer
        everything = [cited for claim in claims for cited in claim.cited]
        if answer is not None and not claims:
            report.fault("the answer", "no claim with a source is left for it")
            answer = None
        elif missing := self._missing(_text(answer), everything, sums):
            report.fault("the answer", f"these numbers stand in no evidence that is named: {', '.join(missing)}")
            answer = None
        return said.model_copy(update={"answer": answer, "claims": claims}), report

    def precedent(self, said: Precedent) -> tuple[Precedent, Report]:
        """The records that stand; ``Unknown`` where none is left of those that answer the question."""
        report = Report()
        changed: dict[str, object] = {"cited": self._cited(said.cited, "cited", report)}
        lists: dict[str, Sequence[Measured | Related | Phase]] = {
            "measurements": said.measurements,
            "negative_measurements": said.negative_measurements,
            "related": said.related,
            "phases": said.phases,
        }
        for name, records in lists.items():
            changed[name] = [kept for kept in self._records(name, records, report) if kept is not None]
        left = said.model_copy(update=changed)
        answering = [*left.cited, *left.measurements, *left.negative_measurements]
        if left.reported != "Unknown" and not answering:
            report.fault("reported", "nothing with a source is left for it")
            left = left.model_copy(update={"reported": "Unknown"})
        return left, report

    def _records(
        self, name: str, records: Sequence[Measured | Related | Phase], report: Report
    ) -> Iterable[Measured | Related | Phase | None]:
        for number, record in enumerate(records, start=1):
            what = f"{name} {number}"
            cited = self._cited(record.cited, what, report)
            if not cited:
                report.fault(what, "it names no evidence that stands")
                continue
            value = record.temperature if isinstance(record, Phase) else record.value
            if missing := self._missing(value or "", cited, set(), known=False):
                report.fault(what, f"not in the evidence that it names: {', '.join(missing)}")
                continue
            yield record.model_copy(update={"cited": cited})

    def _cited(self, cited: Sequence[Cited], what: str, report: Report) -> list[Cited]:
        """What stands of it, quotes in the source's own characters."""
        kept: list[Cited] = []
        for each in cited:
            found = self.evidence.get(each.evidence.strip())
            if found is None:
                report.fault(what, f"there is no evidence {each.evidence!r}")
                continue
            words = own_words(found.text, each.quote) if each.quote.strip() else ""
            if words is None:
                report.fault(what, f"the quote does not stand in {found.id}: {each.quote[:120]!r}")
                continue
            if not words and found.kind != "figure":
                report.fault(what, f"there is no quote of {found.id}")
                continue
            kept.append(Cited(evidence=found.id, quote=words))
        return kept

    def _sum(self, claim: Claim, cited: Sequence[Cited], what: str, report: Report) -> set[str]:
        """The result of a claim's sum; empty where there is none, or it does not come out, or no source has any of its
        numbers."""
        if not claim.computation.strip():
            return set()
        try:
            found = read_sum(claim.computation)
        except ValueError as error:
            report.fault(what, str(error))
            return set()
        missing = [each for each in found.inputs if self._missing(each, cited, set())]
        if len(missing) == len(found.inputs):
            report.fault(what, f"no number of {claim.computation!r} stands in the evidence that it names")
            return set()
        report.factors += missing
        return {*numbers(found.result), *numbers(claim.computation)}

    def _missing(self, text: str, cited: Sequence[Cited], sums: set[str], *, known: bool = True) -> list[str]:
        """Numbers of a text that stand neither in the evidence cited nor in a sum (nor, with ``known``, in the task's
        own words)."""
        there = {*sums, *(self.known if known else ())}
        for each in cited:
            there |= numbers(self.evidence[each.evidence].everything)
        missing = [written for written in _NUMBER.findall(text) if not numbers(written) <= there]
        return [written for written in dict.fromkeys(missing) if not numbers(written) <= self.elsewhere]


def own_words(text: str, quote: str) -> str | None:
    """The quote as the text has it, but for dashes, quotation marks, spaces and case; None where it does not stand."""
    words = [_pattern(word) for word in quote.split()]
    found = re.search(r"\s+".join(words), text, re.IGNORECASE) if words else None
    return found[0] if found is not None else None


def numbers(text: str) -> set[str]:
    """The numbers of a text, one way of writing for each value: no separators, no zeros that say nothing."""
    found: set[str] = set()
    for written in _NUMBER.findall(text):
        plain = written.replace(",", "")
        whole, dot, decimals = plain.partition(".")
        decimals = decimals.rstrip("0")
        found.add(f"{whole.lstrip('0') or '0'}{dot if decimals else ''}{decimals}")
    return found


def _pattern(word: str) -> str:
    parts: list[str] = []
    for sign in word:
        kind = next((kind for kind in (_DASH, _SINGLE, _DOUBLE) if re.fullmatch(kind, sign)), None)
        parts.append(kind or re.escape(sign))
    return "".join(parts)


def _text(answer: object) -> str:
    if isinstance(answer, list):
        return " ".join(map(str, answer))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return "" if answer is None else str(answer)
