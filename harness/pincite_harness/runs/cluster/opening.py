"""Open the cluster of a run: connect, or start one, and prepare its nodes."""

import os
from collections.abc import Callable, Sequence

from pincite_core.errors import BadInputError
from pincite_harness.runs.cluster.connection import connect, disconnect
from pincite_harness.runs.engine import Engine
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.plan import TrialPlan


def open_cluster(specification: RunSpecification, plans: Sequence[TrialPlan], say: Callable[[str], None]) -> Engine:
    """The engine of a run on the cluster that it names, each node ready for its trials. MissingExtraError without Ray,
    BadInputError for Harbor tasks, UnavailableError where there is no cluster or a node cannot run the trials."""
    if specification.harbor is not None:
        raise BadInputError("Harbor tasks run on one machine.", seen="--engine ray", next="--engine local")
    say("connecting to Ray" if specification.ray_address else "starting Ray on this machine")
    connect(specification.ray_address, specification.concurrency or os.cpu_count() or 1)
    from pincite_harness.runs.cluster.engine import RayEngine

    try:
        engine = RayEngine.of(specification, plans, say)
        say(f"preparing the cluster: {engine.slots} trial slots")
        engine.prepare(plans)
    except BaseException:
        disconnect()
        raise
    return engine
