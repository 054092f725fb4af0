"""Open the engine that a run names, with the machines prepared that its trials run on."""

import os
from collections.abc import Callable, Sequence

from pincite_core.errors import BadInputError, UnavailableError
from pincite_harness.runs.engine import Engine
from pincite_harness.runs.preparation import check_sandbox, prepare_agent
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.plan import TrialPlan


def open_engine(
    specification: RunSpecification, plans: Sequence[TrialPlan], say: Callable[[str], None]
) -> Engine | None:
    """The engine for ``execute``, None for this process. Before any trial: UnavailableError where nothing isolates the
    agent, an image cannot be used or there is no cluster, MissingExtraError without Ray, BadInputError for what the
    engine cannot run."""
    if specification.engine == "ray":
        return _open_cluster(specification, plans, say)
    prepare_agent(specification, plans, say)
    check_sandbox(specification, plans)
    return None


def _open_cluster(specification: RunSpecification, plans: Sequence[TrialPlan], say: Callable[[str], None]) -> Engine:
    from pincite_core.cluster.connection import connect, disconnect

    if specification.harbor is not None:
        raise BadInputError("Harbor tasks run on one machine.", seen="--engine ray", next="--engine local")
    say("connecting to Ray" if specification.ray_address else "starting Ray on this machine")
    connect(specification.ray_address, specification.concurrency or os.cpu_count() or 1)
    from pincite_core.cluster.untyped import RayError
    from pincite_harness.runs.cluster.engine import RayEngine

    try:
        engine = RayEngine.of(specification, plans, say)
        say(f"preparing the cluster: {engine.slots} trial slots")
        engine.prepare(plans)
    except RayError as error:
        disconnect()
        raise UnavailableError(
            "The Ray cluster does not take the run.", seen=str(error)[:300], next="ray status says how it is."
        ) from error
    except BaseException:
        disconnect()
        raise
    return engine
