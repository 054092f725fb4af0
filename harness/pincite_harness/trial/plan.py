"""TrialPlan: which agent runs on which task, and under what name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite_harness.agents.agent import Agent
from pincite_models.choice import ModelChoice
from pincite_tasks.family import Family
from pincite_tasks.files import digest_json
from pincite_tasks.task import Task


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """One trial to run; ``name`` is its folder's name and the same for the same specification."""

    name: str
    family: Family
    task: Task
    agent: Agent
    attempt: int
    model: ModelChoice | None = None
    """What the agent thinks with, where it does."""
    role_models: Mapping[str, ModelChoice] = field(default_factory=dict[str, ModelChoice])
    """What roles of it think with instead."""
    chain: str = ""
    """The chain of trials that it belongs to; what the one before left in ``carry/`` is passed on. Empty for none."""
    place: int = 0
    """Its place in the chain, from 1."""

    @property
    def prompt(self) -> str:
        """What the agent is asked; BadInputError where its own prompt does not fit the task."""
        return self.agent.prompt_for(self.family.fill_prompt(self.task), self.task.parameters)


def chained(plans: Sequence[TrialPlan], chains: int, seed: int = 0) -> list[TrialPlan]:
    """The plans in so many chains for each family and attempt, its tasks dealt out in the order of their ids, or in
    one drawn by ``seed`` where it is not 0. They come in the order of their places: a run that is cut short has the
    beginnings of all chains."""
    groups: dict[tuple[str, int], list[TrialPlan]] = {}
    for plan in plans:
        groups.setdefault((plan.family.name, plan.attempt), []).append(plan)
    found: list[TrialPlan] = []
    for (family, attempt), group in groups.items():
        ids = {plan.name: digest_json([seed, plan.task.task_id]) if seed else plan.task.task_id for plan in group}
        for number, plan in enumerate(sorted(group, key=lambda plan: ids[plan.name])):
            name = f"{family}__{attempt}.{number % chains + 1}"
            found.append(replace(plan, chain=name, place=number // chains + 1))
    return sorted(found, key=lambda plan: plan.place)


def plan_trials(
    tasks: Sequence[tuple[Family, Task]],
    agent: Agent,
    attempts: int,
    model: ModelChoice | None = None,
    role_models: Mapping[str, ModelChoice] | None = None,
) -> list[TrialPlan]:
    """Every task's first attempt, then every second one: a run that is cut short has seen every task.

    A trial is called ``<task>__<attempt>``, with the family before it where two families share a task id.
    """
    ids = [task.task_id for _, task in tasks]
    shared = {task_id for task_id in ids if ids.count(task_id) > 1}
    plans: list[TrialPlan] = []
    for attempt in range(1, attempts + 1):
        for family, task in tasks:
            prefix = f"{family.name}." if task.task_id in shared else ""
            name = f"{prefix}{task.task_id}__{attempt}"
            plans.append(TrialPlan(name, family, task, agent, attempt, model, role_models or {}))
    return plans
