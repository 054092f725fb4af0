"""Connection: the Ray cluster that a command uses: one that is there, or one started here for it alone."""

import logging
import os
import shutil
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, MissingExtraError, UnavailableError

SLOT = "trial_slot"
"""The resource of a node of which each running trial takes one."""
CPU = "CPU"
"""Ray's own resource, of which each paper that is read takes one."""
_STORE_BYTES = 512 << 20
"""Bytes of the object store of a Ray of our own: inputs of trials, and a few chunks of results at a time; set by
judgement. What exceeds it is spilled to the disk."""
_STARTED_WITH = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_raylet_start_wait_time_s": "120",
}
"""What our own Ray is started with: it tells nobody that it is used, and has time to start on a busy machine."""
_own_sessions: list[Path] = []
"""Folder of the Ray that was started here, while it runs."""
_NOT_SENT = frozenset(("PINCITE_CACHE_DIR",))
"""Variables that say where something lies on one machine: each node has its own."""


def connect(address: str, slots: int, resource: str = SLOT) -> None:
    """Connect this process to the cluster at ``address`` (``HOST:PORT``, or ``auto`` for the one that this machine
    belongs to), or start one here with ``slots`` slots where it is empty. MissingExtraError without Ray,
    UnavailableError where no cluster answers or none of its nodes offers ``resource``."""
    try:
        from pincite_core.cluster.untyped import ray
    except ImportError:
        raise MissingExtraError.of("cluster", needed_for="--engine ray") from None
    if address.startswith("ray://"):
        raise BadInputError(
            "Nothing can be run through Ray Client.",
            seen=address,
            next="Run pincite on a machine of the cluster: --ray-address auto.",
        )
    logging.getLogger("ray").setLevel(logging.ERROR)
    given: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "namespace": "pincite"}
    if not address:
        given |= {"address": "local", "num_cpus": slots, "resources": {SLOT: slots}, "include_dashboard": False}
        given |= {"object_store_memory": _STORE_BYTES}
    else:
        given |= {"address": address}
    try:
        with _without_secrets(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Ray's own about its coming versions
            session = ray.init(**given).address_info["session_dir"]
    except Exception as error:  # a Ray that is slow to start raises nothing more specific
        raise UnavailableError(
            f"There is no Ray cluster at {address or 'this machine'}.",
            seen=" ".join(str(error).split())[:300],
            next="Start one (docs/cluster.md), or leave --ray-address out for one on this machine.",
        ) from error
    if not address:
        _own_sessions.append(Path(session))
    if not slot_count(resource):
        disconnect()
        wanted = "--num-cpus 4" if resource == CPU else f"--resources '{{\"{resource}\": 4}}'"
        raise UnavailableError(
            f"No node of the cluster offers a {resource}.",
            next=f"ray start … {wanted} on each node that may do four things at once.",
        )


def slot_count(resource: str = SLOT) -> int:
    """How much of a resource the cluster has: how many trials, or papers, it works on at once."""
    from pincite_core.cluster.untyped import ray

    return int(ray.cluster_resources().get(resource, 0))


def disconnect() -> None:
    """Leave the cluster; one that was started here ends, and its logs are removed."""
    from pincite_core.cluster.untyped import ray

    ray.shutdown()
    while _own_sessions:
        shutil.rmtree(_own_sessions.pop(), ignore_errors=True)


def nodes(resource: str = SLOT) -> list[str]:
    """The ids of the nodes that offer a resource."""
    from pincite_core.cluster.untyped import ray

    return [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get(resource)]


def start_control(data: bytes) -> Any:
    """Start the actor of a command, on this node where that is possible; its workers get ``data`` sealed from it."""
    from pincite_core.cluster.control import RunControl
    from pincite_core.cluster.sealing import seal
    from pincite_core.cluster.untyped import on_node, ray, this_node

    here = on_node(this_node(), soft=True)
    actor = ray.remote(num_cpus=0, max_concurrency=10_000, scheduling_strategy=here)(RunControl)
    control: Any = actor.remote()
    public = ray.get(control.public_key.remote())
    ray.get(control.fill.remote(seal(public, data)))
    return control


def variables() -> dict[str, str]:
    """The variables of this process that work on other nodes reads: settings and keys."""
    return {name: value for name, value in os.environ.items() if _is_sent(name)}


def _is_sent(name: str) -> bool:
    if name in _NOT_SENT:
        return False
    return name.startswith("PINCITE_") or name.endswith(("_API_KEY", "_API_TOKEN"))


@contextmanager
def _without_secrets() -> Generator[None]:
    """Take the variables that are sent sealed out of the environment while Ray starts: its processes inherit it."""
    before: Mapping[str, str] = {name: value for name, value in os.environ.items() if _is_sent(name)}
    for name in before:
        del os.environ[name]
    missing = {name: value for name, value in _STARTED_WITH.items() if name not in os.environ}
    os.environ.update(missing)
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]
        os.environ.update(before)
