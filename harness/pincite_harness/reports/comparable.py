"""What two runs do not have in common besides the agent, so that a difference may not be the agents'."""

from collections.abc import Callable, Iterator, Sequence

from pincite_harness.reports.loading import TrialRow
from pincite_harness.reports.measured import Measured
from pincite_harness.runs.run_folder import RunDocument
from pincite_scoring.result import Score

_MOST_NAMED = 5
"""Names that a sentence gives; of the rest the number is said."""


def differences(first: Measured, second: Measured) -> Iterator[str]:
    """A sentence for each: other definitions, judge, tasks, prompt or web, and metrics that one run alone has."""
    for what, value in _OF_TRIALS:
        mine, theirs = _said(first, value), _said(second, value)
        if mine and theirs and mine != theirs:
            yield f"{what}: {mine} in the first run, {theirs} in the second."
    yield from _servers(first, second)
    yield from _files(first, second)
    for metric in first.shown.headline:
        if (metric.name in first.estimates) != (metric.name in second.estimates):
            which = "first" if metric.name in first.estimates else "second"
            yield f"{metric.title}: measured in the {which} run alone."


def _said(measured: Measured, value: Callable[[TrialRow], str]) -> str:
    return ", ".join(sorted({said for trial in measured.trials if (said := value(trial))}))


def _of_score(value: Callable[[Score], str]) -> Callable[[TrialRow], str]:
    return lambda trial: value(trial.score) if trial.score is not None and trial.scored else ""


def _web(trial: TrialRow) -> str:
    if trial.record is None:
        return ""
    return trial.record.web + (f" before {trial.record.before}" if trial.record.before is not None else "")


_OF_TRIALS: Sequence[tuple[str, Callable[[TrialRow], str]]] = (
    ("Definitions", _of_score(lambda score: score.compat)),
    ("Scorer", _of_score(lambda score: f"{score.scorer} {score.scorer_version}")),
    ("Decided by", _of_score(lambda score: score.matcher)),
    ("Web", _web),
)


def _servers(first: Measured, second: Measured) -> Iterator[str]:
    """Servers and tools that one run alone had or went without, and the library that trials shared."""
    mine, theirs = first.run.document, second.run.document
    for title, said in (("Servers added", _added), ("Servers and tools left out", _left_out)):
        if said(mine) != said(theirs):
            yield f"{title}: {said(mine)} in the first run, {said(theirs)} in the second."
    digests = (mine.lock.digests.get("library"), theirs.lock.digests.get("library"))
    if digests[0] != digests[1]:
        named = [document.specification.library or "one a trial" for document in (mine, theirs)]
        yield f"Library: {named[0]} in the first run, {named[1]} in the second, and they differ."


def _added(document: RunDocument) -> str:
    more = document.specification.more_servers
    return ", ".join(sorted(each if isinstance(each, str) else each.name for each in more)) or "none"


def _left_out(document: RunDocument) -> str:
    return ", ".join(sorted(document.specification.less)) or "none"


def _files(first: Measured, second: Measured) -> Iterator[str]:
    """Tasks that both runs have and the family's own files, by the digests of the locks."""
    mine, theirs = first.run.document.lock.digests, second.run.document.lock.digests
    changed = [name for name in mine if name in theirs and mine[name] != theirs[name]]
    kinds = {"task": "Tasks", "paper": "Papers", "file": "Files", "corpus": "Corpora", "family": "Files of the family"}
    for kind, title in kinds.items():
        names = [name.split("/", 2)[2] for name in changed if name.startswith(f"{kind}/{first.family}/")]
        if names:
            more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            yield f"{title} that changed between the runs: {', '.join(names[:_MOST_NAMED])}{more}."
