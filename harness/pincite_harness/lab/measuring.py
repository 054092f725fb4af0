"""LabResult: the gain from a server by family and metric, what it cost, its calls, and where it misled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from pincite_harness.analyses.calls import ToolUse
from pincite_harness.analyses.tool_use import fault_of
from pincite_harness.analyses.trials import TrialData
from pincite_harness.audit.audited import Audited, audit_path
from pincite_harness.audit.sight import see
from pincite_harness.audit.sources import OpenedSources, open_all
from pincite_harness.audit.steps import Showing
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import TrialRow
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.statistics import task_means
from pincite_harness.reports.value_signals import stated_values
from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED
from pincite_scoring.scorer import Metric
from pincite_scoring.shown import name_form, readable, text_paper
from pincite_scoring.statistics import Paired, compare_runs

WITH, WITHOUT = "with", "without"
"""Names of the two runs."""
Calls = Mapping[str, Sequence[ToolUse]]
"""Calls of the servers by trial."""
Effect = Literal["helps", "harms", "no difference shown"]
_SPENT = ("seconds", "tokens", "cost_usd", "tool_calls")
_LEVEL = 0.05
"""Of the sign-flip test, where all differences are the same and there is no interval."""
_SHORTEST = 2
"""Characters of a value that is looked for in results: a digit alone stands in nearly all of them. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Gain:
    """A metric with the server less without it, paired by task over means of attempts."""

    metric: Metric
    pair: Paired

    @property
    def effect(self) -> Effect:
        """By the 95 % interval of the difference; where all differences are the same, by the sign-flip test."""
        mean, interval = self.pair.difference.mean or 0.0, self.pair.difference.interval
        if interval is not None:
            return "helps" if interval[0] > 0 else "harms" if interval[1] < 0 else "no difference shown"
        if mean == 0 or self.pair.p_permutation >= _LEVEL:
            return "no difference shown"
        return "helps" if mean > 0 else "harms"


@dataclass(frozen=True, slots=True)
class RestingClaim:
    """A claim of an answer that its source does not bear out, and that a result of the server showed."""

    trial: str
    call: int
    """Which of the trial's calls of the server showed it, from 1."""
    verdict: str
    text: str
    source_says: str


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """``misled`` are the trials with the server that did worse than its task did without it, called it, and answered
    with a value that stands in one of its results. ``resting`` counts the audited claims that a result of the server
    showed, ``borne_out`` those of them that the task's papers bear out, and ``wrong`` lists those that they do not."""

    family: str
    gains: tuple[Gain, ...]
    spent: Mapping[str, Paired]
    """By ``seconds``, ``tokens``, ``cost_usd``, ``tool_calls``, as far as they are known of both sides."""
    used: int
    """Trials that called the server."""
    trials: int
    calls: int
    erred: int
    """Of its calls, those with a fault: an error, nothing in the result, too slow, turned away."""
    misled: tuple[str, ...]
    resting: int = 0
    borne_out: int = 0
    wrong: tuple[RestingClaim, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Gain | None:
        """The gain in the first metric of the headline, which decides."""
        return self.gains[0] if self.gains else None


@dataclass(slots=True)
class _Resting:
    """What the audit of several trials says of claims that rest on the server."""

    count: int = 0
    borne_out: int = 0
    wrong: list[RestingClaim] = field(default_factory=list[RestingClaim])


def measure_family(group: Group, servers: Sequence[str], data: TrialData) -> FamilyResult | None:
    """The result of a family; None where one side has no trial of it. ``group`` has the run without the servers
    first."""
    if len(group.measured) != 2:
        return None
    without, with_server = group.measured
    gains = [Gain(metric, pair) for metric in group.headline if (pair := _pair(without, with_server, metric))]
    calls = {trial.name: _calls(with_server, trial, servers, data) for trial in with_server.trials}
    faults = [fault_of(call) for each in calls.values() for call in each]
    resting = _audit(with_server, calls, data)
    return FamilyResult(
        family=group.family,
        gains=tuple(gains),
        spent=_spent(without, with_server),
        used=sum(bool(each) for each in calls.values()),
        trials=len(with_server.trials),
        calls=len(faults),
        erred=sum(bool(fault) for fault in faults),
        misled=tuple(_misled(without, with_server, calls, gains[0].metric)) if gains else (),
        resting=resting.count,
        borne_out=resting.borne_out,
        wrong=tuple(resting.wrong),
        notes=tuple(note for comparison in group.comparisons for note in comparison.notes),
    )


def _pair(without: Measured, with_server: Measured, metric: Metric) -> Paired | None:
    clusters = {trial.task: one.run.cluster(trial) for one in (with_server, without) for trial in one.trials}
    return compare_runs(task_means(without.run, metric.name), task_means(with_server.run, metric.name), clusters)


def _spent(without: Measured, with_server: Measured) -> dict[str, Paired]:
    found: dict[str, Paired] = {}
    for name in _SPENT:
        pair = compare_runs(_by_task(without, name), _by_task(with_server, name))
        if pair is not None:
            found[name] = pair
    return found


def _by_task(measured: Measured, name: str) -> dict[str, float]:
    """The mean of what a task's attempts took, where it is known of all of them."""
    values: dict[str, list[float | None]] = {}
    for trial in measured.trials:
        values.setdefault(trial.task, []).append(getattr(trial, name))
    means: dict[str, float] = {}
    for task, each in values.items():
        known = [value for value in each if value is not None]
        if len(known) == len(each):
            means[task] = sum(known) / len(known)
    return means


def _calls(measured: Measured, trial: TrialRow, servers: Sequence[str], data: TrialData) -> list[ToolUse]:
    """The trial's calls of the servers, in order."""
    return [call for call in data.calls(measured.run, trial) or [] if call.server in servers]


def _misled(without: Measured, with_server: Measured, calls: Calls, metric: Metric) -> list[str]:
    before = task_means(without.run, metric.name)
    found: list[str] = []
    for trial in with_server.trials:
        value = trial.metrics.get(metric.name)
        if value is None or trial.task not in before or value >= before[trial.task]:
            continue
        brought = "\n".join(call.text for call in calls[trial.name])
        if any(len(stated) >= _SHORTEST and stated in brought for stated in stated_values(trial)):
            found.append(trial.name)
    return found


def _audit(with_server: Measured, calls: Calls, data: TrialData) -> _Resting:
    """Audit the answers of trials that called the server against their tasks' papers; what has none is left out."""
    found = _Resting()
    opened: dict[tuple[Path, ...], OpenedSources] = {}
    for trial in with_server.trials:
        papers = tuple(data.subject(with_server.run, trial).papers.values())
        if not papers or not calls[trial.name]:
            continue
        if papers not in opened:
            opened[papers] = open_all(papers, None)
        for audited in audit_path(data.folder(with_server.run, trial), opened[papers]):
            _take(trial.name, audited, calls[trial.name], found)
    return found


def _take(trial: str, audited: Audited, calls: Sequence[ToolUse], found: _Resting) -> None:
    """Count the claims whose words or value a result of the server showed."""
    shown = tuple(
        Showing(number, call.name, text_paper(readable(call.text)), name_form(call.text))
        for number, call in enumerate(calls, start=1)
        if call.text.strip()
    )
    sights = see(replace(audited.subject, shown=shown), audited.audit)
    for at, sight in sights.of.items() if sights is not None else ():
        if sight["seen_step"] is None:
            continue
        finding = audited.audit.findings[at]
        found.count += 1
        found.borne_out += finding.verdict in SUPPORTED
        if finding.verdict in ALTERED | INVENTED:
            said = finding.passage.text if finding.passage is not None else ""
            words = " ".join(finding.claim.words.split())
            found.wrong.append(RestingClaim(trial, sight["seen_step"], finding.verdict, words, said))
