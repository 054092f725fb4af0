"""An audit beside its trajectory: claims in the ``extra`` of an ATIF file, and labels for Inspect Scout."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_harness.analyses.scout import transcript_id
from pincite_harness.audit.audited import Audited
from pincite_harness.audit.sight import Sights
from pincite_harness.runs.run_folder import RUN_FILE, RunFolder
from pincite_provenance.audit.finding import kinds_of
from pincite_provenance.audit.shown import claim_entry, summary_entry
from pincite_tasks.files import write_json
from pincite_trajectory.atif import Step, Trajectory

FIELD = "pincite_audit"
"""The name under which ``extra`` has the audit."""
LABELS = ("altered", "invented", "unsupported", "from_memory")
_TRIALS = "trials"


def to_atif(audited: Audited) -> Trajectory:
    """The trajectory with the figures in its own ``extra``, and each claim in that of the step that said it: of an
    answer's file the last step. BadInputError where what was audited has no trajectory."""
    trajectory, sights = _with_trajectory(audited)
    claims: dict[int, list[dict[str, object]]] = {}
    for at, finding in enumerate(audited.audit.findings):
        sight = sights.of.get(at) if sights is not None else None
        said = sight["claimed_step"] if sight is not None else None
        entry: dict[str, object] = {**claim_entry(finding, audited.audit.report)}
        if sight is not None:
            entry["sight"] = sight
        claims.setdefault(said or trajectory.steps[-1].step_id, []).append(entry)
    steps = [_marked(step, claims.get(step.step_id, [])) for step in trajectory.steps]
    extra = {**(trajectory.extra or {}), FIELD: {"summary": summary_entry(audited.audit.findings)}}
    return trajectory.model_copy(update={"steps": steps, "extra": extra})


def write_atif(audits: Sequence[Audited], folder: Path) -> list[Path]:
    """Write one ``NAME.atif.json`` for each trajectory into ``folder``; media stay where they are."""
    written: list[Path] = []
    for audited in audits:
        name = audited.subject.name.replace("/", "__").removesuffix(".json").removesuffix(".jsonl")
        written.append(folder / f"{name}.atif.json")
        write_json(written[-1], to_atif(audited).model_dump(mode="json", exclude_none=True))
    return written


def to_labels(audits: Sequence[Audited]) -> str:
    """A validation set of Inspect Scout as CSV: for each trajectory whether it has altered, invented or unsupported
    claims, and claims from memory. ``id`` is that of the transcript that ``pincite trajectory query --parquet`` writes;
    of a trajectory outside of a run, its own id, else its file's name."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", *(f"label_{name}" for name in LABELS)])
    for audited in audits:
        trajectory, sights = _with_trajectory(audited)
        kinds = kinds_of(audited.audit.findings)
        memory = sights is not None and sights.before_sight.count > 0
        values = [name in kinds for name in LABELS[:-1]] + [memory]
        rows.writerow([_id(audited, trajectory), *(str(value).lower() for value in values)])
    return out.getvalue()


def _with_trajectory(audited: Audited) -> tuple[Trajectory, Sights | None]:
    trajectory = audited.subject.trajectory
    if trajectory is None:
        raise BadInputError(
            f"{audited.subject.name} is not a trajectory.", next="Name an ATIF file, a session, a trial or a run."
        )
    return trajectory, audited.sights


def _marked(step: Step, claims: list[dict[str, object]]) -> Step:
    if not claims:
        return step
    return step.model_copy(update={"extra": {**(step.extra or {}), FIELD: {"claims": claims}}})


def _id(audited: Audited, trajectory: Trajectory) -> str:
    path = audited.subject.path if audited.subject.path.is_dir() else audited.subject.path.parent
    if path.parent.name == _TRIALS:
        run = RunFolder(path.parent.parent)
        if (run.path / RUN_FILE).is_file():
            document = run.read()
            return transcript_id(document.created_at, document.name, path.name)
    return trajectory.trajectory_id or trajectory.session_id or audited.subject.name
