"""Ray without its types, which are partial: its calls are checked by the tests on a real cluster."""

from typing import Any

import ray as _ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

__all__ = ["RayError", "on_node", "own_address", "ray", "this_node"]

ray: Any = _ray


def on_node(node: str, *, soft: bool = False) -> Any:
    """The strategy that places a task on the node of that id, ``soft``: or on another where it is gone."""
    return NodeAffinitySchedulingStrategy(node, soft=soft)


def this_node() -> str:
    """The id of the node that this process is on."""
    return ray.get_runtime_context().get_node_id()


def own_address() -> str:
    """The address of this node, as messages name it."""
    return ray.util.get_node_ip_address()
