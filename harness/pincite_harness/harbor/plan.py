"""HarborPlan: what a trial's plan says of a Harbor task, and the plan of its trial."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pincite_core.errors import NotFoundError
from pincite_harness.agents.agent import Agent
from pincite_harness.harbor.support import Network, PublicNetwork, check_tasks, network_of
from pincite_harness.harbor.task import HarborTask, load_tasks
from pincite_harness.trial.plan import TrialPlan


@dataclass(frozen=True, slots=True)
class HarborPlan:
    """The task, and the hosts that its phases may reach."""

    task: HarborTask
    network: Network


@dataclass(frozen=True, slots=True)
class HarborTrialPlan(TrialPlan):
    """A trial of a Harbor task, with the task's own image and tests."""

    harbor: HarborPlan = field(kw_only=True)


def plan_tasks(folder: Path, only: Sequence[str] | None, agent: Agent, public: PublicNetwork) -> list[HarborPlan]:
    """The chosen tasks of a folder, all checked; NotFoundError for an id that is not there, BadInputError for what
    cannot be run here."""
    tasks = load_tasks(folder)
    known = {task.task_id for task in tasks}
    if unknown := [task_id for task_id in only or () if task_id not in known]:
        raise NotFoundError(
            f"There is no task {', '.join(unknown)}.", seen=", ".join(sorted(known)), next="Name one of these."
        )
    chosen = [task for task in tasks if only is None or task.task_id in only]
    check_tasks(chosen, agent, public)
    return [HarborPlan(task, network_of(task, public)) for task in chosen]
