"""Preparation: what a machine needs before it runs trials: images, installed programs, a sandbox that works."""

import asyncio
from collections.abc import Callable, Sequence

from pincite_core.settings import load_settings
from pincite_harness.agents.host import PYTHON
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.plan import TrialPlan
from pincite_sandbox.choose import SandboxKind, choose_kind, docker_refused
from pincite_sandbox.images import AGENTS_PYTHON


def prepare_agent(specification: RunSpecification, plans: Sequence[TrialPlan], say: Callable[[str], None]) -> None:
    """Look at the image that the run names, and install what its agent needs, before any trial; what is there already
    is taken. UnavailableError or BadInputError where that cannot be."""
    agent = plans[0].agent
    if specification.image:
        object.__setattr__(agent, "image_id", _check_image(agent.docker_image))
    docker = specification.sandbox == "docker" or specification.harbor is not None
    if specification.sandbox == "auto" and not docker:
        docker = not asyncio.run(docker_refused(agent.docker_image))
    agent.prepare(docker, say)
    if any("workbench" in plan.family.settings.own_servers for plan in plans):
        _prepare_workbench(specification.sandbox, say)
    if specification.image and agent.programs:
        _check_image(agent.docker_image, [AGENTS_PYTHON if name == PYTHON else name for name in agent.programs])


def _prepare_workbench(sandbox: SandboxKind, say: Callable[[str], None]) -> None:
    """Install what its programs may import, before a trial waits for it."""
    from pincite_sandbox.science import prepare_science

    kind, _ = asyncio.run(choose_kind("auto" if sandbox == "process" else sandbox))
    say("installing the workbench's packages, unless they were before")
    prepare_science(kind, load_settings().cache_dir, say)


def _check_image(name: str, commands: Sequence[str] = ()) -> str:
    # The SDK takes a third of a second to import: only who names an image pays.
    from pincite_sandbox.images.layer import check_image

    return check_image(name, commands)


def check_sandbox(specification: RunSpecification, plans: Sequence[TrialPlan]) -> None:
    """UnavailableError, before any trial, when nothing on this machine isolates an agent that must be isolated."""
    if specification.harbor is not None:
        from pincite_harness.harbor.images import check_docker

        check_docker(with_agents=plans[0].agent.image == "agents")
        return
    for agent in {plan.agent.name: plan.agent for plan in plans}.values():
        if not (specification.unsafe or agent.trusted):
            asyncio.run(choose_kind(specification.sandbox, agent.docker_image))
