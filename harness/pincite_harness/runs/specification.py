"""RunSpecification: what a run was asked to do, and the trials that follow from it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Agent
from pincite_harness.agents.registry import get_agent, servers_of
from pincite_harness.agents.roles import check_roles
from pincite_harness.runs.sampling import draw, draw_ids, tasks_where
from pincite_harness.runs.variants import on_open_web, with_targets
from pincite_harness.trial.plan import TrialPlan, chained, plan_trials
from pincite_harness.trial.server_models import ServerModels
from pincite_harness.trial.servers import SERVERS, change_servers, check_live_servers, check_servers
from pincite_harness.trial.shared_library import SharedLibrary
from pincite_models.choice import ModelChoice
from pincite_models.role_choice import check_role_key
from pincite_scoring.judging.choice import JudgeChoice
from pincite_scoring.scorer import check_extra, check_scorer
from pincite_tasks.catalog import Catalog, ad_hoc_task, bundled_folder, choose_tasks
from pincite_tasks.family import ALL_SETS, Family, load_family
from pincite_tasks.server_definition import ServerDefinition
from pincite_tasks.task import Task
from pincite_tasks.web import WebChoice

BUNDLED = "bundled"
SandboxChoice = Literal["auto", "docker", "local"]
Compat = Literal["strict", "reference"]
EngineName = Literal["local", "ray"]


class RunSpecification(BaseModel):
    """Everything that decides which trials there are and how they are scored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    families: dict[str, str] = Field(default_factory=dict)
    """Folder of each family by name; ``bundled`` for those that come with pincite."""
    harbor: str | None = None
    """Absolute path of a folder of Harbor tasks, which are run instead of families."""
    harbor_network: list[str] | None = None
    """Hosts that a Harbor task with a public network may reach; None: such tasks are refused."""
    tasks: list[str] | None = None
    """Only these task ids; None means all."""
    task_set: str | None = None
    """Only the tasks of this set, or ``all``; None means the standard set, or the sets of ``tasks``."""
    sample: int | None = Field(default=None, ge=1)
    """Only so many tasks of each family, chosen by ``seed``; None means all."""
    seed: int = 0
    where: list[tuple[str, str]] = Field(default_factory=list[tuple[str, str]])
    """Only tasks whose metadata have these values, by dotted key; the sample is drawn of them."""
    strata: list[str] = Field(default_factory=list)
    """Keys of metadata whose values' shares a sample keeps."""
    balanced: bool = False
    """Whether a sample with strata has equal shares of their values in place of those of all tasks."""
    open_web: bool = False
    """Whether trials reach what the families' ``[open_web]`` opens."""
    targets: list[str] = Field(default_factory=list)
    """Names of the properties that alone are asked for; empty means all."""
    papers: list[str] = Field(default_factory=list)
    """Absolute paths of a user's own papers: ad-hoc tasks without gold instead of the family's."""
    parameters: dict[str, str] = Field(default_factory=dict)
    """What ad-hoc tasks ask, by the prompt's placeholders; without papers there is one such task a family."""
    agent: str = "baseline"
    agent_options: dict[str, str] = Field(default_factory=dict)
    image: str = ""
    """A Docker image of the user's own that the agent runs in."""
    model: ModelChoice | None = None
    role_models: dict[str, ModelChoice] = Field(default_factory=dict[str, ModelChoice])
    """Models of the agent's roles that do not ask the main one."""
    server_models: ServerModels = Field(default_factory=ServerModels)
    """The models and settings of pincite's servers."""
    limits: dict[str, float] = Field(default_factory=dict)
    """Limits of a trial that replace the family's, by their names in family.toml."""
    sandbox: SandboxChoice = "auto"
    runtime: str = ""
    """Another OCI runtime of the Docker daemon."""
    unsafe: bool = False
    """Whether the agent may run as a plain process where no sandbox works."""
    concurrency: int = Field(default=1, ge=0)
    """How many trials run at once; 0: as many as the engine has room for."""
    engine: EngineName = "local"
    """Where trials run: in this process, or on a Ray cluster."""
    ray_address: str = ""
    """The cluster's address; empty: one that is started on this machine."""
    attempts: int = Field(default=1, ge=1)
    retries: int = Field(default=1, ge=0)
    """How often a trial that failed of an outage is tried again."""
    compat: Compat = "strict"
    judge: JudgeChoice | None = None
    """A model that decides what no rule computes; None: the rules alone."""
    web: WebChoice = Field(default_factory=WebChoice)
    more_servers: list[str | ServerDefinition] = Field(default_factory=list[str | ServerDefinition])
    """Servers beside the families' own: pincite's by name, others with how they are reached."""
    less: list[str] = Field(default_factory=list)
    """Servers, and tools as ``server.tool``, that the families' tasks go without."""

    library: str | None = None
    """Absolute path of an ingested library that every trial reads; None: each has an empty one of its own."""

    chains: int = Field(default=0, ge=0)
    """In how many chains each family's trials run, one after another in each; 0: trials hand nothing on."""
    chain_seed: int = 0
    """The order of a chain's tasks; 0: that of their ids."""

    def shared_library(self) -> SharedLibrary | None:
        """The library that all trials read; BadInputError or NotFoundError where there is none in its folder."""
        return SharedLibrary(Path(self.library)) if self.library is not None else None

    def family_folders(self) -> dict[str, Path]:
        """Where each family is, by name."""
        return {
            name: bundled_folder() / name if folder == BUNDLED else Path(folder)
            for name, folder in self.families.items()
        }

    def load_families(self) -> list[Family]:
        """The families, loaded and checked."""
        families = [self._limited(self.varied(load_family(folder))) for folder in self.family_folders().values()]
        more = [*self.more_servers, *servers_of(self.agent)]
        if more or self.less:
            changed = change_servers(families, more, self.less)
            pairs = zip(families, changed, strict=True)
            families = [replace(family, settings=settings) for family, settings in pairs]
        for family in families:
            check_servers(family, SERVERS)
            check_scorer(family.settings.scorer)
        if (library := self.shared_library()) is not None:
            library.check_readers({family.name: family.settings for family in families})
        return families

    def varied(self, family: Family) -> Family:
        """A family as this run asks it: on the open web, for some properties alone."""
        family = on_open_web(family) if self.open_web else family
        return with_targets(family, self.targets) if self.targets else family

    def plan(self, families: Sequence[Family]) -> list[TrialPlan]:
        """The trials in their order; BadInputError where agent and tasks do not fit, MissingExtraError where gold could
        not be scored."""
        agent = get_agent(self.agent, self.agent_options, self.model)
        agent = agent.in_image(self.image) if self.image else agent
        check_roles(agent, self.role_models, self.model)
        self.server_models.check()
        if self.harbor is not None:
            return self._plan_harbor(Path(self.harbor), agent)
        tasks = self._ad_hoc(families) if self.papers or self.parameters else self._chosen(families)
        _check_gold(agent, tasks)
        _check_scorers(agent, families)
        for scorer in sorted({family.settings.scorer for family, task in tasks if task.gold is not None}):
            check_extra(scorer)
        for model in self._asked_models():
            _check_price(model, families)
        for family, task in tasks:
            agent.prompt_for(family.fill_prompt(task), task.parameters)  # what it asks for must be there
            check_live_servers(family, task, self.web)
            if self.library is not None and task.withheld:
                raise BadInputError(
                    f"The task {task.task_id} withholds works, which a library may hold.",
                    seen=f"--library {self.library}",
                    next="Leave one of them out.",
                )
        plans = plan_trials(tasks, agent, self.attempts, self.model, self.role_models)
        if not self.chains:
            return plans
        if agent.needs_gold:
            raise BadInputError(
                f"The agent {agent.name} is given the gold: a chain would hand it on.", next="Leave --chain out."
            )
        return chained(plans, self.chains, self.chain_seed)

    def check_keys(self) -> None:
        """BadInputError where a provider is asked for the agent, one of its roles or a server, and there is no key for
        it; a replayed web has the answers of servers' models."""
        if self.model is not None:
            self.model.check_key()
        for role, model in self.role_models.items():
            check_role_key(role, model, self.model)
        if self.web.mode != "replay":
            self.server_models.check_keys()

    def _asked_models(self) -> list[ModelChoice]:
        """Every model that a trial may ask."""
        main = [self.model] if self.model is not None else []
        return [*main, *self.role_models.values(), *[one.model for one in self.server_models.models.values()]]

    def _plan_harbor(self, folder: Path, agent: Agent) -> list[TrialPlan]:
        from pincite_harness.harbor.family import as_family
        from pincite_harness.harbor.plan import HarborTrialPlan, plan_tasks
        from pincite_harness.harbor.task import load_tasks

        only = self.tasks
        if self.sample is not None:
            only = sorted(draw_ids([task.task_id for task in load_tasks(folder)], self.sample, self.seed))
        harbor = {one.task.task_id: one for one in plan_tasks(folder, only, agent, self.harbor_network)}
        families = [as_family(one.task, one.network, self.limits) for one in harbor.values()]
        for model in self._asked_models():
            _check_price(model, families)
        pairs = [(family, family.tasks[0]) for family in families]
        return [
            HarborTrialPlan(
                plan.name,
                plan.family,
                plan.task,
                agent,
                plan.attempt,
                plan.model,
                plan.role_models,
                harbor=harbor[plan.task.task_id],
            )
            for plan in plan_trials(pairs, agent, self.attempts, self.model, self.role_models)
        ]

    def _limited(self, family: Family) -> Family:
        limits = family.settings.limits
        settings = family.settings.model_copy(update={"limits": limits.changed(self.limits)})
        return replace(family, settings=settings) if self.limits else family

    def _chosen(self, families: Sequence[Family]) -> list[tuple[Family, Task]]:
        pairs = choose_tasks(families, self.tasks, self.task_set)
        chosen: list[tuple[Family, Task]] = []
        for family in families:
            own = tasks_where(family.name, [task for of, task in pairs if of is family], self.where)
            drawn = {task.task_id for task in own}
            if self.sample is not None:
                drawn = draw(own, self.sample, self.seed, self.strata, balanced=self.balanced)
            chosen += [(family, task) for task in own if task.task_id in drawn]
        return chosen

    def task_counts(self, families: Sequence[Family]) -> dict[str, int]:
        """How many tasks each family has in the set that is run, with the wanted metadata."""
        pairs = choose_tasks(families, None, self.task_set or (ALL_SETS if self.tasks is not None else None))
        counts: dict[str, int] = {}
        for family in families:
            own = [task for of, task in pairs if of is family]
            counts[family.name] = len(tasks_where(family.name, own, self.where))
        return counts

    def _ad_hoc(self, families: Sequence[Family]) -> list[tuple[Family, Task]]:
        papers = [Path(paper) for paper in self.papers] or [None]
        pairs: list[tuple[Family, Task]] = []
        for family in families:
            for number, paper in enumerate(papers, start=1):
                task = ad_hoc_task(family, paper, number if len(papers) > 1 else None, self.parameters)
                pairs.append((family, task))
        return pairs


def specify_families(names: Sequence[str], catalog: Catalog) -> dict[str, str]:
    """Where each named family is, as a specification keeps it: absolute, or ``bundled``."""
    found: dict[str, str] = {}
    for name in names:
        folder = catalog.folder(name).resolve()
        found[name] = BUNDLED if folder.parent == bundled_folder().resolve() else str(folder)
    return found


def _check_price(model: ModelChoice, families: Sequence[Family]) -> None:
    limited = [family.name for family in families if family.settings.limits.cost_usd is not None]
    if not limited:
        return
    from pincite_models.pricing import price_of

    if price_of(model) is None:
        raise BadInputError(
            f"The price of {model.name} is not known: a limit of its cost cannot be enforced.",
            seen=f"a limit of cost for {', '.join(limited)}",
            next="Limit tokens or model_calls instead.",
        )


def _check_gold(agent: Agent, tasks: Sequence[tuple[Family, Task]]) -> None:
    without = [task.task_id for _, task in tasks if task.gold is None]
    if agent.needs_gold and without:
        raise BadInputError(
            f"The agent {agent.name} answers the gold, and there is none for {', '.join(without)}.",
            next="Take another agent, or tasks with gold.",
        )


def _check_scorers(agent: Agent, families: Sequence[Family]) -> None:
    foreign = [family.name for family in families if agent.scorers and family.settings.scorer not in agent.scorers]
    if foreign:
        raise BadInputError(
            f"The agent {agent.name} cannot work on {', '.join(foreign)}.",
            seen=f"it answers for the scorer {', '.join(agent.scorers)} alone",
            next="Take another: --agent react --model PROVIDER:NAME, say.",
        )
