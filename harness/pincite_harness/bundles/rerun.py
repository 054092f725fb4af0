"""Rerun: the answers of a bundle scored again, and its tool calls made again, by this machine's pincite."""

import shutil
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console

from pincite_core.errors import PinciteError
from pincite_core.servers import SERVERS as OWN_SERVERS
from pincite_harness.agents.recording import TRAJECTORY_FILE, read_recording
from pincite_harness.bundles.checks import Outcome, Verification
from pincite_harness.bundles.contents import FAMILIES, RUN, WEB, BundleDocument
from pincite_harness.bundles.gold import OpenedGold
from pincite_harness.runs.execution import execute
from pincite_harness.runs.lock import lock_run
from pincite_harness.runs.rescore import rescore
from pincite_harness.runs.run_folder import RUN_FILE, RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.marking import SCORE_FILE
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.stages import now
from pincite_tasks.catalog import Catalog
from pincite_tasks.files import write_json
from pincite_tasks.plural import plural
from pincite_tasks.trial_record import TRIAL_FILE, TrialRecord
from pincite_tasks.web import WebChoice

_FAR = 1e-9
"""Differences of metrics below this are those of floats on other machines."""
_SHOWN = 10
"""Calls that differ which are named; a count says how many more there are."""


@dataclass(frozen=True, slots=True)
class Source:
    """The run's trials as this machine has their tasks; ``why`` says why it has not."""

    specification: RunSpecification | None
    plans: tuple[TrialPlan, ...]
    why: str
    version: str


def source_of(folder: Path, document: RunDocument, tasks: Path | None) -> Source:
    """Find the families of a run: in ``tasks``, in the bundle, or those that come with pincite."""
    mine = version("pincite")
    specification = document.specification
    if specification.harbor is not None or specification.papers or specification.parameters:
        return Source(None, (), "the run's tasks are not of a family", mine)
    try:
        families = {name: _family(name, place, folder, tasks) for name, place in specification.families.items()}
        here: dict[str, Any] = {"families": families, "library": None, "judge": None, "agent_options": {}}
        here |= {"agent": "nop", "model": None, "role_models": {}, "image": "", "chains": 0}
        here |= {"engine": "local"}
        changed = specification.model_copy(update=here)
        wanted = set(document.trials)
        plans = tuple(plan for plan in changed.plan(changed.load_families()) if plan.name in wanted)
    except PinciteError as error:
        return Source(None, (), " ".join(str(error).split()), mine)
    return Source(changed, plans, "", mine)


def _family(name: str, place: str, folder: Path, tasks: Path | None) -> str:
    if tasks is not None:
        return str(Catalog(tasks).folder(name).resolve())
    packed = folder / FAMILIES / name
    return str(packed) if packed.is_dir() else place


def check_sources(source: Source, document: RunDocument, found: Verification) -> None:
    """Whether tasks, prompts, papers and files are those of the run, by the digests of its lock."""
    if source.specification is None:
        found.add("tasks and papers", Outcome.UNKNOWN, source.why)
        return
    kinds = ("family/", "task/", "paper/", "file/", "corpus/")
    here = {name: digest for name, digest in lock_run(source.plans).digests.items() if name.startswith(kinds)}
    stated = {name: digest for name, digest in document.lock.digests.items() if name.startswith(kinds)}
    wrong = [name for name in sorted(stated) if here.get(name) != stated[name]]
    if wrong and source.version != document.lock.versions.get("pincite"):
        found.add("tasks and papers", Outcome.UNKNOWN, "another version of pincite is here", tuple(wrong))
        return
    found.judge("tasks and papers", wrong, f"{plural(len(stated), 'digest')} equal", "they are not those of the run")


def check_gold(source: Source, bundle: BundleDocument, gold: Mapping[str, OpenedGold], found: Verification) -> None:
    """Whether the gold that this machine scores by is the gold that was committed to."""
    here = {f"{plan.family.name}/{plan.task.task_id}": plan.task.gold for plan in source.plans}
    known = [name for name in sorted(bundle.commitments) if name in gold and name in here]
    if not known:
        return
    wrong = [name for name in known if here[name] != gold[name].gold]
    found.judge("gold at hand", wrong, f"{plural(len(known), 'task')} equal", "this machine scores by other gold")


def check_scores(
    run: RunFolder, bundle: BundleDocument, document: RunDocument, source: Source, found: Verification
) -> None:
    """Score each answer again and compare the metrics."""
    if document.specification.judge is not None:
        judge = document.specification.judge
        found.add("scores", Outcome.UNKNOWN, f"the model {judge.model.name} judged: it would be asked again")
        return
    if source.specification is None or not bundle.commitments:
        found.add("scores", Outcome.UNKNOWN, source.why or "the run's tasks have no gold")
        return
    stated = {name: _metrics(run.trial(name)) for name in bundle.chain.trials}
    with _copy(run, document, source.specification) as copy:
        try:
            done = rescore(copy)
        except PinciteError as error:
            found.add("scores", Outcome.UNKNOWN, " ".join(str(error).split()))
            return
        again = {name: _metrics(copy.trial(name)) for name in bundle.chain.trials}
    wrong = [name for name, metrics in stated.items() if not _alike(metrics, again[name])]
    found.judge(
        "scores", wrong, f"{plural(done.scored, 'answer')} scored again, the same metrics", "scores are not reproduced"
    )


def _metrics(trial: Path) -> dict[str, Any]:
    path = trial / SCORE_FILE
    return (orjson.loads(path.read_bytes()).get("metrics") or {}) if path.is_file() else {}


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if set(one) != set(other):
        return False
    return all(_close(one[name], other[name]) for name in one)


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= _FAR
    return one == other


@contextmanager
def _copy(run: RunFolder, document: RunDocument, specification: RunSpecification) -> Generator[RunFolder]:
    """A copy of the run whose tasks are those of this machine."""
    with tempfile.TemporaryDirectory(prefix="pincite-verify-") as place:
        copy = RunFolder(Path(place) / "run")
        shutil.copytree(run.path, copy.path)
        changed = document.model_copy(update={"specification": specification})
        write_json(copy.path / RUN_FILE, changed.model_dump(mode="json"))
        yield copy


def check_tools(
    folder: Path, bundle: BundleDocument, document: RunDocument, source: Source, found: Verification
) -> None:
    """Make the recorded tool calls again, on the recorded web where the bundle has it, and compare the results."""
    name = "tool calls"
    if source.specification is None:
        found.add(name, Outcome.UNKNOWN, source.why)
        return
    recorded = (folder / WEB).is_dir()
    try:
        reports = list(_replayed(folder, document, source.specification, recorded=recorded))
    except PinciteError as error:
        found.add(name, Outcome.UNKNOWN, " ".join(str(error).split()))
        return
    calls = [(trial, call) for trial, report in reports for call in report["results"]]
    differ = [(trial, call) for trial, call in calls if call["status"] == "different"]
    offline = [(trial, call) for trial, call in differ if recorded or not _reaches_web(call["tool"])]
    same = sum(call["status"] == "same" for _, call in calls)
    left = len(calls) - same - len(offline)
    detail = f"{same} of {len(calls)} made again with the same result"
    if left:
        detail += f"; {left} could not be compared (the live web, or tools that are not here)"
    places = [f"{trial}: call {call['number']}, {call['tool']}" for trial, call in offline[:_SHOWN]]
    if offline[_SHOWN:]:
        places.append(f"and {len(offline) - _SHOWN} more")
    if not calls:
        found.add(name, Outcome.UNKNOWN, "no tool was called")
    elif not same and not offline:
        found.add(name, Outcome.UNKNOWN, detail)
    elif offline and source.version != document.lock.versions.get("pincite"):
        found.add(name, Outcome.UNKNOWN, f"{detail}; another version of pincite is here", tuple(places))
    else:
        found.judge(name, places, detail, f"{detail}; others gave something else")


def _reaches_web(tool: str) -> bool:
    server = tool.partition(".")[0]
    return server not in OWN_SERVERS or server in _ON_THE_WEB


_ON_THE_WEB = frozenset(("literature", "databases", "search", "provenance"))
"""Servers of pincite whose results may come from the web."""


def _replayed(
    folder: Path, document: RunDocument, specification: RunSpecification, *, recorded: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Play each trial's recording by the agent ``replay``, attempt by attempt; the reports by the names of the
    trials."""
    attempts: dict[int, dict[str, str]] = {}
    for name in document.trials:
        trial = folder / RUN / "trials" / name
        if _has_calls(trial):
            record = TrialRecord.model_validate_json((trial / TRIAL_FILE).read_bytes())
            attempts.setdefault(record.attempt, {})[f"{record.family}/{record.task_id}"] = name
    for names in attempts.values():
        with tempfile.TemporaryDirectory(prefix="pincite-verify-") as place:
            web = Path(place) / "web"
            if recorded:
                shutil.copytree(folder / WEB, web)
            else:
                web.mkdir()
            for name in names.values():
                shutil.copytree(folder / RUN / "trials" / name, Path(place) / "recorded" / "trials" / name)
            yield from _played(Path(place), document, specification, names)


def _has_calls(trial: Path) -> bool:
    """Whether a trial's trajectory has a tool call that can be made again."""
    try:
        read_recording(trial / TRAJECTORY_FILE)
    except PinciteError:
        return False
    return True


def _played(
    place: Path, document: RunDocument, specification: RunSpecification, names: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run the recordings in ``place``; ``names`` are those of the trials by ``family/task``."""
    here: dict[str, Any] = {
        "agent": f"replay:{place / 'recorded'}",
        "web": WebChoice(mode="replay", store=str(place / "web"), before=document.specification.web.before),
        "sandbox": "auto",
        "unsafe": True,
        "engine": "local",
        "runtime": "",
        "attempts": 1,
    }
    changed = specification.model_copy(update=here)
    every = changed.plan(changed.load_families())
    plans = [plan for plan in every if f"{plan.family.name}/{plan.task.task_id}" in names]
    again = RunFolder(place / "again")
    made = RunDocument(
        name="again",
        created_at=now(),
        specification=changed,
        lock=lock_run(plans, changed.web),
        trials=[plan.name for plan in plans],
    )
    again.create(made)
    with (place / "console.log").open("w", encoding="utf-8") as log:
        execute(again, made, plans, Console(file=log))
    for plan in plans:
        for path in sorted(again.trial(plan.name).rglob("report.json")):
            yield names[f"{plan.family.name}/{plan.task.task_id}"], orjson.loads(path.read_bytes())
