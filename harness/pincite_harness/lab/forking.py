"""Forking: a recorded trial again up to a step, with one thing changed there, and all after it live."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.json_fields import mapping
from pincite_doors.models.playback import Playback
from pincite_harness.lab.evidence import Content
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_models.choice import ModelChoice
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TRIAL_FILE, TrialRecord, parse_record
from pincite_trajectory.atif import Step
from pincite_trajectory.build import MODEL_WIRE, TOOL_WIRE
from pincite_trajectory.validate import validate_trajectory
from pincite_trajectory.wire import read_records

CONTROL = "control"


@dataclass(frozen=True, slots=True)
class Intervention:
    """What is changed: ``content`` in place of the result of a call, or ``model`` from the step on, for the requests of
    one ``role`` where it names one; neither: nothing is, which says what chance alone does."""

    name: str
    content: Sequence[Content] | None = None
    model: ModelChoice | None = None
    role: str = ""

    def changed(self, before: RunSpecification) -> dict[str, Any]:
        """The models of a run's specification that it changes, by field."""
        if self.model is None:
            return {}
        if self.role:
            return {"role_models": {**before.role_models, self.role: self.model}}
        return {"model": self.model}


class ForkedTrial:
    """A recorded trial and the step at which it is forked. NotFoundError for a step, a call or a file that is missing,
    BadInputError for a trial that cannot be forked."""

    def __init__(self, folder: Path, at: int) -> None:
        if not (folder / TRIAL_FILE).is_file():
            raise NotFoundError(f"{folder} is not a trial's folder.", next="Name RUN/trials/TRIAL.")
        self.folder = folder
        self.record: TrialRecord = parse_record(read_json(folder / TRIAL_FILE), str(folder))
        self.document: RunDocument = RunFolder(folder.resolve().parent.parent).read()
        if self.document.specification.harbor is not None or self.record.chain:
            raise BadInputError("Harbor tasks and trials of a chain are not forked.", seen=str(folder))
        self._llm = list(read_records(folder / MODEL_WIRE))
        self._mcp = list(read_records(folder / TOOL_WIRE))
        steps = validate_trajectory(folder / "trajectory.json").steps
        place = next((n for n, step in enumerate(steps) if step.step_id == at and step.source == "agent"), None)
        if place is None or steps[place].timestamp is None:
            agents = [str(step.step_id) for step in steps if step.source == "agent" and step.timestamp]
            raise NotFoundError(f"The trial has no step {at} of its agent.", seen=f"steps {', '.join(agents)}")
        self.step: Step = steps[place]
        later = [step.timestamp for step in steps[place + 1 :] if step.source == "agent" and step.timestamp]
        self._begins = str(self.step.timestamp)
        self._ends = str(later[0]) if later else ""

    def playback(self, change: Intervention, call: int) -> Playback:
        """The recorded world of a fork: up to the step where another model takes over, else with the step's own reply
        and results, of which that of its ``call``-th call (from 1) is replaced."""
        if change.model is not None:
            return Playback.of(self._llm, self._mcp, self._begins)
        replaced = {self._number_of(call): change.content} if change.content is not None else {}
        return Playback.of(self._llm, self._mcp, self._ends, replaced)

    def _number_of(self, call: int) -> int:
        """The number in the wire of a call of the step that passed the tool door."""
        made = [one for one in self.step.tool_calls or [] if mapping(one.extra).get("server")]
        if not 1 <= call <= len(made):
            raise NotFoundError(
                f"Step {self.step.step_id} has no call {call} that passed the tool door.", seen=f"{len(made)} calls"
            )
        wanted = made[call - 1]
        said = mapping(wanted.extra)
        for line in self._mcp:
            params = mapping(line.get("params"))
            is_call = line.get("kind") == "request" and line.get("method") == "tools/call"
            same = (line.get("server"), params.get("name")) == (said.get("server"), said.get("tool"))
            if is_call and same and str(line["at"]) >= self._begins and params.get("arguments") == wanted.arguments:
                return int(line["seq"])
        raise NotFoundError("The wire has no such call.", seen=f"{said.get('server')}.{said.get('tool')}")


def repairing(names: Sequence[str], means: Sequence[float | None], top: float, recorded: float | None) -> str:
    """What the forks say of the failure's cause, in words; ``names`` and ``means`` (of the first metric) in order, the
    control first."""
    full = [mean is not None and mean >= top * (1 - 1e-9) for mean in means]
    if recorded is not None and recorded >= top * (1 - 1e-9):
        broken = [name for name, good in zip(names[1:], full[1:], strict=True) if not good]
        if not full[0]:
            return "The recorded trial was right and the control is not: chance alone changes the outcome here."
        return f"The answer rests on what was changed: {', '.join(broken)}." if broken else "No change breaks it."
    if full[0]:
        return "The control is right too: the failure was chance, or depends on what comes after the step."
    for name, good in zip(names[1:], full[1:], strict=True):
        if good:
            return f"The first change that repairs the failure: {name}."
    return "No change repairs the failure."
