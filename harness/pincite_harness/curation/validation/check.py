"""The checks of one task family, each of which says what is wrong and where."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pincite_core.errors import PinciteError
from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_harness.curation.validation.leaks import find_leaks
from pincite_harness.trial.servers import SERVERS, check_servers
from pincite_sandbox.gold import is_gold
from pincite_scoring import ScoringOptions
from pincite_scoring.scorer import get_scorer, scorer_names
from pincite_tasks.answer import check_answer
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.corpus.check import check_corpus
from pincite_tasks.family import Family
from pincite_tasks.task import SHARED, Task

_FULL = 0.999
"""What counts as full marks: METEOR is a little below 1 for equal texts, by its penalty of fragments."""


@dataclass(slots=True)
class Findings:
    """Faults, which must be corrected, and notes on what may be meant so."""

    faults: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])


def check_family(family: Family) -> Findings:
    """Everything wrong with a family that could be loaded.

    Its servers, licences, corpora and stray papers; of every task with gold: that the gold is true to its papers, that
    the answer it stands for fits the schema and has full marks, that an empty answer has none, and that no gold stands
    in what the agent is shown beside the papers.
    """
    findings = Findings()
    findings.faults += [*_servers(family), *_corpora(family), *_hidden(family), *_empty_answers(family)]
    licences = list(_licences(family))
    bundled = family.folder.resolve().parent == bundled_folder().resolve()
    (findings.faults if bundled else findings.notes).extend(licences)
    findings.notes += [*_strays(family), *_unnamed_answer(family)]
    if family.settings.scorer not in scorer_names():
        known = ", ".join(scorer_names())
        findings.faults.append(f"family.toml: there is no scorer {family.settings.scorer!r}; there are {known}")
        return findings
    with GoldCheck(family, [family.folder, family.folder.parent / SHARED]) as gold_check:
        for task in family.tasks:
            if task.gold is not None:
                findings.faults += _gold(family, task, gold_check)
    findings.notes += gold_check.notes
    return findings


def shared_ids(families: Mapping[str, Family]) -> list[str]:
    """Task ids that two families have: a run of both could not tell their trials apart by the id."""
    owners: dict[str, list[str]] = {}
    for name, family in families.items():
        for task in family.tasks:
            owners.setdefault(task.task_id, []).append(name)
    return [f"the task id {task_id!r} is in {' and in '.join(names)}" for task_id, names in owners.items() if names[1:]]


def _servers(family: Family) -> Iterator[str]:
    try:
        check_servers(family, SERVERS)
    except PinciteError as error:
        yield f"family.toml: {error.short()}"


def _licences(family: Family) -> Iterator[str]:
    if family.settings.licence:
        return
    without = [task.task_id for task in family.tasks if not task.metadata.get("licence")]
    if without:
        yield f"no licence is stated, neither in family.toml nor for {', '.join(without[:5])}"


def _corpora(family: Family) -> Iterator[str]:
    corpora = {task.corpus for task in family.tasks if task.corpus is not None}
    for corpus in sorted(corpora):
        yield from check_corpus(corpus)


def _hidden(family: Family) -> Iterator[str]:
    """Files for the agent that are gold by their name."""
    for task in family.tasks:
        for path in (*task.papers, *task.files):
            if is_gold(path.name, ()):
                yield f"{task.task_id}: {path.name} is a name of gold, which no sandbox may show"


def _strays(family: Family) -> Iterator[str]:
    named = {path.resolve() for task in family.tasks for path in (*task.papers, *task.files)}
    for kind in ("papers", "files"):
        there = (path for path in (family.folder / kind).rglob("*") if path.is_file())
        strays = sorted(path.relative_to(family.folder).as_posix() for path in there if path.resolve() not in named)
        yield from (f"no task names {path}" for path in strays)


def _unnamed_answer(family: Family) -> Iterator[str]:
    if family.settings.answer not in family.prompt:
        yield f"prompt.md does not name {family.settings.answer}, which the agent must leave"


def _empty_answers(family: Family) -> Iterator[str]:
    """Where the answer that says nothing breaks a task's schema."""
    nothing = family.settings.nothing
    if nothing is None:
        return
    for task in family.tasks:
        answer = check_answer(nothing.encode(), family.answer_schema(task), family.settings.answer)
        if answer.fault is not None:
            yield f"{task.task_id}: the empty answer of family.toml: {answer.fault}"
            return


def _gold(family: Family, task: Task, gold_check: GoldCheck) -> list[str]:
    try:
        gold_check.check(task)
    except PinciteError as error:
        return [f"{task.task_id}: {error.short()}"]
    ideal = get_scorer(family.settings.scorer).ideal(task.gold)
    leaks = [f"{task.task_id}: {leak}" for leak in find_leaks(family, task, ideal)]
    return leaks + [f"{task.task_id}: {fault}" for fault in _marks(family, task, ideal, gold_check)]


def _marks(family: Family, task: Task, ideal: Any, gold_check: GoldCheck) -> Iterator[str]:
    """Where the ideal answer has not full marks, or no answer has some: by the metric that tells most, if a rule can
    compute it."""
    scorer = get_scorer(family.settings.scorer)
    metric = scorer.headline[0].name
    options = ScoringOptions()
    best = scorer.score(gold_check.case(task, ideal), options).metrics.get(metric)
    worst = scorer.score(gold_check.case(task), options).metrics.get(metric)
    if best is not None and best < _FULL:
        yield f"the gold's own answer has {metric} {best:.3f}"
    if worst is not None and worst > 0 and not _is_empty(family, task, ideal):
        yield f"no answer has {metric} {worst:.3f}"


def _is_empty(family: Family, task: Task, ideal: Any) -> bool:
    """Whether saying nothing is right for the task."""
    nothing = family.settings.nothing
    if nothing is None:
        return False
    return check_answer(nothing.encode(), family.answer_schema(task), family.settings.answer).value == ideal
